# SPDX-License-Identifier: GPL-3.0-or-later
"""What the law feels of N walkers of one body: arrays as MuJoCo has them, of one state or of a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...bodies.state import BodyState
from .layout import Layout

FIELDS = ("qpos", "qvel", "xpos", "xmat", "xipos", "subtree_com", "cvel")
"""What is read of `MjData`; of a batch these are to be bound, with `sensordata`."""


@dataclass(frozen=True)
class Felt:
    """N walkers at one instant, world axes; S segments in the body's order.

    `qpos` (N, nq), `qvel` (N, nv); `place` (N, S, 3) of the segments' joints [m], `turn` (N, S, 3, 3), `below` (N, S, 3) the
    centres of mass of each segment with all that hangs on it; `com`, `com_velocity` (N, 3); `spin` (N, S, 3) the segments'
    angular velocities [rad/s]; `load` (N, 2) what the left and the right foot carry [N].
    """

    qpos: np.ndarray
    qvel: np.ndarray
    place: np.ndarray
    turn: np.ndarray
    below: np.ndarray
    com: np.ndarray
    com_velocity: np.ndarray
    spin: np.ndarray
    load: np.ndarray


class Senses:
    """Reads `Felt` of one body in a model made by `build_model`."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._count = len(layout.mass_kg)
        self._share = layout.mass_kg / layout.mass_kg.sum()

    def read(self, array: Callable[[str], np.ndarray], contact_force_n: np.ndarray) -> Felt:
        """`array(name)` is a field of MjData (N, ...); `contact_force_n` (N, P, 3) [N] the ground's force on the points."""
        own, layout = slice(1, 1 + self._count), self.layout
        turn = array("xmat")[:, own]
        below, motion = array("subtree_com")[:, own], array("cvel")[:, own]
        com, spin = below[:, 0], motion[..., :3]
        arm = array("xipos")[:, own] - com[:, None]
        velocity = motion[..., 3:] + cross(spin, arm)
        return Felt(array("qpos"), array("qvel"), array("xpos")[:, own], turn.reshape(len(turn), self._count, 3, 3), below, com,
                    np.einsum("s,nsi->ni", self._share, velocity), spin,
                    contact_force_n[..., 2] @ layout.of_foot.T)


def felt_of(senses: Senses, state: BodyState, contact_force_n: np.ndarray) -> Felt:
    """One walker (N = 1) in a state that is up to date; its force (P, 3) [N]."""
    data = state.data
    return senses.read(lambda name: getattr(data, name)[None], contact_force_n[None])


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector products (..., 3), quicker than numpy's own on small arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    out[..., 0] = ay * bz - az * by
    out[..., 1] = az * bx - ax * bz
    out[..., 2] = ax * by - ay * bx
    return out


def off(wanted: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The least turn (..., 3) from `turn` to `wanted` (..., 3, 3), world axes: the sine of its angle along its axis."""
    between = wanted @ turn.swapaxes(-1, -2)
    out = np.empty(between.shape[:-1])
    out[..., 0] = between[..., 2, 1] - between[..., 1, 2]
    out[..., 1] = between[..., 0, 2] - between[..., 2, 0]
    out[..., 2] = between[..., 1, 0] - between[..., 0, 1]
    return 0.5 * out
