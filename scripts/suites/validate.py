#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the acceptance matrix, keep every result, and write what was found as a page.

    scripts/validate                          everything that has no result yet; writes docs/validation.md
    scripts/validate --rows 1,3 --workers 2   some rows; writes OUT/validation.md
    scripts/validate --rows 1 --only jupiter  of these rows the cases whose name holds a word
    scripts/validate --quick                  a short slice of each row, for the CI
    scripts/validate --list                   what would be run, and how long it will take

Results are lines of OUT/results.jsonl under a key made from shot and code, so that a stop costs nothing and a change of the
code runs the cases anew; --any-version takes old results too. Takes that `lope report --matrix` shows lie in OUT/takes.
Exit code 0 where every row asked for holds, 1 where one does not, 2 for bad input.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

import own_python

ROOT = Path(__file__).resolve().parents[1]
try:
    from lope.addon.errors import LopeError
    from validation.case import code_version
    from validation.document import WORDS, document
    from validation.rows import ROWS, quick
    from validation.runner import by_name, estimate_s, missing, results_in, run_missing
    from validation.verdicts import judge
except ImportError as absent:
    own_python.start_again(absent)

QUICK_S, QUICK_CASES = 4.5, 1


def main() -> int:
    """Run, judge, write."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as a stop by the user: no worker is left behind
    options = parse()
    cases = {number: [c for c in ROWS[number].cases() if options.only in c.name] for number in options.rows}
    if options.quick:
        cases = {number: [quick(case, QUICK_S) for case in some[:QUICK_CASES]] for number, some in cases.items()}
    todo = [] if options.no_run else missing([case for some in cases.values() for case in some], options.out)
    if options.list:
        return show(todo, options.workers)
    if todo:
        run_missing(todo, options.out, options.workers)
    results = results_in(options.out)
    if options.any_version:
        names = by_name(options.out)
        results = {case.key: names[case.name] for some in cases.values() for case in some if case.name in names} | results
    verdicts = [(ROWS[number], judge(ROWS[number], some, results)) for number, some in cases.items()]
    versions = {results[case.key]["version"] for some in cases.values() for case in some if case.key in results}
    options.page.parent.mkdir(parents=True, exist_ok=True)
    options.page.write_text(document(verdicts, versions, options.quick), encoding="utf-8")
    for row, verdict in verdicts:
        holds = WORDS[verdict.holds].strip("*")
        print(f"row {row.number:2}: {verdict.passed} of {verdict.cases} passed, {holds} ({row.what})")
    print(f"written to {options.page}", file=sys.stderr)
    return 0 if all(verdict.holds for _, verdict in verdicts) else 1


def parse() -> argparse.Namespace:
    """The options, rows as numbers and the page's place decided."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", metavar="1,3,6", help=f"of {', '.join(map(str, ROWS))} (default: all)")
    parser.add_argument("--only", default="", metavar="WORD", help="only cases whose name holds this")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "validation", metavar="OUT", help="default: %(default)s")
    parser.add_argument("--page", type=Path, metavar="FILE.md", help="where the page goes")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_CASES} case a row, {QUICK_S:g} s each on Earth")
    parser.add_argument("--any-version", action="store_true", help="also results of other code, by the case's name")
    parser.add_argument("--no-run", action="store_true", help="judge what is there, run nothing")
    parser.add_argument("--list", action="store_true", help="tell what would be run")
    options = parser.parse_args()
    whole = options.rows is None and not options.quick and not options.only
    try:
        options.rows = sorted(ROWS) if options.rows is None else [int(part) for part in options.rows.split(",")]
    except ValueError:
        parser.error(f"--rows takes numbers with commas, such as 1,3,6; got {options.rows!r}")
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        parser.error(f"there is no row {unknown[0]}; known: {', '.join(map(str, ROWS))}")
    if options.workers < 1:
        parser.error("--workers must be 1 or more")
    if options.page is None:
        options.page = ROOT / "docs" / "validation.md" if whole else options.out / "validation.md"
    return options


def show(todo: list, workers: int) -> int:
    """Print the cases that have no result."""
    for case in todo:
        print(f"{case.key}  {case.name}")
    total = sum(map(estimate_s, todo)) / 60.0
    print(f"{len(todo)} cases, code {code_version()}: about {total:.0f} min of processor time, {total / workers:.0f} min "
          f"with {workers} workers", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LopeError as error:
        print(f"validate: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("validate: stopped; what was finished is kept.", file=sys.stderr)
        sys.exit(130)
