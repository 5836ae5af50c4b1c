# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines can do. Most are given torques, the ideal one accelerations."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np

from .commands import Command

NO_MOMENT = np.zeros(3)


class Engine(Protocol):
    """Moves one body through time. Coordinates are MuJoCo's, in the order of `Body.segments` (docs/architecture.md).

    `accepts` is the kind of command that it takes. `qpos` (nq,) and `qvel` (nv,) are the present state, the same arrays from step
    to step. `contact_force_n` (P, 3) [N] is the world force of the ground on each contact point of the body: the mean over the
    last call's physics steps (PyBullet: of the last one); `senses_contact` tells whether it is found by the engine itself, or
    only what it was told. `step_s` is the length of a physics step. `object_pose` (K, 7) are the loose objects' places [m] and
    orientations, w-x-y-z, now. Where it `watches`, `touched` has the impulse (3,) [N s], world axes, that each of them gave a
    segment during the last `apply`, by the object's row and the segment's name.
    """

    accepts: ClassVar[type[Command]]
    senses_contact: ClassVar[bool]
    qpos: np.ndarray
    qvel: np.ndarray
    contact_force_n: np.ndarray
    object_pose: np.ndarray
    step_s: float
    watches: bool
    touched: dict[tuple[int, str], np.ndarray]

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Place the body in a state, with time zero, no forces and no pushes."""

    def apply(self, command: Any, seconds: float) -> None:
        """Hold a command, of the kind `accepts`, for some seconds. Raises EngineError when the state is lost."""

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        """From now on a force (3,) [N] and a moment (3,) [N m], world axes, act on a segment's centre of mass; zeros end them."""

    def throw(self, row: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        """The loose object of that row is here (3,) now, and flies at this velocity (3,) from the next `apply` on."""

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]; the ground stays as firm as it was made."""

    def bar_itself(self, bars: bool) -> None:
        """From now on segments bar each other's way, where the body has capsules and the engine knows them, or pass through
        each other. They bar it until this is called."""

    def close(self) -> None:
        """Free what the engine holds."""
