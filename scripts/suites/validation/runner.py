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

Every figure of the page comes from a run, none is typed. Behind them stands `by_hand.md`, what was measured of gaits from key
poses, of standing and hits, of muscles, of creatures and of foot pressure, which names its commands.
"""

from __future__ import annotations

from lope.addon.files import write_whole
from lope.scripts.tools.common import ROOT, parser_of

# isort: split
import argparse
import json
import multiprocessing
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import Any

from lope.addon.errors import EngineError, LopeError

from .case import LIBRARIES, Case, code_version, results_in
from .kinds import run
from .rows import ROWS, Row, quick
from .verdicts import Verdict, judge

RESULTS, TAKES = "results.jsonl", "takes"
SIMULATED_PER_CPU = 4.5
"""Simulated seconds a second of processor time, for the estimate before the first result."""
PUSH_RUNS = 3.5
"""Simulations that one cell of a push map takes, on the average."""
BENCH_RUNS = 20
"""Simulations that the benchmark takes, about: repeats, worlds, and the plain stepping."""
ALONE = "bench"
"""The kind of case that runs before the others, with nothing beside it: it measures time."""


def by_name(folder: Path) -> dict[str, dict[str, Any]]:
    """Results by the case's name, the last of each, whatever code made them."""
    return {result["name"]: result for result in results_in(folder / RESULTS).values()}


def missing(cases: Iterable[Case], folder: Path) -> list[Case]:
    """Cases without a result, or whose result is an error or lacks its take; each shot once, the longest last."""
    done = results_in(folder / RESULTS)
    wanted: dict[str, Case] = {}
    for case in cases:
        old = done.get(case.key)
        lost = case.keep and not (folder / TAKES / f"{case.key}.npz").is_file()
        if old is None or old["error"] or lost:
            known = wanted.get(case.key)
            wanted[case.key] = case if known is None or case.keep else known
    return sorted(wanted.values(), key=estimate_s)


def estimate_s(case: Case) -> float:
    """Processor time [s] that a case will take, about."""
    if case.kind == ALONE:
        return BENCH_RUNS * case.shot.duration_s / SIMULATED_PER_CPU
    seconds = PUSH_RUNS * 15.0 if case.kind == "push" else case.shot.duration_s
    return seconds / SIMULATED_PER_CPU


def run_missing(cases: list[Case], folder: Path, workers: int) -> None:
    """Run them and append each result to the folder's file. A stop by the user loses only what was running."""
    folder.mkdir(parents=True, exist_ok=True)
    left, start = sum(map(estimate_s, cases)), time.monotonic()
    total = left
    old = {result["name"]: result["key"] for result in results_in(folder / RESULTS).values()}
    work = partial(run, folder=folder / TAKES, version=code_version())
    by_key = {case.key: case for case in cases}
    with (folder / RESULTS).open("a", encoding="utf-8") as out:
        for number, result in enumerate(in_turn(work, list(by_key.items()), workers), 1):
            out.write(json.dumps(result) + "\n")
            out.flush()
            left -= estimate_s(by_key[result["key"]])
            if old.get(result["name"], result["key"]) != result["key"]:  # a take that other code made
                (folder / TAKES / f"{old[result['name']]}.npz").unlink(missing_ok=True)
            wall = time.monotonic() - start
            eta = wall * max(left, 0.0) / max(total - left, 1e-9) / 60.0
            print(f"[{number}/{len(cases)}] {told(result)}; about {eta:.0f} min left", file=sys.stderr, flush=True)


def in_turn(work: Callable, jobs: list[tuple[str, Case]], workers: int) -> Iterator[dict[str, Any]]:
    """Results as they come: what must run alone first, in this process, then the others in `workers` processes.

    Raises EngineError where a process dies; a stop by the user ends the processes at once.
    """
    yield from (work(job) for job in jobs if job[1].kind == ALONE)
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        waiting = [pool.submit(work, job) for job in jobs if job[1].kind != ALONE]
        for future in as_completed(waiting):
            yield future.result()
    except BrokenProcessPool as error:
        raise EngineError("A process died under its case: out of memory, or a fault in a compiled engine. What was finished is "
                          "kept; run again, with --workers 1 to see which case it is.") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()


