# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverted pendulum on a cart (IPC), one plane at a time: dynamics, gains for any gravity, fitting, roll-out.

State of a plane: cart position p [m], lean theta [rad], and their rates. The centre of mass is at p - l sin(theta) (positive
lean is backward). Equations: Kwon and Hodgins 2010, section 3; Kim 2017, section 4.1. Gains by the continuous Riccati
equation, as in the lineage; computed anew for each gravity.

The pendulum on a cart as the planner of mean motion: fitted to the measured state, it says how far the next steps go.

What the limbs' swing does to the centre of mass: the centroidal moment pivot lies beside the centre of pressure.

About the COM, H' = (r - c) x F. So the horizontal force goes through the COM from the centroidal moment pivot
r + (H'_y, -H'_x) / (m g), not from the centre of pressure r (Popovic, Goswami and Herr 2005, eq. 10). In a steady gait H'
is periodic, and as the pendulum is linear, what it adds to the capture point and to the COM is a periodic motion of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.linalg import expm, solve_continuous_are

from ....specs.shot import EARTH_GRAVITY_M_S2

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


@dataclass(frozen=True)
class PlaneState:
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
        spectrum = (np.fft.fft(cmp) / len(cmp))[orders]
        rates = 2j * np.pi * frequency_hz * orders
        capture = spectrum * omega / (omega - rates)
        com = capture * omega / (omega + rates)
        self._turns = 2j * np.pi * orders
        self._series = np.array([spectrum, capture, com, rates * com])
        self._last: tuple[tuple[float, complex], CmpOffset] | None = None

    def at(self, phase: float, facing: complex = 1.0 + 0j) -> CmpOffset:
        """The additions at a phase of the cycle, for a body that faces along a unit vector."""
        if self._last is None or self._last[0] != (phase, facing):  # a plan step asks several times
            self._last = (phase, facing), CmpOffset(*(self._series @ np.exp(self._turns * phase) * facing).tolist())
        return self._last[1]
