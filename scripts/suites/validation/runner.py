# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the cases that have no result yet, in a pool of processes; every result is on disk before the next is told."""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any

from lope.addon.errors import EngineError

from .case import Case, code_version
from .kinds import run

RESULTS, TAKES = "results.jsonl", "takes"
SIMULATED_PER_CPU = 4.5
"""Simulated seconds a second of processor time, for the estimate before the first result."""
PUSH_RUNS = 3.5
"""Simulations that one cell of a push map takes, on the average."""
BENCH_RUNS = 20
"""Simulations that the benchmark takes, about: repeats, worlds, and the plain stepping."""
ALONE = "bench"
"""The kind of case that runs before the others, with nothing beside it: it measures time."""


def results_in(folder: Path) -> dict[str, dict[str, Any]]:
    """Results by key, the last of each; a line cut short by a stop is passed over."""
    found = {}
    path = folder / RESULTS
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                result = json.loads(line)
            except ValueError:
                continue
            found[result["key"]] = result
    return found


def by_name(folder: Path) -> dict[str, dict[str, Any]]:
    """Results by the case's name, the last of each, whatever code made them."""
    return {result["name"]: result for result in results_in(folder).values()}


def missing(cases: Iterable[Case], folder: Path) -> list[Case]:
    """Cases without a result, or whose result is an error or lacks its take; each shot once, the longest last."""
    done = results_in(folder)
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
    old = {result["name"]: result["key"] for result in results_in(folder).values()}
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
