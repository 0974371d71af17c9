"""What a search shows before its kernels are loaded, what it says meanwhile, and how it comes alive."""

import asyncio
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import sokoviz as sv
from sokoviz.core.compiling import machine_code, outlook
from sokoviz.search import loading as preparing
from sokoviz.search.loading import prepare
from sokoviz.widgets.base import following
from sokoviz.widgets.explorer import display
from sokoviz.widgets.explorer.frames import unpack_arrays
from sokoviz.widgets.explorer.match import Match

COMPILING, LOADING = "Compiling the search, once …", "Loading the compiled search …"


class Work:
    """Pieces of work that were put off."""

    def __init__(self):
        self.asked = []

    def do_next(self):
        _, work, then = self.asked.pop(0)
        work()
        then(None)

    def do_all(self):
        while self.asked:
            self.do_next()


@pytest.fixture
def work(monkeypatch):
    """No kernels are loaded, and what would be done in the background waits until the test does it."""
    work = Work()
    monkeypatch.setattr(preparing, "_prepared", set())
    monkeypatch.setattr(following, "in_background", lambda *task: work.asked.append(task))
    return work


@pytest.fixture
def search():
    return sv.MCTS(sv.TicTacToe(), seed=1)


def root_of(explorer):
    """What the tree says about its root and its size."""
    tree = explorer.tree
    arrays = unpack_arrays(tree)
    visits, value, hidden = arrays["visits"][0], arrays["values"][0], arrays["hidden"].sum()
    return {
        "nodes": (tree["n_nodes"], tree["n_drawn"] + hidden),
        "root": (visits, None if np.isnan(value) else value),
        "range": tree["value_range"],
        "moment": (explorer.iteration, explorer.phase),
        "story": [explorer.story[name] for name in ("number", "heading", "state", "phases")],
        "record": {**explorer.record, "text": "", "busy": False},
        "charts": explorer.charts,
    }


def click(explorer, kind="step", **arguments):
    arguments = arguments or {"unit": "iteration", "direction": 1}
    explorer._handle_custom_msg({"kind": kind, **arguments}, [])


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_before_the_kernels_are_there_all_is_shown_and_a_click_is_kept(search, work):
    explorer = search.explore()
    assert (explorer.record["busy"], explorer.record["text"]) == (True, "Loading the search …")
    assert explorer.position["picture"]["width"] == 3
    assert set(explorer.ticks) == {"tie", "expansion", "terminal", "deeper", "leader"}
    click(explorer)
    assert explorer.iteration == 0
    assert explorer.record["text"] == "Loading the search … Your step follows."
    work.do_all()
    assert (explorer.iteration, explorer.record["busy"], explorer.record["text"]) == (1, False, "")


@pytest.mark.parametrize("phase", ["", "selection", "expansion", "simulation", "backpropagation"])
@pytest.mark.parametrize("iteration", [0, 1, 45])
def test_a_search_with_a_record_is_shown_where_it_stands_from_the_first_moment(search, work, iteration, phase):
    search.run(iterations=60)
    phase = phase if iteration or phase != "expansion" else "simulation"  # the first iteration has no expansion
    while phase == "expansion" and phase not in search.phases_of(iteration + 1):
        iteration += 1
    search.goto(iteration, phase)
    explorer = search.explore()
    assert (explorer.iteration, explorer.phase, explorer.record["last"]) == (iteration, phase, 60)
    assert explorer.record["busy"]
    before = root_of(explorer)
    work.do_all()
    assert not explorer.record["busy"]
    assert root_of(explorer) == before


@pytest.mark.parametrize("event", ["elimination", "move"])
def test_the_header_counts_the_same_nodes_before_and_after_the_kernels_are_there(work, event):
    search = sv.Schokoban(sv.load("lessons#14"), seed=1)
    search.run(iterations=200, progress=False)
    first = int(search.history.index[search.history[event]][0])
    moments = [
        (first - 1, ""),
        *((first - 1, phase) for phase in search.phases_of(first)),
        (first, ""),
        (search.last, ""),
    ]
    counts = []
    for moment in moments:
        preparing._prepared.clear()
        search.goto(*moment)
        explorer = search.explore()
        counts.append(explorer.tree["n_nodes"])
        work.do_all()
        assert explorer.tree["n_nodes"] == counts[-1]
    assert counts[-1] < len(search.tree)


