# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body's muscles are to an engine: excitations and the state in, joint torques out."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class MuscleState(Protocol):
    """What can be felt of M muscles now."""

    names: tuple[str, ...]

    @property
    def activation(self) -> np.ndarray:
        """(M,), 0 to 1."""

    @property
    def force_n(self) -> np.ndarray:
        """Force (M,) in the tendons."""

    @property
    def fibre_length(self) -> np.ndarray:
        """(M,) [l_opt]."""

    @property
    def fibre_velocity(self) -> np.ndarray:
        """(M,) [l_opt/s], shortening negative."""


class MuscleActuator(MuscleState, Protocol):
    """The muscles of one body, with the state that the last `reset` or `step` came to.

    `moved` (nv - r,) tells which coordinates behind the root, which has r, any muscle pulls at, `own` (nv - r,) which of them
    muscles can turn both ways, so that no torque has to; `damping` (nv - r,) [N m s] how
    much of what each coordinate's torque falls by with its own rate an engine has to treat implicitly.
    """

    moved: np.ndarray
    own: np.ndarray
    damping: np.ndarray

    @property
    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (M,) [W] of each muscle, what the body spends at rest left out; worked out when it is asked for."""

    def reset(self, qpos: np.ndarray, qvel: np.ndarray, activation: np.ndarray | None = None) -> None:
        """Begin in a state, with activations (M,), None for none, and fibres in equilibrium that go along with the joints."""

    def step(self, excitation: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, dt_s: float) -> np.ndarray:
        """The muscles' torque (nv - r,) [N m] through a step from a state on; activations and fibres go on by the step. The
        array is the same from step to step."""
