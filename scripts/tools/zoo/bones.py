# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to an animal's bones: other orders and parents, more bones and fewer, with the skin shared out anew."""

from __future__ import annotations

import random

import bpy
import numpy as np
from mathutils import Vector

from .animal import Animal, editing


def scramble(animal: Animal, seed: int = 3) -> None:
    """Make the bones anew in a random order; what hangs on what stays."""
    names = [bone.name for bone in animal.armature.data.bones]
    random.Random(seed).shuffle(names)
    with editing(animal) as bones:
        kept = {b.name: (b.head.copy(), b.tail.copy(), b.roll, b.parent.name if b.parent else None) for b in bones}
        for bone in list(bones):
            bones.remove(bone)
        for name in names:
            bone = bones.new(name)
            bone.head, bone.tail, bone.roll = kept[name][:3]
        for name in names:
            bones[name].parent = bones[kept[name][3]] if kept[name][3] else None


def free_feet(animal: Animal, root: str = "Bone", pole: str = "PoleTarget.{side}") -> None:
    """Feet as exports of IK rigs have them: children of a root on the ground, beside them a pole target for each knee."""
    with editing(animal) as bones:
        ground = bones.get(root) or bones.new(root)
        if ground.length < 1e-6:
            ground.head, ground.tail = (0.0, 0.0, 0.0), (0.0, 0.2, 0.0)
        for bone in list(bones):
            if bone.parent is None and bone != ground:
                bone.use_connect, bone.parent = False, ground
        for side in "LR":
            foot, shank = bones[animal.truth[f"foot_{side}"]], bones[animal.truth[f"shank_{side}"]]
            foot.use_connect, foot.parent = False, ground
            made = bones.new(pole.format(side=side))
            made.head = shank.head + Vector((0.0, -0.6 * shank.length, 0.0))
            made.tail = made.head + Vector((0.0, 0.0, 0.1 * shank.length))
            made.parent = ground


def free_hands(animal: Animal) -> None:
    """Hands that hang on the clavicle, as toys with IK arms have them."""
    with editing(animal) as bones:
        for side in "LR":
            hand = bones[animal.truth[f"hand_{side}"]]
            hand.use_connect, hand.parent = False, bones[animal.truth[f"clavicle_{side}"]]


def thighs_on_spine(animal: Animal) -> None:
    """As old Bipeds have it: the thighs are children of the first bone of the spine, the clavicles of the neck."""
    with editing(animal) as bones:
        for side in "LR":
            for segment, parent in (("thigh", "lower_spine"), ("clavicle", "neck")):
                bone = bones[animal.truth[f"{segment}_{side}"]]
                bone.use_connect, bone.parent = False, bones[animal.truth[parent]]


def helpers(animal: Animal, ends: tuple[str, ...] = ("foot", "hand"), name: str = "{end}_IK_{side}") -> None:
    """Targets for IK: bones without a parent where hands and feet rest."""
    with editing(animal) as bones:
        for side in "LR":
            for end in ends:
                at = bones[animal.truth[f"{end}_{side}"]]
                made = bones.new(name.format(end=end, side=side))
                made.head, made.tail = at.head, at.head + Vector((0.0, 0.3 * at.length, 0.0))


def leaves(animal: Animal, suffix: str = "_end") -> None:
    """A bone without skin at every open end, as FBX files have them."""
    with editing(animal) as bones:
        for bone in [bone for bone in bones if not bone.children]:
            made = bones.new(bone.name + suffix)
            made.head, made.tail = bone.tail, bone.tail + 0.2 * (bone.tail - bone.head)
            made.parent = bone


def twist(animal: Animal, inline: bool) -> None:
    """A twist bone in the outer half of every limb: `inline` between a bone and the next, or beside it."""
    limbs = {"upper_arm": "forearm", "forearm": "hand", "thigh": "shank", "shank": "foot"}
    made_of = {}
    with editing(animal) as bones:
        for side in "LR":
            for segment, below in limbs.items():
                bone, child = bones[animal.truth[f"{segment}_{side}"]], bones[animal.truth[f"{below}_{side}"]]
                made = bones.new(f"{bone.name}_twist_01")
                made.head, made.tail, made.parent = 0.5 * (bone.head + child.head), child.head, bone
                if inline:
                    child.use_connect, child.parent = False, made
                made_of[bone.name] = (made.name, bone.head.copy(), child.head.copy())
    for old, (new, head, tail) in made_of.items():
        share_skin(animal, [old], [old, new], [head, 0.5 * (head + tail), tail])


def respine(animal: Animal, count: int) -> None:
    """A trunk of `count` bones in place of its own, the skin shared out along it."""
    old = list(animal.spine)
    with editing(animal) as bones:
        neck = bones[animal.truth.get("neck", animal.truth["head"])]
        line = [bones[name].head.copy() for name in old] + [neck.head.copy()]
        along = np.cumsum([0.0] + [(b - a).length for a, b in zip(line, line[1:], strict=False)])
        points = [Vector([np.interp(s, along, [p[k] for p in line]) for k in range(3)])
                  for s in np.linspace(0.0, along[-1], count + 1)]
        hung = [bone for bone in bones if bone.parent is not None and bone.parent.name in old and bone.name not in old]
        pelvis = bones[animal.truth["pelvis"]]
        for bone in hung:
            bone.use_connect = False
        names = [f"trunk{i}" for i in range(count)]
        above = pelvis
        for name, head, tail in zip(names, points, points[1:], strict=False):
            made = bones.new(name)
            made.head, made.tail, made.parent = head, tail, above
            above = made
        for bone in hung:
            bone.parent = above
        for name in old:
            bones.remove(bones[name])
    share_skin(animal, old, names, points)
    animal.spine = names
    animal.truth.update({"lower_spine": names[0], "chest": names[-1]})
    if count == 1:
        del animal.truth["lower_spine"]


