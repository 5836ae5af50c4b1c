# SPDX-License-Identifier: GPL-3.0-or-later
"""Gait variables for any gravity: the Froude number of the reference gait is kept (Kim 2017, section 4.3).

Sources: Kim 2017, eq. 1 to 5 (Froude number, speed, stride frequency). Grieve 1968, "Gait patterns and the speed of
walking", Biomedical Engineering 3:119-122: step length grows with speed to the power 0.42, so step frequency with 0.58;
Kuo 2001, J. Biomech. Eng. 123:264-269, cites and reproduces the same relation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

from ..specs.shot import EARTH_GRAVITY_M_S2

LENGTH_EXPONENT = 0.42
"""Exponent of speed in the length of a human stride (Grieve 1968)."""


class ReferenceGait(Protocol):
    """What `predict` needs to know of a cycle: how it moved where it was captured."""

    @property
    def leg_length_m(self) -> float: ...

    @property
    def speed_m_s(self) -> float: ...

    @property
    def stride_frequency_hz(self) -> float: ...


@dataclass(frozen=True)
class GaitVariables:
    """Leg length, speed, stride frequency, Froude number; `stride_length_m` is speed over frequency (Kim 2017, eq. 2).

    `duty_factor` is the fraction of a stride that each foot of a walk is down; None leaves it as the reference motion has it.
    """

    leg_length_m: float
    speed_m_s: float
    stride_frequency_hz: float
    froude: float
    duty_factor: float | None = field(default=None, kw_only=True)

    @property
    def stride_length_m(self) -> float:
        """Distance covered in one stride, two steps."""
        return self.speed_m_s / self.stride_frequency_hz


def froude_number(speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """Fr = v^2 / (g h), without unit (Kim 2017, eq. 1)."""
    return speed_m_s**2 / (gravity_m_s2 * leg_length_m)


def froude_speed(froude: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """Speed [m/s] of a gait of that Froude number: v = sqrt(Fr g h) (Kim 2017, eq. 3)."""
    return math.sqrt(froude * gravity_m_s2 * leg_length_m)


def stride_length_at(speed_m_s: float, reference_speed_m_s: float, reference_stride_length_m: float) -> float:
    """Stride length [m] that people choose at another speed: s = s0 (v / v0)^0.42 (Grieve 1968)."""
    return reference_stride_length_m * (speed_m_s / reference_speed_m_s) ** LENGTH_EXPONENT


def predict(
    cycle: ReferenceGait,
    leg_length_m: float,
    gravity_m_s2: float,
    speed_m_s: float | None = None,
    stride_frequency_hz: float | None = None,
    reference_gravity_m_s2: float = EARTH_GRAVITY_M_S2,
) -> GaitVariables:
    """Gait variables of a body with `leg_length_m` under `gravity_m_s2` that walks as `cycle` did on Earth.

    The reference's Froude number is kept, which gives the speed (eq. 3); its stride length in leg lengths is kept, which
    gives the frequency (eq. 4). For one body this is v_A/v_B = f_A/f_B = sqrt(g_A/g_B) (eq. 5). With another speed asked,
    the stride length follows Grieve's law from the prediction and the frequency is speed over length. With another frequency
    asked, the speed stays as predicted or asked.
    """
    reference_froude = froude_number(cycle.speed_m_s, reference_gravity_m_s2, cycle.leg_length_m)
    natural_speed = froude_speed(reference_froude, gravity_m_s2, leg_length_m)
    natural_length = cycle.speed_m_s / cycle.stride_frequency_hz * leg_length_m / cycle.leg_length_m
    speed = natural_speed if speed_m_s is None else float(speed_m_s)
    if stride_frequency_hz is None:
        frequency = speed / stride_length_at(speed, natural_speed, natural_length)
    else:
        frequency = float(stride_frequency_hz)
    return GaitVariables(leg_length_m, speed, frequency, froude_number(speed, gravity_m_s2, leg_length_m))
