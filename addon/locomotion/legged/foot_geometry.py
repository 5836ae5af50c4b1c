# SPDX-License-Identifier: GPL-3.0-or-later
"""A foot on the ground: where it stands, its pose when it rolls over heel, ball and tip, on a slope as on level ground. The
ground under a walk: footsteps laid on it, the level that the COM rides over, and what a swinging foot must clear. On a plane
nothing of the horizontal plan changes: with the COM at a height h over a slope k, its forces through a centre of pressure r on
the ground, (z - z_r) x'' = (x - r) (z'' + g); z - z_r = h + k (x - r) and z'' = k x'' leave h x'' = (x - r) g."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from ...bodies.body import Body
from ...maths.rotations import laid_back, raised, tilted
from ...worlds.ground import LEVEL_SUPPORT, Ground, Sole, Support, sole_spots

BALL_RISE = math.radians(20.0)
"""Pitch of a standing foot at which its ball follows the heel: the toes are bent no further, the foot turns on their tip."""


LONGEST_HEEL, LONGEST_BALL, LONG_SOLE = 0.12, 0.25, (0.5, 0.8)
"""How far behind the ankle a long foot comes down on its heel, and ahead of it rolls over its ball, at most, over leg length
(people: 0.08 and 0.14; a stiff foot's tip 0.22); and between which lengths a foot becomes a long one (people's: 0.3). The feet of
toys are as long as their legs, longer than their steps: a centre of pressure that rolls from end to end goes back in double
support, and their ankles, raised by as much, ask for legs that they have not."""
STIFF_BALL = 0.15
"""The farthest ahead of the ankle, over leg length, that a stiff foot's ball counts where its heel rises (people's: 0.14): on one
at 0.26 the rear foot's rise in double support, which ends sooner on the Moon, threw the body up and ahead with 4 m g."""


@dataclass(frozen=True)
class Footstep:
    """Where a foot stands: the point of its sole under its ankle (complex x + iy [m]), its yaw [rad], the ground there."""

    side: str
    place: complex
    yaw: float
    support: Support = LEVEL_SUPPORT


@dataclass(slots=True)
class FootPose:
    """Ankle place (3,) [m] in the world, foot rotation vector (3,) relative to the heading [rad], toe extension [rad]."""

    ankle: np.ndarray
    rotvec: np.ndarray
    toe: float
    drift: np.ndarray | None = None
    """Of a foot that lifts: its ankle's velocity beyond the path's own [m per swing], which fades by `DRIFT_END`."""
    ground_m: float = 0.0
    """Height of its footstep's ground under the ankle."""
    raise_m: float = 0.0
    """Of a foot that lifts: its raise half-way for ground that is higher than that under its lift and its landing."""
    over: Callable[[float], float] | None = None
    """Of a foot that lifts: its raise over edges [m] by the share of the swing."""
    clear_m: float = 0.0
    """Of a foot that lifts: its further raise at mid swing, where it left the ground otherwise than planned."""
    yaw: float | None = None
    """Of a foot that lifts: the yaw it stood with [rad]; to a landing with another the swing goes along the arc between."""
    aside_m: float = 0.0
    """Of a foot that lifts: how far its swing goes round the standing leg, outward, half-way."""


