# SPDX-License-Identifier: GPL-3.0-or-later
"""Show the muscles of a baked take on its rig, in a collection of their own. Every muscle is an object: a mesh of its path's
points, hooked to their bones, of which geometry nodes make a tube; how hard it works is a keyed property, all in one action with
a slot for each. Attributes of the points: `start`, `end` (rows), `share`, `around` (row, or -1), `round` (radius), see
`strands.Strand`; `thick` is the tube's radius in its middle. A path that goes round a cylinder is a taut string in the plane
across its axis: from either end a tangent, between them the arc."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ...bodies.human.body import Human
from ...bodies.muscle import MuscleSet
from ...bodies.muscles.sets import muscles_for
from ...errors import RigError, TakeError
from ...locomotion.reflex.units import ANATOMY, PARTS
from ...maths.curves import cubic
from ...sim.take import Take
from ..bake.action import ActionWriter, Keys, key_kinds
from ..bake.placing import action_of, standing_at_base
from ..bake.provenance import START_KEY, provenance, written_frames
from ..bake.sampling import middle_stride
from ..dust.marks import MADE_KEY, Tree, clear, collection_for
from ..node_tree import new_material
from ..read.actions import frame_rate
from ..read.armature import match_of, meshes_of, read_figure
from ..read.figure import Figure
from .strands import ENDS, Rest, Strand, sticks, strand

SIDES, ALONG = 10, 20
"""Corners of a tube's section, and sections along it."""
NAME = "Lope Muscle"


def muscle_nodes(material: bpy.types.Material) -> bpy.types.NodeTree:
    tree = Tree(NAME)
    placed = tree.node("GeometryNodeSetPosition", named={"Geometry": tree.start, "Position": _place(tree)})
    path = tree.node("GeometryNodeMeshToCurve", placed.outputs[0]).outputs[0]
    even = tree.node("GeometryNodeResampleCurve", named={"Curve": path, "Count": ALONG})
    factor = tree.node("GeometryNodeSplineParameter").outputs["Factor"]
    bulge = tree.math("SINE", tree.math("MULTIPLY", factor, math.pi))
    radius = tree.math("MULTIPLY", tree.named("thick"), tree.math("MULTIPLY_ADD", bulge, 1.0 - ENDS, ENDS))
    thick = tree.node("GeometryNodeSetCurveRadius", named={"Curve": even.outputs[0], "Radius": radius})
    tube = tree.node("GeometryNodeCurveToMesh", named={
        "Curve": thick.outputs[0], "Profile Curve": tree.ring(SIDES, 1.0), "Fill Caps": True})
    if "Scale" in tube.inputs:  # since Blender 5 the curve's radius counts only where it is asked for
        tree.put(tree.node("GeometryNodeInputRadius").outputs[0], tube.inputs["Scale"])
    return tree.finish(tree.node("GeometryNodeSetShadeSmooth", tube.outputs[0]).outputs[0], material)


def _place(tree: Tree) -> bpy.types.NodeSocket:
    around, share = tree.named("around", "INT"), tree.named("share")
    begin, end = _at(tree, tree.named("start", "INT")), _at(tree, tree.named("end", "INT"))
    straight = tree.vector("ADD", begin, tree.scaled(tree.vector("SUBTRACT", end, begin), share))
    bent, taut = _round(tree, begin, end, share, tree.math("MAXIMUM", around, 0.0))
    goes = tree.math("MULTIPLY", tree.math("GREATER_THAN", around, -0.5), taut)
    return tree.vector("ADD", straight, tree.scaled(tree.vector("SUBTRACT", bent, straight), goes))


