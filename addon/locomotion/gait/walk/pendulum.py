# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverted pendulum on a cart (IPC), one plane at a time: dynamics, gains for any gravity, fitting, roll-out.

State of a plane: cart position p [m], lean theta [rad], and their rates. The centre of mass is at p - l sin(theta) (positive
lean is backward). Equations: Kwon and Hodgins 2010, section 3; Kim 2017, section 4.1. Gains by the continuous Riccati
equation, as in the lineage; computed anew for each gravity. Fitted to the measured state, it says how far the next steps go.

What the limbs' swing does to the centre of mass: about it, H' = (r - c) x F. So the horizontal force goes through it from the
centroidal moment pivot r + (H'_y, -H'_x) / (m g), not from the centre of pressure r (Popovic, Goswami and Herr 2005, eq. 10). In
a steady gait H' is periodic, and as the pendulum is linear, what it adds to the capture point and to the COM is a periodic motion
of its own.

Quiet standing: the pendulum turns about a fixed pivot instead of riding on a cart (PIP; Kim 2017, section 4.1). Gains by the
continuous Riccati equation with equal costs on angle and rate (IPCDNNwalk), which follow gravity as the cart's do. And how long a
walk takes whose ends stand, and how long its way must be, the last steps bringing the body to rest over its feet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import expm, solve_continuous_are

from ....errors import TooShort
from ....gaits.froude import GaitVariables
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.pose import GaitTables

STATE_COST = 30000.0  # on lean and cart velocity; IPCDNNwalk's published constant (q = q_v = 30000, R = 1)
CART_MASS_KG = 1.0  # the same source
NOMINAL_MASS_KG = 60.0  # the pendulum's mass there; gains scale with the body's mass, motions do not depend on it
NOMINAL_LENGTH_M = 0.948
ROD_LENGTHS = 1.743


@dataclass(frozen=True)
class Pendulum:
    """A pendulum on a cart under some gravity. `scaling` is how the state costs follow gravity.

    "fixed" keeps them (Kim 2017); "similar" scales the lean's with g^2 and the velocity's with g, over Earth's, which makes
    every closed-loop eigenvalue scale with sqrt(g): dynamically similar plans on every planet.
    """

    gravity_m_s2: float
    length_m: float = NOMINAL_LENGTH_M
    mass_kg: float = NOMINAL_MASS_KG
    scaling: str = "similar"

    @property
    def inertia_kg_m2(self) -> float:
        """About the pendulum's own centre of mass: a slender rod of 1.74 lengths (1.65 m in IPCDNNwalk), m h^2 / 12."""
        return self.mass_kg * (ROD_LENGTHS * self.length_m) ** 2 / 12.0

    @property
    def gains(self) -> np.ndarray:
        """Feedback K (3,) on (lean, cart velocity, lean rate): u = K (x_d - x), force on the cart [N]."""
        return _gains(self.gravity_m_s2, self.length_m, self.mass_kg, self.inertia_kg_m2, self.scaling)

    def linear(self) -> tuple[np.ndarray, np.ndarray]:
        """A (3, 3) and B (3, 1) of the upright pendulum's state (lean, cart velocity, lean rate)."""
        return _linear(self.gravity_m_s2, self.length_m, self.mass_kg, self.inertia_kg_m2)

    def accelerations(self, lean: float, lean_rate: float, force: float) -> tuple[float, float]:
        """Cart and lean acceleration of the full nonlinear model under a force [N] on the cart."""
        m, l, total = self.mass_kg, self.length_m, CART_MASS_KG + self.mass_kg
        sine, cosine = math.sin(lean), math.cos(lean)
        a, b, d = total, -m * l * cosine, self.inertia_kg_m2 + m * l * l
        r1 = force - m * l * lean_rate * lean_rate * sine
        r2 = m * self.gravity_m_s2 * l * sine
        det = a * d - b * b
        return float((d * r1 - b * r2) / det), float((a * r2 - b * r1) / det)


@lru_cache(maxsize=64)
def _linear(g: float, l: float, m: float, inertia: float) -> tuple[np.ndarray, np.ndarray]:
    mass = np.array([[CART_MASS_KG + m, -m * l], [-m * l, inertia + m * l * l]])
    inverse = np.linalg.inv(mass)
    cart, lean = inverse @ np.array([0.0, m * g * l])  # accelerations per unit lean
    a = np.array([[0.0, 0.0, 1.0], [cart, 0.0, 0.0], [lean, 0.0, 0.0]])
    b = np.array([[0.0], [inverse[0, 0]], [inverse[1, 0]]])
    return a, b


