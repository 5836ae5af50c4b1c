# SPDX-License-Identifier: GPL-3.0-or-later
"""The creatures that there are, built in a scene, and the shape that each one's bones truly have."""

from __future__ import annotations

import bpy

from lope.addon.rigs.creatures.made import build
from lope.addon.specs.creature import Creature, CreaturePart

from .alien import alien
from .bird import bird
from .dinosaur import dinosaur
from .kit import Animal
from .robot import robot

ANIMALS = {"dinosaur": dinosaur, "bird": bird, "toy_robot": robot, "alien": alien}


def make(name: str, scene: bpy.types.Scene) -> tuple[bpy.types.Object, Creature]:
    """A creature in a scene: its armature, and its shape with the bone of each part."""
    animal = ANIMALS[name]()
    return build(scene, animal.drawn), shape_of(name, animal)


def shape_of(name: str, animal: Animal) -> Creature:
    """The shape: each part from its bone's head to its tail."""
    bones = {bone.name: bone for bone in animal.drawn.bones}
    parts = [CreaturePart(name=part.part, kind=part.kind, joint_m=bones[part.bone].head,
                          tip_m=bones[part.ends_with or part.bone].tail,
                          heel_m=part.heel_m, width_m=part.width_m,
                          radius_m=part.radius_m, parent=part.parent, bone=part.bone,
                          side=part.part[-1] if part.part[-2:] in ("_L", "_R") else "") for part in animal.parts]
    return Creature(name=name, parts=tuple(parts), source="drawn by scripts/make_creatures")
