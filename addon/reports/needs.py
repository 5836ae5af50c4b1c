# SPDX-License-Identifier: GPL-3.0-or-later
"""What measures need of a Take, and how they answer where it is not there: not at all, and with the reason."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bodies.human.body import KIND as HUMAN_KIND
from ..take import Take
from ..take_arrays import OPTIONAL
from .strides import planned_frequency_hz, whole_strides
from .transport import METABOLIC


@dataclass(frozen=True)
class Need:
    """Something of a take: whether it is `met`, and what is said where it is not."""

    met: Callable[[Take], bool]
    absent: str


FEET = Need(lambda take: bool(take.body.feet), "this body has no feet")
TWO_FEET = Need(lambda take: len(take.body.feet) == 2, "this body does not have two feet")
POINTS = Need(lambda take: bool(take.body.contact_points), "this body has no contact points")
JOINTS = Need(lambda take: take.torque_nm.shape[1] > 0, "this body has no joints")
HUMAN = Need(lambda take: take.body.kind == HUMAN_KIND, "this body is not human: there is nobody to compare it with")
GAIT = Need(lambda take: planned_frequency_hz(take) is not None, "its controller plans no strides")
STRIDES = Need(lambda take: whole_strides(take) is not None, "it is too short to hold a whole stride")
ONE_PACE = Need(lambda take: not take.shot.keys, "its speed or gait is keyed: no single one is planned")
POSE_PLAN = Need(lambda take: take.holds("pose_error_deg"), "its controller plans no pose")
NUMBERS = Need(lambda take: all(np.isfinite(array).all() for name, array in take.arrays.items() if name not in OPTIONAL),
               "the motion is not a number")
MUSCLES = Need(lambda take: METABOLIC in take.channels, "no muscles move this body")
EVEN = Need(lambda take: take.shot.follow is None, "it follows a clip, whose steps are no even strides")
WALKED = (FEET, EVEN, GAIT, NUMBERS, STRIDES)
"""What every measure over whole strides needs."""


@dataclass(frozen=True)
class Group:
    """Measures that come together. `find` gives them of a take that meets all `needs`; of a name that it leaves out or gives
    as None `none` says why. A name without such words may be None as its answer, such as the time of a fall."""

    names: tuple[str, ...]
    find: Callable[[Take], Mapping[str, Any]]
    needs: tuple[Need, ...] = ()
    none: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """`values` are plain JSON values by the names of the measures; `reasons` say of those not measured why."""

    values: dict[str, Any]
    reasons: dict[str, str]

    def joined(self, other: Measured) -> Measured:
        """Both, this one's first."""
        return Measured(self.values | other.values, self.reasons | other.reasons)


def answers(take: Take, groups: Sequence[Group], order: Sequence[str]) -> Measured:
    """The findings of all groups, in the order of these names."""
    met = functools.cache(lambda need: need.met(take))
    values: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    for group in groups:
        unmet = next((need.absent for need in group.needs if not met(need)), None)
        found = {} if unmet else group.find(take)
        for name in group.names:
            value = found.get(name)
            value = value.item() if isinstance(value, np.generic) else value
            reason = unmet or group.none.get(name) if value is None else None
            if isinstance(value, float) and not math.isfinite(value):
                value, reason = None, NUMBERS.absent
            values[name] = value
            if reason:
                reasons[name] = reason
    return Measured({name: values[name] for name in order}, {name: reasons[name] for name in order if name in reasons})
