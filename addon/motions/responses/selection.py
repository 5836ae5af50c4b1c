# SPDX-License-Identifier: GPL-3.0-or-later
"""Which response of a library answers a push, from which of its frames on, and what has to be changed of it (Yin 2007, 4.4)."""

from __future__ import annotations

import cmath
import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...bodies.body import Body
from ...errors import InputError
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..channels import layout
from .adaptation import Adaptation, aligned, milder
from .library import Library
from .now import Now
from .response import STRATEGIES, Response, unit_m_s

STRENGTH_WEIGHT = 6.0
"""k of the thesis: of strength's mismatch, over the library's most, against that of direction, over half a turn (found by trial,
docs/notes/responses.md)."""
POSE_WEIGHT = 0.05
"""w of the thesis: of the mean square of the pose's mismatch [rad^2] (found by trial)."""
OTHER_CONTACTS = 0.3
"""What a foot that stands in one pose and not in the other counts for [rad^2]; feet up on different sides never meet (first
guess)."""
JOINT_WEIGHTS = {"lower_spine": 1.0, "chest": 1.0, "thigh": 1.0, "shank": 0.7, "upper_arm": 0.3, "forearm": 0.15, "clavicle": 0.1,
                 "neck": 0.1, "head": 0.1, "hand": 0.02, "foot": 0.2, "toes": 0.0}
ROOT_WEIGHTS = (0.0, 0.0, 4.0, 1.0, 1.0, 0.3)
"""Of the pose: about the mass that a joint moves, of the root its height and tilt (first guess)."""
EVERY = 2
"""Every so many frames of a response may be gone into."""


@dataclass(frozen=True)
class Found:
    """A response and how it is played: from frame `begin` on, with an adaptation. `strength` and `push` are the library's own
    measure (see `Response`): what is to be recovered, and what the response recovers where it was brought. `off_rad` is the
    angle between the response's own direction and the push's."""

    response: Response
    begin: int
    adaptation: Adaptation
    push: complex
    strength: float
    off_rad: float

    @property
    def strategy(self) -> str:
        """One of STRATEGIES."""
        return self.response.strategy


def find(
    library: Library, push_m_s: complex, body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2, now: Now | None = None,
    allowed: Collection[str] = STRATEGIES,
) -> Found | None:
    """The response to a push that brings `push_m_s` (x ahead, y left of the character: momentum over mass, force times duration
    over mass), on a body that stands, or moves as `now` has it; by the `allowed` strategies alone. None where nobody in the
    library takes such a push by them. Raises InputError for a strategy that there is not, and for no push at all."""
    unknown = [name for name in allowed if name not in STRATEGIES]
    if unknown:
        raise InputError(f"There is no strategy {unknown[0]!r}: expected some of {', '.join(STRATEGIES)}.")
    push = push_m_s / unit_m_s(body, gravity_m_s2) + (0j if now is None else now.momentum)
    if abs(push) < 1e-6:
        raise InputError("A push of no strength needs no response: give it a direction and a speed.")
    table, chosen, cost = _table(library), None, math.inf
    for k, response in enumerate(library.both):
        if response.strategy not in allowed:
            continue
        frames = table.frames[k] if now is not None else np.array([0])
        to = aligned(response.push, response.in_place, push / abs(push))
        takes = to.strength / response.strength * response.recoverable[frames]
        off = abs(cmath.phase(push * response.push.conjugate()))
        costs = (off / math.pi) ** 2 + STRENGTH_WEIGHT * ((takes - abs(push)) / library.strongest) ** 2
        if now is not None:
            costs = costs + POSE_WEIGHT * table.pose_costs(k, now)
        costs[takes < abs(push)] = math.inf
        least = int(costs.argmin())
        if costs[least] < cost:
            by = Adaptation(to.neutral, to.turn_rad, milder(abs(push) / float(takes[least])))
            chosen, cost = Found(response, int(frames[least]), by, push, float(takes[least]), off), float(costs[least])
    return chosen


class _Table:
    """Poses of all frames of a library's responses and their mirror images, weighted for comparison."""

    def __init__(self, library: Library) -> None:
        places, both = layout(), library.both
        weights = np.zeros(len(places.names))
        weights[:6] = ROOT_WEIGHTS
        for name, where in places.slices.items():
            weights[where] = JOINT_WEIGHTS[name.removesuffix("_L").removesuffix("_R")]
        self._weights = weights / weights[6:].sum()
        self.frames = [np.arange(0, r.frames, EVERY) for r in both]
        self._poses = [r.channels[f] for r, f in zip(both, self.frames, strict=True)]
        self._stands = [r.planted[f].any(axis=2) for r, f in zip(both, self.frames, strict=True)]

    def pose_costs(self, k: int, now: Now) -> np.ndarray:
        """How far frames of response k are from a pose; infinite where one has one foot up and the other the other one."""
        square = ((self._poses[k] - now.channels) ** 2) @ self._weights
        differ = self._stands[k] != now.stands
        crossed = differ.all(axis=1) & (self._stands[k].any(axis=1)) & now.stands.any()
        return np.where(crossed, math.inf, square + OTHER_CONTACTS * differ.sum(axis=1))


@lru_cache(maxsize=4)
def _table(library: Library) -> _Table:
    return _Table(library)
