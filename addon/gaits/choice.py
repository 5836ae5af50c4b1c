# SPDX-License-Identifier: GPL-3.0-or-later
"""The gait that people choose under a gravity, at a speed or of their own choice, and the reason in words, by the walk-run
transition over the Froude number. Sources: Kram, Domingo and Ferris 1997, J. Exp. Biol. 200:821-826 (change near Fr 0.5 under
simulated low gravity); Carr and McGee 2009, PLoS ONE 4:e6614 (0.5 down to about 0.4 g, then rising to 0.9 at 1/6 g); De Witt et
al. 2014, J. Exp. Biol. 217:3200-3203 (1.39 +- 0.45 in lunar gravity on parabolic flights, 1.11 +- 0.26 simulated). Below a
quarter of Earth's gravity bouncing costs less a metre than walking (Pavei, Biancardi and Minetti 2015), and the Apollo crews
loped at 1.0 to 1.9 m/s of their own choice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..bodies.body import Body
from ..errors import unknown_name
from ..specs.motions import AUTO
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..specs.steering import Key, keyed_speed
from ..worlds.paths import make_path
from ..worlds.planets import CUSTOM
from .froude import froude_number, froude_speed
from .path_speeds import MOST_CENTRIPETAL, slowest_flying_m_s
from .ranges import feasible_range, top_heavy

WALKING, RUNNING_GAITS = ("walk", "turn"), ("run", "lope", "skip", "hop")

LUNAR_G, STEADY_G = 1.0 / 6.0, 0.4
"""Gravities, in Earth's, between which the transition's Froude number falls to Earth's (Carr and McGee 2009)."""
LUNAR_FROUDE = (0.9, 1.4)
"""Transition at LUNAR_G and below: Carr and McGee's 0.9 and De Witt's 1.39. Below it nobody has measured."""
STEADY_FROUDE = (0.45, 0.55)
"""Transition at STEADY_G and above: Kram's "about 0.5", with 0.05 for the spread between people."""
SUITED_FROUDE = (0.25, 0.47)
"""Transition of the suited Apollo crews at LUNAR_G (Carr and McGee 2009); towards STEADY_G people's without a suit, a guess."""
BEST_FROUDE = 0.25
"""Walking costs least energy a metre there (Minetti 2001, Nature 409:467-469)."""
LOPE_G = 0.5
"""Below this gravity running gaits cost less a metre than walking, and people lope (Carr and McGee 2009)."""


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


def advise(gait: str, speed_m_s: float, gravity_m_s2: float, leg_length_m: float, world: str | None = None) -> str:
    """What measurements of people say about a gait at a speed, gravity and leg length in SI; `world` is for the words."""
    if gait not in WALKING + RUNNING_GAITS:
        raise unknown_name("gait", gait, WALKING + RUNNING_GAITS)
    froude, (low, high) = froude_number(speed_m_s, gravity_m_s2, leg_length_m), transition_froude(gravity_m_s2)
    walks, other = gait in WALKING, None
    if low <= froude <= high:
        why = "people change between walking and running here"
    elif froude > high:
        why, other = "above the walking limit", fast_gait(gravity_m_s2) if walks else None
    else:
        why, other = (_walking_words(froude), None) if walks else ("people walk at this speed", "walk")
    hint = f"; try {other}" if other else ""
    return f"At {speed_m_s:.2g} m/s {place_words(gravity_m_s2, world)}: {why}{hint}"


def _walking_words(froude: float) -> str:
    """How a walk of that Froude number compares with the cheapest."""
    speed = (froude / BEST_FROUDE) ** 0.5
    return "a slow walk" if speed < 0.7 else "a comfortable walk" if speed < 1.2 else "a brisk walk"


def place_words(gravity_m_s2: float, world: str | None = None) -> str:
    """"on the Moon", "on Mars", or "under 2.3 m/s^2" where the place has no name."""
    if world is None or world == CUSTOM:
        return f"under {gravity_m_s2:.3g} m/s^2"
    return "on the Moon" if world == "moon" else f"on {world.replace('-', ' ').title()}"


