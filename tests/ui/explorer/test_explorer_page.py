"""The explorer as a whole in a plain page: header, story, trouble, and that nothing jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from sokoviz.widgets.base.modules import join_modules
from tests.ui.explorer.explorers import PlainExplorer, child, position_of, state, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]

STEP = {"kind": "step", "unit": "phase", "direction": 1}
EVIL = "<img src=x onerror=alert(1)> & <b>bold</b>"


@pytest.fixture
def explorer(page_with: PageWith) -> PlainExplorer:
    """An explorer after ten iterations."""
    return PlainExplorer(page_with)


def story(state: str, phases: tuple[str, ...] = ("selection", "simulation", "backpropagation")) -> dict[str, Any]:
    """A story that only the diagram is interested in."""
    return {"state": state, "phases": list(phases), "visited": ("expansion" in phases) if phases else None}


# --- names --------------------------------------------------------------------------------------------------------


def test_every_control_has_its_exact_name(explorer: PlainExplorer) -> None:
    buttons = [
        "Step phase",
        "Step iteration",
        "Back phase",
        "Back iteration",
        "Play",
        "Run",
        "Reset view",
        "Large type",
    ]
    assert {name: explorer.button(name).count() for name in buttons} == dict.fromkeys(buttons, 1)
    assert {name: explorer.choices(name).count() for name in ("Run to", "Speed", "Play by")} == {
        "Run to": 1,
        "Speed": 1,
        "Play by": 1,
    }
    assert explorer.slider("Iteration").count() == explorer.slider("Exploration constant").count() == 1
    assert explorer.page.get_by_role("textbox", name="Find node", exact=True).count() == 1
    assert explorer.page.get_by_role("region", name="Search explorer: MCTS, Tic-Tac-Toe", exact=True).count() == 1


# --- header -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("iteration", "phase", "last", "n_nodes", "words"),
    [
        (36, "selection", 120, 412, "in iteration 37 of 120 · 412 nodes in the tree"),
        (37, "", 120, 412, "after iteration 37 of 120 · 412 nodes in the tree"),
        (0, "", 0, 1, "at iteration 0 of 0 · 1 node in the tree"),
        (99_999, "selection", 100_000, 5_626, "in iteration 100,000 of 100,000 · 5,626 nodes in the tree"),
        (120, "expansion", 120, 412, "in iteration 121 of 121 · 412 nodes in the tree"),
    ],
)
def test_the_header_says_where_the_search_is(
    explorer: PlainExplorer, iteration: int, phase: str, last: int, n_nodes: int, words: str
) -> None:
    explorer.show(iteration=iteration, phase=phase, record={"last": last}, tree={"n_nodes": n_nodes, "frame": 2})
    assert explorer.page.locator(".sokoviz-where").inner_text() == words
    assert explorer.page.locator(".sokoviz-where strong").inner_text() == words.split()[2]


@pytest.mark.clock
def test_large_type_enlarges_all_type(explorer: PlainExplorer) -> None:
    sizes = """() => [".sokoviz-title", ".sokoviz-narration", ".sokoviz-where", "td", "th", "select", ".sokoviz-button",
      ".sokoviz-place-name", ".sokoviz-tick-legend span", ".sokoviz-formula", ".sokoviz-diagram text",
      ".coordinate"].map((name) => {
        const element = document.querySelector(name);
        return parseFloat(getComputedStyle(element).fontSize) * (element.ownerSVGElement?.getScreenCTM().a ?? 1);
      })"""
    before = explorer.page.evaluate(sizes)
    explorer.button("Large type").click()
    assert explorer.get("large_type") is True
    expect(explorer.button("Large type")).to_have_attribute("aria-pressed", "true")
    explorer.painted()
    after = explorer.page.evaluate(sizes)
    assert all(large / small > 1.3 for small, large in zip(before, after, strict=True))
    explorer.button("Large type").click()
    explorer.painted()
    # Letters around the board are as large as they were only up to the rounding of their size in units of the board.
    assert explorer.page.evaluate(sizes) == pytest.approx(before, abs=0.05)


def test_the_keys_are_listed_without_moving_anything(explorer: PlainExplorer) -> None:
    before = explorer.boxes()
    explorer.page.get_by_text("Keys", exact=True).click()
    assert explorer.page.get_by_text("run to the next, back to the previous event").is_visible()
    assert explorer.boxes() == before


# --- narration and diagram ----------------------------------------------------------------------------------------


def test_the_narration_tells_a_phase_in_one_sentence_with_roles(explorer: PlainExplorer) -> None:
    runs = [
        ["node 3 leads with ", ""],
        ["UCT 5.29", "strong"],
        [", ", ""],
        ["now", "now"],
        ["new", "new"],
        ["dead", "dead"],
    ]
    explorer.show(story={"heading": "Selection", "runs": runs})
    line = explorer.page.locator(".sokoviz-narration")
    assert line.inner_text() == "Selection: node 3 leads with UCT 5.29, nownewdead"
    assert (line.get_attribute("role"), line.get_attribute("aria-live")) == ("status", "polite")
    colors = line.locator("strong").evaluate_all("all => all.map((each) => getComputedStyle(each).color)")
    assert colors[0] == colors[2]
    assert len(set(colors)) == 4
    assert line.evaluate("line => getComputedStyle(line).userSelect") == "text"


def test_the_narration_is_silent_while_it_is_played(explorer: PlainExplorer) -> None:
    explorer.show(playing=True)
    assert explorer.page.locator(".sokoviz-narration").get_attribute("aria-live") == "off"


def test_three_lines_have_room(explorer: PlainExplorer) -> None:
    line = explorer.page.locator(".sokoviz-narration")
    box = line.bounding_box()
    words = "Node 8 (depth 2) has three pushes. Two are deadlocked and get no node, the third is new. "
    explorer.show(story={"runs": [[words * 5, ""]]})
    heights = line.evaluate("line => [line.scrollHeight, line.clientHeight]")
    assert heights[0] <= heights[1]
    assert line.bounding_box() == box
    explorer.show(story={"runs": [[words * 50, ""]]})
    assert line.bounding_box() == box


@pytest.mark.parametrize("lit", ["start", "select", "visited", "expand", "simulate", "backpropagate", "done"])
def test_the_state_is_lit_and_named(explorer: PlainExplorer, lit: str) -> None:
    explorer.show(story=story(lit))
    assert explorer.page.get_by_role("img", name=f"State: {lit}", exact=True).count() == 1
    shown = explorer.page.locator(".sokoviz-diagram svg .sokoviz-lit")
    assert shown.evaluate_all("all => all.map((each) => each.dataset.state)") == [lit]


def test_what_an_iteration_leaves_out_is_dim(explorer: PlainExplorer) -> None:
    dim = explorer.page.locator(".sokoviz-diagram svg .sokoviz-dim")
    explorer.show(story=story("select"))
    assert dim.evaluate_all("all => all.map((each) => each.textContent)") == ["", "", "yes", *dim_titles(explorer)]
    assert len(dim_titles(explorer)) == 1
    assert "expand" in dim_titles(explorer)[0]
    explorer.show(story=story("select", ("selection", "expansion", "simulation", "backpropagation")))
    assert dim.evaluate_all("all => all.map((each) => each.textContent)") == ["", "no"]
    explorer.show(story=story("start", ()))
    assert dim.count() == 0


def test_a_leaf_where_the_game_is_over_was_visited_all_the_same(explorer: PlainExplorer) -> None:
    explorer.show(story={**story("simulate"), "visited": True})
    dim = explorer.page.locator(".sokoviz-diagram svg .sokoviz-dim")
    words = dim.evaluate_all("all => all.map((each) => each.textContent)")
    assert "no" in words
    assert "yes" not in words


def dim_titles(explorer: PlainExplorer) -> list[str]:
    """Texts of the dim states of the diagram."""
    return explorer.page.locator(".sokoviz-diagram svg .state.sokoviz-dim").all_text_contents()


def test_the_words_of_the_diagram_fit_in_their_boxes(explorer: PlainExplorer) -> None:
    for lit in ("select", "visited", "expand", "simulate", "backpropagate"):
        explorer.show(story=story(lit))
        room = explorer.page.locator(f".sokoviz-diagram [data-state={lit}] .box").first.bounding_box()
        assert room
        for text in explorer.page.locator(f".sokoviz-diagram svg [data-state={lit}] text").all():
            words = text.bounding_box()
            assert words
            assert words["x"] >= room["x"] + 2
            assert words["x"] + words["width"] <= room["x"] + room["width"] - 2


# --- texts and trouble --------------------------------------------------------------------------------------------


def test_texts_are_never_markup(page_with: PageWith) -> None:
    explorer = PlainExplorer(
        page_with,
        about={"title": EVIL, "game": EVIL, "settings": EVIL, "run_to": [["iteration", EVIL], [EVIL, EVIL]]},
        story={"heading": EVIL, "runs": [[EVIL, "now"], [EVIL, EVIL]], "state": "done"},
        position={"caption": EVIL},
        children={"title": EVIL, "note": EVIL, "formula": EVIL, "rows": [{**child(1, 1.0), "action": EVIL}]},
        record={"text": EVIL},
        ticks={EVIL: [3]},
        tree={"actions": ["", *([EVIL] * 9)]},
    )
    assert explorer.page.locator("img, b:not(.sokoviz-help b)").count() == 0
    assert explorer.page.locator(".sokoviz-narration").inner_text() == f"{EVIL}: {EVIL}{EVIL}"
    assert explorer.column("move") == [EVIL]
    assert explorer.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_exceptions_are_shown_until_they_are_dismissed(explorer: PlainExplorer) -> None:
    explorer.show(trouble={"summary": "ValueError: no", "details": "Traceback"})
    assert explorer.page.get_by_role("alert").filter(has_text="ValueError: no").is_visible()
    explorer.button("Dismiss").click()
    assert explorer.sent() == [{"kind": "dismiss"}]


# --- nothing jumps ------------------------------------------------------------------------------------------------

FRAMES: list[dict[str, Any]] = [
    {"iteration": 0, "record": {"last": 0}, "ticks": {"tie": [], "leader": []}},
    {"iteration": 99_999, "phase": "selection", "record": {"last": 100_000}},
    {"story": {"heading": "Expansion", "runs": [["word " * 200, "dead"]], "state": "expand"}},
    {"story": {"heading": "", "runs": [], "state": "start", "phases": []}},
    {"children": {"rows": [], "note": "", "marked": None}},
    {"children": {"rows": [child(node, -100.0, 1000.0, 10**6) for node in range(1, 60)], "note": "word " * 60}},
    {"position": {**position_of("XXX", "OO.", "..."), "caption": "word " * 60}},
    {"record": {"running": True, "share": 0.5, "text": "word " * 60}},
    {"record": {"busy": True, "text": "compiling, once"}},
    {"playing": True, "tree": tree_of([-1, 0], frame=9)},
    {"about": {"settings": "word " * 60}},
]


@pytest.mark.parametrize("width", [1100, 760, 480])
def test_nothing_jumps_from_frame_to_frame(page_with: PageWith, width: int) -> None:
    explorer = PlainExplorer(page_with, page_options={"size": (width, 900)})
    names = {"Play": "", "Pause": "", "Run": "", "Stop": ""}

    def places() -> list[Any]:
        return [[names.get(box[0], box[0]), *box[1:]] for box in explorer.boxes()]

    before = places()
    for frame in FRAMES:
        explorer.show(**frame)
        assert places() == before, frame


def test_a_page_that_python_makes_is_saved(page_with: PageWith) -> None:
    explorer = PlainExplorer(page_with, about={"exports": True})
    explorer.button("Export page").click()
    assert explorer.sent()[-1] == {"kind": "export"}
    with explorer.page.expect_download() as saved:
        explorer.page.evaluate(
            "() => model.deliver({kind: 'page', name: 'search.html'}, [new TextEncoder().encode('page')])"
        )
    assert saved.value.suggested_filename == "search.html"
    assert saved.value.path().read_text() == "page"


def test_the_explorer_fits_a_small_window(explorer: PlainExplorer) -> None:
    box = explorer.root().bounding_box()
    assert box
    assert box["height"] <= 720


@pytest.mark.parametrize(("width", "columns"), [(1100, 2), (1000, 2), (900, 2), (760, 1), (400, 1)])
@pytest.mark.parametrize("changes", [{}, {"large_type": True}], ids=["usual type", "large type"])
def test_every_width_is_used_and_all_text_can_be_read(
    page_with: PageWith, width: int, columns: int, changes: dict[str, Any]
) -> None:
    explorer = PlainExplorer(page_with, page_options={"size": (width, 900)}, **changes)
    assert explorer.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    lefts = explorer.page.evaluate(
        "() => ['state', 'tree'].map((name) => document.querySelector(`.sokoviz-at-${name}`).getBoundingClientRect().x)"
    )
    assert len(set(lefts)) == columns
    sizes = explorer.page.evaluate("""() => [...document.querySelectorAll(".sokoviz *")]
      .filter((e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((e) => e.getClientRects().length && getComputedStyle(e).visibility === "visible")
      .map((e) => parseFloat(getComputedStyle(e).fontSize) * (e.ownerSVGElement?.getScreenCTM().a ?? 1))""")
    assert min(sizes) >= 10.99


# --- several explorers, and none ----------------------------------------------------------------------------------


def test_two_explorers_show_the_same_and_clash_nowhere(page_with: PageWith) -> None:
    explorer = PlainExplorer(page_with, n_views=2)
    explorer.button("Step phase").nth(1).click()
    assert len(explorer.sent()) == 1
    explorer.show(iteration=42)
    assert explorer.page.locator(".sokoviz-where strong").all_inner_texts() == ["42", "42"]
    explorer.page.keyboard.press("l")
    assert explorer.page.locator(".sokoviz-explorer.sokoviz-large").count() == 2
    ids = explorer.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert len(ids) == len(set(ids))


def test_two_searches_on_one_page_do_not_hear_each_other(explorer: PlainExplorer) -> None:
    explorer.page.evaluate(
        """values => { globalThis.other = makeExplorerModel(values, false);
          mount(document.body.appendChild(document.createElement("div")), other); }""",
        state(iteration=77),
    )
    explorer.button("Step phase").nth(1).click()
    explorer.page.keyboard.press("ArrowRight")
    assert explorer.sent() == []
    assert explorer.page.evaluate("() => other.sent.filter((message) => message.kind === 'step')") == [STEP, STEP]
    explorer.show(iteration=42)
    assert explorer.page.locator(".sokoviz-where strong").all_inner_texts() == ["42", "77"]


def test_view_state_of_two_explorers_is_their_own(page_with: PageWith) -> None:
    explorer = PlainExplorer(page_with, n_views=2)
    explorer.page.locator("th button", has_text="value").nth(1).click()
    sorts = explorer.page.locator("th.sokoviz-column-value").evaluate_all("all => all.map((each) => each.ariaSort)")
    assert sorts == ["none", "descending"]


def test_cleaning_up_leaves_nothing(explorer: PlainExplorer) -> None:
    explorer.slide("Iteration", 50)
    explorer.show(playing=True)
    assert explorer.page.evaluate("() => model.nHandlers()") > 0
    explorer.page.evaluate("() => cleanups.forEach((cleanup) => cleanup())")
    assert explorer.page.evaluate("() => [model.nHandlers(), hosts[0].childElementCount]") == [0, 0]
    explorer.sent()
    explorer.page.wait_for_timeout(2200)  # longer than any timer of the parts
    assert explorer.sent() == []
    explorer.page.evaluate("() => { cleanups[0] = mount(hosts[0], model); }")
    explorer.focus()
    explorer.sent()
    assert explorer.press("ArrowRight") == [STEP]


def test_an_explorer_made_outside_the_page_is_filled_once_it_is_in_it(explorer: PlainExplorer) -> None:
    explorer.page.evaluate("""() => { cleanups[0]();
      globalThis.late = document.createElement("div"); globalThis.leave = mount(late, model); }""")
    assert explorer.page.evaluate("() => late.querySelectorAll('button').length") == 0
    explorer.page.evaluate("() => document.body.append(late)")
    explorer.button("Step phase").wait_for()
    assert explorer.page.locator(".sokoviz-squares button").count() == 9
    explorer.page.evaluate("() => leave()")
    assert explorer.page.evaluate("() => [model.nHandlers(), late.childElementCount]") == [0, 0]


def test_an_explorer_that_never_gets_into_the_page_leaves_nothing(explorer: PlainExplorer) -> None:
    explorer.page.evaluate("""() => { cleanups[0]();
      const late = document.createElement("div"); mount(late, model)(); document.body.append(late); }""")
    explorer.page.wait_for_timeout(100)
    assert explorer.page.evaluate("() => model.nHandlers()") == 0


def test_parts_draw_once_a_message(explorer: PlainExplorer) -> None:
    explorer.page.evaluate("""() => { globalThis.n = 0;
      const observer = new MutationObserver(() => { n += 1; });
      observer.observe(document.querySelector(".sokoviz-where"), {subtree: true, childList: true}); }""")
    explorer.show(iteration=55, phase="selection", record={"last": 300}, tree={"frame": 3, "n_nodes": 99})
    assert explorer.page.evaluate("() => n") == 1


def test_the_tree_goes_first_and_what_stands_around_it_follows_its_frame(explorer: PlainExplorer) -> None:
    seen = explorer.page.evaluate(
        """async () => {
          const shown = () => document.querySelector(".sokoviz-where strong").textContent;
          const count = () => document.querySelector(".sokoviz-tree-count").textContent;
          model.take({iteration: 55, tree: {...model.get("tree"), n_nodes: 99, frame: 3}});
          await Promise.resolve();
          const first = [count(), shown()];
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));
          return [first, [count(), shown()]];
        }"""
    )
    n_drawn, before = explorer.values["tree"]["n_drawn"], str(explorer.values["iteration"])
    count = f"{n_drawn} of 99 nodes"
    assert seen == [[count, before], [count, "55"]]


# --- as anywidget loads it ----------------------------------------------------------------------------------------


def test_the_joined_module_renders_and_cleans_up(explorer: PlainExplorer) -> None:
    left = explorer.page.evaluate(
        """async ([source, values]) => {
          const module = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
          const el = document.body.appendChild(document.createElement("div"));
          const [heard, sent] = [{}, []];
          const traits = revive(values);
          const model = {
            get: (name) => traits[name], set: (name, value) => { traits[name] = value; }, save_changes: () => {},
            send: (message) => sent.push(message.kind),
            on: (name) => { heard[name] = (heard[name] ?? 0) + 1; }, off: (name) => { heard[name] -= 1; },
          };
          const cleanup = module.default.render({model, el});
          const nButtons = el.querySelectorAll("button[aria-label='Step phase']").length;
          el.querySelector("button[aria-label='Step phase']").click();
          const hasMessages = heard["msg:custom"] > 0;
          cleanup();
          const nLeft = Math.max(...Object.values(heard));
          return [nButtons, sent.includes("step"), hasMessages, el.childElementCount, nLeft];
        }""",
        [join_modules("explorer_widget"), state()],
    )
    assert left == [1, True, True, 0, 0]
