# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines can do. There are two kinds: those that are given torques, and those that are given accelerations."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np


class Engine(Protocol):
    """Moves one body through time. Coordinates are MuJoCo's, in the order of `Body.segments` (docs/architecture.md).

    `qpos` (nq,) and `qvel` (nv,) are the present state, the same arrays from step to step. `contact_force_n` (P, 3) [N] is
    the world force of the ground on each contact point of the body: the mean over the last call's physics steps (PyBullet: of
    the last one). `step_s` is the length of a physics step. `integrates_accelerations` tells the kind: False for a
    `TorqueEngine`, True for an `AccelerationEngine`.
    """

    integrates_accelerations: ClassVar[bool]
    qpos: np.ndarray
    qvel: np.ndarray
    contact_force_n: np.ndarray
    step_s: float

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Place the body in a state, with time zero, no forces and no pushes."""

    def push(self, segment: str, force_n: np.ndarray) -> None:
        """From now on a force (3,) [N], world axes, acts on a segment's centre of mass; zero ends it."""

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]; the ground stays as firm as it was made."""

    def close(self) -> None:
        """Free what the engine holds."""


class TorqueEngine(Engine, Protocol):
    """An engine that finds accelerations and contact forces itself: MuJoCo, PyBullet."""

    def advance(self, torque: np.ndarray, steps: int) -> None:
        """Apply joint torques (nv - R,) [N m], one for each velocity but the root's R, for some physics steps.

        Raises EngineError when the state is lost.
        """


class AccelerationEngine(Engine, Protocol):
    """An engine that believes the controller's own prediction and integrates it: the ideal engine."""

    def accelerate(self, qacc: np.ndarray, contact_force_n: np.ndarray, seconds: float) -> None:
        """Hold generalised accelerations (nv,) for some seconds; `contact_force_n` (P, 3) are the forces that go with them.

        Raises EngineError when the state is lost.
        """
