# SPDX-License-Identifier: GPL-3.0-or-later
"""A leg of any number of hinges as one virtual leg: a single number folds it.

The drawn pose is fold 0. Every hinge bends with the fold the way it is drawn bent (where it is drawn straight, the way its range
allows), each as far in proportion as it is drawn bent; straightening, each stops at straight. Forward kinematics once gives
length and angle of the line from the hip to the last joint; on the part where the length falls with the fold, it is inverted.
"""

from __future__ import annotations

import math

import numpy as np

from ...bodies.body import Body
from .layout import Layout

STEPS = 400
LEAST_SHARE = 0.35
"""A hinge drawn straighter than the others bends at least this share of what the one drawn most bent does (first guess)."""
DRAWN_BENT_RAD = math.radians(5.0)
"""A hinge drawn straighter than this tells nothing by its drawing."""
LEAST_BEND_RAD = math.radians(3.0)
"""Straightened so far, no farther: a straight hinge has no arm."""
MOST_FOLD_RAD = 2.4


def drawn_bend(body: Body, leg: tuple[str, ...]) -> np.ndarray:
    """Angles (n,) [rad] about their axes by which the hinges of a leg (thigh ... foot) are bent in the drawing: 0 straight."""
    bend = []
    for above, name, below in zip(leg[:-2], leg[1:-1], leg[2:], strict=True):
        axis = np.asarray(body.segment(name).axis, dtype=float)
        one, other = body.segment(name).offset, body.segment(below).offset
        assert above == body.segment(name).parent
        one, other = one - (one @ axis) * axis, other - (other @ axis) * axis
        bend.append(math.atan2(float(np.cross(one, other) @ axis), float(one @ other)))
    return np.array(bend)


def bend_signs(body: Body, leg: tuple[str, ...], bend: np.ndarray) -> np.ndarray:
    """Which way (n,) the hinges bend: as drawn, else to the wider side of their range."""
    signs = np.sign(bend)
    for i, name in enumerate(leg[1:-1]):
        if abs(bend[i]) < DRAWN_BENT_RAD:
            low, high = body.segment(name).range_rad
            signs[i] = 1.0 if high + bend[i] >= -(low + bend[i]) else -1.0
    return signs


class Fold:
    """The fold table of the left leg, by which the right one folds too.

    `length_m` falls along the table (M,), `angle_rad` and `out_rad` are how far ahead and to the left of straight down the line
    from hip to last joint points in the thigh's frame, `hinge_rad` (M, n) the coordinates of the hinges. `longest_m`,
    `shortest_m` are its ends, `whole_m` the sum of the segments' lengths, `drawn_m` the length as drawn.
    """

    def __init__(self, body: Body, layout: Layout) -> None:
        leg = tuple(body.segments[row].name for row in layout.legs[0])
        segments = [body.segment(name) for name in leg]
        offsets = np.array([s.offset for s in segments[1:]])
        self.whole_m = float(np.linalg.norm(offsets, axis=1).sum())
        bend = drawn_bend(body, leg)
        signs = bend_signs(body, leg, bend)
        size = np.abs(bend)
        share = np.maximum(size / size.max(), LEAST_SHARE) if size.max() > DRAWN_BENT_RAD else np.ones(len(bend))
        folds = np.linspace(-math.pi, MOST_FOLD_RAD, STEPS)
        folded = np.maximum(signs * bend + folds[:, None] * share, np.minimum(signs * bend, LEAST_BEND_RAD))
        hinge = signs * folded - bend
        low, high = np.array([s.range_rad for s in segments[1:-1]]).T
        hinge = np.clip(hinge, low, high)
        axes = np.array([s.axis for s in segments[1:-1]], dtype=float)
        tip = _tip(offsets, axes, hinge)
        length = np.linalg.norm(tip, axis=1)
        drawn = int(np.argmin(np.abs(folds)))
        first, last = drawn, drawn
        while first > 0 and length[first - 1] > length[first] + 1e-9:
            first -= 1
        while last + 1 < STEPS and length[last + 1] < length[last] - 1e-9:
            last += 1
        keep = slice(first, last + 1)
        self.length_m, self.hinge_rad = length[keep], hinge[keep]
        self.angle_rad = np.arctan2(tip[keep, 0], -tip[keep, 2])
        self.out_rad = np.arctan2(tip[keep, 1], np.hypot(tip[keep, 0], tip[keep, 2]))
        self.longest_m, self.shortest_m, self.drawn_m = self.length_m[0], self.length_m[-1], float(length[drawn])
        self._rising = self.length_m[::-1]
        self._columns = np.concatenate([self.angle_rad[:, None], self.out_rad[:, None], self.hinge_rad], axis=1)[::-1]

    def at(self, length_m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Angle (...) and angle outwards (...) of the virtual leg in the thigh's frame, and hinges (..., n), of lengths [m]."""
        rising = self._rising
        length = np.clip(length_m, rising[0], rising[-1])
        row = np.clip(np.searchsorted(rising, length) - 1, 0, len(rising) - 2)
        share = (length - rising[row]) / (rising[row + 1] - rising[row])
        found = self._columns[row] * (1.0 - share[..., None]) + self._columns[row + 1] * share[..., None]
        return found[..., 0], found[..., 1], found[..., 2:]


def _tip(offsets: np.ndarray, axes: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    """The last joint (M, 3) in the thigh's frame at hinges (M, n)."""
    count = len(hinge)
    turn, tip = np.broadcast_to(np.eye(3), (count, 3, 3)), np.broadcast_to(offsets[0], (count, 3))
    for i, axis in enumerate(axes):
        turn = turn @ about(axis, hinge[:, i])
        tip = tip + turn @ offsets[i + 1]
    return tip


def about(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Rotation matrices (M, 3, 3) about one axis (3,) by angles (M,)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * cross + (1.0 - c) * (cross @ cross)
