# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of a leg: stance, with the beginning of its swing; swing, with the preparation of landing (Wang 2012, figure 4)."""

from __future__ import annotations

import numpy as np

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
