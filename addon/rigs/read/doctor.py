# SPDX-License-Identifier: GPL-3.0-or-later
"""The doctor: what is wrong with an armature, each in one sentence, and a fix where there is one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix
from scipy.spatial.transform import Rotation

from ...bodies.human.landmarks import trunk_turns
from ...bodies.human.tree import legs_away
from ...errors import LopeError, RigError
from ...maths.rotations import rotation_between
from ...specs.shot import HEIGHT_RANGE_M
from .actions import animation_of, curves_of
from .armature import check_armature, match_of, meshes_of, metres_per_unit, read_figure, rest_bones
from .blend_file import override_character
from .detect import Match
from .figure import PERSON_M, Figure, bones_above, carrier_of, carriers_first
from .maps import SEGMENTS
from .rest_pose import LYING_DEG, up_of

ERROR, WARNING = "error", "warning"
"""An error stops a bake; a warning says what the bake will not look like."""


@dataclass(frozen=True)
class Finding:
    """What is wrong. `key` names it for `fix`, `fix` labels the button (None: the artist's to help); `severity` as above."""

    key: str
    severity: str
    sentence: str
    fix: str | None = None


def some(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


_OFF_GROUND_M = 0.005


def of_place(armature: bpy.types.Object, name: str) -> Iterator[Finding]:
    item = armature
    while item.parent is not None:
        bone = item.parent.pose.bones.get(item.parent_bone) if item.parent_type == "BONE" else None
        item = item.parent
        if _rest_moves(item) or (bone is not None and len(bone.constraints)):
            yield Finding("moving_parent", WARNING,
                          f"Armature {name} is a child of {item.name!r}, which moves: what is baked moves along with it.")
            return


def _rest_moves(item: bpy.types.Object) -> bool:
    data = animation_of(item)
    animated = data.action is not None or len(data.nla_tracks) or len(data.drivers)
    return bool(animated) or any(not c.mute and c.influence > 0.0 for c in item.constraints)


def up_in(armature: bpy.types.Object, match: Match) -> tuple[np.ndarray, bool]:
    """See `rest_pose.up_of`, of an armature."""
    return up_of(rest_bones(armature), match, np.array(armature.matrix_world, dtype=float))


def of_lying(armature: bpy.types.Object, match: Match, name: str) -> Iterator[Finding]:
    up, tilted = up_in(armature, match)
    tilt = float(np.degrees(np.arccos(np.clip(up[2], -1.0, 1.0))))
    if tilt > LYING_DEG:
        yield Finding("lying", ERROR, f"Armature {name} does not stand in its rest pose: it is turned over by {tilt:.0f} "
                      "degrees, with the world's z up; stand it up first.", "Stand It Up")
    if tilted:
        yield _leaning(name, tilt)


def _leaning(name: str, most_deg: float) -> Finding:
    return Finding("leaning", WARNING, f"The trunk of armature {name} rests leaning or bowed, by {most_deg:.0f} degrees more "
                   "than people stand; it is simulated and baked upright by that much.")


def of_rest(figure: Figure, match: Match, name: str) -> Iterator[Finding]:
    """What is to be said of a figure that stands: guesses, ground, legs, a bowed trunk, bones that hang and cannot be moved."""
    if match.unsure:
        yield Finding("unsure", WARNING, f"Which bones of armature {name} are {some(sorted(match.unsure))} is a guess; look at "
                      "them in its bone map.")
    off = figure.sole_over_ground_m
    if abs(off) > _OFF_GROUND_M:
        yield Finding("ground", WARNING, f"The soles of armature {name} rest {100.0 * abs(off):.1f} cm "
                      f"{'over' if off > 0.0 else 'under'} the ground; a bake sets them on it.")
    legs = legs_away(figure.points)
    if legs is not None:
        where = "ahead of" if legs.feet_m > 0.0 else "behind"
        yield Finding("legs_away", ERROR, f"The legs of armature {name} are not under it in its rest pose: thighs turned by "
                      f"{legs.thighs_deg:.0f} degrees, knees bent by {legs.knees_deg:.0f}, the feet {abs(legs.feet_m):.2f} m "
                      f"{where} the hips; nobody stands or walks from there. Go to a frame in which it stands, as of an idle "
                      "action, apply the Armature modifiers of its meshes, and apply the pose as rest pose.")
    turns = trunk_turns(figure.points)
    if turns:
        most = max(float(np.degrees(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0)))) for turn in turns.values())
        yield _leaning(name, most)
    if figure.controls is None:
        try:
            carriers_first(figure.name, figure.bones, {bone: segment for segment, bone in figure.bone_of.items()})
        except RigError as error:
            yield Finding("upside_down", ERROR, str(error))
        stuck = stuck_bones(figure.bone_of, {bone.name: bone for bone in figure.bones})
        if stuck:
            yield Finding("connected", ERROR, f"Bones of armature {name} have to be moved, but are connected to their parents: "
                          f"{some(stuck)}; disconnect them.", "Disconnect Them")


