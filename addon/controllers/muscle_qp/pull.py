# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body's muscles can do at an instant: torques that are linear in their activations."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ...bodies.state import BodyState


class Pull(Protocol):
    """M muscles of a body whose root has r coordinates.

    After `update`: `active_nm` (nv - r, M) [N m], what each coordinate gets of a muscle that is wholly active; `passive_nm`
    (nv - r,), what all of them give at rest; `force_n` (M,) [N], the force along its tendon that one has when it is wholly active
    beside that at rest; `low` and `high` (M,), the activations that can be reached within the coming control step;
    `yielding_kg_m2` (nv - r, nv - r), by how much less all of them give through that step the faster it accelerates the joints:
    what they resist with their speed, times the step. The arrays are the same ones at every update. `moved` (nv - r,) bool tells
    which coordinates are theirs, `greatest_n` (M,) the greatest isometric forces.
    """

    names: tuple[str, ...]
    moved: np.ndarray
    greatest_n: np.ndarray
    active_nm: np.ndarray
    passive_nm: np.ndarray
    force_n: np.ndarray
    yielding_kg_m2: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def update(self, state: BodyState) -> None:
        """Take over a state."""

    def spending_w(self) -> tuple[np.ndarray, np.ndarray]:
        """(line, square), each (M,) [W]: what activations a spend there, line a + square a^2."""
