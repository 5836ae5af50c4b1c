# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the muscles of a baked take on its rig: tubes from bone to bone, in a collection of their own; and take them away again.

Every muscle is an object: a mesh of its path's points, hooked to the bones that they go with, so that it follows the armature
however it is posed or edited; geometry nodes make the tube. How hard it works is a keyed property of the object.
"""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix

from ...bodies.human.body import Human
from ...bodies.muscles.muscle import MuscleSet
from ...bodies.muscles.sets import muscles_for
from ...errors import RigError
from ...take import Take
from ..bake.base import standing_at_base
from ..bake.placement import action_of
from ..bake.provenance import provenance
from ..read.armature import match_of, read_figure
from ..read.figure import Figure
from .keys import activations, columns_of, key_activations, names_in
from .material import PROPERTY, bone_material, drive_colour, muscle_material
from .nodes import muscle_nodes
from .sticks import sticks
from .strands import Rest, Strand, strand

OF_KEY, MADE_KEY = "lope_muscles_of", "lope_made"
"""Properties of the collection: the armature whose muscles these are, and the names of what Lope put into it, one a line."""
BONES = "Muscle Bones"


def show_muscles(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take, *, with_bones: bool = True,
                 muscles: MuscleSet | None = None) -> bpy.types.Collection:
    """Show the muscles of a take that is baked on the armature, with plain bones; gives their collection.

    What an earlier call made for this armature is replaced; what else somebody put there stays. `muscles` are the take's own set
    on the figure unless they are given. Raises TakeError for a take without muscles, RigError where it is not baked here.
    """
    names = names_in(take)
    action = action_of(armature, take)
    if action is None:
        raise RigError(f"This take is not baked on {armature.name!r}; bake it first: its muscles go with the baked bones.")
    frames, values = activations(take, action, scene)
    made = provenance(action)
    with standing_at_base(armature, scene, made.options.start_frame, stay=False):
        figure = read_figure(armature, scene=scene)
    if muscles is None:
        actuation = take.shot.actuation
        muscles = muscles_for(Human.from_landmarks(figure.landmarks, take.body.mass_kg),
                              "legs" if actuation is None else actuation.muscles)
    laid = {muscle.name: muscle for muscle in muscles if muscle.path}
    columns = columns_of(names, laid)
    if not columns:
        raise RigError(f"Where the muscles of this take lie is not known on {armature.name!r}: none of them is in the set.")
    hide_muscles(armature)
    collection = _collection(scene, armature)
    hooks, rest = _Hooks(armature, figure), Rest.of(figure.points)
    material = muscle_material()
    nodes = muscle_nodes(material)
    items = [_tube(strand(laid[name], rest), hooks, collection, nodes, material) for name in columns]
    key_activations(f"Muscles {action.name}", items, frames, values[:, list(columns.values())], loop=made.options.loop)
    if with_bones:
        items.append(_bones(hooks, rest, figure, collection))
    collection[MADE_KEY] = "\n".join(item.name for item in items)
    return collection


def shown_muscles(armature: bpy.types.Object) -> bpy.types.Collection | None:
    """The collection of an armature's muscles; None where they are not shown."""
    return next((one for one in bpy.data.collections if one.get(OF_KEY) == armature and one.get(MADE_KEY)), None)


def hide_muscles(armature: bpy.types.Object) -> int:
    """Take away what Lope made to show an armature's muscles; gives how many objects that were. What somebody else put into the
    collection, or renamed, or copied, stays, and the collection with it."""
    collection = shown_muscles(armature)
    if collection is None:
        return 0
    found = [item for name in str(collection[MADE_KEY]).splitlines() if (item := collection.objects.get(name)) is not None]
    things = {room: dict.fromkeys(thing for item in found for thing in used(item) if thing is not None)
              for room, used in _USED.items()}
    for item in found:
        bpy.data.objects.remove(item)
    for room, some in things.items():
        for thing in some:
            if not thing.users:
                getattr(bpy.data, room).remove(thing)
    del collection[MADE_KEY]
    if not collection.objects and not collection.children:
        bpy.data.collections.remove(collection)
    return len(found)


