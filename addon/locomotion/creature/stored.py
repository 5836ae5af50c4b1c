# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits of creatures that searches found: the shipped ones, an animator's own, and the one for any body and speed."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from ...bodies.body import Body
from ...bodies.makers import make_body
from ...errors import InputError
from ...maths.rotations import plane_angle
from ...specs.motions import GAIT_FORMAT, USER_FOLDER, Creature, CreatureGait
from ...specs.settings import PRESETS, file_of, names_in, read_preset
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from .controller import asked_speed_m_s
from .felt import Layout
from .law import neutral
from .parameters import HIGH, LOW, ORDER, vector_of

MOST_SEGMENTS = 4
"""Segments of a leg, foot not counted, that are told apart."""
WEIGHTS: tuple[tuple[str, float], ...] = (("leg_", 1.0), ("bend_", 0.5), ("drawn_", 3.0), ("hips", 1.5), ("toe", 1.0),
                                          ("heel", 1.0), ("mass_", 2.0), ("above", 0.5), ("ahead", 1.5), ("spin_", 1.0))
"""How much a difference counts, by the beginnings of names (first guesses)."""
SPEED_WEIGHT = 0.7
"""How much the logarithm of two dimensionless speeds' ratio counts beside it."""


def proportions(body: Body) -> dict[str, float]:
    """Of a body with two legs, lengths over the leg's, masses over the whole: the shares of the leg's segments from the hip
    down, which way each joint is bent in the drawing [rad], how long the leg is drawn; the hips' distance, the sole ahead of and
    behind the ankle; the legs' mass; and of all else how far over and ahead of the hips it weighs, and its radii of gyration in
    pitch, roll and yaw about the hips. Raises BodyError for a body that has no such legs."""
    layout = Layout(body)
    leg_m = body.leg_length_m
    _, place = neutral(body)
    joints = place[layout.legs[0]]
    between = np.diff(joints, axis=0)
    angles = plane_angle(between[:, 0], -between[:, 2])
    found = {"drawn_leg": float(np.linalg.norm(joints[-1] - joints[0]) / leg_m),
             "hips": float(np.linalg.norm(place[layout.legs[0, 0]] - place[layout.legs[1, 0]]) / leg_m)}
    for i in range(MOST_SEGMENTS):
        found[f"leg_{i + 1}"] = float(np.linalg.norm(between[i]) / leg_m) if i < len(between) else 0.0
    for i in range(MOST_SEGMENTS - 1):
        found[f"bend_{i + 1}"] = float(angles[i + 1] - angles[i]) if i + 1 < len(angles) else 0.0
    sole = np.array([body.contact_points[i].position[0] for i in body.feet[0].points])
    found |= {"toe": float(sole.max() / leg_m), "heel": float(-sole.min() / leg_m)}
    legs = set(layout.legs.ravel().tolist())
    rest = [row for row in range(len(body.segments)) if row not in legs]
    mass = layout.mass_kg[rest]
    hips = place[layout.legs[:, 0]].mean(axis=0)
    arms = np.array([place[row] + body.segments[row].com for row in rest]) - hips
    middle = (mass @ arms) / mass.sum()
    x, y, z = (arms**2).T
    spread = mass @ np.stack([x + z, y + z, x + y], axis=1)
    own = np.array([np.diag(body.segments[row].inertia)[[1, 0, 2]] for row in rest]).sum(axis=0)
    radii = np.sqrt((spread + own) / mass.sum()) / leg_m
    found |= {"mass_legs": float(1.0 - mass.sum() / body.mass_kg), "above": float(middle[2] / leg_m),
              "ahead": float(middle[0] / leg_m), "spin_pitch": float(radii[0]), "spin_roll": float(radii[1]),
              "spin_yaw": float(radii[2])}
    return {name: round(value, 4) for name, value in found.items()}


def unlike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How unlike two bodies are by their proportions, 0 for the same; what one of them does not tell does not count."""
    total = 0.0
    for name in one.keys() & other.keys():
        weight = next((weight for start, weight in WEIGHTS if name.startswith(start)), 0.0)
        total += (weight * (one[name] - other[name]))**2
    return math.sqrt(total)


FOLDER = PRESETS / "creature_gaits"
NEAR = 0.35
"""A stored gait of a body and speed that are no more unlike than this is taken where none is given: at 0.5 a human's lets long
legs and a long neck fall, which go longer by the untuned law."""
OWN = 0.05
"""One that is no more unlike than this is the creature's own."""
UNTUNED = ("No stored gait is near to this creature and speed: it goes by the untuned law, and may fall. Search one: lope tune "
           "--creature NAME --out FILE.json.")
NEAREST = "It goes by the stored gait {0}, the nearest to its proportions and speed."
DIGITS = 5
"""Significant digits of a gait's numbers in its file."""


def gait_names() -> list[str]:
    return names_in(FOLDER)


def read_gait(path: Path) -> CreatureGait:
    """The gait of a file. Raises InputError naming the file and what does not fit."""
    return read_preset(path, CreatureGait, "creature's gait", newest=GAIT_FORMAT, check=checked)


def checked(gait: CreatureGait) -> CreatureGait:
    """A gait all of whose numbers the law knows, within their bounds. Raises InputError for another one."""
    for name, value, low, high in zip(ORDER, vector_of(gait.parameters), LOW, HIGH, strict=True):
        if not low - 1e-9 <= value <= high + 1e-9:
            raise InputError(f"The number {name} of the gait {gait.name} must lie between {low:g} and {high:g}, got {value:g}.")
    return gait


def load_gait(name: str) -> CreatureGait:
    """The gait of a shipped one's name, or of a file whose name ends in .json. Raises InputError."""
    return read_gait(file_of(FOLDER, "creature's gait", name))


