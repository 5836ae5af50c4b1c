# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the presets of the moves from captured clips, and say how well the figures fit.

    scripts/tools/fit_moves.py CLIPS [--only TEXT ...] [--out FOLDER]

CLIPS is the folder with the tests' clips (`bvh`, `turns`).
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.human.landmarks import SIDES
from lope.addon.bodies.kinematics import centre_of_mass, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError, LopeError
from lope.addon.files import write_whole
from lope.addon.locomotion.clip.clip import RATE_HZ, FollowedClip, hinge_angles, read_clip
from lope.addon.locomotion.clip.moves.placed import Layer, PlacedFragment
from lope.addon.locomotion.clip.moves.source import euler
from lope.addon.locomotion.clip.prints import Print, Prints, make_prints
from lope.addon.locomotion.clip.schedule import Schedule, make_schedule, standing
from lope.addon.locomotion.legged.foot_geometry import FootGeometry
from lope.addon.maths.curves import smooth
from lope.addon.maths.rotations import matrix_from_quat, quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.motions.cycle import Cycle, continuous_rotvec, pose
from lope.addon.motions.fragment import other_side
from lope.addon.motions.library import load_gait
from lope.addon.motions.moves import step as layout
from lope.addon.motions.moves.library import DIGITS, FIGURES, FORMAT, MOVES_FOLDER, PLACES, SCHEMA, Move
from lope.addon.motions.moves.step import Place, Step, blended
from lope.addon.motions.strides import Stance
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec


def main() -> int:
    """Fit, tell, write. Exit code 2 for bad input."""
    parser = parser_of(__doc__)
    parser.add_argument("clips", type=Path, help="folder of the clips, with bvh and turns in it")
    parser.add_argument("--only", nargs="*", default=(), metavar="TEXT", help="only moves whose names hold one of these")
    parser.add_argument("--out", type=Path, default=MOVES_FOLDER, metavar="FOLDER", help="where the files go (default: presets)")
    options = parser.parse_args()
    try:
        for recipe in RECIPES:
            if options.only and not any(text in recipe.name for text in options.only):
                continue
            move = fitted(recipe, options.clips)
            save_move(move, options.out / f"{move.name}.json")
            told = ", ".join(f"{name} {value:g}" for name, value in move.fit.items())
            print(f"{move.name}: {len(move.steps)} steps, {told}", file=sys.stderr)
    except LopeError as error:
        print(f"fit_moves: {error}", file=sys.stderr)
        return 2
    return 0


SNU = ("Seoul National University, Movement Research Laboratory, recorded for Lee, Kim, Lee 2010 (Data-Driven Biped Control): "
       "github.com/snumrl/ys2010")
CMU = "CMU Graphics Lab Motion Capture Database, mocap.cs.cmu.edu; created with funding from NSF EIA-0196217"
APACHE = "Apache-2.0 (the recording; these figures are fitted from it)"
FREE = "free for all uses (the recording; these figures are fitted from it)"


@dataclass(frozen=True)
class Recipe:
    """A move out of a clip: the touch-downs that lie within `start_s` and `end_s` bound its steps. A start begins standing at
    `start_s`, a stop ends standing at `end_s`. Cycles are the mean of all steps, or, with `sided`, of every second one.
    `mirror` exchanges left and right, for the library's turns go left. `facing`: the way's direction is the pelvis'
    at the begin, wherever it goes."""

    name: str
    gait: str
    kind: str
    clip: str
    start_s: float
    end_s: float
    sided: bool = False
    mirror: bool = False
    facing: bool = False
    cycle: str = ""
    """The gait preset that it is made of, in place of a clip."""
    source: str = SNU
    licence: str = APACHE


