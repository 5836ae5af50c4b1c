# SPDX-License-Identifier: GPL-3.0-or-later
"""What can learn, as one row of numbers: the trunk's moment about the pelvis's axes, then every joint's torque."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from ...bodies.body import Body
from ...bodies.segments import FREEDOM
from ...specs.pose_gait import UPPER
from ...specs.pose_learning import LEGS, TRUNK, UPPER_BODY

AXES, MIRRORED = "xyz", (-1.0, 1.0, -1.0)
"""A ball's axes, and what becomes of a rotation about each when left and right are exchanged."""
LEG = ("shank", "foot")
"""What of a leg learns: hips place the foot, and carry what the trunk learns."""


class Springs(Protocol):
    """Springs and dampings: of the trunk, of swinging hips (three axes, or one), and of every joint (nv - R,)."""

    @property
    def trunk(self) -> tuple[float, float]:
        """[N m/rad], [N m s/rad]."""

    @property
    def hip(self) -> tuple[np.ndarray, np.ndarray]:
        """[N m/rad], [N m s/rad]."""

    @property
    def spring(self) -> np.ndarray:
        """[N m/rad], nothing for hips."""

    @property
    def damping(self) -> np.ndarray:
        """[N m s/rad], nothing for hips."""


class Channels:
    """`names` of all C columns and their place in `columns`: `trunk` of them (T) are the trunk's. `spring` (C,) [N m/rad] at full
    firmness. A planar trunk has one, `trunk`."""

    def __init__(self, body: Body, strength: Springs, mass_matrix: np.ndarray) -> None:
        free = body.segments[0].joint == "free"
        self.names = [f"{TRUNK}_{axis}" for axis in AXES] if free else [TRUNK]
        self.trunk = len(self.names)
        springs, sign, at = [np.full(self.trunk, strength.trunk[0])], list(MIRRORED) if free else [1.0], 0
        self._parts = self.trunk * [TRUNK]
        for segment in body.segments[1:]:
            size, stem = FREEDOM[segment.joint], segment.name.removesuffix("_L").removesuffix("_R")
            ball = size == len(AXES)
            self.names += [f"{segment.name}_{axis}" for axis in AXES] if ball else [segment.name]
            self._parts += size * [UPPER_BODY if segment.name in UPPER else LEGS if stem in LEG else ""]
            springs.append(np.broadcast_to(strength.hip[0], size) if stem == "thigh" else strength.spring[at:at + size])
            sign += MIRRORED if ball else size * [1.0]
            at += size
        self.spring, self._sign = np.concatenate(springs), np.array(sign)
        self.columns = {name: i for i, name in enumerate(self.names)}
        self._mirror = np.array([self.columns.get(_other_side(name), i) for i, name in enumerate(self.names)])
        first = body.root_freedom - self.trunk
        self._moved = np.abs(mass_matrix[first:, first:])
        for side in "LR":  # the legs stand: the trunk's moment does not move them
            for row in range(self.trunk):
                thigh = self.columns[f"thigh_{side}_{AXES[row]}" if free else f"thigh_{side}"]
                self._moved[row, row] -= self._moved[thigh, thigh]

    def learning(self, parts: Iterable[str]) -> np.ndarray:
        """Whether each column (C,) is of one of the parts that learn: 1 or 0."""
        chosen = set(parts)
        return np.array([float(part in chosen) for part in self._parts])

    def mirrored(self, rows: np.ndarray) -> np.ndarray:
        """Rows (..., C) with left and right exchanged."""
        return rows[..., self._mirror] * self._sign

    def rate_weight(self, parts: Iterable[str], strength: Springs) -> np.ndarray:
        """What a column's rate counts for in what is learned (C,) [N m s/rad], beyond its damping.

        A torque on an inertia I with a spring k and a damping d shows in k e + w e' by (k + i w o) / (k - I o^2 + i d o), whose
        real part is positive at every frequency o if w >= k I / d: then what is learned takes feedback away and does not feed it.
        The inertia is that of all that hangs on the joint, with what else learns and pulls at the same: the row's sum.
        """
        spring = np.concatenate([np.full(self.trunk, strength.trunk[0]), strength.spring])
        damping = np.concatenate([np.full(self.trunk, strength.trunk[1]), strength.damping])
        inertia = self._moved @ self.learning(parts)
        return np.maximum(spring * inertia / np.where(damping > 0.0, damping, np.inf) - damping, 0.0)


def _other_side(name: str) -> str:
    """The name of the same column on the other side."""
    return "_".join({"L": "R", "R": "L"}.get(word, word) for word in name.split("_"))
