# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character carries, in a scene: an object that hangs on the bone that bears it, so that it goes wherever the hands go, in
loops, on the spot and in strips too. The scene's own object where one of that name and size is there, else a box."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Matrix

from ...bodies.body import Body
from ...bodies.human.load import below_m
from ...errors import RigError
from ...maths.rotations import about_z, matrix_from_quat
from ..read.armature import match_of
from ..read.figure import Figure
from .hands import palm_turns

CARRIED_KEY = "lope_carried"
"""Property of the object that is carried: its world matrix before, sixteen numbers."""
FRONT = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""From an object's axes, whose front is -Y as a character's, to those of a load, which is x deep and y wide."""


def unit_of(armature: bpy.types.Object, body: Body, figure: Figure) -> float:
    """World units that a metre of a body is, as large as the armature stands."""
    scale = float(np.cbrt(abs(armature.matrix_world.to_3x3().determinant())))
    return scale * figure.units_per_m * figure.leg_length_m / body.leg_length_m


def hang(item: bpy.types.Object, armature: bpy.types.Object, body: Body, figure: Figure,
         bones: Mapping[str, str] | None = None) -> None:
    """Hang an object that is what a body carries on the bone that bears it, of an armature that the body is baked on. Raises
    RigError for a rig without that bone."""
    load, (segment, pose) = body.carries.load, next(iter(body.carries.borne.items()))
    name = _bone_of(armature, figure, segment, bones)
    scale = float(np.cbrt(abs(armature.matrix_world.to_3x3().determinant())))
    unit = unit_of(armature, body, figure) / scale
    before = [number for row in item.matrix_world for number in row]
    palm = palm_turns(figure).get(segment[-1], 0.0) if segment.startswith("hand") else 0.0
    rest = figure.axes @ figure.alignments.get(segment, np.eye(3)).T @ about_z(palm).T
    level = rest @ matrix_from_quat(np.array(pose[3:]))
    turn = level @ FRONT
    joint = figure.origin + figure.units_per_m * (figure.axes @ figure.joint(segment))
    middle = joint + unit * (rest @ np.array(pose[:3]) + level @ [0.0, 0.0, below_m(load)])
    corners = np.array(item.bound_box, dtype=float) * np.array(item.matrix_world.to_scale()) / scale
    place = middle - turn @ (0.5 * (corners.min(axis=0) + corners.max(axis=0)))
    at_rest = Matrix.LocRotScale(place, Matrix(turn.tolist()), np.array(item.matrix_world.to_scale()) / scale)
    bone = armature.data.bones[name]
    item.parent, item.parent_type, item.parent_bone = armature, "BONE", name
    item.matrix_parent_inverse = Matrix.Translation((0.0, -bone.length, 0.0)) @ bone.matrix_local.inverted()
    item.matrix_basis = at_rest
    item[CARRIED_KEY] = before


def let_go(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Put what the armature carries back where it was; gives that."""
    items = [one for one in armature.children if CARRIED_KEY in one]
    for item in items:
        numbers = list(item.pop(CARRIED_KEY))
        item.parent, item.matrix_parent_inverse = None, Matrix()
        item.matrix_world = Matrix([numbers[i:i + 4] for i in range(0, 16, 4)])
    return items


def _bone_of(armature: bpy.types.Object, figure: Figure, segment: str, bones: Mapping[str, str] | None) -> str:
    """Name of the bone that moves as a segment does."""
    name = (bones or match_of(armature).joint_of).get(segment) or figure.bone_of.get(segment)
    if name is None:
        raise RigError(f"The armature {armature.name!r} has no bone for {segment}, on which its load could hang: name one in the "
                       "bone map.")
    return name