RECIPES = (
    Recipe("walk_slow", "walk", "cycle", "turns/snu_walk_slow.bvh", 2.7, 6.6),
    Recipe("walk_normal", "walk", "cycle", "turns/snu_walk_normal.bvh", 2.5, 4.7),
    Recipe("walk_fast", "walk", "cycle", "turns/snu_walk_fast.bvh", 2.2, 3.7),
    Recipe("walk_brisk", "walk", "cycle", "bvh/08_06_walk_fast.bvh", 0.5, 2.0, source=CMU, licence=FREE),
    Recipe("curve_left", "walk", "cycle", "bvh/snu_walk_circle_left.bvh", 1.8, 11.2, sided=True),
    Recipe("curve_fast_left", "walk", "cycle", "turns/snu_walk_circle_left_fast.bvh", 0.4, 5.5, sided=True),
    Recipe("turn_45_inner_left", "walk", "turn", "turns/snu_walk_left_45.bvh", 2.4, 4.3),
    Recipe("turn_90_inner_left", "walk", "turn", "turns/snu_walk_through_left_90.bvh", 1.8, 4.1),
    Recipe("turn_180_inner_left", "walk", "turn", "turns/snu_walk_through_left_180.bvh", 2.0, 4.3),
    Recipe("turn_45_outer_left", "walk", "turn", "turns/snu_walk_right_45.bvh", 2.2, 4.1, mirror=True),
    Recipe("turn_90_outer_left", "walk", "turn", "bvh/snu_walk_right_90.bvh", 2.3, 4.2, mirror=True),
    Recipe("turn_135_outer_left", "walk", "turn", "turns/snu_walk_through_left_135.bvh", 2.3, 4.6),
    Recipe("turn_180_outer_left", "walk", "turn", "turns/snu_walk_through_right_180.bvh", 2.0, 4.1, mirror=True),
    Recipe("start", "walk", "start", "turns/snu_walk_normal.bvh", 1.0, 2.7),
    Recipe("start_turn_180_left", "walk", "start", "bvh/snu_stand_turn180_walk_stop.bvh", 0.2, 2.5),
    Recipe("stop", "walk", "stop", "turns/snu_walk_normal.bvh", 5.3, 6.45),
    Recipe("march", "march", "cycle", "bvh/snu_march_soldier.bvh", 2.5, 6.3),
    Recipe("march_start", "march", "start", "bvh/snu_march_soldier.bvh", 0.8, 2.7),
    Recipe("march_stop", "march", "stop", "bvh/snu_march_soldier.bvh", 6.1, 7.9),
    Recipe("run", "run", "cycle", "", 0.0, 1.0, cycle="run", source=CMU, licence=FREE),
    Recipe("lope", "lope", "cycle", "", 0.0, 1.0, cycle="lope", source=CMU, licence=FREE),
    Recipe("backward", "backward", "cycle", "turns/snu_walk_backward_long.bvh", 2.6, 5.9),
    Recipe("backward_start", "backward", "start", "turns/snu_walk_backward_long.bvh", 1.0, 2.7),
    Recipe("backward_stop", "backward", "stop", "turns/snu_walk_backward_long.bvh", 5.7, 7.4),
    Recipe("side_left", "side_left", "cycle", "bvh/snu_walk_sideways_crossing.bvh", 2.9, 4.5, sided=True, facing=True),
    Recipe("side_start_left", "side_left", "start", "bvh/snu_walk_sideways_crossing.bvh", 0.8, 3.0, facing=True),
    Recipe("side_stop_left", "side_left", "stop", "bvh/snu_walk_sideways_crossing.bvh", 4.9, 6.35, facing=True),
)


OFF_PHASE, START_OFF_PHASE = 0.2, 0.5
"""Registered phases of the other foot's off in steps and in the first one out of standing: about their shares of the time."""
STRIDE_S = 1.3
"""The way before and after a turn is told from so long a piece."""


