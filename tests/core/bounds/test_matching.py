"""Matching against scipy and networkx."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sokoviz.core.bounds.matching import find_crowded_boxes, manhattan_costs, match_boxes, push_costs
from sokoviz.core.types import FAR
from tests.worlds import random_worlds


@st.composite
def cost_tables(draw):
    """Costs of up to 12 boxes and 14 goals, some of them unreachable."""
    n_boxes = draw(st.integers(1, 12))
    n_goals = draw(st.integers(n_boxes, 14))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    costs = random.integers(0, draw(st.sampled_from([3, 30, 1000])), (n_boxes, n_goals))
    costs[random.random(costs.shape) < draw(st.sampled_from([0, 0.3, 0.7]))] = FAR
    return costs


@given(cost_tables())
def test_cost_is_that_of_scipy(costs):
    goal_of = np.full(len(costs), -1, dtype=np.int64)
    rows, columns = linear_sum_assignment(costs)
    expected = costs[rows, columns].sum()
    found = match_boxes(costs, goal_of)
    assert found == min(expected, FAR)
    if found < FAR:
        assert len(set(goal_of)) == len(goal_of)
        assert costs[np.arange(len(costs)), goal_of].sum() == found


def test_more_boxes_than_goals_cannot_be_matched():
    assert match_boxes(np.zeros((3, 2), dtype=np.int64), np.empty(3, dtype=np.int64)) == FAR


def test_no_boxes_cost_nothing():
    assert match_boxes(np.zeros((0, 2), dtype=np.int64), np.empty(0, dtype=np.int64)) == 0


@given(cost_tables())
def test_crowded_boxes_exist_exactly_where_no_perfect_matching_does(costs):
    graph = nx.Graph()
    graph.add_nodes_from(("box", i) for i in range(len(costs)))
    graph.add_edges_from((("box", i), ("goal", j)) for i, j in np.argwhere(costs < FAR))
    pairs = nx.bipartite.maximum_matching(graph, [("box", i) for i in range(len(costs))])
    crowded = np.empty(len(costs), dtype=np.bool_)
    assert find_crowded_boxes(costs, crowded) == (len(pairs) // 2 < len(costs))
    # What is named must be a proof: fewer goals than boxes (P. Hall's theorem).
    if crowded.any():
        assert (costs[crowded] < FAR).any(axis=0).sum() < crowded.sum()


@pytest.mark.parametrize("world", random_worlds(10, seed=8), ids=range(10))
def test_costs_are_distances_of_the_boxes_from_the_goals(world):
    boxes, goals = sorted(world.boxes), sorted(world.goals)
    numbers = np.array([world.number(box) for box in boxes])
    costs = np.empty((len(boxes), len(goals)), dtype=np.int64)
    manhattan_costs(world.width, numbers, world.tables.goal_squares, costs)
    assert costs.tolist() == [[abs(b[0] - g[0]) + abs(b[1] - g[1]) for g in goals] for b in boxes]
    push_costs(world.tables.push_distance, numbers, costs)
    assert costs.tolist() == [[world.tables.push_distance[j, n] for j in range(len(goals))] for n in numbers]
