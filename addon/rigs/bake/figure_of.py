# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature as the figure that a take asks for, or that the action on it was baked for: a person's or a creature's."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ...bodies.body import Body
from ...bodies.creature.body import CreatureBody
from ...errors import InputError, RigError
from ...specs.creature import Creature
from ..read.armature import match_of, read_figure
from ..read.creature_figure import creature_figure
from ..read.figure import Figure
from .provenance import baked_actions, shot_of


def figure_for(armature: bpy.types.Object, body: Body, bone_map: Mapping[str, str] | None = None,
               scene: bpy.types.Scene | None = None) -> Figure:
    """The figure of an armature that a take of this body is for. Raises RigError where it is none."""
    if isinstance(body, CreatureBody):
        return creature_figure(armature, body.creature, scene)
    return read_figure(armature, bone_map, scene)


def shown_figure(armature: bpy.types.Object, bone_map: Mapping[str, str] | None = None,
                 scene: bpy.types.Scene | None = None) -> Figure:
    """The figure of an armature as what it was baked: a creature where it last moved as one. Raises RigError where it is none."""
    creature = _shown_creature(armature)
    return read_figure(armature, bone_map, scene) if creature is None else creature_figure(armature, creature, scene)


def hips_of(armature: bpy.types.Object, figure: Figure, bone_map: Mapping[str, str] | None = None) -> str:
    """The bone that begins at a figure's hips."""
    if bone_map or not figure.has_hands:
        return (bone_map or figure.bone_of)[figure.hips]
    return match_of(armature).joint_of[figure.hips]


def is_figure(armature: bpy.types.Object) -> bool:
    """Whether an armature is a person, or was baked as a creature."""
    if _shown_creature(armature) is not None:
        return True
    try:
        match_of(armature)
    except RigError:
        return False
    return True


def _shown_creature(armature: bpy.types.Object) -> Creature | None:
    for action in baked_actions(armature):
        try:
            return shot_of(action).body.creature
        except InputError:
            continue
    return None
