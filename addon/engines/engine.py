# SPDX-License-Identifier: GPL-3.0-or-later
"""What every engine can do."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class Engine(Protocol):
    """Steps one body in one world. Coordinates are MuJoCo's, in the order of `Body.segments` (docs/architecture.md).

    `qpos` (nq,) and `qvel` (nv,) are the present state; `contact_force_n` (P, 3) is the world force of the ground on each
    contact point of the body during the last physics step of `advance`.
    """

    qpos: np.ndarray
    qvel: np.ndarray
    contact_force_n: np.ndarray
    step_s: float

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Place the body in a state, with time zero and no forces."""

    def advance(self, torque: np.ndarray, steps: int) -> None:
        """Apply joint torques (nv - 6,) [N m] for some physics steps. Raises EngineError when the state is lost."""

    def push(self, segment: str, force_n: np.ndarray) -> None:
        """From now on a force (3,) [N], world axes, acts on a segment's centre of mass; zero ends it."""

    def close(self) -> None:
        """Free what the engine holds."""