class Cut:
    """The steps of a clip that a recipe names: `spans` of time and foot, and the way's direction at each end [rad]."""

    def __init__(self, recipe: Recipe, clips: Path) -> None:
        self.recipe, self.body = recipe, make_body(BodySpec())
        clip = read_clip(clips / recipe.clip, self.body)
        self.captured = Captured.of(clip)
        self.yaw = euler(clip.root_quaternion)[0]
        self.marks = [(t, side) for t, side in self.captured.strikes() if recipe.start_s <= t <= recipe.end_s]
        if len(self.marks) < 2:
            raise InputError(f"The move {recipe.name} has {len(self.marks)} touch-downs within its part of {clip.path}; "
                             "expected two or more.")
        other = {"L": "R", "R": "L"}
        self.spans = [(a, b, side) for (a, side), (b, _) in pairwise(self.marks)]
        self.standing = [(False, False)] * len(self.spans)
        if recipe.kind == "start":
            first, side = self.marks[0]
            self.spans.insert(0, (recipe.start_s, first, other[side]))
            self.standing.insert(0, (True, False))
        if recipe.kind == "stop":
            last, side = self.marks[-1]
            self.spans.append((last, recipe.end_s, side))
            self.standing.append((False, True))

    def headings(self) -> list[float]:
        """The way's direction at the begin of every span and at the last one's end."""
        times = [span[0] for span in self.spans] + [self.spans[-1][1]]
        recipe = self.recipe
        if recipe.facing:
            return [0.0] * len(times)
        if (recipe.kind == "cycle" and not recipe.sided) or (recipe.kind in ("start", "stop") and "turn" not in recipe.name):
            return [self._straight()] * len(times)
        at = [self._mean_yaw(t - 0.5 * STRIDE_S, t + 0.5 * STRIDE_S) if recipe.sided else self._yaw(t) for t in times]
        if recipe.kind == "turn":
            at[0], at[-1] = self._mean_yaw(times[0] - STRIDE_S, times[0]), self._mean_yaw(times[-1], times[-1] + STRIDE_S)
        if recipe.kind == "start":
            at[0] = 0.0
        return at

    def _yaw(self, time_s: float) -> float:
        return float(np.interp(time_s, self.captured.clip.times_s, self.yaw))

    def _mean_yaw(self, start_s: float, end_s: float) -> float:
        times = self.captured.clip.times_s
        return float(self.yaw[(times >= start_s) & (times <= end_s)].mean())

    def _straight(self) -> float:
        """The direction from the first to the last touch-down's middle between the feet, or facing where it goes back."""
        clip = self.captured.clip
        ends = [np.interp(t, clip.times_s, clip.root_m[:, 0]) + 1j * np.interp(t, clip.times_s, clip.root_m[:, 1])
                for t in (self.marks[0][0], self.marks[-1][0])]
        way = float(np.angle(ends[1] - ends[0]))
        facing = self._mean_yaw(self.marks[0][0], self.marks[-1][0])
        if self.recipe.kind != "cycle":
            return facing
        return way if abs(math.remainder(way - facing, math.tau)) < 0.5 * math.pi else way + math.pi * np.sign(facing - way)

    def _off_phase(self, begins_standing: bool) -> float | None:
        """The registered phase of the other foot's off: one for all steps that are blended with one another, which are the
        walk's; what goes alone keeps its own."""
        recipe = self.recipe
        if recipe.kind != "cycle" and (recipe.gait != "walk" or recipe.kind == "stop"):
            return None
        return START_OFF_PHASE if begins_standing else OFF_PHASE

    def steps(self) -> list[Step]:
        """All steps, one by one."""
        headings = self.headings()
        return [fit_step(self.captured, own, (start, end), headings[i], headings[i + 1] - headings[i], stands,
                         self._off_phase(stands[0]))
                for i, ((start, end, own), stands) in enumerate(zip(self.spans, self.standing, strict=True))]


class CycleCut(Cut):
    """The step with a flight of a gait preset, played for some periods as a clip."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe, self.body = recipe, make_body(BodySpec())
        cycle = load_gait(recipe.cycle)
        self.captured = _played(cycle, self.body)
        self.yaw = euler(self.captured.clip.root_quaternion)[0]
        half = 0.5 / cycle.stride_frequency_hz
        self.marks = [(2.0 * half, "L"), (3.0 * half, "R")]
        self.spans = [(2.0 * half, 3.0 * half, "L"), (3.0 * half, 4.0 * half, "R")]

    def headings(self) -> list[float]:
        """See `Cut`: straight on."""
        return [0.0] * 3

    def steps(self) -> list[Step]:
        """See `Cut`."""
        return [fit_flight(self.captured, own, start, end, 0.0) for start, end, own in self.spans]


def _played(cycle: Cycle, body: Body) -> Captured:
    """Three periods of a cycle on a body, as a clip with the cycle's own contacts."""
    period = 1.0 / cycle.stride_frequency_hz
    times = np.arange(0.0, 3.0 * period + 1e-9, 1.0 / RATE_HZ)
    root, quats, joints = pose(cycle.evaluate(times / period), body)
    ratio = body.leg_length_m / cycle.leg_length_m
    root[:, 0] += ratio * cycle.speed_m_s * times
    positions, orientations = segment_poses(body, root, quats, joints)
    feet = [body.index[f"foot_{side}"] for side in "LR"]
    forward = matrix_from_quat(orientations[:, feet])[..., 0]
    clip = FollowedClip(
        cycle.name, body, 1.0 / RATE_HZ, ratio, root, quats, joints, centre_of_mass(body, positions, orientations),
        positions[:, feet].copy(), orientations[:, feet], np.unwrap(np.arctan2(forward[..., 1], forward[..., 0]), axis=0),
        np.arctan2(-forward[..., 2], np.hypot(forward[..., 0], forward[..., 1])), ())
    schedule = {side: [_stance(cycle, side, turn, period) for turn in range(3)] for side in "LR"}
    geometry = FootGeometry(body, "L")
    return Captured(clip, schedule, make_prints(clip, schedule, geometry), geometry)


