# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a swinging foot goes, and the thigh and the fold that bring it there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .felt import off
from .fold import Fold
from .seen import Seen
from .states import LegStates

ARRIVED = 0.9
"""The foot is over its place after this share of the swing."""
FARTHEST, WIDEST, APART = 0.8, 0.5, 0.04
"""A foot is placed no farther from the centre of mass than this, ahead and to its side, and no nearer to the other one's line,
over the leg's length."""
LOWERED = 0.15
"""How fast a foot that finds no ground in time is lowered: leg's lengths in the time of a swing."""
FASTEST = 6.0
"""Rates of targets are cut here, in units of sqrt(g / L)."""
STEEP = 0.4
"""Share of a foot's height that comes down steadily at the end, so that it lands in time; the rest is down before, softly."""
LEARNT, LANDING = 0.5, (0.7, 1.2)
"""How quickly it is learnt when feet land, over the time of a swing, and the limits of that."""
AHEAD = 0.02
"""Share of a swing by which the target is looked ahead for its rates."""
SIDE = np.array((1.0, -1.0))


class Swing:
    """Targets of swinging legs of N walkers. `place` (N, 2, 2) is where each foot is to land, from the centre of mass as it will
    be then. `pendulum_s` is sqrt(h / g) of the height of the centre of mass."""

    def __init__(self, fold: Fold, gains: Mapping[str, np.ndarray], leg_m: float, time_s: float, ankle_m: float,
                 pendulum_s: float) -> None:
        self._gains, self._fold, self._leg_m, self._time_s, self._ankle_m = gains, fold, leg_m, time_s, ankle_m
        n = len(gains["swing_time"])
        self._from, self._lands = np.zeros((n, 2, 3)), np.ones((n, 2))
        self._time = gains["swing_time"] * time_s
        self._pendulum_s = pendulum_s
        step = (gains["swing_time"] + gains["double"]) * time_s / pendulum_s
        self._half, self._whole = np.tanh(0.5 * step), 1.0 / np.tanh(step)
        self._over = 0.5 * gains["double"] * time_s / pendulum_s  # by the middle of that time the weight is on the other foot
        self._inside = 2.0 * gains["width"] * leg_m / (1.0 + np.exp(step))
        self.place = np.zeros((n, 2, 2))

    def begin(self, lifted: np.ndarray, foot: np.ndarray) -> None:
        """Legs that are lifted (N, 2) start from where their feet are (N, 2, 3) in the world."""
        self._from[lifted] = foot[lifted]

    def landed(self, landed: np.ndarray, gone: np.ndarray) -> None:
        """Feet have landed (N, 2) when such shares (N, 2) of their swings were gone: so will the next ones, more or less."""
        self._lands += np.where(landed, LEARNT * (np.clip(gone, *LANDING) - self._lands), 0.0)

    def under_way(self, seen: Seen, pressed: np.ndarray) -> np.ndarray:
        """Who (N,) stands on both feet, `pressed` (N, 2) by shares, and goes so fast sideways that, were the weight to go over
        to the other foot now, it would go on from there as a steady walk does: the capture point y + v sqrt(h / g), that the
        pressure drives away, is as near inside the other foot then."""
        aside = seen.feet[..., 1]
        grown = np.exp(self._over)
        from_y, to_y = (pressed * aside).sum(axis=1), ((1.0 - pressed) * aside).sum(axis=1)
        capture = grown * self._pendulum_s * seen.velocity[:, 1] - (grown - 1.0) * from_y
        return np.sign(to_y - from_y) * (to_y - capture) <= self._inside

    def _places(self, seen: Seen, command: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Where each foot is to be placed (N, 2, 2) `left` (N, 2) [s] from now, ahead and left of the centre of mass
        as it will be then: a pendulum from there on goes at the speed that is aimed at, and as far to each side as it should.
        The pendulum's pivot is the other foot's pressure."""
        gains, leg, unit = self._gains, self._leg_m, self._pendulum_s
        left = left / unit
        over = -seen.feet[:, ::-1, :2]
        over[..., 0] -= (gains["pressure"] * leg)[:, None]
        velocity = seen.velocity[:, None, :2] * np.cosh(left)[..., None] + over / unit * np.sinh(left)[..., None]
        command = command[:, None]
        ahead = (unit * (self._half[:, None] * command
                         + (gains["place_gain"] * self._whole)[:, None] * (velocity[..., 0] - command))
                 + ((gains["place_ahead"] - gains["pressure"]) * leg)[:, None])
        width = (gains["width"] * leg)[:, None]
        aside = SIDE * width + (gains["side_gain"] * self._whole)[:, None] * (
            unit * velocity[..., 1] - SIDE * width * self._half[:, None])
        coming = seen.velocity[:, None, 1] * unit * left  # about how far the centre of mass still goes aside
        aside = SIDE * np.clip(SIDE * aside, SIDE * (seen.feet[:, ::-1, 1] - coming) + APART * leg, WIDEST * leg)
        return np.stack([np.clip(ahead, -FARTHEST * leg, FARTHEST * leg), aside], axis=-1)

    def target(self, seen: Seen, states: LegStates, command: np.ndarray, com: np.ndarray) -> tuple[np.ndarray, ...]:
        """Thighs (N, 2, 3, 3) in the frame of the heading, hinges (N, 2, n), how fast they turn, (N, 2, 3) and (N, 2, n), and how
        the thighs gather rate (N, 2, 3): as they would with the foot's place as it is now, so that what is felt does not shake
        them. `com` (N, 3) is in the world."""
        left = np.maximum(self._lands * self._time[:, None] - states.since_s, 0.0)
        self.place = self._places(seen, command, left)
        step = AHEAD * self._time[:, None]
        begun = (self._from - com[:, None]) @ seen.back
        thighs, hinges = [], []
        for i in range(3):
            on = i * step
            thigh, hinge = self._aim(seen, (states.since_s + on) / self._time[:, None],
                                     begun - on[..., None] * seen.velocity[:, None], np.maximum(left - on, 0.0))
            thighs.append(thigh)
            hinges.append(hinge)
        step, most = step[..., None], FASTEST / self._time_s
        one, two = off(thighs[1], thighs[0]) / step, off(thighs[2], thighs[1]) / step
        return (thighs[0], hinges[0], np.clip(one, -most, most), np.clip((hinges[1] - hinges[0]) / step, -most, most),
                np.clip((two - one) / step, -most * most, most * most))

    def _aim(self, seen: Seen, gone: np.ndarray, begun: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Thighs and hinges when these shares (N, 2) of the swing are gone, which began at (N, 2, 3) from the centre of mass."""
        gains, leg = self._gains, self._leg_m
        eased = np.clip(gone / (ARRIVED * self._lands), 0.0, 1.0)
        eased = (eased**3 * (10.0 + eased * (6.0 * eased - 15.0)))[..., None]
        place = self.place + seen.velocity[:, None, :2] * left[..., None]
        point = np.empty(begun.shape)
        point[..., :2] = begun[..., :2] + (place - begun[..., :2]) * eased
        ground = seen.soles[:, ::-1] + self._ankle_m  # where the foot's joint is on the ground that the other foot is on
        way = np.pi * np.clip(gone, 0.0, 1.0) ** gains["lift_shape"][:, None]
        lift = (1.0 - STEEP) * np.sin(way) ** 2 + STEEP * np.sin(way)
        lift = leg * np.where(gone > 1.0, -LOWERED * (gone - 1.0), lift * gains["clearance"][:, None])
        point[..., 2] = ground + lift + np.maximum(begun[..., 2] - ground, 0.0) * (1.0 - eased[..., 0])
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
