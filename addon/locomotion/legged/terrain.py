# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground under a walk: footsteps laid on it, the level that the COM rides over, and what a swinging foot must clear.

On a plane nothing of the horizontal plan changes: with the COM at a height h over a slope k, its forces through a centre of
pressure r on the ground, (z - z_r) x'' = (x - r) (z'' + g); z - z_r = h + k (x - r) and z'' = k x'' leave h x'' = (x - r) g.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import numpy as np

from ...maths.rotations import laid_back
from ...worlds.ground import Ground, sole_spots
from .foot_geometry import FootGeometry, FootPose, Footstep

SHORTEST_WAY_M = 0.05
"""Way of the COM over a step below which the level does not change with it (stepping on the spot)."""
STAY_SHARE = 0.4
"""Share of the COM's way over a step after which the landing keeps to its tread."""
SWING_SHARES = np.linspace(0.1, 0.9, 13)
"""Shares of a swing's way at which the ground under the foot is looked at; at its ends the foot is near its footsteps."""
ROUGHNESS_M = 0.005
"""Height over the planned sole that a swinging foot need not be raised for: its path clears that by itself."""
MOST_RAISE = 0.35
"""Largest raise of a swinging foot for the ground, over the leg's length."""


class Terrain:
    """The ground as one walker uses it.

    `follow` works out how high the ground is under the COM: on a plane its height there; elsewhere, over the step, the
    quadratic spline through the footsteps' heights, from half-way between the last two to half-way between the next two,
    whose slope does not jump. Then `level_m`, `rate` and `second` hold.
    """

    def __init__(self, ground: Ground, geometry: FootGeometry, leg_length_m: float) -> None:
        self.ground, self._geometry, self._most_raise_m = ground, geometry, MOST_RAISE * leg_length_m
        self._behind: Footstep | None = None
        self.level_m = self._share = self._curvature = 0.0
        self._gradient, self._along = 0j, 1 + 0j

    def footstep(self, step: Footstep, before: Footstep | None = None) -> Footstep:
        """A footstep laid on the ground, moved off edges; late in a step it stays on the tread of `before`."""
        if self.ground.level:
            return step
        keep = before.place if before is not None and self._share > STAY_SHARE else None
        place = self.ground.foothold(step.place, step.yaw, self._geometry.sole, keep)
        return replace(step, place=place, support=self.ground.under(place, step.yaw, self._geometry.sole))

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

    def follow(self, com: complex, behind: Footstep | None, stance: Footstep, ahead: Footstep | None) -> None:
        """Take over where the COM is and the footsteps of this step; `behind` is None once its foot stands on `ahead`."""
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
        start, end = 0.5 * (self._behind.place + stance.place), 0.5 * (stance.place + ahead.place)
        low, middle, high = (step.support.height_m for step in (self._behind, stance, ahead))
        way = max(abs(end - start), SHORTEST_WAY_M)
        self._along = (end - start) / way
        self._share = u = min(max(((com - start) / (end - start)).real if end != start else 0.5, 0.0), 1.0)
        self.level_m = 0.5 * (1.0 - u) ** 2 * low + (0.5 + u * (1.0 - u)) * middle + 0.5 * u * u * high
        self._gradient = self._along * ((1.0 - u) * (middle - low) + u * (high - middle)) / way
        self._curvature = (low - 2.0 * middle + high) / way**2

    def rate(self, velocity: complex) -> float:
        """Rate of the level [m/s] under a COM of a velocity."""
        return dot(self._gradient, velocity)

    def second(self, velocity: complex, acceleration: complex) -> float:
        """Second derivative of the level [m/s^2] under a COM of a velocity and acceleration."""
        return dot(self._gradient, acceleration) + self._curvature * dot(self._along, velocity) ** 2

    def needed_raise(self, lift: FootPose, left: Footstep, target: Footstep, landing: FootPose) -> float:
        """Raise [m] of a foot half-way from footstep `left` to `target` that clears the ground between.

        The path is raised by 4 p (1 - p) of it, p being the share of its way.
        """
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
