# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces of muscles from the lengths of their paths: activation, fibres at an angle to the tendon, rigid or elastic tendon."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ...errors import unknown_name
from .curves import THELEN, Curves
from .muscle import Sizes

SHORTEST_FIBRE = 0.05
"""Of a fibre along its tendon [l_opt], where a path is shorter than its tendon: a first guess, so that it does not vanish."""
SHORTEST_TENDON_M = 1e-3
"""Of a muscle that is said to have none."""
STEEPEST_COS = 0.1
"""Of the pennation angle; from there on fibres get no shorter (OpenSim's, acos 0.1)."""
FARTHEST_FROM_LINE = 0.02
"""Of what a tendon pulls with after a step, beside what its slope had promised [share of the greatest force]."""
MOST_LINES = 8
"""Of those tried within a step: a parabola's strain is at least halved by each."""
HALVINGS = 60
"""Of the range of fibre lengths where equilibrium is looked for: to the last digit."""


@dataclass(frozen=True)
class Activation:
    """How activation follows excitation: da/dt = (u - a) / tau, and the range in which both stay."""

    rise_s: float = 0.01
    fall_s: float = 0.04
    least: float = 0.0

    def step(self, activation: np.ndarray, excitation: np.ndarray, dt_s: float) -> np.ndarray:
        """The activation after `dt_s` at a constant excitation, to the last digit: no step is too long."""
        wanted = np.minimum(np.maximum(excitation, self.least), 1.0)
        gap = wanted - activation
        rise = -math.expm1(-dt_s / self.rise_s)
        if self.rise_s == self.fall_s:
            return activation + rise * gap
        return activation + np.where(gap > 0.0, rise, -math.expm1(-dt_s / self.fall_s)) * gap


EQUAL = Activation(0.01, 0.01, 0.01)
"""Up and down alike in 10 ms, never below a hundredth (Wang 2012, Geijtenbeek 2013)."""
UNEQUAL = Activation(0.01, 0.04)
"""Up in 10 ms, down in 40 (gait2392's constants)."""
AT_ONCE = None
"""Activation is excitation (Lee 2014)."""


