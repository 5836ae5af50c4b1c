# SPDX-License-Identifier: GPL-3.0-or-later
"""Gait variables for any gravity: the Froude number of the reference gait is kept (Kim 2017, section 4.3, eq. 1 to 5). Step
length grows with speed to the power 0.42, so step frequency with 0.58 (Grieve 1968, "Gait patterns and the speed of walking",
Biomedical Engineering 3:119-122; Kuo 2001, J. Biomech. Eng. 123:264-269, reproduces it). With flight lengths stay and times scale
with sqrt(l / g) at that Froude number; away from it running people lengthen their steps much more than they quicken them, and the
foot's time on the ground falls with about the square root of speed: fits through the means of Novacheck 1998 ("The biomechanics
of running", Gait and Posture 7:77-95) and Cavagna et al. 2008 ("The bouncing mechanism of running", J. Exp. Biol. 211:2777): at
2, 3.6 and 5 m/s a step takes 0.39, 0.37 and 0.34 s, of which 0.33, 0.24 and 0.20 s on the ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

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
    """`stride_length_m` is speed over frequency (Kim 2017, eq. 2); `duty_factor` of a walk's foot, None: the reference's."""

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


def predict(
    cycle: ReferenceGait, leg_length_m: float, gravity_m_s2: float, speed_m_s: float | None = None,
    stride_frequency_hz: float | None = None, reference_gravity_m_s2: float = EARTH_GRAVITY_M_S2,
) -> GaitVariables:
    """Gait variables of a body with `leg_length_m` under `gravity_m_s2` that walks as `cycle` did on Earth: its Froude number
    gives the speed (eq. 3), its stride length in leg lengths the frequency (eq. 4). With another speed asked, the stride length
    follows Grieve's law from there; with another frequency, the speed stays."""
    reference_froude = froude_number(cycle.speed_m_s, reference_gravity_m_s2, cycle.leg_length_m)
    natural_speed = froude_speed(reference_froude, gravity_m_s2, leg_length_m)
    natural_length = cycle.speed_m_s / cycle.stride_frequency_hz * leg_length_m / cycle.leg_length_m
    speed = natural_speed if speed_m_s is None else float(speed_m_s)
    if stride_frequency_hz is None:
        frequency = speed / (natural_length * (speed / natural_speed) ** LENGTH_EXPONENT)  # s = s0 (v / v0)^0.42 (Grieve 1968)
    else:
        frequency = float(stride_frequency_hz)
    return GaitVariables(leg_length_m, speed, frequency, froude_number(speed, gravity_m_s2, leg_length_m))


FREQUENCY_EXPONENT = 0.15
"""Exponent of speed in the stride frequency of running."""
GROUND_EXPONENT = -0.55
"""Exponent of speed in the time that a running foot is on the ground."""
GROUND_FRACTION_RANGE = (0.2, 0.86)
"""Least and largest fraction of a running step on the ground: less cannot be held up, more has no flight that one could see."""
MOST_FROUDE = 1.2
"""Froude number of the speed chosen when none is asked above Earth's gravity, at most: heavier legs have to be swung."""
EVEN_PEAK = 1.5
"""Greatest force of a push over its mean: that of the planned one between equal heights (docs/notes/running.md)."""
MOST_FORCE = 3.1
"""Greatest force of a foot for which a gait's own speed is taken, over the body's weight; below Earth's gravity over that there.
Runners at 3 to 5 m/s press with 2.5 to 2.9 (Cavanagh and Lafortune 1980; Novacheck 1998). Of 12 bodies of other proportions 2
stood in lopes on Earth with 3.5, ankles at the end of their strength, 3 with 3.4, 7 with 3.3, 11 with 3.2, 10 to 12
with 3.1: near its limit that is chance."""
ROUNDS = 4
"""Steps of the search for that speed; one is enough for flights of the usual height."""
SLOWEST_SHARE = 0.6
"""Least share of its own speed that a gait keeps for that."""


@dataclass(frozen=True)
class RunningVariables(GaitVariables):
    """Of a gait with flight: `ground_fraction` of a step on the ground, `flight_height` over the similar gait's flights."""

    ground_fraction: float
    flight_height: float = field(default=1.0, kw_only=True)

    @property
    def ground_s(self) -> float:
        """Time on the ground in one stride, all its steps together [s]."""
        return self.ground_fraction / self.stride_frequency_hz

    @property
    def flight_s(self) -> float:
        """Time in the air in one stride [s]."""
        return (1.0 - self.ground_fraction) / self.stride_frequency_hz


def predict_running(
    cycle: ReferenceGait, ground_fraction: float, leg_length_m: float, gravity_m_s2: float, speed_m_s: float | None = None,
    stride_frequency_hz: float | None = None, flight_height: float = 1.0,
) -> RunningVariables:
    """Variables of a body that runs as `cycle` does on Earth. `ground_fraction` is the cycle's time on the ground over its
    period, both feet's counted once. With a frequency asked, the flight takes the rest of the step; without, flights are
    `flight_height` times as high as the similar gait's."""
    reference = froude_number(cycle.speed_m_s, EARTH_GRAVITY_M_S2, cycle.leg_length_m)
    natural = froude_speed(reference, gravity_m_s2, leg_length_m)
    most = natural if gravity_m_s2 <= EARTH_GRAVITY_M_S2 else froude_speed(MOST_FROUDE, gravity_m_s2, leg_length_m)
    speed = min(natural, most) if speed_m_s is None else float(speed_m_s)
    period = leg_length_m / cycle.leg_length_m * cycle.speed_m_s / natural / cycle.stride_frequency_hz
    ground = ground_fraction * period * (speed / natural) ** GROUND_EXPONENT
    usual = (speed / natural) ** FREQUENCY_EXPONENT / period
    if flight_height != 1.0:
        held = min(ground * usual, GROUND_FRACTION_RANGE[1])
        usual /= held + (1.0 - held) * math.sqrt(flight_height)
    frequency = usual if stride_frequency_hz is None else float(stride_frequency_hz)
    share = min(max(ground * frequency, GROUND_FRACTION_RANGE[0]), GROUND_FRACTION_RANGE[1])
    return RunningVariables(leg_length_m, speed, frequency, froude_number(speed, gravity_m_s2, leg_length_m), share,
                            flight_height=flight_height)


def borne_speed(law: Callable[[float], RunningVariables], own: RunningVariables, gravity_m_s2: float, feet: float) -> float:
    """A gait's own speed [m/s], or the fastest at which no foot presses with more than `MOST_FORCE`. `law` gives variables at a
    speed; `feet` are down in the mean while any is. The inverse of speed's exponents leads there."""
    bearable = MOST_FORCE * max(gravity_m_s2, EARTH_GRAVITY_M_S2)
    needed = EVEN_PEAK * gravity_m_s2 / (bearable * feet)
    if own.ground_fraction >= needed:
        return own.speed_m_s
    speed, there = own.speed_m_s, own
    for _ in range(ROUNDS):
        speed *= (there.ground_fraction / needed) ** (-1.0 / (FREQUENCY_EXPONENT + GROUND_EXPONENT))
        there = law(speed)
    return max(speed, SLOWEST_SHARE * own.speed_m_s)


class StanceTimes(NamedTuple):
    """Durations [s] of a step: double support, single support with the heel down, single support with the heel up."""

    double: float
    flat: float
    raised: float
