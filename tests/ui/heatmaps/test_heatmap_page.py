"""Heatmaps in a plain page, answered by a real widget: sliders, scales, moves, votes, episodes, curves, room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import sokoviz as sv
from sokoviz.widgets.base.modules import join_modules
from sokoviz.widgets.heatmaps import frames as heat_frames
from sokoviz.widgets.heatmaps.pictures import heat_picture
from tests.ui.heatmaps.heatmaps import BOXES, CUT, SMALL, PlainHeatmap, PlainWidget
from tests.widgets.heatmaps.learners import learned

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    PageWith = Callable[..., Page]

SOURCES, TARGETS = 0, 1
EVIL = "<img src=x onerror=alert(1)> & <b>bold</b>"


@pytest.fixture
def heatmap(page_with: PageWith) -> PlainHeatmap:
    """All that was learned of lesson 17."""
    return PlainHeatmap(page_with)


def channels(color: str) -> list[int]:
    """A colour as numbers, from "rgb(1, 2, 3)" or "#010203"."""
    if color.startswith("#"):
        return [int(color[place : place + 2], 16) for place in (1, 3, 5)]
    return [int(each) for each in re.findall(r"\d+", color)]


def learned_curves() -> dict[str, Any]:
    """Curves of six stages."""
    numbers = {name: [1.0] * 6 for name in ("rate", "found_length", "length", "seconds")}
    return {**numbers, "boards": [4] * 6, "solved": [4] * 6, "buffer": [[1, [4] * 6]]}


# --- heatmaps --------------------------------------------------------------------------------------------------------


def test_every_control_has_its_exact_name(heatmap: PlainHeatmap) -> None:
    for name in ("Undo", "Redo", "Restart", "Logarithmic"):
        assert heatmap.button(name).count() == 1, name
    for role, name in (("slider", "Stage"), ("slider", "Episodes"), ("combobox", "Heatmaps"), ("table", "Legal moves")):
        assert heatmap.page.get_by_role(role, name=name, exact=True).count() == 1, name  # type: ignore[arg-type]
    for name in ("Votes", "Episode", "Learning curves"):
        assert heatmap.page.get_by_role("tab", name=name, exact=True).count() == 1, name
    title = "Heatmaps of lessons#17 · Lucky configurations"
    assert heatmap.page.get_by_role("region", name=title, exact=True).count() == 1


@pytest.mark.parametrize("logarithmic", [True, False])
def test_the_page_draws_the_colours_of_the_document(page_with: PageWith, *, logarithmic: bool) -> None:
    heatmap = PlainHeatmap(page_with, logarithmic=logarithmic)
    for index, ends in enumerate(heat_frames.ENDS):
        picture = heat_picture(learned().policy(), ends, logarithmic=logarithmic).to_json()
        drawn = heatmap.colors(index)
        wanted = {(row, column): color for row, column, color in picture["overlays"][0]["squares"]}
        assert drawn.keys() == wanted.keys()
        for square, color in wanted.items():  # the page has 128 shades
            assert channels(drawn[square]) == pytest.approx(channels(color), abs=2), square


def test_colours_follow_the_toggle(heatmap: PlainHeatmap) -> None:
    policy = learned().policy()
    faintest = min(policy.sources, key=lambda square: policy.sources[square])
    before = heatmap.colors(SOURCES)
    expect(heatmap.heat(SOURCES).locator(".legend")).to_contain_text("logarithmic")
    heatmap.click("Logarithmic")
    assert heatmap.widget.logarithmic is False
    assert sum(channels(heatmap.colors(SOURCES)[faintest])) < sum(channels(before[faintest]))
    expect(heatmap.heat(SOURCES).locator(".legend")).not_to_contain_text("logarithmic")


def test_numbers_are_told_on_hover(heatmap: PlainHeatmap) -> None:
    policy = learned().policy()
    square, votes = max(policy.sources.items(), key=lambda item: item[1])
    share = 100 * votes / policy.n_votes
    assert heatmap.point(SOURCES, square) == f"{square.name}: {votes} of {policy.n_votes} votes · {share:.0f} %"
    empty = next(each for each in sorted(learned().level.floor) if each not in policy.targets)
    assert heatmap.point(TARGETS, empty) == f"{empty.name}: 0 of {policy.n_votes} votes · 0 %"


def test_one_of_both_heatmaps_can_be_looked_at(heatmap: PlainHeatmap) -> None:
    before = heatmap.heat(TARGETS).bounding_box()
    heatmap.page.get_by_role("combobox", name="Heatmaps").select_option("targets")
    expect(heatmap.heat(SOURCES)).to_be_hidden()
    after = heatmap.heat(TARGETS).bounding_box()
    assert before
    assert after
    assert after["width"] > 1.8 * before["width"]


# --- time ------------------------------------------------------------------------------------------------------------


def test_the_slider_over_stages(heatmap: PlainHeatmap) -> None:
    before = heatmap.colors(SOURCES)
    heatmap.slide("Stage", 1)
    assert (heatmap.widget.stage, heatmap.widget.n) == (1, learned().stages[0].last)
    expect(heatmap.page.locator(".sokoviz-where")).to_contain_text("8 episodes known")
    assert heatmap.colors(SOURCES) != before
    expect(heatmap.page.get_by_role("slider", name="Stage")).to_have_attribute("aria-valuetext", "1 of 4 boxes")


def test_the_slider_over_the_episodes_of_a_stage(heatmap: PlainHeatmap) -> None:
    heatmap.slide("Stage", 2)
    slider = heatmap.page.get_by_role("slider", name="Episodes")
    second = learned().stages[1]
    assert [slider.get_attribute(end) for end in ("min", "max")] == [str(second.first), str(second.last)]
    heatmap.slide("Episodes", second.first + 1)
    assert (heatmap.widget.stage, heatmap.widget.n) == (2, second.first + 1)
    total = heatmap.widget.policy.n_votes
    assert heatmap.point(SOURCES, next(iter(heatmap.widget.policy.sources))).endswith("%")
    expect(heatmap.page.locator(".sokoviz-move-table th").last).to_have_text(f"votes of {total}")


def test_a_slider_that_is_drawn_asks_for_the_last_place(heatmap: PlainHeatmap) -> None:
    slider = heatmap.page.get_by_role("slider", name="Episodes")
    heatmap.slide("Stage", 2)
    heatmap.sent()
    slider.evaluate(
        """(input) => { for (const value of [9, 12, 15, 20]) {
          input.value = value; input.dispatchEvent(new Event('input')); } }"""
    )
    heatmap.page.wait_for_function("() => model.get('n') === 20")
    assert [message["n"] for message in heatmap.sent()] == [9, 20]
    assert slider.input_value() == "20"


# --- moves and votes -------------------------------------------------------------------------------------------------


def test_legal_moves_are_listed_with_their_chances(heatmap: PlainHeatmap) -> None:
    policy = learned().policy()
    assert heatmap.moves() == [chance.name for chance in policy.moves]
    cells = heatmap.row(policy.moves[0].name).locator("td").all_inner_texts()
    assert cells[1] == f"{policy.moves[0].probability:.2f}"
    assert cells[3] == str(policy.moves[0].votes)


def test_a_winning_move_is_marked(page_with: PageWith) -> None:
    last = learned().episodes[-1]
    heatmap = PlainHeatmap(page_with, board=last.position(len(last.moves) - 1))
    expect(heatmap.page.locator("tr.sokoviz-wins").first).to_contain_text("★ wins")


def test_a_click_on_a_move_shows_who_voted_for_it(heatmap: PlainHeatmap) -> None:
    second = learned().policy().moves[1]
    heatmap.row(second.name).click()
    heatmap.settle()
    explanation = learned().policy().explain(second)
    assert heatmap.widget.move == second.name
    expect(heatmap.page.locator(".sokoviz-vote-sentence")).to_have_text(str(explanation))
    cards = heatmap.page.locator(".sokoviz-vote-list .sokoviz-vote")
    numbers = [f"Episode {vote.episode.number}" for vote in explanation.votes]
    assert cards.locator("b").all_inner_texts() == numbers[: heat_frames.votes_a_page(learned().level)]
    rings = cards.first.locator(".mark .ring")
    assert rings.count() == explanation.votes[0].overlap > 0


def test_an_arrow_selects_its_move(heatmap: PlainHeatmap) -> None:
    third = learned().policy().moves[2].name
    arrow = heatmap.page.locator(f".sokoviz-arrows [data-move='{third}']")
    box = arrow.locator(".line").bounding_box()
    assert box
    heatmap.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    heatmap.settle()
    assert heatmap.widget.move == third
    expect(heatmap.page.locator(f".sokoviz-arrows .now[data-move='{third}']")).to_be_attached()
    assert "press" not in {message["kind"] for message in heatmap.sent()}


def test_arrows_are_the_stronger_the_likelier(heatmap: PlainHeatmap) -> None:
    likely = [chance.name for chance in learned().policy().moves[:5]]
    strengths = heatmap.page.locator(".sokoviz-arrows .arrow").evaluate_all(
        """all => Object.fromEntries(all.map((each) =>
          [each.dataset.move, parseFloat(each.style.getPropertyValue('--sokoviz-strength'))]))"""
    )
    assert set(strengths) == set(likely)
    assert [strengths[name] for name in likely] == sorted(strengths.values(), reverse=True)


def test_arrows_give_way_to_a_box_that_is_picked_up(heatmap: PlainHeatmap) -> None:
    source = learned().policy().moves[0].source
    heatmap.page.get_by_role("gridcell", name=re.compile(f"row {source.name[1]}, column {source.name[0]}:")).click()
    heatmap.settle()
    assert heatmap.page.locator(".sokoviz-arrows .arrow").count() == 0


def test_a_move_that_is_selected_elsewhere_is_scrolled_to(heatmap: PlainHeatmap) -> None:
    heatmap.widget.move = heatmap.moves()[40]
    heatmap.push()
    expect(heatmap.row(heatmap.widget.move).first).to_be_in_viewport(ratio=0.9)
    places = heatmap.page.evaluate(
        """() => ['.sokoviz-table', '.sokoviz-marked'].map((each) => document.querySelector(each))
          .map((each) => each.getBoundingClientRect()).map(({top, bottom}) => [top, bottom])"""
    )
    assert places[0][0] < places[1][0] < places[1][1] <= places[0][1]


def test_votes_are_paged(page_with: PageWith, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat_frames, "VOTES_A_PAGE", 2)
    heatmap = PlainHeatmap(page_with)
    votes = learned().policy().explain(heatmap.widget.move).votes
    titles = heatmap.page.locator(".sokoviz-vote-list b")
    assert heatmap.button("Previous votes").get_attribute("aria-disabled") == "true"
    heatmap.click("Next votes")
    expect(titles.first).to_have_text(f"Episode {votes[2].episode.number}")
    heatmap.click("Previous votes")
    expect(titles.first).to_have_text(f"Episode {votes[0].episode.number}")


def test_everything_follows_a_push_and_its_undoing(heatmap: PlainHeatmap) -> None:
    before, colors = heatmap.moves(), heatmap.colors(SOURCES)
    chance = learned().policy().moves[0]
    for square in (chance.source, chance.target):
        column, row = tuple(square.name)
        heatmap.page.get_by_role("gridcell", name=re.compile(f"^row {row}, column {column}:")).click()
        heatmap.settle()
    assert heatmap.moves() == [each.name for each in learned().policy(heatmap.widget.board).moves] != before
    assert heatmap.colors(SOURCES) != colors
    heatmap.click("Undo")
    assert heatmap.moves() == before


def test_keys_play_the_board_and_stay_in_the_widget(heatmap: PlainHeatmap) -> None:
    heatmap.page.evaluate("() => { globalThis.heard = []; addEventListener('keydown', (e) => heard.push(e.key)); }")
    heatmap.click("Logarithmic")  # whatever was clicked, the keys are the board's
    for key in ("ArrowRight", "d", "x"):
        heatmap.page.keyboard.press(key)
    heatmap.settle()
    assert heatmap.widget.moves == "rr"
    assert heatmap.page.evaluate("() => heard") == []


# --- episodes --------------------------------------------------------------------------------------------------------


def test_a_vote_opens_its_episode_at_the_matching_state(heatmap: PlainHeatmap) -> None:
    vote = learned().policy().explain(heatmap.widget.move).votes[0]
    heatmap.page.locator(".sokoviz-vote-list .sokoviz-vote").first.click()
    heatmap.settle()
    expect(heatmap.page.get_by_role("tab", name="Episode")).to_have_attribute("aria-selected", "true")
    expect(heatmap.page.locator(".sokoviz-episode strong")).to_have_text(repr(vote.episode))
    card = heatmap.page.locator(".sokoviz-strip .sokoviz-now.sokoviz-match-state")
    expect(card.locator("b")).to_have_text(f"{vote.index} · {heatmap.widget.move}")
    expect(card.locator("b + span")).to_have_text(f"match, shares {vote.overlap}")
    expect(heatmap.page.locator(".sokoviz-episode-place")).to_contain_text(f"{vote.index} of {len(vote.episode.moves)}")


@pytest.mark.clock
def test_an_episode_is_stepped_played_and_compared_with_what_was_found(page_with: PageWith) -> None:
    shortened = next(each for each in learned().episodes if len(each.found) > len(each.moves))
    heatmap = PlainHeatmap(page_with)
    heatmap.widget.episode = shortened.number
    heatmap.push()
    place = heatmap.page.locator(".sokoviz-episode-place")
    heatmap.click("As found")
    expect(place).to_have_text(f"0 of {len(shortened.found)}: {shortened.found[0]}")
    heatmap.click("Episode step")
    expect(place).to_contain_text(f"1 of {len(shortened.found)}:")
    heatmap.click("Episode back")
    heatmap.click("Play episode")
    expect(place).to_have_text(f"{len(shortened.found)} of {len(shortened.found)}: solved")
    expect(heatmap.button("Play episode")).to_be_visible()
    heatmap.click("Optimised")
    expect(place).to_contain_text(f"of {len(shortened.moves)}:")


def test_the_player_stands_alone(page_with: PageWith) -> None:
    episode = learned().episodes[-1]
    player = PlainWidget(page_with, sv.EpisodePlayer(episode), "heatmap/episode_widget", ("heatmap",))
    slider = player.page.get_by_role("slider", name="Step of the episode")
    slider.evaluate("(input) => { input.value = 2; input.dispatchEvent(new Event('input')); }")
    expect(player.page.locator(".sokoviz-strip .sokoviz-now b")).to_have_text(f"2 · {episode.moves[2]}")
    expect(player.button("Matching state")).to_be_hidden()


# --- curves ----------------------------------------------------------------------------------------------------------


def test_learning_curves_are_drawn(heatmap: PlainHeatmap) -> None:
    heatmap.page.get_by_role("tab", name="Learning curves").click()
    stages = learned().stages
    expect(heatmap.page.locator(".sokoviz-curves")).to_have_attribute("data-drawn", str(len(stages)))
    data = heatmap.page.locator(".sokoviz-curves-plot").evaluate("plot => plot.data.map(({type, y}) => [type, [...y]])")
    assert data[0] == ["scatter", [stage.rate for stage in stages]]
    assert data[1] == ["scatter", [stage.found_length for stage in stages]]
    assert data[2] == ["scatter", [stage.length for stage in stages]]
    assert data[3] == ["bar", [stage.seconds for stage in stages]]
    assert [kind for kind, _ in data[4:]] == ["bar"] * len(stages)
    assert [sum(counts) for counts in zip(*(y for _, y in data[4:]), strict=True)] == [
        sum(stage.buffer.values()) for stage in stages
    ]


def test_curves_of_several_passes_are_not_joined(heatmap: PlainHeatmap) -> None:
    heatmap.page.get_by_role("tab", name="Learning curves").click()
    stages = [f"pass {which}, {boxes}" for which in (1, 2, 3) for boxes in (1, 2)]
    curves = {**learned_curves(), "stages": stages, "passes": [1, 1, 2, 2, 3, 3]}
    heatmap.page.evaluate("curves => model.take({curves})", curves)
    expect(heatmap.page.locator(".sokoviz-curves")).to_have_attribute("data-drawn", "6")
    line, axis = heatmap.page.locator(".sokoviz-curves-plot").evaluate("({data, layout}) => [data[0], layout.xaxis]")
    assert line["x"] == [*stages[:2], None, *stages[2:4], None, *stages[4:]]
    assert not line["connectgaps"]
    assert (axis["ticktext"], axis["tickvals"]) == (["1", "2", "3"], [0.5, 2.5, 4.5])


def test_curves_follow_the_theme(heatmap: PlainHeatmap) -> None:
    heatmap.page.get_by_role("tab", name="Learning curves").click()
    heatmap.page.wait_for_selector(".sokoviz-curves[data-drawn]")
    color = "() => document.querySelector('.sokoviz-curves-plot').data[0].line.color"
    before = heatmap.page.evaluate(color)
    heatmap.page.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    heatmap.page.wait_for_function(f"before => ({color})() !== before", arg=before)


# --- loading, troubles, texts ----------------------------------------------------------------------------------------


def test_while_the_learner_loads_the_board_is_there(heatmap: PlainHeatmap) -> None:
    waiting = {"heat": {}, "chances": [], "voters": {}, "record": {"busy": True, "text": "Loading the learner …"}}
    heatmap.page.evaluate("traits => model.take(traits)", waiting)
    expect(heatmap.page.locator(".sokoviz-where")).to_have_text("Loading the learner …")
    expect(heatmap.page.locator(".sokoviz-heat-moves .sokoviz-note")).to_have_text("Loading the learner …")
    assert heatmap.heat(SOURCES).locator(".heat").count() == 0
    assert heatmap.page.get_by_role("grid").count() == 1


def test_an_exception_is_shown(heatmap: PlainHeatmap) -> None:
    heatmap.page.evaluate("() => model.send({kind: 'choose', move: 'Aa→Bb'})")
    expect(heatmap.page.get_by_role("alert")).to_contain_text("expected a legal move")
    heatmap.click("Dismiss")
    expect(heatmap.page.get_by_role("alert")).to_be_hidden()


def test_text_from_files_is_text(heatmap: PlainHeatmap) -> None:
    heatmap.page.evaluate("text => model.take({about: {...model.get('about'), game: text}})", EVIL)
    expect(heatmap.page.locator(".sokoviz-game")).to_have_text(EVIL)
    assert heatmap.page.locator(".sokoviz img").count() == 0


# --- room ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1120, 800, 640, 480])
def test_it_fits_its_page(page_with: PageWith, width: int) -> None:
    heatmap = PlainHeatmap(page_with, page_options={"size": (width, 900)})
    assert heatmap.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    root = heatmap.page.locator(".sokoviz").bounding_box()
    assert root
    for index in (SOURCES, TARGETS):
        box = heatmap.heat(index).locator(".sokoviz-picture").bounding_box()
        assert box
        assert box["width"] > 200
    if width == 1120:
        assert root["height"] < 680
    assert heatmap.page.evaluate(SMALL) == []
    assert heatmap.page.evaluate(CUT, "th") == []


def test_nothing_jumps(heatmap: PlainHeatmap) -> None:
    def boxes() -> Any:
        return heatmap.page.evaluate(BOXES)

    before = boxes()
    for value in (1, 2, 3):
        heatmap.slide("Stage", value)
        assert boxes() == before
    heatmap.row(heatmap.moves()[-1]).first.dispatch_event("click")
    heatmap.settle()
    assert boxes() == before
    heatmap.page.get_by_role("grid").focus()
    heatmap.page.keyboard.press("ArrowRight")
    heatmap.settle()
    assert boxes() == before


def test_it_leaves_nothing_behind(heatmap: PlainHeatmap) -> None:
    heatmap.page.wait_for_selector(".sokoviz-curves[data-drawn]", state="attached")
    heatmap.page.evaluate("() => cleanup()")
    assert heatmap.page.locator(".sokoviz").count() == 0
    assert heatmap.page.evaluate("() => model.nHandlers()") == 0


@pytest.mark.parametrize("name", ["heatmap_widget", "episode_widget", "compare_heatmaps_widget"])
def test_each_widget_is_one_module(name: str) -> None:
    module = join_modules(name)
    assert not re.search(r"^import ", module, re.MULTILINE)
    assert "export default" in module
