# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits of creatures that searches found: the shipped ones, an animator's own, and the one for any body and speed."""

from __future__ import annotations

import contextlib
import math
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

from ...bodies.body import Body
from ...errors import InputError
from ...specs.creature_gait import CONTROLLERS, FORMAT, CreatureGait
from ...specs.presets import PRESETS, file_of, names_in, read_preset
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from .likeness import proportions, unlike, unlike_speed
from .parameters import HIGH, LOW, ORDER, vector_of
from .timing import straight_leg_m

FOLDER = PRESETS / "creature_gaits"
NEAR = 0.35
"""A stored gait of a body and speed that are no more unlike than this is taken where none is given: at 0.5 a human's lets long
legs and a long neck fall, which go longer by the untuned law."""
OWN = 0.05
"""One that is no more unlike than this is the creature's own."""
UNTUNED = ("No stored gait is near to this creature and speed: it goes by the untuned law, and may fall. Search one: lope tune "
           "--creature NAME --out FILE.json.")
NEAREST = "It goes by the stored gait {0}, the nearest to its proportions and speed."
USER_FOLDER = "LOPE_CREATURE_GAITS"
"""Environment variable naming a folder with the gaits that a user's own searches found: Blender's user has one."""
DIGITS = 5
"""Significant digits of a gait's numbers in its file."""


def gait_names() -> list[str]:
    """Names of the shipped ones."""
    return names_in(FOLDER)


def read_gait(path: Path) -> CreatureGait:
    """The gait of a file. Raises InputError naming the file and what does not fit."""
    return read_preset(path, CreatureGait, "creature's gait", newest=FORMAT, check=checked)


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
    """All that are shipped."""
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
    """Numbers of the law as a file holds them."""
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}


def scaled(gait: CreatureGait, body: Body, gravity_m_s2: float) -> CreatureGait:
    """The gait for a body of another size or under another gravity by similarity: its numbers, which have no units, stay; its
    speed goes with the root of gravity and leg. Its trial was another one's, and is left out."""
    leg_m = straight_leg_m(body)
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
        return unlike(own, gait.proportions) + (0.0 if speed is None else unlike_speed(speed, gait.dimensionless_speed))

    return sorted(((off(gait), gait) for gait in stored), key=lambda pair: (
        round(pair[0], 2), abs(math.log(gravity_m_s2 / pair[1].gravity_m_s2)), pair[0], pair[1].name))


def nearest_few(body: Body, speed: float, few: int) -> list[CreatureGait]:
    """So many stored gaits, the nearest by body and dimensionless speed first."""
    return [gait for _, gait in by_likeness(body, speed)[:few]]


def gait_of(shot: Shot, body: Body) -> tuple[CreatureGait | None, str]:
    """The gait that a shot of a creature gets, scaled to its body and gravity: its own, the nearest stored one, or None for the
    untuned law where none is near; and in a sentence where it is from, empty for its own. Raises InputError for a gait whose
    numbers the law does not know."""
    gravity = shot.world.gravity_m_s2
    if shot.creature is not None:
        return scaled(checked(shot.creature), body, gravity), ""
    speed = None if shot.speed_m_s is None else shot.speed_m_s / math.sqrt(gravity * straight_leg_m(body))
    known = by_likeness(body, speed, muscles=shot.controller == CONTROLLERS[1], gravity_m_s2=gravity)
    unlike_by, gait = next(iter(known), (math.inf, None))
    if gait is None or unlike_by > NEAR:
        return None, UNTUNED
    return scaled(gait, body, gravity), "" if unlike_by < OWN else NEAREST.format(gait.name)


