# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether steps of known motions land where the user's foot did: captured steps whose pressure lands elsewhere, in twelve
directions.

    scripts/check pressure_steps CLIPS [--db DB.npz] [--sessions small ...] [--only TEXT] [--far 0.15 0.3]
                                 [--read offline ...] [--jobs 1] [--out out/pressure] [--strips FOLDER] [--all]

Yin 2007, section 3.5 and appendix C. Of each clip (simulated anew, as in `pressure`) the first step lands so far aside of where
it does: not the motion but what it presses, so no step IK is in it. Where it would land in the other foot it is left out. That is
read with the database as a file (offline), as one with no more known than a stream (streamed), and laid as it comes (live). Of
each clip, the worst of all directions:

- landed: how many steps come to stand within 3 cm of where they pressed (as the mat lies under the motion), and the worst, which
  must; `crossed` are those that end with legs crossed, which pressure cannot tell for sure from the other foot's: counted, not
  asked for; and the worst of the other foot meanwhile, and of the step back;
- told: how often the step was told to be of its own clip, and how often a foot stepped at all;
- slip, and depth in the ground, of any planted point (within 5 mm); jumps beyond the clips' own (within 10 degrees);
- knee: how much it bends otherwise than in the database's step laid as it is, in the middle of the swing and in all of it;
- sunk: how much lower the root comes than in that; legs: the least distance of the legs' axes, less than that of legs' flesh
  where they go through one another.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from lope.addon.bodies.kinematics import segment_poses
from lope.addon.motions.pressure.database import MOTION_HZ, PER_FRAME, Database
from lope.addon.motions.pressure.features import FrameFeatures, features_of
from lope.addon.motions.pressure.feet import ankles_m
from lope.addon.motions.pressure.images import Pressure
from lope.addon.motions.pressure.live_motion import LiveMotion, in_a_row
from lope.addon.motions.pressure.live_steps import LiveAnkles
from lope.addon.motions.pressure.recognition import AHEAD, QUIET, Match, Recogniser, Stream, recognised, streamed
from lope.addon.motions.pressure.steps import RAMP
from lope.addon.motions.pressure.synthesis import Reading, Synthesis, rows_of, runs_of, synthesise
from lope.addon.search.pressed_clips import SETTLED
from lope.scripts.suites.pressed import (
    BODY,
    HOURS,
    PACES,
    SESSIONS,
    Step,
    Walked,
    clips_and_database,
    crossed,
    feet_m,
    felt,
    first_step,
    landed,
    load,
    offset_m,
    own_jumps,
    possible,
    seen,
    walked,
)
from lope.scripts.suites.runner import Case, Figures, Suite, Table, at_most
from lope.scripts.tools.pictures.figures import draw_strip

NEAR_M = 0.03
SETTLE_S = 0.1
"""Of a stance, after it begins and before it ends, that is left out: the foot rolls."""
WAYS = ("offline", "streamed", "live")


@dataclass(frozen=True)
class Laid:
    """One step laid: whether legs are crossed after it; how far the step, the other foot and the step back are off [m], not a
    number where that is not to be seen; whether the clip was told, whether a foot stepped; slip, depth [m], jump, knee in the
    middle and in all of the swing [deg], root's sinking, legs' least distance [m]."""

    hour: int
    crossed: bool
    lead_m: float
    other_m: float
    back_m: float
    told: bool
    stepped: bool
    slip_m: float
    deep_m: float
    jump_deg: float
    mid_deg: float
    knee_deg: float
    sunk_m: float
    legs_m: float


def laid_of(
    mat: Pressure, database: Database, recogniser: Recogniser, ways: Sequence[str] = WAYS,
) -> dict[str, tuple[Reading, Synthesis]]:
    """The readings of pressure in some ways, each with the motion that is laid of the same matches where no foot's place is
    known."""
    features, places, found = features_of(mat), ankles_m(mat), {}
    for way, find in zip(WAYS, (recognised, streamed), strict=False):
        if way not in ways:
            continue
        matches = find(recogniser, features)
        found[way] = (_reading(mat, recogniser, features, matches, places, synthesise(BODY, database, matches, places)),
                      synthesise(BODY, database, matches))
    if WAYS[2] not in ways:
        return found
    stream, frames, ankles = Stream(recogniser), FrameFeatures(mat), LiveAnkles(mat)
    both, matches = (LiveMotion(BODY, database), LiveMotion(BODY, database)), list[Match]()
    given: tuple[list[Synthesis], list[Synthesis]] = ([], [])
    for count in range(1, len(mat) + AHEAD + 1):
        if count <= len(mat):
            seen_now = frames.of(mat.images[count - 1])
            ankles.push(frames.masks)
        match = stream.push(seen_now)
        if match is None:
            continue
        matches.append(match)
        known = min(count, len(mat)) - len(matches) + 1
        given[0].append(both[0].push(stream.ahead, ankles.ahead[-known:]))
        given[1].append(both[1].push(stream.ahead))
    found[WAYS[2]] = (_reading(mat, recogniser, features, matches, places, in_a_row(given[0])), in_a_row(given[1]))
    return found


