# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to an animal's proportions and rest pose; meshes go along."""

from __future__ import annotations

import random

import bpy
import numpy as np
from mathutils import Matrix, Vector

from .animal import Animal, editing, lay, settle, stand, turn

FORE = Vector((0.0, 1.0, 0.0))


def grow(animal: Animal, **size: float) -> None:
    """Scale bones with all that hangs on them, by segment without its side: `thigh=0.8` makes both legs shorter."""
    for kind, factor in size.items():
        for segment, name in animal.truth.items():
            if segment == kind or segment[:-2] == kind:
                animal.armature.pose.bones[name].scale = [factor] * 3
    bpy.context.view_layer.update()
    settle(animal)
    stand(animal)


def resize(animal: Animal, factor: float) -> None:
    """Scale everything about the origin, in the data."""
    lay(animal, Matrix.Scale(factor, 4))


def hidden_scale(animal: Animal, factor: float) -> None:
    """The same size in the world, with an object scale of `factor`."""
    objects = [animal.armature, *(mesh for mesh in animal.meshes if mesh.parent != animal.armature)]
    lay(animal, Matrix.Scale(1.0 / factor, 4))
    for item in objects:
        item.scale = [factor * s for s in item.scale]
    bpy.context.view_layer.update()


def hunched(animal: Animal) -> None:
    """Bowed forward from the waist, the head held up."""
    for segment, degrees in (("lower_spine", 20.0), ("chest", 25.0), ("neck", -10.0), ("head", -25.0)):
        turn(animal, segment, degrees)
    for side in "LR":
        turn(animal, f"upper_arm_{side}", -25.0)
    settle(animal)


def leaning(animal: Animal, degrees: float = 17.0) -> None:
    """The whole trunk tipped forward at the hips, the legs upright."""
    turn(animal, "pelvis", degrees)
    for side in "LR":
        turn(animal, f"thigh_{side}", -degrees)
    settle(animal)
    stand(animal)


def crouched(animal: Animal) -> None:
    """Knees bent."""
    for side in "LR":
        for segment, degrees in (("thigh", -35.0), ("shank", 65.0), ("foot", -30.0)):
            turn(animal, f"{segment}_{side}", degrees)
    settle(animal)
    stand(animal)


def uneven(animal: Animal) -> None:
    """No mirrored rest pose: one leg ahead, arms and head differently held."""
    for segment, degrees in (("thigh_L", -14.0), ("thigh_R", 10.0), ("shank_R", 12.0), ("foot_R", -20.0), ("foot_L", 14.0),
                             ("upper_arm_L", 30.0), ("forearm_R", -40.0)):
        turn(animal, segment, degrees)
    turn(animal, "head", 20.0, Vector((0.0, 0.0, 1.0)))
    turn(animal, "upper_arm_R", 20.0, FORE)
    settle(animal)
    stand(animal)


def spread(animal: Animal, degrees: float) -> None:
    """Arms raised sideways from where they rest."""
    for side, sign in (("L", -1.0), ("R", 1.0)):
        turn(animal, f"upper_arm_{side}", sign * degrees, FORE)
    settle(animal)


def reaching(animal: Animal) -> None:
    """Arms stretched out to the front."""
    for side in "LR":
        turn(animal, f"upper_arm_{side}", -70.0)
    settle(animal)


