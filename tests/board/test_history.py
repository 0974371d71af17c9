"""The line of moves behind undo and redo."""

from sokoviz.history import History


def history_of(*actions):
    """A history with some actions done."""
    history = History()
    for action in actions:
        history.add(action)
    return history


def test_an_action_is_undone_as_a_whole():
    history = history_of("rr", "uR")
    assert (history.done, history.stop_before()) == ("rruR", 2)
    history.cursor = 2
    assert (history.undone, history.stop_before(), history.stop_behind()) == ("uR", 0, 4)


def test_moves_added_one_by_one_are_undone_one_by_one():
    history = History()
    history.add("rUl", one_by_one=True)
    assert history.stop_before() == 2


def test_a_new_action_forgets_what_was_undone():
    history = history_of("rr", "uR")
    history.cursor = 2
    history.add("d")
    assert (history.line, history.undone, history.stop_behind()) == ("rrd", "", 3)


def test_a_new_action_within_an_old_one_keeps_the_part_before_it():
    history = history_of("rrrr")
    history.cursor = 2
    history.add("d")
    assert history.stop_before() == 2
    history.cursor = 2
    assert history.stop_before() == 0


def test_no_moves_are_no_action():
    history = history_of("r", "")
    assert history.stop_before() == 0


def test_at_the_ends_nothing_is_left_to_undo_or_redo():
    history = history_of("r")
    assert history.stop_behind() == 1
    history.cursor = 0
    assert history.stop_before() == 0
