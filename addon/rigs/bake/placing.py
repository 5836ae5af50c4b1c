# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an armature object stands before a bake carries it anywhere, whatever frame is shown; its own channels that carry the
travel; which figure it is; and where in the scene a take lies that is baked on it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion

from ...bodies.body import Body
from ...bodies.creature.body import CreatureBody
from ...bodies.human.landmarks import SIDES
from ...errors import InputError, RigError
from ...maths.rotations import quat_multiply
from ...specs.creature import Creature
from ...specs.shot import Shot
from ..read.actions import OBJECT_CHANNELS, animation_of, curves_of, frame_rate
from ..read.armature import match_of, read_figure
from ..read.creature import creature_figure
from ..read.figure import Figure, RestBone, bones_above
from ..read.rest_pose import finger_lines
from . import artist_keys, provenance
from .own_motion import Travel, channels
from .pose import root_pose
from .tracks import Track


@contextlib.contextmanager
def standing_at_base(armature: bpy.types.Object, scene: bpy.types.Scene, frame: int, *, stay: bool = True) -> Iterator[None]:
    """The armature object at its base while this lasts, and with `stay` ever after if it ends well: where an earlier bake began
    to move it, or, where keys of the artist's, parents, constraints or strips move it, where it is at `frame`."""
    shown = scene.frame_current, scene.frame_subframe
    elsewhere = _moved_from_elsewhere(armature) and shown != (frame, 0.0)
    before = {prop: tuple(getattr(armature, prop)) for prop in OBJECT_CHANNELS}
    if elsewhere:
        scene.frame_set(frame)
    base = base_values(armature, frame)
    for (prop, index), value in base.items():
        getattr(armature, prop)[index] = value
    if base:
        bpy.context.view_layer.update()
    try:
        yield
        stays = stay
    except Exception:
        stays = False
        raise
    finally:
        if not stays:
            for prop, values in before.items():
                setattr(armature, prop, values)
            if base:
                bpy.context.view_layer.update()
        if elsewhere:
            scene.frame_set(shown[0], subframe=shown[1])


def base_values(armature: bpy.types.Object, frame: int) -> dict[tuple[str, int], float]:
    """Values (property, index) of the object's own channels at its base, as far as keys move them."""
    found: dict[tuple[str, int], float] = {}
    for action, slot in reversed(_playing(armature)):
        lopes = artist_keys.lopes_channels(action)
        for curve in curves_of(action, slot):
            if curve.data_path in OBJECT_CHANNELS and len(curve.keyframe_points):
                value = curve.keyframe_points[0].co[1] if curve.data_path in lopes else curve.evaluate(frame)
                found[curve.data_path, curve.array_index] = float(value)
    return found


def base_matrix(armature: bpy.types.Object, frame: int) -> Matrix:
    """The armature's world matrix at its base, as `standing_at_base` has it, without a change of anything."""
    base = base_values(armature, frame)
    if not base:
        return armature.matrix_world.copy()
    return armature.matrix_world @ armature.matrix_basis.inverted() @ basis_of(armature, base)


def basis_of(item: bpy.types.Object, values: Mapping[tuple[str, int], float]) -> Matrix:
    """An object's own matrix if its channels had these values (property, index), the others staying as they are."""
    place, quaternion, axis_angle, euler = ([values.get((prop, index), value) for index, value in enumerate(getattr(item, prop))]
                                            for prop in OBJECT_CHANNELS)
    if item.rotation_mode == "QUATERNION":
        turn = Quaternion(quaternion)
    elif item.rotation_mode == "AXIS_ANGLE":
        turn = Quaternion(axis_angle[1:], axis_angle[0])
    else:
        turn = Euler(euler, item.rotation_mode).to_quaternion()
    return Matrix.LocRotScale(place, turn, item.scale)


def is_carried(armature: bpy.types.Object) -> bool:
    return bool(artist_keys.lopes_channels(animation_of(armature).action) & set(OBJECT_CHANNELS))


