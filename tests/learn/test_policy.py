"""What episodes say about a position, and why: against the twin, in numbers, and refused where it makes no sense."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import sokoviz as sv
from sokoviz.errors import SearchError
from sokoviz.learn.curry import Curry
from tests.twins import naive, naive_curry


@pytest.fixture(scope="module")
def lucky():
    curry = Curry(sv.load("lessons#17"), seed=1)
    curry.run(seconds=60)
    return curry


def as_twin(episodes):
    return [{"boxes": set(e.boxes), "goals": set(e.goals), "moves": list(e.moves)} for e in episodes]


def boards_of(curry):
    """Positions along an episode of the whole level, and the start of a subcase."""
    full = curry.episodes[-1]
    return [*(full.position(index) for index in range(len(full.moves))), curry.episodes[0].position(0)]


def test_distributions_sum_to_one_and_are_those_of_the_twin(lucky):
    for board in boards_of(lucky):
        policy = lucky.policy(board)
        floor, goals = set(lucky.level.floor), set(board.level.goals)
        known = as_twin(lucky.buffer())
        moves, weights, value = naive_curry.weights(
            floor, set(board.boxes), goals, board.player, known, 0.001, goal_filter=True
        )
        assert sum(chance.probability for chance in policy.moves) == pytest.approx(1)
        total = sum(weights)
        expected = {}
        for (source, target, player), weight in zip(moves, weights, strict=True):
            zone = min(naive.reach(floor, set(board.boxes) - {source} | {target}, player))
            expected[source, target, zone] = weight / total
        found = {(chance.source, chance.target, chance.player): chance.probability for chance in policy.moves}
        assert found == pytest.approx(expected)
        assert policy.value == pytest.approx(value)
        assert {(c.source, c.target, c.player) for c in policy.moves} == {
            (m.source, m.target, m.player) for m in board.box_moves()
        }


def test_votes_are_what_each_episode_says(lucky):
    board = lucky.episodes[-1].position(1)
    policy = lucky.policy(board)
    assert [vote.episode for vote in policy.votes] == list(lucky.buffer())
    for vote in policy.votes:
        twin = as_twin([vote.episode])[0]
        assert (vote.index, vote.overlap) == naive_curry.simba(set(board.boxes), twin)
        assert vote.is_filtered == (vote.target in vote.episode.goals and vote.target not in board.level.goals)
        assert len(policy.explain(policy.moves[0]).overlapping(vote)) == vote.overlap
    counted = [vote for vote in policy.votes if not vote.is_filtered]
    assert policy.n_votes == len(counted) == sum(policy.sources.values()) == sum(policy.targets.values())
    for square, n in policy.sources.items():
        assert n == sum(vote.source == square for vote in counted)


def test_an_explanation_gives_the_weight_number_by_number(lucky):
    policy = lucky.policy()
    for chance in policy.moves:
        why = lucky.explain(None, chance)
        assert len(why.votes) == chance.votes
        assert {(vote.source, vote.target) for vote in why.votes} <= {(chance.source, chance.target)}
        weight = (chance.votes + 0.001 * (chance.source_votes + chance.target_votes)) / chance.n_sides
        assert chance.weight == pytest.approx(weight)
        assert f"{chance.name}: {chance.votes} of {policy.n_votes} votes." in str(why)


def test_moves_are_found_by_name_and_by_squares(lucky):
    policy = lucky.policy()
    best = policy.moves[0]
    assert policy.find(best.name) == policy.find((best.source, best.target)) == policy.find(best) == best
    assert policy.find(best.name.replace("→", "->")) == best


@pytest.mark.parametrize("move", ["Aa→Bb", "nonsense", 7, ((0, 0), (1, 1)), "Aa→B"])
def test_what_is_no_legal_move_is_refused(lucky, move):
    with pytest.raises(SearchError, match=r"expected a .*move"):
        lucky.policy().find(move)


def test_the_buffer_can_be_that_of_a_stage_or_after_some_episodes(lucky):
    assert lucky.policy(stage=1).votes[0].episode.stage == 1
    assert len(lucky.policy(n=5).votes) == 5
    assert lucky.policy(n=0).n_votes == 0
    chosen = lucky.episodes[3:5]
    assert [vote.episode for vote in lucky.policy(episodes=chosen).votes] == chosen
    with pytest.raises(SearchError, match="expected a stage out of 1, 2, 3, 4; found 9"):
        lucky.policy(stage=9)
    with pytest.raises(SearchError, match="expected a number of episodes from 0 to"):
        lucky.policy(n=10**6)
    with pytest.raises(SearchError, match="expected a stage or a number of episodes, found both"):
        lucky.policy(stage=1, n=2)


def test_without_episodes_all_moves_are_alike(lucky):
    moves = lucky.policy(n=0).moves
    assert {chance.probability for chance in moves} == {1 / len(moves)}


def test_a_position_of_another_level_is_refused(lucky):
    with pytest.raises(SearchError, match="expected a position of Level lessons#17"):
        lucky.policy(sv.load("lessons#1").board())


def test_a_winning_move_is_marked(lucky):
    last = lucky.episodes[-1]
    policy = lucky.policy(last.position(len(last.moves) - 1))
    winning = [chance for chance in policy.moves if chance.is_winning]
    assert winning
    assert (winning[0].source, winning[0].target) == last.moves[-1][:2]


@pytest.mark.parametrize("ends", ["sources", "targets"])
@pytest.mark.parametrize("logarithmic", [True, False])
def test_heatmaps_are_drawn(lucky, ends, logarithmic):
    policy = lucky.policy()
    assert sum(policy.shares(ends).values()) == pytest.approx(1)
    drawn = policy.picture(ends, logarithmic=logarithmic, arrows=3)
    assert "<svg" in drawn.to_svg()
    assert ("logarithmic" in drawn.to_svg()) == logarithmic
    assert lucky.policy(n=0).picture().to_svg()
    with pytest.raises(SearchError, match="expected a heatmap out of 'sources', 'targets'; found 'moves'"):
        policy.shares("moves")


def test_several_threads_may_ask_at_once(lucky):
    boards = boards_of(lucky)
    expected = [[(m.name, m.probability) for m in lucky.policy(board, n=n).moves] for board in boards for n in (5, 20)]
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(lucky.policy, board, n=n) for _ in range(5) for board in boards for n in (5, 20)]
    assert [[(m.name, m.probability) for m in future.result().moves] for future in asked] == expected * 5
