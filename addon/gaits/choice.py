# SPDX-License-Identifier: GPL-3.0-or-later
"""The gait that people choose under a gravity, at a speed or of their own choice, and the reason in words.

Sources: those of `advice`; below a quarter of Earth's gravity bouncing costs less a metre than walking (Pavei, Biancardi and
Minetti 2015), and the Apollo crews loped at 1.0 to 1.9 m/s of their own choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..bodies.body import Body
from ..specs.keys import Key, keyed_speed
from ..specs.shot import AUTO, EARTH_GRAVITY_M_S2, Shot
from ..worlds.paths import make_path
from .advice import fast_gait, place_words, transition_speed
from .bends import least_radius_m, slowest_flying_m_s
from .ranges import feasible_range, top_heavy

WALK = "walk"
LOPING_G = 0.25
"""Gravity over Earth's below which people lope of their own choice. Measured on the Moon (0.17 g); up to a quarter a guess."""
LOOK_S = 0.1
"""Time from look to look at a speed that is keyed."""
HEAVY_G = 2.0
"""From here on the walk is called heavy: a guess, since nobody has walked there."""


@dataclass(frozen=True)
class Choice:
    """The gait, and why in words."""

    gait: str
    words: str


def choose_gait(
    gravity_m_s2: float, leg_length_m: float, speed_m_s: float | None = None, *, suited: bool = False, world: str | None = None
) -> Choice:
    """The gait that people take under a gravity [m/s^2], at a speed [m/s] or of their own choice (None).

    Where both gaits are right people walk up to the middle of the interval; below `LOPING_G` they bounce as soon as they may.
    """
    low, high = transition_speed(gravity_m_s2, leg_length_m, suited)
    light = gravity_m_s2 < LOPING_G * EARTH_GRAVITY_M_S2
    bounces = light if speed_m_s is None else speed_m_s > (low if light else 0.5 * (low + high))
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


def _standing(gait: str, speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> str:
    """The gait, or, where it was found to fall at the speed, the first of walk, run and lope that stands;
    itself where none does."""
    for name in (gait, WALK, "run", "lope"):
        known = feasible_range(name, gravity_m_s2, leg_length_m)
        if known is None or known[0] <= speed_m_s <= known[1]:
            return name
    return gait


def shot_choice(shot: Shot, leg_length_m: float, suited: bool, short_legged: bool = False) -> Choice | None:
    """The gait of a shot whose gait is chosen for it, and why; None for a shot that names its gait or brings a motion."""
    if shot.gait != AUTO or shot.motion is not None:
        return None
    if shot.footprints:
        return Choice(WALK, "footprints are locked, which only a walk keeps")
    gravity = shot.world.gravity_m_s2
    choice = choose_gait(gravity, leg_length_m, shot.speed_m_s, suited=suited, world=shot.world.name)
    if choice.gait != WALK and short_legged:
        return Choice(WALK, "legs as short as these under so high a body walk")
    bend, least = make_path(shot.path).tightest[0] if shot.path.kind != "circle" or shot.path.radius_m else 0.0, 0.0
    if choice.gait != WALK:
        least = least_radius_m(slowest_flying_m_s(choice.gait, gravity, leg_length_m), gravity, leg_length_m)
    if bend * least > 1.0:
        return Choice(WALK, f"the path has a turn of a radius of {1.0 / bend:.2f} m, which is walked: to {choice.gait} needs "
                            f"{least:.2f} m")
    return choice


def with_gait(shot: Shot, body: Body) -> Shot:
    """The shot with gaits by name, chosen for its body where it leaves them open: at its start, at its keys, and, where it leaves
    the gait open and keys its speed alone, wherever people change on the way."""
    keys = keyed_gaits(shot, body.leg_length_m, is_suited(body))
    if shot.gait != AUTO:
        return shot if keys == shot.keys else replace(shot, keys=keys)
    choice = None if shot.motion else shot_choice(shot, body.leg_length_m, is_suited(body), top_heavy(body))
    return replace(shot, gait=WALK if choice is None else choice.gait, keys=keys)


def keyed_gaits(shot: Shot, leg_length_m: float, suited: bool) -> tuple[Key, ...]:
    """The keys of a shot with gaits by name. Under its first gravity; a ramp's is not looked at."""
    gravity = shot.world.gravity_m_s2

    def chosen(speed: float | None) -> str:
        return choose_gait(gravity, leg_length_m, speed, suited=suited).gait

    def speed_at(time_s: float) -> float | None:
        return keyed_speed(shot.keys, time_s, 0.0, first)

    wished = [key.speed_m_s for key in shot.keys if key.speed_m_s is not None]
    first = shot.speed_m_s or (wished[0] if wished else 0.0)
    keys = {key.time_s: replace(key, gait=chosen(speed_at(key.time_s))) if key.gait == AUTO else key for key in shot.keys}
    if shot.gait == AUTO and shot.motion is None and wished and not any(key.gait for key in shot.keys):
        gait, end_s = chosen(shot.speed_m_s), shot.keys[-1].time_s
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
