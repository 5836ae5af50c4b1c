# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground under a clip: when feet rest on it, and the plane through the places where they do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ClipError
from ..maths.least_turn import rotation_between

RESTING_SPEED_M_S = 0.20  # a flat foot's ankle and ball move slower than this
RESTING_SHARE = 0.08  # at least this share of the frames counts as resting: short stances of a run
SLOPE_SPREAD_M = 0.40  # feet must be spread this far (standard deviation) before a slope is fitted
ABOVE_M = 0.03  # a resting foot this far above the plane stands in the air
SLOPE_DEG = 3.5  # a steeper plane is a real slope, a flatter one a fault of the recording


@dataclass(frozen=True)
class Ground:
    """Plane z = `height_m` + `gradient` . (x, y); `spread_m` is the standard deviation of the resting feet about it."""

    height_m: float
    gradient: np.ndarray
    spread_m: float

    def at(self, places: np.ndarray) -> np.ndarray:
        """Ground height [m] under places (..., 2 or 3)."""
        return self.height_m + places[..., :2] @ self.gradient

    @property
    def slope_deg(self) -> float:
        """Steepness of the plane."""
        return float(np.degrees(np.arctan(np.linalg.norm(self.gradient))))

    @property
    def is_slope(self) -> bool:
        """Whether the plane is a real slope rather than a drift of the recording."""
        return self.slope_deg > SLOPE_DEG

    @property
    def tilt(self) -> np.ndarray:
        """Rotation (3, 3) that takes level ground to this plane."""
        return rotation_between(np.array([0.0, 0.0, 1.0]), np.array([-self.gradient[0], -self.gradient[1], 1.0]))


def speeds(places: np.ndarray, frame_time_s: float) -> np.ndarray:
    """Speeds (T, ...) [m/s] of places (T, ..., 3), central differences."""
    if len(places) < 2:
        return np.zeros(places.shape[:-1])
    return np.linalg.norm(np.gradient(places, frame_time_s, axis=0), axis=-1)


def resting_frames(ankles: np.ndarray, balls: np.ndarray, frame_time_s: float) -> np.ndarray:
    """(T, 2) bool: frames in which a foot neither travels nor rolls. `ankles`, `balls` (T, 2, 3) [m], left and right."""
    speed = np.maximum(speeds(ankles, frame_time_s), speeds(balls, frame_time_s))
    return speed <= np.maximum(RESTING_SPEED_M_S, np.quantile(speed, RESTING_SHARE, axis=0))


def fit_ground(balls: np.ndarray, resting: np.ndarray, path: str) -> tuple[Ground, np.ndarray]:
    """The plane under resting feet, through the balls' centres (T, 2, 3), and the resting frames that do lie on it.

    Lower envelope by reweighting: feet that rest clearly above the plane (held up in the air) lose their say. A slope is
    fitted only in directions in which the feet get around. Raises ClipError where no foot ever rests.
    """
    points = balls[resting]
    if len(points) < 3:
        raise ClipError(f"{path}: no foot ever rests on the ground, so there are no steps to find.")
    centre = points[:, :2].mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov((points[:, :2] - centre).T))
    ways = vectors[:, np.sqrt(np.maximum(values, 0.0)) > SLOPE_SPREAD_M]
    design = np.column_stack([np.ones(len(points)), (points[:, :2] - centre) @ ways])
    weights = np.ones(len(points))
    for _ in range(12):
        solution = np.linalg.lstsq(design * weights[:, None], points[:, 2] * weights, rcond=None)[0]
        above = points[:, 2] - design @ solution
        weights = np.where(above > ABOVE_M, 0.03, 1.0)
    gradient = ways @ solution[1:]
    on = above <= ABOVE_M
    ground = Ground(float(solution[0] - centre @ gradient), gradient, float(np.std(above[on])))
    kept = resting.copy()
    kept[resting] = on
    return ground, kept
