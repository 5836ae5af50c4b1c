# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether steps of known motions land where the user's foot did: captured steps whose pressure lands elsewhere, in twelve
directions (Yin 2007, section 3.5 and appendix C).

    scripts/check pressure_steps CLIPS [--db DB.npz] [--sessions small ...] [--only TEXT ...] [--far 0.15 0.3]
                                 [--read offline ...] [--jobs 1] [--out out/pressure] [--strips FOLDER] [--all]

Of each clip (simulated anew, as in check_pressure) the first step lands so far aside of where it does: not the motion but what it
presses, so no step IK is in it. Where it would land in the other foot it is left out. That is read with the database as a file
(offline), as one with no more known than a stream (streamed), and laid as it comes (live). A line for each clip, the worst of
all directions:

- landed: how many steps come to stand within 3 cm of where they pressed (as the mat lies under the motion), and the worst;
  `crossed` are those that end with legs crossed, which pressure cannot tell for sure from the other foot's: counted, not
  asked for; and the worst of the other foot meanwhile, and of the step back;
- told: how often the step was told to be of its own clip, and how often a foot stepped at all;
- slip, and depth in the ground, of any planted point; jumps beyond the clips' own (as in check_pressure_motion);
- knee: how much it bends otherwise than in the database's step laid as it is, in the middle of the swing and in all of it;
- sunk: how much lower the root comes than in that; legs: the least distance of the legs' axes, less than that of legs' flesh
  where they go through one another.

Exit code 1 where a step is off by more than 3 cm, a foot slips or goes into the ground by more than 5 mm, or a joint jumps by
more than 10 degrees and more than in the clips that were laid.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np

from lope.addon.bodies.kinematics import segment_poses
from lope.addon.files import write_whole
from lope.addon.motions.pressure.database import MOTION_HZ, PER_FRAME, Database
from lope.addon.motions.pressure.features import FrameFeatures, features_of
from lope.addon.motions.pressure.feet import ankles_m
from lope.addon.motions.pressure.images import Pressure
from lope.addon.motions.pressure.live_motion import LiveMotion, in_a_row
from lope.addon.motions.pressure.live_steps import LiveAnkles
from lope.addon.motions.pressure.recognition import AHEAD, QUIET, Match, Recogniser, Stream, recognised, streamed
from lope.addon.motions.pressure.steps import RAMP
from lope.addon.motions.pressure.synthesis import Reading, Synthesis, rows_of, runs_of, synthesise
from lope.addon.search.pressed_clips import SETTLED, index_clips
from lope.scripts.suites.pressed import (
    BODY,
    HOURS,
    PACES,
    SESSIONS,
    Step,
    Walked,
    crossed,
    feet_m,
    felt,
    first_step,
    landed,
    offset_m,
    own_jumps,
    possible,
    seen,
    walked,
)
from lope.scripts.tools.pictures.figures import draw_strip

NEAR_M, MOST_M, MOST_DEG = 0.03, 0.005, 10.0
SETTLE_S = 0.1
"""Of a stance, after it begins and before it ends, that is left out: the foot rolls."""
WAYS = ("offline", "streamed", "live")
HEAD = ("landed", "worst, cm", "crossed", "other foot, cm", "back, cm", "told, stepped", "slip, mm", "deep, mm", "jump, deg",
        "knee, mid, deg", "knee, deg", "sunk, cm", "legs, cm")


@dataclass(frozen=True)
class Case:
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

    @property
    def held(self) -> bool:
        """Whether it is as it is to be."""
        return (self.crossed or self.lead_m <= NEAR_M) and max(self.slip_m, self.deep_m) <= MOST_M and self.jump_deg <= MOST_DEG


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


def case_of(one: Walked, step: Step, hour: int, reading: Reading, own: Synthesis, database: Database, jumps: np.ndarray) -> Case:
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
    return Case(hour, crossed(one, step), lead, off_m(one, motion, 1 - step.foot, step.down, other_up),
                off_m(one, motion, step.foot, *after) if after else float("nan"), bool(told & names), bool(len(swing)),
                1e-3 * shown.slip_mm, 1e-3 * shown.deep_mm, shown.beyond_deg, mid, knee,
                max(float(own.figure.root[:, 2].min() - motion.figure.root[:, 2].min()), 0.0), legs_apart_m(motion))


