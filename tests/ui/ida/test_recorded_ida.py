"""The model of exported iterative deepening in Chromium: asked for the same, it shows what the explorer shows."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from sokoviz.widgets.explorer.frames import unpack_arrays
from sokoviz.widgets.ida.board import LAYERS
from tests.ui.ida.deepening_pages import searched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    import sokoviz as sv
    from sokoviz.widgets.ida.widget import DeepeningExplorer

    PageWith = Callable[..., Page]

TRAITS = ("iteration", "node", "tree", "story", "children", "line", "position", "solution")

#: The model of a page alone; `ask` sends a message and waits for what is shown then.
SCRIPT = """
import { readAttached } from "/shared/attached.js";
import { makeRecordedModel } from "/explorer/recorded.js";
import { RecordedStep } from "/deepening/recorded_step.js";
const readPart = (number) => readAttached(`part-${number}`);
const model = await makeRecordedModel(await readAttached("record"), readPart, () => null, RecordedStep);
const text = (view) => btoa(String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)));
const plain = (_, value) => (value instanceof DataView ? { base64: text(value) } : value);
globalThis.ask = async (message, names) => {
  const { frame } = model.get("tree");
  model.send(message);
  while (model.get("tree").frame === frame) await new Promise((done) => setTimeout(done));
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, model.get(name)])), plain);
};
globalThis.set = (name, value) => model.set(name, value);
"""


class Twins:
    """The model of a page, and an explorer: both hear the same messages and show the same."""

    def __init__(self, page_with: PageWith, search: sv.IDA, path: Path, frames: int = 300) -> None:
        exported = search.export(path, frames).read_text(encoding="utf-8")
        elements = re.findall(r'<script type="application/gzip" id="sokoviz-attached-(?!plotly).*?</script>', exported)
        self.search, self.explorer = search, search.explore()
        self.page = page_with(SCRIPT, body="".join(elements))
        self.page.wait_for_function("() => globalThis.ask")

    def ask(self, kind: str, *, but: str = "", **arguments: Any) -> dict[str, Any]:
        """Ask both for the same; what they show, `but` for one trait, has to be the same: return it."""
        message, names = {"kind": kind, **arguments}, [name for name in TRAITS if name != but]
        self.explorer._handle_custom_msg(message, [])
        found = json.loads(self.page.evaluate("([message, names]) => ask(message, names)", [message, names]))
        wanted = {name: _plain(getattr(self.explorer, name)) for name in names}
        for tree in (each["tree"] for each in (found, wanted) if "tree" in each):
            del tree["frame"]
        assert found == wanted
        return dict(found)

    def steps(self) -> Iterator[int]:
        """Go to all steps, the first one last, for that is where nothing is to be unlearned."""
        for step in [*range(1, self.search.last + 1), *range(self.search.last - 1, -1, -1)]:
            self.ask("goto", iteration=step)
            yield step

    def set(self, name: str, *, value: bool) -> None:
        """Set a trait of both."""
        self.page.evaluate("([name, value]) => set(name, value)", [name, value])
        setattr(self.explorer, name, value)


def _plain(value: Any) -> Any:
    """A value as it is after a way through JSON, with its bytes as text."""
    if isinstance(value, bytes | memoryview):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(("lesson", "preset"), [(12, "optimal"), (12, "best"), (14, "best")])
def test_the_model_of_the_page_shows_every_step_as_the_explorer_does(
    page_with: PageWith, tmp_path: Path, lesson: int, preset: str
) -> None:
    twins = Twins(page_with, searched(lesson, preset), tmp_path / "page.html")
    assert len(list(twins.steps())) == 2 * twins.search.last


def test_whichever_node_is_selected_it_shows_what_the_explorer_does(page_with: PageWith, tmp_path: Path) -> None:
    twins = Twins(page_with, searched(14), tmp_path / "page.html")  # so small a tree that all of it is always drawn
    selected = 0
    for step in range(1, twins.search.last + 1):
        twins.ask("goto", iteration=step)
        for node in unpack_arrays(twins.explorer.tree)["ids"].tolist():
            twins.ask("select", node=node)
            selected += 1
    assert selected > 100


def test_what_lies_above_the_tree_can_be_selected_by_the_line(page_with: PageWith, tmp_path: Path) -> None:
    twins = Twins(page_with, searched(12, "optimal"), tmp_path / "page.html")
    twins.ask("goto", iteration=twins.search.last)
    line = [twins.explorer.line["root"], *(move["node"] for move in twins.explorer.line["moves"])]
    drawn = unpack_arrays(twins.explorer.tree)["ids"].tolist()
    assert len(set(line) - set(drawn)) > 3
    for node in line:
        for row in twins.ask("select", node=node, but="tree")["children"]["rows"]:
            twins.ask("select", node=row["node"], but="tree")


def test_the_layers_are_those_of_the_explorer(page_with: PageWith, tmp_path: Path) -> None:
    twins = Twins(page_with, searched(12), tmp_path / "page.html")
    for layer in (*LAYERS, *LAYERS):
        twins.set(layer, value=not getattr(twins.explorer, layer))
        for step in (3, 0, 7):
            twins.ask("goto", iteration=step)


def test_squares_lead_where_they_lead_in_the_explorer(page_with: PageWith, tmp_path: Path) -> None:
    twins = Twins(page_with, searched(14), tmp_path / "page.html")
    for step in range(1, twins.search.last):
        squares = twins.ask("goto", iteration=step)["position"]["clickable"]
        for square in squares:
            twins.ask("square", square=square)
            twins.ask("select", node=twins.search.stretch().current)  # type: ignore[union-attr]
        twins.set("follow", value=True)


def test_the_solution_is_that_of_the_explorer_to_and_fro(page_with: PageWith, tmp_path: Path) -> None:
    twins = Twins(page_with, searched(12), tmp_path / "page.html")
    twins.ask("goto", iteration=twins.search.last)
    pushes = twins.explorer.solution["pushes"]
    assert len(set(line_of(twins.explorer))) < pushes, "macros take several pushes"
    for push in [*range(pushes + 1), pushes - 1, pushes - 2]:
        twins.ask("solution", push=push)
    twins.ask("select", node=twins.explorer.line["root"], but="tree")


def line_of(explorer: DeepeningExplorer) -> list[int]:
    """The nodes of the line."""
    return [move["node"] for move in explorer.line["moves"]]