def _playing(armature: bpy.types.Object) -> list[tuple[bpy.types.Action, bpy.types.ActionSlot | None]]:
    """The armature's action, then those that Lope pushed down to the NLA, the earliest first."""
    data = animation_of(armature)
    own = [] if data.action is None else [(data.action, data.action_slot)]
    strips = [strip for track in data.nla_tracks for strip in track.strips
              if strip.action is not None and provenance.SHOT_KEY in strip.action]
    return own + [(strip.action, strip.action_slot) for strip in sorted(strips, key=lambda strip: strip.frame_start)]


def _moved_from_elsewhere(armature: bpy.types.Object) -> bool:
    """Whether anything but the object's own action may move it from frame to frame."""
    data = animation_of(armature)
    strips = any(not track.mute and len(track.strips) for track in data.nla_tracks)
    drivers = any(driver.data_path in OBJECT_CHANNELS for driver in data.drivers)
    return strips or drivers or armature.parent is not None or any(not one.mute for one in armature.constraints)


GROUP = "Object Transforms"


def object_tracks(armature: bpy.types.Object, figure: Figure, travel: Travel) -> list[Track]:
    """The object's location and rotation that carry the travel. Raises RigError where delta transforms or locks forbid it."""
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


def figure_for(armature: bpy.types.Object, body: Body, bone_map: Mapping[str, str] | None = None,
               scene: bpy.types.Scene | None = None) -> Figure:
    """The figure of an armature that a take of this body is for. Raises RigError where it is none."""
    if isinstance(body, CreatureBody):
        return creature_figure(armature, body.creature, scene)
    return read_figure(armature, bone_map, scene)


def shown_figure(armature: bpy.types.Object, scene: bpy.types.Scene) -> Figure:
    """The figure of an armature as what it was baked: a creature where it last moved as one. Raises RigError where it is none."""
    creature = _shown_creature(armature)
    return read_figure(armature, scene=scene) if creature is None else creature_figure(armature, creature, scene)


def hips_of(armature: bpy.types.Object, figure: Figure, bone_map: Mapping[str, str] | None = None) -> str:
    if bone_map or not figure.has_hands:
        return (bone_map or figure.bone_of)[figure.hips]
    return match_of(armature).joint_of[figure.hips]


def is_figure(armature: bpy.types.Object) -> bool:
    if _shown_creature(armature) is not None:
        return True
    try:
        match_of(armature)
    except RigError:
        return False
    return True


def _shown_creature(armature: bpy.types.Object) -> Creature | None:
    for action in provenance.baked_actions(armature):
        try:
            return provenance.shot_of(action).body.creature
        except InputError:
            continue
    return None


STRAIGHT_ARM, STRAIGHT_JOINT, STRAIGHT_FINGER = np.cos(np.radians([20.0, 12.0, 30.0]))
"""Cosines of the most that, in a T- or A-pose, a forearm is bent off the upper arm, a finger's joint, and a whole finger off the
palm, spread included: first guesses; Ready Player Me's has 2, 0.3 and 7 degrees, a VRM figure's 4, 5 and 12."""


def imported_fingers(armature: bpy.types.Object, figure: Figure) -> set[str]:
    """Finger bones of a figure that nobody but Lope has keyed and that stands with both arms off rest and straight, and with all
    its fingers straight. An artist who poses fingers bends some of them, or keys them, or leaves the arms at rest."""
    if artist_keys.keyed_paths(armature) - artist_keys.lopes_channels(animation_of(armature).action):
        return set()
    found: set[str] = set()
    for side in SIDES:
        names = [figure.bone_of.get(f"{segment}_{side}") for segment in ("upper_arm", "forearm", "hand")]
        if None in names or np.abs(np.array(armature.pose.bones[names[0]].matrix_basis) - np.eye(4)).max() < artist_keys.AT_REST:
            return set()
        arm, forearm, hand = (figure.bone[name] for name in names)
        fingers, _ = finger_lines(figure.bones, hand, hand.head - forearm.head)
        if _way(armature, figure, arm, forearm) @ _way(armature, figure, forearm, hand) < STRAIGHT_ARM:
            return set()
        palm = sum(_way(armature, figure, hand, finger[0]) for finger in fingers)
        for finger in fingers:
            ways = [_way(armature, figure, bone, after) for bone, after in zip(finger, finger[1:], strict=False)]
            whole = sum(ways) / np.linalg.norm(sum(ways))
            if whole @ palm < STRAIGHT_FINGER * np.linalg.norm(palm):
                return set()
            if any(way @ after < STRAIGHT_JOINT for way, after in zip(ways, ways[1:], strict=False)):
                return set()
            found |= {bone.name for bone in finger}
    return found


