"""A search by `MCTS` as a file: settings as JSON and its record as arrays, in one zip file without any pickled object.

A file is not trusted: every number of its record is checked before a kernel uses it, see
`sokoviz.search.mcts.record_checks`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoviz.core.numbers.vectors import LANES
from sokoviz.core.tree import journal as records
from sokoviz.core.tree.arena import ACTION, DEPTH, PARENT, grow_arena
from sokoviz.errors import SearchError, SearchFileError
from sokoviz.games.game import find_game
from sokoviz.games.sokoban import Sokoban
from sokoviz.levels import Level
from sokoviz.search.contract import Moment
from sokoviz.search.mcts.record_checks import find_flaw
from sokoviz.search.mcts.search import MCTS
from sokoviz.search.options import Script
from sokoviz.search.saving import read_words, refuse, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sokoviz.games.game import Game
    from sokoviz.search.mcts.engine import Engine

FORMAT = "sokoviz search"
VERSION = 1
ARRAYS = ("root", "steps", "events", "parents", "actions", "tip", "generator")


def save(search: MCTS, path: str | Path) -> None:
    """Write a search to a file; the file appears only when it is complete."""
    with search.at(Moment(search.last)) as engine:
        arrays = _arrays_of(engine)
        head = {
            "format": FORMAT,
            "version": VERSION,
            "search": search.name,
            "game": search.game.name,
            "game settings": search.game.to_json(),
            **({"words": words_of(search.game.level)} if isinstance(search.game, Sokoban) else {}),
            "settings": search.recipe(),
            "moment": list(search.moment),
            "seconds": search.seconds,
        }
        head["digest"] = _digest(head, arrays)
    target = Path(path)
    partial = target.with_name(target.name + ".partial")
    with partial.open("wb") as file:
        text = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
        np.savez_compressed(file, head=text, **arrays)  # type: ignore[arg-type]  # numpy means its other options
    partial.replace(target)


def _arrays_of(engine: Engine) -> dict[str, NDArray[Any]]:
    """What has to be kept of an engine that is at the end of its record."""
    journal, machine, n = engine.written(), engine.machine, engine.n_nodes
    return {
        "root": machine.root.copy(),
        "steps": engine.steps.copy(),
        "events": journal.events[: journal.sizes[records.EVENTS]].copy(),
        "parents": machine.arena.links[PARENT, :n].copy(),
        "actions": machine.arena.links[ACTION, :n].copy(),
        "tip": machine.tip.copy(),
        "generator": machine.generator.copy(),
    }


def _digest(head: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> str:
    """Hash of all that is in a file."""
    rest = {name: entry for name, entry in head.items() if name != "digest"}
    digest = hashlib.sha256(json.dumps(rest, sort_keys=True).encode())
    for name in ARRAYS:
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode() + arrays[name].tobytes())
    return digest.hexdigest()


def is_record(path: str | Path) -> bool:
    """Return whether a file may be one of these, and none in which a search is told in words."""
    try:
        with Path(path).open("rb") as file:
            return file.read(1) not in {b"{", b"["}
    except OSError:
        return True  # which `load` says


def load(path: str | Path, game: Game | None = None) -> MCTS:
    """Return the search that a file holds.

    Raises
    ------
    SearchFileError
        If the file holds no search, is damaged, or was written by another version.
    """
    head, arrays = _read(Path(path))
    try:
        made = game if game is not None else _game_of(head)
        search = MCTS(made, **{**head["settings"], "script": Script(**head["settings"]["script"]), "journal": True})
        search.seconds = float(head["seconds"])
        iteration, phase = head["moment"]
    except Exception as error:  # noqa: BLE001  a game may complain in its own way about what it is given
        refuse(path, f"settings of a search, found none that work: {error}")
    _check_game(path, head, arrays, made)
    flaw = find_flaw(arrays, made, len(search.settings.script.choices))
    if flaw is not None:
        refuse(path, f"a record that makes a tree, found {flaw}")
    _restore(search, arrays)
    try:
        search.goto(iteration, phase)
    except (SearchError, TypeError) as error:
        refuse(path, f"a moment of the record, found {head['moment']!r}: {error}")
    return search


def _game_of(head: dict[str, Any]) -> Game:
    """The game of a file, a level with all that it says."""
    game = find_game(head["game"]).from_json(head["game settings"])
    if isinstance(game, Sokoban):  # its words are no settings: levels that differ in them alone are one game
        return Sokoban(Level(game.level.rows, **read_words(head.get("words", {}))))
    return game


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Head and arrays of a file, checked against its digest."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            head = json.loads(bytes(archive["head"]))
            if not isinstance(head, dict) or (head.get("format"), head.get("search")) != (FORMAT, MCTS.name):
                refuse(path, f"a file written by save(), found one that begins with {head!s:.60}")
            if head.get("version") != VERSION:
                refuse(path, f"version {VERSION} of the format, found version {head.get('version')!r}")
            arrays = {name: archive[name] for name in ARRAYS}
    except (FileNotFoundError, SearchFileError):
        raise
    except Exception as error:  # noqa: BLE001  zipfile, zlib and numpy fail in a dozen ways, all of which mean this
        refuse(path, f"a file written by save(), found one that cannot be read: {error}")
    if head.get("digest") != _digest(head, arrays):
        refuse(path, "a file as save() has written it, found that its contents were changed or damaged")
    return head, arrays


def _check_game(path: str | Path, head: dict[str, Any], arrays: dict[str, NDArray[Any]], game: Game) -> None:
    """Raise where a game was given that the file was not made with."""
    if head["game"] != game.name or head["game settings"] != json.loads(json.dumps(game.to_json())):
        refuse(path, f"the game {head['game']} with {head['game settings']}, found {game.name} with {game.to_json()}")
    if not np.array_equal(arrays["root"], game.start()):
        refuse(path, f"a game that begins with {arrays['root'].tolist()}, found one with {game.start().tolist()}")


def _restore(search: MCTS, arrays: dict[str, NDArray[Any]]) -> None:
    """Put a record into the engine of a new search."""
    engine, n, n_steps = search.engine, len(arrays["parents"]), arrays["steps"].shape[1]
    capacity = max(len(engine.arena.sums), n + search.game.max_actions + LANES)
    arena = grow_arena(engine.arena, capacity)
    arena.links[PARENT, :n], arena.links[ACTION, :n] = arrays["parents"], arrays["actions"]
    for node in range(1, n):
        arena.links[DEPTH, node] = arena.links[DEPTH, arena.links[PARENT, node]] + 1
    arena.children[: n - 1] = np.arange(1, n)
    journal = records.grow_journal(engine.written(), max(len(engine.written().steps), n_steps + 1))
    journal.steps[:n_steps] = arrays["steps"].T
    journal.events[: len(arrays["events"])] = arrays["events"]
    journal.sizes[:] = n_steps, len(arrays["events"])
    engine.machine = engine.machine._replace(arena=arena)
    engine.journal = journal
    engine.machine.tip[:] = arrays["tip"]
    engine.machine.generator[:] = arrays["generator"]
    engine.seek(len(arrays["events"]))
