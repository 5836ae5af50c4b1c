# SPDX-License-Identifier: GPL-3.0-or-later
"""An animal of the zoo while it is made: an armature in the open file, and which of its bones truly is which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

from lope.addon.rigs.read.detect import detect

LATERAL = Vector((1.0, 0.0, 0.0))
"""All base characters face -Y with their left at +X."""


@dataclass
class Animal:
    """`truth`: segment -> bone; `spine`: every bone of the trunk's chain from the lowest up; `tells`: findings of the doctor
    that must be there; `refused`: whether Lope must say that it cannot be simulated as it is."""

    armature: bpy.types.Object
    truth: dict[str, str]
    spine: list[str] = field(default_factory=list)
    tells: tuple[str, ...] = ()
    refused: bool = False

    @property
    def meshes(self) -> list[bpy.types.Object]:
        """Meshes that the armature deforms."""
        return [item for item in bpy.data.objects if item.type == "MESH"
                and any(m.type == "ARMATURE" and m.object == self.armature for m in item.modifiers)]

    def bone(self, segment: str) -> bpy.types.Bone:
        """The bone of a segment at rest."""
        return self.armature.data.bones[self.truth[segment]]

    def rename(self, name_of: Callable[[int, str], str]) -> None:
        """Give every bone another name, by its number and its old name; vertex groups follow."""
        old = [bone.name for bone in self.armature.data.bones]
        new = {name: name_of(i, name) for i, name in enumerate(old)}
        for i, name in enumerate(old):
            self.armature.data.bones[name].name = f"__{i}__"
        for i, name in enumerate(old):
            self.armature.data.bones[f"__{i}__"].name = new[name]
        self.truth = {segment: new[name] for segment, name in self.truth.items()}
        self.spine = [new[name] for name in self.spine]


def adopt(path: Path | None, kind: str = "") -> Animal:
    """A base character in an empty file: a file, or one of Rigify's ("basic", "human", with " rig" what it generates)."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path is None:
        bpy.ops.preferences.addon_enable(module="rigify")
        add = bpy.ops.object.armature_human_metarig_add if "human" in kind else bpy.ops.object.armature_basic_human_metarig_add
        add()
        if kind.endswith("rig"):
            metarig = bpy.context.object
            bpy.ops.pose.rigify_generate()
            bpy.ops.object.mode_set(mode="OBJECT")
            bpy.data.objects.remove(metarig)
    elif path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    if armature.animation_data is not None:
        armature.animation_data.action = None  # drivers are part of a rig
    bpy.context.view_layer.objects.active = armature
    bpy.context.scene.render.fps = 24
    found = detect([bone.name for bone in armature.data.bones])
    return Animal(armature, dict(found.bone_of), list(_between(armature, found.bone_of)))


def _between(armature: bpy.types.Object, bone_of: dict[str, str]) -> Iterator[str]:
    """Bones of the trunk between the hips and the bone from which arms and neck part."""
    def line(name: str) -> list[str]:
        bone, names = armature.data.bones[name], []
        while bone is not None:
            names.append(bone.name)
            bone = bone.parent
        return names[::-1]

    left, right = (line(bone_of[f"upper_arm_{side}"]) for side in "LR")
    common = [a for a, b in zip(left, right, strict=False) if a == b]
    yield from common[common.index(bone_of["pelvis"]) + 1:] if bone_of["pelvis"] in common else ()


@contextmanager
def editing(animal: Animal) -> Iterator[bpy.types.bpy_prop_collection]:
    """The armature's edit bones, in Edit Mode."""
    bpy.context.view_layer.objects.active = animal.armature
    bpy.ops.object.mode_set(mode="EDIT")
    yield animal.armature.data.edit_bones
    bpy.ops.object.mode_set(mode="OBJECT")


def turn(animal: Animal, segment: str, degrees: float, axis: Vector = LATERAL) -> None:
    """Turn a bone of the pose about an axis of the armature through its head; positive about `LATERAL` bows forward."""
    bone = animal.armature.pose.bones[animal.truth[segment]]
    head = Matrix.Translation(bone.head)
    bone.matrix = head @ Matrix.Rotation(np.radians(degrees), 4, axis) @ head.inverted() @ bone.matrix
    bpy.context.view_layer.update()


def settle(animal: Animal) -> None:
    """Make the present pose the rest pose, of the meshes too."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for mesh in animal.meshes:
        posed = mesh.evaluated_get(depsgraph).data
        places = np.empty(3 * len(posed.vertices), np.float32)
        posed.vertices.foreach_get("co", places)
        if mesh.data.shape_keys is not None:
            mesh.shape_key_clear()
        mesh.data.vertices.foreach_set("co", places)
        mesh.data.update()
    bpy.context.view_layer.objects.active = animal.armature
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.armature_apply(selected=False)
    bpy.ops.object.mode_set(mode="OBJECT")


def lay(animal: Animal, matrix: Matrix) -> None:
    """Turn, move or scale bones and meshes in their own data, the objects left as they are."""
    world = animal.armature.matrix_world
    inside = world.inverted() @ matrix @ world
    animal.armature.data.transform(inside)
    for mesh in animal.meshes:
        mesh.data.transform(mesh.matrix_world.inverted() @ matrix @ mesh.matrix_world)
    bpy.context.view_layer.update()


def stand(animal: Animal, height: float = 0.0) -> None:
    """Move the character up or down until the lowest point of its meshes is at a height."""
    lowest = min(float((np.array(mesh.matrix_world) @ np.append(np.array(v.co), 1.0))[2])
                 for mesh in animal.meshes for v in mesh.data.vertices)
    lay(animal, Matrix.Translation((0.0, 0.0, height - lowest)))
