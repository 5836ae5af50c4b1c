# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a gait suits a speed under a gravity, and the reason in words: the walk-run transition over the Froude number.

Sources: Kram, Domingo and Ferris 1997, J. Exp. Biol. 200:821-826 (people change from walking to running near Fr 0.5 under
simulated low gravity); Carr and McGee 2009, PLoS ONE 4:e6614 (0.5 down to about 0.4 g, then rising to 0.9 at 1/6 g); De Witt
et al. 2014, J. Exp. Biol. 217:3200-3203 (1.39 +- 0.45 in lunar gravity on parabolic flights, 1.11 +- 0.26 simulated).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import unknown_name
from ..specs.shot import EARTH_GRAVITY_M_S2
from ..worlds.planets import CUSTOM
from .froude import froude_number, froude_speed

WALKING, RUNNING_GAITS = ("walk", "turn"), ("run", "lope", "skip", "hop")

LUNAR_G, STEADY_G = 1.0 / 6.0, 0.4
"""Gravities, in Earth's, between which the transition's Froude number falls to Earth's (Carr and McGee 2009)."""
LUNAR_FROUDE = (0.9, 1.4)
"""Transition at LUNAR_G and below: Carr and McGee's 0.9 and De Witt's 1.39. Below it nobody has measured."""
STEADY_FROUDE = (0.45, 0.55)
"""Transition at STEADY_G and above: Kram's "about 0.5", with 0.05 for the spread between people."""
SUITED_FROUDE = (0.25, 0.47)
"""Transition of the suited Apollo crews at LUNAR_G: 0.36 +- 0.11 (Carr and McGee 2009). No suit was measured anywhere else: from
there to STEADY_G it goes over into people's without a suit, a guess."""
BEST_FROUDE = 0.25
"""Walking costs least energy a metre there (Minetti 2001, Nature 409:467-469)."""
LOPE_G = 0.5
"""Below this gravity running gaits cost less a metre than walking, and people lope (Carr and McGee 2009)."""

FITS, EDGE, TOO_FAST, TOO_SLOW = "fits", "edge", "too fast", "too slow"


@dataclass(frozen=True)
class Advice:
    """Froude number, the transition's interval (low, high) of it, a verdict ("fits", "edge", "too fast", "too slow"), the
    reason in words, and the gait to try instead, None where the gait fits."""

    froude: float
    transition: tuple[float, float]
    verdict: str
    words: str
    try_gait: str | None


def transition_froude(gravity_m_s2: float, suited: bool = False) -> tuple[float, float]:
    """Froude numbers (low, high) between which people change from walking to running under a gravity."""
    ratio = gravity_m_s2 / EARTH_GRAVITY_M_S2
    pairs = zip(SUITED_FROUDE if suited else LUNAR_FROUDE, STEADY_FROUDE, strict=True)
    low, high = (float(np.interp(ratio, (LUNAR_G, STEADY_G), pair)) for pair in pairs)
    return low, high


def transition_speed(gravity_m_s2: float, leg_length_m: float, suited: bool = False) -> tuple[float, float]:
    """Speeds (low, high) [m/s] of `transition_froude`."""
    low, high = (froude_speed(froude, gravity_m_s2, leg_length_m) for froude in transition_froude(gravity_m_s2, suited))
    return low, high


def fast_gait(gravity_m_s2: float) -> str:
    """The gait for speeds above the walking limit."""
    return "lope" if gravity_m_s2 < LOPE_G * EARTH_GRAVITY_M_S2 else "run"


def advise(gait: str, speed_m_s: float, gravity_m_s2: float, leg_length_m: float, world: str | None = None) -> Advice:
    """What measurements of people say about a gait at a speed [m/s] under a gravity [m/s^2] with a leg length [m].

    `world` is the name of the place, for the words. Raises InputError for a gait that neither walks nor runs.
    """
    if gait not in WALKING + RUNNING_GAITS:
        raise unknown_name("gait", gait, WALKING + RUNNING_GAITS)
    froude, (low, high) = froude_number(speed_m_s, gravity_m_s2, leg_length_m), transition_froude(gravity_m_s2)
    walks = gait in WALKING
    if low <= froude <= high:
        verdict, why, other = EDGE, f"people change between walking and running here (Fr {low:.2g} to {high:.2g})", None
    elif froude > high:
        verdict, why = (TOO_FAST, "above the walking limit") if walks else (FITS, "above the walking limit")
        other = fast_gait(gravity_m_s2) if walks else None
    else:
        verdict, why = (FITS, _walking_words(froude)) if walks else (TOO_SLOW, "people walk at this speed")
        other = None if walks else "walk"
    hint = f"; try {other}" if other else ""
    words = f"Fr {froude:.2g} at {speed_m_s:.2g} m/s {place_words(gravity_m_s2, world)}: {why}{hint}"
    return Advice(froude, (low, high), verdict, words, other)


def _walking_words(froude: float) -> str:
    """How a walk of that Froude number compares with the cheapest."""
    speed = (froude / BEST_FROUDE) ** 0.5
    return "a slow walk" if speed < 0.7 else "a comfortable walk" if speed < 1.2 else "a brisk walk"


def place_words(gravity_m_s2: float, world: str | None = None) -> str:
    """"on the Moon", "on Mars", or "under 2.3 m/s^2" where the place has no name."""
    if world is None or world == CUSTOM:
        return f"under {gravity_m_s2:.3g} m/s^2"
    return "on the Moon" if world == "moon" else f"on {world.replace('-', ' ').title()}"
