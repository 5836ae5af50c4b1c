# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer over the tracker: the chain that is struck yields and comes back, while the whole body goes on keeping its balance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...bodies.state import BodyState
from ...specs.hit import LOOSE, Reaction
from ...specs.shot import EARTH_GRAVITY_M_S2
from .chains import chain_at, chains_of
from .schedule import depth_of, drop, strength

BASE_LEAST = 0.3
"""Least gain of what a struck chain hangs on, over its own: an arm's chest, a trunk's pelvis. Less and it falls over; all of it,
and the trunk is a wall (docs/notes/hits.md)."""
AGAIN_S = 0.5
"""What struck a chain and touches it again sooner leans on it or rolls off it, and strikes nothing anew (first guess)."""
OVER = 0.999
"""Gains that differ by less from their own are those."""
LOOSE_NM, LOOSE_A_NM = 8.0, 0.006
"""Of the law "loose": gain over its own = 0.006 (torque + 8 N m), of a body of 75 kg on Earth (docs/notes/hits.md)."""
USUAL_KG = 75.0


@dataclass(frozen=True)
class Easing:
    """What gains are of their own ones: of each joint coordinate (nv,), and of orientations and places of segments by name."""

    joints: np.ndarray
    frames: Mapping[str, float]


@dataclass
class _Strike:
    """What struck a chain: since when, when it was last felt, and its impulse (3,) [N s] so far."""

    chain: int
    by: str
    since_s: float
    last_s: float
    impulse: np.ndarray


class Yielding:
    """How one body takes what strikes it. `chains` are those of the body."""

    def __init__(self, state: BodyState, reaction: Reaction) -> None:
        self._state, self._reaction = state, reaction
        self.chains = chains_of(state.body)
        self._strikes: list[_Strike] = []

    def feel(self, time_s: float, struck: Mapping[tuple[str, str], np.ndarray]) -> None:
        """Take in what struck the body in the control step that has just ended: impulses (3,) [N s] by what it was and by
        segment."""
        for (by, segment), impulse in struck.items():
            chain = chain_at(self.chains, segment)
            if chain is None:
                continue
            known = next((one for one in reversed(self._strikes) if (one.chain, one.by) == (chain, by)
                          and time_s - one.last_s < AGAIN_S), None)
            if known is None:
                known = _Strike(chain, by, time_s, time_s, np.zeros(3))
                self._strikes.append(known)
            known.last_s = time_s
            known.impulse += impulse

    def easing(self, time_s: float, torque: np.ndarray) -> Easing | None:
        """What gains are now; None where all are their own. `torque` (nv - R,) [N m] are the joints' last ones."""
        state = self._state
        if self._reaction.law == LOOSE:
            return self._loosely(torque)
        ratio = EARTH_GRAVITY_M_S2 / -float(state.gravity[2])
        joints, frames = np.ones(state.model.nv), dict[str, float]()
        for strike in self._strikes:
            since, depth = time_s - strike.since_s, depth_of(float(np.linalg.norm(strike.impulse)), state.mass_kg)
            low, strong = drop(since, depth, self._reaction), strength(since, depth, self._reaction, ratio)
            if low > OVER and strong < 1.0 / OVER:
                continue
            chain = self.chains[strike.chain]
            joints[chain.columns] *= low * strong
            for name in chain.segments:
                frames[name] = frames.get(name, 1.0) * low * strong
            frames[chain.base] = frames.get(chain.base, 1.0) * max(low, BASE_LEAST)
        return Easing(joints, frames) if frames else None

    def _loosely(self, torque: np.ndarray) -> Easing:
        """Every joint as firm as it works; the trunk yields as the base of a struck chain does."""
        state = self._state
        usual = state.mass_kg / USUAL_KG * -float(state.gravity[2]) / EARTH_GRAVITY_M_S2
        joints = np.ones(state.model.nv)
        firm = np.minimum(LOOSE_A_NM * (np.abs(torque) / usual + LOOSE_NM), 1.0)
        joints[len(joints) - len(torque):] = firm ** self._reaction.looseness
        return Easing(joints, {state.body.role("trunk"): BASE_LEAST ** self._reaction.looseness})
