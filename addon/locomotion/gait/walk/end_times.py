# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a walk takes whose ends stand, and how long its way must be.

What stands at the ends of a shot, and the settings of that.

Quiet standing: the pivoted inverted pendulum (PIP) and the centre of pressure that balances it.

Kim 2017, section 4.1: while standing the pendulum turns about a fixed pivot instead of riding on a cart. Gains by the
continuous Riccati equation with equal costs on angle and rate (IPCDNNwalk), which follow gravity as the cart's do.

The last steps of a walk that stops: so many, and so long, that the body comes to rest over its feet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import solve_continuous_are

from ....errors import TooShort
from ....gaits.froude import GaitVariables
from ....specs.shot import EARTH_GRAVITY_M_S2
from .pendulum import NOMINAL_MASS_KG, ROD_LENGTHS, STATE_COST


@dataclass(frozen=True)
class EndSettings:
    """Times are Earth's and grow with 1/sqrt(g). What names no source is a first guess."""

    quiet_s: float = 0.6  # Quiet standing before the weight shifts [s]
    # From the first shift of weight to the first foot's lift [s] (Breniere and Do 1986: about half a second)
    shift_s: float = 0.5
    still_s: float = 1.2  # Quiet standing after the last foot is down [s]
    # First steps over the gait's (first guess; full speed is reached with the third (Breniere and Do 1986))
    first: tuple[float, ...] = (0.4, 0.6, 0.8)
    last: tuple[float, ...] = (0.85, 0.5, 0.0)  # Last steps over the gait's; the last sets the foot beside the other
    last_short: tuple[float, ...] = (0.6, 0.0)  # The same of steps that a bend makes short
    shortest: float = 0.6  # How much shorter all last steps may be, where the path has an end
    longest: float = 1.3  # From which length on they begin there
    reach: float = 0.997  # Length of a standing leg over its bones' (knees bent by 9 degrees)
    amplitude_rate: float = 2.0  # How fast the gait's motion comes and goes, over the stride frequency
    # The same for the COM's way from standing height to the gait's rise and fall: fast, it would push the body ahead
    sink_rate: float = 0.8


@dataclass(frozen=True)
class StandingShot:
    """How long a shot is [s], and which of its ends stand. `as_people`: who stands sets off at once, and whose feet a stop
    has left apart sets them level."""

    duration_s: float
    start: bool
    stop: bool
    as_people: bool = False


STAND_WIDTH_LEGS = 0.18
"""Least distance of the feet of a body that stands, over leg length: about that of the hips."""
STAND_AHEAD = 0.35
"""Where a standing body's COM is ahead of the ankles, over the ball's distance (Winter 1995: 4 to 5 cm)."""


@dataclass(frozen=True)
class PivotedPendulum:
    """A body that sways about its feet like a rod; one plane, small angles."""

    gravity_m_s2: float
    length_m: float
    mass_kg: float

    @property
    def inertia_kg_m2(self) -> float:
        """About the pivot: a point mass at the COM and a rod of 1.74 lengths about it, as the cart's pendulum has."""
        return self.mass_kg * self.length_m**2 * (1.0 + ROD_LENGTHS**2 / 12.0)

    def linear(self) -> tuple[np.ndarray, np.ndarray]:
        """A (2, 2) and B (2, 1) of (angle, rate) under an ankle torque [N m]: I a = m g l angle + torque."""
        stiffness = self.mass_kg * self.gravity_m_s2 * self.length_m / self.inertia_kg_m2
        return np.array([[0.0, 1.0], [stiffness, 0.0]]), np.array([[0.0], [1.0 / self.inertia_kg_m2]])

    @cached_property
    def gains(self) -> tuple[float, float]:
        """Torque per angle and per rate that bring the pendulum upright. Costs scale with g^2 and g, so that the sway is
        dynamically similar everywhere."""
        a, b = self.linear()
        ratio, size = self.gravity_m_s2 / EARTH_GRAVITY_M_S2, self.mass_kg / NOMINAL_MASS_KG
        r = np.array([[1.0 / size**2]])
        solution = solve_continuous_are(a, b, np.diag([STATE_COST * ratio**2, STATE_COST * ratio]), r)
        angle, rate = np.linalg.solve(r, b.T @ solution).ravel().tolist()
        return angle, rate

    def pressure(self, away: complex, velocity: complex) -> complex:
        """Where the centre of pressure goes [m], from the place where the COM should rest, for a COM `away` from there [m] with
        a velocity [m/s]: the ankle torque is weight times lever."""
        angle, rate = self.gains
        return (angle * away + rate * velocity) / (self.length_m * self.mass_kg * self.gravity_m_s2)


SHORT_LEGS = 0.5
"""Steps up to this length, over the leg's, are so slow that one is enough to stop: feet set ever nearer would get in each
other's way."""
COM_LEGS = 1.08
"""Height of a walking body's COM over the length of its legs, nearly the same for every body."""
CAUGHT_LEGS = 0.07
"""How far the capture point may be ahead of where the last steps would have it when they begin, over the leg's length: the
centre of pressure moves no further under a foot (`StepSettings.cop_forward_limit`), so more carries the body past its feet."""
LONGEST_FIRST, MOST = 1.25, 8
"""Longest step over the gait's that begins to brake, and most last steps (first guesses)."""
SPARE = 0.5
"""Share of the last steps that has to be left for them where they begin a step later, if they are to begin only then."""


