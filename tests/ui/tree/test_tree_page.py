"""The tree in a plain page: what plotly.js draws of a frame, and when."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import pytest

from sokoviz.widgets.base.modules import join_modules
from tests.ui.parts import PlainTree
from tests.ui.tree.trees import ALIKE, ELIMINATED, NEW, REDUNDANT, TERMINAL, GrownTree, pack_tree, small_frame

if TYPE_CHECKING:
    from tests.ui.parts import PartPage


# --- nodes and edges ------------------------------------------------------------------------------------------------


def test_nodes_stand_where_the_layout_has_them(tree: PlainTree) -> None:
    root, one, two, three, four = tree.centers()
    assert one[1] == two[1] > root[1]
    assert three[1] - one[1] == pytest.approx(one[1] - root[1], abs=0.1)
    assert two[0] - root[0] == pytest.approx(root[0] - one[0], abs=0.1)
    assert four[0] == pytest.approx(root[0], abs=0.1)
    assert three[0] < one[0]


def test_size_grows_with_visits(tree: PlainTree) -> None:
    widths = tree.page.evaluate(
        "() => [...document.querySelectorAll('.tracenodes .point')].map((p) => p.getBoundingClientRect().width)"
    )
    visits = small_frame()["visits"]
    order = sorted(range(5), key=lambda node: visits[node])
    assert [widths[node] for node in order] == sorted(widths)
    assert len(set(widths)) == 5


def test_colour_tells_the_value_and_unvisited_nodes_are_hollow(shared: PartPage) -> None:
    values = [0.0, 1.0, -1.0, 0.0, math.nan]
    tree = PlainTree(shared, small_frame(values=values))
    fills = tree.colors("nodes", "fill")
    assert fills[1] == "rgb(254, 232, 56)"
    assert fills[2] == "rgb(0, 34, 78)"
    assert fills[0] == fills[3] not in fills[1:3]
    assert fills[4] == tree.color("paper")


def test_ends_of_games_are_squares_and_eliminated_nodes_crossed(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(flags=[0, 0, TERMINAL, ELIMINATED, 0]))
    assert [len(tree.centers(uid)) for uid in ("nodes", "ends", "eliminated")] == [3, 1, 1]
    square = tree.page.locator(".traceends .point").get_attribute("d") or ""
    assert "A" not in square.upper()
    assert tree.colors("eliminated", "fill") == [tree.color("dead")]


def test_each_edge_is_as_wide_as_it_is_visited(tree: PlainTree) -> None:
    nodes = tree.centers()
    parents, visits = [0, 0, 1, 1], [5, 2, 3, 0]
    widths = [tree.width_between(nodes[parent], nodes[child]) for child, parent in enumerate(parents, start=1)]
    assert widths == pytest.approx([1 + 5.4 * math.sqrt(each / 8) for each in visits], abs=0.3)
    assert tree.page.locator(".traceedges path").count() <= 2


def test_edges_are_drawn_where_visits_grow_downwards(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(visits=[8, 0, 2, 7, 0]))
    nodes = tree.centers()
    assert tree.width_between(nodes[0], nodes[1]) < 1.5
    assert tree.width_between(nodes[1], nodes[3]) > 5


def test_one_node_alone_is_drawn(shared: PartPage) -> None:
    tree = PlainTree(shared, GrownTree(1).frame())
    assert len(tree.centers()) == 1
    assert tree.page.locator(".traceedges").count() == 0


# --- marks ----------------------------------------------------------------------------------------------------------


def test_the_path_is_highlighted(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(path=[0, 1, 3]))
    line = tree.line("path")
    assert (line["stroke"], line["n"]) == (tree.color("now"), 3)
    assert line["width"] > 3


def test_redundant_nodes_have_a_colour_and_nodes_like_the_selected_one_a_ring(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(flags=[0, 0, REDUNDANT, REDUNDANT | ALIKE, ALIKE]))
    fills, nodes = tree.colors("nodes", "fill"), tree.centers()
    assert [fill == tree.color("redundant") for fill in fills] == [False, False, True, True, False]
    assert tree.colors("rings", "stroke") == [tree.color("control")] * 3
    places = zip(tree.centers("rings"), (3, 4, 0), strict=True)
    assert all(math.dist(place, nodes[node]) < 0.5 for place, node in places)


def test_rings_tell_new_simulated_and_selected_nodes(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(flags=[0, 0, 0, NEW, NEW], simulated=3), traits={"node": 3})
    rings = list(zip(tree.colors("rings", "stroke"), tree.centers("rings"), strict=True))
    nodes = tree.centers()
    expected = [("new", 3), ("new", 4), ("now", 3), ("control", 3)]
    assert [color for color, _ in rings] == [tree.color(name) for name, _ in expected]
    assert all(math.dist(place, nodes[node]) < 0.5 for (_, place), (_, node) in zip(rings, expected, strict=True))


def test_the_ring_follows_the_selected_node_without_a_new_frame(tree: PlainTree) -> None:
    tree.show(node=2)
    tree.page.wait_for_timeout(200)
    assert math.dist(tree.centers("rings")[0], tree.centers()[2]) < 0.5


def test_a_rollout_is_a_wavy_tail_that_ends_in_its_outcome(shared: PartPage) -> None:
    tail = {"node": 3, "moves": 5, "outcome": "X wins", "reward": -1, "names": ["Aa"]}
    tree = PlainTree(shared, small_frame(simulated=3, tail=tail))
    assert tree.texts("pills") == ["X wins −1"]
    line = tree.line("tail")
    node, badge = tree.centers()[3], tree.centers("pills")[0]
    assert line["stroke"] == tree.color("now")
    assert line["n"] > 30
    assert node[1] < line["box"][1] < line["box"][3] <= badge[1] + 1
    assert line["box"][2] - line["box"][0] > 6


def test_the_tail_of_a_node_in_a_corner_stays_in_the_plot(shared: PartPage) -> None:
    frame = GrownTree(300).frame()
    deepest = max(range(len(frame["ids"])), key=lambda node: (frame["depths"][node], -frame["xs"][node]))
    tail = {"node": deepest, "moves": 60, "outcome": "a very long name of an outcome", "reward": 0.25}
    tree = PlainTree(shared, {**frame, "marks": {**frame["marks"], "tail": tail}}, width=400)
    badge = tree.page.locator(".tracepills .point").bounding_box()
    plot = tree.figure().bounding_box()
    assert badge
    assert plot
    assert plot["x"] <= badge["x"]
    assert badge["x"] + badge["width"] <= plot["x"] + plot["width"]
    assert badge["y"] + badge["height"] <= plot["y"] + plot["height"]


def test_passed_values_and_names_stand_beside_their_nodes(shared: PartPage) -> None:
    changes = [
        {"node": 3, "before": "0.00", "after": "0.50", "visits": [2, 3], "passed": "+1"},
        {"node": 4, "before": None, "after": "−1.00", "visits": [0, 1], "passed": ""},
    ]
    tree = PlainTree(shared, small_frame(changes=changes, labels=[[1, "Aa"], [3, "Ba"], [99, "gone"]]))
    assert tree.texts("labels") == ["Ba  0.00 → 0.50  +1", "→ −1.00", "Aa"]
    boxes = tree.page.evaluate(
        """() => [...document.querySelectorAll(".tracelabels text")].map((text) => text.getBoundingClientRect())
          .map((box) => [box.left, box.top, box.right, box.bottom])"""
    )
    nodes = tree.centers()
    for (left, top, right, bottom), node in zip(boxes, (3, 4, 1), strict=True):
        x, y = nodes[node]
        assert math.hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0)) < 24


def test_labels_do_not_cover_each_other_or_nodes(shared: PartPage) -> None:
    grown = GrownTree(60)
    changes = [{"node": node, "before": "0.25", "after": "0.50", "passed": "+1"} for node in grown.path]
    tree = PlainTree(shared, grown.frame(changes=changes, path=grown.path))
    overlaps = tree.page.evaluate("""() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
      const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
      const [labels, nodes] = [boxes(".tracelabels text"), boxes(".tracenodes .point")];
      return labels.flatMap((a, i) => [...labels.slice(i + 1), ...nodes].filter((b) => meet(a, b))).length;
    }""")
    assert overlaps == 0


# --- stubs ----------------------------------------------------------------------------------------------------------


def test_folded_parts_are_stubs_that_unfold_on_click(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(hidden=[0, 0, 1234, 14, 0]))
    assert tree.texts("pills") == ["+1.2k", "+14"]
    assert all(
        tree.width_between(tree.centers()[node], pill) > 0.5
        for node, pill in zip((2, 3), tree.centers("pills"), strict=True)
    )
    assert tree.button("Fold all").count() == 0
    tree.click_at(tree.centers("pills")[1])
    assert tree.sent() == [{"kind": "unfold", "node": 3}]


def test_what_was_unfolded_can_be_folded_in_any_view(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(unfolded=2))
    tree.button("Fold all").click()
    assert tree.sent() == [{"kind": "fold"}]
    tree.draw(small_frame(2, unfolded=0))
    assert tree.button("Fold all").count() == 0


def test_a_stub_goes_where_the_layout_has_room_for_it(shared: PartPage) -> None:
    stubs = [math.nan, -3, 1, math.nan, math.nan]
    tree = PlainTree(shared, small_frame(hidden=[0, 6, 4, 0, 0], stubs=stubs))
    nodes, pills = tree.centers(), tree.centers("pills")
    unit = nodes[2][0] - nodes[0][0]
    assert pills[0] == pytest.approx([nodes[0][0] - 3 * unit, nodes[3][1]], abs=0.5)
    assert pills[1] == pytest.approx([nodes[2][0], nodes[3][1]], abs=0.5)


def test_where_stubs_are_crowded_they_are_small_and_still_unfold(shared: PartPage) -> None:
    grown = GrownTree(400)
    hidden = [0 if below else 2 for below in grown.children]
    tree = PlainTree(shared, grown.frame(hidden=hidden))
    nodes, pills = tree.centers(), tree.centers("pills")
    fans = [
        node for node, each in enumerate(hidden) if each and tree.is_filled(nodes[node][0] + 1.6, nodes[node][1] + 6.3)
    ]
    assert sum(1 for each in hidden if each) == len(pills) + len(fans)
    assert len(fans) > len(pills) > 0
    widths = tree.page.evaluate(
        "() => [...document.querySelectorAll('.tracepills text')].map((text) => text.getBoundingClientRect())"
        ".map((box) => [Math.round(box.top), box.left, box.right])"
    )
    for (row, _, right), (other_row, left, _) in zip(sorted(widths), sorted(widths)[1:], strict=False):
        assert row != other_row or right <= left
    x, y = nodes[fans[0]]
    tree.click_at([x, y + 6])
    assert [message["kind"] for message in tree.sent()] == ["unfold"]


def test_stubs_of_rows_that_lie_close_do_not_cover_each_other(shared: PartPage) -> None:
    n = 40
    chain = GrownTree(1)
    chain.parents, chain.children = list(range(-1, n - 1)), [[node] for node in range(1, n)] + [[]]
    chain.depths, chain.visits, chain.totals = list(range(n)), [n - node for node in range(n)], [0.0] * n
    tree = PlainTree(shared, chain.frame(hidden=[100] * n, xs=[0.0] * n, stubs=[1.0] * n))
    levels = sorted(y for _, y in tree.centers("pills"))
    assert len(levels) > 3
    assert all(below - above >= 17 for above, below in itertools.pairwise(levels))


# --- frames ---------------------------------------------------------------------------------------------------------


def test_a_frame_is_told_once_when_it_is_on_the_screen(tree: PlainTree) -> None:
    assert tree.page.evaluate("() => [hosts[0].dataset.frame, drawn]") == ["1", [1]]
    tree.draw(small_frame(2))
    tree.show(node=1)
    tree.page.wait_for_timeout(200)
    assert tree.page.evaluate("() => [hosts[0].dataset.frame, drawn]") == ["2", [1, 2]]


def test_nothing_changes_when_plotly_styles_all_points_a_second_time(shared: PartPage) -> None:
    grown = GrownTree(60)
    flags = [NEW if node > 50 else TERMINAL if node % 7 == 3 else 0 for node in range(len(grown.parents))]
    hidden = [0 if below else 2 for below in grown.children]
    marks: dict[str, Any] = {"path": grown.path, "simulated": grown.path[-1], "labels": [[0, "0"], [1, "1"]]}
    tree = PlainTree(shared, grown.frame(flags=flags, hidden=hidden, **marks))
    once, twice = tree.page.evaluate("""() => {
      const plot = document.querySelector(".sokoviz-tree-plot");
      const once = plot.querySelector(".cartesianlayer").innerHTML;
      plot.isStyledOnce = false;
      plot._fullData[0]._module.style(plot);
      return [once, plot.querySelector(".cartesianlayer").innerHTML];
    }""")
    assert len(once) > 1000
    assert once == twice


def test_several_traits_of_one_message_are_drawn_together(tree: PlainTree) -> None:
    tree.count_reacts()
    tree.draw(small_frame(2), node=1, large_type=True)
    assert tree.page.evaluate("() => reacts") == 1


def test_of_frames_that_come_at_once_only_the_last_is_drawn(tree: PlainTree) -> None:
    frames = [pack_tree(small_frame(number)) for number in range(2, 30)]
    tree.count_reacts()
    tree.page.evaluate("frames => frames.forEach((tree) => model.take({tree}))", frames)
    tree.wait_for_frame(29)
    assert tree.page.evaluate("() => [reacts, drawn]") == [1, [1, 29]]


def test_a_hidden_tree_counts_as_drawn_and_is_drawn_when_it_is_seen(tree: PlainTree) -> None:
    tree.page.evaluate("() => { hosts[0].style.display = 'none'; }")
    tree.draw(GrownTree(50).frame(2), settle=False)
    assert len(tree.centers()) == 5
    tree.page.evaluate("() => { hosts[0].style.display = ''; }")
    tree.page.wait_for_function("() => document.querySelectorAll('.tracenodes .point').length >= 50")


def test_a_tree_that_is_not_there_yet_is_drawn_when_it_comes(shared: PartPage) -> None:
    tree = PlainTree(shared)
    assert tree.centers() == []
    tree.draw(small_frame(7))
    assert len(tree.centers()) == 5


# --- looks ----------------------------------------------------------------------------------------------------------


def test_the_theme_is_followed_live(tree: PlainTree) -> None:
    light = tree.colors("nodes", "fill")[4]
    assert light == tree.color("paper")
    tree.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    tree.page.wait_for_function(
        "light => getComputedStyle(document.querySelectorAll('.tracenodes .point')[4]).fill !== light", arg=light
    )
    assert tree.colors("nodes", "fill")[4] == tree.color("paper")
    assert tree.page.evaluate("() => drawn") == [1]


@pytest.mark.parametrize("top", [0, 9000])
def test_a_theme_that_changes_while_the_tree_is_hidden_or_off_the_screen(shared: PartPage, top: int) -> None:
    tree = PlainTree(shared, small_frame(labels=[[1, "Aa"]]))
    colors = "() => document.querySelector('.sokoviz-tree-plot').data.map((t) => [t.fillcolor, t.textfont?.color])"
    light = tree.page.evaluate(colors)
    tree.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    tree.page.wait_for_timeout(600)
    assert tree.page.evaluate(colors) != light
    # JupyterLab computes nothing for cells far off the screen, and hides all of them while it changes the theme.
    tree.page.evaluate(
        """top => {
          Object.assign(hosts[0].style, {contentVisibility: "auto", marginTop: `${top}px`});
          return new Promise((done) => setTimeout(done, 100));
        }""",
        top,
    )
    tree.page.evaluate(
        """async () => {
          document.body.style.display = "none";
          document.body.dataset.jpThemeLight = "true";
          for (let i = 0; i < 9; i++) await null;
          document.body.style.display = "";
        }"""
    )
    tree.page.wait_for_timeout(600)
    tree.page.evaluate("top => scrollTo(0, top)", top)
    tree.page.wait_for_timeout(300)
    assert tree.page.evaluate(colors) == light


def test_large_type_enlarges_letters_and_nodes(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(labels=[[1, "Aa"]], hidden=[0, 0, 5, 0, 0]))
    measure = """() => [".tracelabels text", ".tracepills text", ".tracenodes .point", ".sokoviz-tree-count"].map(
      (selector) => document.querySelector(selector).getBoundingClientRect().height)"""
    before = tree.page.evaluate(measure)
    tree.show(large_type=True)
    tree.page.wait_for_timeout(600)
    after = tree.page.evaluate(measure)
    assert all(large > 1.2 * small for large, small in zip(after, before, strict=True))


@pytest.mark.parametrize("width", [400, 660, 1200])
def test_the_tree_fits_every_width_and_its_letters_can_be_read(shared: PartPage, width: int) -> None:
    grown = GrownTree(200)
    labels = [[child, f"A{child}"] for child in grown.children[0]]
    hidden = [0 if below else 2 for below in grown.children]
    frame = grown.frame(labels=labels, hidden=hidden)
    shared.page.set_viewport_size({"width": width + 20, "height": 720})
    tree = PlainTree(shared, frame, width=width)
    box = tree.figure().bounding_box()
    assert box
    assert all(
        box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"] for x, y in tree.centers()
    )
    assert tree.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    sizes = tree.page.evaluate("""() => [...document.querySelectorAll(".sokoviz *")]
      .filter((e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((e) => e.getClientRects().length).map((e) => parseFloat(getComputedStyle(e).fontSize))""")
    assert min(sizes) >= 10.99


def test_a_new_size_is_filled(tree: PlainTree) -> None:
    before = tree.centers()[0]
    tree.page.evaluate("() => { document.querySelector('.sokoviz').style.width = '460px'; }")
    tree.page.wait_for_function(
        "x => document.querySelector('.tracenodes .point').getBoundingClientRect().x < x - 50", arg=before[0]
    )
    tree.page.wait_for_timeout(200)
    box = tree.figure().bounding_box()
    assert box
    assert tree.centers()[0][0] == pytest.approx(box["x"] + box["width"] / 2, abs=60)


# --- several, and none any more -------------------------------------------------------------------------------------


def test_two_trees_are_drawn_side_by_side(shared: PartPage) -> None:
    tree = PlainTree(shared, small_frame(), n_views=2, width=420)
    assert len(tree.centers()) == 10
    tree.page.get_by_role("button", name="Reset view").nth(1).click()
    tree.click_at(tree.centers()[8])
    assert tree.sent() == [{"kind": "select", "node": 3}]
    ids = tree.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert len(ids) == len(set(ids))


def test_cleaning_up_leaves_nothing(tree: PlainTree) -> None:
    tree.page.evaluate("""() => {
      const original = globalThis.purge ??= __sokovizPlotly.purge;
      globalThis.purged = 0;
      __sokovizPlotly.purge = (plot) => { purged += 1; return original(plot); };
    }""")
    tree.draw(small_frame(2, xs=(0, -1, 1, -3, 2)), settle=False)  # it glides when it is taken away
    tree.page.evaluate("() => cleanups[0]()")
    left = tree.page.evaluate("() => [model.nHandlers(), hosts[0].childElementCount, hosts[0].dataset.frame, purged]")
    assert left == [0, 0, None, 1]
    tree.page.wait_for_timeout(400)
    tree.page.evaluate("() => { cleanups[0] = mount(hosts[0], model); }")
    tree.wait_for_frame(2)
    assert len(tree.centers()) == 5


def test_the_joined_module_draws_as_the_files_do(tree: PlainTree) -> None:
    # The promise is kept by the page: Chromium may collect one that only the debugger waits for.
    tree.page.evaluate(
        """(source) => {
          cleanups[0]();
          const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          window.joined = import(url).then((module) => {
            cleanups[0] = module.mount(hosts[0], model);
            window.isJoined = true;
          });
        }""",
        join_modules("tree"),
    )
    tree.page.wait_for_function("window.isJoined === true")
    tree.wait_for_frame(1)
    assert len(tree.centers()) == 5


def test_values_on_a_long_path_do_not_lie_on_each_other(still: PartPage) -> None:
    tree = GrownTree(1)
    tree.parents, tree.children = list(range(-1, 79)), [[node + 1] for node in range(79)] + [[]]
    tree.depths, tree.visits, tree.totals = list(range(80)), [80] * 80, [0.0] * 80
    changes = [{"node": node, "before": "−24.61", "after": "−24.60", "passed": "−22"} for node in range(80)]
    drawn = PlainTree(still, tree.frame(changes=changes, path=list(range(80))))
    assert 0 < len(drawn.texts("labels")) < 80
    boxes = drawn.page.evaluate("""() => [...document.querySelectorAll(".tracelabels text")].map((text) => {
      const { left, top, right, bottom } = text.getBoundingClientRect();
      return [left, top, right, bottom];
    })""")
    for one, other in itertools.combinations(boxes, 2):
        width, height = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
        assert max(width, 0) * max(height, 0) < 0.5 * (one[2] - one[0]) * (one[3] - one[1])