def _stance(cycle: Cycle, side: str, turn: int, period: float) -> Stance:
    contact = cycle.contact_phases[side]
    strike = (turn + contact.strike) * period
    flat, heel, off = (strike + period * share for share in contact.since_strike())
    return Stance(side, strike, flat, max(heel, flat), off)


def fitted(recipe: Recipe, clips: Path) -> Move:
    """The move of a recipe. Raises LopeError for a clip that is not there or shows other steps."""
    cut = CycleCut(recipe) if recipe.cycle else Cut(recipe, clips)
    steps = cut.steps()
    kept = steps
    if recipe.kind == "cycle":
        own = [[s for s in steps if s.own == side] for side in (steps[0].own, steps[0].other)]
        kept = [mean_step(group) for group in own] if recipe.sided else [mean_step(steps)]
    fit = errors(cut, steps)
    if recipe.mirror:
        kept = [step.mirrored() for step in kept]
    clip = f"gait preset {recipe.cycle}" if recipe.cycle else Path(recipe.clip).name
    return Move(recipe.name, recipe.gait, recipe.kind, clip, recipe.source, recipe.licence, fit, tuple(kept))


def errors(cut: Cut, steps: list[Step]) -> dict[str, float]:
    """Root mean squares from the clip of the steps' figures, played one after the other on the body of the clip: joints'
    angles [deg], the root's place and the ankles' [cm], each step laid where the clip has its begin."""
    clip, layer = cut.captured.clip, Layer(cut.body)
    headings = cut.headings()
    joints, roots, feet = [], [], []
    for i, (step, (start, end, _)) in enumerate(zip(steps, cut.spans, strict=True)):
        fragment = layer.lay(step, None, "", "")
        times = start + np.linspace(0.0, 1.0, len(fragment.root_m)) * (end - start)
        rows = np.clip(np.round(times / clip.step_s).astype(int), 0, len(clip.root_m) - 1)
        apart = quat_multiply(quat_conjugate(clip.joint_quaternions[rows]), fragment.joint_quaternions)
        joints.append((rotvec_from_quat(apart) ** 2).sum(axis=-1).mean(axis=1))
        own, theirs = _ankles(fragment, layer), clip.ankle_m[rows]
        turn = np.exp(1j * headings[i])
        flat = theirs[..., 0] + 1j * theirs[..., 1]
        origin = flat[0].mean() if step.begins_standing else cut.captured.print_at(step.own, start + 0.004).place
        away = np.abs((own[..., 0] + 1j * own[..., 1]) * turn + origin - flat) ** 2 + (own[..., 2] - theirs[..., 2]) ** 2
        feet.append(away.mean(axis=1))
        root = clip.root_m[rows]
        place = (fragment.root_m[:, 0] + 1j * fragment.root_m[:, 1]) * turn + origin
        roots.append(np.abs(place - root[:, 0] - 1j * root[:, 1]) ** 2 + (fragment.root_m[:, 2] - root[:, 2]) ** 2)
    return {"joints_deg": round(math.degrees(math.sqrt(np.concatenate(joints).mean())), 2),
            "root_cm": round(100.0 * math.sqrt(np.concatenate(roots).mean()), 2),
            "feet_cm": round(100.0 * math.sqrt(np.concatenate(feet).mean()), 2)}


def _ankles(fragment: PlacedFragment, layer: Layer) -> np.ndarray:
    """The ankles' places (N, 2, 3) [m]."""
    positions, _ = segment_poses(layer.body, fragment.root_m, fragment.root_quaternion, fragment.joint_quaternions)
    return positions[:, [layer.body.index["foot_L"], layer.body.index["foot_R"]]]


