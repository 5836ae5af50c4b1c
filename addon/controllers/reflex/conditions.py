# SPDX-License-Identifier: GPL-3.0-or-later
"""A condition on the eight units of a leg: which of them are meant by a group of muscles, or a muscle's name."""

from __future__ import annotations

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.muscles.deconditioning import left_of_force
from ...errors import InputError
from ...specs.condition import DISPLACED, TIGHT, UNLOADED, WEAK, Condition
from .units import ANATOMY, NAMES, Routing

GROUPS: dict[str, tuple[str, ...]] = {
    "plantar_flexors": ("SOL", "GAS"), "dorsiflexors": ("TA",), "knee_extensors": ("VAS", "RF"), "hamstrings": ("HAM",),
    "knee_flexors": ("HAM", "GAS"), "hip_flexors": ("HFL", "RF"), "hip_extensors": ("GLU", "HAM")}
"""Units by what they do (`bodies.muscles` groups' names)."""
PARTS: dict[str, tuple[str, ...]] = {
    "GLU": ("gluteals", "gluteus_maximus"), "HFL": ("hip_flexors", "iliacus", "psoas", "iliopsoas"),
    "HAM": ("hamstrings", "biceps_femoris", "semimembranosus", "semitendinosus"), "RF": ("rectus_femoris",),
    "VAS": ("vasti", "vastus"), "GAS": ("gastrocnemius",), "SOL": ("soleus",), "TA": ("tibialis_anterior",)}
"""What a unit stands for: beginnings of muscles' names."""


def conditioned(routing: Routing, condition: Condition) -> None:
    """Change the units' forces and slack tendons, which are (2, 8) then, left leg first. Raises InputError for what eight units a
    leg do not have, and for what is no matter of muscles."""
    force, slack = (np.tile(values, (len(SIDES), 1)) if values.ndim == 1 else values
                    for values in (routing.force_n, routing.slack_m))
    for change in condition.changes:
        if change.kind == DISPLACED:
            continue  # it is the body's, which has it already
        if change.kind == UNLOADED:
            force *= [left_of_force(groups_of(name), change.value) for name in NAMES]
            continue
        if change.kind not in (WEAK, TIGHT):
            raise InputError(f"A reflex walker's muscles can be weak or tight; a change of the kind {change.kind!r} is for a "
                             "body whose muscles are all there: choose the controller tracking with muscles.")
        units = [NAMES.index(name) for name in units_of(change.target)]
        for side in change.sides:
            (force if change.kind == WEAK else slack)[SIDES.index(side), units] *= change.value
    routing.force_n, routing.slack_m = force, slack


def groups_of(unit: str) -> tuple[str, ...]:
    """The groups that a unit is in."""
    return tuple(group for group, units in GROUPS.items() if unit in units)


def units_of(target: str) -> tuple[str, ...]:
    """The units that are meant by a group or by the beginning of a muscle's name. Raises InputError where there are none."""
    found = GROUPS.get(target) or tuple(unit for unit, names in PARTS.items() if any(
        name.startswith(target) or target.startswith(name) for name in names))
    if not found:
        raise InputError(f"A reflex walker has no {target}: its legs have {', '.join(ANATOMY[name] for name in NAMES)}.")
    return found