@cache
def shipped_gaits() -> tuple[CreatureGait, ...]:
    return tuple(read_gait(FOLDER / f"{name}.json") for name in gait_names())


def known_gaits() -> tuple[CreatureGait, ...]:
    """Those of the user's own folder, where there is one, then all that are shipped. What is no gait in there is left out."""
    folder = os.environ.get(USER_FOLDER)
    own = []
    for path in sorted(Path(folder).glob("*.json")) if folder else ():
        with contextlib.suppress(InputError):
            own.append(read_gait(path))
    return (*own, *shipped_gaits())


def rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}


def scaled(gait: CreatureGait, body: Body, gravity_m_s2: float) -> CreatureGait:
    """The gait for a body of another size or under another gravity by similarity: its numbers, which have no units, stay; its
    speed goes with the root of gravity and leg. Its trial was another one's, and is left out."""
    leg_m = body.leg_length_m
    if math.isclose(leg_m, gait.leg_length_m, rel_tol=1e-6) and math.isclose(gravity_m_s2, gait.gravity_m_s2, rel_tol=1e-6):
        return gait
    speed = min(gait.dimensionless_speed * math.sqrt(gravity_m_s2 * leg_m), 15.0)
    return replace(gait, speed_m_s=speed, gravity_m_s2=gravity_m_s2, leg_length_m=leg_m, mass_kg=body.mass_kg, trial=None)


def by_likeness(body: Body, speed: float | None = None, *, muscles: bool = False,
                gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> list[tuple[float, CreatureGait]]:
    """The stored gaits, each with how unlike its body and dimensionless speed are, the nearest first; of some that are as near
    those of the nearest gravity. Without a speed that of the gaits counts for nothing. With `muscles` those that have some,
    else those that have none: the torques that muscles were found with are no gait of their own."""
    own = proportions(body)
    stored = [gait for gait in known_gaits() if gait.proportions and muscles == (gait.muscles is not None)]

    def off(gait: CreatureGait) -> float:
        times = 1.0 if speed is None else max(speed, 0.05) / max(gait.dimensionless_speed, 0.05)
        return unlike(own, gait.proportions) + SPEED_WEIGHT * abs(math.log(times))

    return sorted(((off(gait), gait) for gait in stored), key=lambda pair: (
        round(pair[0], 2), abs(math.log(gravity_m_s2 / pair[1].gravity_m_s2)), pair[0], pair[1].name))


def gait_of(shot: Shot, body: Body) -> tuple[CreatureGait | None, str]:
    """The gait that a shot of a creature gets, scaled to its body and gravity: its own, the nearest stored one, or None for the
    untuned law where none is near; and in a sentence where it is from, empty for its own. Raises InputError for a gait whose
    numbers the law does not know."""
    gravity = shot.world.gravity_m_s2
    given = shot.motion_as(Creature).gait
    if given is not None:
        return scaled(checked(given), body, gravity), ""
    speed = None if shot.motion.speed_m_s is None else shot.motion.speed_m_s / math.sqrt(gravity * body.leg_length_m)
    known = by_likeness(body, speed, muscles=shot.controller == Creature.CONTROLLERS[1], gravity_m_s2=gravity)
    unlike_by, gait = next(iter(known), (math.inf, None))
    if gait is None or unlike_by > NEAR:
        return None, UNTUNED
    return scaled(gait, body, gravity), "" if unlike_by < OWN else NEAREST.format(gait.name)


BY_TORQUES, BY_MUSCLES = Creature.CONTROLLERS
SAME = 0.1
"""Muscles that were searched for a body no more unlike than this are its own (first guess)."""
NO_MUSCLES = "No gait by muscles is stored for it: it goes by motors at its joints, which are quick."
WITH_MUSCLES = "It goes by muscles, in the stored gait {0}."
WALK, FAST = "a walk", "fast: it may bounce"
FAST_FROUDE = 0.25
"""Froude number of the speed beyond which searched gaits bounced (a prototype: v over sqrt(g L) of about .5)."""


def pace_of(shot: Shot) -> tuple[float, float, str]:
    """The speed [m/s] that a creature is asked for, its Froude number v^2 / (g L), L without the foot, and what that means."""
    body = make_body(shot.body)
    speed = asked_speed_m_s(shot, body)
    number = speed**2 / (shot.world.gravity_m_s2 * body.leg_length_m)
    return speed, number, FAST if number > FAST_FROUDE else WALK


def chosen(shot: Shot, quick: bool) -> tuple[Shot, str]:
    """A creature's shot with the gait that is stored for it and the controller that the gait is for; and in sentences, each on a
    line, which that is, nothing of one that the shot names itself. `quick` leaves muscles out. Raises LopeError for a gait that
    cannot be used."""
    given = shot.motion_as(Creature).gait
    if given is not None:
        own = not quick and given.muscles is not None
        return shot.with_motion(controller=BY_MUSCLES if own else BY_TORQUES), ""
    body, gravity = make_body(shot.body), shot.world.gravity_m_s2
    speed = None if shot.motion.speed_m_s is None else shot.motion.speed_m_s / math.sqrt(gravity * body.leg_length_m)
    unlike_by, gait = next(iter(() if quick else by_likeness(body, speed, muscles=True, gravity_m_s2=gravity)), (math.inf, None))
    if gait is not None and unlike_by <= SAME:
        gait = scaled(gait, body, gravity)
        return shot.with_motion(gait=gait, controller=BY_MUSCLES), WITH_MUSCLES.format(gait.name)
    shot = shot.with_motion(controller=BY_TORQUES)
    gait, where = gait_of(shot, body)
    told = where if quick else f"{NO_MUSCLES}\n{where}".rstrip()
    return shot.with_motion(gait=gait), told
