# SPDX-License-Identifier: GPL-3.0-or-later
"""What hips and arms do for somebody who is pushed: a lunge of the trunk over the edge of the soles, and arms that fly out.

A trunk that is turned faster and faster over the hips takes angular momentum at a rate H', which has the ground push as if its
pressure lay H' / (m g) beyond the soles; it must be braked as hard as it was turned (Kudoh 2006; Stephens 2007).
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

from ...specs.shot import EARTH_GRAVITY_M_S2
from .stance import LEG_M

LEVER_M = 0.10
"""H' / (m g) of a lunge; more only bends the trunk more (docs/notes/standing.md)."""
INERTIA_KG_M2 = 4.8
"""Of a trunk about its hips over legs that turn back, on 75 kg and legs of 0.884 m: momentum over its rate, measured."""
MOST_RAD, MOST_BACK_RAD, MOST_ASIDE_RAD = 0.9, 0.45, 0.6
"""How far a trunk leans at most: forward, back, to the side."""
INSIDE_M = 0.012
"""So far inside the soles' edge it begins, and the capture point is to be when it has been braked."""
BACK_RATE = 3.5
"""Rate of the way back [1/s on Earth]."""
FLY_RATE, CALM_RATE, FLY_M = 7.0, 1.6, 0.35
"""How fast arms fly out and come back [1/s on Earth], and how far the capture point is from rest when they are all out [m]."""
QUIET_M, STILL_RAD_S = 0.06, 0.3


@dataclass(frozen=True)
class Threat:
    """How a body falls: the point of the soles nearest to the capture point, how far outside of them that is [m], the pendulum's
    rate and the heading."""

    edge: complex
    outside_m: float
    capture: complex
    omega: float
    heading: float


@dataclass
class Trunk:
    """The lean [rad] towards `way` (unit, x + iy) with its rate; `arms` from 0, hanging, to 1."""

    mass_kg: float
    leg_m: float
    way: complex = 1 + 0j
    lean: float = 0.0
    rate: float = 0.0
    acceleration: float = 0.0
    arms: float = 0.0
    lunging: bool = False
    braking: bool = False
    gravity_m_s2: float = EARTH_GRAVITY_M_S2

    @property
    def scale(self) -> float:
        """Lengths over those of the body of these figures."""
        return self.leg_m / LEG_M

    @property
    def inertia_kg_m2(self) -> float:
        """The trunk's, of this body."""
        return INERTIA_KG_M2 * self.mass_kg / 75.0 * self.scale**2

    @property
    def slow(self) -> float:
        """How much slower everything goes than on Earth."""
        return math.sqrt(EARTH_GRAVITY_M_S2 / self.gravity_m_s2)

    @property
    def lever(self) -> float:
        """How far a moment's pivot lies beyond the pressure [m], over the trunk's acceleration."""
        return self.inertia_kg_m2 / (self.mass_kg * self.gravity_m_s2)

    @property
    def pivot(self) -> complex:
        """How far the pivot lies beyond the pressure [m]."""
        return self.lever * self.acceleration * self.way

    def go(self, dt: float, threat: Threat, may: bool, room_m: float) -> None:
        """Let time pass; `may` tells whether to lunge, `room_m` how far the pressure is inside the soles on the way back."""
        strong = LEVER_M * self.scale / self.lever
        if self.lunging and not may:
            self.lunging = False
        elif may and not self.lunging and threat.outside_m > -INSIDE_M * self.scale and self.lean < 0.1:
            away = threat.capture - threat.edge if threat.outside_m > 0.0 else threat.edge - threat.capture
            if abs(away) > 1e-6:
                self.lunging, self.braking, self.way = True, False, away / abs(away)
        if self.lunging:
            self._lunge(threat, strong)
        if not self.lunging:
            rate = BACK_RATE / self.slow
            wanted = -(rate * rate * self.lean + 2.0 * rate * self.rate)
            # it must not go on over while a foot steps, whatever that costs
            most = strong if self.rate > STILL_RAD_S else max(room_m, 0.01) / self.lever
            self.acceleration = min(max(wanted, -most), strong)
        self.lean += dt * (self.rate + 0.5 * dt * self.acceleration)
        self.rate += dt * self.acceleration

    def _lunge(self, threat: Threat, strong: float) -> None:
        """Turn faster and faster until braking as hard will just do, or the trunk leans as far as it may."""
        way = self.way * cmath.exp(-1j * threat.heading)
        most = math.hypot((MOST_BACK_RAD if way.real < 0.0 else MOST_RAD) * way.real, MOST_ASIDE_RAD * way.imag)
        stop_s, lever = max(self.rate, 0.0) / strong, LEVER_M * self.scale
        behind = ((threat.capture - threat.edge) * self.way.conjugate()).real + lever
        left = behind * math.exp(threat.omega * stop_s) - lever
        if left < -INSIDE_M * self.scale or self.lean + 0.5 * self.rate * stop_s > most:
            self.braking = True
        self.acceleration = -strong if self.braking else strong
        if self.braking and self.rate <= 0.0:
            self.lunging = False

    def fly(self, dt: float, off_m: float) -> None:
        """Let the arms go with how far the capture point is from rest."""
        wanted = min(max(off_m - QUIET_M * self.scale, 0.0) / (FLY_M * self.scale), 1.0)
        rate = (FLY_RATE if wanted > self.arms else CALM_RATE) / self.slow
        self.arms += (wanted - self.arms) * min(rate * dt, 1.0)
