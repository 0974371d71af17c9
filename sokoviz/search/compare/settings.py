"""What tree searches have in common and what tells them apart, before they do anything."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.errors import SearchError
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.mcts.search import MCTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sokoviz.games.game import Game

FEWEST_SEARCHES = 2


def check_comparable(searches: Sequence[MCTS]) -> None:
    """Check that searches can stand side by side.

    Raises
    ------
    SearchError
        If they are fewer than two, of different levels, games or positions, or without a journal.
    """
    for search in searches:
        given: object = search
        if not isinstance(given, MCTS):
            message = f"expected searches such as Schokoban(level), found {given!r}"
            raise SearchError(message)
        if not search.settings.journal:
            message = f"expected searches that keep a journal, found journal=False in {search!r}"
            raise SearchError(message)
    if len(searches) < FEWEST_SEARCHES:
        message = f"expected two searches or more, found {len(searches)}"
        raise SearchError(message)
    if len(set(map(id, searches))) < len(searches):
        message = "expected different searches, found the same one twice; make another one with the same options"
        raise SearchError(message)
    first = searches[0].game
    for game in (search.game for search in searches[1:]):
        if not _is_same(first, game):
            message = f"expected searches of one level and position, found {place_of(first)} and {place_of(game)}"
            raise SearchError(message)


def _is_same(one: Game, other: Game) -> bool:
    """Whether two games begin with the same position under the same rules."""
    same_rules = type(one) is type(other) and one.to_json() == other.to_json()
    return same_rules and np.array_equal(one.start(), other.start())


def place_of(game: Game) -> str:
    """Return what is searched, in a few words."""
    return repr(game.level) if isinstance(game, Sokoban) else repr(game)


def _options_of(search: MCTS) -> dict[str, Any]:
    """All options that decide what a search does, and its solver."""
    settings = search.settings
    options = {
        "solver": search.name,
        **{name: getattr(settings, name) for name in ("seed", "c", "selection", "script")},
    }
    if isinstance(search.game, Sokoban):
        options |= asdict(settings.pushing)
    return options


def differing_options(searches: Sequence[MCTS]) -> list[str]:
    """Return the names of options that are not the same in all searches, ``"solver"`` among them."""
    options = [_options_of(search) for search in searches]
    names = [name for name, value in options[0].items() if any(each[name] != value for each in options[1:])]
    # What becomes of repeated positions is what the names of the solvers say.
    return [name for name in names if name != "repeats" or "solver" not in names]


def names_of(searches: Sequence[MCTS]) -> tuple[str, ...]:
    """Return what searches are called: the solver, then the options that differ; a number where that is not enough."""
    named = [name for name in differing_options(searches) if name != "solver"]
    full = []
    for search in searches:
        options = _options_of(search)
        words = ", ".join(_put(name, options[name]) for name in named)
        full.append(f"{search.name} · {words}" if words else search.name)
    if len(set(full)) == len(full):
        return tuple(full)
    return tuple(f"{name} ({place})" for place, name in enumerate(full, start=1))


def _put(name: str, value: Any) -> str:  # noqa: ANN401  options are of all kinds
    """An option in words."""
    if isinstance(value, bool):
        return name if value else f"not {name}"
    if name == "script":
        return "scripted" if value.choices or value.outcomes else "not scripted"
    if name == "deadlocks":
        return f"deadlocks: {', '.join(value) or 'none'}"
    if name == "selection":
        return str(value).upper()
    forms = {"c": "c = {:g}", "distance": "{} distance", "repeats": "positions {}"}
    return forms.get(name, f"{name} {{}}").format(value)
