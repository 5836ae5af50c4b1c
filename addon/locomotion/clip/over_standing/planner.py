# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip whose feet stay, played by somebody who stands: who is pushed or hit balances and steps, and goes on with it. The weight
goes as in the clip, from foot to foot, wherever the feet stand by now."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ....bodies.human.landmarks import SIDES
from ....bodies.state import BodyState
from ....maths.rotations import Quaternion, Vector, product, rotated, z_turn
from ....specs.motions import Stand
from ...controller import Plan, Reading, Setup
from ...legged.foot_geometry import FootGeometry, Footstep
from ...legged.targets import Targets
from ...stand.controller import StandingController
from ...stand.planner import POSE_STEP_S, Flow, StandingPlanner
from ...stand.pose import StandingPose
from ...stand.stance import SOLE_AHEAD, Stance, StandingSettings
from ...stand.taking_over import FoundFoot, found_feet
from ..bound import Likeness, TrackedClip
from ..clip import LEGS, Instant
from ..pose import com_motion, unit
from ..shot_plan import ShotPlan, preview
from .motion import Motion, Playing


class PlayedPose(StandingPose):
    """Builds generalised coordinates (nq,) from a clip's pelvis, trunk and arms over the centre of mass, by a `heading` of the
    clip [rad]."""

    def __init__(self, state: BodyState, heading: float, slots: np.ndarray) -> None:
        """`slots` (U,) are the coordinates of all joints but the legs', in the order of an instant's `joints`."""
        super().__init__(state)
        self._back, self._joints = z_turn(-heading), slots
        self._axes = ((0.0, 1.0, 0.0), (0.0, 1.0, 0.0))

    def show(self, instant: Instant) -> None:
        self._pelvis = product(self._back, unit(instant.root_quaternion))
        self.root_m = np.array(rotated(self._back, instant.root_m))
        self._rest[self._joints] = instant.joints
        self._axes = (instant.knee_axis[0], instant.knee_axis[1])

    def coordinates(self, instant: Instant) -> np.ndarray:
        """An instant's pelvis and joints (nq,), at no place and without its legs."""
        q: np.ndarray = self._rest.copy()
        q[3:7], q[self._joints] = unit(instant.root_quaternion), instant.joints
        return q

    def _fly(self, q: np.ndarray, arms: float, fall: complex) -> None:
        self._fly_from_own(q, arms, fall)

    def _knee_axis(self, side: str, sole: Quaternion) -> Vector:
        """About which the knee bends in the clip."""
        x, y, z = self._axes[SIDES.index(side)]
        return x, y, z


BEND_STEP_S = 0.02
"""Time over which the clip's own accelerations are taken, on Earth: capture's noise is not fed forward."""
REACH = 0.997
"""Longest standing leg over a straight one (as of who follows a clip)."""
SINK_RATE, RISE_RATE = 12.0, 3.0
"""How fast the body goes lower where a leg is too short, and up again [1/s on Earth]."""
STARTS = 4
"""Rounds in which the first pose is moved until its centre of mass is where it should be."""


def legs_of(state: BodyState) -> np.ndarray:
    """(nv,) 1 for the coordinates of legs, 0 for all others. Of a body that is taken over in a clip only the legs were to be
    where they are: pelvis, trunk and arms go on as they were wanted, whatever has struck them."""
    found = np.zeros(state.model.nv)
    for name in state.body.joint_segments:
        if name.rpartition("_")[0] in LEGS:
            first = int(state.model.joint(name).dofadr[0])
            found[first:first + (3 if state.body.segment(name).joint == "ball" else 1)] = 1.0
    return found


@dataclass(frozen=True)
class ClipStance(Stance):
    """A stance that begins on a clip's own prints: `places` (x + iy [m]) of the left and the right foot, facing along `heading`
    [rad]."""

    places: tuple[complex, complex] = (0j, 0j)
    heading: float = 0.0

    def first(self, side: str) -> Footstep:
        return Footstep(side, self.places[SIDES.index(side)], self.heading + self.yaw(side))


