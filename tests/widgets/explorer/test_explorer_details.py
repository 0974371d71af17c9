"""The explorer of a search of Sokoban in Python: what the board shows, what was left out, moves, and the solution."""

import pytest

import sokoviz as sv
from sokoviz.games.sokoban import Sokoban
from sokoviz.search.loading import prepare
from tests.search.schokoban.schokobans import IN_AND_OUT, IN_AND_OUT_OPTIONS
from tests.widgets.explorer.exploring import go_to, send, shown, step, wait_for

CORNER = "######\n#    #\n# $@ #\n#  . #\n######"  # two pushes to the left lead to a wall without a goal


@pytest.fixture(autouse=True, scope="module")
def _loaded():
    """The kernels are there: what an explorer shows before that is tested elsewhere."""
    prepare(Sokoban(CORNER))


@pytest.fixture
def search():
    """Lesson 7 to its solution."""
    search = sv.Schokoban(sv.load("lessons#7"), seed=1)
    search.run(progress=False)
    return search


def overlays(explorer, kind, role):
    """Overlays of the board of a kind and a role."""
    found = explorer.position["picture"]["overlays"]
    return [overlay for overlay in found if (overlay["kind"], overlay.get("role")) == (kind, role)]


# --- the board -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", ["manhattan", "push"])
def test_the_matching_is_drawn_with_its_distances_and_gives_the_reward(distance):
    search = sv.Schokoban(sv.load("lessons#7"), seed=1, distance=distance)
    explorer = search.explore()
    search.run(iterations=40, progress=False)
    for number in (3, 17, 40):
        search.goto(number - 1, "simulation")
        simulation = search.explain(number).simulation
        assert simulation
        assert explorer.node == simulation.node
        lengths = [int(arrow["label"]) for arrow in overlays(explorer, "arrow", "matching")]
        assert sum(lengths) == -simulation.reward
        boxes = {tuple(arrow["squares"][0]) for arrow in overlays(explorer, "arrow", "matching")}
        assert boxes <= set(Sokoban(search.level).board(search.state(explorer.node)).boxes)
        assert f"distance {-simulation.reward}" in simulation.outcome


def test_the_caption_adds_the_distances_up(search):
    explorer = search.explore()
    send(explorer, "select", node=0)
    assert explorer.position["caption"] == "the root · depth 0 · distance 1 + 1 + 2 + 2 = 6, reward −6"
    send(explorer, "select", node=explorer._search.solution_line[-1].node)
    assert explorer.position["caption"].endswith("solved")


def test_layers_are_switched_one_by_one(search):
    explorer = search.explore(pushes=False)
    send(explorer, "select", node=0)
    assert explorer.about["layers"] == ["component", "pushes", "matching"]
    drawn = {"component": ("fill", "component"), "pushes": ("arrow", "context"), "matching": ("arrow", "matching")}
    for layer, overlay in drawn.items():
        assert bool(overlays(explorer, *overlay)) is (layer != "pushes")
        setattr(explorer, layer, layer == "pushes")
        assert bool(overlays(explorer, *overlay)) is (layer == "pushes")


def test_games_without_layers_and_solutions_have_neither():
    explorer = sv.MCTS(sv.TicTacToe()).explore()
    assert (explorer.about["layers"], explorer.about["solves"]) == ([], False)
    assert explorer.details["left_out"] is None
    assert explorer.solution["pushes"] == 0


def test_the_header_names_the_level_and_the_formula(search):
    about = search.explore().about
    assert about["game"] == "Sokoban · lessons#7 · Four in a square"
    assert about["settings"] == "seed 1 · c = 8 · the program's formula"
    assert about["score"] == "score"
    assert sv.MCTS(sv.TicTacToe()).explore().about["score"] == "UCT"


def test_a_sealed_goal_is_told_in_words():
    sealed = Sokoban("########\n#@ $ #.#\n#    # #\n########", "push")
    assert sealed.outcome_name(sealed.start()) == "not every box can get a goal"


def test_a_solved_position_offers_no_push():
    game = Sokoban("######\n#@ * #\n#    #\n######")
    squares = [(row, column) for row in range(4) for column in range(6)]
    assert all(game.action_at(game.start(), square) is None for square in squares)


# --- successors that were left out -----------------------------------------------------------------------------------


