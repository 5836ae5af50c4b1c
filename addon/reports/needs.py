# SPDX-License-Identifier: GPL-3.0-or-later
"""What measures need of a Take, and the reason where it is not there. Also the cost of transport, over mass and distance: the
metabolic rate of muscles where there are some, else the joints' work. Muscles turn 25 % of what they spend into positive work,
and spend the 1.2th part of negative work (Margaria 1968, Int. Z. angew. Physiol. 25:339-351). Powers are summed over the joints
of a leg first: muscles over two joints pass work from one to the other (van Ingen Schenau 1989, Hum. Mov. Sci. 8:301-337)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bodies.human.body import KIND as HUMAN_KIND
from ..maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from ..rows import parts
from ..sim.take import OPTIONAL, Take
from ..specs.motions import Followed
from .strides import planned_frequency_hz, sample_lengths_s, whole_strides

METABOLIC = "metabolic_rate"
"""The channel of a take by muscles: metabolic rate (T,) [W] of the whole body, its basal rate included."""
POSITIVE_EFFICIENCY, NEGATIVE_EFFICIENCY = 0.25, 1.2
LEAST_WAY = 0.05
"""Least way over the leg's length that a cost is given over."""


def cost_of_transport(take: Take, rows: np.ndarray) -> float | None:
    """What a kilogram costs to be moved by a metre [J/kg/m], over samples (T,) bool; None where they hardly move on. Takes by
    muscles tell their metabolic energy, resting included; others what the joints' work would cost, resting left out."""
    way = float(np.linalg.norm(np.diff(take.com_m[:, :2], axis=0, prepend=take.com_m[:1, :2]), axis=1)[rows].sum())
    if way < LEAST_WAY * take.body.leg_length_m:
        return None
    power = take.channels[METABOLIC].values if METABOLIC in take.channels else work_rate(take)
    return float((power * sample_lengths_s(take.time_s))[rows].sum()) / (take.body.mass_kg * way)


def work_rate(take: Take) -> np.ndarray:
    """What the joints' work costs (T,) [W]: powers of each leg's joints summed, of all others joint by joint, positive ones over
    their efficiency and negative ones over theirs."""
    powers, names = joint_powers(take), list(take.body.joint_segments)
    legs = [[names.index(name) for name in foot.leg if name in names] for foot in take.body.feet]
    others = [[i] for i in range(len(names)) if not any(i in leg for leg in legs)]
    sums = np.stack([powers[:, group].sum(axis=1) for group in (*legs, *others)])
    return (np.maximum(sums, 0.0) / POSITIVE_EFFICIENCY + np.maximum(-sums, 0.0) / NEGATIVE_EFFICIENCY).sum(axis=0)


def joint_powers(take: Take) -> np.ndarray:
    """Power (T, J) [W] of each joint's torque in the interval that ends at the sample, in the order of `Body.joint_segments`."""
    turns = take.joint_quaternions
    lengths = sample_lengths_s(take.time_s)[1:, None, None]
    rates = rotvec_from_quat(quat_multiply(quat_conjugate(turns[:-1]), turns[1:])) / lengths
    powers, at = np.zeros(turns.shape[:2]), 0
    for i, segment in enumerate(take.body.segments[1:]):
        if segment.joint == "ball":
            powers[1:, i] = (take.torque_nm[1:, at:at + 3] * rates[:, i]).sum(axis=1)
            at += 3
        else:
            powers[1:, i] = take.torque_nm[1:, at] * (rates[:, i] @ segment.axis)
            at += 1
    return powers


@dataclass(frozen=True)
class Need:
    """Something of a take: whether it is `met`, and what is said where it is not."""

    met: Callable[[Take], bool]
    absent: str


FEET = Need(lambda take: bool(take.body.feet), "this body has no feet")
HEAD = Need(lambda take: "head" in take.body.roles, "this body has no head")
TWO_FEET = Need(lambda take: len(take.body.feet) == 2, "this body does not have two feet")
POINTS = Need(lambda take: bool(take.body.contact_points), "this body has no contact points")
JOINTS = Need(lambda take: take.torque_nm.shape[1] > 0, "this body has no joints")
HUMAN = Need(lambda take: take.body.kind == HUMAN_KIND, "this body is not human: there is nobody to compare it with")
GAIT = Need(lambda take: planned_frequency_hz(take) is not None, "its controller plans no strides")
STRIDES = Need(lambda take: whole_strides(take) is not None, "it is too short to hold a whole stride")
ONE_PACE = Need(lambda take: not take.shot.motion.keys, "its speed or gait is keyed: no single one is planned")
POSE_PLAN = Need(lambda take: take.holds("pose_error_deg"), "its controller plans no pose")
NUMBERS = Need(lambda take: all(np.isfinite(part).all() for name, array in take.arrays.items() if name not in OPTIONAL
                                for part in parts(array)),
               "the motion is not a number")
MUSCLES = Need(lambda take: METABOLIC in take.channels, "no muscles move this body")
EVEN = Need(lambda take: not isinstance(take.shot.motion, Followed), "it follows a clip, whose steps are no even strides")
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
        take.let_go()
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
