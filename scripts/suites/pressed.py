# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions of clips simulated anew, recordings of several of their motions, steps that land elsewhere, and what a motion that was
laid of pressure shows: for the suites `pressure`, `pressure_motion` and `pressure_steps`.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.files import write_whole
from lope.addon.maths.curves import runs
from lope.addon.maths.rotations import quat_conjugate, quat_multiply, quat_rotate, rotvec_from_quat
from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.feet import foot_masks
from lope.addon.motions.pressure.files import read_pressure, write_pressure
from lope.addon.motions.pressure.images import (
    INSOLE_RATE_HZ,
    LEFT,
    MAT_RATE_HZ,
    MOST_PA,
    RIGHT,
    MatGrid,
    Pressure,
    as_measured,
    mat_pressure,
    side_by_side,
)
from lope.addon.motions.pressure.laying import MOST_PACE, at_frames
from lope.addon.motions.pressure.recognition import QUIET
from lope.addon.motions.pressure.synthesis import Reading, Synthesis
from lope.addon.motions.responses.response import reference_body
from lope.addon.reports.feet import forces_on_floor
from lope.addon.reports.pressure import way_cells
from lope.addon.search.pressed_clips import FOLLOWED, SETTLED, PressedClip, index_clips, insoles, pressed_clip
from lope.addon.sim.take import Take
from lope.addon.specs.shot import BodySpec

REFERENCE = "reference"
SESSIONS = {REFERENCE: {}, "small": {"body": BodySpec(height_m=1.62, mass_kg=58.0), "noise": 0.3, "sensor": 1.0, "seed": 3},
            "tall": {"body": BodySpec(height_m=1.9, mass_kg=92.0), "stretch": 1.15, "noise": 0.3, "sensor": 1.0, "seed": 4},
            "quick": {"body": BodySpec(height_m=1.74, mass_kg=66.0), "stretch": 0.87, "noise": 0.3, "sensor": 1.0, "seed": 5},
            "stocky": {"body": BodySpec(height_m=1.68, mass_kg=95.0), "stretch": 1.05, "noise": 0.3, "sensor": 1.0, "seed": 6}}
PACES = {"fast": {"body": BodySpec(height_m=1.7, mass_kg=80.0), "stretch": 0.77, "noise": 0.3, "sensor": 1.0, "seed": 7},
         "slow": {"body": BodySpec(height_m=1.7, mass_kg=80.0), "stretch": 1.43, "noise": 0.3, "sensor": 1.0, "seed": 8}}
