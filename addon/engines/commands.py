# SPDX-License-Identifier: GPL-3.0-or-later
"""What an engine can be given for one control step. Each engine says which of these it takes (`Engine.accepts`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Torques:
    """Generalised torques (nv - r,) [N m] of the joints behind a root with r coordinates.

    `damping` (nv - r,) [N m s] is what each coordinate resists its own rate with; the engine treats it implicitly, so that it
    is stable at any size, and it may change at every tick. None leaves the body's own. `root` (r,) is the generalised
    acceleration of a root on rails (`rails.Rails`), which then has it whatever pulls at it.
    """

    torque: np.ndarray
    damping: np.ndarray | None = None
    root: np.ndarray | None = None


@dataclass(frozen=True)
class Accelerations:
    """Generalised accelerations (nv,), held for the control step by an engine that believes them.

    `contact_force_n` (P, 3) [N] and `torque` (nv - r,) [N m] are the forces that go with them.
    """

    acceleration: np.ndarray
    contact_force_n: np.ndarray
    torque: np.ndarray


@dataclass(frozen=True)
class Excitations:
    """Neural excitation (M,) of each muscle of the body, 0 to 1, in the order of its muscles, and generalised torques (nv - r,)
    [N m] beside what the muscles make of it: of joints without muscles, and what is held in reserve for others. `damping` is as
    in `Torques`, beside the muscles' own."""

    excitation: np.ndarray
    torque: np.ndarray
    damping: np.ndarray | None = None


Command = Torques | Accelerations | Excitations