def ahead(shares: Sequence[float], growth: float) -> float:
    """How far the capture point of a steady walk is ahead of where the last steps, over the gait's, would have it when they
    begin, in steps, where within a step it comes to be `growth` times as far from a foot that does nothing. The quicker the
    steps and the lower the gravity, the less it grows, and the earlier a stop must begin."""
    wanted = 0.0
    for share in reversed(shares):
        wanted = (wanted + share) / growth
    return 1.0 / (growth - 1.0) - wanted


def last_steps(gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> list[float]:
    """The last steps over the gait's. Where the body would run ahead of them, longer ones come before: who sets a foot further
    ahead than usual is braked by it."""
    step_m, leg = 0.5 * gait.stride_length_m, gait.leg_length_m
    growth = math.exp(math.sqrt(gravity_m_s2 / (COM_LEGS * leg)) * 0.5 / gait.stride_frequency_hz)
    last = list(settings.last if step_m > SHORT_LEGS * leg else settings.last_short)
    while (run_on := ahead(last, growth)) * step_m > CAUGHT_LEGS * leg and len(last) < MOST:
        last.insert(0, min(1.0 + run_on, LONGEST_FIRST))
    return last


def last_shares(left: float, steps: int, gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> list[float]:
    """The last steps over the gait's where `left` steps are left of the path and time for so many `steps`; none while it is too
    early for them. On a path's end they are so long that they reach it, with one more of them where the gait's own would all be
    longer, and others further from what they should be."""
    s, last = settings, last_steps(gait, gravity_m_s2, settings)
    scale = left / sum(last)
    if steps <= len(last):
        return [share * min(max(scale, s.shortest), 1.0) for share in last]
    if scale > s.longest and left > 1.0 + SPARE * sum(last):
        return []
    more = [1.0, *last]
    if scale > 1.0 and (last == list(s.last) or scale - 1.0 > 1.0 - left / sum(more)):
        last = more
    return [share * max(left / sum(last), s.shortest) for share in last]


def shortest_s(shot: StandingShot, gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> float:
    """Shortest time [s] in which what stands at the ends of a walk can be done, and a step between."""
    step_s = 0.5 / gait.stride_frequency_hz
    return shot.start * _starting_s(shot, step_s, gravity_m_s2, settings) \
        + shot.stop * (stopping_s(gait, gravity_m_s2, settings) - 0.5 * step_s) + step_s


def stopping_s(gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> float:
    """Time [s] from a full step to the end of a shot that stops standing."""
    steps = max(len(settings.last), len(last_steps(gait, gravity_m_s2, settings)))
    return (steps + 1.0) * 0.5 / gait.stride_frequency_hz + settings.still_s * _scale(gravity_m_s2)


def _starting_s(shot: StandingShot, step_s: float, gravity_m_s2: float, settings: EndSettings) -> float:
    """Time [s] from standing to a full step."""
    return lift_s(shot, gravity_m_s2, settings) + len(settings.first) * step_s


def shift_at_s(shot: StandingShot, gravity_m_s2: float, settings: EndSettings) -> float:
    """When the weight of who stands at the start begins to shift [s]."""
    return 0.0 if shot.as_people else settings.quiet_s * _scale(gravity_m_s2)


def lift_s(shot: StandingShot, gravity_m_s2: float, settings: EndSettings) -> float:
    """When the first foot lifts [s]."""
    return shift_at_s(shot, gravity_m_s2, settings) + settings.shift_s * _scale(gravity_m_s2)


def check_duration(shot: StandingShot, least_s: float) -> None:
    """Raises TooShort for a shot too short for its standing ends."""
    if shot.duration_s < least_s:
        ends = " and ".join(name for name, asked in (("starts", shot.start), ("stops", shot.stop)) if asked)
        raise TooShort(f"A shot that {ends} standing needs at least {least_s:.1f} s under this gravity, got "
                       f"{shot.duration_s:g} s: lengthen it, or let it begin and end moving.", least_s)


def walked_s(shot: StandingShot, gait: GaitVariables, gravity_m_s2: float, way_s: float) -> float:
    """Time [s] for a walk whose way takes so long at the gait's speed, and whose ends stand: its first and last steps are short
    ones, and there may be one more of them."""
    s, step_s = EndSettings(), 0.5 / gait.stride_frequency_hz
    gone = shot.start * sum(s.first) + shot.stop * s.shortest * sum(last_steps(gait, gravity_m_s2, s))
    return shot.start * _starting_s(shot, step_s, gravity_m_s2, s) + shot.stop * stopping_s(gait, gravity_m_s2, s) \
        + max(way_s - gone * step_s, 0.0) + 2.0 * step_s


def ends_steps(starts: bool, gait: GaitVariables, gravity_m_s2: float) -> float:
    """Length of the shortest way to a stop, over the gait's step, from standing or a quarter into a step."""
    s = EndSettings()
    return (sum(s.first) if starts else 1.0) + max(s.longest * sum(s.last), sum(last_steps(gait, gravity_m_s2, s)))


def _scale(gravity_m_s2: float) -> float:
    """How long anything lasts over Earth's."""
    return math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