def test_a_dead_successor_is_shown_with_the_rule_and_its_squares():
    search = sv.Schokoban(CORNER)
    explorer = search.explore()
    search.run(iterations=2, progress=False)
    send(explorer, "select", node=0)
    dead = [row for row in explorer.details["left_out"]["rows"] if row["dead"]]
    (row,) = [row for row in dead if row["action"] == "Cc→Bc"]
    assert "locking tile" in row["why"]
    assert row["squares"] == "Bc"
    send(explorer, "successor", action="Cc→Bc")
    assert explorer.details["left_out"]["chosen"] == "Cc→Bc"
    assert [mark["squares"] for mark in overlays(explorer, "mark", "deadlock")] == [[[2, 1]]]
    assert explorer.position["caption"].startswith("the root, after Cc→Bc: dead by locking tile")
    cells, names = explorer.position["picture"]["cells"], explorer.position["picture"]["names"]
    assert (names[cells[2][1]], names[cells[2][2]]) == ("box", "player")
    send(explorer, "successor", action="Cc→Bc")
    assert explorer.details["left_out"]["chosen"] is None
    assert not overlays(explorer, "mark", "deadlock")


def test_a_duplicate_is_shown_with_its_node_and_both_depths(search):
    explorer = search.explore()
    iteration = go_to(search, "duplicate", "expansion")
    (known, *_) = [each for each in iteration.expansion.left_out if each.node is not None]
    row = next(row for row in explorer.details["left_out"]["rows"] if row["action"] == known.action)
    assert row["why"] == f"in the tree: node {known.node}"
    assert row["more"] == f"depth {known.known_depth} there, {known.depth} here"
    send(explorer, "successor", action=known.action)
    assert f"node {known.node} has it at depth {known.known_depth}, here {known.depth}" in explorer.position["caption"]
    assert [iteration.leaf, known.node, "context"] in explorer.tree["marks"]["links"]
    step(explorer)
    assert explorer.details["left_out"]["chosen"] is None


def test_children_and_successors_that_are_none_are_all_successors(search):
    explorer = search.explore()
    for node in (0, 2, 8, 41):
        send(explorer, "select", node=node)
        pushes = {str(push) for push in search.game.board(search.state(node)).pushes}
        rows = {row["action"] for row in explorer.details["left_out"]["rows"]}
        assert rows | {row["action"] for row in explorer.children["rows"]} == pushes


def test_a_node_that_dies_late_shows_its_deadlock():
    search = sv.Schokoban(CORNER, preset="text", seed=3)
    explorer = search.explore()
    search.run(iterations=12, progress=False)
    dead = [each for each in map(search.explain, range(1, search.last + 1)) if each.elimination and each.simulation]
    search.goto(dead[0].number - 1, "elimination")
    assert explorer.node == dead[0].elimination[0]
    assert overlays(explorer, "mark", "deadlock")
    assert "dead: " in explorer.position["caption"]
    assert explorer.tree["marks"]["eliminated"] == list(dead[0].elimination)


# --- subtree moves ---------------------------------------------------------------------------------------------------


def test_a_move_brings_its_table_along():
    search = sv.Schokoban(IN_AND_OUT, **IN_AND_OUT_OPTIONS)  # type: ignore[arg-type]
    explorer = search.explore()
    search.run(iterations=37, progress=False)
    search.goto(36, "expansion")
    moves = search.explain(37).expansion.moved  # type: ignore[union-attr]
    assert explorer.details["suggested"] == "moves"
    assert len(explorer.details["moves"]) == len(moves)
    for told, move in zip(explorer.details["moves"], moves, strict=True):
        assert told["title"].startswith(f"Node {move.node} moves from node {move.former} to ")
        assert f"depth {move.depth_before} → {move.depth_after}" in told["note"]
        left, joined = told["chains"]
        assert [row["node"] for row in left["rows"]] == [shift.node for shift in move.old_chain]
        assert [row["node"] for row in joined["rows"]] == [shift.node for shift in move.new_chain]
        assert {row["node"] for row in left["rows"] if row["state"] == "eliminated"} == set(move.eliminated)
        assert left["rows"][-1]["state"] == joined["rows"][-1]["state"] == "in both"
    step(explorer)
    assert (explorer.details["suggested"], explorer.details["moves"]) == ("children", [])


# --- the solution ----------------------------------------------------------------------------------------------------


