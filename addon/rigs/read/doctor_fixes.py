# SPDX-License-Identifier: GPL-3.0-or-later
"""The doctor's fixes, by the key of the finding."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Matrix
from scipy.spatial.transform import Rotation

from ...errors import RigError
from ...maths.rotations import rotation_between
from .armature import match_of, meshes_of, read_figure
from .blend_file import override_character
from .doctor import disconnect, doctor, editing, fighting_constraints, moving_drivers, scale_curves, short_bones, up_of
from .poses import curves_of

# isort: split


PERSON_M = 1.75
"""Height that a rig of no human size is scaled to."""

_NEARLY_RAD, _MOSTLY = np.radians(25.0), 0.9
"""A figure that lies within this of a whole quarter turn, about an axis that is mostly one of the world's, lies by that much:
importers confuse axes, they do not tilt."""

_SPROUT = 0.02
"""Length that a bone without one gets, as a share of the armature's longest bone."""


def fix(armature: bpy.types.Object, key: str, scene: bpy.types.Scene) -> str:
    """Put right what the finding `key` names; returns what was done in one sentence. Raises RigError where there is no such
    finding, no fix for it, or Blender refuses."""
    found = {finding.key: finding for finding in doctor(armature, scene)}
    if key not in found:
        raise RigError(f"The doctor finds nothing of the kind {key!r} on {armature.name!r}; nothing was changed.")
    if found[key].fix is None:
        raise RigError(f"{found[key].sentence} Lope cannot do that for you.")
    return _FIXES[key](armature, scene)