_USED = {
    "meshes": lambda item: [item.data],
    "actions": lambda item: [item.animation_data and item.animation_data.action],
    "node_groups": lambda item: [modifier.node_group for modifier in item.modifiers if modifier.type == "NODES"],
    "materials": lambda item: list(item.data.materials),
}
"""What an object uses, users before what they use."""


def _collection(scene: bpy.types.Scene, armature: bpy.types.Object) -> bpy.types.Collection:
    """A collection for an armature's muscles, in the scene."""
    found = next((one for one in scene.collection.children_recursive if one.get(OF_KEY) == armature), None)
    if found is None:
        found = bpy.data.collections.new(f"Muscles {armature.name}")
        found[OF_KEY] = armature
        scene.collection.children.link(found)
    return found


class _Hooks:
    """What goes with the bones of an armature: points of meshes, by segment."""

    def __init__(self, armature: bpy.types.Object, figure: Figure) -> None:
        self.armature, self.figure = armature, figure
        match = match_of(armature)
        self._bone_of = {segment: match.joint_of.get(segment, bone) for segment, bone in figure.bone_of.items()}

    def places(self, in_body: np.ndarray) -> np.ndarray:
        """Places (N, 3) of the body frame at rest [m] in armature space."""
        return self.figure.origin + self.figure.units_per_m * in_body @ self.figure.axes.T

    def tie(self, item: bpy.types.Object, segments: Iterable[str]) -> None:
        """Let an object's points go with the bones of their segments, "" with none. The object stands where the armature does."""
        item.parent = self.armature
        rows: dict[str, list[int]] = {}
        for row, segment in enumerate(segments):
            if segment:
                rows.setdefault(segment, []).append(row)
        for segment, some in rows.items():
            bone = self._bone_of[segment]
            group = item.vertex_groups.new(name=segment)
            group.add(some, 1.0, "REPLACE")
            hook = item.modifiers.new(segment, "HOOK")
            hook.object, hook.subtarget = self.armature, bone
            hook.vertex_group, hook.falloff_type = group.name, "NONE"
            hook.matrix_inverse = self.armature.data.bones[bone].matrix_local.inverted()
            hook.show_expanded = False


def _tube(path: Strand, hooks: _Hooks, collection: bpy.types.Collection, nodes: bpy.types.NodeTree,
          material: bpy.types.Material) -> bpy.types.Object:
    """The object of one muscle."""
    mesh = bpy.data.meshes.new(f"Muscle {path.name}")
    mesh.from_pydata(hooks.places(path.places).tolist(), path.edges.tolist(), [])
    unit = hooks.figure.units_per_m
    for name, kind, values in (("start", "INT", path.start), ("end", "INT", path.end), ("around", "INT", path.around),
                               ("share", "FLOAT", path.share), ("round", "FLOAT", unit * path.radius_m),
                               ("thick", "FLOAT", np.full(len(path.places), unit * path.thickness_m))):
        attribute = mesh.attributes.new(name, kind, "POINT")
        attribute.data.foreach_set("value", np.ascontiguousarray(values, np.int32 if kind == "INT" else np.float32))
    mesh.materials.append(material)
    item = bpy.data.objects.new(mesh.name, mesh)
    collection.objects.link(item)
    hooks.tie(item, path.segments)
    item.modifiers.new("Lope", "NODES").node_group = nodes
    item[PROPERTY] = 0.0
    item.id_properties_ui(PROPERTY).update(min=0.0, max=1.0, description="How hard this muscle works: 0 at rest, 1 at most")
    drive_colour(item)
    item.hide_select, item.show_in_front = True, True
    return item


def _bones(hooks: _Hooks, rest: Rest, figure: Figure, collection: bpy.types.Collection) -> bpy.types.Object:
    """The object of all bones."""
    found = sticks(figure.points, rest.joints)
    mesh = bpy.data.meshes.new(BONES)
    mesh.from_pydata(hooks.places(found.places).tolist(), [], found.faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.materials.append(bone_material())
    mesh.update()
    item = bpy.data.objects.new(BONES, mesh)
    collection.objects.link(item)
    hooks.tie(item, found.segments)
    item.hide_select, item.show_in_front = True, True
    item.matrix_parent_inverse = Matrix.Identity(4)
    return item
