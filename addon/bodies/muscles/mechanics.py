# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces of muscles from the lengths of their paths: activation, fibres at an angle to the tendon, rigid or elastic tendon; and
what they spend, without fatigue. Everything is a share of the muscle's greatest isometric force; lengths `l` are in optimal fibre
lengths, velocities `u` in the muscle's greatest velocity (shortening negative), a tendon's `strain` in its slack length. Arrays
of any shape, muscles last. In both families a fibre pulls with `(a active(l) + moving(l)) velocity(u) + still(l) + damping v`, v
in l_opt/s, and velocity is a hyperbola either side of rest, so that the velocity belonging to a force is found in closed form,
damping included."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ...errors import unknown_name
from ..muscle import Sizes

NEARLY_NOTHING = 1e-12


@dataclass(frozen=True)
class Curves(ABC):
    """What the families share. Force over velocity is `(1 + u) / (1 - shortening u)`, and for a fibre that is lengthened
    `(1 + rise u) / (1 + lengthening u)`; `damping` is a share of the greatest force at 1 l_opt/s."""

    shortening: float
    lengthening: float
    rise: float
    damping: float

    @abstractmethod
    def active(self, l: np.ndarray) -> np.ndarray:
        """What a fully active fibre pulls with at rest."""

    @abstractmethod
    def passive(self, l: np.ndarray) -> np.ndarray:
        """What a fibre that is not active pulls with at rest."""

    @abstractmethod
    def parallel(self, l: np.ndarray) -> tuple[np.ndarray | float, np.ndarray | float]:
        """(moving, still): what pulls beside the active part, that which its velocity multiplies and that which it does not."""

    def tendon(self, strain: np.ndarray) -> np.ndarray:
        """What a tendon pulls with; 0 where it is slack."""
        return self.tendon_and_slope(strain)[0]

    @abstractmethod
    def tendon_and_slope(self, strain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What a tendon pulls with, and by how much more for more strain."""

    def velocity(self, u: np.ndarray) -> np.ndarray:
        """How much of its force a fibre has left at velocity `u`; none at its greatest and beyond."""
        longer = u > 0.0
        u = np.maximum(u, -1.0)
        return (1.0 + np.where(longer, self.rise, 1.0) * u) / (1.0 + np.where(longer, self.lengthening, -self.shortening) * u)

    def velocity_slope(self, u: np.ndarray) -> np.ndarray:
        """Slope of `velocity`, from the right at 0, which is the steeper one."""
        longer = u >= 0.0
        bend = np.where(longer, self.lengthening, -self.shortening)
        return np.where(u < -1.0, 0.0, (np.where(longer, self.rise, 1.0) - bend) / (1.0 + bend * u) ** 2)

    def velocity_inverse(self, force: np.ndarray) -> np.ndarray:
        """The velocity at which a fibre has `force` of its force at rest; in -1 to 1."""
        return self.velocity_for(np.asarray(force, dtype=float), 1.0, 0.0)

    def velocity_for(self, force: np.ndarray, strength: np.ndarray | float, drag: np.ndarray | float) -> np.ndarray:
        """The u for which `strength velocity(u) + drag u` is `force`; in -1 to 1, the end that is nearer where there is none."""
        over = force - strength
        longer = over > 0.0
        bend = np.where(longer, self.lengthening, -self.shortening)
        middle = np.where(longer, self.rise, 1.0) * strength + drag - bend * force
        root = np.sqrt(np.maximum(middle * middle + 4.0 * drag * bend * over, 0.0))
        u = 2.0 * over / np.maximum(middle + root, NEARLY_NOTHING)  # nothing where the hyperbola ends before the force
        return np.minimum(np.maximum(u, -1.0), 1.0)


@dataclass(frozen=True)
class Thelen(Curves):
    """Thelen 2003 as Lee 2014 has it (thesis, appendix C): velocity alone decides on force over velocity, passive fibres never
    push, and a damper lies beside the fibre (eq. 4.8). Constants: appendix C's, which are those of OpenSim's gait2392. Lee prints
    0.05 for the damper and no unit. Read in l_opt/s, in which the fastest fibre goes 10, it would resist that with half the
    greatest force and take 330 W out of a walk, more than its joints' work; so it is read as where he has it from (Millard et al.
    2013), at the greatest velocity: 0.005 at 1 l_opt/s. `tendon_strain` and `passive_strain` are those at the greatest isometric
    force."""

    shortening: float = 1.0 / 0.3  # 1 / A_f
    lengthening: float = (2.0 + 2.0 / 0.3) / 0.8  # (2 + 2 / A_f) / (f_len - 1)
    rise: float = 1.8 * (2.0 + 2.0 / 0.3) / 0.8  # f_len times that
    damping: float = 0.005
    tendon_strain: float = 0.033
    passive_strain: float = 0.6
    passive_shape: float = 4.0
    active_width: float = 0.5
    toe_force: float = 0.33
    toe_shape: float = 3.0
    toe_share: float = 0.609
    linear_slope: float = 1.712

    def active(self, l):
        """Eq. C.4: a bell."""
        return np.exp((l - 1.0) ** 2 * (-1.0 / self.active_width))

    def passive(self, l):
        """Eq. C.3: an exponential from the optimal length on."""
        return np.expm1(np.maximum(l - 1.0, 0.0) * (self.passive_shape / self.passive_strain)) / math.expm1(self.passive_shape)

    def parallel(self, l):
        return 0.0, self.passive(l)

    def tendon_and_slope(self, strain):
        """Eq. C.1: an exponential toe, then a line."""
        toe = self.toe_share * self.tendon_strain
        scale, slope = self.toe_force / math.expm1(self.toe_shape), self.linear_slope / self.tendon_strain
        within = np.minimum(np.maximum(strain, 0.0), toe)
        rising = scale * np.exp(within * (self.toe_shape / toe))
        return rising - scale + slope * np.maximum(strain - toe, 0.0), rising * (self.toe_shape / toe)


@dataclass(frozen=True)
class Geyer(Curves):
    """Geyer, Seyfarth and Blickhan 2003, Geyer and Herr 2010: the family of Wang 2012 and Geijtenbeek 2013. The parallel spring
    goes with velocity; a buffer pushes a fibre open that is very short. No pennation in this family."""

    shortening: float = 5.0  # K
    lengthening: float = 37.8  # 7.56 K
    rise: float = 1.5 * 37.8 + 0.5  # N 7.56 K + (N - 1), N = 1.5
    damping: float = 0.0
    width: float = 0.56
    edge: float = 0.05
    tendon_strain: float = 0.04

    def active(self, l):
        """A bell that is `edge` at `width` away from the optimal length."""
        return np.exp(math.log(self.edge) * np.abs((l - 1.0) * (1.0 / self.width)) ** 3)

    def passive(self, l):
        return (np.maximum(l - 1.0, 0.0) * (1.0 / self.width)) ** 2

    def buffer(self, l):
        """What pushes a fibre open that is shorter than the bell's foot."""
        return (np.maximum(1.0 - self.width - l, 0.0) * (2.0 / self.width)) ** 2

    def parallel(self, l):
        return self.passive(l), -self.buffer(l)

    def tendon_and_slope(self, strain):
        """A parabola."""
        strain = np.maximum(strain, 0.0) * (1.0 / self.tendon_strain)
        return strain * strain, strain * (2.0 / self.tendon_strain)


