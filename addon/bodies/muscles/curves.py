# SPDX-License-Identifier: GPL-3.0-or-later
"""What fibres and tendon pull with, by length, velocity and activation: two families of curves, each as it was published.

Everything is a share of the muscle's greatest isometric force; lengths `l` are in optimal fibre lengths, velocities `u` in the
muscle's greatest velocity (shortening negative), a tendon's `strain` in its slack length. Arrays of any shape, muscles last.

In both families a fibre pulls with `(a active(l) + moving(l)) velocity(u) + still(l) + damping v`, v in l_opt/s, and velocity is
a hyperbola either side of rest, so that the velocity belonging to a force is found in closed form, damping included.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

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
    push, and a damper lies beside the fibre (eq. 4.8). Constants: appendix C's, which are those of OpenSim's gait2392.

    Lee prints 0.05 for the damper and no unit. Read in l_opt/s, in which the fastest fibre goes 10, it would resist that with
    half the greatest force and take 330 W out of a walk, more than its joints' work; so it is read as where he has it from
    (Millard et al. 2013), at the greatest velocity: 0.005 at 1 l_opt/s.

    `tendon_strain` and `passive_strain` are those at the greatest isometric force.
    """

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
FAMILIES: dict[str, Curves] = {"thelen": THELEN, "geyer": GEYER}
