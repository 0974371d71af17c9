"""Measures the explorer in a real JupyterLab: ``python -m tests.ui.measure_explorer [--json]``.

- A click until the tree is drawn, as a multiple of an empty round trip in the same page: a button of ipywidgets whose
  answer is a label. Both end with the animation frame that shows the answer; they take turns, so that both meet the
  same machine.
- The same in the tree of Schokoban after 100,000 iterations, also for scrubbing, jumping, selecting and unfolding; its
  level is one of the published collections beside the checkout (SOKOVIZ_SHARED_LEVELS names another folder).
- Playing at the highest speed.
- The first step with an empty and with a filled compilation cache.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from sokoviz.experiments.bench.measuring import LIMIT, Figure
from tests.conftest import CHECKOUT
from tests.ui import chromium
from tests.ui.jupyter import Lab, LabServer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from playwright.sync_api import Browser

    from tests.ui.jupyter import LabPage

PARTS = ("tictactoe", "schokoban", "start")
SIZE = (1280, 1000)
N_DRAWN = (50, 200, 400)
N_CLICKS = 40
MOST_ROUND_TRIPS = 3
LEAST_ITERATIONS = 10  # a second, when playing
MOST_SECONDS = 1  # from the kernel's answer to the first step drawn
SECONDS_OF_PLAY = 6
SECONDS_TO_COMPILE = 600
LEAST = "least"  # the reference of a figure that must not fall below

EMPTY = """import ipywidgets
button, label = ipywidgets.Button(description="empty"), ipywidgets.Label("0")
button.on_click(lambda _: setattr(label, "value", str(int(label.value) + 1)))
ipywidgets.HBox([button, label])"""
LONG_SEARCH = """import sokoviz as sv
search = sv.MCTS(sv.TicTacToe(), seed=1)
search.run(iterations=3000, progress=False)
explorer = search.explore()
explorer"""
SHARED_LEVELS = Path(os.environ.get("SOKOVIZ_SHARED_LEVELS") or CHECKOUT.parent / "shared" / "levels")
N_SOKOBAN = 200  # nodes drawn
LARGE_SEARCH = f"""import sokoviz as sv
search = sv.Schokoban(sv.load("{SHARED_LEVELS / "microban3.xsb"}#47"), seed=1)
search.run(iterations=100_000, progress=False)
explorer = search.explore(node_limit={N_SOKOBAN})
explorer"""
FIRST_SEARCH = """import sokoviz as sv
search = sv.MCTS(sv.TicTacToe(), seed=1)
explorer = search.explore()
explorer"""

# Functions that stay in the page. A message of the kernel that changes a widget counts as its answer; it says when it
# was sent.
TOOLS = """() => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const find = (selector) => document.querySelector(selector);
  const control = (name) => find(`.sokoviz-explorer [aria-label="${name}"]`);
  const frame = () => new Promise(requestAnimationFrame);
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const now = () => performance.timeOrigin + performance.now();
  const answers = [];
  kernel.anyMessage.connect((_, { direction, msg }) => {
    if (direction !== "recv" || msg.header.msg_type !== "comm_msg") return;
    const { method, state } = msg.content.data;
    if (method === "update") answers.push({ sent: Date.parse(msg.header.date), came: now(), state });
  });
  const timed = async (click, isShown) => {
    answers.length = 0;
    const clicked = now();
    click();
    await isShown;
    const [{ sent, came }] = answers;
    return { sent: sent - clicked, came: came - clicked, drawn: now() - clicked };
  };
  const changed = () => new Promise((resolve) => {
    const observer = new MutationObserver(() => { observer.disconnect(); frame().then(resolve); });
    observer.observe(find(".widget-label"), { childList: true, characterData: true, subtree: true });
  });
  const drawn = () => new Promise((resolve) => {
    document.addEventListener("sokoviz-drawn", resolve, { capture: true, once: true });
  });
  const any = (elements) => elements[Math.floor(Math.random() * elements.length)];
  const press = (target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    const place = { clientX: left + width / 2, clientY: top + height / 2, isPrimary: true, bubbles: true };
    const plot = find(".sokoviz-tree-plot");
    for (const type of ["pointerdown", "pointerup"]) plot.dispatchEvent(new PointerEvent(type, place));
  };
  const scrub = () => {
    const slider = control("Iteration");
    slider.value = Math.floor(Math.random() * slider.max);
    slider.dispatchEvent(new Event("input"));
  };
  const actions = {
    scrub,
    jump: () => control("Previous event").click(),
    select: () => any([...document.querySelectorAll(".sokoviz-inspector tbody tr")]).click(),
    unfold: () => press(any([...document.querySelectorAll(".tracepills .point")])),
  };
  const until = async (condition) => { while (!condition()) await frame(); return now(); };
  const number = (selector) => Number(find(selector).textContent.split(" ")[0].replace(/,/g, ""));
  globalThis.measure = {
    answers, control, find, now, pause, until,
    empty: () => timed(() => find(".jupyter-button").click(), changed()),
    step: (name) => timed(actions[name] ?? (() => control(name).click()), drawn()),
    nDrawn: () => number(".sokoviz-tree-count"),
    place: () => number(".sokoviz-where strong"),
  };
}"""

# The pauses: until nothing glides and the charts are drawn, as when a person looks at them.
TAKE_TURNS = """async ([name, times]) => {
  const measured = { empty: [], step: [] };
  for (let turn = 0; turn < times; turn++) {
    for (let empty = 0; empty < 2; empty++) {
      measured.empty.push(await measure.empty());
      await measure.pause(100);
    }
    measured.step.push(await measure.step(name));
    await measure.pause(400);
  }
  return { ...measured, nDrawn: measure.nDrawn() };
}"""

PLAY = """async ([speed, seconds]) => {
  const list = measure.control("Speed");
  list.value = speed ?? list.options[list.options.length - 1].value;
  list.dispatchEvent(new Event("change"));
  await measure.pause(500);
  measure.control("Play").click();
  await measure.pause(1000);
  let frames = 0;
  const count = () => { frames += 1; };
  document.addEventListener("sokoviz-drawn", count, true);
  const [first, begin] = [measure.place(), measure.now()];
  await measure.pause(1000 * seconds);
  const [iterations, spent] = [measure.place() - first, (measure.now() - begin) / 1000];
  document.removeEventListener("sokoviz-drawn", count, true);
  measure.control("Pause").click();
  await measure.pause(500);
  return { speed: list.value, iterations: iterations / spent, frames: frames / spent, nDrawn: measure.nDrawn() };
}"""

# Run the cell, and click as soon as there is something to click, as an impatient reader would. The bare tree, the tree
# of the kernels just loaded and the first step are three frames.
FIRST_STEP = """async () => {
  const isShown = (element) => element && element.getBoundingClientRect().height > 0;
  const begin = measure.now();
  jupyterapp.commands.execute("notebook:run-cell");
  const isThere = () => isShown(measure.control("Step iteration")) && isShown(measure.find(".sokoviz-position svg"));
  const controls = await measure.until(isThere);
  const status = measure.find(".sokoviz-progress-text").textContent;
  const clicked = measure.now();
  measure.control("Step iteration").click();
  const drawn = await measure.until(() => measure.find(".sokoviz-at-tree").dataset.frame >= 2 && measure.place() === 1);
  const answer = measure.answers.find(({ state }) => state.iteration === 1).sent;
  return { controls: controls - begin, status, step: drawn - clicked, late: drawn - answer, total: drawn - begin };
}"""


class Case(NamedTuple):
    """A row, and what is to be said about it to people."""

    row: Figure
    note: str = ""


def limit(case: str, unit: str, ours: float, most: float, note: str = "") -> Case:
    """A figure that must stay below a limit."""
    return Case(Figure("explorer", case, unit, ours, LIMIT, most, 1), note)


def plain(case: str, unit: str, ours: float, note: str = "") -> Case:
    """A figure without a goal."""
    return Case(Figure("explorer", case, unit, ours, "", None, None), note)


# --- opening pages ---------------------------------------------------------------------------------------------------


@contextmanager
def open_lab(browser: Browser, cache: Path | None = None) -> Iterator[Lab]:
    """A JupyterLab with our server extension, and with another compilation cache where one is given."""
    before = os.environ.get("SOKOVIZ_CACHE")
    if cache is not None:
        os.environ["SOKOVIZ_CACHE"] = str(cache)
    try:
        with tempfile.TemporaryDirectory() as home, LabServer(Path(home)) as server:
            lab = Lab(server, browser)
            yield lab
            lab.close_pages()
    finally:
        if cache is not None:
            os.environ.pop("SOKOVIZ_CACHE")
            os.environ.update({} if before is None else {"SOKOVIZ_CACHE": before})


def open_page(lab: Lab, cells: list[str], *, run: bool) -> LabPage:
    """A notebook with the functions that measure."""
    notebook = lab.open(cells, size=SIZE, run=run)
    notebook.page.set_default_timeout(1000 * SECONDS_TO_COMPILE)
    notebook.page.evaluate(TOOLS)
    return notebook


def wait_for_tree(notebook: LabPage) -> None:
    """Until the kernels are loaded: before, a bare root is drawn."""
    notebook.page.locator(".sokoviz-at-tree[data-frame]").wait_for()
    notebook.page.evaluate("() => measure.until(() => measure.nDrawn() > 1)")


# --- what is measured ------------------------------------------------------------------------------------------------


def clicks(notebook: LabPage) -> Iterator[Case]:
    """From a click to the tree, at several sizes of the tree; the search goes on with each iteration."""
    for n in N_DRAWN:
        show(notebook, n)
        for name in ("Step phase", "Step iteration"):
            notebook.page.evaluate(TAKE_TURNS, [name, 3])  # until all is loaded
            measured = notebook.page.evaluate(TAKE_TURNS, [name, N_CLICKS])
            check_drawn(measured["nDrawn"], n)
            yield from click_cases(f"{name}, {n} nodes", measured["empty"], measured["step"])


def large_tree(lab: Lab) -> Iterator[Case]:
    """From whatever is done to the tree of a long search of Sokoban to the tree drawn."""
    notebook = open_page(lab, [EMPTY, LARGE_SEARCH], run=True)
    wait_for_tree(notebook)
    notebook.output(1).locator(".sokoviz-explorer").scroll_into_view_if_needed()
    notebook.page.get_by_label("Run to", exact=True).select_option("move")
    for name in ("Back phase", "Step iteration", "scrub", "jump", "select", "unfold"):
        if name == "jump":
            notebook.run("search.goto(search.last)")  # there are events enough before that
        notebook.page.evaluate(TAKE_TURNS, [name, 3])  # until all is loaded
        if name != "unfold":
            notebook.run("explorer._on_fold()")
        measured = notebook.page.evaluate(TAKE_TURNS, [name, N_CLICKS if name != "unfold" else 6])
        case = f"Schokoban, 100,000 iterations, {measured['nDrawn']} nodes: {name}"
        yield from click_cases(case, measured["empty"], measured["step"])
    notebook.check()


def click_cases(case: str, empty: list[dict[str, float]], step: list[dict[str, float]]) -> Iterator[Case]:
    """The figures of a kind of click, and of the empty round trips beside it."""
    least, drawn = median(empty, "drawn"), median(step, "drawn")
    yield plain(f"{case}: empty round trip", "ms", least, where_time_goes(empty))
    yield plain(f"{case}: click to drawn tree", "ms", drawn, where_time_goes(step))
    yield limit(case, "round trips", drawn / least, MOST_ROUND_TRIPS)


def show(notebook: LabPage, n: int) -> None:
    """Let the explorer draw that many nodes."""
    notebook.run(f"explorer.node_limit = {n}")
    notebook.page.wait_for_timeout(1000)


def check_drawn(n_drawn: int, n: int) -> None:
    """Refuse figures about another number of nodes."""
    if not 0.9 * n <= n_drawn <= n:
        message = f"expected about {n} nodes to be drawn, found {n_drawn}"
        raise RuntimeError(message)


def median(measured: list[dict[str, float]], moment: str) -> float:
    """Median of the milliseconds from the clicks to some moment."""
    return statistics.median(each[moment] for each in measured)


def where_time_goes(measured: list[dict[str, float]]) -> str:
    """Medians of the three stretches of a round trip."""
    until_sent = median(measured, "sent")
    on_its_way = statistics.median(each["came"] - each["sent"] for each in measured)
    in_page = statistics.median(each["drawn"] - each["came"] for each in measured)
    return f"answer sent after {until_sent:.0f}, received {on_its_way:.0f} later, shown {in_page:.0f} later"


def playing(notebook: LabPage) -> Iterator[Case]:
    """Playing by iterations, at the highest speed and at the highest that draws every iteration."""
    n = N_DRAWN[-1]
    show(notebook, n)
    for speed in (None, "16"):
        measured = notebook.page.evaluate(PLAY, [speed, SECONDS_OF_PLAY])
        check_drawn(measured["nDrawn"], n)
        case = f"play, {n} nodes, speed {measured['speed']}"
        note = f"{measured['frames']:.1f} frames a second"
        yield Case(Figure("explorer", case, "iterations/s", measured["iterations"], LEAST, LEAST_ITERATIONS, 1), note)


def first_steps(browser: Browser) -> Iterator[Case]:
    """The first step of a new kernel, with an empty compilation cache and then with a filled one."""
    with tempfile.TemporaryDirectory() as cache, open_lab(browser, Path(cache)) as lab:
        for case in ("cold", "warm"):
            notebook = open_page(lab, [FIRST_SEARCH], run=False)
            measured = notebook.page.evaluate(FIRST_STEP)
            notebook.check()
            lab.close_pages()
            status = measured.pop("status")
            yield from first_step_cases(case, status, {key: value / 1000 for key, value in measured.items()})


def first_step_cases(case: str, status: str, seconds: dict[str, float]) -> Iterator[Case]:
    """The figures of a first step; `status` is what the explorer says when it appears."""
    yield plain(f"{case} start: cell run to board and controls", "s", seconds["controls"], f"it says {status!r}")
    yield plain(f"{case} start: cell run to first step drawn", "s", seconds["total"])
    note = f"{seconds['step']:.2f} s after the click"
    yield limit(f"{case} start: kernel's answer to first step drawn", "s", seconds["late"], MOST_SECONDS, note)


def measure(browser: Browser, parts: Collection[str]) -> Iterator[Case]:
    """All figures, or those of some parts."""
    if "tictactoe" in parts:
        yield from small_tree(browser)
    if "schokoban" in parts:
        with open_lab(browser) as lab:
            yield from large_tree(lab)
    if "start" in parts:
        yield from first_steps(browser)


def small_tree(browser: Browser) -> Iterator[Case]:
    """Clicks and playing in the tree of Tic-Tac-Toe."""
    with open_lab(browser) as lab:
        notebook = open_page(lab, [EMPTY, LONG_SEARCH], run=True)
        wait_for_tree(notebook)
        notebook.output(1).locator(".sokoviz-explorer").scroll_into_view_if_needed()
        yield from clicks(notebook)
        yield from playing(notebook)
        notebook.check()


# --- printing --------------------------------------------------------------------------------------------------------


def line(case: Case) -> str:
    """A figure for people."""
    row, note = case
    left = f"{row.case:<52}{row.ours:>9.2f} {row.unit:<13}"
    if row.ratio is None or row.goal is None:
        return f"{left}{'':<28}{note}"
    goal = f"{'at most' if row.reference == LIMIT else 'at least'} {row.theirs:g}: "
    verdict = "met" if row.ratio >= row.goal else "MISSED"
    return f"{left}{goal + verdict:<28}{note}"


def main(arguments: list[str] | None = None) -> int:
    """Measure and print each figure as it comes."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.measure_explorer", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure, all by default: {', '.join(PARTS)}")
    options = parser.parse_args(arguments)
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"expected parts out of {', '.join(PARTS)}; found {', '.join(sorted(unknown))}")
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium)
        if browser is None:
            sys.stderr.write("no Chromium starts; SOKOVIZ_CHROMIUM names one\n")
            return 1
        for case in measure(browser, options.parts or PARTS):
            sys.stdout.write(f"{json.dumps(case.row.to_json()) if options.json else line(case)}\n")
            sys.stdout.flush()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
