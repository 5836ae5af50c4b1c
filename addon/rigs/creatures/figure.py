# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure for a creature that has no rig: a bone and a piece of body for every part, under one closed skin that Blender's
modifiers make of the pieces."""

from __future__ import annotations

import colorsys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.spatial import cKDTree

from ...bodies.creature.feet import sole_of
from ...maths.curves import smoothstep
from ...specs.creature import Creature, CreaturePart
from ..astronaut.mesh_kit import Cover, Patch, chain_weights, join, resampled, rigid, tube
from ..astronaut.skeleton import REST_ATTRIBUTE, dressed, in_edit_mode, skinned, to_blender
from ..node_tree import new_material
from ..read.armature import metres_per_unit

COLOUR_ATTRIBUTE = "skin_colour"
"""Point attribute: linear colour of the skin."""


@dataclass(frozen=True)
class Finish:
    """How a material looks: linear base colour (None: the mesh's own), roughness, metal, coat, bumps per metre, their depth."""

    colour: tuple[float, float, float] | None = None
    roughness: float = 0.5
    metallic: float = 0.0
    coat: float = 0.0
    bumps: float = 0.0
    depth: float = 0.0
    glow: float = 0.0


def material(name: str, finish: Finish) -> bpy.types.Material:
    made, nodes, shader = new_material(name)
    shown = finish.colour or (0.3, 0.3, 0.3)
    made.diffuse_color = (*shown, 1.0)
    made.metallic, made.roughness = finish.metallic, finish.roughness
    nodes.fill(shader, {"Base Color": (*shown, 1.0), "Roughness": finish.roughness, "Metallic": finish.metallic,
                        "Coat Weight": finish.coat})
    if finish.glow:
        nodes.fill(shader, {"Emission Color": (*shown, 1.0), "Emission Strength": finish.glow})
    if finish.colour is None:
        nodes.fill(shader, {"Base Color": nodes.attribute(COLOUR_ATTRIBUTE, "Color")})
    if finish.depth:  # scales: cells of the rest place
        cells = nodes.node("ShaderNodeTexVoronoi", named={"Vector": nodes.attribute(REST_ATTRIBUTE, "Vector"),
                                                          "Scale": finish.bumps}).outputs["Distance"]
        bump = nodes.node("ShaderNodeBump", named={"Strength": finish.depth, "Distance": 0.01, "Height": cells})
        nodes.fill(shader, {"Normal": bump.outputs["Normal"]})
    return made


_LEAST_WEIGHT = 0.01
_CONNECTED_M = 1e-6

Paint = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From places (V, 3) [m] and normals (V, 3) to linear colours (V, 3)."""


@dataclass(frozen=True)
class DrawnBone:
    """A bone as drawn: head and tail (3,) [m] in the body frame, its parent's name, the direction of its z axis."""

    name: str
    head: tuple[float, float, float]
    tail: tuple[float, float, float]
    parent: str | None = None
    z_axis: tuple[float, float, float] = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Drawn:
    """A creature as drawn: bones, parents first; its surface; the finish of each material; how the skin is painted."""

    name: str
    bones: Sequence[DrawnBone]
    patch: Patch
    finishes: Mapping[str, Finish]
    paint: Paint | None = None


def build(scene: bpy.types.Scene, drawn: Drawn, units_per_m: float = 1.0) -> bpy.types.Object:
    """Add a drawn creature to a scene; returns the armature, whose child the mesh is."""
    data = bpy.data.armatures.new(drawn.name)
    armature = bpy.data.objects.new(drawn.name, data)
    scene.collection.objects.link(armature)
    in_edit_mode(scene, armature, lambda: _add_bones(data, drawn.bones, units_per_m))
    data.display_type = "STICK"
    armature.show_in_front = True
    skin = bpy.data.objects.new(f"{drawn.name} skin", _mesh(drawn, units_per_m))
    scene.collection.objects.link(skin)
    bones = [bone.name for bone in drawn.bones if bone.name in drawn.patch.weights]
    skinned(skin, armature, bones, drawn.patch.weights, 2, _LEAST_WEIGHT)
    return armature


def _add_bones(armature: bpy.types.Armature, bones: Sequence[DrawnBone], units_per_m: float) -> None:
    for drawn in bones:
        bone = armature.edit_bones.new(drawn.name)
        bone.head, bone.tail = (to_blender(np.array(end) * units_per_m) for end in (drawn.head, drawn.tail))
        bone.align_roll(to_blender(np.array(drawn.z_axis)))
        if drawn.parent is not None:
            bone.parent = armature.edit_bones[drawn.parent]
            bone.use_connect = (bone.head - bone.parent.tail).length < _CONNECTED_M * units_per_m


def _mesh(drawn: Drawn, units_per_m: float) -> bpy.types.Mesh:
    patch = drawn.patch
    mesh = bpy.data.meshes.new(f"{drawn.name} skin")
    mesh.from_pydata(to_blender(patch.points * units_per_m), [], patch.faces)
    dressed(mesh, patch, lambda name: material(f"{drawn.name} {name}", drawn.finishes[name]), drawn.finishes)
    if drawn.paint is not None:
        normals = np.empty(3 * len(patch.points), np.float32)
        mesh.vertex_normals.foreach_get("vector", normals)
        colours = np.ones((len(patch.points), 4), np.float32)
        colours[:, :3] = drawn.paint(patch.points, normals.reshape(-1, 3).astype(float) @ to_blender(np.eye(3)).T)
        mesh.attributes.new(COLOUR_ATTRIBUTE, "FLOAT_COLOR", "POINT").data.foreach_set("color", colours.ravel())
    return mesh


_NEAR = 6
_WEIGHT_ROUNDS = 14
"""Rounds in which every vertex takes half of its neighbours' weights: where a leg goes into the body the skin bends softly."""


def merged(patch: Patch, voxel_m: float, smooth: int = 6) -> Patch:
    """Closed pieces as one closed skin of the first one's material, its vertices about `voxel_m` apart."""
    points, faces = _remeshed(patch, voxel_m, smooth)
    distance, row = cKDTree(patch.points).query(points, k=_NEAR)
    share = 1.0 / np.maximum(distance, 0.25 * voxel_m) ** 2
    share /= share.sum(axis=1, keepdims=True)
    names = list(patch.weights)
    weights = np.einsum("vk,vkb->vb", share, np.stack([patch.weights[name] for name in names], axis=1)[row])
    weights = _softened(weights, faces, len(points))
    return Patch(points, faces, [patch.materials[0]] * len(faces), {n: weights[:, i] for i, n in enumerate(names)})


def _remeshed(patch: Patch, voxel_m: float, smooth: int) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    mesh = bpy.data.meshes.new("Lope pieces")
    mesh.from_pydata(patch.points, [], patch.faces)
    item = bpy.data.objects.new("Lope pieces", mesh)
    scene = bpy.context.scene
    scene.collection.objects.link(item)
    try:
        remesh = item.modifiers.new("Remesh", "REMESH")
        remesh.mode, remesh.voxel_size = "VOXEL", voxel_m
        soft = item.modifiers.new("Smooth", "SMOOTH")
        soft.factor, soft.iterations = 0.5, smooth
        whole = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
        made = whole.to_mesh()
        points = np.empty(3 * len(made.vertices), np.float32)
        made.vertices.foreach_get("co", points)
        faces = [tuple(face.vertices) for face in made.polygons]
        whole.to_mesh_clear()
    finally:
        bpy.data.objects.remove(item)
        bpy.data.meshes.remove(mesh)
    return points.reshape(-1, 3).astype(float), faces


def _softened(weights: np.ndarray, faces: list[tuple[int, ...]], count: int) -> np.ndarray:
    """Weights (V, B), each vertex's drawn to its neighbours', summing to 1."""
    edges = np.array([(a, b) for face in faces for a, b in zip(face, (*face[1:], face[0]), strict=True)])
    degree = np.bincount(edges[:, 0], minlength=count).astype(float)[:, None]
    for _ in range(_WEIGHT_ROUNDS):
        total = np.zeros_like(weights)
        np.add.at(total, edges[:, 0], weights[edges[:, 1]])
        weights = 0.5 * weights + 0.5 * total / np.maximum(degree, 1.0)
    return weights / weights.sum(axis=1, keepdims=True)


_VOXELS = 90
"""How many of the skin's points lie along the creature's largest side, about."""
_HIP, _KNEE, _ANKLE = 1.35, 0.95, 0.85
"""Thickness of a leg at its hip and of its joints, over its parts' radii: flesh lies over the first part."""
_ROOT, _RUMP, _CHEST, _SNOUT = 1.5, 0.9, 0.75, 0.55
"""The same of necks and tails where they begin, of a trunk's ends, and of a head's."""
_FINISHES = {"skin": Finish(None, 0.55, bumps=60.0, depth=0.25), "eye": Finish((0.02, 0.017, 0.015), 0.06, coat=0.8)}


def add_creature(scene: bpy.types.Scene, creature: Creature) -> bpy.types.Object:
    """Add a creature's figure, facing -Y; returns its armature. Bones are called as its parts' bones are, or as the parts."""
    bones = {part.name: part.bone or part.name for part in creature.parts}
    size = max(np.ptp([end for part in creature.parts for end in (part.joint_m, part.tip_m)], axis=0))
    skin = merged(join(_pieces(creature, bones)), float(size) / _VOXELS, 10)
    back = colorsys.hsv_to_rgb(0.04 + 0.55 * (zlib.crc32(creature.name.encode()) % 97) / 97.0, 0.55, 0.20)
    paint = countershaded(back, (0.50, 0.44, 0.34), tuple(0.35 * c for c in back), float(size) / 22.0)
    drawn = Drawn(creature.name.replace("_", " ").title(), [_bone(part, bones) for part in creature.parts],
                  join([skin, *_eyes(creature, bones)]), _FINISHES, paint)
    return build(scene, drawn, 1.0 / metres_per_unit(scene))


def _bone(part: CreaturePart, bones: dict[str, str]) -> DrawnBone:
    way = np.subtract(part.tip_m, part.joint_m)
    up = abs(way[2]) < 0.7 * np.linalg.norm(way)
    return DrawnBone(bones[part.name], part.joint_m, part.tip_m, None if part.parent is None else bones[part.parent],
                     (0.0, 0.0, 1.0) if up else (1.0, 0.0, 0.0))


def _pieces(creature: Creature, bones: dict[str, str]) -> list[Patch]:
    feet = {leg[-1].name for leg in creature.legs}
    pieces = [piece for leg in creature.legs for piece in _foot(leg[-1], bones[leg[-1].name])]
    for row in _rows(creature):
        if row[0].name not in feet:
            pieces.append(_piece([part for part in row if part.name not in feet], bones))
    return pieces


def _rows(creature: Creature) -> list[list[CreaturePart]]:
    """The parts in rows: each goes on from the one above in the first part of its kind that hangs on it; a head ends its neck."""
    rows: list[list[CreaturePart]] = []
    for part in creature.parts:
        row = next((row for row in rows if row[-1].name == part.parent
                    and (row[-1].kind == part.kind or (row[-1].kind, part.kind) == ("neck", "head"))), None)
        if row is None:
            rows.append([part])
        else:
            row.append(part)
    return rows


def _piece(row: list[CreaturePart], bones: dict[str, str]) -> Patch:
    knots = [row[0].joint_m, *(part.joint_m for part in row[1:]), row[-1].tip_m]
    radii = [row[0].radius_m, *(0.5 * (a.radius_m + b.radius_m) for a, b in zip(row, row[1:], strict=False)), row[-1].radius_m]
    if row[0].kind == "leg":
        radii = [_HIP * radii[0], *(_KNEE * r for r in radii[1:-1]), _ANKLE * radii[-1]]
    elif row[0].kind in ("neck", "tail"):
        radii[0] *= _ROOT
        radii[-1] *= 0.5 if row[0].kind == "tail" else 1.0
    elif row[0].kind == "trunk":
        radii[0] *= _RUMP
    if row[-1].kind in ("head", "trunk"):  # thickest in the middle
        middle = np.add(row[-1].joint_m, 0.45 * np.subtract(row[-1].tip_m, row[-1].joint_m))
        knots.insert(-1, (float(middle[0]), float(middle[1]), float(middle[2])))
        radii[-1:] = [1.1 * row[-1].radius_m, (_SNOUT if row[-1].kind == "head" else _CHEST) * row[-1].radius_m]
    way = np.abs(np.subtract(row[-1].tip_m, row[0].joint_m))
    reference = (1.0, 0.0, 0.0) if way[2] > way[0] else (0.0, 0.0, 1.0)
    ends = [np.asarray(knots[0], float), np.asarray(knots[-1], float)]
    if np.linalg.norm(ends[1] - ends[0]) < 1e-6:
        return ball(knots[0], (radii[0],) * 3, bones[row[0].name])
    return chain(knots, [(r, r) for r in radii], [(bones[part.name], i) for i, part in enumerate(row)], reference=reference)


def _foot(foot: CreaturePart, bone: str) -> list[Patch]:
    """Three toes and a heel on the ground, and what joins them to the leg."""
    sole, joint = sole_of(foot), np.array(foot.joint_m, dtype=float)
    thick = float(np.clip(0.45 * joint[2], 0.05 * sole.length_m, 0.16 * sole.length_m))
    pieces = [ball(joint, (max(foot.radius_m, thick),) * 3, bone)]
    for ahead, across, length in ((1.0, 0.0, sole.toe_m), (1.0, 1.0, 0.88 * sole.toe_m), (1.0, -1.0, 0.88 * sole.toe_m),
                                  (-1.0, 0.0, sole.heel_m)):
        end = sole.under + ahead * max(length - thick, 0.0) * sole.forward
        end = end + across * max(sole.half_width_m - thick, 0.0) * sole.left
        pieces.append(chain((joint, (*(0.45 * joint[:2] + 0.55 * end), 1.15 * thick), (*end, thick)),
                            ((1.3 * thick, 1.3 * thick), (1.15 * thick, 1.1 * thick), (thick, thick)), ((bone, 0),)))
    return pieces


def _eyes(creature: Creature, bones: dict[str, str]) -> list[Patch]:
    head = (creature.of_kind("head") or creature.of_kind("neck") or creature.of_kind("trunk"))[-1]
    joint, way = np.array(head.joint_m, dtype=float), np.subtract(head.tip_m, head.joint_m)
    size, ahead = 0.26 * head.radius_m, np.array([1.0, 0.0, 0.0])
    eyes = []
    for side in (1.0, -1.0):
        out = head.radius_m * (0.45 * ahead + side * 0.80 * np.array([0.0, 1.0, 0.0]) + 0.36 * np.array([0.0, 0.0, 1.0]))
        eyes.append(ball(joint + 0.5 * way + out, (size, 0.75 * size, size), bones[head.name], "eye"))
    return eyes


SKIN = "skin"
AROUND = 20
"""Corners of a ring."""
_STEP = 0.35
"""Rings lie a share of the thickness apart."""
_ROUND_END = np.sin(np.linspace(0.0, 0.5 * np.pi, 6))[:, None]


def chain(knots: Sequence[Sequence[float]], thick: Sequence[Sequence[float]], bones: Sequence[tuple[str, int]],
          material: str = SKIN, reference: Sequence[float] = (0.0, 0.0, 1.0)) -> Patch:
    """A round, closed chain through knots (K, 3), its half axes at each being `thick` (K, 2): along `reference` and across it.
    `bones`: name of each bone along it and the knot at which it begins; the first one's is not asked for. Both ends are round."""
    knots, thick = np.asarray(knots, float), np.asarray(thick, float)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(knots, axis=0), axis=1))])
    count = max(8, int(way[-1] / (_STEP * float(thick.mean()))))
    path = resampled(knots, count) if len(knots) > 2 else np.linspace(knots[0], knots[1], count)
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    at = np.array([s[int(np.argmin(np.linalg.norm(path - knot, axis=1)))] for knot in knots])
    radii = np.column_stack([_smooth(s, at, thick[:, k]) for k in range(2)])
    path, radii, s = _with_round_ends(path, radii, s)
    starts = [float(at[knot]) for _, knot in bones[1:]]
    widths = [2.0 * float(thick[knot].mean()) for _, knot in bones[1:]]
    along = np.append(np.repeat(s, AROUND), [s[0], s[-1]])
    weights = chain_weights(along, [name for name, _ in bones], starts, widths)
    return tube(path, radii[:, 0], radii[:, 1],
                Cover(material, lambda _: weights, AROUND, reference=reference, caps=(True, True)))


