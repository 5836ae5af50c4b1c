# SPDX-License-Identifier: GPL-3.0-or-later
"""The two feet of somebody who stands: where they are, and the way of one that steps, a cubic from rest to rest: it peaks at 1.5
times its mean speed, a quintic at 1.875 times, so that a leg no faster than a person's lands sooner."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field, replace

import numpy as np

from ...bodies.body import Body, ContactPoint
from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...maths.curves import bump
from ...maths.rotations import from_rotvec, inverse, product, to_rotvec, z_turn
from ..legged.foot_geometry import FootGeometry, FootPose, Footstep, Terrain
from .stance import OTHER, HeldFoot, StandingSettings, hull
from .taking_over import FoundFoot

ROUNDS, LONGER = 4, 1.15
"""A swing that would be too fast is made longer so many times, by this at most each."""
SAMPLES = 12
"""Moments of what is left of a swing at which its speed is looked at."""

Motion = tuple[complex, complex]
"""Place and velocity on the level."""


def quintic(share: float) -> float:
    """From 0 to 1 with neither velocity nor acceleration at its ends."""
    s = min(max(share, 0.0), 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


def fastest(way: complex, bow: complex, duration_s: float) -> float:
    """Peak speed [m/s] of a swing over a way that goes aside by `bow` at its middle."""
    shares = [(k + 0.5) / (2 * SAMPLES) for k in range(2 * SAMPLES)]
    return max(abs(6.0 * s * (1.0 - s) * way + 32.0 * s * (1.0 - s) * (1.0 - 2.0 * s) * bow) for s in shares) / duration_s


@dataclass
class Swing:
    """One step of a foot from `lift` to `target`. `crossing` tells which way it goes by the other foot (`catching.Catch`), `bow`
    how far it goes aside at its middle (x + iy [m]); one that `holds` ends in the air."""

    start_s: float
    end_s: float
    lift: FootPose
    target: Footstep
    catches: bool
    crossing: str
    bow: complex = 0j
    holds: bool = False
    lowered_m: float = 0.0
    lowering_m_s: float = 0.0
    _since_s: float = field(init=False)
    _way: tuple[complex, ...] = field(init=False)

    def __post_init__(self) -> None:
        x, y, _ = self.lift.ankle.tolist()
        self._since_s, self._way = self.start_s, (complex(x, y),)

    def share(self, time_s: float) -> float:
        return (time_s - self.start_s) / (self.end_s - self.start_s)

    def at(self, time_s: float) -> Motion:
        """Place and velocity of the ankle on the level; where it is to land after its end."""
        whole, left = self.end_s - self.start_s, self.end_s - self._since_s
        s, u = min((time_s - self._since_s) / left, 1.0), min(max(self.share(time_s), 0.0), 1.0)
        place = speed = 0j
        for factor in reversed(self._way):
            speed = speed * s + place
            place = place * s + factor
        return (place + 16.0 * (u * (1.0 - u)) ** 2 * self.bow,
                speed / left + 32.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / whole * self.bow)

    def aim(self, time_s: float, ankle: complex, bow: complex, most_m_s: float) -> None:
        """From now on the ankle goes to another place by another `bow`, without a jump; later where that would be too fast."""
        now = self.at(time_s)
        for _ in range(ROUNDS):
            self._turn(time_s, now, ankle, bow)
            left = self.end_s - time_s
            peak = max(abs(self.at(time_s + left * k / SAMPLES)[1]) for k in range(1, SAMPLES))
            if peak <= most_m_s:
                return
            self.end_s = time_s + left * min(peak / most_m_s, LONGER)
        self._turn(time_s, now, ankle, bow)

    def _turn(self, time_s: float, now: Motion, ankle: complex, bow: complex) -> None:
        """A cubic from a motion, less what the bow gives of it, to rest at a place."""
        self._since_s, self._way, self.bow = time_s, (0j,), bow
        left = self.end_s - time_s
        place, speed = (a - b for a, b in zip(now, self.at(time_s), strict=True))
        off = ankle - place
        self._way = place, speed * left, 3.0 * off - 2.0 * speed * left, -2.0 * off + speed * left


HEEL_UP_RAD, TOES_UP_RAD = 0.02, 0.01
"""Planned pitch from which on the heel, or the ball, carries nothing."""
MOST_HEEL_RAD, MOST_TOES_RAD = math.radians(60.0), math.radians(30.0)
HEEL_RATE, HEEL_BACK_RATE = 6.0, 3.0
"""How fast the heel of a leg that is too short rises and comes down again [rad/s on Earth]."""
HELD, HELD_RAD = np.array([-1.2, 0.0, 1.6]), math.radians(35.0)
"""How a foot is held by who stands on the other: so many heights of its ankle behind its place and over it, toes down."""
SLID = 0.011
"""A foot that is so far from its step, over the leg's length, has slid (first guess)."""
EARLY = 0.55
"""Fraction of a swing after which a loaded foot counts as landed."""