def save_move(move: Move, path: str | Path) -> None:
    """Write a move as JSON, one line a curve. Raises InputError where the place cannot be written."""
    head = {"schema": SCHEMA, "format": FORMAT, **{name: getattr(move, name) for name in (
        "name", "gait", "kind", "clip", "source", "licence", "fit")}}
    text = json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ",\n \"steps\": [\n"
    text += ",\n".join(map(_written, move.steps)) + "\n ]\n}\n"
    write_whole(path, text, "move")


def _written(step: Step) -> str:
    figures: dict[str, Any] = {"own": step.own, "begins_standing": step.begins_standing, "ends_standing": step.ends_standing,
                               **{name: round(float(getattr(step, name)), DIGITS) for name in FIGURES},
                               **{name: [round(float(x), DIGITS) for x in getattr(step, name)] for name in PLACES}}
    figures |= {name: round(float(value), DIGITS) for name in ("off", "flies") if (value := getattr(step, name)) is not None}
    parts = [f"   {json.dumps(name)}: {json.dumps(value)}" for name, value in figures.items()]
    for part, names, rows in (("curves", layout.names(), step.curves), ("air", layout.AIR, step.air if step.lands else None),
                              ("own_air", layout.AIR, step.own_air)):
        lines = [] if rows is None else [f"    {json.dumps(name)}: {json.dumps([round(float(x), DIGITS) for x in row])}"
                                         for name, row in zip(names, rows, strict=True)]
        if lines or part != "own_air":
            parts.append(f"   \"{part}\": {{\n" + ",\n".join(lines) + "\n   }" if lines else f"   \"{part}\": {{}}")
    return "  {\n" + ",\n".join(parts) + "\n  }"


END_WEIGHT = 30.0
"""Weight of a step's first and last sample: its neighbours join there."""
RIDGE = 1e-6
SAMPLES = 120
OUT_OF_SIGHT_S = 3.0
"""Times farther off than this are written as this: a stance that lasts."""


@dataclass(frozen=True)
class Captured:
    """A clip with all that its steps are cut from: its schedule, its prints, and the body's foot."""

    clip: FollowedClip
    schedule: Schedule
    prints: Prints
    geometry: FootGeometry

    @classmethod
    def of(cls, clip: FollowedClip) -> Captured:
        """What a clip holds."""
        schedule, geometry = make_schedule(clip), FootGeometry(clip.body, "L")
        return cls(clip, schedule, make_prints(clip, schedule, geometry), geometry)

    @property
    def unit_s(self) -> float:
        """The unit of time of the figures, for the figure of the clip [s]."""
        return math.sqrt(self.clip.body.leg_length_m / self.clip.leg_ratio / EARTH_GRAVITY_M_S2)

    def strikes(self) -> list[tuple[float, str]]:
        """When which foot touches down, in their order; not what stands from the first frame on."""
        return sorted((p.stance.strike_s, side) for side in SIDES for p in self.prints[side] if p.stance.strike_s > 0.0)

    def print_at(self, side: str, time_s: float) -> Print:
        """The print on which a foot stands at a time. Raises ValueError where it does not."""
        stance = standing(self.schedule, side, time_s)
        if stance is None:
            raise ValueError(f"{self.clip.path}: foot {side} does not stand at {time_s:.2f} s.")
        return self.prints[side][self.schedule[side].index(stance)]


