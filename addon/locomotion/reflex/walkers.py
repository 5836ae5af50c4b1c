# SPDX-License-Identifier: GPL-3.0-or-later
"""Reflex walkers by name and by speed: the shipped ones, an animator's own, and the one that a shot gets."""

from __future__ import annotations

import math
from pathlib import Path

from ...bodies.body import Body
from ...bodies.makers import KIND as PLANAR
from ...checks import Number
from ...errors import InputError, unknown_name
from ...specs.motions import WALKER_FORMAT, Reflex, Walker
from ...specs.settings import PRESETS, file_of, names_in, read_preset
from ...specs.shot import Shot
from .law import STANDARD_LEG_M
from .parameters import PARAMETERS

FOLDER = PRESETS / "reflex"
IN_PLANE = "planar"
"""Beginning of the names of a planar body's walkers, planar/NAME, and their folder."""
USUAL_M_S = 1.25
"""The speed of a walk for which none is asked, for the standard body on Earth (Wang 2012's first)."""
SCALES = 0.88, 1.07
"""So much of its own gravity a walker bears, scaled to it (`controller.py`): Earth's stood 20 s unsearched from 5 noisy starts at
0.89 and 1.06 of it, one of 1.5 g fell at 1.10, those of little gravity at 0.83 (docs/notes/reflex-gravity.md)."""
NEAR_M_S = 0.05
"""A speed that is missed by more is told of."""
NEAREST = ("It goes at {0} m/s: of the walkers there are here ({1} m/s) that is the nearest to {2} m/s. A reflex walker has one "
           "speed, that of its search.")
OWN = "It goes at {0} m/s, not at {1} m/s: a reflex walker has one speed, that of its search."


def walker_names(flat: bool = False) -> list[str]:
    """Those that ship, of a human or of a planar body."""
    return [f"{IN_PLANE}/{name}" for name in names_in(FOLDER / IN_PLANE)] if flat else names_in(FOLDER)


def read_walker(path: Path) -> Walker:
    """The walker of a file. Raises InputError naming the file and what does not fit."""
    return read_preset(path, Walker, "reflex walker", newest=WALKER_FORMAT, check=checked)


def checked(walker: Walker) -> Walker:
    """A walker all of whose numbers the law knows, within their ranges. Raises InputError for another one."""
    for name, value in walker.parameters.items():
        if name not in PARAMETERS:
            raise unknown_name("number of the reflexes", name, PARAMETERS)
        Number(PARAMETERS[name].low, PARAMETERS[name].high).check(f"The number {name} of the reflexes", value)
    return walker


def load_walker(name: str) -> Walker:
    """The walker of a shipped one's name, or of a file whose name ends in .json. Raises InputError."""
    return read_walker(FOLDER / f"{name}.json" if name in walker_names(flat=True) else file_of(FOLDER, "reflex walker", name))


def own_speed_m_s(walker: Walker, body: Body, gravity_m_s2: float) -> float:
    """The speed [m/s] that a walker comes to with a body of another size, or under another gravity, if it goes similarly."""
    return walker.speed_m_s * _faster(walker, body, gravity_m_s2)


def own_frequency_hz(walker: Walker, body: Body, gravity_m_s2: float) -> float:
    return walker.stride_frequency_hz * _faster(walker, body, gravity_m_s2) * walker.leg_length_m / body.leg_length_m


def _faster(walker: Walker, body: Body, gravity_m_s2: float) -> float:
    return math.sqrt(gravity_m_s2 * body.leg_length_m / (walker.gravity_m_s2 * walker.leg_length_m))


def walker_of(shot: Shot, body: Body) -> tuple[Walker, str]:
    """The walker that a shot gets, its own or the shipped one that comes nearest to its speed, and in a sentence how near; empty
    where it is near. Raises InputError where none was searched for a gravity like its own, unless the shot is forced."""
    gravity = shot.world.gravity_m_s2
    given = shot.motion_as(Reflex).walker
    if given is not None:
        walker = checked(given)
        if not (SCALES[0] <= gravity / walker.gravity_m_s2 <= SCALES[1] or shot.motion.force):
            raise InputError(f"The reflex walker {walker.name} was searched for a gravity of {walker.gravity_m_s2:g} m/s^2, "
                             f"too far from {gravity:g} m/s^2: choose another one, search one (lope tune --gait reflex), or "
                             "force the shot to see how it falls.")
        return walker, _missed(shot, own_speed_m_s(walker, body, gravity), ())
    shipped = [load_walker(name) for name in walker_names(body.kind == PLANAR)]
    if not shipped:
        raise InputError("No reflex walker is shipped: give a walker's file.")
    bear = [one for one in shipped if SCALES[0] <= gravity / one.gravity_m_s2 <= SCALES[1]]
    if not bear and not shot.motion.force:
        known = ", ".join(f"{g:g}" for g in sorted({one.gravity_m_s2 for one in shipped}))
        raise InputError(f"No reflex walker was searched for a gravity of {gravity:g} m/s^2: there are some for {known} m/s^2. "
                         "Search one (lope tune --gait reflex), or force the shot to see how one of those falls.")
    nearest = min((one.gravity_m_s2 for one in bear or shipped), key=lambda g: abs(math.log(g / gravity)))
    from_these = [one for one in shipped if one.gravity_m_s2 == nearest]
    usual = USUAL_M_S * math.sqrt(gravity * body.leg_length_m / (9.81 * STANDARD_LEG_M))
    wanted = usual if shot.motion.speed_m_s is None else shot.motion.speed_m_s
    walker = min(from_these, key=lambda one: abs(own_speed_m_s(one, body, gravity) - wanted))
    speeds = sorted(own_speed_m_s(one, body, gravity) for one in from_these)
    return walker, _missed(shot, own_speed_m_s(walker, body, gravity), speeds)


def _missed(shot: Shot, own: float, speeds: list[float] | tuple[float, ...]) -> str:
    if shot.motion.speed_m_s is None or abs(own - shot.motion.speed_m_s) <= NEAR_M_S:
        return ""
    if not speeds:
        return OWN.format(f"{own:.2f}", f"{shot.motion.speed_m_s:g}")
    return NEAREST.format(f"{own:.2f}", ", ".join(f"{speed:.2f}" for speed in speeds), f"{shot.motion.speed_m_s:g}")
