# SPDX-License-Identifier: GPL-3.0-or-later
"""The one runner of all suites: cases x worlds x seeds are measured, their figures judged by bounds, and the rows printed.

A suite is a module of this folder with `SUITE`, a `Suite` of one or more tables. A table names its cases, measures one of them,
and bounds some of the figures; `end` adds rows about all of them, or draws. A row that breaks a bound, or that Lope refuses,
counts against the table; more of them than the share that may fail, and the suite fails. """

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import argparse
import json
import math
import multiprocessing
import operator
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from lope.addon.errors import LopeError
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot
from lope.addon.worlds.planets import load_world

Figures = dict[str, Any]
"""What was measured of a case, by name with unit: numbers, words, whether something holds, None where there is nothing."""
REFUSED = "refused"


@dataclass(frozen=True)
class Bound:
    """What a figure must be; what is no number, or is not there, breaks it."""

    sign: str
    value: Any

    def holds(self, figure: Any) -> bool:
        """Whether a figure is within it."""
        if figure is None or (isinstance(figure, float) and math.isnan(figure)):
            return self.value is None and figure is None
        if self.sign == "in":
            return bool(self.value[0] <= figure <= self.value[1])
        return bool({"<=": operator.le, ">=": operator.ge, "is": operator.eq}[self.sign](figure, self.value))

    def __str__(self) -> str:
        return f"{self.sign} {' to '.join(map(worded, self.value)) if self.sign == 'in' else worded(self.value)}"


def at_most(value: float) -> Bound:
    """Not more than that."""
    return Bound("<=", value)


def at_least(value: float) -> Bound:
    """Not less than that."""
    return Bound(">=", value)


def within(low: float, high: float) -> Bound:
    """From one to the other."""
    return Bound("in", (low, high))


def is_(value: Any) -> Bound:
    """Just that."""
    return Bound("is", value)


STANDS = {"fell_s": is_(None)}
"""The bound of somebody who must not fall."""


@dataclass(frozen=True)
class Case:
    """One thing to measure: its name, what it is to the suite, world and seed where the suite has them."""

    name: str
    what: Any = None
    world: str = ""
    seed: int | None = None

    @property
    def label(self) -> str:
        """In a few words."""
        return " ".join(str(part) for part in (self.name, self.world, self.seed) if part not in ("", None))


@dataclass
class Row:
    """A case that was measured: its figures, their bounds, and which of them are broken."""

    table: str
    case: str
    figures: Figures
    bounds: dict[str, Bound] = field(default_factory=dict)
    of_all: bool = False
    """Whether it is about all cases: then it must hold, whatever share of them may fail."""

    @property
    def broken(self) -> list[str]:
        """The figures that break their bounds; one that the case does not have is not judged."""
        return [name for name, value in self.figures.items()
                if name == REFUSED or (name in self.bounds and not self.bounds[name].holds(value))]

    def __str__(self) -> str:
        broken, cells = self.broken, []
        for name, value in self.figures.items():
            bound = f" ({self.bounds[name]})" if name in self.bounds else ""
            cells.append(f"{name} {worded(value)}{bound}{'!' if name in broken else ''}")
        return f"{'NOT' if broken else 'ok '}  {self.case:40} {'  '.join(cells)}"


@dataclass(frozen=True)
class Table:
    """Cases and how they are measured. `cases` gives names and what they are, crossed with the suite's worlds and seeds unless
    `crossed` is off; `worlds` are a table's own where none are given. `begin` puts what all cases need into the options; `end`
    makes rows of all rows."""

    cases: Callable[[argparse.Namespace], Iterable[tuple[str, Any]]]
    measure: Callable[[Case, argparse.Namespace], Figures]
    bounds: dict[str, Bound] = field(default_factory=dict)
    may_fail: float = 0.0
    crossed: bool = True
    worlds: tuple[str, ...] = ()
    begin: Callable[[argparse.Namespace], None] | None = None
    end: Callable[[list[Row], argparse.Namespace], Iterable[Row]] | None = None


@dataclass(frozen=True)
class Suite:
    """Tables by name, the suite's own options, and what `--quick` makes of them. `default` are the tables that run where none is
    named, `worlds` and `seeds` what their options are by default: none, and there is no such option. `takes`: whether takes may
    be kept. `jobs`: cases at once, 0 where they must run one after another in this process."""

    tables: dict[str, Table]
    options: Callable[[argparse.ArgumentParser], Any] = lambda parser: None
    quick: dict[str, Any] = field(default_factory=dict)
    default: tuple[str, ...] = ()
    worlds: tuple[str, ...] = ()
    seeds: int = 0
    takes: bool = False
    jobs: int = 1


