"""The text's example of SIMBA, rebuilt on a level of the same shape: an episode of two boxes guides three."""

from __future__ import annotations

from typing import Any

import pytest

import sokoviz as sv
from sokoviz.learn.curry import Curry
from tests.twins import naive_curry

MOVES = ["Gb→Hb", "Gc→Gf", "Hb→Bb", "Gf→Db"]


@pytest.fixture(scope="module")
def curry():
    learner = Curry(sv.load("lessons#20"), seed=1)
    learner.run(seconds=60)
    return learner


@pytest.fixture(scope="module")
def episode(curry):
    return next(episode for episode in curry.episodes if [str(move) for move in episode.moves] == MOVES)


@pytest.fixture
def board(curry):
    """The whole level after two moves: one box on its goal, one aside."""
    board = curry.level.board()
    board.push_box((1, 4), (1, 1))
    board.push_box((1, 6), (1, 7))
    return board


def test_the_learner_finds_the_episode_of_two_boxes_by_itself(episode):
    assert episode.stage == 2
    assert episode.position(len(episode.moves)).is_solved


def test_the_overlaps_are_those_of_the_text(episode, board):
    assert [len(state & board.boxes) for state in episode.states] == [1, 2, 1, 1, 1]


def test_the_suggested_move_parks_the_middle_box_in_the_lower_room(curry, episode, board):
    (vote,) = curry.policy(board, episodes=[episode]).votes
    assert (vote.index, vote.overlap) == (1, 2)
    assert (vote.source.name, vote.target.name) == ("Gc", "Gf")
    twin = {"boxes": set(episode.boxes), "goals": set(episode.goals), "moves": list(episode.moves)}
    assert naive_curry.simba(set(board.boxes), twin) == (1, 2)


def test_all_episodes_together_suggest_it_too(curry, board):
    assert curry.policy(board, stage=2).moves[0].name == "Gc→Gf"


def test_parking_needs_a_move_that_no_episode_has_made():
    """Curry, "Choosing moves": with votes alone the level is never solved, with a random move now and then it is."""
    level = sv.load("lessons#16")
    options: dict[str, Any] = {"tree": False, "goal_filter": False, "restarts": False, "growth": 1.0}
    only_votes = Curry(level, seed=1, epsilon=0.0, delta=0.0, **options)
    only_votes.run(nodes=3_000)
    tries = sum(visit.outcome.trajectories for visit in only_votes.visits if visit.task.stage == 2)
    assert only_votes.solution is None
    assert tries > 2_000
    assert Curry(level, seed=1, epsilon=0.02, delta=0.0, **options).run(seconds=60).solution is not None


def test_lucky_configurations_mislead_the_first_version_only():
    """Curry, "When the solver gets unlucky"."""
    level = sv.load("lessons#17")

    def full_level_tries(**options):
        learner = Curry(level, tree=False, goal_filter=False, restarts=False, **options)
        learner.run(seconds=60)
        return sum(visit.outcome.trajectories for visit in learner.visits if visit.task.stage == 4)

    fresh = [full_level_tries(seed=seed, fresh=True, trajectories=1, growth=1.0) for seed in (1, 2, 3)]
    fixed = [full_level_tries(seed=seed) for seed in (1, 2, 3)]
    assert sorted(fresh)[1] > 5 * sorted(fixed)[1]