class PlayedPlanner(StandingPlanner):
    """Plans balance about a motion. `motion` has the clip's time."""

    poses: PlayedPose

    def __init__(self, state: BodyState, stand: Stand, settings: StandingSettings, gravity_m_s2: float, motion: Motion) -> None:
        self.motion = motion
        self._moment = motion.moment()
        self._sunk_m = self._sunk_rate = 0.0
        super().__init__(state, replace(stand, sway=0.0), settings, gravity_m_s2)

    def _make_stance(self, geometry: FootGeometry) -> Stance:
        """The clip's own: the body faces half-way between its feet."""
        left, right = (self.motion.prints[side] for side in SIDES)
        both = cmath.exp(1j * left.yaw) + cmath.exp(1j * right.yaw)
        self.heading = facing = left.yaw + cmath.phase(both * cmath.exp(-1j * left.yaw))
        apart = (left.place - right.place) * cmath.exp(-1j * facing)
        return ClipStance(apart.imag, apart.real, SOLE_AHEAD * geometry.ball_x, self.leg_m, "",
                          (left.yaw - facing, right.yaw - facing), places=(left.place, right.place), heading=facing)

    def _taken(self) -> np.ndarray:
        return legs_of(self.state)

    def _find(self, loads: dict[str, float]) -> dict[str, FoundFoot]:
        return found_feet(self.state, self.terrain, self.heading, loads)

    def _make_poses(self) -> PlayedPose:
        return PlayedPose(self.state, self.heading, self.motion.plan.track.slots)

    def _settle(self) -> None:
        self._look(0.0)
        self._follow_ground(self.rest())
        feet = self._feet_poses(0.0, (0.0,))[0]
        place = self._moved(self._moment.place)
        hips = self.poses.hips((place.real, place.imag, self.height_m + self.terrain.level_m), self.heading, 0j)
        self._sunk_m = max(self.poses.shortfall(hips, feet, SIDES, REACH), 0.0)
        self._look(0.0)

    def _look(self, dt: float) -> None:
        """Take over what the motion has come to; go lower where a leg does not reach."""
        self.motion.go(dt)
        self._moment = self.motion.moment()
        self._aim(0.0)
        self.height_m = self.stepping.height_m = self._moment.height - self._sunk_m
        self.omega = self._rate(self.height_m)

    def _rate(self, height_m: float) -> float:
        return self.motion.plan.com.omega / self.motion.slow * math.sqrt(self.height_m / height_m)

    def update(self, time_s: float, dt: float, loads: dict[str, float]) -> Targets:
        self._look(dt)
        if dt > 0.0:
            self._sink(time_s, dt)
        return super().update(time_s, dt, loads)

    def _sink(self, time_s: float, dt: float) -> None:
        com, feet = self.state.com, self._feet_poses(time_s, (0.0,))[0]
        high = self._moment.height + self.terrain.level_m
        hips = self.poses.hips((float(com[0]), float(com[1]), high), self.heading + self.turned, 0j)
        needed = 0.0
        if self.stepping.in_place and len(self.feet.standing) == 2:
            needed = max(self.poses.shortfall(hips, feet, SIDES, REACH), 0.0)
        rate = SINK_RATE if needed > self._sunk_m else RISE_RATE
        self._sunk_rate = rate / self.slow * (needed - self._sunk_m)
        self._sunk_m += dt * self._sunk_rate

    def rest(self) -> complex:
        """Where the capture point is to be: between the feet as it is in the clip."""
        if len(self.feet.standing) < 2:
            return super().rest()
        return self._moved(self._moment.capture)

    def _moved(self, place: complex) -> complex:
        """A place of the clip, moved as far as the foot that it is nearer to has moved."""
        left, right = (self.motion.prints[side].place for side in SIDES)
        off = [self.feet[side].step.place - self.motion.prints[side].place for side in SIDES]
        share = min(max(((place - right) / (left - right)).real, 0.0), 1.0)
        return place + share * off[0] + (1.0 - share) * off[1]

    def _flow(self) -> Flow:
        now, slow = self._moment, self.motion.slow
        if len(self.feet.standing) < 2:
            return Flow(rising=now.rising / slow - self._sunk_rate, bend=now.bend / slow**2)
        return Flow(now.velocity / slow, now.pivot - now.shift - now.capture, now.shift, now.rising / slow - self._sunk_rate,
                    now.bend / slow**2)

    def _aim(self, ahead_s: float) -> None:
        self.poses.show(self.motion.instant(ahead_s))

    def _roll(self, side: str, pitch: float, most: float, dt: float) -> None:
        foot, own = self.feet[side], self.motion.pitch(side) if self.stepping.in_place else 0.0
        before = foot.pitch
        super()._roll(side, own if abs(pitch) < own else pitch, most, dt)
        foot.rolling = (foot.pitch - before) / dt if own and foot.pitch == own else 0.0

    def _bending(self) -> np.ndarray:
        """The clip's own accelerations (nv,) of pelvis, trunk and arms."""
        step, model = BEND_STEP_S * self.slow, self.state.model
        poses = [self.poses.coordinates(self.motion.instant(ahead)) for ahead in (-step, 0.0, step)]
        before, after = np.empty(model.nv), np.empty(model.nv)
        mujoco.mj_differentiatePos(model, before, step, poses[0], poses[1])
        mujoco.mj_differentiatePos(model, after, step, poses[1], poses[2])
        return (after - before) / step

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        moment, slow = self._moment, self.motion.slow
        feet = self._feet_poses(0.0, (0.0,))[0]
        place, velocity = moment.place, moment.velocity / slow
        high, rising = self.height_m + self.terrain.level_m, moment.rising / slow
        shift = drift = 0j
        change = np.empty(self.state.model.nv)
        for _ in range(STARTS):
            self._aim(0.0)
            com = place + shift
            now = self.poses.build((com.real, com.imag, high), self.heading, 0j, feet)
            self._aim(POSE_STEP_S)
            then = com + POSE_STEP_S * (velocity + drift)
            pose = self.poses.build((then.real, then.imag, high + POSE_STEP_S * rising), self.heading, 0j, feet)
            mujoco.mj_differentiatePos(self.state.model, change, POSE_STEP_S, now, pose)
            found, rate = com_motion(self.state.model, now, change)
            shift, drift = shift + place - found, drift + velocity - rate
        return now, change


