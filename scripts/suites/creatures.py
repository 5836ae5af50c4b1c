# SPDX-License-Identifier: GPL-3.0-or-later
"""Which creatures walk by the quick law, and whether gravity is similarity, as a table.

    scripts/check creatures [walks|planets|robust ...] [--shapes FILE.json ...] [--random 20] [--minutes 5] [--only TEXT ...]
                            [--out out/creatures] [--anew]

`walks`: the shipped creatures, those of `--shapes` (as `lope creature from` writes them of rigs) and so many drawn at random;
each is searched for so many minutes of processor time at most and then tried for 30 s on Earth and on the Moon from 8 noisy
starts. `planets`: the shipped ones' gaits on five planets, scaled; and on the Moon and Jupiter by the law of Earth, which must
fall. `robust`: the shipped ones on Earth, pushed from eight sides, up and down, over ground that changes every metre, turning; by
torques, and by muscles where a gait is stored. Results, gaits and takes are kept in the folder; what is there is not done again,
and a search that was stopped goes on. Exit code 1 where fewer walk than must, or a shipped one lacks something.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lope.addon.bodies.creature.template import find_creature, random_creature
from lope.addon.files import write_whole
from lope.scripts.suites.validation.creatures import ROWS, SHARE, WALKS, cases, fill, table


def main() -> int:
    """Do what is missing, tell it line by line, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of {', '.join(ROWS)} (default: all)")
    parser.add_argument("--shapes", nargs="*", default=[], metavar="FILE.json", help="more creatures, such as rigs'")
    parser.add_argument("--random", type=int, default=20, metavar="N", help="so many drawn at random (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=5.0, help="processor time of a search at most (default: %(default)g)")
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="only creatures whose names hold one of these")
    parser.add_argument("--out", type=Path, default=Path("out/creatures"), help="default: %(default)s")
    parser.add_argument("--anew", action="store_true", help="do again what there are results of")
    args = parser.parse_args()
    rows = args.rows or list(ROWS)
    unknown = sorted(set(rows) - set(ROWS))
    if unknown:
        parser.error(f"there is no row {unknown[0]}; known: {', '.join(ROWS)}")
    drawn = {Path(name).stem: find_creature(name) for name in args.shapes}
    drawn |= {f"random_{seed:02}": random_creature(seed) for seed in range(1, args.random + 1)}
    wanted = [case for case in cases(rows, drawn, args.minutes)
              if not args.only or any(text in case.name for text in args.only)]
    results = []
    for result in fill(wanted, args.out, args.anew):
        results.append(result)
        print(f"{'holds' if result.get('held') else 'FAILS'}  {result['row']}: {result['name']}", file=sys.stderr, flush=True)
    written = table(results)
    write_whole(args.out / "creatures.md", written + "\n", "table")
    print(written)
    walk = [bool(result.get("held")) for result in results if result["row"] == WALKS]
    enough = not walk or sum(walk) >= SHARE * len(walk)
    return 0 if enough and all(result.get("held") for result in results if result["row"] != WALKS) else 1


if __name__ == "__main__":
    sys.exit(main())