def ball(centre: Sequence[float], half: Sequence[float], bone: str, material: str = SKIN) -> Patch:
    turn = np.linspace(0.04, np.pi - 0.04, 12)
    path = np.asarray(centre, float) + np.column_stack([-np.cos(turn) * half[0], np.zeros((12, 2))])
    return tube(path, half[2] * np.sin(turn), half[1] * np.sin(turn),
                Cover(material, lambda p: rigid(p, bone), AROUND, reference=(0.0, 0.0, 1.0), caps=(True, True)))


def _smooth(s: np.ndarray, at: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (K,) at places `at` (K,), smoothly in between at `s` (N,): cubic, without overshoot."""
    if len(at) < 3:
        return np.interp(s, at, values)
    return PchipInterpolator(at, values)(np.clip(s, at[0], at[-1]))


def _with_round_ends(path: np.ndarray, radii: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The path, half axes and arc lengths with half a ball at either end."""
    for _ in range(2):
        out = path[0] - path[1]
        out /= np.linalg.norm(out)
        reach = float(radii[0].min())
        beyond = reach * np.sqrt(1.0 - _ROUND_END[:-1] ** 2)
        path = np.concatenate([path[0] + beyond * out, path])
        radii = np.concatenate([radii[0] * np.maximum(_ROUND_END[:-1], 0.03), radii])
        s = np.concatenate([s[0] + (-beyond[:, 0] if s[0] <= s[-1] else beyond[:, 0]), s])
        path, radii, s = path[::-1], radii[::-1], s[::-1]
    return path, radii, s


Colour = Sequence[float]


def mixed(a: np.ndarray | Colour, b: np.ndarray | Colour, share: np.ndarray) -> np.ndarray:
    """Colours (V, 3) a share (V,) of the way from one to the other."""
    return np.asarray(a) * (1.0 - share[:, None]) + np.asarray(b) * share[:, None]


def countershaded(back: Colour, belly: Colour, bands: Colour | None = None, width_m: float = 0.1) -> Paint:
    """Back above, belly below; bands across the back of about that width."""
    def paint(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        colour = mixed(belly, back, smoothstep(0.5 + 0.9 * normals[:, 2] + 0.25))
        if bands is not None:
            x, y, z = points.T
            wave = np.sin(np.pi * (x + 0.35 * z) / width_m + 1.3 * np.sin(7.0 * z) + 2.0 * np.abs(y))
            colour = mixed(colour, bands, 0.8 * smoothstep(3.0 * wave - 1.0) * smoothstep(1.0 + 2.0 * normals[:, 2]))
        return colour

    return paint
