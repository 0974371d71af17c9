"""A search of Sokoban in the explorer of a real JupyterLab: over a subtree move and an elimination, by phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.lab_explorers import LabExplorer

if TYPE_CHECKING:
    from tests.ui.jupyter import Lab

START = """import sokoviz as sv
search = sv.Schokoban(sv.load("lessons#7"), seed=1)
search.run(progress=False)
explorer = search.explore()
explorer"""

NEXT = "next(k for k in search.history.query('{}').index if {})"


@pytest.fixture
def explorer(lab: Lab) -> LabExplorer:
    """An explorer at the solution; the page is checked for errors when it is closed."""
    return LabExplorer(lab.open([START], size=(1280, 1000)))


def test_phases_of_a_subtree_move_and_of_an_elimination(explorer: LabExplorer) -> None:
    expect(explorer.story).to_contain_text("solved in 8 pushes")
    number = int(explorer.ask(f"int({NEXT.format('move', 'True')})"))
    explorer.notebook.run(f"search.goto({number - 1})")
    explorer.step("Step phase", 2)
    move = explorer.ask(
        f"[[m.node, m.former, m.depth_before, m.depth_after] for m in search.explain({number}).expansion.moved]"
    )[0]
    node, former, before, after = move
    expect(explorer.story).to_contain_text(f"node {node} moves here from node {former}, from depth {before} to {after}")
    for role in ("dead", "new", "context"):
        expect(explorer.plot.locator(f".tracelinks{role} .js-line").first).to_be_attached()
    explorer.step("Back phase")
    expect(explorer.plot.locator(".tracelinksdead")).to_have_count(0)

    number = int(explorer.ask(f"int({NEXT.format('elimination', 'len(search.explain(int(k)).elimination) > 1')})"))
    gone = explorer.ask(f"list(search.explain({number}).elimination)")
    explorer.notebook.run(f"search.goto({number - 1})")
    explorer.step("Step phase", 3)
    expect(explorer.story).to_contain_text(f"Elimination: Node {gone[0]} has no children, so it is eliminated")
    expect(explorer.plot.locator(".traceeliminated .point")).to_have_count(len(gone))
    expect(explorer.output.get_by_role("img", name="State: eliminate", exact=True)).to_be_visible()
    explorer.step("Step phase")
    expect(explorer.where).to_contain_text(f"after iteration {number} of")
    assert not set(gone) & set(explorer.nodes())
    explorer.step("Back phase")
    assert set(gone) <= set(explorer.nodes())
    explorer.notebook.check()


def test_a_square_of_the_board_leads_to_the_node_of_its_push(explorer: LabExplorer) -> None:
    explorer.click_node(0)
    expect(explorer.place).to_contain_text("the root")
    square = explorer.ask("it.position['clickable'][0]")
    with explorer.drawing():
        explorer.square(f"row {'abcdefg'[square[0]]}, column {'ABCDEFGH'[square[1]]}").click()
    node = explorer.moment()[2]
    assert node in explorer.ask("list(search.tree.children(0))")
    expect(explorer.place).to_contain_text(f"node {node} · move ")
    explorer.notebook.check()
