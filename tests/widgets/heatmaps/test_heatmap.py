"""Heatmaps of a learner in a notebook, seen from Python: traits, messages, and what is refused."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
import traitlets

import sokoviz as sv
from sokoviz.widgets.heatmaps import compare as compare_heatmaps
from sokoviz.widgets.heatmaps import frames as heat_frames
from sokoviz.widgets.heatmaps import widget as heatmap
from sokoviz.widgets.heatmaps.pictures import HeatDifference, two_sided_color
from tests.widgets.heatmaps.learners import learned

if TYPE_CHECKING:
    from sokoviz.widgets.heatmaps.widget import HeatmapWidget


@pytest.fixture
def widget() -> HeatmapWidget:
    """The learner of lesson 17 with all it has learned."""
    return sv.HeatmapWidget(learned())


def tell(widget: Any, kind: str, **arguments: Any) -> None:
    """Send a message as the page does; nothing may go wrong."""
    widget._handle_custom_msg({"kind": kind, **arguments}, [])
    assert widget.trouble["summary"] == ""


def play(widget: HeatmapWidget, chance: Any) -> None:
    """Push a box as the page does: click it, then its target."""
    for square in (chance.source, chance.target):
        tell(widget, "press", square=list(square))
        tell(widget, "release", square=list(square))


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_it_begins_at_the_end_with_the_likeliest_move(widget: HeatmapWidget) -> None:
    curry = learned()
    policy = curry.policy()
    assert (widget.stage, widget.n) == (len(curry.stages), len(curry.episodes))
    assert widget.move == policy.moves[0].name
    assert widget.position == curry.level.board().position
    assert (widget.ends, widget.logarithmic, widget.record) == ("both", True, {"busy": False, "text": ""})
    json.dumps([widget.about, widget.heat, widget.chances, widget.voters, widget.curves], allow_nan=False)


def test_votes_of_all_squares_are_those_of_the_policy(widget: HeatmapWidget) -> None:
    policy = learned().policy()
    squares = [sv.Square(*square) for square in widget.heat["squares"]]
    assert set(squares) == set(learned().level.floor)
    for ends, counts in (("sources", policy.sources), ("targets", policy.targets)):
        shown = {square: votes for square, votes in zip(squares, widget.heat[ends], strict=True) if votes}
        assert shown == counts
    assert widget.heat["n_votes"] == policy.n_votes


def test_all_legal_moves_are_listed(widget: HeatmapWidget) -> None:
    policy = learned().policy()
    shown = [(row["name"], row["probability"], row["votes"]) for row in widget.chances]
    assert shown == [(chance.name, chance.probability, chance.votes) for chance in policy.moves]


def test_a_winning_move_is_marked() -> None:
    curry = learned()
    last = curry.episodes[-1]
    board = last.position(len(last.moves) - 1)
    widget = sv.HeatmapWidget(curry, board)
    assert str(last.moves[-1]) in {row["name"] for row in widget.chances if row["winning"]}


def test_curves_are_those_of_the_stages(widget: HeatmapWidget) -> None:
    stages = learned().stages
    assert widget.curves["rate"] == [stage.rate for stage in stages]
    assert widget.curves["seconds"] == [stage.seconds for stage in stages]
    for boxes, counts in widget.curves["buffer"]:
        assert counts == [stage.buffer.get(boxes, 0) for stage in stages]


def test_passes_are_told_apart() -> None:
    curry = sv.Curry(sv.load("lessons#17"), seed=1, slice_nodes=40)
    curry.run(seconds=60, progress=False)
    widget = sv.HeatmapWidget(curry)
    assert widget.curves["passes"] == [stage.restart + 1 for stage in curry.stages]
    assert widget.curves["stages"][:3] == ["pass 1, 1", "pass 1, 2", "pass 2, 1"]
    assert widget.about["stages"][-1]["text"] == "pass 5, 4 of 4 boxes"
    assert len(widget.policy.votes) == len(curry.buffer())


def test_a_pass_that_has_found_nothing_is_not_shown() -> None:
    curry = sv.Curry(sv.load("lessons#17"), seed=1, slice_nodes=40)
    curry.run(until="restart", progress=False)
    assert [(stage.restart, stage.boxes) for stage in curry.stages] == [(0, 1), (0, 2), (1, 1)]
    widget, compare = sv.HeatmapWidget(curry), sv.CompareHeatmaps(curry, learned())
    assert (widget.stage, len(widget.about["stages"]), len(widget.curves["stages"])) == (2, 2, 2)
    assert [len(view["frames"]) for view in compare.views] == [2, 4]


def test_means_of_nothing_are_none() -> None:
    fresh = sv.Curry(sv.load("lessons#17"), seed=5)
    widget = sv.HeatmapWidget(fresh)
    assert (widget.n, widget.heat["n_votes"], widget.heat["value"]) == (0, 0, None)
    assert set(widget.curves["length"]) <= {None}
    json.dumps([widget.curves, widget.heat], allow_nan=False)


# --- going back in time ----------------------------------------------------------------------------------------------


def test_a_stage_is_what_was_known_at_its_end(widget: HeatmapWidget) -> None:
    curry = learned()
    for number, stage in enumerate(curry.stages, start=1):
        widget.stage = number
        assert widget.n == stage.last
        assert widget.heat["n_votes"] == curry.policy(stage=stage.boxes).n_votes


def test_a_number_of_episodes_belongs_to_its_stage(widget: HeatmapWidget) -> None:
    first, second = learned().stages[:2]
    widget.n = second.last - 1
    assert widget.stage == 2
    widget.n = first.last  # the end of the first stage is the beginning of the second
    assert widget.stage == 2
    widget.n = first.last - 1
    assert widget.stage == 1
    assert widget.heat["n_episodes"] == first.last - 1


def test_the_page_moves_both_sliders(widget: HeatmapWidget) -> None:
    tell(widget, "stage", stage=2)
    assert (widget.stage, widget.n) == (2, learned().stages[1].last)
    tell(widget, "episodes", n=3)
    assert (widget.stage, widget.n) == (1, 3)
    tell(widget, "episodes", n=10_000)
    assert widget.n == len(learned().episodes)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("stage", 0, "expected a stage from 1 to 4, found 0"),
        ("stage", 5, "expected a stage from 1 to 4, found 5"),
        ("n", -1, "expected a number of episodes from 0 to 35, found -1"),
        ("n", 36, "expected a number of episodes from 0 to 35, found 36"),
        ("episode", 36, "expected an episode from 0 to 35, found 36"),
        ("move", "Aa→Bb", "expected a legal move such as"),
        ("move", "up", "expected a move such as 'Ee→Fe', found 'up'"),
        ("position", "#####\n#@$.#\n#####", "expected a position of Level lessons#17"),
    ],
)
def test_what_there_is_not_is_refused_and_changes_nothing(
    widget: HeatmapWidget, name: str, value: object, words: str
) -> None:
    before = {each: getattr(widget, each) for each in ("stage", "n", "episode", "move", "position", "heat")}
    with pytest.raises(sv.SearchError, match=words):
        setattr(widget, name, value)
    assert {each: getattr(widget, each) for each in before} == before


def test_other_bad_values_are_refused(widget: HeatmapWidget) -> None:
    with pytest.raises(traitlets.TraitError):
        widget.ends = "middles"
    with pytest.raises(TypeError, match=r"expected a learner such as Curry\(level\), found 3"):
        sv.HeatmapWidget(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a Board or a Level, found 'x'"):
        sv.HeatmapWidget(learned(), "x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="did you mean 'stage'"):
        sv.HeatmapWidget(learned(), stages=3)
    with pytest.raises(sv.SearchError, match="expected a position of"):
        sv.HeatmapWidget(learned(), sv.load("lessons#16"))


def test_options_are_traits() -> None:
    name = learned().policy(stage=2).moves[1].name
    widget = sv.HeatmapWidget(learned(), stage=2, move=name, ends="targets", logarithmic=False)
    assert (widget.stage, widget.n, widget.move) == (2, learned().stages[1].last, name)
    assert (widget.ends, widget.logarithmic) == ("targets", False)


# --- playing ---------------------------------------------------------------------------------------------------------


def test_everything_follows_a_push(widget: HeatmapWidget) -> None:
    curry = learned()
    chance = curry.policy().moves[0]
    play(widget, chance)
    assert widget.board.boxes == curry.level.board().boxes - {chance.source} | {chance.target}
    expected = curry.policy(widget.board)
    assert [row["name"] for row in widget.chances] == [each.name for each in expected.moves]
    assert widget.heat["n_votes"] == expected.n_votes
    assert widget.move in {row["name"] for row in widget.chances}  # the old one is no move any more
    tell(widget, "undo")
    assert widget.chances[0]["name"] == chance.name


def test_a_walk_asks_nobody(widget: HeatmapWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sv.Curry, "policy", lambda *_arguments, **_options: pytest.fail("asked for nothing"))
    tell(widget, "step", direction="r")
    assert widget.moves == "r"


def test_a_position_can_be_set(widget: HeatmapWidget) -> None:
    episode = learned().episodes[-1]
    text = episode.position(2).position
    widget.position = text
    assert widget.position == text
    assert widget.heat["n_votes"] == learned().policy(episode.position(2)).n_votes


def test_a_selected_move_stays_while_it_is_one(widget: HeatmapWidget) -> None:
    second = widget.chances[1]["name"]
    tell(widget, "choose", move=second)
    widget.stage = 2
    assert widget.move == second
    widget.move = ""
    widget.stage = 3
    assert (widget.move, widget.voters["move"]) == ("", "")


# --- votes and episodes ----------------------------------------------------------------------------------------------


def test_voters_are_those_of_the_explanation(widget: HeatmapWidget) -> None:
    explanation = learned().policy().explain(widget.move)
    shown = [(vote["episode"], vote["index"], vote["overlap"]) for vote in widget.voters["votes"]]
    expected = [(vote.episode.number, vote.index, vote.overlap) for vote in explanation.votes]
    assert shown == expected[: heat_frames.votes_a_page(learned().level)]
    assert widget.voters["sentence"] == str(explanation)
    for vote, picture in zip(explanation.votes, (vote["picture"] for vote in widget.voters["votes"]), strict=False):
        rings = [tuple(each["squares"][0]) for each in picture["overlays"] if each["kind"] == "mark"]
        assert rings == list(explanation.overlapping(vote))


def test_pages_of_votes_have_all_of_them_once(widget: HeatmapWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat_frames, "VOTES_A_PAGE", 2)
    tell(widget, "choose", move=widget.chances[1]["name"])
    wanted = [vote.episode.number for vote in learned().policy().explain(widget.move).votes]
    assert widget.voters["pages"] == -(-len(wanted) // 2) > 1
    seen: list[int] = []
    for page in range(widget.voters["pages"]):
        tell(widget, "votes", page=page)
        seen += [vote["episode"] for vote in widget.voters["votes"]]
    assert seen == wanted
    tell(widget, "votes", page=99)
    assert widget.voters["page"] == widget.voters["pages"] - 1


@pytest.mark.parametrize(("lesson", "n"), [("lessons#17", 4), ("lessons#16", 6)])
def test_a_level_that_is_much_wider_than_high_has_fewer_votes_side_by_side(lesson: str, n: int) -> None:
    level = sv.load(lesson)
    assert (heat_frames.votes_a_page(level), level.width > 1.5 * level.height) == (n, n == 4)


def test_filtered_votes_are_counted_apart() -> None:
    curry = learned()
    board = curry.episodes[0].subcase.board()  # its goals are few, so many suggestions go elsewhere
    policy = curry.policy(board)
    filtered = [vote for vote in policy.votes if vote.is_filtered]
    legal = {chance.name for chance in policy.moves}
    named = [f"{vote.source.name}→{vote.target.name}" for vote in filtered]
    move = next(name for name in named if name in legal)
    widget = sv.HeatmapWidget(curry, board, move=move)
    assert widget.voters["filtered"] == named.count(move)
    assert widget.heat["n_episodes"] - widget.heat["n_votes"] == len(filtered)


def test_an_episode_opens_at_its_matching_state(widget: HeatmapWidget) -> None:
    vote = learned().policy().explain(widget.move).votes[0]
    tell(widget, "episode", number=vote.episode.number)
    assert (widget.episode, widget.strip["match"]) == (vote.episode.number, vote.index)
    assert widget.strip["text"] == repr(vote.episode)
    assert len(widget.strip["optimised"]) == len(vote.episode.moves) + 1
    assert widget.strip["optimised"][vote.index]["overlap"] == vote.overlap


def test_strips_are_the_positions_of_the_rules() -> None:
    shortened = [each for each in learned().episodes if len(each.found) > len(each.moves)]
    for episode in [*shortened[:2], learned().episodes[-1]]:
        view = heat_frames.episode_view(episode, None, None)
        for key, is_found in (("optimised", False), ("found", True)):
            for index, state in enumerate(view[key]):
                wanted = episode.position(index, found=is_found).picture().to_json()
                names = [[state["picture"]["names"][cell] for cell in row] for row in state["picture"]["cells"]]
                assert names == [[wanted["names"][cell] for cell in row] for row in wanted["cells"]]
        assert view["is_shortened"] == (len(episode.found) > len(episode.moves))
    assert shortened, "no episode of the lesson was shortened: the test looks at nothing"


def test_the_player_shows_an_episode() -> None:
    episode = learned().episodes[-1]
    player = sv.EpisodePlayer(episode)
    assert (player.episode, player.strip["number"]) == (episode, episode.number)
    assert repr(player) == f"<EpisodePlayer: {episode!r}>"
    bundle = player._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0]["image/svg+xml"].startswith("<svg")
    with pytest.raises(TypeError, match="expected an episode such as"):
        sv.EpisodePlayer(7)  # type: ignore[arg-type]


# --- a learner that goes on, and one that is not there yet -----------------------------------------------------------


def test_what_is_learned_meanwhile_is_noticed() -> None:
    curry = sv.Curry(sv.load("lessons#17"), seed=2)
    curry.run(iterations=5, progress=False)
    widget = sv.HeatmapWidget(curry)
    assert widget.n == 5
    curry.run(seconds=60, progress=False)
    tell(widget, "step", direction="r")
    assert widget.n == len(curry.episodes) > 5
    assert widget.heat["n_episodes"] == len(curry.buffer())
    widget.n = 5
    curry2 = widget.about["n_episodes"]
    widget.refresh()
    assert (widget.n, widget.about["n_episodes"]) == (5, curry2)


def test_the_board_is_there_before_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    curry = learned()
    gate, ask = threading.Event(), sv.Curry.policy
    monkeypatch.setattr(heatmap, "_loaded", threading.Event())

    def slow(*arguments: Any, **options: Any) -> Any:
        return ask(*arguments, **options) if gate.wait(20) else None

    monkeypatch.setattr(sv.Curry, "policy", slow)
    monkeypatch.setattr(sv.Curry, "is_compiled", lambda _: True)

    async def wait() -> None:
        widget = sv.HeatmapWidget(curry)
        assert widget.record == {"busy": True, "text": "Loading the compiled learner …"}
        assert (widget.chances, widget.move) == ([], "")
        with pytest.raises(sv.SearchError, match="still being loaded"):
            _ = widget.policy
        tell(widget, "step", direction="r")
        assert widget.moves == "r"
        gate.set()
        for _ in range(500):
            if not widget.record["busy"]:
                break
            await asyncio.sleep(0.01)
        assert widget.move == curry.policy().moves[0].name

    asyncio.run(wait())


@pytest.mark.parametrize(
    ("is_compiled", "text"), [(False, "Compiling the learner, once …"), (True, "Loading the compiled learner …")]
)
def test_loading_is_told_from_compiling(monkeypatch: pytest.MonkeyPatch, text: str, *, is_compiled: bool) -> None:
    curry = learned()
    monkeypatch.setattr(sv.Curry, "is_compiled", lambda _: is_compiled)
    monkeypatch.setattr(heatmap, "_loaded", threading.Event())
    monkeypatch.setattr(heatmap, "load_learner", lambda _: None)
    monkeypatch.setattr(compare_heatmaps, "in_background", lambda *_: None)
    widgets = sv.HeatmapWidget(curry), sv.CompareHeatmaps(curry, learned(2))
    assert [widget.record for widget in widgets] == 2 * [{"busy": True, "text": text}]


def test_an_error_while_loading_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    curry = learned()
    monkeypatch.setattr(heatmap, "_loaded", threading.Event())

    def fail(*_arguments: Any, **_options: Any) -> None:
        message = "no memory"
        raise MemoryError(message)

    monkeypatch.setattr(sv.Curry, "policy", fail)
    assert sv.HeatmapWidget(curry).trouble["summary"] == "MemoryError: no memory"


# --- without a kernel ------------------------------------------------------------------------------------------------


def test_pictures_stay_where_there_is_no_kernel(widget: HeatmapWidget) -> None:
    bundle = widget._repr_mimebundle_()
    assert bundle is not None
    data, metadata = bundle
    assert data["image/svg+xml"].count('class="heat"') == 2
    assert 'class="sokoviz-box-' not in data["image/svg+xml"]  # boxes are outlines: the votes under them are seen
    assert metadata["image/svg+xml"]["alt"] == "Heatmaps of lessons#17 · Lucky configurations, 35 episodes known"
    assert "application/vnd.jupyter.widget-view+json" in data
    widget.ends = "targets"
    assert widget._repr_mimebundle_()[0]["image/svg+xml"].count('class="heat"') == 1  # type: ignore[index]


def test_a_difference_has_two_sides() -> None:
    change = {sv.Square(0, 0): -0.5, sv.Square(0, 1): 0.0, sv.Square(0, 2): 0.5, sv.Square(0, 3): 0.05}
    linear = HeatDifference(change, 0.01, 0.5, logarithmic=False)
    assert [linear.place_of(each) for each in change.values()] == [-1, 0, 1, pytest.approx(0.1)]
    logarithmic = HeatDifference(change, 0.005, 0.5, logarithmic=True)
    assert [logarithmic.place_of(each) for each in change.values()] == [-1, 0, 1, pytest.approx(0.5)]
    assert (two_sided_color(-1), two_sided_color(0), two_sided_color(1)) == ("#762a83", "#f7f7f7", "#1b7837")
