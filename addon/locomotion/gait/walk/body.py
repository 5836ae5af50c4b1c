# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of the walker: height and lean of the COM, and the whole reference pose with its velocity; which foot stands, which
swings, where they are led, and which of their points may push.

The height of the centre of mass is the cycle's, bounded by gravity, lowered while a leg would be too short.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from ....bodies.capsules import body_capsules
from ....bodies.state import BodyState
from ....maths.curves import PeriodicTable
from ....maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.clearance import QUICKEST_G, no_raise, raise_over
from ...legged.foot_geometry import FootPose, Footstep, Terrain
from ...legged.foot_path import HEEL_UP, LEVEL_M, FootPath
from ...legged.pose import GaitTables, PosePlanner
from ...legged.targets import SIDES, FeetPose, FootTarget, foot_targets, turn_quat
from .footsteps import OTHER, Rhythm, WalkSettings
from .path import Course

ARRIVED_M = 0.04
"""How high over its landing a foot that carries weight has landed."""
HANGING_M = 0.045
"""A standing foot's point that is so high over the ground hangs over an edge."""
BENT_DOWN = 0.017
"""By how much less than its usual reach, over its length, a leg comes down on lower ground: the body falls on it while it swings,
and one that is straight before it is down pulls the body along."""
ROUND_M = 0.01
"""How far from the cores of one another [m] the shanks pass."""


class Foot:
    """One foot: its path, where it stands or stood, and whether it swings. A foot that landed early swings no more but
    waits for the clock (`landed` while `swinging`); one that is late has been lowered and goes on at its speed. While the
    clock waits for the other foot this one rolls on by `overrun`, a phase."""

    def __init__(self, path: FootPath, step: Footstep) -> None:
        self.path, self.step = path, step
        self.swinging, self.landed = False, True
        self.lift = path.standing(step, [path.phases.toe_off], 0.0)[0]
        self.lowered_m = self.lowering_m_s = self.overrun = 0.0