def heels(animal: Animal, degrees: float = 40.0) -> None:
    """On high heels: feet pitched down, toes flat, a heel of mesh under each."""
    for side in "LR":
        turn(animal, f"foot_{side}", degrees)
        turn(animal, f"toes_{side}", -degrees)
    settle(animal)
    stand(animal)
    mesh, inside = animal.meshes[0], animal.armature.matrix_world
    for side in "LR":
        foot = animal.bone(f"foot_{side}")
        ankle = np.array(inside @ foot.head_local)
        name = f"heel {side}"
        data = bpy.data.meshes.new(name)
        half = 0.012
        corners = [(x, y, z) for z in (0.0, 0.8 * ankle[2])
                   for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))]
        data.from_pydata([(ankle[0] + x, ankle[1] + 0.045 + y, z) for x, y, z in corners], [],
                         [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
        item = bpy.data.objects.new(name, data)
        bpy.context.scene.collection.objects.link(item)
        item.vertex_groups.new(name=foot.name).add(range(8), 1.0, "REPLACE")
        item.modifiers.new("Armature", "ARMATURE").object = animal.armature
        for material in mesh.data.materials[:1]:
            data.materials.append(material)


def place(animal: Animal, degrees: float, axis: str = "Z", at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
    """Turn and move the objects; their data stay."""
    turned = Matrix.Translation(at) @ Matrix.Rotation(np.radians(degrees), 4, axis)
    for item in [item for item in bpy.data.objects if item.parent is None]:
        item.matrix_world = turned @ item.matrix_world
    bpy.context.view_layer.update()


def carry(animal: Animal) -> None:
    """Make the armature a child of a moving empty."""
    cart = bpy.data.objects.new("cart", None)
    bpy.context.scene.collection.objects.link(cart)
    for frame, x in ((1, 0.0), (100, 3.0)):
        cart.location.x = x
        cart.keyframe_insert("location", frame=frame)
    top = animal.armature
    while top.parent is not None:
        top = top.parent
    bpy.context.scene.frame_set(1)
    top.parent = cart
    bpy.context.view_layer.update()


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


SYLLABLES = ("zo", "rak", "mi", "tul", "pe", "gnu", "la", "fis", "ob", "wex")


def nameless(animal: Animal) -> None:
    """`Bone`, `Bone.001` and so on."""
    animal.rename(lambda i, _: f"Bone.{i:03d}" if i else "Bone")


def digits(animal: Animal) -> None:
    """Numbers only."""
    animal.rename(lambda i, _: str(i))


def nonsense(animal: Animal, seed: int = 5) -> None:
    """Words of no language."""
    random_ = random.Random(seed)
    animal.rename(lambda i, _: "".join(random_.choice(SYLLABLES) for _ in range(3)) + str(i))


def by_segment(animal: Animal, names: dict[str, str], sides: tuple[str, str], rest: str = "{name}") -> None:
    """Names by segment (without its side, where `{side}` stands), other bones as `rest` says."""
    segment_of = {bone: segment for segment, bone in animal.truth.items()}
    spine = {bone: i for i, bone in enumerate(animal.spine)}

    def name_of(i: int, old: str) -> str:
        segment = segment_of.get(old, "")
        kind, side = (segment[:-2], sides["LR".index(segment[-1])]) if segment[-2:] in ("_L", "_R") else (segment, "")
        if old in spine and "spine" in names:
            return names["spine"].format(n=spine[old], m=spine[old] + 1)
        return names[kind].format(side=side) if kind in names else rest.format(i=i, name=old)

    animal.rename(name_of)


def japanese(animal: Animal) -> None:
    """As MikuMikuDance has them."""
    by_segment(animal, {"pelvis": "下半身", "spine": "上半身{m}", "neck": "首", "head": "頭", "clavicle": "{side}肩",
                        "upper_arm": "{side}腕", "forearm": "{side}ひじ", "hand": "{side}手首", "thigh": "{side}足",
                        "shank": "{side}ひざ", "foot": "{side}足首", "toes": "{side}つま先"}, ("左", "右"), "ボーン{i}")


def vroid(animal: Animal) -> None:
    """As VRoid has them."""
    by_segment(animal, {"pelvis": "J_Bip_C_Hips", "spine": "J_Bip_C_Spine{m}", "neck": "J_Bip_C_Neck", "head": "J_Bip_C_Head",
                        "clavicle": "J_Bip_{side}_Shoulder", "upper_arm": "J_Bip_{side}_UpperArm",
                        "forearm": "J_Bip_{side}_LowerArm", "hand": "J_Bip_{side}_Hand", "thigh": "J_Bip_{side}_UpperLeg",
                        "shank": "J_Bip_{side}_LowerLeg", "foot": "J_Bip_{side}_Foot", "toes": "J_Bip_{side}_ToeBase"},
               ("L", "R"), "J_Bip_{i}")


def daz(animal: Animal) -> None:
    """As Daz and Poser have them."""
    by_segment(animal, {"pelvis": "hip", "spine": "abdomen{m}", "neck": "neckLower", "head": "head", "clavicle": "{side}Collar",
                        "upper_arm": "{side}ShldrBend", "forearm": "{side}ForearmBend", "hand": "{side}Hand",
                        "thigh": "{side}ThighBend", "shank": "{side}Shin", "foot": "{side}Foot", "toes": "{side}Toe"},
               ("l", "r"), "{name}")


def biped(animal: Animal) -> None:
    """As 3ds Max's Biped has them."""
    by_segment(animal, {"pelvis": "Bip01 Pelvis", "spine": "Bip01 Spine{n}", "neck": "Bip01 Neck", "head": "Bip01 Head",
                        "clavicle": "Bip01 {side} Clavicle", "upper_arm": "Bip01 {side} UpperArm",
                        "forearm": "Bip01 {side} Forearm", "hand": "Bip01 {side} Hand", "thigh": "Bip01 {side} Thigh",
                        "shank": "Bip01 {side} Calf", "foot": "Bip01 {side} Foot", "toes": "Bip01 {side} Toe0"}, ("L", "R"),
               "Bip01 x{i}")


def korean(animal: Animal) -> None:
    """Plain Korean words."""
    by_segment(animal, {"pelvis": "골반", "spine": "척추{m}", "neck": "목", "head": "머리", "clavicle": "쇄골_{side}",
                        "upper_arm": "위팔_{side}", "forearm": "아래팔_{side}", "hand": "손_{side}", "thigh": "허벅지_{side}",
                        "shank": "종아리_{side}", "foot": "발_{side}", "toes": "발가락_{side}"}, ("왼", "오른"), "본{i}")


def robot(animal: Animal) -> None:
    """Game-like names with the side behind a dot, some of which a family of Lope's has, too."""
    by_segment(animal, {"pelvis": "Hips", "spine": "Torso{n}", "neck": "Neck", "head": "Head", "clavicle": "Shoulder.{side}",
                        "upper_arm": "UpperArm.{side}", "forearm": "LowerArm.{side}", "hand": "Palm.{side}",
                        "thigh": "UpperLeg.{side}", "shank": "LowerLeg.{side}", "foot": "Foot.{side}", "toes": "Toe.{side}"},
               ("L", "R"))
