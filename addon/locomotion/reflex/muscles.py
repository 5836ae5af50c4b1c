# SPDX-License-Identifier: GPL-3.0-or-later
"""Contraction of the reflex walker's units: activation, fibres on elastic tendons, force, metabolic rate; batches of walkers."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.body import Body
from ...bodies.muscles.mechanics import GEYER
from .units import NAMES, Routing

ACTIVATION_RATE = 100.0
"""[1/s], up and down (Wang 2012, section 3.1)."""
LEAST, MOST = 0.01, 1.0
"""Of excitation and activation."""
ECCENTRIC = 1.5
"""Most force of a lengthening fibre, over what it has at rest."""
BASAL_W_KG = 1.51
"""Of the resting body (Anderson 1999)."""


class Muscles:
    """The units of N walkers' legs. All arrays are (N, 2, 8), left leg first: `activation`; `force_n` of the tendon;
    `fibre` [l_opt]; `fibre_velocity` [l_opt/s]; `excitation`. `implicit` ones take the fibre's velocity at which it and
    its tendon, by the tendon's slope now, hold each other at the end of the step, and follow the activation to the last digit: no
    step is too long for a stiff tendon."""

    def __init__(self, body: Body, n: int, implicit: bool = False) -> None:
        self.routing, self._implicit = Routing(body), implicit
        shape = n, 2, len(NAMES)
        self.activation, self.excitation = np.full(shape, LEAST), np.full(shape, LEAST)
        self.force_n, self.fibre, self.fibre_velocity = np.zeros(shape), np.ones(shape), np.zeros(shape)
        self._contractile = np.zeros(shape)

    def reset(self, angle: np.ndarray, activation: np.ndarray) -> None:
        """At rest at Geyer's angles (N, 2, 3), with activations (N, 2, 8): fibre and tendon hold each other."""
        r = self.routing
        length = r.length_m(angle)
        self.activation = np.clip(activation, LEAST, MOST)
        self.excitation = self.activation.copy()
        low, high = np.full(length.shape, 0.3), np.full(length.shape, 1.9)
        for _ in range(40):  # the tendon slackens as the fibre lengthens
            middle = 0.5 * (low + high)
            fibres = self.activation * GEYER.active(middle) + GEYER.passive(middle) - GEYER.buffer(middle)
            pulls = self._tendon(length, middle) > fibres
            low, high = np.where(pulls, middle, low), np.where(pulls, high, middle)
        self.fibre = 0.5 * (low + high)
        self.fibre_velocity = np.zeros(length.shape)
        self.force_n = r.force_n * self._tendon(length, self.fibre)
        self._contractile = self.force_n

    def _tendon(self, length: np.ndarray, fibre: np.ndarray) -> np.ndarray:
        strain = (length - fibre * self.routing.fibre_m) / self.routing.slack_m - 1.0
        return GEYER.tendon(strain)

    def step(self, excitation: np.ndarray, angle: np.ndarray, dt: float) -> np.ndarray:
        """Torques (N, 2, 3) [N m] that raise Geyer's angles (N, 2, 3) at these; then activation and fibres go on by dt [s]."""
        r = self.routing
        self.excitation = excitation
        length, arm = r.length_and_arm_m(angle)
        tendon, slope = GEYER.tendon_and_slope((length - self.fibre * r.fibre_m) / r.slack_m - 1.0)
        strength = self.activation * GEYER.active(self.fibre)
        parallel = GEYER.passive(self.fibre)
        held, rate = np.maximum(strength + parallel, 1e-3), dt * ACTIVATION_RATE
        share = (tendon + GEYER.buffer(self.fibre)) / held
        if self._implicit:
            eased, rate = slope * (dt * r.speed * r.fibre_m / r.slack_m), -math.expm1(-rate)
            u = GEYER.velocity_for(share * held, held, eased)
            tendon = np.maximum(tendon - eased * u, 0.0)
            share = (tendon + GEYER.buffer(self.fibre)) / held
        else:
            u = GEYER.velocity_inverse(share)
        self.fibre_velocity = r.speed * u
        self.force_n = r.force_n * tendon
        self._contractile = r.force_n * strength * np.minimum(share, ECCENTRIC)
        torque = r.torque_nm(arm, self.force_n)
        self.fibre = np.maximum(self.fibre + dt * self.fibre_velocity, 0.1)
        self.activation = self.activation + rate * (excitation - self.activation)
        return torque

    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (N, 2, 8) [W] of the last step, without the basal one (Wang 2012, section 5.1; Bhargava 2004)."""
        r, slow = self.routing, self.routing.slow
        quarter = 0.5 * math.pi
        u, a, length = quarter * self.excitation, quarter * self.activation, self.fibre
        heat = 40.0 * slow * np.sin(u) + 133.0 * (1.0 - slow) * (1.0 - np.cos(u))
        held = np.clip(np.minimum(length, 3.0 - 2.0 * length), np.where(length < 1.0, 0.5, 0.0), 1.0)
        heat += held * (74.0 * slow * np.sin(a) + 111.0 * (1.0 - slow) * (1.0 - np.cos(a)))
        shortening = r.fibre_m * np.maximum(-self.fibre_velocity, 0.0)
        return r.mass_kg * heat + (0.25 * self.force_n + self._contractile) * shortening


class Delays:
    """Signals of one shape (..., K), each of the K by a delay of its own in steps; at first they are as at `fill`."""

    def __init__(self, steps: np.ndarray) -> None:
        self.steps = np.asarray(steps, dtype=int)
        self._size, self._at = int(self.steps.max()) + 1, 0
        count = len(self.steps)
        at = np.arange(self._size)[:, None]
        self._rows = (at - self.steps) % self._size * count + np.arange(count)  # of what was, where it is now
        self._past = np.zeros((self._size * count, 1))

    def fill(self, signal: np.ndarray) -> None:
        """It has been this (..., K) for ever."""
        self._past = np.tile(signal.reshape(-1, len(self.steps)).T, (self._size, 1))
        self._at = 0

    def step(self, signal: np.ndarray) -> np.ndarray:
        """Take the signals (..., K) of now; the delayed ones (..., K)."""
        count = len(self.steps)
        self._at = at = (self._at + 1) % self._size
        self._past[at * count:(at + 1) * count] = signal.reshape(-1, count).T
        return self._past.take(self._rows[at], 0).T.reshape(signal.shape)