class Feet:
    """The two feet on a rhythm. `target` is the footstep that the swing foot is led to, `points_of` tells which contact points
    (P,) are a foot's."""

    def __init__(
        self, state: BodyState, tables: GaitTables, rhythm: Rhythm, settings: WalkSettings, amplitude: float,
        steps: dict[str, Footstep], terrain: Terrain,
    ) -> None:
        self._state, self._rhythm, self._settings, self._terrain = state, rhythm, settings, terrain
        self._frames = {side: state.frame(f"foot_{side}") for side in SIDES}
        points = state.body.contact_points
        self.points_of = {side: np.array([p.side == side for p in points]) for side in SIDES}
        self._points = {side: of.nonzero()[0].tolist() for side, of in self.points_of.items()}
        self._heels = [p.kind == "heel" for p in points]
        clearance, lift = settings.clearance_m, settings.foot_lift_m
        self._feet = {side: Foot(FootPath(tables, side, clearance, amplitude, lift, settings.heel_strike, settings.upright),
                                 steps[side])
                      for side in SIDES}
        stiff = {side: not foot.path.geometry.has_toes for side, foot in self._feet.items()}
        self._balls, self._toes = ([p.kind == kind for p in points] for kind in ("ball", "toe"))
        self._turn_limit = settings.angular_acceleration_limit * -float(state.gravity[2]) / EARTH_GRAVITY_M_S2
        self._rising = [p.kind in ("heel", "mid") or (p.kind == "ball" and stiff[p.side]) for p in points]
        shanks = [c.core_m for c in body_capsules(state.body) if c.segment in ("shank_L", "shank_R")]
        self._apart_m = min(sum(shanks) + ROUND_M, tables.width_m)
        self.target = steps["R"]

    def __getitem__(self, side: str) -> Foot:
        return self._feet[side]

    def stand(self, steps: Mapping[str, Footstep]) -> None:
        """Both stand on these footsteps."""
        for side, step in steps.items():
            foot = self._feet[side]
            foot.step, foot.swinging, foot.landed, foot.overrun = step, False, True, 0.0
            foot.lowered_m = foot.lowering_m_s = 0.0

    def lift(self, side: str, heading: float) -> None:
        """The foot leaves the ground in the pose and with the velocity it has."""
        foot, frame = self._feet[side], self._frames[side]
        foot.swinging, foot.landed, foot.lowered_m, foot.lowering_m_s, foot.overrun = True, False, 0.0, 0.0, 0.0
        rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn_quat(heading)), frame.quaternion))
        planned = foot.path.standing(foot.step, [foot.path.phases.toe_off], heading)[0]
        lift = FootPose(frame.position.copy(), rotvec, planned.toe, ground_m=planned.ground_m, yaw=foot.step.yaw,
                        over=None if self._terrain.ground.plane else no_raise)
        lift = foot.path.departing(lift, self._state.velocity_of(frame), self.target, heading, self._rhythm.rate)
        foot.lift = foot.path.cleared(lift, self.target, heading)

    def land(self, side: str, heading: float) -> None:
        """The foot is down: its footstep is where it really stands, its yaw counted on from the heading."""
        foot, frame = self._feet[side], self._frames[side]
        foot.step = self._terrain.stood(side, frame.position, frame.matrix[:, 0], heading)
        foot.landed = True

    def arrived(self, side: str, heading: float) -> bool:
        """Whether a swinging foot is where it is to land, and not on an edge before it."""
        if self._terrain.ground.plane or not self._feet[side].swinging:
            return True
        over = self._frames[side].position[2] - self._feet[side].path.landing(self.target, heading).ankle[2]
        return bool(over < ARRIVED_M)

    def touches(self, side: str) -> bool:
        """Whether a foot has a point on the ground, however lightly: one that is set down softly carries nothing yet."""
        return bool((self._state.contact_height_m[self.points_of[side]] < self._settings.active_height_m).any())

    def poses(self, heading: float, times_s: Sequence[float]) -> list[FeetPose]:
        """Planned poses of both feet at times (k,) from now."""
        poses = [self._motion(self._feet[side], heading, times_s) for side in SIDES]
        return [dict(zip(SIDES, pair, strict=True)) for pair in zip(*poses, strict=True)]

    def _motion(self, foot: Foot, heading: float, times_s: Sequence[float]) -> list[FootPose]:
        """Planned poses of one foot at times (k,) from now."""
        since, rate = foot.path.phases.since_strike(self._rhythm.phase), self._rhythm.rate
        if foot.swinging and not foot.landed:
            late = since + rate * max(times_s) >= 1.0  # the clock waits, or is about to: the foot stays over its landing
            phases = [1.0 if late else since + rate * t for t in times_s]
            self._clear(foot, heading)
            poses = foot.path.swinging(foot.lift, self.target, phases, heading)
            for pose, time in zip(poses, times_s, strict=True):
                pose.ankle[2] -= foot.lowered_m + time * foot.lowering_m_s
            return poses
        if foot.swinging:
            return foot.path.standing(foot.step, [0.0] * len(times_s), heading)
        since = (0.0 if since > 0.95 else since) + foot.overrun
        return foot.path.standing(foot.step, [since + rate * t for t in times_s], heading)

    def _clear(self, foot: Foot, heading: float) -> None:
        """Lead a swinging foot round the leg that stands, and over what lies between its lift and its landing; once further out
        or raised it stays so."""
        standing = self._feet[OTHER[foot.path.side]].step.place
        foot.lift.aside_m = max(foot.path.round_m(foot.lift, self.target, heading, standing, self._apart_m), foot.lift.aside_m)
        if self._terrain.ground.plane:
            return
        stood = self._feet[OTHER[foot.path.side]].step.support
        foot.path.meet(self.target.support.height_m - stood.height_m, self.target)
        toe_off = foot.path.phases.toe_off
        since = (foot.path.phases.since_strike(self._rhythm.phase) - toe_off) / (1.0 - toe_off)
        swing_s = (1.0 - toe_off) / self._rhythm.rate
        quickest_m = 0.5 * QUICKEST_G * math.sqrt(-float(self._state.gravity[2]) * EARTH_GRAVITY_M_S2) * swing_s**2
        foot.lift = replace(foot.lift, over=raise_over(foot.path, foot.lift, self.target, heading, self._terrain.ground,
                                                       quickest_m, since))

    def wanted(
        self, heading: float, before: FeetPose, now: FeetPose, after: FeetPose, dt: float, active: np.ndarray
    ) -> dict[str, FootTarget]:
        """Wanted motion of the feet, from their poses now and `dt` before and after; one that should stand but has no point
        on the ground is led there like a swinging one."""
        stands = {side: foot.landed and bool(active[self.points_of[side]].any()) for side, foot in self._feet.items()}
        return foot_targets(heading, (before, now, after), dt, stands, self._turn_limit)

    def contact_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool).

        A standing foot expects its heel until the heel is to rise (a stiff foot its ball, too), ball and toes once it is to
        be flat; a point may push when its foot stands and it touches. Toes do not while the ball hovers over them: a foot that
        stands on heel and toes, as on an arch, holds nobody who falls sideways. The ball pushes until the toes touch that are
        to take over.
        """
        heights = self._state.contact_height_m
        touching = [height < self._settings.active_height_m for height in heights.tolist()]
        hangs = [False] * len(touching) if self._terrain.ground.plane else (heights > HANGING_M).tolist()
        expected = [False] * len(touching)
        for side in SIDES:
            foot, rows = self._feet[side], self._points[side]
            if foot.swinging and not foot.landed:
                for i in rows:
                    touching[i] = False
                continue
            since = 0.0 if foot.swinging else foot.path.phases.since_strike(self._rhythm.phase) + foot.overrun
            pitch = foot.path.stance_pitch(since)
            off = pitch > foot.path.geometry.tip_rise + HEEL_UP and any(touching[i] for i in rows if self._toes[i])
            hollow = pitch <= HEEL_UP and not any(touching[i] for i in rows if self._balls[i])
            for i in rows:
                if hangs[i] or (pitch > HEEL_UP and self._rising[i]) or (off and self._balls[i]) or (hollow and self._toes[i]):
                    touching[i] = False
                else:
                    expected[i] = touching[i] or pitch > -0.01 or self._heels[i]
        return np.array(touching), np.array(expected)


STIFFNESSES = np.append(np.geomspace(1.0, 1e-9, 240), 0.0)
"""From what leaves a thousandth of a cycle's rise and fall to nothing."""