def _reading(mat: Pressure, recogniser: Recogniser, features: np.ndarray, matches: Sequence[Match], places: np.ndarray,
             motion: Synthesis) -> Reading:
    runs = runs_of(matches)
    rows = rows_of(runs, matches, features, recogniser, mat.start_s)
    return Reading(mat, tuple(matches), tuple(runs), places, BODY, motion, rows)


def off_m(one: Walked, motion: Synthesis, foot: int, down: int, until: int) -> float:
    """How far a foot is from where it pressed, over a stance of the user's in which the laid one stands, too."""
    rows = [round((sample - SETTLED) * one.step_s * MOTION_HZ) for sample in (down, until)]
    settles = round(SETTLE_S * MOTION_HZ)
    laid = np.arange(max(rows[0] + settles, 0), min(rows[1] - settles, len(motion.planted)))
    laid = laid[motion.planted[laid, foot, 1]]
    if motion.mat_m is None or not len(laid):
        return float("nan")
    samples = np.minimum(SETTLED + (laid / MOTION_HZ / one.step_s).round().astype(int), len(one.feet_m) - 1)
    figure = motion.figure
    laid_m = feet_m(BODY, *segment_poses(BODY, figure.root[laid], figure.turn[laid], figure.joints[laid]))
    away = laid_m[:, foot] - motion.mat_m - one.feet_m[samples, foot]
    return float(np.linalg.norm(np.median(away, axis=0)))


def swing_of(motion: Synthesis, one: Walked, step: Step) -> np.ndarray:
    """The poses of the laid foot's swing that lasts longest while the user's foot is up; none where it stands."""
    begin, end = (round((sample - SETTLED) * one.step_s * MOTION_HZ) for sample in (step.up, step.down))
    up = np.flatnonzero(~motion.planted[:, step.foot].any(axis=1))
    parts = [part for part in np.split(up, np.flatnonzero(np.diff(up) > 1) + 1) if len(part)]
    over = [int(((part >= begin) & (part < end)).sum()) for part in parts]
    return parts[int(np.argmax(over))] if over and max(over) else np.zeros(0, dtype=int)


def knee_off_deg(motion: Synthesis, own: Synthesis, foot: int, swing: np.ndarray) -> tuple[float, float]:
    """How much the knee of a swing bends otherwise than in the same motion as the database has it: in the middle, and at most."""
    if not len(swing):
        return float("nan"), float("nan")
    knee = BODY.joint_segments.index(BODY.feet[foot].leg[1])
    bends = [np.degrees(2.0 * np.arccos(np.clip(np.abs(of.figure.joints[swing, knee, 0]), 0.0, 1.0))) for of in (motion, own)]
    off, ramp = np.abs(bends[0] - bends[1]), round(RAMP * len(swing))
    return float(off[ramp:len(swing) - ramp].max()), float(off.max())


def legs_apart_m(motion: Synthesis) -> float:
    """The least distance of the axes of one leg's thigh and shank from the other's."""
    positions = segment_poses(BODY, motion.figure.root, motion.figure.turn, motion.figure.joints)[0]
    ways = []
    for foot in BODY.feet:
        hip, knee, ankle = (positions[:, BODY.index[name]] for name in foot.leg[:3])
        share = np.linspace(0.0, 1.0, 9)[None, 1:, None]
        ways.append(np.concatenate([at[:, None] + share * (to - at)[:, None] for at, to in ((hip, knee), (knee, ankle))], axis=1))
    return float(np.linalg.norm(ways[0][:, :, None] - ways[1][:, None], axis=-1).min())