def test_the_solution_plays_push_by_push_with_its_nodes(search):
    explorer = search.explore()
    assert explorer.solution == {"pushes": 8, "moves": 27, "at": 8, "shown": False}
    line = search.solution_line
    board = sv.Board(search.level)
    for push in range(9):
        send(explorer, "solution", push=push)
        assert (explorer.node, explorer.solution["at"], explorer.solution["shown"]) == (line[push].node, push, True)
        assert explorer.tree["marks"]["path"] == [waypoint.node for waypoint in line]
        board.restart()
        board.play(line[push].moves)
        assert explorer.position["picture"]["cells"] == board.picture().to_json()["cells"]
        walked = len(line[push].moves) - len(line[push - 1].moves) if push else 0
        assert [len(way) for way in explorer.position["ways"]] == ([walked + 1] * 2 if push else [])
    assert board.is_solved
    assert explorer.follow is True


def test_the_path_of_the_solution_is_unfolded(search):
    explorer = search.explore(max_depth=2)
    search.goto(search.last)
    send(explorer, "solution", push=0)
    assert {waypoint.node for waypoint in search.solution_line} <= set(shown(explorer))


def test_a_node_on_the_path_moves_the_board_and_another_ends_it(search):
    explorer = search.explore()
    send(explorer, "solution", push=2)
    line = search.solution_line
    send(explorer, "select", node=line[5].node)
    assert (explorer.solution["at"], explorer.solution["shown"]) == (5, True)
    assert explorer.position["ways"]
    send(explorer, "select", node=1)
    assert (explorer.solution["at"], explorer.solution["shown"]) == (None, False)
    assert explorer.tree["marks"]["path"] == []


def test_there_is_no_solution_before_it_is_found(search):
    explorer = search.explore()
    send(explorer, "solution", push=3)
    step(explorer, "iteration", -1)
    assert explorer.solution["pushes"] == 0
    assert explorer.tree["marks"]["path"] == []
    send(explorer, "solution", push=3)
    assert explorer.solution["shown"] is False


def test_the_line_of_a_solution_is_the_solution(search):
    line = search.solution_line
    assert line[-1].moves == search.solution.lurd
    assert line[0] == (0, "", search.level.player)
    assert sv.Schokoban(sv.load("lessons#7")).solution_line == ()


# --- events ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("event", ["move", "elimination", "duplicate", "deadlock"])
def test_events_are_jumped_to_and_back_and_shown_in_their_phase(search, event):
    explorer = search.explore()
    history = search.history
    numbers = [int(k) for k in history.index[history[event]]]
    search.goto(0)
    for number in numbers[:4]:
        send(explorer, "run", to=event)
        wait_for(lambda number=number: f"in iteration {number}; stopped" in explorer.record["text"])
        assert (explorer.iteration, explorer.phase) == (
            number - 1,
            "elimination" if event == "elimination" else "expansion",
        )
    for number in reversed(numbers[:3]):
        send(explorer, "previous", to=event)
        assert (explorer.iteration, explorer.phase != "") == (number - 1, True)
        assert f"in iteration {number}; stopped" in explorer.record["text"]
    send(explorer, "previous", to=event)
    assert explorer.iteration == numbers[0] - 1
    assert explorer.record["text"].startswith("No ")
    assert explorer.record["text"].endswith(f" before iteration {numbers[0]}.")


def test_the_solution_is_jumped_to(search):
    explorer = search.explore()
    search.goto(3)
    send(explorer, "run", to="solution")
    wait_for(lambda: "Solution in iteration 346" in explorer.record["text"])
    assert (explorer.iteration, explorer.phase) == (346, "")
    search.goto(345)
    send(explorer, "run", to="move")
    wait_for(lambda: explorer.record["text"] == "No subtree move before the solution at iteration 346.")


def test_an_event_that_never_comes_is_told():
    search = sv.Schokoban("######\n#@ $ #\n#  #.#\n######")
    explorer = search.explore()
    send(explorer, "run", to="move")
    wait_for(lambda: explorer.record["text"] == "No subtree move up to iteration 2.")
    send(explorer, "run", to="move")
    assert "nothing is left to search" in explorer.record["text"]
    with pytest.raises(sv.errors.SearchError, match="kind of event"):
        search.previous_event("birthday", 2)