def _override(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    made = override_character(armature, scene)
    if made is None:
        raise RigError(f"Blender cannot make a library override of {armature.name!r}; use Object, Library Override, Make.")
    _editable(made, scene)
    return f"{made.name} is a library override now"


def _editable(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    armature.override_library.is_system_override = False
    return f"{armature.name} can be edited now"


def _show(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    armature.hide_viewport = False
    for layer in scene.view_layers:
        if armature.name in layer.objects:
            armature.hide_set(False, view_layer=layer)
    return f"{armature.name} is shown"


def _pose(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    armature.data.pose_position = "POSE"
    return f"{armature.name} shows its pose"


def _apply_scale(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Blender's own Apply Scale on the armature and the meshes it carries; each keeps its place in the world."""
    if armature.data.users > 1:
        raise RigError(f"The bones of {armature.name!r} are shared with other objects, so its scale cannot be applied; "
                       "make them single-user first (Object, Relations, Make Single User).")
    if "location" in _keyed_parts(armature):
        raise RigError(f"The action of {armature.name!r} has keys on locations of bones, which applying the scale would "
                       "put out; take the action away first.")
    layer = scene.view_layers[0]
    items = [armature, *(child for child in armature.children if child.type == "MESH" and child.data.users == 1)]
    with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=armature, object=armature,
                                   selected_objects=items, selected_editable_objects=items):
        try:
            bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        except RuntimeError as error:
            raise RigError(f"Blender cannot apply the scale of {armature.name!r}: {str(error).strip()}") from error
    return f"The scale of {armature.name} is applied"


def _keyed_parts(armature: bpy.types.Object) -> list[str]:
    data = armature.animation_data
    if data is None or data.action is None:
        return []
    return [curve.data_path.rpartition(".")[2] for curve in curves_of(data.action, data.action_slot)
            if curve.data_path.startswith("pose.bones")]


def _resize(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """The object's own scale, so that the figure stands as tall as people do; its bones stay as they are."""
    armature.scale = [PERSON_M / read_figure(armature, scene=scene).height_m * size for size in armature.scale]
    bpy.context.view_layer.update()
    return f"{armature.name} stands {PERSON_M:g} m tall now"


def _mute_object_constraints(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    for constraint in armature.constraints:
        constraint.mute = True
    return f"{len(armature.constraints)} constraints of {armature.name} are muted"


def _mute_bone_constraints(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    found = list(fighting_constraints(armature, match_of(armature)))
    for _, constraint in found:
        constraint.mute = True
    return f"{len(found)} constraints on bones of {armature.name} are muted"


def _mute_drivers(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    paths = set(moving_drivers(armature, match_of(armature)))
    for driver in armature.animation_data.drivers:
        if driver.data_path in paths:
            driver.mute = True
    return f"{len(paths)} drivers of {armature.name} are muted"


def _leave_tweak_mode(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    armature.animation_data.use_tweak_mode = False
    return "Tweak mode is left"


def _mute_scale(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    curves = scale_curves(armature)
    if any(curve.id_data.library is not None for curve in curves):
        raise RigError(f"The keys on the scale of {armature.name!r} lie in a linked file; mute them there.")
    for curve in curves:
        curve.mute = True
    return f"{len(curves)} curves on the scale of {armature.name} are muted"


def _show_action_fully(armature: bpy.types.Object, _scene: bpy.types.Scene) -> str:
    armature.animation_data.action_influence, armature.animation_data.action_blend_type = 1.0, "REPLACE"
    return f"The action of {armature.name} shows as it is"


def _lengthen(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Bones without length get one along their parent's direction, or upwards."""
    names = short_bones(armature)
    longest = max(bone.length for bone in armature.data.bones)
    with editing(armature, scene) as bones:
        for bone in (bones[name] for name in names):
            along = np.array(bone.parent.vector if bone.parent else (0.0, 0.0, 1.0), dtype=float)
            along = along if np.linalg.norm(along) > 0.0 else np.array([0.0, 0.0, 1.0])
            bone.tail = np.array(bone.head) + _SPROUT * longest * along / np.linalg.norm(along)
    return f"{len(names)} bones of {armature.name} have a length now"


def _stand_up(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """The object turned so that the figure stands, its soles at z = 0, what it was turned by brought to a whole quarter where it
    nearly is one; meshes that do not hang on it go along."""
    match = match_of(armature)
    way = rotation_between(up_of(armature, match), np.array([0.0, 0.0, 1.0]))
    quarter = Rotation.from_matrix(way)
    size = quarter.magnitude()
    if size > 0.0 and abs(size - np.radians(90.0) * round(size / np.radians(90.0))) < _NEARLY_RAD:
        axis = quarter.as_rotvec() / size
        axis = np.sign(axis) * (np.abs(axis) > _MOSTLY) if np.abs(axis).max() > _MOSTLY else axis
        way = Rotation.from_rotvec(axis * np.radians(90.0) * round(size / np.radians(90.0))).as_matrix()
    turn = np.eye(4)
    turn[:3, :3] = way
    items = [armature, *(mesh for mesh, _, bone in meshes_of(armature) if bone is None and not _hangs_on(mesh, armature))]
    place = np.array(armature.matrix_world.translation, dtype=float)
    turn[:3, 3] = place - way @ place
    for item in items:
        item.matrix_world = Matrix(turn @ np.array(item.matrix_world, dtype=float))
    bpy.context.view_layer.update()
    figure = read_figure(armature, scene=scene)
    sole = float((np.array(armature.matrix_world, dtype=float) @ np.append(figure.origin, 1.0))[2])
    for item in items:
        item.matrix_world = Matrix.Translation((0.0, 0.0, -sole)) @ item.matrix_world
    bpy.context.view_layer.update()
    return f"{armature.name} stands upright now"


def _hangs_on(item: bpy.types.Object, armature: bpy.types.Object) -> bool:
    while item.parent is not None:
        item = item.parent
        if item == armature:
            return True
    return False


def _disconnect(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    return f"{len(disconnect(armature, match_of(armature), scene))} bones of {armature.name} are disconnected now"


_FIXES: dict[str, Callable[[bpy.types.Object, bpy.types.Scene], str]] = {
    "linked": _override, "system_override": _editable, "hidden": _show, "rest_position": _pose, "uneven_scale": _apply_scale,
    "mirrored": _apply_scale, "unapplied": _apply_scale, "object_constraints": _mute_object_constraints,
    "tweak_mode": _leave_tweak_mode, "animated_scale": _mute_scale, "blended": _show_action_fully, "zero_length": _lengthen,
    "lying": _stand_up, "connected": _disconnect, "size": _resize, "constraints": _mute_bone_constraints,
    "drivers": _mute_drivers,
}