class HeightPlan:
    """Planned COM height over the phase: the cycle's, smoothed by as much as brings its accelerations within a fraction of
    gravity while a foot stands. Heights of captured walkers have ripples of a millimetre whose accelerations are half of all.

    With `upright` from 0 to 1 it goes over from the cycle's rise and fall to `stand_raise_m` over their mean.
    """

    def __init__(self, tables: GaitTables, rhythm: Rhythm, gravity_m_s2: float, settings: WalkSettings) -> None:
        self._tables, self._rhythm, self._settings = tables, rhythm, settings
        self.upright = self.stand_raise_m = self.reduction_m = self.reduction_rate = 0.0
        self._own_m = tables.com_height_mean_m
        self._rise_and_fall(tables.table.part(slice(0, 1)), settings.height_raise * tables.body.leg_length_m, gravity_m_s2)

    def _rise_and_fall(self, heights: PeriodicTable, raise_m: float, gravity_m_s2: float) -> None:
        """Go by heights of the COM over the phase, raised by so much."""
        self._cycles, phases = heights, np.linspace(0.0, 1.0, 240, endpoint=False)
        self._largest = np.maximum.accumulate([np.abs(heights.smoothed(k).second(phases)).max() for k in STIFFNESSES])
        self.under(gravity_m_s2)
        self._raise = raise_m - self._sink(self._settings.height_amplitude) - self._settings.crouch_m

    def by_knees(self, heights: PeriodicTable, gravity_m_s2: float) -> None:
        """Go, as far as the walk is upright, by the heights that people's knees give; who stands, and the height now, stay."""
        share, own, phase = self._settings.upright, self._tables.table.part(slice(0, 1)), self._rhythm.phase
        stood, before = self.mean_m + self.stand_raise_m * (1.0 - self.upright), self.unreduced(phase)
        raise_m = (1.0 - share) * self._settings.height_raise * self._tables.body.leg_length_m
        mixed = own.mixed(heights, share)
        self._own_m = float(mixed.mean[0])
        self._rise_and_fall(mixed, raise_m, gravity_m_s2)
        self.stand_raise_m += stood - (self.mean_m + self.stand_raise_m * (1.0 - self.upright))
        self.reduction_m += self.unreduced(phase) - before

    def under(self, gravity_m_s2: float) -> None:
        """Take over a gravity and the rhythm's present frequency."""
        self._time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        square = max(self._settings.height_amplitude * self._rhythm.frequency**2, 1e-9)
        most = self._settings.height_acceleration * gravity_m_s2 / square
        self._series = self._cycles.smoothed(float(np.interp(most, self._largest, STIFFNESSES)))

    def _sink(self, height_amplitude: float) -> float:
        """How much lower [m] the mean height is where the rise and fall are scaled: the legs' length bounds the height where
        the COM is highest and, with the feet apart, where it is lowest; neither may come higher than in the cycle."""
        away = self._cycles.value(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0] - self._own_m
        return max((height_amplitude - 1.0) * float(away.max()), (height_amplitude - 1.0) * float(away.min()))

    def unreduced(self, phase: float | np.ndarray) -> Any:
        """Heights (...,) [m] at phases (...,), before the legs' reach is asked."""
        return self.mean_m + self._share() * (self._series.value(phase)[..., 0] - self._own_m)

    @property
    def mean_m(self) -> float:
        """The mean height [m]."""
        return self._own_m + self._raise + self.upright * self.stand_raise_m

    def _share(self) -> float:
        """What the rise and fall are of the series'. A quicker step rises and falls less, by so much that its accelerations
        stay the gait's."""
        return (1.0 - self.upright) * self._settings.height_amplitude / self._rhythm.quickness**2

    def now(self) -> tuple[float, float, float]:
        """Height [m], velocity [m/s], acceleration [m/s^2] at the rhythm's phase."""
        rate, share = self._rhythm.rate, self._share()
        value, slope, second = self._series.motion(self._rhythm.phase)
        height = self.mean_m + share * (float(value[0]) - self._own_m)
        return height - self.reduction_m, share * rate * float(slope[0]) - self.reduction_rate, share * rate**2 * float(second[0])

    def follow(self, needed_reduction_m: float, dt: float, coming_m: float = 0.0) -> None:
        """Move towards the reduction of height that the legs' reach needs: quickly down, slowly up again, and slowly to what the
        next landing will need."""
        settings = self._settings
        rate = settings.height_reduction_rate if needed_reduction_m > self.reduction_m else settings.rise_rate
        self.reduction_rate = rate * self._time_scale * (max(needed_reduction_m, coming_m) - self.reduction_m)
        self.reduction_m += dt * self.reduction_rate