"""At 1.3 and 0.7 times the clips' pace, for `scripts/check pressure_motion`."""
MOVES_M_S = 0.2
"""Speed of all segments, the root of their mean square by mass, from which somebody moves: no pressure is asked."""
Moves = Sequence[tuple[str, int, int]]
"""Clips, and from which frame to which the body moves in each."""
SMOOTH_S, PAUSE_S, LEAST_S = 0.05, 1.0, 0.25
STANCE_S, FADE_S = 2.0, 0.4
"""Of quiet stance between two motions of a recording, and in which one pressure fades into the other."""


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A clip in a session: how it was made, the mat's pressure and that of both insoles side by side, T frames each, and the
    frames from which to which the body moves."""

    clip: str
    session: str
    how: str
    mat: Pressure
    soles: Pressure
    moves: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Recording:
    """Several motions one after another: pressure, and of which clip the body moves from frame to frame."""

    session: str
    pressure: Pressure
    moves: tuple[tuple[str, int, int], ...]


def occurrence(path: Path, session: str, folder: Path) -> Occurrence:
    """A clip in a session; simulated once and kept in the folder."""
    kept = folder / f"{path.stem}-{session}.json"
    mat, soles = (kept.with_name(f"{kept.stem}-{what}.npz") for what in ("mat", "soles"))
    if not kept.exists():
        keep(pressed_clip(path, **(SESSIONS | PACES)[session]), session, folder)
    told = json.loads(kept.read_text(encoding="utf-8"))
    both = {one.place: one for one in read_pressure(soles)}
    felt = side_by_side(both[LEFT], both[RIGHT]).at_rate(MAT_RATE_HZ)
    return Occurrence(path.name, session, told["how"], read_pressure(mat)[0], felt, tuple((a, b) for a, b in told["moves"]))


def keep(clip: PressedClip, session: str, folder: Path) -> None:
    """Write what a clip left in a session."""
    own = (SESSIONS | PACES)[session]
    base = folder / f"{clip.path.stem}-{session}"
    write_pressure(f"{base}-mat.npz", [clip.pressure])
    felt = insoles(clip.take, clip.force_n, INSOLE_RATE_HZ, own.get("sensor", 0.0), own.get("seed", 0))
    write_pressure(f"{base}-soles.npz", felt)
    told = {"how": clip.how, "moves": moves_of(clip.take, len(clip.pressure))}
    write_whole(base.with_name(f"{base.name}.json"), json.dumps(told), "note")
    print(f"{session}: {clip.path.stem}, {clip.how}", file=sys.stderr, flush=True)


def moves_of(take: Take, frames: int) -> list[tuple[int, int]]:
    """From which frame of the mat to which the body moves, short pauses within."""
    step = float(take.time_s[1] - take.time_s[0])
    speed = gaussian_filter1d(np.gradient(take.segment_poses[0], step, axis=0), SMOOTH_S / step, axis=0)
    mass = np.array([segment.mass_kg for segment in take.body.segments])
    whole = np.sqrt((speed**2).sum(axis=-1) @ mass / mass.sum())
    at = np.clip(((np.arange(frames) + 0.5) / MAT_RATE_HZ / step).astype(int), 0, len(whole) - 1)
    found: list[tuple[int, int]] = []
    for frame in np.flatnonzero(whole[at] > MOVES_M_S).tolist():
        if found and frame - found[-1][1] <= PAUSE_S * MAT_RATE_HZ:
            found[-1] = (found[-1][0], frame + 1)
        else:
            found.append((frame, frame + 1))
    return [(begin, end) for begin, end in found if end - begin >= LEAST_S * MAT_RATE_HZ]


def recordings(ones: Sequence[Occurrence], still: Occurrence, each: int, seed: int, soles: bool = False) -> list[Recording]:
    """All motions of a session in a drawn order, `each` in one recording, with quiet stance before, between and after."""
    rng = np.random.default_rng(seed)
    order = [ones[i] for i in rng.permutation(len(ones))]
    return [_recorded(order[i:i + each], still, rng, soles) for i in range(0, len(order), each)]


def _recorded(ones: Sequence[Occurrence], still: Occurrence, rng: np.random.Generator, soles: bool) -> Recording:
    """Pressure of one clip after another, each laid where the feet are; it fades from one to the next."""
    stance, fade = round(STANCE_S * MAT_RATE_HZ), round(FADE_S * MAT_RATE_HZ)

    def stood() -> Pressure:
        whole = still.soles if soles else still.mat
        begin = int(rng.integers(0, len(whole) - stance))
        return whole.within(begin, begin + stance)

    parts, moves, frame = [stood()], [], stance
    for one in ones:
        mine = one.soles if soles else one.mat
        moves += [(one.clip, frame + fade + begin, frame + fade + end) for begin, end in one.moves]
        parts += [mine, stood()]
        frame += len(mine) + 2 * fade + stance
    at = np.zeros((len(parts), 2), dtype=int)
    pitch = np.array(parts[0].pitch_m)
    corners = [np.array([part.rows_m[0], part.columns_m[0]]) for part in parts]
    for i, part in enumerate(parts):
        at[i] = np.floor(corners[i] / pitch)
        if i and not soles:
            there, here = _middle(parts[i - 1], -1) - corners[i - 1], _middle(part, 0) - corners[i]
            at[i] = at[i - 1] + np.rint((there - here) / pitch)
    low = at.min(axis=0)
    size = np.max([place + part.images.shape[1:] for place, part in zip(at, parts, strict=True)], axis=0) - low
    images = np.zeros((frame, *size))
    frame = 0
    for i, (part, (row, column)) in enumerate(zip(parts, at - low, strict=True)):
        begin = frame + (fade if i else 0)
        images[begin:begin + len(part), row:row + part.images.shape[1], column:column + part.images.shape[2]] = part.images
        for k in range(frame, begin):
            share = (k - frame + 1.0) / (fade + 1.0)
            images[k] = (1.0 - share) * images[frame - 1] + share * images[begin]
        frame = begin + len(part)
    origin = (low + 0.5) * pitch
    return Recording(still.session, replace(parts[0], images=images, origin_m=(float(origin[0]), float(origin[1])), start_s=0.0),
                     tuple(moves))


def _middle(mat: Pressure, frame: int) -> np.ndarray:
    """Between the feet (2,) [m] in a frame."""
    image = mat.images[frame]
    prints = [mask for mask in foot_masks(replace(mat, images=image[None]))[0] if mask.any()]
    centres = [(np.where(mask, image, 0.0).sum(axis=1) @ mat.rows_m, np.where(mask, image, 0.0).sum(axis=0) @ mat.columns_m)
               / np.where(mask, image, 0.0).sum() for mask in prints]
    return np.mean(centres, axis=0) if centres else np.array([mat.rows_m.mean(), mat.columns_m.mean()])


BODY = reference_body()
ON_GROUND_M = 0.005


@dataclass(frozen=True)
class Seen:
    """What a motion shows: slip and depth [mm], jump beyond the clips' own [deg], jump and plain turn [deg], how far the root
    sinks [mm], and the joint and frame of the first jump."""

    slip_mm: float
    deep_mm: float
    beyond_deg: float
    jump_deg: float
    plain_deg: float
    sunk_mm: float
    where: str


def off(frames: np.ndarray, away: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Twice how far frames (N, ...) are off a cubic through the two before and the two after each; `away` tells from each to
    another."""
    middle = frames[2:-2]
    ways = [away(middle, frames[2 + k:len(frames) - 2 + k]) for k in (-2, -1, 1, 2)]
    return 2.0 * np.linalg.norm((4.0 * (ways[1] + ways[2]) - ways[0] - ways[3]) / 6.0, axis=-1)