def told(result: dict[str, Any]) -> str:
    """One result in a line."""
    if result["error"]:
        return f"{result['name']}: {result['error']}"
    if result["kind"] == "push":
        return f"{result['name']}: survives {result['survived_m_s']:g} m/s"
    if result["kind"] == "bench":
        return f"{result['name']}: {result['ratios']}"
    measures = result["measures"]
    if not result["stood"]:
        return f"{result['name']}: fell after {measures['time_fell_s']:.1f} s"
    speed = measures["mean_speed_m_s"]
    return f"{result['name']}: stood" + (f", {speed:.2f} m/s" if speed is not None else "")


HEAD = """# What was measured

Written by `scripts/validate` from its own runs; do not edit. `scripts/validate` runs what has no result yet, `--rows 1,3`
some of it. A case that Lope refuses counts as failed, and its sentence is given. Row 10, tuning, has its own command."""
BY_HAND = Path(__file__).with_name("by_hand.md")
WORDS = {True: "holds", False: "**does not hold**", None: "not all run"}


def document(verdicts: list[tuple[Row, Verdict]], versions: set[str], quick: bool) -> str:
    """The page as Markdown."""
    made = f"Code {', '.join(sorted(versions)) or code_version()}; Python {platform.python_version()}, " + ", ".join(
        f"{name} {metadata.version(name)}" for name in LIBRARIES) + "."
    parts = [HEAD, made]
    if quick:
        parts.append("**A quick slice: shots are short and few; it shows that the rows run, not that they hold.**")
    parts.append(markdown_table([["row", "measured", "must be", "passed", "verdict"]] + [
        [str(row.number), row.what, row.must, f"{v.passed} of {v.cases}", WORDS[v.holds]] for row, v in verdicts]))
    parts += [section(row, verdict) for row, verdict in verdicts]
    parts.append(BY_HAND.read_text(encoding="utf-8").strip())
    return "\n\n".join(parts) + "\n"


def section(row: Row, verdict: Verdict) -> str:
    """One row's figures."""
    lines = [f"## Row {row.number}: {row.what}", f"Must be: {row.must}. {verdict.passed} of {verdict.cases} passed: "
             f"{WORDS[verdict.holds]}." + (f" {verdict.missing} without a result." if verdict.missing else "")]
    lines += verdict.figures
    if verdict.failures:
        lines.append("Did not pass:\n\n" + "\n".join(f"- {text}" for text in verdict.failures))
    for table in tables_in(verdict.table):
        lines.append(markdown_table(table))
    return "\n\n".join(lines)


def tables_in(rows: list[list[str]]) -> list[list[list[str]]]:
    """Tables of consecutive rows: one whose first cell says "case" or ends in a bracket is a head."""
    counted, number = [], 0
    for row in rows:
        number += row[0] == "case" or row[0].endswith("]")
        counted.append((number, row))
    tables = [[row for _, row in group] for _, group in groupby(counted, key=lambda pair: pair[0])]
    return [table for table in tables if len(table) > 1]


def markdown_table(rows: list[list[str]]) -> str:
    """A Markdown table, its first row the head."""
    head, *body = ([cell.replace("|", "/") for cell in row] for row in rows)
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body])


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
    results = results_in(options.out / RESULTS)
    if options.any_version:
        names = by_name(options.out)
        results = {case.key: names[case.name] for some in cases.values() for case in some if case.name in names} | results
    verdicts = [(ROWS[number], judge(ROWS[number], some, results)) for number, some in cases.items()]
    versions = {results[case.key]["version"] for some in cases.values() for case in some if case.key in results}
    options.page.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.page, document(verdicts, versions, options.quick), "page")
    for row, verdict in verdicts:
        holds = WORDS[verdict.holds].strip("*")
        print(f"row {row.number:2}: {verdict.passed} of {verdict.cases} passed, {holds} ({row.what})")
    print(f"written to {options.page}", file=sys.stderr)
    return 0 if all(verdict.holds for _, verdict in verdicts) else 1


def parse() -> argparse.Namespace:
    """The options, rows as numbers and the page's place decided."""
    parser = parser_of(__doc__)
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