def cases_of(job: tuple[str, Path], database: Database, jumps: np.ndarray, fars: Sequence[float], ways: Sequence[str],
             out: Path, strips: Path | None) -> dict[tuple[str, str, float, str], list[Case]]:
    """All directions of a clip in a session, by session, clip, how far aside, and way."""
    session, clip = job
    one, recogniser = walked(clip, session, out), database.recogniser()
    step, found = first_step(one), {}
    if step is None:
        return {}
    for far in fars:
        for hour in range(HOURS) if far else (0,):
            other = landed(one, step, offset_m(hour, far))
            if not possible(other, step):
                continue
            for way, (reading, own) in laid_of(felt(other, session), database, recogniser, ways).items():
                found.setdefault((session, one.name, far, way), []).append(
                    case_of(other, step, hour, reading, own, database, jumps))
                if strips is not None:
                    draw_strip(strips / f"{one.name}-{session}-{100 * far:.0f}cm-{hour:02}-{way}.png", BODY, reading.motion,
                               other.feet_m, swing_of(reading.motion, one, step), step.foot,
                               np.array([one.frame(step.down), one.frame(step.until)]) * PER_FRAME)
    return found


def line(key: tuple[str, str, float, str], cases: Sequence[Case]) -> str:
    """A line of the table: the worst of all directions; where feet are, of those in which legs are not crossed."""
    straight = [case for case in cases if not case.crossed]

    def most(name: str, scale: float, some: Sequence[Case]) -> str:
        values = [getattr(case, name) for case in some]
        return "" if not values or np.isnan(values).all() else f"{scale * float(np.nanmax(values)):.1f}"

    near, over = ([case.lead_m <= NEAR_M for case in cases if case.crossed == crossing] for crossing in (False, True))
    told, stepped = (sum(getattr(case, name) for case in straight) for name in ("told", "stepped"))
    session, name, far, way = key
    figures = (f"{sum(near)} of {len(near)}", most("lead_m", 100.0, straight), f"{sum(over)} of {len(over)}",
               most("other_m", 100.0, straight), most("back_m", 100.0, straight), f"{told}, {stepped}",
               most("slip_m", 1000.0, cases), most("deep_m", 1000.0, cases), most("jump_deg", 1.0, cases),
               most("mid_deg", 1.0, straight), most("knee_deg", 1.0, straight), most("sunk_m", 100.0, cases),
               f"{100.0 * min((case.legs_m for case in straight), default=float('nan')):.1f}")
    return f"| {session}: {name} | {far:g} | {way} | " + " | ".join(figures) + " |"


def main() -> int:
    """Read every step, write and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, metavar="CLIPS", help="a folder of .bvh clips, one of them quiet stance")
    parser.add_argument("--db", type=Path, metavar="DB.npz", help="the database of those clips (default: it is made)")
    parser.add_argument("--sessions", nargs="*", default=["small"], choices=[*SESSIONS, *PACES], help="default: small")
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="clips whose names hold one of these")
    parser.add_argument("--far", nargs="*", type=float, default=[0.15, 0.3], help="how far aside [m] (default: 0.15 0.3)")
    parser.add_argument("--read", nargs="*", default=WAYS, choices=WAYS, help="default: all")
    parser.add_argument("--jobs", type=int, default=1, help="clips at once (default: 1)")
    parser.add_argument("--out", type=Path, default=Path("out/pressure"), help="default: %(default)s")
    parser.add_argument("--strips", type=Path, metavar="FOLDER", help="draw every step there")
    parser.add_argument("--all", action="store_true", help="a line for every step")
    args = parser.parse_args()
    clips = sorted(args.clips.glob("*.bvh"))
    for folder in (args.out, *([args.strips] if args.strips else [])):
        folder.mkdir(parents=True, exist_ok=True)
    database = index_clips(args.clips.name, "", clips)[0] if args.db is None else Database.load(args.db)
    some = [clip for clip in clips if not args.only or any(text in clip.stem for text in args.only)]
    jobs = [(session, clip) for session in args.sessions for clip in some]
    do = partial(cases_of, database=database, jumps=own_jumps(database), fars=args.far, ways=args.read, out=args.out,
                 strips=args.strips)
    head = f"| step | aside, m | read | {' | '.join(HEAD)} |\n|{'---|' * (3 + len(HEAD))}"
    print(head, flush=True)
    lines, every = [head], dict[tuple[str, str, float, str], list[Case]]()
    with ProcessPoolExecutor(args.jobs) as pool:
        for found in pool.map(do, jobs):
            for key, cases in found.items():
                lines.append(line(key, cases))
                print(lines[-1], flush=True)
                for case in cases if args.all else []:
                    print("    " + " ".join(f"{name} {value:.3g}" for name, value in asdict(case).items()), flush=True)
                every.setdefault(("all", "", key[2], key[3]), []).extend(cases)
    lines += [line(key, cases) for key, cases in sorted(every.items())]
    print("\n".join(lines[-len(every):]))
    write_whole(args.out / "pressure_steps.md", "\n".join(lines) + "\n", "table")
    return 0 if every and all(case.held for cases in every.values() for case in cases) else 1


if __name__ == "__main__":
    sys.exit(main())
