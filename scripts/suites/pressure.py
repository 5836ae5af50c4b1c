# SPDX-License-Identifier: GPL-3.0-or-later
"""How well motions are known by the pressure under their feet: another body's, at another pace, with noise; delay and cost.

    scripts/check pressure [told stream ...] CLIPS [--db DB.npz] [--sessions small tall ...] [--out out/pressure]

The database is that of the folder of clips (`lope pressure index`), or the one that is named, made of the same clips. A
session is the same clips simulated anew: by a small body (`small`), by a tall and heavy one 15 % slower (`tall`), by a
light one 13 % faster (`quick`), by a short and heavy one (`stocky`); starts are disturbed; followed, or on rails where
that falls; the sensors are of 8 bits with a deviation of one count. So every motion is judged by another occurrence of
it. One counts as right when most of the frames that are told to be a motion are of its clip, type and extent, and of no
other; quiet stance when no motion is told. By type alone it is right when the clip is of the same kind. Offline: all
frames known; streamed: 10 frames later, from nothing but the frames so far. A mat, and insoles.

Recordings are several clips of a session one after another with quiet stance between, in a drawn order; a motion is
where the body moves. A false alarm is a motion told wholly within stance. The onset is off by the time from where the
body begins to move to where what is told does.

Every clip is also judged by a database without it: what is told of it then, and of how many pieces that is doubted
(`addon/motions/pressure/synthesis.py`).

What was simulated is kept in the folder, and the tables of what was told instead of what, OUT/pressure-SENSOR.md. On the mat 85 %
offline and 80 % streamed must be right, the delay must be within 1 s, the cost within 10 % of a processor.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from lope.addon.files import write_whole
from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.features import FrameFeatures, features_of
from lope.addon.motions.pressure.images import MAT_RATE_HZ, Pressure
from lope.addon.motions.pressure.recognition import AHEAD, QUIET, Match, Recogniser, Stream, recognised, streamed
from lope.addon.motions.pressure.synthesis import UNKNOWN, rows_of, runs_of
from lope.addon.search.pressed_clips import ON_RAILS
from lope.scripts.suites.pressed import (
    REFERENCE,
    SESSIONS,
    Moves,
    Occurrence,
    Recording,
    clips_and_database,
    load,
    occurrence,
    recordings,
)
from lope.scripts.suites.runner import Case, Figures, Suite, Table, at_least, at_most

KINDS = {"karate": "karate", "_kick": "kick", "push_back": "pushed from ahead", "push_fwd": "pushed from behind",
         "steps_queue": "small steps", "weight_shift": "weight shift"}
"""What kind of motion a clip is of, by its name; one of no such name is its own kind."""
STANDS = "quiet"
LEAST_FRAMES = 6
"""Fewer frames than half a second that are told to be a motion are none."""
ALARM_FRAMES = 3
"""From so many on a synthesis shows them."""
BESIDE = 9
"""Frames before and after a motion in which neither it nor stance is wrong: a clip's own lead."""
EACH = 5
"""Motions of a recording."""
WAYS = {"offline": recognised, "streamed": streamed}
ASKED = {"offline": 0.85, "streamed": 0.8}
MOST_DELAY_S, MOST_COST = 1.0, 0.1


def kind(clip: str) -> str:
    """The kind of a clip."""
    return next((called for part, called in KINDS.items() if part in clip), Path(clip).stem)


def told(database: Database, matches: list[Match]) -> tuple[str, float]:
    """The clip that most frames are told to be of, `STANDS` where hardly any is a motion, and its share of those frames."""
    clips = [database.active[match.row].source for match in matches if match.row != QUIET]
    if len(clips) < LEAST_FRAMES:
        return STANDS, 1.0
    names, counts = np.unique(clips, return_counts=True)
    return str(names[counts.argmax()]), float(counts.max() / len(clips))


def cost(recogniser: Recogniser, pressure: Pressure) -> float:
    """The share of one processor that a stream of this pressure needs, from image to match."""
    frames, stream = FrameFeatures(pressure), Stream(recogniser)
    began = time.process_time()
    for image in pressure.images:
        stream.push(frames.of(image))
    return (time.process_time() - began) / (len(pressure) / pressure.rate_hz)


