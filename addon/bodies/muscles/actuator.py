# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body's muscles are to an engine: excitations and the state in, joint torques out."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class MuscleActuator(Protocol):
    """The muscles of one body, with their own state.

    `names` are those of the M muscles, in order; `moved` (nv - r,) tells which coordinates behind the root, which has r, any of
    them pulls at. The rest are what the last `reset` or `step` came to, each (M,) and the same array from step to step:
    `activation`, 0 to 1; `force_n` in the tendon, `fibre_length` [l_opt], `fibre_velocity` [l_opt/s]; and `damping` (nv - r,)
    [N m s], by how much each coordinate's torque falls with its own rate.
    """

    names: tuple[str, ...]
    moved: np.ndarray
    activation: np.ndarray
    force_n: np.ndarray
    fibre_length: np.ndarray
    fibre_velocity: np.ndarray
    damping: np.ndarray

    @property
    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (M,) [W] of each muscle, basal rate left out, worked out when it is asked for."""

    def reset(self, qpos: np.ndarray, qvel: np.ndarray, activation: np.ndarray | None = None) -> None:
        """Begin in a state, with fibres as long as they are where nothing moves, and activations (M,), None for none."""

    def step(self, excitation: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, dt_s: float) -> np.ndarray:
        """The muscles' torque (nv - r,) [N m] through a step from a state on; activations and fibres go on by the step. The
        array is the same from step to step."""