def fit_step(
    captured: Captured, own: str, span_s: tuple[float, float], heading: float, turn: float,
    standing: tuple[bool, bool] = (False, False), off_phase: float | None = None,
) -> Step:
    """The step between two times of a clip, in which the foot `own` stands and, unless both keep standing, the other one lifts
    and lands at the end. `standing` tells whether it begins and ends on both feet, `heading` is the way's direction at the begin
    [rad]. `off_phase` is the registered phase of the other foot's off, without it the share of the time that it has."""
    (start_s, end_s), (begins_standing, ends_standing) = span_s, standing
    leg, unit, side = captured.clip.body.leg_length_m, captured.unit_s, other_side(own)
    moment = 0.5 * captured.clip.step_s
    stance, before = captured.print_at(own, start_s + moment), captured.print_at(side, start_s + moment)
    after = before if ends_standing else captured.print_at(side, end_s + moment)
    frame = _Frame(0.5 * (stance.place + before.place) if begins_standing else stance.place, heading, leg)
    off_s = 0.5 * (start_s + end_s) if ends_standing else before.stance.off_s
    phase = round((off_s - start_s) / (end_s - start_s), DIGITS) if off_phase is None or ends_standing else off_phase

    def units(time_s: float) -> float:
        return min(max(time_s - start_s, -OUT_OF_SIGHT_S), OUT_OF_SIGHT_S) / unit

    step = Step(
        own, begins_standing, ends_standing, units(end_s), None if ends_standing else units(off_s),
        max(units(stance.stance.flat_s), 0.0), units(stance.stance.heel_off_s), units(before.stance.heel_off_s),
        frame.print(stance), frame.print(before), frame.print(after), turn, phase, np.zeros((len(layout.names()), 1)),
        np.zeros((len(layout.AIR), layout.AIR_INTERVALS + 3)))
    times = np.linspace(start_s, end_s, SAMPLES)
    found = _curves(captured, times, frame, {own: [stance], side: [before, after]})
    curves, air = _fit(step.phases((times - start_s) / unit), found, layout.INTERVALS), step.air
    if not ends_standing:
        flying = np.linspace(off_s, end_s, SAMPLES)
        phases = step.phases((flying - start_s) / unit)
        air = _fit((phases - phases[0]) / (phases[-1] - phases[0]), _air(captured, flying, frame, before, after),
                   layout.AIR_INTERVALS)
    return replace(step, curves=curves, air=air)


def fit_flight(captured: Captured, own: str, start_s: float, end_s: float, heading: float) -> Step:
    """The same of a step straight on with a flight: the foot `own` leaves the ground before the other one lands."""
    leg, unit, side = captured.clip.body.leg_length_m, captured.unit_s, other_side(own)
    moment = 0.5 * captured.clip.step_s
    stance, after = captured.print_at(own, start_s + moment), captured.print_at(side, end_s + moment)
    frame, off_s = _Frame(stance.place, heading, leg), stance.stance.off_s
    times, flying = np.linspace(start_s, end_s, SAMPLES), np.linspace(off_s, end_s, SAMPLES)
    share = np.linspace(0.0, 1.0, SAMPLES)
    landing = frame.print(after)
    behind = Place(-landing.x, landing.y, landing.yaw)
    return Step(
        own, False, False, (end_s - start_s) / unit, None, (stance.stance.flat_s - start_s) / unit,
        (stance.stance.heel_off_s - start_s) / unit, -1.0, frame.print(stance), behind, landing, 0.0, 0.5,
        _fit(share, _curves(captured, times, frame, {own: [stance], side: [after]}), layout.INTERVALS),
        _fit(share, _path(captured, times, frame, side), layout.AIR_INTERVALS), (off_s - start_s) / unit,
        _fit(share, _path(captured, flying, frame, own), layout.AIR_INTERVALS))


def mean_step(steps: Sequence[Step]) -> Step:
    """The mean of steps of one kind, each brought to the own foot of the first."""
    alike = [step.begun_by(steps[0].own) for step in steps]
    return blended(alike, [1.0 / len(alike)] * len(alike))


@dataclass(frozen=True)
class _Frame:
    """A step's frame in the clip's: origin x + iy [m], direction [rad], leg length [m]."""

    origin: complex
    heading: float
    leg_m: float

    def place(self, place: Any) -> Any:
        """Places in the frame [leg lengths] of places x + iy [m], one or many."""
        return (place - self.origin) * np.exp(-1j * self.heading) / self.leg_m

    def print(self, print_: Print) -> Place:
        """A print in the frame."""
        place = complex(self.place(print_.place))
        return Place(place.real, place.imag, near(print_.yaw - self.heading, 0.0))


def near(angle: float, other: float) -> float:
    """An angle brought to within half a turn of another one [rad]."""
    return other + math.remainder(angle - other, math.tau)


def _fit(phases: np.ndarray, values: np.ndarray, intervals: int) -> np.ndarray:
    """Coefficients (C, K) of splines through values (N, C) at phases (N,)."""
    weights = np.ones(len(phases))
    weights[[0, -1]] = END_WEIGHT
    basis = layout.design(phases, intervals)
    weighted = basis * weights[:, None]
    return np.linalg.solve(weighted.T @ basis + RIDGE * np.eye(basis.shape[1]), weighted.T @ values).T


