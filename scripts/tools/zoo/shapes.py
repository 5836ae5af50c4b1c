# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to an animal's proportions and rest pose; meshes go along."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Vector

from .animal import Animal, lay, settle, stand, turn

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