class PlayedController(TrackedClip, StandingController):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be followed."""

    planner: PlayedPlanner

    def __init__(self, setup: Setup, planned: ShotPlan) -> None:
        self.planned, self.motion = planned, self._make_motion(planned)
        super().__init__(replace(setup, settings=None))
        self.subject = Path(planned.plan.clip.path).stem
        self.likeness = Likeness(self.state, planned.plan.clip)

    def _make_motion(self, planned: ShotPlan) -> Motion:
        return Playing(planned.plan, planned.slow)

    def _make_planner(self, settings: StandingSettings, gravity_m_s2: float) -> StandingPlanner:
        return PlayedPlanner(self.state, self.stance, settings, gravity_m_s2, self.motion)

    def fallen(self) -> bool:
        return self._sunk(self.motion.clip_s) or self._lies(self.motion.clip_s, self.tracker.trunk)

    def done(self) -> bool:
        stepping = self.planner.stepping
        return self.motion.clip_s >= self.planned.plan.end_s - 1e-9 and stepping.calm and stepping.in_place

    def plan(self) -> Plan:
        return preview(self.shot, self.planned)

    def channels(self) -> Mapping[str, Reading]:
        return {**super().channels(), **self._follows(self.motion.clip_s)}

    def stats(self) -> Mapping[str, Any]:
        return {**super().stats(), **self._followed(self.motion.clip_s), "handed_over_s": [], "spliced_back_s": []}
