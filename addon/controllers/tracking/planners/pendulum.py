# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverted pendulum on a cart (IPC), one plane at a time: dynamics, gains for any gravity, fitting, roll-out.

State of a plane: cart position p [m], lean theta [rad], and their rates. The centre of mass is at p - l sin(theta) (positive
lean is backward). Equations: Kwon and Hodgins 2010, section 3; Kim 2017, section 4.1. Gains by the continuous Riccati
equation, as in the lineage; computed anew for each gravity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import solve_continuous_are

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