POSE_STEP_S = 0.005
"""Time over which velocities of the reference pose and of the feet are taken."""


class BodyPlan:
    """Height, lean and pose on a rhythm, a course and a terrain. `amplitude` is how much of the gait's own motion is shown: 1 in
    full steps, 0 standing."""

    def __init__(
        self, model: mujoco.MjModel, tables: GaitTables, rhythm: Rhythm, course: Course, terrain: Terrain, height: HeightPlan,
        settings: WalkSettings,
    ) -> None:
        self._model, self._tables, self._rhythm, self._course = model, tables, rhythm, course
        self._terrain, self.height, self._settings = terrain, height, settings
        self.poses = PosePlanner(tables, tables.body)
        self.amplitude, self.gravity = 1.0, 1.0

    def show(self, amplitude: float) -> None:
        """Show so much of the gait's own motion."""
        self.amplitude = self.poses.amplitude = amplitude

    @property
    def lean(self) -> float:
        """Lean of the body to the left [rad] under which weight and centrifugal force go through the feet."""
        return math.atan(self.amplitude**2 * self._course.turn_rate * self._course.speed / self.gravity)

    def over_ground(self, velocity: complex, acceleration: complex) -> tuple[float, float, float]:
        """Planned height of the COM [m], its velocity and acceleration, the level of the ground under it included."""
        height, rate, second = self.height.now()
        terrain = self._terrain
        return height + terrain.level_m, rate + terrain.rate(velocity), second + terrain.second(velocity, acceleration)

    def needed_height_reduction(self, com: complex, feet: FeetPose) -> float:
        """How much lower than the cycle's the COM must be for the legs to reach both feet."""
        row = self._rows(self._rhythm.phase)
        height = self.height.unreduced(self._rhythm.phase) + self._terrain.level_m
        return self.poses.shortfall(com, height, self._course.heading, row, feet, self._settings.reach, self.lean)

    def landing_reduction(self, foot: Footstep, target: Footstep, feet: FeetPose, com: complex, phase: float) -> float:
        """How much lower it must be at the next landing, at a phase, when the COM is between `foot` and `target`."""
        low, high = target.support.height_m, foot.support.height_m
        height = float(self.height.unreduced(phase)) + 0.5 * (low + high)
        reach = self._settings.reach - BENT_DOWN * min(max((high - low) / LEVEL_M, 0.0), 1.0)
        return self.poses.shortfall(com, height, self._course.heading, self._rows(phase), feet, reach, self.lean)

    def take_height(self, height_m: float) -> None:
        """Go on from a COM at a height [m]: what it is off the cycle's is made good at the height plan's own pace."""
        self.height.reduction_m = float(self.height.unreduced(self._rhythm.phase)) - height_m + self._terrain.level_m

    def _rows(self, phases: float | np.ndarray) -> np.ndarray:
        """The tables' rows (..., C) at phases (...,), the pelvis' motion about its mean as large as the amplitude says."""
        rows = self._tables.table.value(phases)
        if self.amplitude != 1.0:
            body = slice(1, GaitTables.BODY_CHANNELS)
            rows[..., body] = self.amplitude * rows[..., body] + (1.0 - self.amplitude) * self._tables.table.mean[body]
        return rows

    def pose_pair(
        self, com: complex, velocity: complex, feet: Sequence[FeetPose], feet_heading: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Reference pose (nq,) now and its velocity (nv,), with the feet now and `POSE_STEP_S` later."""
        rhythm, later, heading = self._rhythm, com + POSE_STEP_S * velocity, self._course.heading
        phases = np.array([rhythm.phase, rhythm.phase + rhythm.rate * POSE_STEP_S])
        rows = self._rows(phases)
        high, higher = self.height.unreduced(phases).tolist()
        ground = self._terrain.level_m - self.height.reduction_m
        coms = ((com.real, com.imag, high + ground),
                (later.real, later.imag, higher + ground + POSE_STEP_S * self._terrain.rate(velocity)))
        headings = heading, heading + POSE_STEP_S * self.amplitude * self._course.turn_rate
        now, later = self.poses.poses(phases, headings, coms, feet, rows, feet_heading, self.lean)
        rate = np.empty(self._model.nv)
        mujoco.mj_differentiatePos(self._model, rate, POSE_STEP_S, now, later)
        return now, rate