def stuck_bones(bone_of: dict[str, str], bones: dict) -> list[str]:
    """Bones that a bake has to move, the hips and those that hang on a wrong bone, and cannot: they are connected."""
    segment_of = {bone: segment for segment, bone in bone_of.items()}
    found = []
    for segment, name in bone_of.items():
        above = next((one for one in bones_above(bones, name) if one in segment_of), None)
        carrier = carrier_of(segment, bone_of)
        if bones[name].connected and (carrier is None or above != carrier):
            found.append(name)
    return found


@contextlib.contextmanager
def editing(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.ArmatureEditBones]:
    """The armature's bones as they can be edited while this lasts; mode and active object come back."""
    layer = scene.view_layers[0]
    active, mode = layer.objects.active, armature.mode
    with bpy.context.temp_override(scene=scene, view_layer=layer):
        layer.objects.active = armature
        with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=armature, object=armature):
            bpy.ops.object.mode_set(mode="EDIT")
            try:
                yield armature.data.edit_bones
            finally:
                bpy.ops.object.mode_set(mode=mode)
                layer.objects.active = active


_SHORTEST_BONE = 1e-5
"""Bones shorter than this share of the longest one have no direction."""
_FPS_RANGE = (12.0, 240.0)
_UNEVEN = 1e-3


def doctor(armature: bpy.types.Object, scene: bpy.types.Scene | None = None) -> list[Finding]:
    """Everything that is wrong with an armature, errors first. Raises RigError for an object that is no armature."""
    if armature is None or armature.type != "ARMATURE":
        check_armature(armature)
    scene = scene or bpy.context.scene
    found = [*examine(armature, scene)]
    if not any(f.key in ("edit_mode", "uneven_scale", "mirrored") for f in found):
        found += _of_figure(armature, scene)
    return sorted(found, key=lambda f: f.severity != ERROR)