def test_a_loaded_search_needs_no_further_kernel_to_say_where_it_stands(search, work, tmp_path, monkeypatch):
    search.run(iterations=60)
    search.goto(20, "simulation")
    search.save(tmp_path / "search.npz")
    loaded = sv.MCTS.load(tmp_path / "search.npz")
    for name in ("explain", "draw", "candidates", "state"):
        monkeypatch.setattr(sv.MCTS, name, None)
    explorer = loaded.explore()
    assert (explorer.iteration, explorer.phase, explorer.record["last"]) == (20, "simulation", 60)
    assert explorer.story["runs"] == [["What happened in iteration 21 is told as soon as the search is loaded.", ""]]
    assert len(work.asked) == 1


def test_a_search_that_moves_before_the_kernels_are_there_is_followed(search, work):
    explorer = search.explore()
    search.run(iterations=30)
    assert (explorer.iteration, explorer.record["last"], explorer.tree["n_nodes"]) == (30, 30, len(search.tree))
    assert explorer.record["text"] == "Loading the search …"
    work.do_all()
    assert explorer.iteration == 30


def test_another_search_takes_the_place_of_one_that_was_never_shown(search, work):
    search.run(iterations=30)
    explorer = search.explore()
    click(explorer)
    other = sv.MCTS(sv.TicTacToe(), seed=2)
    other.run(iterations=7)
    explorer.search = other
    assert (explorer.iteration, explorer.record["last"], explorer.tree["n_nodes"]) == (7, 7, len(other.tree))
    work.do_all()
    assert (explorer.iteration, other.last, search.last) == (7, 7, 30)


def test_a_trait_that_is_set_too_early_counts_when_the_kernels_are_there(search, work):
    search.run(iterations=30)
    explorer = search.explore()
    explorer.iteration = 12
    assert (explorer.iteration, search.steps) == (30, 30)
    work.do_all()
    assert (explorer.iteration, search.steps) == (12, 12)


def test_a_match_begins_when_the_kernels_are_there(work):
    match = Match(sv.TicTacToe(), first=False, budget=50)
    assert match.search.last == 0
    work.do_all()
    while match.search.is_running:
        time.sleep(0.01)
    assert match.search.last == 50


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("is_compiled", "text"), [(False, COMPILING), (True, LOADING)])
def test_it_says_whether_it_compiles_or_loads(search, work, monkeypatch, is_compiled, text):
    monkeypatch.setattr(display, "is_compiled", lambda _game: is_compiled)
    explorer = search.explore()
    work.do_next()
    assert explorer.record["text"] == text
    click(explorer)
    assert explorer.record["text"] == f"{text} Your step follows."


def test_while_it_compiles_it_says_how_long_still(search, work, monkeypatch):
    monkeypatch.setattr(display, "is_compiled", lambda _game: False)
    monkeypatch.setattr(machine_code, "pieces_kept", set)
    explorer = search.explore()
    work.do_next()
    assert re.fullmatch(r"Compiling the search, once: about \d+ s left …", explorer.record["text"])
    click(explorer)
    assert re.fullmatch(r"Compiling the search: about \d+ s left. Your step follows.", explorer.record["text"])


@pytest.mark.parametrize("n_done", [0, 1])
def test_where_the_kernels_cannot_be_loaded_that_is_said_and_a_click_tries_again(search, work, n_done):
    explorer = search.explore()
    click(explorer)
    for _ in range(n_done):
        work.do_next()
    _, _, then = work.asked.pop()
    then(OSError("no room"))
    assert (explorer.record["busy"], explorer.record["text"]) == (False, "The search could not be loaded.")
    assert explorer.trouble["summary"] == "OSError: no room"
    click(explorer)
    assert explorer.record["busy"]
    work.do_all()
    assert (explorer.iteration, explorer.record["text"]) == (1, "")


def test_a_picture_asked_for_too_early_loads_the_kernels_itself(search, work):
    explorer = search.explore()
    assert "<svg" in explorer.to_svg()
    assert not explorer.record["busy"]
    work.do_next()
    assert (explorer.record["busy"], explorer.record["text"], work.asked) == (False, "", [])


# --- in the background -----------------------------------------------------------------------------------------------


async def until(test):
    """Wait until something holds."""
    for _ in range(2000):
        if test():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


