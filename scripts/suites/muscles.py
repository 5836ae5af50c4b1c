# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies can do that muscles move, as a table: curves and arms, speed, skills, pushes, effort.

    scripts/check muscles [curves|speed|skills|pushes|effort ...] [--seconds 60] [--only TEXT ...] [--out out/muscles]

`curves`: the tests of curves, mechanics and moment arms; `speed`: simulated seconds a second of processor time of both sets
(with nothing else running); `skills`: seven on Earth and two on the Moon, so many seconds; `pushes`: of 0.2 s at the pelvis, 80 N
walking and 160 N running, four directions; `effort`: MET of the skills. Results and takes are kept in the folder; what is there
already, from the same code, is not done again. Exit code 1 where anything does not hold.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lope.addon.files import write_whole
from lope.scripts.suites.validation.muscles import EFFORT, ROWS, cases, effort_lines, fill, table


def main() -> int:
    """Do what is missing, tell it line by line, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each skill (default: %(default)g)")
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="only cases whose names hold one of these")
    parser.add_argument("--out", type=Path, default=Path("out/muscles"), help="default: %(default)s")
    args = parser.parse_args()
    rows = args.rows or list(ROWS)
    unknown = sorted(set(rows) - set(ROWS))
    if unknown:
        parser.error(f"there is no row {unknown[0]}; known: {', '.join(ROWS)}")
    wanted = [case for case in cases(rows, args.seconds) if not args.only or any(text in case.name for text in args.only)]
    results = []
    for result in fill(wanted, args.out):
        results.append(result)
        print(f"{'holds' if result['held'] else 'FAILS'}  {result['row']}: {result['name']}", file=sys.stderr, flush=True)
    written = table(results, rows)
    write_whole(args.out / "muscles.md", written + "\n", "table")
    print(written)
    ranked = [line for line in effort_lines(results) if EFFORT in rows]
    return 0 if all(result["held"] for result in results) and not any(line.endswith("| no |") for line in ranked) else 1


if __name__ == "__main__":
    sys.exit(main())
