"""Write tests/data/golden_schokoban.json: journals of the naive search, for the compiled one to write again exactly.

Run it from the checkout with ``python -m tests.data.make_golden_schokoban``. The levels stand in the file as text, so
that an edit of the collection of lessons does not change what the trees mean.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.twins.naive_schokoban import THESIS_TESTS, NaiveSchokoban

PATH = Path(__file__).resolve().parent / "golden_schokoban.json"

# Lessons 12 and 15, and a room without inner walls.
GOAL_ROOM = "##########\n#    #####\n# $$  ...#\n#@$  #####\n#    #    \n######    "
WRONG_WAY_UP = "########\n#@ #   #\n#  $ . #\n# $#   #\n# . ####\n#####   "
OPEN_ROOM = "########\n#      #\n# $  . #\n#  @ $.#\n#      #\n########"

SCHOKOBAN = {"c": 8.0, "selection": "program", "repeats": "once", "deadlocks": THESIS_TESTS}
AS_WRITTEN = {"c": 2.0, "selection": "uct", "repeats": "once", "deadlocks": THESIS_TESTS}
VANILLABAN = {"c": 8.0, "selection": "program", "repeats": "not on path", "deadlocks": THESIS_TESTS}

CASES = (
    {"level": GOAL_ROOM, "iterations": 115, "options": {**SCHOKOBAN, "seed": 0}},
    {"level": GOAL_ROOM, "iterations": 60, "options": {**SCHOKOBAN, "seed": 3}},
    {"level": GOAL_ROOM, "iterations": 70, "options": {**AS_WRITTEN, "seed": 2, "late": True, "remembered": False}},
    {"level": GOAL_ROOM, "iterations": 70, "options": {**VANILLABAN, "seed": 3, "stall": True}},
    {"level": WRONG_WAY_UP, "iterations": 40, "options": {**SCHOKOBAN, "seed": 4}},
    {"level": WRONG_WAY_UP, "iterations": 60, "options": {**AS_WRITTEN, "seed": 5, "late": True, "distance": "push"}},
    {"level": OPEN_ROOM, "iterations": 60, "options": {**SCHOKOBAN, "seed": 6}},
    {"level": OPEN_ROOM, "iterations": 60, "options": {**AS_WRITTEN, "seed": 7, "c": 0.5, "deadlocks": ()}},
    {"level": OPEN_ROOM, "iterations": 50, "options": {**VANILLABAN, "seed": 8, "repeats": "anywhere"}},
)


def grow(case):
    """The tree of a case, and what each iteration did, in a form that JSON keeps."""
    twin = NaiveSchokoban(case["level"], **case["options"])
    made = [twin.iterate() for _ in range(case["iterations"])]
    return {
        **twin.table(),
        "random_numbers": twin.n_draws,
        "events": [iteration.events for iteration in made],
        "solved_at": next((number for number, one in enumerate(made, start=1) if one.ended == "solved"), 0),
    }


def main():
    """Grow and write."""
    lines = [json.dumps({"case": case, "grown": grow(case)}, separators=(",", ":")) for case in CASES]
    PATH.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