def test_explorers_of_one_game_load_its_kernels_once_and_all_come_alive(monkeypatch):
    gate, n_loaded, prepare = threading.Event(), [], preparing.prepare

    def slowly(game):
        assert gate.wait(20)
        n_loaded.append(game)
        prepare(game)

    async def play():
        explorers = [sv.MCTS(sv.TicTacToe(), seed=seed).explore() for seed in range(3)]
        await until(lambda: all("compiled" in explorer.record["text"] for explorer in explorers))
        gate.set()
        await until(lambda: not any(explorer.record["busy"] for explorer in explorers))

    monkeypatch.setattr(preparing, "_prepared", set())
    monkeypatch.setattr(display, "prepare", slowly)
    monkeypatch.setattr(display, "is_compiled", lambda _game: True)
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(play())).result()
    assert len(n_loaded) == 1


def test_how_long_it_still_takes_is_said_again_until_it_is_there(monkeypatch):
    gate, texts, left = threading.Event(), [], iter([20] * 20 + [15] * 9 + [8] * 9 + [0] * 9999)

    def slowly(game):
        assert gate.wait(20)
        prepare(game)

    async def play():
        explorer = sv.MCTS(sv.TicTacToe()).explore()
        explorer.observe(lambda change: texts.append(change.new["text"]), "record")
        await until(lambda: texts and "few" in texts[-1])
        gate.set()
        await until(lambda: not explorer.record["busy"])

    monkeypatch.setattr(preparing, "_prepared", set())
    monkeypatch.setattr(display, "prepare", slowly)
    monkeypatch.setattr(display, "is_compiled", lambda _game: False)
    monkeypatch.setattr(following, "SECONDS_BETWEEN_WORDS", 0.01)
    monkeypatch.setattr(outlook.Outlook, "seconds", lambda _self: next(left))
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(play())).result()
    times = ["about 15 s left", "about 10 s left", "a few seconds more"]
    assert texts == [*(f"Compiling the search, once: {each} …" for each in times), ""]


def test_an_explorer_that_is_gone_is_not_called(monkeypatch):
    gate, called = threading.Event(), []

    async def play():
        explorer = sv.MCTS(sv.TicTacToe()).explore()
        explorer.close()
        gate.set()
        for thread in threading.enumerate():
            if thread.name == "sokoviz-background":
                await asyncio.to_thread(thread.join)
        await asyncio.sleep(0)

    monkeypatch.setattr(preparing, "_prepared", set())
    monkeypatch.setattr(display, "is_compiled", lambda _game: gate.wait(20))
    monkeypatch.setattr(display.SearchDisplay, "_when_known", lambda _self, error: called.append(error))
    with ThreadPoolExecutor(1) as executor:
        executor.submit(lambda: asyncio.run(play())).result()
    assert called == []


# --- the tree goes first ---------------------------------------------------------------------------------------------


@pytest.fixture
def put_off(monkeypatch):
    """What an explorer does a moment later waits until the test does it."""
    actions = []
    monkeypatch.setattr(display, "later", lambda _seconds, action: actions.append(action))
    return actions


def test_the_tree_is_sent_first_and_all_else_in_a_message_of_its_own(search, put_off):
    search.run(iterations=20, progress=False)
    explorer = search.explore()
    assert explorer.story["number"] == 20
    search.goto(12)
    assert (explorer.iteration, explorer.tree["n_nodes"]) == (12, search.standing.nodes)
    assert explorer.story["number"] == 20
    while put_off:
        put_off.pop(0)()
    assert explorer.story["number"] == 12


def test_what_was_put_off_is_about_the_last_of_several_moments(search, put_off):
    search.run(iterations=20, progress=False)
    explorer = search.explore()
    first = explorer.tree["frame"]  # it has shown the board alone before, where no other test has loaded the kernels
    for number in (3, 12, 7):
        search.goto(number)
    while put_off:
        put_off.pop(0)()
    assert (explorer.tree["frame"], explorer.story["number"]) == (first + 3, 7)


def test_what_goes_wrong_after_the_tree_was_sent_is_shown(search, put_off, monkeypatch):
    explorer = search.explore()
    search.step_on()
    monkeypatch.setattr("sokoviz.widgets.explorer.frames.story", lambda *_: 1 / 0)
    while put_off:
        put_off.pop(0)()
    assert explorer.trouble["summary"] == "ZeroDivisionError: division by zero"