def foot_angles(quats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Yaw, roll and pitch (N,) [rad] of feet (N, 4), turned in this order about z, x and y; yaw and pitch without jumps."""
    m = matrix_from_quat(quats)
    return (np.unwrap(np.arctan2(-m[:, 0, 1], m[:, 1, 1])), np.arctan2(m[:, 2, 1], np.hypot(m[:, 0, 1], m[:, 1, 1])),
            np.unwrap(np.arctan2(-m[:, 2, 0], m[:, 2, 2])))


def _sampled(clip: FollowedClip, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (N, ...) of a clip at times (T,): (T, ...)."""
    flat = values.reshape(len(values), -1)
    return np.stack([np.interp(times, clip.times_s, column) for column in flat.T], axis=1).reshape(len(times), *values.shape[1:])


def _curves(captured: Captured, times: np.ndarray, frame: _Frame, prints: dict[str, list[Print]]) -> np.ndarray:
    """The values (N, C) of a step's curves at times of the clip."""
    clip = captured.clip
    root = _sampled(clip, times, clip.root_m)
    place = frame.place(root[:, 0] + 1j * root[:, 1])
    yaw, pitch, roll = (_sampled(clip, times, angle) for angle in euler(clip.root_quaternion))
    yaw = yaw - frame.heading
    columns = {"root.x": place.real, "root.y": place.imag, "root.z": (root[:, 2] + clip.body.sole_height_m) / frame.leg_m,
               "root.yaw": yaw - 2.0 * np.pi * np.round(yaw[0] / (2.0 * np.pi)), "root.pitch": pitch, "root.roll": roll}
    values = np.zeros((len(times), len(layout.names())))
    for name, column in columns.items():
        values[:, layout.at(name)] = column
    for name, where in layout.upper():
        if name not in clip.body.index:
            continue
        quats, axis = clip.joint_quaternions[:, clip.body.joint_segments.index(name)], clip.body.segment(name).axis
        joint = continuous_rotvec(quats) if axis is None else hinge_angles(quats, axis)[:, None]
        values[:, where] = _sampled(clip, times, joint)
    for i, side in enumerate(SIDES):
        thigh = clip.joint_quaternions[:, clip.body.joint_segments.index(f"thigh_{side}")]
        first = layout.at(f"knee_{side}.x")
        values[:, first:first + 3] = _sampled(clip, times, matrix_from_quat(thigh)[:, :, 1])
        level = np.mean([print_.level for print_ in prints[side]])
        values[:, layout.at(f"pitch_{side}")] = _sampled(clip, times, foot_angles(clip.foot_quaternion[:, i])[2]) - level
    return values


def _path(captured: Captured, times: np.ndarray, frame: _Frame, side: str) -> np.ndarray:
    """Where a foot is (N, 5): its ankle over that of a flat foot, its yaw and its roll, at times in the air."""
    clip, i = captured.clip, SIDES.index(side)
    ankle = _sampled(clip, times, clip.ankle_m[:, i])
    way = frame.place(ankle[:, 0] + 1j * ankle[:, 1])
    yaw, roll, _ = (_sampled(clip, times, angle) for angle in foot_angles(clip.foot_quaternion[:, i]))
    yaw = yaw - frame.heading
    height = (ankle[:, 2] - captured.geometry.ankle_height_m) / frame.leg_m
    return np.stack([way.real, way.imag, height, yaw - math.tau * np.round(yaw[0] / math.tau), roll], axis=1)


def _air(captured: Captured, times: np.ndarray, frame: _Frame, before: Print, after: Print) -> np.ndarray:
    """What the foot in the air has beside the way from print to print (N, 5), at times from its off to its landing."""
    clip, i = captured.clip, SIDES.index(before.side)
    share = np.array([smooth(s) for s in np.linspace(0.0, 1.0, len(times))])
    ankle = _sampled(clip, times, clip.ankle_m[:, i])
    way = frame.place(ankle[:, 0] + 1j * ankle[:, 1]) - frame.place(before.place) - share * (
        frame.place(after.place) - frame.place(before.place))
    yaw, roll, _ = (_sampled(clip, times, angle) for angle in foot_angles(clip.foot_quaternion[:, i]))
    turned = yaw - before.yaw - share * (near(after.yaw - before.yaw, float(yaw[-1] - yaw[0])))
    turned = turned - 2.0 * np.pi * np.round(turned[0] / (2.0 * np.pi))
    height = (ankle[:, 2] - captured.geometry.ankle_height_m) / frame.leg_m
    return np.stack([way.real, way.imag, height, turned, roll], axis=1)


if __name__ == "__main__":
    sys.exit(main())