def case_of(one: Walked, step: Step, hour: int, reading: Reading, own: Synthesis, database: Database, jumps: np.ndarray) -> Laid:
    """What one step shows."""
    motion, shown = reading.motion, seen(reading, database, jumps)
    swing = swing_of(motion, one, step)
    mid, knee = knee_off_deg(motion, own, step.foot, swing)
    frame = one.frame((step.up + step.down) // 2)
    told = {database.active[run.row].name for run in reading.runs if run.row != QUIET and run.begin <= frame < run.end}
    names = {motion.name for motion in database.motions if Path(motion.source).stem == one.name}
    after = next(((down, until) for (up, down), (until, _) in zip(
        one.swings[step.foot], [*one.swings[step.foot][1:], (len(one.take.time_s),) * 2], strict=True) if up == step.until), None)
    lead = off_m(one, motion, step.foot, step.down, step.until)
    other_up = next((up for up, _ in one.swings[1 - step.foot] if step.down < up < step.until), step.until)
    return Laid(hour, crossed(one, step), lead, off_m(one, motion, 1 - step.foot, step.down, other_up),
                off_m(one, motion, step.foot, *after) if after else float("nan"), bool(told & names), bool(len(swing)),
                1e-3 * shown.slip_mm, 1e-3 * shown.deep_mm, shown.beyond_deg, mid, knee,
                max(float(own.figure.root[:, 2].min() - motion.figure.root[:, 2].min()), 0.0), legs_apart_m(motion))


def begin(args: argparse.Namespace) -> None:
    """The database, and how its own joints jump."""
    load(args)
    args.own = own_jumps(args.database)


def cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, Path, float, str]]]:
    """Every clip in every session, so far aside, by every way."""
    return ((f"{session} {clip.stem} {far:g} m {way}", (session, clip, far, way)) for session in args.sessions
            for clip in args.files for far in args.far for way in args.read)


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """The worst of all directions; where feet are, of those in which legs are not crossed."""
    session, clip, far, way = case.what
    one, recogniser, found = walked(clip, session, args.out), args.database.recogniser(), list[Laid]()
    step = first_step(one)
    for hour in range(0, HOURS if far and step else bool(step), args.every):
        other = landed(one, step, offset_m(hour, far))
        if not possible(other, step):
            continue
        reading, own = laid_of(felt(other, session), args.database, recogniser, (way,))[way]
        found.append(case_of(other, step, hour, reading, own, args.database, args.own))
        if args.all:
            print("    " + " ".join(f"{name} {value:.3g}" for name, value in asdict(found[-1]).items()), file=sys.stderr)
        if args.strips is not None:
            args.strips.mkdir(parents=True, exist_ok=True)
            draw_strip(args.strips / f"{one.name}-{session}-{100 * far:.0f}cm-{hour:02}-{way}.png", BODY, reading.motion,
                       other.feet_m, swing_of(reading.motion, one, step), step.foot,
                       np.array([one.frame(step.down), one.frame(step.until)]) * PER_FRAME)
    return worst(found)


def worst(found: Sequence[Laid]) -> Figures:
    """A row of the table."""
    straight = [one for one in found if not one.crossed]

    def most(name: str, some: Sequence[Laid], scale: float = 1.0) -> float | None:
        values = [getattr(one, name) for one in some]
        return None if not values or np.isnan(values).all() else scale * float(np.nanmax(values))

    if not found:
        return {"steps": 0}
    figures = {"steps": len(found), "crossed": len(found) - len(straight), "near": sum(one.lead_m <= NEAR_M for one in straight),
               "crossed_near": sum(one.lead_m <= NEAR_M for one in found if one.crossed),
               "other_foot_cm": most("other_m", straight, 100.0), "back_cm": most("back_m", straight, 100.0),
               "told": sum(one.told for one in straight), "stepped": sum(one.stepped for one in straight),
               "slip_mm": most("slip_m", found, 1e3), "deep_mm": most("deep_m", found, 1e3), "jump_deg": most("jump_deg", found),
               "knee_mid_deg": most("mid_deg", straight), "knee_deg": most("knee_deg", straight),
               "sunk_cm": most("sunk_m", found, 100.0)}
    if straight:  # not a number where the laid foot does not stand: that is broken
        figures |= {"landed_cm": 100.0 * float(np.max([one.lead_m for one in straight])),
                    "legs_cm": 100.0 * min(one.legs_m for one in straight)}
    return figures


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    clips_and_database(parser)
    parser.add_argument("--sessions", nargs="*", default=["small"], choices=[*SESSIONS, *PACES], help="default: small")
    parser.add_argument("--far", nargs="*", type=float, default=[0.15, 0.3], help="how far aside [m] (default: 0.15 0.3)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every so manieth direction")
    parser.add_argument("--read", nargs="*", default=WAYS, choices=WAYS, help="default: all")
    parser.add_argument("--strips", type=Path, metavar="FOLDER", help="draw every step there")
    parser.add_argument("--all", action="store_true", help="a line for every step")


BOUNDS = {"landed_cm": at_most(100.0 * NEAR_M), "slip_mm": at_most(5.0), "deep_mm": at_most(5.0), "jump_deg": at_most(10.0)}
SUITE = Suite({"pressure_steps": Table(cases, measure, BOUNDS, begin=begin)}, options,
              {"far": [0.15], "read": ["offline"], "every": 6, "only": ["weak_step"], "most": 12})