@lru_cache(maxsize=64)
def _gains(g: float, l: float, m: float, inertia: float, scaling: str) -> np.ndarray:
    a, b = _linear(g, l, m, inertia)
    ratio = g / EARTH_GRAVITY_M_S2 if scaling == "similar" else 1.0
    size = m / NOMINAL_MASS_KG  # force per unit state is proportional to mass: R scales with 1 / m^2
    cost = np.diag([STATE_COST * ratio**2, STATE_COST * ratio, 0.0])
    r = np.array([[1.0 / size**2]])
    return (np.linalg.solve(r, b.T @ solve_continuous_are(a, b, cost, r))).ravel()


class PlaneState(NamedTuple):
    """State of the pendulum in one plane: cart [m], lean [rad], cart velocity [m/s], lean rate [rad/s]."""

    cart: float = 0.0
    lean: float = 0.0
    cart_velocity: float = 0.0
    lean_rate: float = 0.0

    def com(self, length_m: float) -> float:
        """Horizontal place of the centre of mass [m]."""
        return self.cart - length_m * math.sin(self.lean)

    def com_velocity(self, length_m: float) -> float:
        """Horizontal velocity of the centre of mass [m/s]."""
        return self.cart_velocity - length_m * math.cos(self.lean) * self.lean_rate


def fit(previous: PlaneState, com: float, com_velocity: float, pendulum: Pendulum) -> PlaneState:
    """The pendulum's state that has the measured COM and COM velocity exactly, and the lean of the plan so far.

    The cart goes where the lean puts it under the measured COM, its velocity is recomputed from the COM's (the lineage's
    alignment, IPCDNNwalk `setState_ori`, whose third step this is).
    """
    l = pendulum.length_m
    cart = com + l * math.sin(previous.lean)
    velocity = com_velocity + l * math.cos(previous.lean) * previous.lean_rate
    return PlaneState(cart, previous.lean, velocity, previous.lean_rate)


def roll_out(pendulum: Pendulum, start: PlaneState, desired_velocity: float, step_s: float, steps: int) -> np.ndarray:
    """States (steps + 1, 4) of the controlled pendulum (cart, lean, cart velocity, lean rate), velocity mode.

    Semi-implicit Euler of the full nonlinear model; the step is divided so that the fastest pole stays stable.
    """
    k_lean, k_velocity, k_rate = pendulum.gains
    cart, lean, velocity, rate = start.cart, start.lean, start.cart_velocity, start.lean_rate
    states = np.empty((steps + 1, 4))
    states[0] = cart, lean, velocity, rate
    inner = max(1, int(np.ceil(step_s * 60.0)))
    dt = step_s / inner
    for i in range(1, steps + 1):
        for _ in range(inner):
            force = -k_lean * lean + k_velocity * (desired_velocity - velocity) - k_rate * rate
            cart_acceleration, lean_acceleration = pendulum.accelerations(lean, rate, force)
            velocity += dt * cart_acceleration
            rate += dt * lean_acceleration
            cart += dt * velocity
            lean += dt * rate
        states[i] = cart, lean, velocity, rate
    return states


