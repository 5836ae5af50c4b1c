# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be changed of a response so that it fits a push (Yin 2007, 4.5): made milder, turned, brought to the sagittal plane.

Only towards easier motions: whoever got rid of a push gets rid of a smaller one, and of one along which the soles reach farther.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ...maths.quaternions import quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..channels import layout
from .response import Response, feet_of

FREE_TURN_RAD = math.radians(15.0)
"""In place a response is turned about the vertical by no more than this; the rest goes by its mirror image."""
LEGS = ("thigh", "shank", "foot", "toes")


def milder(alpha: float) -> float:
    """The share eps by which a motion is made smaller so that its momentum is `alpha` (0 to 1) of what it was: what is left of
    its size, 1 - eps, goes 1 + eps / 2 times as fast, (1 - eps)(1 + eps / 2) = alpha."""
    return 0.5 * (math.sqrt(9.0 - 8.0 * min(max(alpha, 0.0), 1.0)) - 1.0)


@dataclass(frozen=True)
class Adaptation:
    """`neutral` is the share of the mirror image (0 to 0.5), `turn_rad` the turn of the whole way about the vertical, `eps` how
    much smaller it becomes."""

    neutral: float = 0.0
    turn_rad: float = 0.0
    eps: float = 0.0


@dataclass(frozen=True)
class Aligned:
    """A response brought to a direction: how strong it is there, and by what it gets there."""

    strength: float
    neutral: float
    turn_rad: float


def aligned(push: complex, in_place: bool, direction: complex) -> Aligned:
    """A response to a `push` brought to a `direction` (unit). A step's whole way turns. In place the mean of a motion and its
    mirror image keeps the sagittal part of the push and loses of the lateral one, so it turns towards the sagittal plane and
    nowhere else; by a few degrees it turns as steps do, its strength then being the part along the direction."""
    away = cmath.phase(direction * push.conjugate())
    if not in_place:
        return Aligned(abs(push), 0.0, away)
    if abs(away) > FREE_TURN_RAD and push.real * direction.real > 0.0 and push.imag * direction.imag >= 0.0:
        lateral = direction.imag / direction.real * push.real
        if abs(lateral) < abs(push.imag):
            return Aligned(abs(push.real / direction.real), 0.5 * (1.0 - lateral / push.imag), 0.0)
    turn = min(max(away, -FREE_TURN_RAD), FREE_TURN_RAD)
    return Aligned(abs(push) * math.cos(away), 0.0, turn)


@dataclass(frozen=True)
class Adapted:
    """A response as it is to be played: `step` between its frames; `channels` (N, 54) of trunk and arms; ankles (N, 2, 3), with
    heights over where they rest, and feet's orientations (N, 2, 4); `planted` (N, 2, 2)."""

    step: float
    channels: np.ndarray
    ankles: np.ndarray
    feet: np.ndarray
    planted: np.ndarray


def adapted(response: Response, by: Adaptation) -> Adapted:
    """The response with an adaptation."""
    values = response.channels
    if by.neutral:
        values = values + by.neutral * (response.mirrored().channels - values)
    values = values[0] + (1.0 - by.eps) * (values - values[0])
    ankles, feet = feet_of(values)
    if by.turn_rad:
        values, ankles = _turned(values, by.turn_rad), ankles.copy()
        ankles[..., :2] = ankles[0, :, :2] + _about(ankles[..., :2] - ankles[0, :, :2], by.turn_rad)
    return Adapted(response.step / (1.0 + 0.5 * by.eps), values, ankles, feet, response.planted)


def _turned(values: np.ndarray, angle: float) -> np.ndarray:
    """Channels whose changes since the first frame point elsewhere by an angle [rad] about the vertical: the root's way, and how
    root, trunk and arms turn; hinges bend as they did, legs go to their feet."""
    places, out = layout(), values.copy()
    out[:, :2] = values[0, :2] + _about(values[:, :2] - values[0, :2], angle)
    balls = [slice(3, 6)] + [where for name, where in places.slices.items()
                             if places.axes[name] is None and not name.startswith(LEGS)]
    for where in balls:
        first = quat_from_rotvec(values[:1, where])
        change = rotvec_from_quat(quat_multiply(quat_from_rotvec(values[:, where]), first * [1.0, -1.0, -1.0, -1.0]))
        change[:, :2] = _about(change[:, :2], angle)
        out[:, where] = rotvec_from_quat(quat_multiply(quat_from_rotvec(change), first))
    return out


def _about(vectors: np.ndarray, angle: float) -> np.ndarray:
    """Vectors (..., 2) turned by an angle [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    return vectors @ np.array([[c, s], [-s, c]])
