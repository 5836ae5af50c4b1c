# SPDX-License-Identifier: GPL-3.0-or-later
"""A way round that was meant to be straight, bent straight: what a capture is off over one stride makes a circle of many."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...maths.quaternions import quat_multiply
from .piece import SAME_S, Piece, heading
from .prints import Print

MOST_STRIDE_RAD = math.radians(5.0)
"""Up to so much a stride nobody meant to turn: over one stride captured straight walks turn by 0.8 to 4.3 degrees, bends by 25 to
50."""


def straightened(piece: Piece) -> Piece:
    """A piece between touch-downs of one foot that ends with the heading with which it begins, bent evenly, were it to turn by
    little; else as it is. Standing feet turn with it: their prints are those of the middle of their stances."""
    clip = piece.clip
    strides = sum(one.stance.strike_s > -SAME_S for one in piece.prints.get(piece.begins, []))
    turn = math.remainder(float(heading(clip.root_quaternion[-1]) - heading(clip.root_quaternion[0])), math.tau)
    if piece.begins != piece.ends or not 0.0 < abs(turn) <= strides * MOST_STRIDE_RAD:
        return piece
    angle = -turn * np.linspace(0.0, 1.0, len(clip.root_m))
    turned = np.exp(1j * angle)
    root = clip.root_m[:, 0] + 1j * clip.root_m[:, 1]
    way = root[0] + np.concatenate([[0j], np.cumsum(0.5 * (turned[1:] + turned[:-1]) * np.diff(root))])

    def bent(points: np.ndarray) -> np.ndarray:
        """Points (T, ..., 3) with their time's turn about the root, on the root's new way."""
        shape = (-1, *[1] * (points.ndim - 2))
        level = way.reshape(shape) + turned.reshape(shape) * (points[..., 0] + 1j * points[..., 1] - root.reshape(shape))
        return np.stack([level.real, level.imag, points[..., 2]], axis=-1)

    def moved(one: Print) -> Print:
        """A print, turned and moved as the body is in the middle of what the piece has of its stance."""
        middle_s = 0.5 * (max(one.stance.strike_s, 0.0) + min(one.stance.off_s, clip.duration_s))
        row = min(max(round(middle_s / clip.step_s), 0), len(way) - 1)
        return replace(one, place=complex(way[row]) + cmath.exp(1j * angle[row]) * (one.place - complex(root[row])),
                       yaw=one.yaw + float(angle[row]))

    about = np.zeros((len(angle), 4))
    about[:, 0], about[:, 3] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    straight = replace(
        clip, root_m=bent(clip.root_m), com_m=bent(clip.com_m), ankle_m=bent(clip.ankle_m),
        root_quaternion=quat_multiply(about, clip.root_quaternion), foot_yaw=clip.foot_yaw + angle[:, None],
        foot_quaternion=quat_multiply(about[:, None], clip.foot_quaternion))
    return replace(piece, clip=straight, prints={side: [moved(one) for one in piece.prints[side]] for side in SIDES})