class CartPlan:
    """Two pendulums on carts, forward and left in the heading's frame, that follow the body's mean motion.

    The sway within a step is no concern of the cart: what is fitted is the COM's velocity less that of the periodic orbit.
    """

    def __init__(self, pendulum: Pendulum, interval_s: float, step_s: float, steps: int, velocity: complex) -> None:
        self._interval_s, self._steps = interval_s, steps
        self.change(pendulum, step_s)
        self.begin(velocity)

    def begin(self, velocity: complex) -> None:
        """Upright on carts that go at a velocity [m/s]."""
        self.planes = [PlaneState(cart_velocity=velocity.real), PlaneState(cart_velocity=velocity.imag)]
        self.mean_velocity = velocity

    def change(self, pendulum: Pendulum, step_s: float) -> None:
        """Take over another pendulum, or gravity, and duration of a step [s]. The state stays: a new speed is leant into."""
        self.pendulum, self.step_s = pendulum, step_s
        a, b = pendulum.linear()
        closed = a - b @ pendulum.gains[None, :]
        self._advance = expm(closed * self._interval_s).tolist()
        grown = [expm(closed * step_s * j) for j in range(self._steps + 1)]
        inverse = np.linalg.inv(closed)
        self._travel = [(inverse @ (after - before))[1].tolist() for before, after in zip(grown, grown[1:], strict=False)]

    def update(self, com: complex, mean_velocity: complex, desired: complex) -> None:
        """Advance the lean by one plan interval and fit both planes to the measured mean motion.

        All in the heading's frame, forward + i left: `com` [m], `mean_velocity` and `desired` velocity [m/s].
        """
        self.mean_velocity = mean_velocity
        for i, (place, mean, wish) in enumerate(((com.real, mean_velocity.real, desired.real),
                                                 (com.imag, mean_velocity.imag, desired.imag))):
            state = self.planes[i]
            error = state.lean, state.cart_velocity - wish, state.lean_rate
            lean, _, rate = (a * error[0] + b * error[1] + c * error[2] for a, b, c in self._advance)
            self.planes[i] = fit(PlaneState(0.0, lean, 0.0, rate), place, mean, self.pendulum)

    def displacements(self, desired: complex) -> list[complex]:
        """How far the cart travels in each of the coming steps, forward + i left [m]."""
        parts = []
        for state, wish in zip(self.planes, (desired.real, desired.imag), strict=True):
            error = state.lean, state.cart_velocity - wish, state.lean_rate
            parts.append([wish * self.step_s + a * error[0] + b * error[1] + c * error[2] for a, b, c in self._travel])
        return [complex(x, y) for x, y in zip(*parts, strict=True)]

    @property
    def cart(self) -> complex:
        """The carts' place in the heading's frame."""
        return complex(self.planes[0].cart, self.planes[1].cart)


HARMONICS = 8


class CmpOffset(NamedTuple):
    """What the swing adds, forward + i left: to the CMP, the capture point and the COM [m], and the COM's velocity [m/s]."""

    cmp: complex
    capture: complex
    com: complex
    velocity: complex


class CmpOrbit:
    """The periodic answer of the pendulum of a rate `omega` [1/s] to the limbs' angular momentum.

    `angular_momentum_rate` (N, 3) is H'/m of one cycle at one stride a second [m^2 / s^2], about the centre of mass (see
    `GaitTables.angular_momentum_rate`).
    """

    def __init__(self, angular_momentum_rate: np.ndarray, frequency_hz: float, gravity_m_s2: float, omega: float) -> None:
        cmp = (angular_momentum_rate[:, 1] - 1j * angular_momentum_rate[:, 0]) * frequency_hz**2 / gravity_m_s2
        orders = np.arange(-HARMONICS, HARMONICS + 1)
        self._spectrum, self._rates = (np.fft.fft(cmp) / len(cmp))[orders], 2j * np.pi * frequency_hz * orders
        self._turns, self._omega = 2j * np.pi * orders, omega
        self._usual = self._series(1.0)
        self._last: tuple[tuple[float, complex, float], CmpOffset] | None = None

    def _series(self, slowness: float) -> np.ndarray:
        """Fourier series (4, N) of the additions in a cycle that lasts `slowness` times as long."""
        spectrum, rates, omega = self._spectrum / slowness**2, self._rates / slowness, self._omega
        capture = spectrum * omega / (omega - rates)
        com = capture * omega / (omega + rates)
        return np.array([spectrum, capture, com, rates * com])

    def at(self, phase: float, facing: complex = 1.0 + 0j, slowness: float = 1.0) -> CmpOffset:
        """The additions at a phase of the cycle, for a body that faces along a unit vector and takes `slowness` times as long."""
        if self._last is None or self._last[0] != (phase, facing, slowness):  # a plan step asks several times
            series = self._usual if slowness == 1.0 else self._series(slowness)
            self._last = (phase, facing, slowness), CmpOffset(*(series @ np.exp(self._turns * phase) * facing).tolist())
        return self._last[1]


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
    has left apart sets them level. A gait with flight goes by a walk of `walk_tables` there."""

    duration_s: float
    start: bool
    stop: bool
    as_people: bool = False
    walk_tables: GaitTables | None = None


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
