# SPDX-License-Identifier: GPL-3.0-or-later
"""Root motion on the armature object: its own location and rotation channels, parents, scale and rotation mode respected."""

from __future__ import annotations

import bpy
import numpy as np

from ...errors import RigError
from ...maths.quaternions import quat_multiply
from ..read.figure import Figure, RestBone
from .pose import root_pose
from .rotation import channels
from .tracks import Track
from .travel import Travel

GROUP = "Object Transforms"
"""Group of the object's curves, the name Blender itself gives it."""


def object_tracks(armature: bpy.types.Object, figure: Figure, travel: Travel) -> list[Track]:
    """Location and rotation of the armature object that carry the travel, starting from where it stands now.

    Raises RigError where delta transforms or locks of the object stand in the way.
    """
    if not np.allclose(armature.delta_location, 0.0) or not np.allclose(armature.delta_scale, 1.0) or not np.allclose(
            armature.delta_rotation_euler, 0.0):
        raise RigError(f"Armature {armature.name!r} has delta transforms, which its keys would come on top of; clear "
                       "them, or choose another root motion.")
    origin = RestBone("", None, np.zeros(3), np.array([0.0, 1.0, 0.0]), np.eye(3))
    turn, place = root_pose(figure, origin, travel)
    basis = armature.matrix_basis
    start = np.array(basis.to_quaternion())
    location = np.array(basis, dtype=float)[:3, 3] + place @ np.array(basis, dtype=float)[:3, :3].T
    prop, values = channels(quat_multiply(np.broadcast_to(start, turn.shape), turn), armature.rotation_mode)
    return [Track(GROUP, "location", location), Track(GROUP, prop, values)]
