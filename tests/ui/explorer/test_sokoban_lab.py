"""A search of Sokoban in the explorer of a real JupyterLab: over a subtree move and an elimination, by phases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.explorer.lab_explorers import LabExplorer

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_dead_successor_and_the_chains_of_a_move_and_the_solution(explorer: LabExplorer) -> None:
    number = int(explorer.ask(f"int({NEXT.format('move', 'True')})"))
    explorer.choice("Run to").select_option("move")
    explorer.notebook.run(f"search.goto({number + 1})")
    explorer.step("Previous event")
    assert explorer.moment()[:2] == (number - 1, "expansion")
    expect(explorer.progress).to_contain_text(f"Subtree move in iteration {number}")
    node, former = explorer.ask(f"[[m.node, m.former] for m in search.explain({number}).expansion.moved][0]")
    moves = explorer.output.locator(".sokoviz-moves")
    expect(moves).to_contain_text(f"Node {node} moves from node {former}")
    expect(moves.locator("table").first).to_contain_text("→")

    explorer.button("Left out").click()
    with explorer.drawing():
        explorer.output.locator(".sokoviz-dead-row").first.click()
    expect(explorer.place).to_contain_text("dead by")
    expect(explorer.output.locator(".sokoviz-room .mark.deadlock").first).to_be_attached()

    explorer.choice("Run to").select_option("solution")
    with explorer.drawing():
        explorer.button("Run").click()
    expect(explorer.progress).to_contain_text("Solution in iteration")
    explorer.slider.page.keyboard.press("Escape")
    with explorer.drawing():
        explorer.button("Play solution").click()
    expect(explorer.output.get_by_text("push 8 of 8", exact=True)).to_be_visible(timeout=20_000)
    line = explorer.ask("[each.node for each in search.solution_line]")
    explorer.settle()
    assert explorer.moment()[2] == line[-1]
    explorer.click_node(line[4])
    expect(explorer.output.get_by_text("push 4 of 8", exact=True)).to_be_visible()
    assert explorer.ask("it.tree['marks']['path']") == line
    explorer.notebook.check()


LARGE = """import sokoviz as sv
search = sv.Schokoban(sv.load("{levels}/microban3.xsb#47"), seed=1)
search.run(iterations=100_000, progress=False)
explorer = search.explore()
explorer"""


def test_a_hundred_thousand_iterations_are_scrubbed_jumped_selected_and_unfolded(lab: Lab, shared_levels: Path) -> None:
    explorer = LabExplorer(lab.open([LARGE.format(levels=shared_levels)], size=(1280, 1000)))
    expect(explorer.where).to_contain_text("after iteration 100,000 of 100,000")
    with explorer.drawing():
        explorer.slider.fill("31415")
    assert explorer.moment()[0] == 31415
    explorer.choice("Run to").select_option("elimination")
    explorer.step("Previous event", 2)
    assert explorer.moment()[1] in {"elimination", "expansion"}
    with explorer.drawing():
        explorer.rows().first.click()
    node, (_, _, hidden) = next(item for item in explorer.nodes().items() if item[1][2] > 0)
    explorer.notebook.run(f"explorer._on_unfold({node})")
    explorer.settle()
    assert explorer.nodes()[node][2] < hidden
    explorer.notebook.check()
