# SPDX-License-Identifier: GPL-3.0-or-later
"""The curves of a step: their names, their mirror images, and the splines that they are."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.interpolate import BSpline

from ..channels import layout as cycle_layout

LEGS = ("thigh", "shank", "foot", "toes")
ROOT = ("root.x", "root.y", "root.z", "root.yaw", "root.pitch", "root.roll")
AIR = ("x", "y", "z", "yaw", "roll")
"""What the foot in the air has beside the straight way from print to print."""
INTERVALS, AIR_INTERVALS = 8, 6
"""Polynomials of a curve over the step, and over the part in which the foot is in the air."""


@cache
def names() -> tuple[str, ...]:
    """All curves of a step over its phase: the root's place [leg lengths, x and y from the step's frame, z of the root over
    the ankles of standing feet] and angles [rad]; rotation vectors of trunk and arms; knees' axes in the root's frame; and the
    pitch of either foot, positive with the heel up."""
    upper = [name for name in cycle_layout().names[6:] if name.partition(".")[0].rpartition("_")[0] not in LEGS]
    knees = [f"knee_{side}.{axis}" for side in "LR" for axis in "xyz"]
    return (*ROOT, *upper, *knees, "pitch_L", "pitch_R")


@cache
def upper() -> tuple[tuple[str, slice], ...]:
    """Segments of trunk and arms, and where their curves stand; hinges have one."""
    found: dict[str, list[int]] = {}
    for i, name in enumerate(names()):
        stem = name.partition(".")[0]
        if stem not in ("root", "knee_L", "knee_R", "pitch_L", "pitch_R"):
            found.setdefault(stem, []).append(i)
    return tuple((stem, slice(rows[0], rows[-1] + 1)) for stem, rows in found.items())


@cache
def at(name: str) -> int:
    """Where a curve stands."""
    return names().index(name)


@cache
def mirror() -> tuple[np.ndarray, np.ndarray]:
    """Order and signs (C,) of the curves of the mirror image: `values[order] * signs`."""
    order, signs = [], []
    for name in names():
        stem, dot, part = name.partition(".")
        other = {"L": "R", "R": "L"}.get(stem[-1]) if stem[-2:] in ("_L", "_R") else None
        order.append(at(stem[:-1] + other + dot + part) if other else at(name))
        if stem.startswith("knee"):
            signs.append(1.0 if part == "y" else -1.0)
        else:
            signs.append(-1.0 if part in ("y", "yaw", "roll", "rx", "rz") else 1.0)
    return np.array(order), np.array(signs)


AIR_SIGNS = np.array([1.0, -1.0, 1.0, -1.0, -1.0])
"""The same of the foot in the air, which is named by the step."""


@cache
def knots(intervals: int) -> np.ndarray:
    """Knots of a cubic spline over [0, 1]."""
    return np.concatenate([np.zeros(3), np.linspace(0.0, 1.0, intervals + 1), np.ones(3)])


def design(phases: np.ndarray, intervals: int) -> np.ndarray:
    """(N, intervals + 3): what a curve's coefficients are multiplied by at phases (N,) of [0, 1]."""
    return BSpline.design_matrix(np.clip(phases, 0.0, 1.0), knots(intervals), 3).toarray()


@cache
def slopes(intervals: int) -> np.ndarray:
    """(2, intervals + 3): the same for the derivative by the phase at 0 and at 1."""
    return BSpline(knots(intervals), np.eye(intervals + 3), 3).derivative()(np.array([0.0, 1.0]))


@cache
def centres(intervals: int) -> np.ndarray:
    """(intervals + 3,): the phases about which the coefficients of a spline have their weight (Greville's)."""
    t = knots(intervals)
    return np.array([t[i + 1:i + 4].mean() for i in range(intervals + 3)])