class Mechanics(ABC):
    """M muscles that pull. Arrays are (..., M): any number of bodies at once, each with all muscles.

    `reset` puts the fibres at rest in equilibrium; `step` goes on to the moment whose path lengths it is given, and returns what
    the muscles pull with from then on. Then stand, all (..., M): `activation`, `force_n` (along the path), `fibre_length`
    [l_opt], `fibre_velocity` [l_opt/s, shortening negative], and `contractile_n`. Muscles never push.

    Fibres keep their thickness, so they are the steeper the shorter they are (as OpenSim's; with a constant angle power would
    be lost between fibre and tendon).
    """

    def __init__(self, muscles: Sizes, curves: Curves = THELEN, dynamics: Activation | None = UNEQUAL):
        self.muscles, self.curves, self.dynamics = muscles, curves, dynamics
        self._most_n, self._v_max = muscles.max_force_n, muscles.max_velocity
        self._drag = curves.damping * self._v_max  # at u = 1
        self._per_fibre = 1.0 / muscles.optimal_fibre_m
        self._spared, self._tissue = 1.0 - 1.0 / muscles.give, muscles.passive_share
        self._taut = np.maximum(self._tissue, 1.0)  # a weak muscle keeps its tendon, a strong one has a stronger
        self._slack = np.maximum(muscles.tendon_slack_m, SHORTEST_TENDON_M) * self._per_fibre
        self._thick_2 = np.sin(muscles.pennation_rad) ** 2  # thickness [l_opt], squared
        steepest = STEEPEST_COS / math.sqrt(1.0 - STEEPEST_COS**2) * np.sin(muscles.pennation_rad)
        self._least_along = np.maximum(SHORTEST_FIBRE, steepest)  # of a fibre, along its tendon [l_opt]
        self.fibre_length, self.fibre_velocity = np.ones(len(muscles)), np.zeros(len(muscles))
        self.reset(muscles.optimal_fibre_m * np.cos(muscles.pennation_rad) + muscles.tendon_slack_m)

    def reset(self, path_length_m: np.ndarray, activation: np.ndarray | float | None = None,
              path_rate_m_s: np.ndarray | float = 0.0) -> np.ndarray:
        """Fibres in equilibrium with their tendons at `activation` (default: the least there is) and going along with paths that
        change so fast. Returns `force_n`."""
        length = np.asarray(path_length_m, dtype=float)
        least = self.dynamics.least if self.dynamics else 0.0
        self.activation = np.full(length.shape, least)
        if activation is not None:
            self.activation = np.maximum(self.activation, activation)
        self.force_n = self._settle(length, np.broadcast_to(path_rate_m_s, length.shape))
        return self.force_n

    def step(self, excitation: np.ndarray, path_length_m: np.ndarray, path_rate_m_s: np.ndarray, dt_s: float) -> np.ndarray:
        """Force along the path [N] (..., M) at these lengths, `dt_s` after the last step."""
        if self.dynamics is None:
            self.activation = np.minimum(np.maximum(excitation, 0.0), 1.0)
        else:
            self.activation = self.dynamics.step(self.activation, excitation, dt_s)
        self.force_n = self._pull(path_length_m, path_rate_m_s, dt_s)
        return self.force_n

    @property
    def contractile_n(self) -> np.ndarray:
        """What the active part pulls with, along the fibre [N]."""
        fibre = self.curves.active(self.fibre_length) * self.curves.velocity(self.fibre_velocity / self._v_max)
        return self._most_n * self.activation * fibre

    def by_activation(self, path_length_m: np.ndarray, path_rate_m_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(active, passive) [N]: over a rigid tendon the force along the path is `activation active + passive`, or none where
        that is below nothing. Changes nothing; for whoever chooses activations."""
        _, length, cosine = self._over_rigid(path_length_m)
        return self._shares(length, cosine, path_rate_m_s * (self._per_fibre / self._v_max) * cosine)

    def _parallel(self, length: np.ndarray) -> tuple[np.ndarray | float, np.ndarray | float]:
        """See `Curves.parallel`, as shares of the greatest active force: fibres that give are read where printed ones would be as
        tight."""
        moving, still = self.curves.parallel(length - self._spared * np.maximum(length - 1.0, 0.0))
        return self._tissue * moving, self._tissue * still

    def _shares(self, length: np.ndarray, cosine: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        left = self.curves.velocity(u)
        moving, still = self._parallel(length)
        most = self._most_n * cosine
        return most * self.curves.active(length) * left, most * (moving * left + still + self._drag * u)

    def _over_rigid(self, path_length_m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the fibres that a rigid tendon leaves: their length along the tendon, their length, the cosine between."""
        along = np.maximum(path_length_m * self._per_fibre - self._slack, self._least_along)
        length = np.sqrt(along * along + self._thick_2)
        return along, length, along / length

    @abstractmethod
    def _settle(self, path_length_m: np.ndarray, path_rate_m_s: np.ndarray) -> np.ndarray:
        """Fibres in balance with their tendons: the forces [N]."""

    @abstractmethod
    def _pull(self, path_length_m: np.ndarray, path_rate_m_s: np.ndarray, dt_s: float) -> np.ndarray:
        """The forces [N] after `dt_s`, of fibres that go on from where they are."""

    @property
    def damping_n_s_m(self) -> np.ndarray:
        """By how much more a muscle pulls for a path that lengthens faster, at once."""
        return np.zeros_like(self.force_n)


class RigidTendons(Mechanics):
    """Fibres are what their tendons leave of the path, whose rate is theirs."""

    def _settle(self, path_length_m, path_rate_m_s):
        return self._pull(path_length_m, path_rate_m_s, 0.0)

    def _pull(self, path_length_m, path_rate_m_s, dt_s):
        _, self.fibre_length, cosine = self._over_rigid(path_length_m)
        u = path_rate_m_s * (self._per_fibre / self._v_max) * cosine
        self.fibre_velocity = u * self._v_max
        active, passive = self._shares(self.fibre_length, cosine, u)
        self._cosine = cosine
        return np.maximum(self.activation * active + passive, 0.0)

    @property
    def damping_n_s_m(self) -> np.ndarray:
        """See `Mechanics`: what makes explicit steps of light limbs unstable."""
        u = self.fibre_velocity / self._v_max
        strength = self.activation * self.curves.active(self.fibre_length) + self._parallel(self.fibre_length)[0]
        slope = strength * self.curves.velocity_slope(u) + self._drag
        return self._most_n * self._cosine**2 * self._per_fibre / self._v_max * slope


class ElasticTendons(Mechanics):
    """Fibres and tendons share the path by what they pull with. The rates of the paths are not needed.

    A step is one implicit one in what the tendon gives way by, in closed form: no tendon is too short for it.
    """

    def _settle(self, path_length_m, path_rate_m_s):
        u, strength = path_rate_m_s * self._per_fibre / self._v_max, self.activation
        low = np.broadcast_to(self._least_along, path_length_m.shape)
        high = np.maximum(path_length_m * self._per_fibre - self._slack, low)
        for _ in range(HALVINGS):
            along = 0.5 * (low + high)
            length = np.sqrt(along * along + self._thick_2)
            moving, still = self._parallel(length)
            cosine = along / length
            left = self.curves.velocity(u * cosine)
            fibre = ((strength * self.curves.active(length) + moving) * left + still + self._drag * u * cosine) * cosine
            too_short = self._tendon(self._strain(path_length_m, along)) > fibre
            low, high = np.where(too_short, along, low), np.where(too_short, high, along)
        self._along = 0.5 * (low + high)
        self.fibre_length = np.sqrt(self._along**2 + self._thick_2)
        self.fibre_velocity = u * self._v_max * self._along / self.fibre_length
        return self._most_n * self._tendon(self._strain(path_length_m, self._along))

    def by_fibres(self, fibre_length: np.ndarray, fibre_velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As `by_activation`, of fibres that are as they are: with the activation of the present it is what tendons pull with."""
        cosine = np.sqrt(np.maximum(fibre_length**2 - self._thick_2, 0.0)) / fibre_length
        return self._shares(fibre_length, cosine, fibre_velocity / self._v_max)

    def yielding_n_s_m(self, activation: np.ndarray, fibre_length: np.ndarray, fibre_velocity: np.ndarray,
                       path_length_m: np.ndarray, dt_s: float) -> np.ndarray:
        """By how much more muscles pull by the end of `dt_s` for paths that lengthen faster through it: as fibres damp, behind
        tendons that give way first."""
        along = np.sqrt(np.maximum(fibre_length**2 - self._thick_2, self._least_along**2))
        slope = ((activation * self.curves.active(fibre_length) + self._parallel(fibre_length)[0])
                 * self.curves.velocity_slope(fibre_velocity / self._v_max) + self._drag)
        damps = slope / self._v_max * (along / fibre_length)**2
        gives = dt_s * self._tendon_and_slope(self._strain(path_length_m, along))[1] / self._slack
        return self._most_n * self._per_fibre * damps * gives / (damps + gives)

    def _strain(self, path_length_m, along):
        return (path_length_m * self._per_fibre - along) / self._slack - 1.0

    def _tendon(self, strain):
        return self._taut * self.curves.tendon(strain)

    def _tendon_and_slope(self, strain):
        force, slope = self.curves.tendon_and_slope(strain)
        return self._taut * force, self._taut * slope

    def _pull(self, path_length_m, path_rate_m_s, dt_s):
        cosine = self._along / self.fibre_length
        reach = self._v_max * dt_s  # [l_opt] of a step at u = 1
        moving, still = self._parallel(self.fibre_length)
        strength = self.activation * self.curves.active(self.fibre_length) + moving
        # The tendon's line where the fibre would be if it went on as it went. As far as it goes otherwise, the tendon gives way:
        # that is as a damper beside the fibre.
        u = self.fibre_velocity / self._v_max
        along = self._along + u * reach / cosine
        for _ in range(MOST_LINES):
            tendon, slope = self._tendon_and_slope(self._strain(path_length_m, along))
            yields = slope * reach / (self._slack * cosine)
            line = tendon + yields * u
            u = self.curves.velocity_for(line / cosine - still, strength, self._drag + yields / cosine)
            along, length = self._moved(u * reach)
            pull = self._tendon(self._strain(path_length_m, along))
            if not (pull - line + yields * u > FARTHEST_FROM_LINE).any():
                break  # nearly always at once: only a slack tendon that is taut in a step is far from its line
        self.fibre_velocity = (length - self.fibre_length) / dt_s
        self._along, self.fibre_length = along, length
        return self._most_n * pull

    def _moved(self, by: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Fibres that are longer by so much [l_opt]: their length along the tendon, and their length."""
        along_2 = np.maximum(self.fibre_length + by, 0.0) ** 2 - self._thick_2
        along = np.sqrt(np.maximum(along_2, self._least_along**2))
        return along, np.sqrt(along * along + self._thick_2)


KINDS: dict[str, type[Mechanics]] = {"rigid": RigidTendons, "elastic": ElasticTendons}


def make_mechanics(muscles: Sizes, tendon: str = "rigid", curves: Curves = THELEN,
                   dynamics: Activation | None = UNEQUAL) -> Mechanics:
    """The muscles over tendons of a kind, "rigid" or "elastic". Raises InputError for another kind."""
    if tendon not in KINDS:
        raise unknown_name("kind of tendon", tendon, KINDS)
    return KINDS[tendon](muscles, curves, dynamics)