def _round(tree: Tree, begin, end, share, row) -> tuple[bpy.types.NodeSocket, bpy.types.NodeSocket]:
    """Where a point lies on the way round, and whether the path touches what it goes round: 1, else 0."""
    middle, further, beside = (_at(tree, tree.math("ADD", row, float(i))) for i in range(3))
    radius = tree.named("round")
    a, b = tree.vector("SUBTRACT", begin, middle), tree.vector("SUBTRACT", end, middle)
    along = tree.vector("SUBTRACT", further, middle)
    across = tree.vector("NORMALIZE", tree.vector("CROSS_PRODUCT", a, b))
    ball = tree.math("LESS_THAN", _length(tree, along), 1e-9)  # round a sphere in the plane of both ends and its middle
    axis = tree.vector("NORMALIZE", tree.vector("ADD", along, tree.scaled(across, ball)))
    flat_a, flat_b = _across(tree, a, axis), _across(tree, b, axis)
    side = _across(tree, tree.vector("SUBTRACT", beside, middle), axis)
    unsaid = tree.math("LESS_THAN", _length(tree, side), 1e-9)  # then the shorter way
    up = tree.vector("NORMALIZE", tree.vector("ADD", side, tree.scaled(tree.vector("ADD", flat_a, flat_b), unsaid)))
    level = tree.vector("CROSS_PRODUCT", up, axis)
    ahead = tree.math("SIGN", _dot(tree, tree.vector("SUBTRACT", flat_b, flat_a), level))
    level = tree.scaled(level, ahead)  # from the first end to the second
    leaves = tree.math("SUBTRACT", _angle(tree, flat_a, level, up), _tangent(tree, flat_a, radius))
    meets = tree.math("ADD", _angle(tree, flat_b, level, up), _tangent(tree, flat_b, radius))
    arc = tree.math("SUBTRACT", meets, leaves)
    angle = tree.math("MULTIPLY_ADD", arc, share, leaves)
    on = tree.vector("ADD", tree.scaled(level, tree.math("MULTIPLY", radius, tree.math("COSINE", angle))),
                     tree.scaled(up, tree.math("MULTIPLY", radius, tree.math("SINE", angle))))
    high_a, high_b = _dot(tree, a, axis), _dot(tree, b, axis)
    high = tree.math("MULTIPLY_ADD", tree.math("SUBTRACT", high_b, high_a), share, high_a)
    place = tree.vector("ADD", middle, tree.vector("ADD", on, tree.scaled(axis, high)))
    return place, tree.math("LESS_THAN", arc, 0.0)


def _at(tree: Tree, row) -> bpy.types.NodeSocket:
    node = tree.node("GeometryNodeSampleIndex", named={"Geometry": tree.start, "Index": row}, data_type="FLOAT_VECTOR",
                     domain="POINT")
    tree.put(tree.node("GeometryNodeInputPosition").outputs[0], next(s for s in node.inputs if s.name == "Value" and s.enabled))
    return next(s for s in node.outputs if s.enabled)


def _dot(tree: Tree, a, b) -> bpy.types.NodeSocket:
    return tree.node("ShaderNodeVectorMath", a, b, operation="DOT_PRODUCT").outputs["Value"]


def _length(tree: Tree, vector) -> bpy.types.NodeSocket:
    return tree.node("ShaderNodeVectorMath", vector, operation="LENGTH").outputs["Value"]


def _across(tree: Tree, vector, axis) -> bpy.types.NodeSocket:
    return tree.vector("SUBTRACT", vector, tree.scaled(axis, _dot(tree, vector, axis)))


def _angle(tree: Tree, vector, level, up) -> bpy.types.NodeSocket:
    """Angle of a vector, from -90 to 270 degrees: from level on, upward [rad]."""
    angle = tree.math("ARCTAN2", _dot(tree, vector, up), _dot(tree, vector, level))
    below = tree.math("LESS_THAN", angle, -0.5 * math.pi)
    return tree.math("MULTIPLY_ADD", below, 2.0 * math.pi, angle)


def _tangent(tree: Tree, vector, radius) -> bpy.types.NodeSocket:
    """Angle at the middle between an end and where its tangent touches [rad]; 0 for an end inside."""
    share = tree.math("DIVIDE", radius, tree.math("MAXIMUM", _length(tree, vector), 1e-9))
    return tree.math("ARCCOSINE", tree.math("MINIMUM", share, 1.0))


