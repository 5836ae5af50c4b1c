# SPDX-License-Identifier: GPL-3.0-or-later
"""The pendulum on a cart as the planner of mean motion: fitted to the measured state, it says how far the next steps go."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from .pendulum import Pendulum, PlaneState, fit


class CartPlan:
    """Two pendulums on carts, forward and left in the heading's frame, that follow the body's mean motion.

    The sway within a step is no concern of the cart: what is fitted is the COM's velocity less that of the periodic orbit.
    """

    def __init__(self, pendulum: Pendulum, interval_s: float, step_s: float, steps: int, velocity: complex) -> None:
        self.pendulum = pendulum
        a, b = pendulum.linear()
        closed = a - b @ pendulum.gains[None, :]
        self._advance = expm(closed * interval_s).tolist()
        grown = [expm(closed * step_s * j) for j in range(steps + 1)]
        inverse = np.linalg.inv(closed)
        self._travel = [(inverse @ (after - before))[1].tolist() for before, after in zip(grown, grown[1:], strict=False)]
        self.step_s = step_s
        self.planes = [PlaneState(cart_velocity=velocity.real), PlaneState(cart_velocity=velocity.imag)]
        self.mean_velocity = velocity

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