def turned(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """From one orientation to another (..., 3) [deg]."""
    return np.degrees(rotvec_from_quat(quat_multiply(quat_conjugate(one), other)))


def slip_m(motion: Synthesis, points: np.ndarray) -> float:
    """The farthest that a planted point of (N, P, 3) goes over the ground while it is on it."""
    most = 0.0
    for f, foot in enumerate(BODY.feet):
        for k, part in enumerate(("heel", "ball")):
            for row in (i for i in foot.points if BODY.contact_points[i].kind == part):
                for begin, end in runs(motion.planted[:, f, k] & (points[:, row, 2] < ON_GROUND_M)):
                    places = points[begin:end, row, 0] + 1j * points[begin:end, row, 1]
                    most = max(most, float(max(np.abs(places - place).max() for place in places[::3])))
    return most


def own_jumps(database: Database) -> np.ndarray:
    """How far each joint jumps in each motion (M, S) [deg], when it is laid at one pace or another."""
    found = []
    for motion in database.motions:
        quats = np.concatenate([motion.turn[:, None], motion.joints], axis=1)
        paced = [at_frames(np.arange(0.0, len(motion) - 1.0, pace), quats) for pace in np.linspace(0.7, MOST_PACE, 9)]
        found.append(np.max([off(one, turned).max(axis=0) for one in paced], axis=0))
    return np.array(found)


def seen(reading: Reading, database: Database, own: np.ndarray) -> Seen:
    """What the motion of a reading shows."""
    motion, figure = reading.motion, reading.motion.figure
    points = contact_point_positions(BODY, *segment_poses(BODY, figure.root, figure.turn, figure.joints))
    quats = np.concatenate([figure.turn[:, None], figure.joints], axis=1)
    jumps, plain = off(quats, turned), np.linalg.norm(turned(quats[:-1], quats[1:]), axis=-1)
    ones = [one for one in (database.stance if run.row == QUIET else database.active[run.row] for run in reading.runs)
            if one is not None]
    clips = own[[database.motions.index(one) for one in ones]].max(axis=0)
    beyond = np.where(jumps > clips, jumps, 0.0)
    frame, joint = np.unravel_index(int(beyond.argmax()), beyond.shape)
    deep, sunk = -float(points[..., 2].min()), min(float(one.root[:, 2].min()) for one in ones) - float(figure.root[:, 2].min())
    return Seen(1e3 * slip_m(motion, points), 1e3 * max(deep, 0.0), float(beyond.max()), float(jumps.max()), float(plain.max()),
                1e3 * max(sunk, 0.0), f"{('root', *BODY.joint_segments)[joint]} at {int(frame) + 2}")


LIGHT = 0.02
"""Share of the weight under which a foot is up."""
SWINGS_S, FAR_M = 0.12, 0.05
"""A foot that is up for so long and comes down so far from where it stood has stepped."""
SOLES_M = 0.07
"""Points of two soles are no nearer than this: feet are wider than their points."""
BESIDE_M = 0.45
"""Ankles of feet that stand beside one another are no farther apart."""
HOURS = 12
"""Directions: straight ahead, then on to the left."""


@dataclass(frozen=True, eq=False)
class Walked:
    """A simulated clip: how it was made, what presses each contact point (T, P) [N], where the feet are (T, 2, 2) [m] as
    in `feet_m`, and for each foot (L, R) the samples from which to which it is up."""

    name: str
    how: str
    take: Take
    force_n: np.ndarray
    feet_m: np.ndarray
    swings: tuple[list[tuple[int, int]], list[tuple[int, int]]]

    @property
    def step_s(self) -> float:
        """Time from sample to sample."""
        return float(self.take.time_s[-1] - self.take.time_s[0]) / (len(self.take.time_s) - 1)

    def frame(self, sample: int) -> int:
        """The frame of the mat that a sample lies in."""
        return int((sample - SETTLED) * self.step_s * MAT_RATE_HZ)


@dataclass(frozen=True)
class Step:
    """A foot (0 left, 1 right) that is up from one sample to another, and stands until the third."""

    foot: int
    up: int
    down: int
    until: int


def walked(clip: Path, session: str, folder: Path) -> Walked:
    """A clip in a session; simulated once, and kept in the folder."""
    kept, how = folder / f"{clip.stem}-{session}-take.npz", folder / f"{clip.stem}-{session}-take.txt"
    if not how.exists():
        own = (SESSIONS | PACES)[session]
        made = pressed_clip(clip, **{name: value for name, value in own.items() if name != "sensor"})
        made.take.save(kept)
        write_whole(how, made.how, "note")
    take, told = Take.load(kept), how.read_text(encoding="utf-8")
    force = take.contact_point_force_n if told == FOLLOWED else forces_on_floor(take)
    light = LIGHT * take.body.mass_kg * take.shot.world.gravity_m_s2
    step_s = float(take.time_s[-1] - take.time_s[0]) / (len(take.time_s) - 1)
    swings = tuple([(up, down) for up, down in runs(force[:, list(foot.points)].sum(axis=1) < light)
                    if up > SETTLED and down < len(force) and (down - up) * step_s >= SWINGS_S] for foot in take.body.feet)
    return Walked(clip.stem, told, take, force, feet_m(take.body, *take.segment_poses), swings)


def feet_m(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Where each foot is (T, F, 2) [m] by the points of its ball, of segments (T, S, 3), (T, S, 4): where its ankle is when
    all of the sole is on the ground, so that feet of any length, and those whose heel is up, are alike."""
    points, found = contact_point_positions(body, positions, orientations), []
    for foot in body.feet:
        rows = [row for row in foot.points if body.contact_points[row].kind == "ball"
                and body.contact_points[row].segment == foot.segment]
        ahead = quat_rotate(orientations[:, body.index[foot.segment]], np.array([1.0, 0.0, 0.0]))[:, :2]
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        x, y = np.mean([body.contact_points[row].position for row in rows], axis=0)[:2]
        left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        found.append(points[:, rows, :2].mean(axis=1) - x * ahead - y * left)
    return np.stack(found, axis=1)


def first_step(one: Walked) -> Step | None:
    """The first step of a clip, None where none is taken."""
    found = []
    for foot, swings in enumerate(one.swings):
        for k, (up, down) in enumerate(swings):
            until = swings[k + 1][0] if k + 1 < len(swings) else len(one.take.time_s)
            lands, stood = (np.median(one.feet_m[a:b, foot], axis=0) for a, b in ((down, until), (max(up - 30, 0), up)))
            if float(np.linalg.norm(lands - stood)) > FAR_M:
                found.append(Step(foot, up, down, until))
                break
    return min(found, key=lambda step: step.down) if found else None


def offset_m(hour: int, far_m: float) -> np.ndarray:
    """An offset (2,) ahead and to the left."""
    turn = 2.0 * math.pi * hour / HOURS
    return far_m * np.array([math.cos(turn), math.sin(turn)])


def landed(one: Walked, step: Step, by_m: np.ndarray) -> Walked:
    """The same, but that the step lands so far (2,) aside, until the foot is up again; the load on each foot is as it was, so its
    centre goes along. A foot that lands beside it meanwhile does so there, too."""
    points, feet = one.take.contact_point_m.copy(), one.feet_m.copy()
    for up, down, until, foot in [(step.up, step.down, step.until, step.foot), *_beside(one, step)]:
        again = next((end for begin, end in one.swings[foot] if begin == until), until)
        stays = slice((up + down) // 2, (until + again) // 2)
        points[stays, list(one.take.body.feet[foot].points), :2] += by_m
        feet[stays, foot] += by_m
    take = replace(one.take, arrays={**one.take.arrays, "contact_point_m": points})
    return replace(one, take=take, feet_m=feet)


def _beside(one: Walked, step: Step) -> list[tuple[int, int, int, int]]:
    """The other foot's steps to beside the one that has stepped: up, down, until when it stands, and which foot."""
    other, found = 1 - step.foot, []
    swings = [*one.swings[other], (len(one.take.time_s),) * 2]
    for (up, down), (until, _) in zip(swings[:-1], swings[1:], strict=True):
        if step.down < down < step.until and float(np.linalg.norm(one.feet_m[down, 0] - one.feet_m[down, 1])) < BESIDE_M:
            found.append((up, down, until, other))
    return found


def possible(one: Walked, step: Step) -> bool:
    """Whether the foot that lands does not land in the other one."""
    rows = slice(step.down, step.until)
    mine, other = (one.take.contact_point_m[rows, list(one.take.body.feet[foot].points), :2]
                   for foot in (step.foot, 1 - step.foot))
    light = LIGHT * one.take.body.mass_kg * one.take.shot.world.gravity_m_s2
    both = np.all([one.force_n[rows, list(foot.points)].sum(axis=1) > light for foot in one.take.body.feet], axis=0)
    apart = np.linalg.norm(mine[both][::8, :, None] - other[both][::8, None], axis=-1)
    return not apart.size or float(apart.min()) > SOLES_M


def crossed(one: Walked, step: Step) -> bool:
    """Whether the foot that lands stands on the other one's side of it, as the person looks: legs crossed."""
    after = slice(step.down, step.until)
    return float(np.median(one.feet_m[after, 0, 1] - one.feet_m[after, 1, 1])) < 0.0


def felt(one: Walked, session: str) -> Pressure:
    """What a mat of 8 bits feels of it."""
    own, kept = (SESSIONS | PACES)[session], slice(SETTLED, None)
    cells, middle = way_cells(one.take, one.force_n)
    mat = mat_pressure(one.take.body, one.take.time_s[kept], one.take.contact_point_m[kept], one.force_n[kept],
                       MatGrid(cells, middle))
    return as_measured(mat, MOST_PA, own.get("sensor", 0.0), own.get("seed", 0))


def clips_and_database(parser: argparse.ArgumentParser) -> None:
    """The options that the suites of pressure share."""
    parser.add_argument("clips", type=Path, metavar="CLIPS", help="a folder of .bvh clips, one of them quiet stance")
    parser.add_argument("--db", type=Path, metavar="DB.npz", help="the database of those clips (default: it is made)")
    parser.add_argument("--out", type=Path, default=Path("out/pressure"), help="default: %(default)s")
    parser.add_argument("--most", type=int, metavar="N", help="so many of the clips, beside those of quiet stance")


def load(args: argparse.Namespace) -> None:
    """Put the clips' files, their database, and the names of those in which somebody stands into the options."""
    files = sorted(args.clips.glob("*.bvh"))
    args.files = [path for path in files if "quiet" in path.stem or path in files[:args.most]]
    args.out.mkdir(parents=True, exist_ok=True)
    args.database = index_clips(args.clips.name, "", args.files)[0] if args.db is None else Database.load(args.db)
    args.still = {one.source for one in args.database.motions if one.quiet}