PROPERTY = "activation"
"""Custom property of a muscle's object, 0 to 1, that its colour goes by."""
COLOURS = ((0.0, (0.02, 0.10, 0.65)), (0.2, (0.25, 0.04, 0.45)), (0.5, (0.75, 0.01, 0.04)), (1.0, (1.0, 0.03, 0.0)))
"""Colours (linear) by activation: a walk uses the lower half, so most of the change lies there."""
GLOW = 0.7
BONE = (0.72, 0.68, 0.58)
MATERIAL_NAME, BONE_NAME = "Lope Muscle", "Lope Bone"


def muscle_material() -> bpy.types.Material:
    material, nodes, shader = new_material(MATERIAL_NAME)
    works = nodes.node("ShaderNodeAttribute", attribute_type="OBJECT", attribute_name=PROPERTY).outputs["Fac"]
    colour = nodes.ramp(works, COLOURS)
    nodes.fill(shader, {"Base Color": colour, "Emission Color": colour, "Emission Strength": nodes.math("MULTIPLY", works, GLOW),
                        "Roughness": 0.45})
    material.diffuse_color = (*COLOURS[1][1], 1.0)
    return material


def bone_material() -> bpy.types.Material:
    material, nodes, shader = new_material(BONE_NAME)
    material.diffuse_color = (*BONE, 1.0)
    nodes.fill(shader, {"Base Color": (*BONE, 1.0), "Roughness": 0.7})
    return material


def drive_colour(item: bpy.types.Object) -> None:
    """Let the colour that an object has in solid view go by its property: a curve, no script."""
    item.color = (*COLOURS[0][1], 1.0)
    for channel in range(3):
        curve = item.driver_add("color", channel)
        curve.driver.type = "AVERAGE"
        variable = curve.driver.variables.new()
        variable.targets[0].id, variable.targets[0].data_path = item, f'["{PROPERTY}"]'
        for modifier in list(curve.modifiers):  # of a new driver: a straight line, that would count instead of the keys
            curve.modifiers.remove(modifier)
        curve.keyframe_points.clear()
        curve.keyframe_points.add(len(COLOURS))
        for point, (position, colour) in zip(curve.keyframe_points, COLOURS, strict=True):
            point.co, point.interpolation = (position, colour[channel]), "LINEAR"
        curve.update()


CHANNEL = "activation"
GROUP = "Muscle"
STILL = 0.004
"""A key that differs less than this from the straight line between its neighbours is left out: no eye tells such shades apart."""


def names_in(take: Take) -> tuple[str, ...]:
    """The muscles of a take, in the order of its channels. Raises TakeError for a take without muscles."""
    names = take.stats.get("muscles")
    if not names or CHANNEL not in take.channels:
        raise TakeError("This take has no muscles to show: simulate it with muscles in place of torques, and bake that.")
    return tuple(names)


def columns_of(names: Sequence[str], shown: Iterable[str]) -> dict[str, int]:
    """Muscle that can be shown -> column among a take's `names`: its own, or its unit's ("vasti_L" for "vastus_medialis_L")."""
    own = {name: column for column, name in enumerate(names)}
    stands_for = {beginning: ANATOMY[unit] for unit, beginnings in PARTS.items() for beginning in beginnings}
    found = {}
    for name in shown:
        unit = next((unit for beginning, unit in stands_for.items() if name.startswith(beginning)), "")
        column = own.get(name, own.get(f"{unit}{name[-2:]}"))
        if column is not None:
            found[name] = column
    return found


def activations(take: Take, action: bpy.types.Action, scene: bpy.types.Scene) -> tuple[np.ndarray, np.ndarray]:
    """Frames (T,) that the bake of a take wrote into an action, and the activations (T, M) there; in a loop as it is faded."""
    first, last = written_frames(action)
    frames = np.arange(np.ceil(first), np.floor(last) + 1.0)
    values = np.asarray(take.channels[CHANNEL].values, dtype=float)

    def at(times: np.ndarray) -> np.ndarray:
        return np.column_stack([np.interp(times, take.time_s, column) for column in values.T])

    start = float(action[START_KEY])
    if not provenance(action).options.loop:
        return frames, np.clip(at(take.time_s[0] + (frames - start) / frame_rate(scene)), 0.0, 1.0)
    begin, period = middle_stride(take)
    s = (frames - frames[0]) / max(frames[-1] - frames[0], 1.0)
    w = cubic(s)[:, None]
    return frames, np.clip((1.0 - w) * at(begin + s * period) + w * at(begin + (s - 1.0) * period), 0.0, 1.0)


