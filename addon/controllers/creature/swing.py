# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a swinging foot goes, and the thigh and the fold that bring it there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .felt import off
from .fold import Fold
from .seen import Seen
from .states import LegStates

ARRIVED = 0.8
"""The foot is over its place after this share of the swing."""
FARTHEST, WIDEST = 0.8, 0.5
"""A foot is placed no farther from the centre of mass than this, ahead and to its side, over the leg's length."""
LOWERED = 0.35
"""How fast a foot that finds no ground in time is lowered: leg's lengths in the time of a swing."""
FASTEST = 6.0
"""Rates of targets are cut here, in units of sqrt(g / L)."""
SIDE = np.array((1.0, -1.0))


class Swing:
    """Targets of swinging legs of N walkers."""

    def __init__(self, fold: Fold, gains: Mapping[str, np.ndarray],
                 leg_m: float, time_s: float) -> None:
        self._gains, self._fold, self._leg_m, self._time_s = gains, fold, leg_m, time_s
        n = len(gains["swing_time"])
        self._from = np.zeros((n, 2, 3))
        self._time = gains["swing_time"] * time_s
        self.place = np.zeros((n, 2, 2))

    def begin(self, lifted: np.ndarray, foot: np.ndarray) -> None:
        """Legs that are lifted (N, 2) start from where their feet are (N, 2, 3), from the centre of mass."""
        self._from[lifted] = foot[lifted]

    def _places(self, seen: Seen, command: np.ndarray) -> np.ndarray:
        """Where each foot is to be placed (N, 2, 2), from the centre of mass, ahead and left."""
        gains, leg, unit = self._gains, self._leg_m, self._time_s
        over = -seen.feet[:, ::-1, :2]  # the centre of mass from the other foot, which stands
        velocity = seen.velocity
        far = gains["place_ahead_far"]
        ahead = ((gains["place_ahead"] * leg + (1.0 - far) * command * self._time / 2.0
                  + gains["place_ahead_fast"] * unit * (velocity[:, 0] - command))[:, None] + far[:, None] * over[..., 0])
        aside = (gains["place_side"] * leg)[:, None] * SIDE + gains["place_side_far"][:, None] * over[..., 1] + (
            gains["place_side_fast"] * unit * velocity[:, 1])[:, None]
        aside = SIDE * np.clip(SIDE * aside, 0.0, WIDEST * leg)
        return np.stack([np.clip(ahead, -FARTHEST * leg, FARTHEST * leg), aside], axis=-1)

    def target(self, seen: Seen, states: LegStates, command: np.ndarray,
               dt: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Thighs (N, 2, 3, 3) in the frame of the heading, hinges (N, 2, n), and how fast they turn, (N, 2, 3) and (N, 2, n): as
        they would with the foot's place as it is now, so that what is felt does not shake them."""
        self.place = self._places(seen, command)
        gone = states.since_s / self._time[:, None]
        step = max(dt, 1e-3 * self._time_s)
        thigh, hinge = self._aim(seen, gone)
        later, fold = self._aim(seen, gone + step / self._time[:, None])
        most = FASTEST / self._time_s
        return thigh, hinge, np.clip(off(later, thigh) / step, -most, most), np.clip((fold - hinge) / step, -most, most)

    def _aim(self, seen: Seen, gone: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Thighs and hinges when these shares (N, 2) of the swing are gone."""
        gains, leg = self._gains, self._leg_m
        eased = np.clip(gone / ARRIVED, 0.0, 1.0)
        eased = (eased * eased * (3.0 - 2.0 * eased))[..., None]
        point = np.empty(seen.feet.shape)
        point[..., :2] = self._from[..., :2] + (self.place - self._from[..., :2]) * eased
        ground = seen.feet[:, ::-1, 2]  # the standing foot's joint, from the centre of mass
        lift = np.sin(np.pi * np.clip(gone, 0.0, 1.0) ** gains["lift_shape"][:, None]) * gains["clearance"][:, None]
        lift = np.where(gone > 1.0, -LOWERED * (gone - 1.0), lift)
        point[..., 2] = ground + leg * lift
        way = point - seen.hips
        angle, out, hinge = self._fold.at(np.linalg.norm(way, axis=-1))
        x, y, z = way[..., 0], way[..., 1], way[..., 2]
        roll, pitch = np.arctan2(y, -z) - out * SIDE, np.arctan2(x, np.hypot(y, z)) - angle
        return _rolled_and_pitched(roll, -pitch), hinge


def _rolled_and_pitched(roll: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Rx(roll) Ry(pitch), (..., 3, 3)."""
    cr, sr, cp, sp = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch)
    out = np.zeros((*roll.shape, 3, 3))
    out[..., 0, 0], out[..., 0, 2] = cp, sp
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = sr * sp, cr, -sr * cp
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = -cr * sp, sr, cr * cp
    return out
