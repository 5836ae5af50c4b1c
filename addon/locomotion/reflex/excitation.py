# SPDX-License-Identifier: GPL-3.0-or-later
"""From what nerves bring to what they ask of the muscles: Wang 2012, sections 4.1 to 4.3, for batches of walkers.

The states of a leg: stance, with the beginning of its swing; swing, with the preparation of landing (Wang 2012, figure 4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .muscles import LEAST, MOST
from .units import GAS, GLU, HAM, HFL, NAMES, RF, SOL, TA, VAS

LOADED_SHARE = 0.05
"""A foot is on the ground when it carries more than this fraction of the body's weight (first guess)."""


class LegStates:
    """Of N walkers; all (N, 2) truths: `stance`, `leads` (stands, and in front of the other that stands), `begins` the swing,
    `lands` soon. `lean_at_lift` (N, 2) is the trunk's lean as a foot left the ground [rad]."""

    def __init__(self, n: int) -> None:
        self.stance = np.ones((n, 2), dtype=bool)
        self.leads, self.begins, self.lands = np.zeros((3, n, 2), dtype=bool)
        self.lean_at_lift = np.zeros((n, 2))

    def step(self, load: np.ndarray, ahead: np.ndarray, lean: np.ndarray, begin: np.ndarray, prepare: np.ndarray) -> None:
        """Go on: `load` (N, 2) over the weight, centre of mass `ahead` of each ankle (N, 2) in legs, `lean` (N,) [rad]; the
        swing is `begin` (N, 1) once it is that far ahead, or the other foot is down in front; landing is to `prepare` (N, 1)."""
        stance = load > LOADED_SHARE
        up = self.stance & ~stance
        self.stance = stance
        if up.any():
            self.lean_at_lift = np.where(up, lean[:, None], self.lean_at_lift)
        other = stance[:, ::-1]
        self.leads = stance & (~other | (ahead < ahead[:, ::-1]))
        self.begins = stance & ((ahead > begin) | ~self.leads)
        self.lands = ~stance & (ahead < prepare)

    def number(self) -> np.ndarray:
        """Of each leg (N, 2): 0 stance, 1 beginning of its swing, 2 swing, 3 preparation of landing."""
        return np.where(self.stance, self.begins * 1.0, 2.0 + self.lands)


class Nerves(NamedTuple):
    """Delayed signals: `force` and `length` (N, 2, 8) of the units, over largest force and optimal fibre; `lean`, `lean_rate`
    (N, 1) of the trunk; flexion of `knee` and `thigh` ahead and their rates (N, 2); `ahead` (N, 2), centre of mass off each
    ankle in legs; `faster` (N, 1), speed beyond the start's over sqrt(g leg)."""

    force: np.ndarray
    length: np.ndarray
    lean: np.ndarray
    lean_rate: np.ndarray
    knee: np.ndarray
    knee_rate: np.ndarray
    thigh: np.ndarray
    thigh_rate: np.ndarray
    ahead: np.ndarray
    faster: np.ndarray


class Reflexes:
    """The law with its gains: named columns (N, 1)."""

    def __init__(self, gains: dict[str, np.ndarray]) -> None:
        self._g = gains
        stance = np.concatenate([gains[f"stance_{m}"] for m in NAMES], axis=1)
        swing = np.concatenate([gains[f"swing_{m}"] for m in NAMES], axis=1)
        self._always = stance[:, None, :], swing[:, None, :]
        by_stance, by_swing = np.zeros((2, *stance.shape))
        for unit in (SOL, GAS, VAS):
            by_stance[:, unit] = gains[f"force_{NAMES[unit]}"][:, 0]
        for unit in (HAM, GLU):
            by_swing[:, unit] = gains[f"force_{NAMES[unit]}"][:, 0]
        self._by_force = by_stance[:, None, :], by_swing[:, None, :]

    def excitation(self, n: Nerves, states: LegStates) -> np.ndarray:
        """Excitations (N, 2, 8)."""
        g, stance = self._g, states.stance
        on = stance[..., None]
        u = np.where(on, self._always[0], self._always[1]) + np.where(on, self._by_force[0], self._by_force[1]) * n.force
        toes = g["length_TA"] * np.maximum(n.length[..., TA] - g["offset_TA"], 0.0)
        u[..., TA] += toes - stance * (g["SOL_TA"] * n.force[..., SOL])
        straight = np.maximum(g["knee_off"] - n.knee, 0.0) * (n.knee_rate < 0.0)
        u[..., VAS] -= stance * (g["knee_VAS"] * straight)
        self._hold_trunk(u, n, stance & states.leads)
        begins = states.begins
        u[..., VAS] -= begins * g["off_VAS"]
        u[..., RF] += begins * g["on_RF"]
        u[..., GLU] -= begins * g["off_GLU"]
        u[..., HFL] += begins * g["on_HFL"]
        hip = g["length_HFL"] * np.maximum(n.length[..., HFL] - g["offset_HFL"], 0.0)
        hip -= g["length_HAM_HFL"] * np.maximum(n.length[..., HAM] - g["offset_HAM_HFL"], 0.0)
        hip += g["lean_swing"] * (states.lean_at_lift - g["lean_HFL"])
        u[..., HFL] += ~stance * hip
        self._land(u, n, states.lands)
        return np.minimum(np.maximum(u, LEAST), MOST)

    def _hold_trunk(self, u: np.ndarray, n: Nerves, leads: np.ndarray) -> None:
        """The leading leg's hip muscles hold the trunk at a lean."""
        g = self._g
        for unit, sign in ((HAM, 1.0), (GLU, 1.0), (HFL, -1.0)):
            name = NAMES[unit]
            pull = g[f"trunk_{name}"] * (n.lean - g[f"lean_{name}"]) + g[f"trunk_rate_{name}"] * n.lean_rate
            u[..., unit] += leads * np.maximum(sign * pull, 0.0)

    def _land(self, u: np.ndarray, n: Nerves, lands: np.ndarray) -> None:
        """Thigh and knee are drawn to where the foot is to come down, by the other leg's balance (Yin 2007)."""
        g = self._g
        wanted = g["land_thigh"] + g["land_distance"] * n.ahead[:, ::-1] + g["land_speed"] * n.faster
        beyond = n.thigh - wanted
        for unit, sign in ((GLU, 1.0), (HFL, -1.0)):
            pull = g[f"land_{NAMES[unit]}"] * beyond + g[f"land_rate_{NAMES[unit]}"] * n.thigh_rate
            u[..., unit] += lands * np.maximum(sign * pull, 0.0)
        pull = g["land_VAS"] * (n.knee - g["land_knee"]) + g["land_rate_VAS"] * n.knee_rate
        u[..., VAS] += lands * np.maximum(pull, 0.0)