def worded(value: Any) -> str:
    """A figure in words."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def parsed(suite: Suite, doc: str | None, words: list[str]) -> argparse.Namespace:
    """The options of a suite."""
    parser = parser_of(doc)
    tables = list(takewhile(lambda word: word in suite.tables, words))
    if len(suite.tables) > 1:
        parser.epilog = f"tables: {', '.join(suite.tables)} (default: {', '.join(suite.default) or 'all'})"
    suite.options(parser)
    if suite.worlds:
        parser.add_argument("--worlds", nargs="+", help=f"default: {' '.join(suite.worlds)}")
    if suite.seeds:
        parser.add_argument("--seeds", type=int, default=suite.seeds, metavar="N", help="of each case (default: %(default)s)")
    if suite.takes:
        parser.add_argument("--takes", type=Path, metavar="FOLDER", help="keep the takes there")
    if suite.jobs:
        parser.add_argument("--jobs", type=int, default=suite.jobs, metavar="N", help="cases at once (default: %(default)s)")
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="cases whose names hold one of these")
    parser.add_argument("--may-fail", type=float, metavar="SHARE", help="of the cases, in place of the suite's own")
    parser.add_argument("--keep", type=Path, metavar="FILE.jsonl", help="write rows there; what is there is not measured again")
    parser.add_argument("--quick", action="store_true", help="few cases, short: that it runs, not that it holds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    if "--quick" in words:
        parser.set_defaults(**suite.quick)
    args = parser.parse_args(words[len(tables):])
    args.tables = tables or getattr(args, "tables", None) or list(suite.default or suite.tables)
    args.suite = suite
    return args


FORKED: list[Callable[[], Figures]] = []
"""What is to be measured; processes that are forked have it, too, so that nothing of it needs to be sent."""


def forked(number: int) -> Figures:
    """The figures of a case by its number."""
    return FORKED[number]()


def measured(case: Case, table: Table, args: argparse.Namespace) -> Figures:
    """The figures of a case; Lope's sentence where it refuses one."""
    try:
        return table.measure(case, args)
    except LopeError as error:
        return {REFUSED: str(error)}


def rows_of(name: str, table: Table, args: argparse.Namespace, known: dict[tuple[str, str], Figures]) -> Iterator[Row]:
    """The rows of a table, those about single cases first."""
    if table.begin is not None:
        table.begin(args)
    worlds = (args.worlds or table.worlds or args.suite.worlds) if args.suite.worlds else [""]
    crossed = [(world, seed) for world in (worlds if table.crossed else [""])
               for seed in (range(args.seeds) if table.crossed and hasattr(args, "seeds") else [None])]
    cases = [case for text, what in table.cases(args) for world, seed in crossed
             for case in [Case(text, what, world, seed)] if not args.only or any(part in case.label for part in args.only)]
    todo = [case for case in cases if (name, case.label) not in known]
    jobs, rows = getattr(args, "jobs", 0), []
    FORKED[:] = [partial(measured, case, table, args) for case in todo]
    pool = multiprocessing.get_context("fork").Pool(jobs) if jobs > 1 and len(todo) > 1 else None
    found = iter(pool.imap(forked, range(len(todo))) if pool else map(forked, range(len(todo))))
    for case in cases:
        figures = known[name, case.label] if (name, case.label) in known else next(found)
        rows.append(Row(name, case.label, figures, table.bounds))
        yield rows[-1]
    if pool:
        pool.close()
    if table.end is not None:
        yield from (replace(row, of_all=True) for row in table.end(rows, args))


def run(suite: Suite, doc: str | None, words: list[str]) -> int:
    """Measure, print, judge: the exit code."""
    args = parsed(suite, doc, words)
    out = sys.stderr if args.json else sys.stdout
    known, rows, good = kept(args.keep), [], {}
    try:
        for name in args.tables:
            table, mine = suite.tables[name], []
            for row in rows_of(name, table, args, known):
                mine.append(row)
                print(row, file=out, flush=True)
                if args.keep is not None and not row.of_all and (name, row.case) not in known:
                    with args.keep.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps([name, row.case, row.figures], default=plain) + "\n")
            may = table.may_fail if args.may_fail is None else args.may_fail
            cases = [row for row in mine if not row.of_all]
            held, of_all = sum(not row.broken for row in cases), all(not row.broken for row in mine if row.of_all)
            good[name] = {"held": held, "cases": len(cases), "may_fail": may,
                          "ok": bool(cases) and held >= (1.0 - may) * len(cases) and of_all}
            words = (f", {may:.0%} may fail" if may else "") + ("" if of_all else ", not of all")
            print(f"{name}: {held} of {len(cases)}{words}", file=out, flush=True)
            rows += mine
    except LopeError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    ok = all(one["ok"] for one in good.values())
    if args.json:
        told = [{"table": row.table, "case": row.case, "figures": row.figures, "broken": row.broken, "ok": not row.broken,
                 "bounds": {name: str(bound) for name, bound in row.bounds.items()}} for row in rows]
        print(json.dumps({"ok": ok, "tables": good, "rows": told}, default=plain))
    return 0 if ok else 1


def kept(file: Path | None) -> dict[tuple[str, str], Figures]:
    """The figures that a file holds."""
    if file is None or not file.is_file():
        return {}
    return {(table, case): figures for table, case, figures in map(json.loads, file.read_text(encoding="utf-8").splitlines())}


def plain(value: Any) -> Any:
    """What JSON does not know: numpy's numbers, paths."""
    return value.item() if hasattr(value, "item") else asdict(value) if hasattr(value, "__dataclass_fields__") else str(value)


def slowness(world: str) -> float:
    """How many times as long things take in a world as on Earth."""
    return math.sqrt(EARTH_GRAVITY_M_S2 / load_world(world).gravity_m_s2)


def simulated(shot: Shot, case: Case, args: argparse.Namespace, run: Callable[[Shot], Take] = simulate) -> tuple[Take, Figures]:
    """The take of a shot, kept where takes are; and when it fell [s], None where it did not, with CPU seconds a simulated one."""
    began = time.process_time()
    take = run(shot)
    cpu_s = time.process_time() - began
    if getattr(args, "takes", None) is not None:
        args.takes.mkdir(parents=True, exist_ok=True)
        take.save(args.takes / f"{case.label.replace(' ', '-').replace('%', '').replace('/', '-')}.npz")
    fell = take.stats["time_fell_s"] if take.lost is None else float(take.time_s[-1])
    return take, {"fell_s": fell, "cpu_s_per_s": cpu_s / max(float(take.time_s[-1]), 1e-9)}