class FootGeometry:
    """Sizes of one foot that its path needs, relative to the ankle centre. `ball_x` is where it turns when the heel rises: under
    the toes' joint, or where it is stiff at its tip. With toes it turns on their tip from a pitch of `tip_rise` [rad] on. A stiff
    foot pitches by `rise_share` of the cycle's: by as much less as its tip is further ahead than its ball, or people's, so that
    its ankle rises as high; steeper it kicked the body on in every step. So does a long one by its `long_share`, its heel coming
    down by `strike_share`; its centre of pressure rolls over heel, ball and tip of `rolls`."""

    def __init__(self, body: Body, side: str) -> None:
        points = {p.kind: p for p in body.contact_points if p.side == side}
        self.ankle_height_m = -body.sole_height_m
        self.heel_x = float(points["heel"].position[0])
        self.radius_m = points["ball"].radius_m
        widths = [p.position[1] for p in body.contact_points if p.side == side and p.kind == "ball"]
        self.half_width_m = 0.5 * float(max(widths) - min(widths))
        toes = f"toes_{side}"
        self.has_toes = toes in body.index
        self.ball_x = float(points["ball" if self.has_toes else "toe"].position[0])
        self.rise_share = 1.0 if self.has_toes else float(points["ball"].position[0]) / self.ball_x
        reach = body.segment(toes).offset + body.segment(toes).tip if self.has_toes else body.segment(f"foot_{side}").tip
        self.tip_x = float(reach[0])
        leg = body.leg_length_m
        long = float(np.interp((self.tip_x - self.heel_x) / leg, LONG_SOLE, (0.0, 1.0)))
        heel = self.heel_x + long * max(-LONGEST_HEEL * leg - self.heel_x, 0.0)
        ball = self.ball_x - long * max(self.ball_x - LONGEST_BALL * leg, 0.0)
        self.rolls = heel, ball, self.tip_x - (self.ball_x - ball)
        self.strike_share, self.long_share = heel / self.heel_x if self.heel_x else 1.0, ball / self.ball_x
        self.rise_share *= self.long_share
        if not self.has_toes:
            self.rise_share = min(self.rise_share, STIFF_BALL * leg / self.ball_x)
        self._joint_rise_m = self._toe_m = 0.0
        self.tip_rise = math.inf
        if self.has_toes:
            self._joint_rise_m = float(body.segment(toes).offset[2]) + self.ankle_height_m - self.radius_m
            self._toe_m = float(points["toe"].position[0])
            joint, tip = body.segment(toes).offset, _turned(points["toe"].position[[0, 2]], -self._toe(BALL_RISE))
            self._tip = np.array([joint[0] + tip[0], joint[2] + tip[1]])
            self._tip_at_rise = self._ankle_shift(BALL_RISE) + _turned(self._tip, BALL_RISE)
            self.tip_rise = BALL_RISE

    def rolled(self, step: Footstep, pitch: float, heading: float) -> FootPose:
        """The foot on its footstep with the heel raised (`pitch` > 0, turning on the ball) or the toes (pitch < 0, on the
        heel); the toes stay on the ground."""
        x, z = self._ankle_shift(pitch)
        support, rotvec = step.support, pitched(step.yaw - heading, pitch)
        way, height = self._along_ground(x, self.ankle_height_m + z, step.yaw, support)
        place = step.place + way
        ankle = np.array([place.real, place.imag, support.height_m + height])
        if not support.level:
            rotvec = tilted(rotvec, support.normal, heading)
        return FootPose(ankle, rotvec, self._toe(pitch), ground_m=support.height_at(way))

    def place_of(self, ankle: np.ndarray, yaw: float, pitch: float, support: Support = LEVEL_SUPPORT) -> complex:
        """The footstep's place of a standing foot from its ankle's place and its pitch, relative to the ground of `support`:
        the inverse of `rolled`."""
        x, z = self._ankle_shift(pitch)
        return complex(ankle[0], ankle[1]) - self._along_ground(x, self.ankle_height_m + z, yaw, support)[0]

    @staticmethod
    def _along_ground(x: float, z: float, yaw: float, support: Support) -> tuple[complex, float]:
        """Horizontal way and height of a point `x` forward and `z` off the ground, for a foot of a yaw."""
        if support.level:
            return x * cmath.exp(1j * yaw), z
        forward, up = raised(np.array([math.cos(yaw), math.sin(yaw), 0.0]), support.normal), np.array(support.normal)
        point = x * forward + z * up
        return complex(point[0], point[1]), float(point[2])

    @property
    def sole(self) -> Sole:
        """The sole's extent."""
        return Sole(self.heel_x, self.tip_x, self.half_width_m)

    def _ankle_shift(self, pitch: float) -> tuple[float, float]:
        """How far (forward, up) the ankle of a flat foot moves when it rolls on its ball's or heel's spheres to a pitch."""
        if pitch > self.tip_rise:
            return self._tip_shift(pitch)
        pivot_x, pivot_z = (self.ball_x if pitch > 0.0 else self.heel_x), self.radius_m - self.ankle_height_m
        c, s = math.cos(pitch), math.sin(pitch)
        return pivot_x + self.radius_m * pitch - (c * pivot_x + s * pivot_z), pivot_z - (-s * pivot_x + c * pivot_z)

    def _tip_shift(self, pitch: float) -> tuple[float, float]:
        """The same once the ball has left the ground too: foot and bent toes turn together on the sphere of their tip."""
        x, z = self._tip_at_rise - _turned(self._tip, pitch)
        return float(x) + self.radius_m * (pitch - self.tip_rise), float(z)

    def _toe(self, pitch: float) -> float:
        """Toe extension that keeps the tip on the ground although the joint, above the ball's sphere, comes lower."""
        if pitch <= 0.0 or not self.has_toes:
            return 0.0
        pitch = min(pitch, self.tip_rise)
        return pitch + math.asin(min(self._joint_rise_m * (1.0 - math.cos(pitch)) / self._toe_m, 1.0))

    def ways(self, place: complex, yaw: float, pitch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`rolled` on level ground for many pitches (N,) at once: the ankle's places (N, 3) and the toes' extensions (N,)."""
        on_ball = pitch > 0.0
        pivot_x, pivot_z = np.where(on_ball, self.ball_x, self.heel_x), self.radius_m - self.ankle_height_m
        c, s = np.cos(pitch), np.sin(pitch)
        x, z = pivot_x + self.radius_m * pitch - (c * pivot_x + s * pivot_z), pivot_z - (c * pivot_z - s * pivot_x)
        toe = np.zeros(len(pitch))
        if self.has_toes:
            tips, (x0, z0), (tip_x, tip_z) = pitch > self.tip_rise, self._tip_at_rise.tolist(), self._tip.tolist()
            x = np.where(tips, x0 - (c * tip_x + s * tip_z) + self.radius_m * (pitch - self.tip_rise), x)
            z = np.where(tips, z0 - (c * tip_z - s * tip_x), z)
            bent = np.clip(pitch, 0.0, self.tip_rise)
            toe = bent + np.arcsin(np.minimum(self._joint_rise_m * (1.0 - np.cos(bent)) / self._toe_m, 1.0))
        return np.stack([place.real + math.cos(yaw) * x, place.imag + math.sin(yaw) * x, self.ankle_height_m + z], axis=1), toe

    def lowest_of(self, height: np.ndarray, pitch: np.ndarray, toe: np.ndarray) -> np.ndarray:
        """`lowest` of many poses (N,): their ankles' heights [m], pitches and toes' extensions [rad]."""
        height, s = height - np.cos(pitch) * self.ankle_height_m, np.sin(pitch)
        ball = height - s * self.ball_x
        tip = ball - np.sin(pitch - toe) * (self.tip_x - self.ball_x)
        return np.minimum(np.minimum(height - s * self.heel_x, ball), tip)

    def lowest(self, pose: FootPose) -> float:
        """Height [m] of the lowest of heel, ball and toe tip of a foot in a pose (of its pitch alone)."""
        pitch, height = pose.rotvec[1], pose.ankle[2] - math.cos(pose.rotvec[1]) * self.ankle_height_m
        ball = height - math.sin(pitch) * self.ball_x
        tip = ball - math.sin(pitch - pose.toe) * (self.tip_x - self.ball_x)
        return min(height - math.sin(pitch) * self.heel_x, ball, tip)


def _turned(vector: np.ndarray, pitch: float) -> np.ndarray:
    """A vector (2,), forward and up, turned by a pitch [rad]."""
    c, s = math.cos(pitch), math.sin(pitch)
    return np.array([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]])


def pitched(yaw: float, pitch: float) -> np.ndarray:
    """Rotation vector (3,) of a yaw about z after a pitch about the foot's own y."""
    facing, aside = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    level, raised_by = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    w, x, y, z = facing * level, -aside * raised_by, facing * raised_by, aside * level
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-9 else 2.0
    return np.array([x * scale, y * scale, z * scale])


SHORTEST_WAY_M = 0.05
"""Way of the COM over a step below which the level does not change with it (stepping on the spot)."""
OVER = 0.3
"""How far the COM may be ahead of its step or behind it, over the step's way, for the level to go on as it does there."""
STAY_SHARE = 0.4
"""Share of the COM's way over a step after which the landing keeps to its tread."""
SWING_SHARES = np.linspace(0.1, 0.9, 13)
"""Shares of a swing's way at which the ground under the foot is looked at; at its ends the foot is near its footsteps."""
ROUGHNESS_M = 0.005
"""Height over the planned sole that a swinging foot need not be raised for: its path clears that by itself."""
MOST_RAISE = 0.35
"""Largest raise of a swinging foot for the ground, over the leg's length."""


class Terrain:
    """The ground as one walker uses it. `follow` works out how high the ground is under the COM: on a plane its height there;
    elsewhere, over the step, the quadratic spline through the footsteps' heights, from half-way between the last two to half-way
    between the next two, whose slope does not jump. Then `level_m`, `rate` and `second` hold."""

    def __init__(self, ground: Ground, geometry: FootGeometry, leg_length_m: float) -> None:
        self.ground, self._geometry, self._most_raise_m = ground, geometry, MOST_RAISE * leg_length_m
        self._behind: Footstep | None = None
        self.level_m = self._share = self._curvature = 0.0
        self._gradient, self._along = 0j, 1 + 0j

    def footstep(self, step: Footstep, before: Footstep | None = None, best: bool = False) -> Footstep:
        """A footstep laid on the ground, moved off edges, or to the `best` place of its tread; late in a step it stays on the
        tread of `before`."""
        if self.ground.level:
            return step
        keep = before.place if before is not None and self._share > STAY_SHARE else None
        place = self.ground.foothold(step.place, step.yaw, self._geometry.sole, keep, best)
        return replace(step, place=place, support=self.ground.under(place, step.yaw, self._geometry.sole))

    def laid(self, place: complex, yaw: float, keep: complex | None = None) -> complex:
        """The foothold nearest to a place, on the tread of `keep` if given."""
        return self.ground.foothold(place, yaw, self._geometry.sole, keep)

    def stood(self, side: str, ankle: np.ndarray, forward: np.ndarray, heading: float) -> Footstep:
        """The footstep of a foot that stands, from its ankle's place (3,) and its forward axis (3,) as measured; its yaw is
        counted on from the heading."""
        sole = self._geometry.sole
        support = self.ground.under(complex(ankle[0], ankle[1]), math.atan2(forward[1], forward[0]), sole)
        if not support.level:
            forward = laid_back(forward, support.normal)
        yaw = heading + math.remainder(math.atan2(forward[1], forward[0]) - heading, 2.0 * math.pi)
        pitch = math.atan2(-forward[2], math.hypot(forward[0], forward[1]))
        place = self._geometry.place_of(ankle, yaw, pitch, support)
        return Footstep(side, place, yaw, self.ground.under(place, yaw, sole))

    def follow(self, com: complex, behind: Footstep | None, stance: Footstep, ahead: Footstep | None,
               middle: Callable[[Footstep], complex] = attrgetter("place")) -> None:
        """Take over where the COM is and the footsteps of this step; `behind` is None once its foot stands on `ahead`. `middle`
        is where the body passes over a footstep."""
        ground = self.ground
        if ground.level:
            return
        if ground.plane:
            self.level_m = float(ground.height(com.real, com.imag))
            self._gradient = complex(*ground.slope(0.0, 0.0))
            return
        if ahead is None:
            raise RuntimeError("The next footstep is planned before the ground is followed.")
        self._behind = behind or self._behind or stance
        back, under, front = (middle(step) for step in (self._behind, stance, ahead))
        start, end = 0.5 * (back + under), 0.5 * (under + front)
        low, level, high = (step.support.height_m for step in (self._behind, stance, ahead))
        way = max(abs(end - start), SHORTEST_WAY_M)
        self._along = (end - start) / way
        self._share = u = min(max(((com - start) / (end - start)).real if end != start else 0.5, -OVER), 1.0 + OVER)
        self.level_m = 0.5 * (1.0 - u) ** 2 * low + (0.5 + u * (1.0 - u)) * level + 0.5 * u * u * high
        self._gradient = self._along * ((1.0 - u) * (level - low) + u * (high - level)) / way
        self._curvature = (low - 2.0 * level + high) / way**2

    def rate(self, velocity: complex) -> float:
        """Rate of the level [m/s] under a COM of a velocity."""
        return dot(self._gradient, velocity)

    def second(self, velocity: complex, acceleration: complex) -> float:
        """Second derivative of the level [m/s^2] under a COM of a velocity and acceleration."""
        return dot(self._gradient, acceleration) + self._curvature * dot(self._along, velocity) ** 2

    def needed_raise(self, lift: FootPose, left: Footstep, target: Footstep, landing: FootPose) -> float:
        """Raise [m] of a foot half-way from footstep `left` to `target` that clears the ground between. The path is raised by 4 p
        (1 - p) of it, p being the share of its way."""
        if self.ground.plane:
            return 0.0
        p = SWING_SHARES[:, None]
        start, end = (complex(pose.ankle[0], pose.ankle[1]) for pose in (lift, landing))
        spots = sole_spots(self._geometry.sole) * cmath.exp(1j * target.yaw)
        places = start + p * (end - start) + spots
        grounds = left.support, target.support
        before, after = (np.array([ground.height_at(spot) - ground.height_m for spot in spots]) for ground in grounds)
        sole = (1.0 - p) * (lift.ground_m + before) + p * (landing.ground_m + after)
        need = (self.ground.height(places.real, places.imag) - sole - ROUGHNESS_M) / (4.0 * p * (1.0 - p))
        return min(max(float(need.max()), 0.0), self._most_raise_m)


def dot(one: complex, other: complex) -> float:
    """Scalar product of two horizontal vectors."""
    return one.real * other.real + one.imag * other.imag