def examine(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[Finding]:
    """What can be said without reading the figure; quick, so that every bake asks it."""
    name = repr(armature.name)
    if armature.mode == "EDIT":
        yield Finding("edit_mode", ERROR, f"Armature {name} is in Edit Mode; leave Edit Mode first.")
        return
    yield from of_ownership(armature)
    yield from _of_visibility(armature, scene, name)
    yield from _of_transform(armature, name)
    yield from of_place(armature, name)
    yield from _of_animation(armature, name)
    yield from _of_bones(armature, name)
    rate = scene.render.fps / scene.render.fps_base
    if not _FPS_RANGE[0] <= rate <= _FPS_RANGE[1]:
        yield Finding("fps", WARNING, f"The scene runs at {rate:.3g} frames a second, too "
                      f"{'few' if rate < _FPS_RANGE[0] else 'many'} for steps to be read; set 24 to 60 in the output "
                      "properties.")


def of_ownership(armature: bpy.types.Object) -> Iterator[Finding]:
    """Whether the armature belongs to this file, so that it can be changed."""
    name, override = repr(armature.name), armature.override_library
    if armature.library is not None:
        yield Finding("linked", ERROR,
                      f"Armature {name} is linked from {armature.library.filepath}; make a library override of "
                      "it first.", "Make Library Override")
    elif override is not None and override.is_system_override:
        yield Finding("system_override", ERROR,
                      f"Armature {name} is a library override that is not editable; make it editable first.", "Make Editable")


def _of_visibility(armature: bpy.types.Object, scene: bpy.types.Scene, name: str) -> Iterator[Finding]:
    layers = [layer for layer in scene.view_layers if armature.name in layer.objects]
    if not layers:
        yield Finding("not_in_scene", ERROR, f"Armature {name} is not in the scene {scene.name!r}, or its collection is "
                      "excluded from the view layer; put it in.")
    elif armature.hide_viewport or all(armature.hide_get(view_layer=layer) for layer in layers):
        yield Finding("hidden", ERROR, f"Armature {name} is hidden; show it first, so that you see what is baked.", "Show It")
    if armature.data.pose_position == "REST":
        yield Finding("rest_position", WARNING,
                      f"Armature {name} shows its rest position; a bake sets it to show its pose.",
                      "Show Pose")


def unscalable(armature: bpy.types.Object) -> str:
    """Why Blender's Apply Scale would fail on an armature, or put its motion out, in a sentence; "" where it would not."""
    name, data = repr(armature.name), armature.animation_data
    if armature.data.users > 1:
        return (f"The bones of {name} are shared with other objects, so its scale cannot be applied; "
                "make them single-user first (Object, Relations, Make Single User).")
    if data is not None and data.action is not None and any(
            curve.data_path.startswith("pose.bones") and curve.data_path.endswith(".location")
            for curve in curves_of(data.action, data.action_slot)):
        return (f"The action of {name} has keys on locations of bones, which applying the scale would "
                "put out; take the action away first.")
    return ""


def _of_transform(armature: bpy.types.Object, name: str) -> Iterator[Finding]:
    linear = np.array(armature.matrix_world, dtype=float)[:3, :3]
    size = np.linalg.norm(linear, axis=0)
    scale = np.array(armature.scale)
    if size.min() < 1e-9 or np.ptp(size) > _UNEVEN * size.max():
        own = np.ptp(np.abs(scale)) > _UNEVEN * np.abs(scale).max()
        yield Finding("uneven_scale", ERROR,
                      f"Armature {name}, or a parent of it, is scaled unevenly ({scale[0]:.3g}, "
                      f"{scale[1]:.3g}, {scale[2]:.3g}); apply the scale (Ctrl+A) before baking.",
                      "Apply Scale" if own and not unscalable(armature) else None)
    elif np.linalg.det(linear) < 0.0:
        yield Finding("mirrored", ERROR,
                      f"Armature {name}, or a parent of it, is mirrored by a negative scale; apply the scale "
                      "(Ctrl+A).", "Apply Scale" if np.prod(scale) < 0.0 and not unscalable(armature) else None)
    elif np.abs(scale - 1.0).max() > 1e-3:
        yield Finding("unapplied", WARNING, f"Armature {name} has a scale of {scale[0]:.3g} that is not applied; a bake takes "
                      "it into account, other tools may not.", None if unscalable(armature) else "Apply Scale")
    if len(armature.constraints) and any(not c.mute and c.influence > 0.0 for c in armature.constraints):
        yield Finding("object_constraints", WARNING,
                      f"Armature {name} itself has constraints, which move it on top of what is baked.", "Mute Constraints")


def _of_animation(armature: bpy.types.Object, name: str) -> Iterator[Finding]:
    data = armature.animation_data
    if data is None:
        return
    if data.use_tweak_mode:
        yield Finding("tweak_mode", ERROR,
                      f"Armature {name} is in tweak mode in the NLA editor; leave tweak mode first.",
                      "Leave Tweak Mode")
    if any(_moves(curve) for curve in scale_curves(armature)):
        yield Finding("animated_scale", ERROR, f"The scale of armature {name} is animated, so its steps have no fixed length; "
                      "mute or delete the keys on its scale.", "Mute Scale Keys")
    if data.action is not None and (data.action_influence < 1.0 or data.action_blend_type != "REPLACE"):
        yield Finding("blended", WARNING, f"The action of armature {name} is blended in ({data.action_blend_type.title()}, "
                      f"influence {data.action_influence:.2g}), so a baked one would not show as it is.", "Show Action Fully")


def scale_curves(armature: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Curves on the object's own scale that are at work: of its action and of its NLA strips."""
    data = animation_of(armature)
    sources = [(data.action, data.action_slot)] if data.action is not None else []
    sources += [(strip.action, strip.action_slot) for track in data.nla_tracks if not track.mute for strip in track.strips
                if strip.action is not None and not strip.mute]
    return [curve for action, slot in sources for curve in curves_of(action, slot)
            if curve.data_path in ("scale", "delta_scale") and not curve.mute]


def _moves(curve: bpy.types.FCurve) -> bool:
    values = np.empty(2 * len(curve.keyframe_points), np.float32)
    curve.keyframe_points.foreach_get("co", values)
    return bool(len(values) and np.ptp(values[1::2]) > 1e-6) or any(not m.mute for m in curve.modifiers)


def short_bones(armature: bpy.types.Object) -> list[str]:
    bones = armature.data.bones
    length = np.empty(len(bones), np.float32)
    bones.foreach_get("length", length)
    return [bones[int(i)].name for i in np.flatnonzero(length <= _SHORTEST_BONE * length.max(initial=0.0))]


def _of_bones(armature: bpy.types.Object, name: str) -> Iterator[Finding]:
    short = short_bones(armature)
    if not short:
        return
    try:
        match = match_of(armature)
        needed = {*match.bone_of.values(), *match.joint_of.values()}
    except RigError:
        needed = set()
    bad = [bone for bone in short if bone in needed]
    if bad:
        yield Finding("zero_length", ERROR, f"Bones of armature {name} have no length and so no direction: {some(bad)}; give "
                      "them a length in Edit Mode.", "Give Them a Length")
    else:
        yield Finding("zero_length", WARNING,
                      f"Bones of armature {name} that are not baked have no length: {some(short)}.",
                      "Give Them a Length")


def _of_figure(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[Finding]:
    """What shows only in the bones' meaning: a figure that cannot be read, parts that lack, what fights the bake."""
    found = list(of_reading(armature, scene))
    yield from found
    if not any(finding.key in ("no_figure", "lying") for finding in found):
        yield from _of_fights(armature, match_of(armature), repr(armature.name))


def of_reading(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[Finding]:
    """What shows when the figure is read, a while on big meshes; changes only with bones, meshes, and the object's place."""
    name = repr(armature.name)
    try:
        match = match_of(armature)
        lying = list(of_lying(armature, match, name))
        yield from lying
        if any(finding.severity == ERROR for finding in lying):
            return
        figure = read_figure(armature, scene=scene)
    except LopeError as error:
        yield Finding("no_figure", ERROR, str(error))
        return
    yield from of_rest(figure, match, name)
    low, high = HEIGHT_RANGE_M
    if not low <= figure.height_m <= high:
        yield Finding("size", WARNING, f"Armature {name} stands {figure.height_m:.3g} m tall (scene unit "
                      f"{metres_per_unit(scene):g} m), expected {low:g} to {high:g} m; scale the object to its real size, "
                      "or give the height it stands for (--height on the command line).", "Scale to 1.75 m")
    lacking = [segment for segment in SEGMENTS if segment not in match.bone_of]
    if lacking:
        yield Finding("missing_bones", WARNING,
                      f"Armature {name} ({match.label}) has no bones for {', '.join(lacking)}; those joints stay stiff.")


def _of_fights(armature: bpy.types.Object, match: Match, name: str) -> Iterator[Finding]:
    fighting = list(fighting_constraints(armature, match))
    if fighting:
        yield Finding("constraints", WARNING, f"Constraints on bones of armature {name} would fight the keys: "
                      f"{some([f'{bone} ({c.name})' for bone, c in fighting])}; a bake holds them at influence 0.",
                      "Mute Constraints")
    for path in moving_drivers(armature, match):
        yield Finding("drivers", ERROR,
                      f"A driver moves {path} of armature {name}, which keys cannot overrule; mute or remove it.",
                      "Mute Drivers")
        break


def fighting_constraints(armature: bpy.types.Object, match: Match) -> Iterator[tuple[str, bpy.types.Constraint]]:
    for bone in match.bone_of.values():
        for constraint in armature.pose.bones[bone].constraints:
            if not constraint.mute and constraint.influence > 0.0:
                yield bone, constraint


def moving_drivers(armature: bpy.types.Object, match: Match) -> Iterator[str]:
    """Paths of drivers at work on transforms of the bones that get keys."""
    heads = tuple(f"{armature.pose.bones[bone].path_from_id()}." for bone in match.bone_of.values())
    for driver in animation_of(armature).drivers:
        path = driver.data_path
        if not driver.mute and path.startswith(heads) and path.rpartition(".")[2].startswith(("location", "rotation", "scale")):
            yield path


_NEARLY_RAD, _MOSTLY = np.radians(25.0), 0.9
"""A figure within this of a quarter turn about (mostly) an axis of the world lies by that: importers confuse axes, never tilt."""
_SPROUT = 0.02
"""Length that a bone without one gets, as a share of the armature's longest bone."""


def fix(armature: bpy.types.Object, key: str, scene: bpy.types.Scene) -> str:
    """Put right what the finding `key` names; returns what was done in one sentence. Raises RigError where that cannot be."""
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
    why = unscalable(armature)
    if why:
        raise RigError(why)
    layer = scene.view_layers[0]
    items = [armature, *(child for child in armature.children if child.type == "MESH" and child.data.users == 1)]
    with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=armature, object=armature,
                                   selected_objects=items, selected_editable_objects=items):
        try:
            bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        except RuntimeError as error:
            raise RigError(f"Blender cannot apply the scale of {armature.name!r}: {str(error).strip()}") from error
    return f"The scale of {armature.name} is applied"


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
    """The figure stood up, soles at z = 0, turned by a whole quarter where it nearly is one; meshes not hung on it go along."""
    match = match_of(armature)
    way = rotation_between(up_in(armature, match)[0], np.array([0.0, 0.0, 1.0]))
    quarter = Rotation.from_matrix(way)
    size = quarter.magnitude()
    if size > 0.0 and abs(size - np.radians(90.0) * round(size / np.radians(90.0))) < _NEARLY_RAD:
        axis = quarter.as_rotvec() / size
        axis = np.sign(axis) * (np.abs(axis) > _MOSTLY) if np.abs(axis).max() > _MOSTLY else axis
        way = Rotation.from_rotvec(axis * np.radians(90.0) * round(size / np.radians(90.0))).as_matrix()
    turn = np.eye(4)
    turn[:3, :3] = way
    below = armature.children_recursive
    items = [armature, *(mesh for mesh, _, bone in meshes_of(armature) if bone is None and mesh not in below)]
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


def _disconnect(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """The bones that a bake has to move; they stay where they are."""
    names = stuck_bones(match_of(armature).bone_of, {bone.name: bone for bone in rest_bones(armature)})
    with editing(armature, scene) as bones:
        for name in names:
            bones[name].use_connect = False
    return f"{len(names)} bones of {armature.name} are disconnected now"


_FIXES: dict[str, Callable[[bpy.types.Object, bpy.types.Scene], str]] = {
    "linked": _override, "system_override": _editable, "hidden": _show, "rest_position": _pose, "uneven_scale": _apply_scale,
    "mirrored": _apply_scale, "unapplied": _apply_scale, "object_constraints": _mute_object_constraints,
    "tweak_mode": _leave_tweak_mode, "animated_scale": _mute_scale, "blended": _show_action_fully, "zero_length": _lengthen,
    "lying": _stand_up, "connected": _disconnect, "size": _resize, "constraints": _mute_bone_constraints,
    "drivers": _mute_drivers,
}