def _way(armature: bpy.types.Object, figure: Figure, bone: RestBone, after: RestBone) -> np.ndarray:
    """Unit direction (3,) from a bone's joint to one that it carries, as posed, armature space."""
    way = after.head - bone.head
    for name in (bone.name, *bones_above(figure.bone, bone.name)):
        rest = figure.bone[name]
        own = np.array(armature.pose.bones[name].matrix_basis.to_quaternion().to_matrix())
        way = rest.rotation @ own @ rest.rotation.T @ way
    return way / max(float(np.linalg.norm(way)), 1e-12)


class Baked(Protocol):
    shot: Shot
    body: Body
    time_s: np.ndarray


@dataclass(frozen=True)
class BakedMotion:
    """The action that a take was baked to, and the way from the take's places [m] to the scene's, `matrix` (4, 4), and from its
    times [s] to the scene's: the take's first sample, at `first_s`, lies at `scene_s` (frame over frame rate)."""

    action: bpy.types.Action
    matrix: np.ndarray
    first_s: float
    scene_s: float

    def to_world(self, places: np.ndarray) -> np.ndarray:
        """World places (N, 3) of a take's places (N, 3)."""
        return np.asarray(places).reshape(-1, 3) @ self.matrix[:3, :3].T + self.matrix[:3, 3]

    def direction(self, directions: np.ndarray) -> np.ndarray:
        """World directions (..., 3), in Blender units, of a take's (..., 3) [m]."""
        return np.asarray(directions) @ self.matrix[:3, :3].T

    def seconds(self, times: np.ndarray) -> np.ndarray:
        """Scene times (N,) [s] of a take's times (N,)."""
        return np.asarray(times) - self.first_s + self.scene_s


def baked_motion(armature: bpy.types.Object, take: Baked, scene: bpy.types.Scene,
                 bones: Mapping[str, str] | None = None) -> BakedMotion:
    """Where a take lies that is baked on an armature. Raises RigError where it is not, or its way is left out or repeated."""
    action = action_of(armature, take)
    if action is None:
        raise RigError(f"This take is not baked on {armature.name!r}; bake it first: its prints lie where its feet come down.")
    made = provenance.provenance(action)
    if made.options.loop or made.options.root_motion == "in_place":
        raise RigError(f"The action {action.name!r} is a loop or walks on the spot, so its feet come down elsewhere than in the "
                       "take; bake the whole way.")
    with standing_at_base(armature, scene, made.options.start_frame, stay=False):
        figure = figure_for(armature, take.body, bones, scene)
        stands = np.array(armature.matrix_world, dtype=float)
    scale = figure.own_body(take.body.mass_kg).leg_length_m / take.body.leg_length_m
    into = np.eye(4)
    into[:3, :3], into[:3, 3] = scale * figure.units_per_m * figure.axes, figure.ground
    matrix = stands @ into @ _moved(action, scale)
    return BakedMotion(action, matrix, float(take.time_s[0]), float(action[provenance.START_KEY]) / frame_rate(scene))


def _moved(action: bpy.types.Action, scale: float) -> np.ndarray:
    """Matrix (4, 4) by which a bake that goes on from another moved the take."""
    x, y, yaw = json.loads(action.get(provenance.MOVED_KEY, "[0, 0, 0]"))
    out = np.eye(4)
    out[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    out[:2, 3] = x / scale, y / scale
    return out


def action_of(armature: bpy.types.Object, take: Baked) -> bpy.types.Action | None:
    """The armature's action, or that of its last strip, in which the take is baked; None where it is not."""
    return next((action for action in provenance.baked_actions(armature) if _is_of(action, take.shot)), None)


def _is_of(action: bpy.types.Action, shot: Shot) -> bool:
    """Whether an action was baked from a shot; not where what it stores cannot be read."""
    try:
        return provenance.shot_of(action).to_dict() == shot.to_dict()
    except InputError:
        return False
