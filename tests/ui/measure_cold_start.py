"""Measures the first minutes on a fresh machine: ``python -m tests.ui.measure_cold_start [PART ...]``.

Each part begins with an empty compilation cache.

- lesson 02, lesson 04: `sokoviz lab` is started, the notebook is opened in Chromium as soon as the server answers, its
  cells are run up to the first explorer, and "Step iteration" is pressed as soon as it is there: seconds from the page
  being there until the step is drawn. What is measured last is the time until all kernels are there.
- all: `python -m sokoviz.warm` by itself, and its CPU-seconds.
- schokoban, ida, curry: the first `sokoviz solve lessons#14` with each solver.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from sokoviz.core.compiling.outlook import ALL, pieces_of
from tests.conftest import CHECKOUT
from tests.lab_process import start_lab
from tests.ui import chromium
from tests.ui.jupyter import LabPage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

LESSONS = {"02": 20.0, "04": 60.0}  # seconds allowed from the page being there to the first step drawn
SOLVERS = ("schokoban", "ida", "curry")
PARTS = ("02", "04", "all", *SOLVERS)
MOST_TO_SOLVE, MOST_FOR_ALL = 40.0, 200.0
EXPOSED = {"LabApp": {"expose_app_in_browser": True}}  # so that cells can be run from outside
MILLISECONDS_TO_COMPILE = 600_000

# Cells up to the first explorer, and a click as soon as there is something to click, as an impatient reader would.
FIRST_STEP = """async (last) => {
  const { content } = jupyterapp.shell.currentWidget;
  const there = performance.now();
  const waiting = [];
  for (let index = 0; index <= last; index++) {
    content.activeCellIndex = index;
    content.deselectAll();
    waiting.push(jupyterapp.commands.execute("notebook:run-cell"));
  }
  const frame = () => new Promise(requestAnimationFrame);
  const find = (selector) => document.querySelector(selector);
  const until = async (condition) => { while (!condition()) await frame(); return performance.now() - there; };
  const said = [];
  const note = () => {
    const text = find(".sokoviz-progress-text")?.textContent;
    if (text && text !== said.at(-1)?.[1]) said.push([(performance.now() - there) / 1000, text]);
    return true;
  };
  const button = () => find('.sokoviz-explorer [aria-label="Step iteration"]');
  const place = () => Number(find(".sokoviz-where strong")?.textContent.split(" ")[0].replace(/,/g, ""));
  const shown = await until(() => note() && button());
  const before = place();
  button().click();
  const isDrawn = () => find(".sokoviz-at-tree")?.dataset.frame >= 1 && place() === before + 1;
  const drawn = await until(() => note() && isDrawn());
  return { shown: shown / 1000, drawn: drawn / 1000, said };
}"""


class Row(NamedTuple):
    """A figure, and what it must not exceed."""

    name: str
    seconds: float
    limit: float | None = None
    note: str = ""

    def __str__(self) -> str:
        verdict = "" if self.limit is None else "met" if self.seconds <= self.limit else "MISSED"
        limit = "" if self.limit is None else f"at most {self.limit:g}: {verdict}"
        return f"{self.name:<62}{self.seconds:>8.1f} s  {limit:<18}{self.note}"


def cells_to_explorer(notebook: Path) -> int:
    """Index of the first cell that shows an explorer."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ("".join(cell["source"]) if cell["cell_type"] == "code" else "" for cell in cells)
    return next(index for index, text in enumerate(code) if "explore" in text)


def lesson(browser: Browser, number: str, limit: float) -> Iterator[Row]:
    """A notebook that is opened first."""
    notebook = next((CHECKOUT / "notebooks").glob(f"{number}-*.ipynb"))
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "config").mkdir()
        (Path(home) / "config" / "jupyter_server_config.json").write_text(json.dumps(EXPOSED))
        cache, begin = Path(home) / "cache", time.monotonic()
        with start_lab(Path(home), SOKOVIZ_CACHE=str(cache)) as lab, browser.new_context() as context:
            page = LabPage(context.new_page())
            page.page.set_default_timeout(MILLISECONDS_TO_COMPILE)
            page.page.set_viewport_size({"width": 1280, "height": 1000})
            page.page.goto(f"http://127.0.0.1:{lab.port}/lab/tree/{notebook.name}?token={lab.token}")
            page.wait_until_ready()
            there = time.monotonic()
            found = page.page.evaluate(FIRST_STEP, cells_to_explorer(notebook))
            yield Row(f"lesson {number}, opened first: lab started to page there", there - begin)
            said = "; ".join(f"{second:.0f} s: {text}" for second, text in found["said"])
            yield Row(f"lesson {number}: page there to controls of the first explorer", found["shown"])
            yield Row(f"lesson {number}: page there to first step drawn", found["drawn"], limit, said)
            while not is_complete(cache):
                page.page.wait_for_timeout(200)
            yield Row(f"lesson {number}: lab started to all kernels there", time.monotonic() - begin, MOST_FOR_ALL)


def is_complete(cache: Path) -> bool:
    """Whether all pieces that are known are in a cache."""
    kept = {path.name.rpartition("-")[0] + path.suffix for path in cache.rglob("*-*.*")}
    return kept.issuperset(pieces_of(ALL))


def alone(name: str, arguments: tuple[str, ...], limit: float) -> Iterator[Row]:
    """A command by itself, with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "SOKOVIZ_CACHE": cache}
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [sys.executable, "-m", *arguments]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield Row(name, seconds, limit, f"{spent:.1f} CPU-seconds")


def measure(parts: list[str], browser: Browser | None) -> Iterator[Row]:
    """The figures of some parts."""
    for part in parts:
        if part in SOLVERS:
            yield from alone(f"solve lessons#14 --with {part}", solve_words(part), MOST_TO_SOLVE)
        elif part == "all":
            yield from alone("all kernels", ("sokoviz.warm",), MOST_FOR_ALL)
        elif browser is not None:
            yield from lesson(browser, part, LESSONS[part])


def solve_words(solver: str) -> tuple[str, ...]:
    """A command that solves a lesson."""
    return ("sokoviz", "solve", "lessons#14", "--with", solver)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print each figure as it comes."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.measure_cold_start", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure, all by default: {', '.join(PARTS)}")
    parts = parser.parse_args(arguments).parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"expected parts out of {', '.join(PARTS)}; found {', '.join(sorted(unknown))}")
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright.chromium) if set(parts) & set(LESSONS) else None
        if browser is None and set(parts) & set(LESSONS):
            sys.stderr.write("no Chromium starts; SOKOVIZ_CHROMIUM names one\n")
            return 1
        for row in measure(parts, browser):
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
