"""``sokoviz study``: run what the papers report again, and set the figures side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

STUDIES = {"schokoban-A": "tables A.1 and A.2: the size of the search space of 160 levels"}


def add_study_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``study``."""
    parser = subparsers.add_parser(
        "study",
        help="run a paper's tables again, beside the published figures",
        description="Studies: " + "; ".join(f"{name} ({what})" for name, what in STUDIES.items()) + ". The levels are "
        "looked for in the folder SOKOVIZ_LEVELS and among the downloaded collections.",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    run = actions.add_parser("run", help="run a study and print its report")
    run.add_argument("study", metavar="STUDY", choices=sorted(STUDIES), help=f"one of: {', '.join(STUDIES)}")
    run.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Run the only study there is."""
    from sokoviz.experiments.appendix_a import report

    del options
    print(report())
    return 0
