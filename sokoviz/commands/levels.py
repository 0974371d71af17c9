"""``sokoviz levels``: list, show, check and download collections of levels."""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING

from sokoviz.commands._targets import TARGET_HELP, describe_error, find_collection, find_levels
from sokoviz.errors import LevelError, LevelNotFoundError, LevelTooLargeError, SokovizError

if TYPE_CHECKING:
    import argparse

    from sokoviz.levels import Collection, Level

GOOD, BAD = 0, 2


def add_levels_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``levels`` with its four actions."""
    parser = subparsers.add_parser("levels", help="list, show, check and download levels", description=__doc__)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="name the collections that are here or can be downloaded")
    listing.set_defaults(run=run_list)

    show = actions.add_parser("show", help="print levels with their size and an estimate of their search space")
    show.add_argument("target", metavar="TARGET", help=TARGET_HELP)
    show.set_defaults(run=run_show)

    check = actions.add_parser("check", help="read files of levels and say what is wrong with them")
    check.add_argument("files", metavar="FILE", nargs="+", help="a file, a collection, or - for standard input")
    check.set_defaults(run=run_check)

    get = actions.add_parser("get", help="download published collections")
    get.add_argument("names", metavar="NAME", nargs="+", help="a collection that `sokoviz levels list` names")
    get.set_defaults(run=run_get)


def run_list(_options: argparse.Namespace) -> int:
    """Print the collections on this machine, then those that can be had."""
    from sokoviz.levels import available
    from sokoviz.levels.fetching import sources

    here = available()
    width = max(map(len, [*here, *sources()]))
    for name in here:
        print(f"{name:{width}}  {_summarise(name)}".rstrip())
    absent = [source for name, source in sources().items() if name not in here]
    if absent:
        print("\nto download with `sokoviz levels get NAME`:")
    for source in absent:
        print(f"{source.name:{width}}  {source.title}, by {source.author}")
    return GOOD


def run_show(options: argparse.Namespace) -> int:
    """Print the levels of a target, one after the other, as SOK text with two lines more."""
    from sokoviz.levels import split_target

    status = GOOD
    source, _ = split_target(options.target)
    parting = ""
    _, entries = find_levels(options.target)
    for entry in entries:
        if isinstance(entry, LevelError):
            sys.stderr.write(f"sokoviz: {describe_error(source, entry)}\n")
            status = BAD
        else:
            print(parting + _describe(entry))
            parting = "\n"
    return status


def run_check(options: argparse.Namespace) -> int:
    """Read files; name what is bad, and what occurs twice."""
    status = GOOD
    names_of: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for source in options.files:
        try:
            collection = _whole_collection(source)
        except SokovizError as error:
            sys.stderr.write(f"sokoviz: {error}\n")
            status = BAD
            continue
        status = max(status, _report(source, collection))
        for number, entry in enumerate(collection.entries, start=1):
            if not isinstance(entry, LevelError):
                names_of[entry.normal_form().rows].append(f"{source}#{number}")
    for names in names_of.values():
        if len(names) > 1:
            print(f"note: {', '.join(names[:-1])} and {names[-1]} are the same level")
    return status


def run_get(options: argparse.Namespace) -> int:
    """Download collections, and say where they are and whose they are."""
    from sokoviz.levels.fetching import fetch, sources

    status = GOOD
    for name in options.names:
        try:
            path = fetch(name)
        except SokovizError as error:
            sys.stderr.write(f"sokoviz: {error}\n")
            status = BAD
            continue
        collection, _ = find_collection(str(path))
        source = sources()[name]
        print(f"{name}: {_count(len(collection), 'level')} of {source.title}, by {source.author}, in {path}")
        print(f"terms: {source.terms}")
    return status


def _describe(level: Level) -> str:
    """A level in words and signs."""
    lines = [level.to_text("sok").rstrip(), f"Size: {level.width} x {level.height}, {_count(len(level.boxes), 'box')}"]
    try:
        lines.append(f"Search space: {level.search_space()}")
    except LevelTooLargeError as error:
        lines.append(f"Search space: not estimated ({error})")
    return "\n".join([*([f"; {level.name}"] if level.name else []), *lines])


def _summarise(name: str) -> str:
    """A collection in one line; why not, where it cannot be read."""
    try:
        collection, _ = find_collection(name)
    except SokovizError as error:
        return str(error)
    return f"{_count(len(collection), 'level'):>11}  {collection.title}"


def _whole_collection(source: str) -> Collection:
    """A file to check; a single level of it is no file."""
    collection, number = find_collection(source)
    if number is not None:
        message = f"expected a file or collection to check, found one level of it: {source}"
        raise LevelNotFoundError(message)
    return collection


def _report(source: str, collection: Collection) -> int:
    """Print how many levels of a file are good, and what is wrong with the others."""
    refused = str(len(collection.errors)) if collection.errors else "none"
    print(f"{source}: {_count(len(collection), 'level')} read, {refused} refused")
    for error in collection.errors:
        print(describe_error(source, error))
    return BAD if collection.errors else GOOD


def _count(number: int, noun: str) -> str:
    """A number with its noun."""
    plural = noun + ("es" if noun.endswith("x") else "s")
    return f"{number} {noun if number == 1 else plural}"