def key_activations(name: str, items: Sequence[bpy.types.Object], frames: np.ndarray, values: np.ndarray,
                    loop: bool) -> bpy.types.Action:
    """Key the property of each object by its column of `values` (T, M), all in one new action; gives it."""
    action = None
    for item, column in zip(items, values.T, strict=True):
        writer = ActionWriter(name, item, into=action)
        rows = _kept(column)
        writer.write(f'["{PROPERTY}"]', GROUP, 0, Keys(frames[rows], column[rows], key_kinds(frames[rows], ())),
                     cyclic="REPEAT" if loop else None)
        action = writer.action
        writer.assign()
    assert action is not None
    return action


def _kept(values: np.ndarray) -> np.ndarray:
    """Rows of the keys that a curve (T,) needs: straight from one to the next it is nowhere further off than `STILL`."""
    keep = np.zeros(len(values), dtype=bool)
    keep[[0, -1]] = True
    spans = [(0, len(values) - 1)]
    while spans:
        a, b = spans.pop()
        if b - a < 2:
            continue
        line = np.linspace(values[a], values[b], b - a + 1)
        off = np.abs(values[a:b + 1] - line)
        worst = a + int(np.argmax(off))
        if off[worst - a] > STILL:
            keep[worst] = True
            spans += [(a, worst), (worst, b)]
    return np.flatnonzero(keep)


OF_KEY = "lope_muscles_of"
BONES = "Muscle Bones"


def show_muscles(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take, *, with_bones: bool = True,
                 muscles: MuscleSet | None = None) -> bpy.types.Collection:
    """Show the muscles (the take's own unless given) of a take that is baked on the armature, in place of what an earlier call
    made; gives their collection. Raises TakeError for a take without muscles, RigError where it is not baked here."""
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
    collection = collection_for(scene, OF_KEY, armature, "Muscles")
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
    return next((one for one in bpy.data.collections if one.get(OF_KEY) == armature and one.get(MADE_KEY)), None)


def hide_muscles(armature: bpy.types.Object) -> int:
    """Take away what Lope made to show an armature's muscles; gives how many objects that were."""
    collection = shown_muscles(armature)
    if collection is None:
        return 0
    count = clear(collection)
    del collection[MADE_KEY]
    if not collection.objects and not collection.children:
        bpy.data.collections.remove(collection)
    return count


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


SHELL = (0.55, 0.62, 0.72, 1.0)
EDGE, FACING = 0.30, 0.05
"""How much of the shell is there where it is seen from the side, and from ahead."""


def see_through(armature: bpy.types.Object) -> int:
    """Give all meshes of an armature a shell for a material; gives how many they are."""
    shell, count = _shell(), 0
    for item, _, _ in meshes_of(armature):
        if not item.material_slots:
            item.data.materials.append(shell)
        for slot in item.material_slots:
            slot.link = "OBJECT"
            slot.material = shell
        item.visible_shadow = False
        count += 1
    return count


def _shell() -> bpy.types.Material:
    material, nodes, _ = new_material("Lope Shell")
    material.surface_render_method = "BLENDED"
    material.diffuse_color = (*SHELL[:3], EDGE)
    facing = nodes.node("ShaderNodeLayerWeight").outputs["Facing"]
    share = nodes.mapped(facing, to_min=FACING, to_max=EDGE)
    air, skin = nodes.node("ShaderNodeBsdfTransparent"), nodes.node("ShaderNodeBsdfDiffuse", named={"Color": SHELL})
    mix = nodes.node("ShaderNodeMixShader", share, air.outputs[0], skin.outputs[0])
    nodes.fill(nodes.of_type("OUTPUT_MATERIAL"), {"Surface": mix.outputs[0]})
    return material
