# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an armature is drawn as a creature or as a person, by its bones alone: quick enough to be asked whenever it changes."""

from __future__ import annotations

import bpy
import numpy as np

from ...bodies.creature.anatomy.find import find_creature
from ...errors import RigError
from .armature import check_armature, match_of, rest_bones, skin_shares
from .detect import Rest, skeleton_of


def leg_bones(armature: bpy.types.Object) -> tuple[tuple[str, ...], ...]:
    """The bones of the legs of an armature read as a creature, from the hip down; none where it has no two legs. Raises RigError
    for what is no armature, or is being edited."""
    check_armature(armature)
    skeleton = skeleton_of(Rest(rest_bones(armature), np.array(armature.matrix_world, dtype=float), skin_shares(armature)))
    found = find_creature(skeleton, None, {}, armature.name).creature
    return () if found is None else tuple(
        tuple(skeleton.names[joint] for joint in leg.joints if joint >= 0) for leg in found.legs.values())


def drawn_as_creature(armature: bpy.types.Object) -> bool:
    """Whether an armature has two legs and is no person's: none is found in its bones, or one whose thighs are not the first
    bones of its legs, as where a bird's shanks are taken for them."""
    try:
        legs = leg_bones(armature)
    except RigError:
        return False
    try:
        person = match_of(armature).bone_of
    except RigError:
        return bool(legs)
    return any(leg[0] not in (person.get("thigh_L"), person.get("thigh_R")) for leg in legs)