WALK = "walk"
LOPING_G = 0.25
"""Gravity over Earth's below which people lope of their own choice. Measured on the Moon (0.17 g); up to a quarter a guess."""
LOOK_S = 0.1
"""Time from look to look at a speed that is keyed."""
HEAVY_G = 2.0
"""From here on the walk is called heavy: a guess, since nobody has walked there."""


@dataclass(frozen=True)
class Choice:
    """The gait, why in words, and the speed [m/s] that takes the place of the one asked for, None where it stays."""

    gait: str
    words: str
    speed_m_s: float | None = None

    def taken(self, shot: Shot) -> Shot:
        """The shot with the gait, and the speed, chosen."""
        return shot.with_motion(name=self.gait, speed_m_s=shot.motion.speed_m_s if self.speed_m_s is None else self.speed_m_s)


def choose_gait(
    gravity_m_s2: float, leg_length_m: float, speed_m_s: float | None = None, *, suited: bool = False, world: str | None = None
) -> Choice:
    """The gait that people take under a gravity [m/s^2], at a speed [m/s] or of their own choice (None). Where both gaits are
    right people walk up to the middle of the interval; below `LOPING_G` they bounce as soon as they may."""
    low, high = transition_speed(gravity_m_s2, leg_length_m, suited)
    light = gravity_m_s2 < LOPING_G * EARTH_GRAVITY_M_S2
    bounces = light if speed_m_s is None else speed_m_s > _bouncing_speed(gravity_m_s2, leg_length_m, suited)
    gait = fast_gait(gravity_m_s2) if bounces else WALK
    where = place_words(gravity_m_s2, world)
    if speed_m_s is not None:
        theirs, gait = gait, _standing(gait, speed_m_s, gravity_m_s2, leg_length_m)
        tail = f"at {speed_m_s:.2f} m/s they {theirs}"
        if gait != theirs:
            tail = f"at {speed_m_s:.2f} m/s they {theirs}, and {gait} is what stands at it"
    elif gravity_m_s2 >= HEAVY_G * EARTH_GRAVITY_M_S2:
        tail = "of their own choice they walk, slowly and heavily"
    else:
        tail = f"of their own choice they {gait}"
    return Choice(gait, f"{where} people stop walking between {low:.2f} and {high:.2f} m/s: {tail}")


def _bouncing_speed(gravity_m_s2: float, leg_length_m: float, suited: bool) -> float:
    """Speed [m/s] above which people take a gait with flight."""
    low, high = transition_speed(gravity_m_s2, leg_length_m, suited)
    return low if gravity_m_s2 < LOPING_G * EARTH_GRAVITY_M_S2 else 0.5 * (low + high)


