"""Write tests/data/golden_trees.json: trees of the naive search, for the compiled one to grow again exactly.

Run it from the checkout with ``python -m tests.data.make_golden_trees``.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.twins import naive_games, naive_mcts

PATH = Path(__file__).resolve().parent / "golden_trees.json"

EMPTY = ".../.../..."
MIDDLE = "X.O/.X./..O"
WON = "XXX/OO./..."

# The course of appendix B: a draw at the root, then the nine children with the outcomes of table B.1, node 2 first.
APPENDIX_B = {"choices": [2, 1, 3, 4, 5, 6, 7, 8, 9, 7], "outcomes": [0, -1, 0, 1, 1, -1, 0, 1, 0, -1]}

SETTINGS = (
    *({"iterations": n, "seed": 1} for n in (0, 1, 2, 10, 11, 30)),
    {"iterations": 300, "seed": 1},
    {"iterations": 300, "seed": 2**64 - 1, "c": 0.5},
    {"iterations": 300, "seed": 0, "c": 0.0},
    {"iterations": 200, "seed": 7, "c": 8.0},
    {"iterations": 250, "seed": 3, "selection": "ucb1", "c": 1.4},
    {"iterations": 250, "seed": 4, "selection": "program", "c": 8.0},
    {"iterations": 250, "seed": 5, "selection": "puct", "c": 1.25},
    {"iterations": 300, "seed": 6, "position": MIDDLE},
    {"iterations": 40, "seed": 8, "position": "XOX/OXO/OX."},
    {"iterations": 5, "seed": 9, "position": WON},
    {"iterations": 60, "seed": 10, "script": APPENDIX_B},
    {"iterations": 200, "seed": 11, "digits": 4, "c": 3.0},
    {"iterations": 120, "seed": 12, "digits": 5, "selection": "puct"},
)


def grow(case):
    """The naive search of a case, run to its end."""
    if "digits" in case:
        rules, board, players = naive_mcts.digits(case["digits"]), (), 1
    else:
        rules, board, players = naive_mcts.TIC_TAC_TOE, naive_games.read(case.get("position", EMPTY)), 2
    options = {name: case[name] for name in ("c", "seed", "selection") if name in case}
    search = naive_mcts.NaiveSearch(rules, board, players=players, **options, **case.get("script", {}))
    return search.run(case["iterations"])


def describe(search):
    """A tree in few words: for each expanded node its children's actions, for each visited one visits and sum."""
    expanded = sorted((node for node in search.nodes if node.children), key=lambda node: node.children[0].number)
    return {
        "expanded": [[node.number, *(child.action for child in node.children)] for node in expanded],
        "visited": [[node.number, node.visits, node.total] for node in search.nodes if node.visits],
        "random_numbers": search.n_draws,
    }


def main():
    """Grow and write."""
    trees = [{"settings": case, **describe(grow(case))} for case in SETTINGS]
    PATH.write_text("[\n" + ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in trees) + "\n]\n")


if __name__ == "__main__":
    main()
