# SPDX-License-Identifier: GPL-3.0-or-later
"""A layer over the tracker: the chain that is struck yields and comes back, while the whole body goes on keeping its balance.
How gains go after a strike: down at once, held, and exponentially back; measured in docs/notes/hits.md. The chains of a body:
what moves together when one of its segments is struck. Read off the tree and its roles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...bodies.body import FREEDOM, Body
from ...bodies.state import BodyState
from ...specs.disturbances import LOOSE, Reaction
from ...specs.shot import EARTH_GRAVITY_M_S2

FULL_M_S = 0.08
"""An impulse that would give the whole body this speed makes a chain yield all the way: 6 N s on 75 kg, a football's; a lighter
one less in proportion (first guess)."""
HOME_S, FADE_S = 0.4, 0.5
"""A chain that comes back with more than its own gains keeps them for so long after its `drop` has ended, and goes over to its
own with this time constant (first guess)."""


def depth_of(impulse_ns: float, mass_kg: float) -> float:
    """How far a chain yields to an impulse [N s], 0 to 1."""
    return min(1.0, impulse_ns / (FULL_M_S * mass_kg))


def drop(since_s: float, depth: float, reaction: Reaction) -> float:
    """Gain over that without a strike, so long after it: `low` of it, held, and exponentially back to 1. The damping that goes
    with it is critical all the while: twice the gain's root."""
    low = reaction.low ** (depth * reaction.looseness)
    share = min(max((since_s - reaction.hold_s) / reaction.back_s, 0.0), 1.0)
    return low ** (1.0 - share)


def strength(since_s: float, depth: float, reaction: Reaction, ratio: float) -> float:
    """What the gains of a struck chain are of their own ones beside its `drop`, where they are scaled to a gravity so many times
    (`ratio`) weaker than Earth's: a ball is as fast there, and the muscles that answer it are as strong, however slowly all else
    goes. It fades when the chain is back."""
    most = max(ratio, 1.0) ** depth
    after = since_s - reaction.hold_s - reaction.back_s - HOME_S
    return most if after <= 0.0 else most ** math.exp(-after / FADE_S)


OFF = "hit_off_deg"
"""Channel of a take: how far each chain's joints are from the pose that is wanted, in the order of `chains_of`."""


@dataclass(frozen=True)
class Chain:
    """Segments whose joints yield together, from the one next to the trunk (of the trunk: next to the root) on. `base` is what
    they hang on; `columns` are their joints' places among the generalised velocities."""

    base: str
    segments: tuple[str, ...]
    columns: np.ndarray


def chains_of(body: Body) -> tuple[Chain, ...]:
    """All chains of a body. The trunk's comes first: what leads from the root to the segment in that role; then, in the order of
    the segments, whatever hangs on root or trunk, each with all that it carries: a head with its neck, an arm with its clavicle,
    a leg. A body whose trunk is its root has limbs only."""
    trunk = body.way_to(body.role("trunk"))
    limbs: dict[str, list[str]] = {}
    for segment in body.segments:
        first = next((name for name in body.way_to(segment.name) if name not in trunk), None)
        if first is not None:
            limbs.setdefault(first, []).append(segment.name)
    found = [(trunk[0], trunk[1:])] if len(trunk) > 1 else []
    found += [(body.segment(first).hangs_on, tuple(names)) for first, names in limbs.items()]
    columns = _columns(body)
    return tuple(Chain(base, names, np.concatenate([columns[name] for name in names])) for base, names in found)


def chain_at(chains: tuple[Chain, ...], segment: str) -> int | None:
    """Which chain a segment that is struck belongs to; what hits the root folds the trunk. None for a root without a trunk."""
    for i, chain in enumerate(chains):
        if segment in chain.segments:
            return i
    return next((i for i, chain in enumerate(chains) if chain.base == segment), None)


def off_deg(chains: tuple[Chain, ...], error: np.ndarray) -> np.ndarray:
    """Root mean square (C,) [degrees] of the errors (nv,) [rad] of each chain's coordinates."""
    return np.degrees([np.sqrt(np.mean(error[chain.columns] ** 2)) for chain in chains])


def _columns(body: Body) -> dict[str, np.ndarray]:
    """Places of each segment's joint among the generalised velocities."""
    found, at = {}, 0
    for segment in body.segments:
        found[segment.name] = np.arange(at, at + FREEDOM[segment.joint])
        at += FREEDOM[segment.joint]
    return found


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