def _standing(gait: str, speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> str:
    """The gait, or, where it was found to fall at the speed, the first of walk, run, lope that stands; else itself."""
    for name in (gait, WALK, "run", "lope"):
        known = feasible_range(name, gravity_m_s2, leg_length_m)
        if known is None or known[0] <= speed_m_s <= known[1]:
            return name
    return gait


def shot_choice(shot: Shot, leg_length_m: float, suited: bool, short_legged: bool = False) -> Choice | None:
    """The gait of a shot whose gait is chosen for it, and why; None for a shot that names its gait or brings a motion."""
    if shot.motion.name != AUTO or shot.motion.source_file is not None:
        return None
    if shot.motion.footprints:
        return Choice(WALK, "footprints are locked, which only a walk keeps")
    if shot.world.ground.kind == "steps" and shot.world.ground.rise_m != 0.0:
        return Choice(WALK, "on steps a foot goes where the treads are, which only a walk does")
    gravity = shot.world.gravity_m_s2
    choice = choose_gait(gravity, leg_length_m, shot.motion.speed_m_s, suited=suited, world=shot.world.name)
    if choice.gait != WALK and short_legged:
        return Choice(WALK, "legs as short as these under so high a body walk")
    return choice if choice.gait == WALK else _through_bends(shot, choice, leg_length_m, suited)


def _through_bends(shot: Shot, choice: Choice, leg_length_m: float, suited: bool) -> Choice:
    """A gait with flight, or the walk where bends leave too little speed to fly or stand: as fast as asked or can be walked."""
    gravity = shot.world.gravity_m_s2
    bend = make_path(shot.motion.path).tightest[0] if shot.motion.path.kind != "circle" or shot.motion.path.radius_m else 0.0
    left = math.sqrt(MOST_CENTRIPETAL * gravity / bend) if bend else math.inf
    least = max(_bouncing_speed(gravity, leg_length_m, suited), slowest_flying_m_s(choice.gait, gravity, leg_length_m))
    if shot.motion.force or left >= min(least, shot.motion.speed_m_s or math.inf):
        return choice
    why = (f"in bends as tight as these people walk: a radius of {1.0 / bend:.2f} m leaves {left:.2f} m/s, and to "
           f"{choice.gait} takes {least:.2f} m/s")
    known = feasible_range(WALK, gravity, leg_length_m)
    most = min(transition_speed(gravity, leg_length_m, suited)[0], math.inf if known is None else known[1])
    if shot.motion.speed_m_s is None or shot.motion.speed_m_s <= most:
        return Choice(WALK, why)
    return Choice(WALK, f"at {most:.2f} m/s, not {shot.motion.speed_m_s:.2f} m/s; {why}", most)


def with_gait(shot: Shot, body: Body) -> Shot:
    """The shot with gaits chosen for its body where it leaves them open, also wherever people change on the way."""
    keys = keyed_gaits(shot, body.leg_length_m, is_suited(body))
    if shot.motion.name != AUTO:
        return shot if keys == shot.motion.keys else shot.with_motion(keys=keys)
    choice = None if shot.motion.source_file else shot_choice(shot, body.leg_length_m, is_suited(body), top_heavy(body))
    return (shot if choice is None else choice.taken(shot)).with_motion(name=WALK if choice is None else choice.gait, keys=keys)


def keyed_gaits(shot: Shot, leg_length_m: float, suited: bool) -> tuple[Key, ...]:
    """The keys of a shot with gaits by name. Under its first gravity; a ramp's is not looked at."""
    gravity = shot.world.gravity_m_s2

    def chosen(speed: float | None) -> str:
        return choose_gait(gravity, leg_length_m, speed, suited=suited).gait

    def speed_at(time_s: float) -> float | None:
        return keyed_speed(shot.motion.keys, time_s, 0.0, first)

    wished = [key.speed_m_s for key in shot.motion.keys if key.speed_m_s is not None]
    first = shot.motion.speed_m_s or (wished[0] if wished else 0.0)
    keys = {key.time_s: replace(key, gait=chosen(speed_at(key.time_s))) if key.gait == AUTO else key for key in shot.motion.keys}
    if shot.motion.name == AUTO and shot.motion.file is None and wished and not any(key.gait for key in shot.motion.keys):
        gait, end_s = chosen(shot.motion.speed_m_s), shot.motion.keys[-1].time_s
        for i in range(1, round(end_s / LOOK_S) + 1):
            time_s = min(i * LOOK_S, end_s)
            now = chosen(speed_at(time_s))
            if now != gait:
                at = next((key_s for key_s in keys if abs(key_s - time_s) < LOOK_S), round(time_s, 6))
                keys[at] = replace(keys[at], gait=now) if at in keys else Key(at, now)
                gait = now
    return tuple(keys[time_s] for time_s in sorted(keys))


def is_suited(body: Body) -> bool:
    """Whether a body wears a suit that weighs something."""
    suit = getattr(body, "suit", None)
    return suit is not None and suit.mass_kg > 0.0