class Tally:
    """What was told of what, by what it was made of: a way, a sensor and a session."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str, bool]] = []
        self.rails: list[bool] = []

    def add(self, session: str, way: str, wanted: str, found: str, share: float, rails: bool) -> bool:
        """Whether it is right: clip and share of the frames."""
        good = found == wanted and share > 0.5
        self.rows.append((session, way, wanted, found, good))
        self.rails.append(rails)
        return good

    def share(self, way: str, session: str | None = None, by_kind: bool = False, rails: bool | None = None) -> str:
        """How many are right of how many, and the share."""
        picked = [kind(found) == kind(wanted) if by_kind else good
                  for (of, how, wanted, found, good), both in zip(self.rows, self.rails, strict=True)
                  if how == way and session in (None, of) and rails in (None, both)]
        return f"{sum(picked)} of {len(picked)}, {np.mean(picked):.1%}" if picked else "-"

    def right(self, way: str) -> float:
        """The share that is right."""
        return float(np.mean([good for _, how, _, _, good in self.rows if how == way]))

    def kinds(self, way: str) -> list[str]:
        """Wanted kinds down, told kinds across."""
        pairs = Counter((kind(wanted), kind(found)) for _, how, wanted, found, _ in self.rows if how == way)
        names = sorted({one for pair in pairs for one in pair})
        return [f"| {way} | " + " | ".join(names) + " |", "|---|" + "---|" * len(names),
                *(f"| {name} | " + " | ".join(str(pairs[name, other] or "") for other in names) + " |"
                  for name in names if any(pairs[name, other] for other in names))]

    def wrong(self) -> list[str]:
        """Clips told to be other ones, the most frequent first."""
        pairs = Counter((wanted, found, how) for _, how, wanted, found, good in self.rows if not good)
        both = sorted({pair[:2] for pair in pairs}, key=lambda pair: (-sum(pairs[*pair, way] for way in WAYS), pair))
        return ["| motion | told to be | same kind | offline | streamed |", "|---|---|---|---|---|",
                *(" | ".join([f"| {Path(a).stem}", Path(b).stem if a != b else "itself, and others",
                              "yes" if kind(a) == kind(b) else "no", *(str(pairs[a, b, way]) for way in WAYS)]) + " |"
                  for a, b in both)]


class Listened:
    """Recordings by one way: what was told in motions, in stance, and how late."""

    def __init__(self) -> None:
        self.alarms, self.stance, self.told_in_stance, self.off_s = 0, 0, 0, list[float]()

    def add(self, database: Database, begins: list[int], one: Recording, matches: list[Match]) -> list[tuple[str, str, float]]:
        """Take a recording into account; which clip each motion was told to be, and with what share."""
        rows = np.array([match.row for match in matches])
        free = np.ones(len(rows), dtype=bool)
        for _, begin, end in one.moves:
            free[max(begin - BESIDE, 0):end + BESIDE] = False
        self.stance += int(free.sum())
        self.told_in_stance += int((rows[free] != QUIET).sum())
        moving = np.concatenate([[False], rows != QUIET, [False]]).astype(int)
        edges = np.flatnonzero(np.diff(moving))
        self.alarms += sum(end - begin >= ALARM_FRAMES and bool(free[begin:end].all())
                           for begin, end in zip(edges[::2], edges[1::2], strict=True))
        found = []
        for clip, begin, end in one.moves:
            name, share = told(database, matches[begin:end])
            found.append((clip, name, share))
            if name == clip and share > 0.5:
                began = [i for i in range(max(begin - round(MAT_RATE_HZ), 0), end)
                         if rows[i] != QUIET and matches[i].frame >= begins[rows[i]]]
                self.off_s += [(began[0] - begin) / MAT_RATE_HZ] if began else []
        return found

    def __str__(self) -> str:
        off = np.abs(self.off_s)
        return (f"{self.alarms} in {self.stance / MAT_RATE_HZ / 60.0:.1f} min | "
                f"{self.told_in_stance / max(self.stance, 1):.1%} | {np.median(self.off_s):+.2f} s | "
                f"{off.mean():.2f} s | {np.quantile(off, 0.9):.2f} s")


def begins_of(database: Database, reference: dict[str, Occurrence]) -> list[int]:
    """The frame of each known motion from which the body moves."""
    found = []
    for one in database.active:
        of = reference[one.source]
        first = round((one.counts.head["start_s"] - of.mat.start_s) * MAT_RATE_HZ)
        found.append(next((max(begin - first, 0) for begin, end in of.moves if end > first), 0))
    return found


Judged = tuple[Tally, Tally, dict[str, Listened], "Doubts", float]


def judged(database: Database, reference: dict[str, Occurrence], sessions: dict[str, list[Occurrence]], soles: bool) -> Judged:
    """Clips by themselves and in recordings, on a mat or in insoles: what was told, how recordings were, and their minutes."""
    recogniser, begins = database.recogniser(soles), begins_of(database, reference)
    still = {one.source for one in database.motions if one.quiet}
    single, several, heard, doubts, frames = Tally(), Tally(), {way: Listened() for way in WAYS}, Doubts(kind), 0
    without = _without(database, soles)
    for number, (session, ones) in enumerate(sessions.items()):
        for one in ones:
            rails = ON_RAILS == one.how == reference[one.clip].how
            seen = features_of(one.soles if soles else one.mat)
            for way, find in WAYS.items():
                matches = find(recogniser, seen)
                found, share = told(database, matches)
                single.add(session, way, STANDS if one.clip in still else one.clip, found, share, rails)
                if one.clip not in still:
                    moves = [(one.clip, *move) for move in one.moves]
                    doubts.add(f"single clips, {way}", database, recogniser, seen, moves, matches)
                    other, less, has = without[one.clip]
                    matches = find(less, seen)
                    doubts.add(f"left out of the database, {way}", other, less, seen, moves, matches)
                    doubts.left_out(f"{'another' if has else 'none'} of its kind is known, {way}", other, moves, matches)
        stood = next(one for one in ones if one.clip in still)
        for record in recordings([one for one in ones if one.clip not in still], stood, EACH, 100 + number, soles):
            seen = features_of(record.pressure)
            frames += len(seen)
            for way, find in WAYS.items():
                matches = find(recogniser, seen)
                doubts.add(f"recordings, {way}", database, recogniser, seen, record.moves, matches)
                for wanted, found, share in heard[way].add(database, begins, record, matches):
                    several.add(session, way, wanted, found, share, False)
    return single, several, heard, doubts, frames / MAT_RATE_HZ / 60.0


def _without(database: Database, soles: bool) -> dict[str, tuple[Database, Recogniser, bool]]:
    """By clip: the database without it, what tells motions by that, and whether it knows another clip of its kind."""
    found = {}
    for clip in dict.fromkeys(one.source for one in database.active):
        other = replace(database, motions=tuple(one for one in database.motions if one.source != clip))
        has = any(kind(one.source) == kind(clip) for one in other.active)
        found[clip] = other, other.recogniser(soles), has
    return found


def tables(sensor: str, result: Judged, sessions: list[str]) -> list[str]:
    """What was found, as Markdown."""
    single, several, heard, doubts, minutes = result
    lines = [f"## {sensor}", "", "| clips by themselves | offline | streamed | kind alone, offline | streamed |",
             "|---|---|---|---|---|"]
    rows: list[tuple[str, str | None, bool | None]] = [(session, session, None) for session in sessions]
    rows += [("database and session on rails", None, True), ("one of them followed, or both", None, False), ("all", None, None)]
    for called, session, rails in rows:
        cells = [single.share(way, session, by_kind, rails) for by_kind in (False, True) for way in WAYS]
        lines.append(f"| {called} | {' | '.join(cells)} |")
    lines += ["", *single.wrong(), "", *single.kinds("streamed"), "", f"| recordings, {minutes:.1f} min | right | kind alone | "
              "false alarms | stance told as motion | onset, median | off by, mean | nine in ten within |",
              "|---|---|---|---|---|---|---|---|"]
    lines += [f"| {way} | {several.share(way)} | {several.share(way, by_kind=True)} | {heard[way]} |" for way in WAYS]
    return [*lines, "", *several.wrong(), "", *doubts.tables(), ""]


SURE = ("right", "same kind", "wrong")
TOLD = ("same kind", "wrong", UNKNOWN, "stands")


class Doubts:
    """Pieces that were told, and of how many of them that was doubted; and frames of clips that the database did not know."""

    def __init__(self, kind: Callable[[str], str]) -> None:
        self._kind = kind
        self.pieces, self.doubted = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        self.frames = Counter[tuple[str, str]]()

    def add(self, table: str, database: Database, recogniser: Recogniser, features: np.ndarray, moves: Moves,
            matches: Sequence[Match]) -> None:
        """Take what was told of some pressure into account: `moves` say which clip is done when."""
        runs = runs_of(matches)
        rows = {row["from_s"]: row for row in rows_of(runs, matches, features, recogniser, 0.0)}
        for run in runs:
            if run.row == QUIET:
                continue
            shared, clip = max((min(end, run.end) - max(begin, run.begin), clip) for clip, begin, end in moves)
            sure = self.sure(clip, database.active[run.row].source) if shared > 0 else "wrong"
            self.pieces[table, sure] += 1
            self.doubted[table, sure] += "doubt" in rows[round(run.begin / MAT_RATE_HZ, 2)]

    def sure(self, wanted: str, found: str) -> str:
        """How a clip that was found fits the one that was done."""
        return "right" if wanted == found else "same kind" if self._kind(wanted) == self._kind(found) else "wrong"

    def left_out(self, table: str, database: Database, moves: Moves, matches: Sequence[Match]) -> None:
        """Count what the frames of motions are told to be by a database without them."""
        for clip, begin, end in moves:
            for match in matches[begin:end]:
                known = "stands" if match.known else UNKNOWN
                told = known if match.row == QUIET else self.sure(clip, database.active[match.row].source)
                self.frames[table, told] += 1

    def tables(self) -> list[str]:
        """Markdown."""
        lines = ["| doubted, of pieces told | " + " | ".join(SURE) + " |", "|---" * (1 + len(SURE)) + "|"]
        for table in dict.fromkeys(table for table, _ in self.pieces):
            lines.append(f"| {table} | " + " | ".join(_share(self.doubted[table, sure], self.pieces[table, sure])
                                                      for sure in SURE) + " |")
        lines += ["", "| frames of motions left out | " + " | ".join(TOLD) + " |", "|---" * (1 + len(TOLD)) + "|"]
        for table in dict.fromkeys(table for table, _ in self.frames):
            whole = sum(count for (of, _), count in self.frames.items() if of == table)
            lines.append(f"| {table} | " + " | ".join(f"{self.frames[table, told] / whole:.1%}" for told in TOLD) + " |")
        return lines


def _share(some: int, of: int) -> str:
    return f"{some} of {of}" if of else "-"


def begin(args: argparse.Namespace) -> None:
    """The database, and every clip in every session."""
    load(args)
    args.reference = {path.name: occurrence(path, REFERENCE, args.out) for path in args.files}
    args.made = {name: [occurrence(path, name, args.out) for path in args.files] for name in args.sessions}


def told_by(case: Case, args: argparse.Namespace) -> Figures:
    """What is told by a sensor: shares that are right, and how recordings go."""
    sensor = case.what
    result = judged(args.database, args.reference, args.made, sensor != "mat")
    single, several, heard, _, minutes = result
    write_whole(args.out / f"pressure-{sensor}.md", "\n".join(tables(sensor, result, args.sessions)), "table")
    found: Figures = {"recordings_min": minutes}
    for way in WAYS:
        found |= {f"{sensor}_{way}_right": single.right(way), f"{sensor}_{way}_kind": single.share(way, by_kind=True),
                  f"in_recordings_{way}": several.share(way), f"alarms_stance_onset_{way}": str(heard[way])}
    return found


def stream(case: Case, args: argparse.Namespace) -> Figures:
    """What a mat's stream costs at most, and how late it tells."""
    recogniser = args.database.recogniser()
    return {"delay_s": (AHEAD + 2) / MAT_RATE_HZ,
            "of_a_processor": max(cost(recogniser, one.mat) for ones in args.made.values() for one in ones)}


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    clips_and_database(parser)
    named = [name for name in SESSIONS if name != REFERENCE]
    parser.add_argument("--sessions", nargs="*", default=named, choices=named, help="default: all")


COSTS = {"delay_s": at_most(MOST_DELAY_S + 1e-9), "of_a_processor": at_most(MOST_COST)}
SUITE = Suite({
    "told": Table(lambda args: ((sensor, sensor) for sensor in ("mat", "insoles")), told_by,
                  {f"mat_{way}_right": at_least(share) for way, share in ASKED.items()}, begin=begin),
    "stream": Table(lambda args: [("mat", None)], stream, COSTS, begin=begin),
}, options, {"sessions": ["small"], "only": ["mat"], "most": 5}, jobs=0)
