# SPDX-License-Identifier: GPL-3.0-or-later
"""Knees and elbows as true hinges: the upper segment's twist is chosen so that the lower one bends in its plane."""

from __future__ import annotations

import numpy as np

from ..maths.angles import plane_angle

BENT_RAD = np.radians(20.0)  # bent this far, a limb shows the axis it bends about
BLEND_RAD = np.radians(10.0)  # bent less than about this, the usual axis counts more than the momentary one


def usual_axis(upper: np.ndarray, lower: np.ndarray, sign: float) -> np.ndarray:
    """The fixed axis (3,), in the upper segment's frame, that a limb bends about over a clip; left (y) if it never bends.

    `upper`, `lower` (T, 3, 3): orientations of the two segments; `sign` +1 for knees, -1 for elbows.
    """
    cross = sign * np.cross(-upper[:, :, 2], -lower[:, :, 2])
    bent = np.linalg.norm(cross, axis=1) > np.sin(BENT_RAD)
    if bent.sum() < 5:
        return np.array([0.0, 1.0, 0.0])
    local = np.einsum("tji,tj->ti", upper[bent], cross[bent])
    axis = np.array([local[:, 0].sum(), local[:, 1].sum(), 0.0])
    length = np.linalg.norm(axis)
    if length < 0.3 * np.linalg.norm(local, axis=1).sum() or axis[1] < 0.5 * length:
        return np.array([0.0, 1.0, 0.0])
    return axis / length


def hinge(upper: np.ndarray, lower: np.ndarray, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Upper orientations (T, 3, 3) with the twist that a hinge wants, and flexion angles (T,) [rad].

    The long axes of both segments (-z of their frames) keep their directions, but for what a nearly straight limb would
    need out of its plane.
    """
    u, s = -upper[:, :, 2], -lower[:, :, 2]
    prior = upper @ usual_axis(upper, lower, sign)
    cross = sign * np.cross(u, s)
    cross *= np.where(np.einsum("ti,ti->t", cross, prior) < 0.0, -1.0, 1.0)[:, None]
    sine = np.linalg.norm(cross, axis=1, keepdims=True)
    weight = sine**2 / (sine**2 + np.sin(BLEND_RAD) ** 2)
    y = weight * cross / np.maximum(sine, 1e-12) + (1.0 - weight) * prior
    y -= np.einsum("ti,ti->t", y, u)[:, None] * u
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    x = np.cross(y, -u)
    turned = np.stack([x, y, -u], axis=2)
    angle = np.arctan2(-sign * np.einsum("ti,ti->t", s, x), np.einsum("ti,ti->t", s, u))
    return turned, angle


def pitch_about_y(base: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """Upward pitch (T,) [rad] of `moved`'s forward axis in `base`'s x-z plane: the toe hinge. Shapes (T, 3, 3)."""
    forward = np.einsum("tji,tj->ti", base, moved[:, :, 0])
    return plane_angle(forward[:, 2], forward[:, 0])