def share_skin(animal: Animal, old: list[str], new: list[str], points: list[Vector]) -> None:
    """Give the weight that bones `old` have to the bones `new`, each to those between its two of the `points` (armature
    space), with a soft border."""
    line = [np.array(p) for p in points]
    ends = np.cumsum([0.0] + [np.linalg.norm(b - a) for a, b in zip(line, line[1:], strict=False)])
    soft = 0.3 * ends[-1] / len(new)
    for mesh in animal.meshes:
        into = np.array(animal.armature.matrix_world.inverted() @ mesh.matrix_world)
        groups = {mesh.vertex_groups[name].index for name in old if name in mesh.vertex_groups}
        weight = {v.index: sum(g.weight for g in v.groups if g.group in groups) for v in mesh.data.vertices}
        for name in old:
            if name in mesh.vertex_groups:
                mesh.vertex_groups.remove(mesh.vertex_groups[name])
        made = [mesh.vertex_groups.new(name=name) for name in new]
        for v in mesh.data.vertices:
            if weight[v.index] <= 0.0:
                continue
            place = (into @ np.append(np.array(v.co), 1.0))[:3]
            s = _along(place, line, ends)
            inner = np.clip((s - ends[1:-1]) / soft + 0.5, 0.0, 1.0)
            share = np.append(1.0, inner) - np.append(inner, 0.0)
            for group, part in zip(made, share, strict=True):
                if part > 1e-4:
                    group.add([v.index], float(part * weight[v.index]), "REPLACE")


def _along(place: np.ndarray, line: list[np.ndarray], ends: np.ndarray) -> float:
    """How far along a broken line (its corners `ends` from the start) the nearest place to `place` is."""
    best = (np.inf, 0.0)
    for a, b, start in zip(line, line[1:], ends, strict=False):
        t = float(np.clip((place - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0))
        best = min(best, (float(np.linalg.norm(place - a - t * (b - a))), float(start + t * np.linalg.norm(b - a))))
    return best[1]


def strands(animal: Animal, parent: str, count: int, length: float, links: int, name: str, radius: float) -> None:
    """Chains that hang down in a ring round a bone's head, each with a ribbon of skin: hair, a skirt. Lengths in armature
    units."""
    made_names, places = [], []
    with editing(animal) as bones:
        top = bones[animal.truth[parent]]
        for k in range(count):
            angle = 2.0 * np.pi * (k + 0.5) / count
            out = Vector((np.cos(angle), np.sin(angle), 0.0))
            above = top
            for i in range(links):
                made = bones.new(name.format(strand=k, link=i))
                made.head = top.head + radius * (1.0 + 0.1 * i) * out + Vector((0.0, 0.0, -length * i / links))
                made.tail = made.head + Vector((0.0, 0.0, -length / links))
                made.parent = above
                above = made
                side = 0.1 * radius * Vector((-out.y, out.x, 0.0))
                places += [made.head - side, made.head + side, made.tail + side, made.tail - side]
                made_names.append(made.name)
    mesh = bpy.data.meshes.new(name.format(strand=0, link=0))
    mesh.from_pydata([tuple(p) for p in places], [], [tuple(range(4 * i, 4 * i + 4)) for i in range(len(made_names))])
    item = bpy.data.objects.new(mesh.name, mesh)
    bpy.context.scene.collection.objects.link(item)
    item.parent = animal.armature
    item.modifiers.new("Armature", "ARMATURE").object = animal.armature
    for i, bone in enumerate(made_names):
        item.vertex_groups.new(name=bone).add(range(4 * i, 4 * i + 4), 1.0, "REPLACE")


def crowd(animal: Animal, count: int) -> None:
    """Helper bones up to `count` in all: small ones all over the face, doubles of the limbs, a row of parentless ones."""
    random_ = random.Random(11)
    with editing(animal) as bones:
        head = bones[animal.truth["head"]]
        size = head.length
        limbs = [bones[name] for segment, name in animal.truth.items() if segment[-2:] in ("_L", "_R")]
        for bone in limbs:
            made = bones.new(f"MCH-{bone.name}")
            made.head, made.tail, made.parent = bone.head, bone.head + 0.3 * (bone.tail - bone.head), bone.parent
        while len(bones) < count:
            kind = len(bones) % 3
            made = bones.new(f"{('face', 'jiggle', 'ctrl')[kind]}_{len(bones):03d}")
            if kind == 0:
                made.head = head.head + size * Vector([random_.uniform(-0.4, 0.4), random_.uniform(-0.6, -0.3),
                                                       random_.uniform(0.1, 0.9)])
                made.parent = head
            elif kind == 1:
                bone = random_.choice(limbs)
                made.head = bone.head + random_.random() * (bone.tail - bone.head) + 0.1 * size * Vector(
                    [random_.uniform(-1.0, 1.0) for _ in range(3)])
                made.parent = bone
            else:
                made.head = size * Vector([random_.uniform(-6.0, 6.0), random_.uniform(2.0, 4.0), random_.uniform(0.0, 6.0)])
            made.tail = made.head + Vector((0.0, 0.0, 0.1 * size))
