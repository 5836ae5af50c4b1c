# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the presets of the moves from captured clips, and say how well the figures fit.

    scripts/tools/fit_moves.py CLIPS [--only TEXT ...] [--out FOLDER]

CLIPS is the folder with the tests' clips (`bvh`, `turns`).
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import math
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import centre_of_mass, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError, LopeError
from lope.addon.locomotion.clip.clip import RATE_HZ, FollowedClip, read_clip
from lope.addon.locomotion.clip.moves.fitting import Captured, euler, fit_flight, fit_step, mean_step
from lope.addon.locomotion.clip.moves.placed import Layer, PlacedFragment
from lope.addon.locomotion.clip.prints import make_prints
from lope.addon.locomotion.legged.foot_geometry import FootGeometry
from lope.addon.maths.rotations import matrix_from_quat, quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.motions.cycle import Cycle, pose
from lope.addon.motions.library import load_gait
from lope.addon.motions.moves.library import MOVES_FOLDER, Move, save_move
from lope.addon.motions.moves.step import Step
from lope.addon.motions.strides import Stance
from lope.addon.specs.shot import BodySpec


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


if __name__ == "__main__":
    sys.exit(main())
