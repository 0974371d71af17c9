"""Heatmaps side by side in a notebook, seen from Python: views, similarity, the table, and the page to take away."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import traitlets

import sokoviz as sv
from sokoviz.widgets.heatmaps.compare import MOVES_LISTED, CompareHeatmaps
from tests.widgets.heatmaps.learners import learned

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def compare() -> CompareHeatmaps:
    """Two boxes beside all that was learned."""
    return sv.CompareHeatmaps(learned().policy(stage=2), learned())


def values_in(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="sokoviz-values">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_policies_have_one_stage_and_learners_all_of_theirs(compare: CompareHeatmaps) -> None:
    assert [len(view["frames"]) for view in compare.views] == [1, len(learned().stages)]
    assert compare.stages == [1, len(learned().stages)]
    assert compare.selected == 1
    assert compare.views[0]["frames"][0]["label"] == "stage 2 of 4 · 26 episodes · seed 1"
    assert compare.views[1]["frames"][1]["label"] == "stage 2 of 4 · 26 episodes · seed 1"
    json.dumps([compare.views, compare.about], allow_nan=False)


def test_a_frame_has_what_its_policy_has(compare: CompareHeatmaps) -> None:
    policy = learned().policy(stage=3)
    frame = compare.views[1]["frames"][2]
    squares = [sv.Square(*square) for square in compare.about["squares"]]
    assert {s: n for s, n in zip(squares, frame["sources"], strict=True) if n} == policy.sources
    assert [move["name"] for move in frame["moves"]] == [each.name for each in policy.moves[:MOVES_LISTED]]
    assert frame["moves"][0]["sentence"] == str(policy.explain(policy.moves[0]))
    listed = sum(move["probability"] for move in frame["moves"])
    assert frame["rest"] + listed == pytest.approx(1)


def test_similarity_is_the_mass_that_is_shared(compare: CompareHeatmaps) -> None:
    one, other = learned().policy(stage=2).shares("sources"), learned().policy().shares("sources")
    shared = sum(min(one.get(square, 0), other.get(square, 0)) for square in {*one, *other})
    assert compare.similarity == {"B": pytest.approx(shared)}
    compare.stages = [1, 2]
    assert compare.similarity == {"B": pytest.approx(1)}
    compare.ends = "targets"
    assert compare.similarity == {"B": pytest.approx(1)}


def test_the_table_has_shares_and_differences(compare: CompareHeatmaps) -> None:
    table = compare.table
    assert list(table.columns) == ["A", "B", "B − A"]
    assert table["A"].sum() == pytest.approx(1)
    assert (table["B"] - table["A"]).tolist() == pytest.approx(table["B − A"].tolist())
    square, share = max(learned().policy().shares("sources").items(), key=lambda item: item[1])
    assert table.loc[square.name, "B"] == pytest.approx(share)


def test_more_than_two_are_compared_with_the_first() -> None:
    compare = sv.CompareHeatmaps(learned(1), learned(2), learned().policy(n=0))
    assert compare.names == ("A", "B", "C")
    assert set(compare.similarity) == {"B", "C"}
    assert compare.similarity["C"] == 0  # nobody has voted
    assert list(compare.table.columns) == ["A", "B", "C", "B − A", "C − A"]


def test_positions_may_differ() -> None:
    curry = learned()
    moved = curry.episodes[-1].position(1)
    compare = sv.CompareHeatmaps(curry.policy(), curry.policy(moved))
    assert compare.about["settings"] == "2 positions"
    both = sv.CompareHeatmaps(curry, learned(2), board=moved)
    assert both.about["settings"] == "same position"
    assert both.policies[0].board.boxes == moved.boxes


def test_stages_and_views_that_there_are_not_are_refused(compare: CompareHeatmaps) -> None:
    with pytest.raises(sv.SearchError, match=r"expected a stage for each view \(A 1 to 1, B 1 to 4\), found \[1, 5\]"):
        compare.stages = [1, 5]
    with pytest.raises(sv.SearchError, match="expected a stage for each view"):
        compare.stages = [1]
    with pytest.raises(sv.SearchError, match="expected a view from 0 to 1, found 2"):
        compare.selected = 2
    assert (compare.stages, compare.selected) == ([1, 4], 1)
    with pytest.raises(traitlets.TraitError):
        compare.ends = "both"


def test_what_cannot_be_compared_is_refused() -> None:
    curry = learned()
    with pytest.raises(sv.SearchError, match="expected 2 to 26 policies or learners to compare, found 1"):
        sv.CompareHeatmaps(curry)
    with pytest.raises(TypeError, match="expected policies or learners, found 'x'"):
        sv.CompareHeatmaps(curry, "x")  # type: ignore[arg-type]
    with pytest.raises(sv.SearchError, match="expected heatmaps of one level"):
        sv.CompareHeatmaps(curry, sv.Curry(sv.load("lessons#16")))
    with pytest.raises(TypeError, match="did you mean 'stages'"):
        sv.CompareHeatmaps(curry, curry, stage=[1, 1])
    with pytest.raises(sv.SearchError, match="expected a stage for each view"):
        sv.CompareHeatmaps(curry, curry, stages=[1, 9])


def test_learners_that_have_run_on_are_shown_again() -> None:
    curry = sv.Curry(sv.load("lessons#17"), seed=4)
    compare = sv.CompareHeatmaps(learned().policy(), curry)
    assert compare.stages == [1, 1]
    curry.run(seconds=60, progress=False)
    compare.refresh()
    assert compare.stages == [1, len(curry.stages)]
    assert compare.policies[1].n_votes == curry.policy().n_votes


def test_the_page_has_all_stages_and_fetches_nothing(compare: CompareHeatmaps, tmp_path: Path) -> None:
    path = compare.export(tmp_path / "heatmaps.html")
    page = path.read_text(encoding="utf-8")
    assert values_in(page)["views"] == compare.views
    assert "default-src 'none'" in page
    assert not re.search(r'(?:src|href)="|url\(|@import|^import ', page, re.MULTILINE)


def test_titles_stay_text_in_the_page(tmp_path: Path) -> None:
    level = sv.Level(sv.load("lessons#17").rows, title=EVIL)
    curry = sv.Curry(level)
    page = sv.CompareHeatmaps(curry, curry).export(str(tmp_path / "evil.html")).read_text(encoding="utf-8")
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert EVIL in values_in(page)["about"]["game"]


def test_the_page_is_sent_to_the_browser(compare: CompareHeatmaps, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(compare, "send", lambda content, buffers: sent.append((content, buffers)))
    compare._handle_custom_msg({"kind": "export"}, [])
    ((content, (page,)),) = sent
    assert content == {"kind": "page", "name": "heatmaps.html"}
    assert values_in(page.decode())["stages"] == compare.stages


def test_a_picture_stays_where_there_is_no_kernel(compare: CompareHeatmaps) -> None:
    bundle = compare._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0]["image/svg+xml"].count('class="heat"') == 3
    assert bundle[0]["text/plain"].startswith("<CompareHeatmaps of lessons#17 · Lucky configurations: A: stage 2 of 4")