def _in_foot(body: Body, point: ContactPoint) -> complex:
    """Where a contact point is ahead and left of the ankle in the neutral pose."""
    at, segment = point.position.copy(), body.segment(point.segment)
    while not segment.name.startswith("foot"):
        at, segment = at + segment.offset, body.segment(segment.hangs_on)
    return complex(at[0], at[1])


@dataclass
class Foot:
    """A foot that stands on its `step`, rolled to a `pitch`, which changes by `rolling` [rad/s], is on its `swing`, or is
    `held` over its step; it stands across the other one since it went by that as `crossing` says."""

    side: str
    geometry: FootGeometry
    rows: list[int]
    step: Footstep
    swing: Swing | None = None
    pitch: float = 0.0
    rolling: float = 0.0
    landed_s: float = -math.inf
    held: bool = False
    crossing: str = ""


class Feet:
    def __init__(self, state: BodyState, terrain: Terrain, settings: StandingSettings, steps: dict[str, Footstep],
                 held: str | None = None, swing_m_s: float = math.inf, as_held: HeldFoot | None = None) -> None:
        self._swing_m_s, self._as_held = swing_m_s, as_held
        self._state, self._terrain, self._settings = state, terrain, settings
        self._frames = {side: state.frame(f"foot_{side}") for side in SIDES}
        self._hulls: dict[tuple[str, ...], list[complex]] = {}
        points = state.body.contact_points
        self._kinds = [p.kind for p in points]
        self._toe_ends = {side: [_in_foot(state.body, p) for p in points if p.side == side and p.kind == "toe"] for side in SIDES}
        self.by_side = {side: Foot(side, FootGeometry(state.body, side), [i for i, p in enumerate(points) if p.side == side],
                                   steps[side], held=side == held) for side in SIDES}

    def __getitem__(self, side: str) -> Foot:
        return self.by_side[side]

    def take_over(self, found: dict[str, FoundFoot]) -> None:
        """Take both feet over as they are; those in the air are held as yet."""
        for side, one in found.items():
            foot = self.by_side[side]
            foot.step, foot.pitch, foot.held, foot.swing = one.step, one.pitch if one.stands else 0.0, not one.stands, None
        self._hulls.clear()

    @property
    def standing(self) -> tuple[str, ...]:
        return tuple(side for side in SIDES if self.by_side[side].swing is None and not self.by_side[side].held)

    def ankle(self, side: str) -> complex:
        x, y, _ = self._frames[side].position.tolist()
        return complex(x, y)

    def height_m(self, side: str) -> float:
        """How high a foot's lowest point is over the ground."""
        return max(float(self._state.contact_height_m[self.by_side[side].rows].min()), 0.0)

    def lift(self, side: str, time_s: float, duration_s: float, target: Footstep, catches: bool, crossing: str,
             bow: complex) -> None:
        frame, foot = self._frames[side], self.by_side[side]
        w, x, y, z = frame.quaternion.tolist()
        toe = 0.0
        if f"toes_{side}" in self._state.body.index:
            toe = float(self._state.qpos[int(self._state.model.joint(f"toes_{side}").qposadr[0])])
        lift = FootPose(frame.position.copy(), np.array(to_rotvec((w, x, y, z))), toe)
        foot.held, foot.pitch = False, 0.0
        foot.swing = Swing(time_s, time_s + duration_s, lift, target, catches, crossing)
        self.aim(side, time_s, target, bow)

    def aim(self, side: str, time_s: float, target: Footstep, bow: complex) -> None:
        foot = self.by_side[side]
        if foot.swing is not None:
            x, y, _ = foot.geometry.rolled(target, 0.0, 0.0).ankle.tolist()
            foot.swing.target = target
            foot.swing.aim(time_s, complex(x, y), bow, self._swing_m_s)

    def land(self, side: str, time_s: float, heading: float) -> Footstep:
        foot, frame = self.by_side[side], self._frames[side]
        foot.step = self._terrain.stood(side, frame.position, frame.matrix[:, 0], heading)
        foot.crossing = "" if foot.swing is None else foot.swing.crossing
        foot.swing, foot.landed_s = None, time_s
        self._hulls.clear()
        return foot.step

    def follow_slid(self, side: str, heading: float) -> None:
        """A foot that stands flat and has slid from its step stands where it is."""
        foot, frame = self.by_side[side], self._frames[side]
        if side not in self.standing or foot.pitch:
            return
        planned = foot.geometry.rolled(foot.step, 0.0, 0.0).ankle
        if math.dist(planned[:2].tolist(), frame.position[:2].tolist()) > SLID * self._state.body.leg_length_m:
            foot.step = self._terrain.stood(side, frame.position, frame.matrix[:, 0], heading)
            self._hulls.clear()

    def touches(self, side: str) -> bool:
        return bool((self._state.contact_height_m[self.by_side[side].rows] < 0.2 * self._settings.active_height_m).any())

    def pose(self, side: str, time_s: float, ahead_s: float) -> FootPose:
        """Where a foot is to be so long after a time; its rotation vector is the world's."""
        foot = self.by_side[side]
        swing = foot.swing
        if foot.held:
            return self._held(foot)
        if swing is None:
            return foot.geometry.rolled(foot.step, foot.pitch + ahead_s * foot.rolling, 0.0)
        share = swing.share(time_s + ahead_s) if time_s < swing.end_s else 1.0
        landing = self._held(foot) if swing.holds else foot.geometry.rolled(swing.target, 0.0, 0.0)
        blend, high = quintic(share), bump(share)
        place, _ = swing.at(time_s + ahead_s if time_s < swing.end_s else swing.end_s)
        low, level = float(swing.lift.ankle[2]), float(landing.ankle[2])
        ankle = np.array([place.real, place.imag, low + blend * (level - low)])
        ankle[2] += high * self._settings.clearance_m - swing.lowered_m - ahead_s * swing.lowering_m_s
        from_ = from_rotvec(swing.lift.rotvec.tolist())
        way = to_rotvec(product(from_rotvec(landing.rotvec.tolist()), inverse(from_)))
        rotvec = to_rotvec(product(from_rotvec([blend * x for x in way]), from_))
        return FootPose(ankle, np.array(rotvec), swing.lift.toe * (1.0 - blend) + landing.toe * blend)

    def _held(self, foot: Foot) -> FootPose:
        """A foot as it is held in the air: over its step, or as it was posed beside the one that stands."""
        if self._as_held is None:
            pose = foot.geometry.rolled(foot.step, HELD_RAD, 0.0)
            pose.ankle[:] += foot.geometry.ankle_height_m * HELD
            return replace(pose, toe=0.0)
        stands, (x, y, z) = self.by_side[OTHER[foot.side]].step, self._as_held.ankle
        way = complex(x, y) * cmath.exp(1j * stands.yaw)
        place = stands.place + way
        ankle = np.array([place.real, place.imag, z + stands.support.height_at(way)])
        return FootPose(ankle, np.array(to_rotvec(product(z_turn(stands.yaw), self._as_held.turn))), self._as_held.toe)

    def hold(self, side: str, time_s: float, duration_s: float, crossing: str) -> None:
        foot = self.by_side[side]
        self.lift(side, time_s, duration_s, foot.step, False, crossing, 0j)
        if foot.swing is not None:
            x, y, _ = self._held(foot).ankle.tolist()
            foot.swing.holds = True
            foot.swing.aim(time_s, complex(x, y), 0j, self._swing_m_s)

    def roll(self, side: str, wanted: float, most: float) -> None:
        foot = self.by_side[side]
        foot.pitch += min(max(wanted - foot.pitch, -most), most)

    def needed_pitch(self, side: str, hip: tuple[float, float, float], reach_m: float, behind: bool) -> float:
        """The least roll on the ball, of a body `behind` it on the heel, with which a standing foot's ankle reaches a hip."""
        foot = self.by_side[side]
        most = -MOST_TOES_RAD if behind else MOST_HEEL_RAD

        def short(pitch: float) -> bool:
            x, y, z = foot.geometry.rolled(foot.step, pitch, 0.0).ankle.tolist()
            return math.dist((x, y, z), hip) > reach_m

        if not short(0.0):
            return 0.0
        low, high = 0.0, 1.0
        for _ in range(7):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if short(middle * most) else (low, middle)
        return high * most

    def contacts(self) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool)."""
        near = (self._state.contact_height_m < self._settings.active_height_m).tolist()
        active, expected = [False] * len(near), [False] * len(near)
        for foot in self.by_side.values():
            if foot.swing is not None or foot.held:
                continue
            for i in foot.rows:
                kind = self._kinds[i]
                up = (foot.pitch > HEEL_UP_RAD and kind in ("heel", "mid")) or (foot.pitch < -TOES_UP_RAD and kind != "heel")
                active[i], expected[i] = near[i] and not up, not up and (kind not in ("toe", "mid") or near[i])
        return np.array(active), np.array(expected)

    def sole(self, side: str) -> np.ndarray:
        """The points (k, 2) with which a foot can push where it stands flat: heel, ball and the end of its toes."""
        foot = self.by_side[side]
        g, turn = foot.geometry, cmath.exp(1j * foot.step.yaw)
        spots = [complex(x, y * g.half_width_m) for x in (g.heel_x, g.ball_x) for y in (-1.0, 1.0)]
        places = [foot.step.place + turn * spot for spot in (*spots, *self._toe_ends[side])]
        return np.array([[p.real, p.imag] for p in places])

    def corners_of(self, sides: tuple[str, ...]) -> list[complex]:
        """The hull of the soles of some feet, where they stand or stood last."""
        found = self._hulls.get(sides)
        if found is None:
            found = self._hulls[sides] = hull(np.concatenate([self.sole(side) for side in sides]))
        return found
