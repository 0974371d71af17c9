"""Compile all kernels of the package, in as many processes as there are cores."""

from __future__ import annotations

import argparse
import os
import sys

from sokoviz.warm.groups import GROUPS
from sokoviz.warm.pool import Pool, n_cores, read_until_closed, work

NICENESS = 3  # whoever waits for a kernel in a notebook comes first; more, and what he waits for is starved


def main() -> int:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m sokoviz.warm", description=__doc__)
    parser.add_argument("--processes", metavar="N", type=int, default=n_cores(), help="how many (one a core)")
    parser.add_argument("--measure", action="store_true", help="record what each piece takes, with an empty cache")
    parser.add_argument("--behind", action="store_true", help="leave the processor to others; end with the input")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.behind:
        os.nice(NICENESS)
    if options.worker:
        work(GROUPS)
    if options.measure:
        from sokoviz.warm.measuring import measure

        measure()
        return 0
    return compile_all(options.processes, is_behind=options.behind)


def compile_all(n_processes: int, *, is_behind: bool) -> int:
    """Compile all groups, those first that are named on the input, parted by tabs; return the exit status."""
    pool = Pool(GROUPS)
    if is_behind:
        read_until_closed(sys.stdin, lambda line: pool.prefer(line.split("\t")))
        failed = pool.run(n_processes)
    else:
        from sokoviz.core.compiling.outlook import ALL
        from sokoviz.search.loading import Announcement
        from sokoviz.search.progress import saying

        with saying(Announcement("kernels", is_compiled=False, group=ALL)):
            failed = pool.run(n_processes)
    if failed:
        sys.stderr.write(f"could not compile: {', '.join(failed)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