THELEN, GEYER = Thelen(), Geyer()


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


class Mechanics(ABC):
    """M muscles that pull. Arrays are (..., M): any number of bodies at once, each with all muscles. `reset` puts the fibres at
    rest in equilibrium; `step` goes on to the moment whose path lengths it is given, and returns what the muscles pull with from
    then on. Then stand, all (..., M): `activation`, `force_n` (along the path), `fibre_length` [l_opt], `fibre_velocity`
    [l_opt/s, shortening negative], and `contractile_n`. Muscles never push. Fibres keep their thickness, so they are the steeper
    the shorter they are (as OpenSim's; with a constant angle power would be lost between fibre and tendon)."""

    def __init__(self, muscles: Sizes, curves: Curves = THELEN, dynamics: Activation = UNEQUAL):
        self.muscles, self.curves, self.dynamics = muscles, curves, dynamics
        self._most_n, self._v_max = muscles.max_force_n, muscles.max_velocity
        self._drag = curves.damping * self._v_max  # at u = 1
        self._per_fibre = 1.0 / muscles.optimal_fibre_m
        self._per_speed = self._per_fibre / self._v_max
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
        self.activation = np.full(length.shape, self.dynamics.least)
        if activation is not None:
            self.activation = np.maximum(self.activation, activation)
        self.force_n = self._settle(length, np.broadcast_to(path_rate_m_s, length.shape))
        return self.force_n

    def step(self, excitation: np.ndarray, path_length_m: np.ndarray, path_rate_m_s: np.ndarray, dt_s: float) -> np.ndarray:
        """Force along the path [N] (..., M) at these lengths, `dt_s` after the last step."""
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
        return self._shares(length, cosine, path_rate_m_s * self._per_speed * cosine)

    def _parallel(self, length: np.ndarray) -> tuple[np.ndarray | float, np.ndarray | float]:
        """See `Curves.parallel`, as shares of the greatest active force: fibres that give are read where printed ones would be as
        tight."""
        moving, still = self.curves.parallel(length - self._spared * np.maximum(length - 1.0, 0.0))
        return moving if isinstance(moving, float) else self._tissue * moving, self._tissue * still

    def _shares(self, length: np.ndarray, cosine: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        left = self.curves.velocity(u)
        moving, still = self._parallel(length)
        most, parallel = self._most_n * cosine, still if isinstance(moving, float) else moving * left + still
        return most * self.curves.active(length) * left, most * (parallel + self._drag * u)

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
        u = path_rate_m_s * self._per_speed * cosine
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
    """Fibres and tendons share the path by what they pull with. The rates of the paths are not needed. A step is one implicit one
    in what the tendon gives way by, in closed form: no tendon is too short for it."""

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
        """By how much more muscles pull by the end of `dt_s` for faster paths: fibres damp behind tendons that give way."""
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


def make_mechanics(muscles: Sizes, tendon: str = "rigid", curves: Curves = THELEN, dynamics: Activation = UNEQUAL) -> Mechanics:
    """The muscles over tendons of a kind, "rigid" or "elastic". Raises InputError for another kind."""
    if tendon not in KINDS:
        raise unknown_name("kind of tendon", tendon, KINDS)
    return KINDS[tendon](muscles, curves, dynamics)


BASAL_W_KG = 1.51
"""Of a body at rest, over its mass: Anderson 1999 as Wang 2012 has it."""
ACTIVATION_W_KG, MAINTENANCE_W_KG = (40.0, 133.0), (74.0, 111.0)
"""Heat of slow and fast fibres (Bhargava 2004)."""
SHORTENING_SHARE = 0.25
"""Of the force that is heat for every metre of shortening (Anderson 1999)."""


def wang(muscles: Sizes, excitation: np.ndarray, activation: np.ndarray, fibre_length: np.ndarray,
         fibre_velocity: np.ndarray, force_n: np.ndarray, contractile_n: np.ndarray) -> np.ndarray:
    """Metabolic rate [W] (..., M) of Wang 2012 (section 5.1), after Anderson 1999 and Bhargava 2004: heat of activation by
    excitation, of maintenance by activation, of shortening by the whole force, and work of shortening. Lengths in l_opt,
    velocities in l_opt/s, shortening negative; `force_n` in the tendon, `contractile_n` the active part's."""
    slow, quarter = muscles.slow_share, 0.5 * np.pi
    activating = (ACTIVATION_W_KG[0] * slow * np.sin(quarter * excitation)
                  + ACTIVATION_W_KG[1] * (1.0 - slow) * (1.0 - np.cos(quarter * excitation)))
    maintaining = (MAINTENANCE_W_KG[0] * slow * np.sin(quarter * activation)
                   + MAINTENANCE_W_KG[1] * (1.0 - slow) * (1.0 - np.cos(quarter * activation)))
    # By length: half below half the optimal one, then up to all at it, down to none at one and a half.
    overlap = np.maximum(np.where(fibre_length > 1.0, 3.0 - 2.0 * fibre_length, np.maximum(fibre_length, 0.5)), 0.0)
    shortening_m_s = np.maximum(-fibre_velocity, 0.0) * muscles.optimal_fibre_m
    return (muscles.mass_kg * (activating + overlap * maintaining)
            + (SHORTENING_SHARE * force_n + contractile_n) * shortening_m_s)


def by_activation_w(muscles: Sizes, force_n: np.ndarray, shortening_m_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`wang` of muscles in motion as a polynomial of their activation a: (line, square), each (..., M) [W], of line a + square
    a^2. `force_n` is what a wholly active one pulls with, `shortening_m_s` how fast its path shortens. Slow fibres' heat, a sine,
    is a line that meets it at half; fast ones', 1 - cos, the first of its series. Where the fibres' length is little heat does
    not matter to a choice between muscles: that is left out."""
    heat_w = [muscles.mass_kg * share * (ACTIVATION_W_KG[i] + MAINTENANCE_W_KG[i])
              for i, share in enumerate((muscles.slow_share, 1.0 - muscles.slow_share))]
    work_w = (1.0 + SHORTENING_SHARE) * force_n * np.maximum(shortening_m_s, 0.0)
    return 2.0 * np.sin(0.25 * np.pi) * heat_w[0] + work_w, np.pi**2 / 8.0 * heat_w[1]


def metabolic_w(mechanics: Mechanics, excitation: np.ndarray) -> np.ndarray:
    """Metabolic rate [W] (..., M) of muscles as they are, excited so."""
    return wang(mechanics.muscles, np.minimum(np.maximum(excitation, 0.0), 1.0), mechanics.activation, mechanics.fibre_length,
                mechanics.fibre_velocity, mechanics.force_n, mechanics.contractile_n)


def basal_w(mass_kg: float) -> float:
    """What a body spends at rest [W]."""
    return BASAL_W_KG * mass_kg
