# SPDX-License-Identifier: GPL-3.0-or-later
"""What is felt, in the frame of each walker's heading: x ahead, y left, z up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .felt import Felt
from .layout import Layout


class Seen(NamedTuple):
    """N walkers, the left leg first. `turn` (N, 3, 3) leads from the world to the frame of the heading, `back` from there to the
    world. `feet` and `hips` (N, 2, 3) are the feet's joints and the hips from the centre of mass, `ways` (N, 2, 3) lead from
    hip to foot, `velocity` (N, 3) is the centre of mass's; `share` (N, 2) of the weight is what the feet carry, `soles` (N, 2)
    how high the lowest places of the feet are, from the centre of mass."""

    turn: np.ndarray
    back: np.ndarray
    feet: np.ndarray
    hips: np.ndarray
    ways: np.ndarray
    velocity: np.ndarray
    share: np.ndarray
    soles: np.ndarray


def see(felt: Felt, layout: Layout, heading: np.ndarray, weight_n: float) -> Seen:
    """At headings (N,) [rad]."""
    turn = np.zeros((len(heading), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = np.cos(heading)
    turn[:, 0, 1] = np.sin(heading)
    turn[:, 1, 0], turn[:, 2, 2] = -turn[:, 0, 1], 1.0
    back = turn.swapaxes(-1, -2)
    com = felt.com[:, None]
    feet, hips = ((felt.place[:, layout.legs[:, at]] - com) @ back for at in (-1, 0))
    balls = (felt.turn[:, layout.legs[:, -1]][:, :, None, 2] * layout.sole_m).sum(axis=-1) - layout.sole_radius_m
    soles = feet[..., 2] + balls.min(axis=-1)
    return Seen(turn, back, feet, hips, feet - hips, (turn @ felt.com_velocity[..., None])[..., 0], felt.load / weight_n,
                soles)
