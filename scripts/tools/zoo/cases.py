# SPDX-License-Identifier: GPL-3.0-or-later
"""The animals of the zoo: each a base character and what is done to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from . import bones, names, shapes
from .animal import Animal, adopt, lay

MIXAMO, CENTIMETRES, UNREAL, CMU, KAYKIT = ("mpfb_male_mixamo.glb", "mpfb_male_mixamo_cm.fbx", "mpfb_female_unreal.glb",
                                            "mpfb_male_cmu.glb", "kaykit_rogue.glb")
Change = Callable[[Animal], None]


@dataclass(frozen=True)
class Case:
    """`base`: a file of the rigs' folder, or "rigify ..."; `tells`: findings of the doctor that must be there; `refused`: it
    must be said that it cannot be simulated as it is; `ending`: ".glb" for one that goes through an exporter."""

    base: str
    changes: tuple[Change, ...] = ()
    tells: tuple[str, ...] = ()
    refused: bool = False
    ending: str = ".blend"

    def make(self, rigs: Path) -> Animal:
        """The animal, in the open file."""
        rigify = self.base.startswith("rigify")
        animal = adopt(None if rigify else rigs / self.base, self.base.removeprefix("rigify").strip())
        for change in self.changes:
            change(animal)
        bpy.context.view_layer.update()
        animal.tells, animal.refused = self.tells, self.refused
        return animal


def _many(count: int) -> Change:
    return lambda animal: bones.crowd(animal, count)


def _spine(count: int) -> tuple[Change, ...]:
    return (lambda animal: bones.respine(animal, count), names.nameless)


def _hair_and_skirt(animal: Animal) -> None:
    size = animal.bone("shank_L").length
    bones.strands(animal, "head", 12, 0.9 * size, 5, "J_Sec_Hair{link}_{strand:02d}", 0.25 * size)
    bones.strands(animal, "pelvis", 10, 1.7 * size, 4, "J_Sec_Skirt{link}_{strand:02d}", 0.45 * size)


def _y_up(animal: Animal) -> None:
    """Lies on its back: the data has y up, and no object turns it."""
    lay(animal, Matrix.Rotation(np.radians(-90.0), 4, "X"))


ZOO: dict[str, Case] = {
    "mixamo": Case(MIXAMO), "mixamo-cm": Case(CENTIMETRES), "unreal": Case(UNREAL), "cmu": Case(CMU), "kaykit": Case(KAYKIT),
    "rigify-basic": Case("rigify basic"), "rigify-human": Case("rigify human"), "rigify-generated": Case("rigify basic rig"),
    "rigify-human-generated": Case("rigify human rig"),
    "odd-names": Case(UNREAL, (names.nonsense,)), "nameless": Case(MIXAMO, (names.nameless,)),
    "digits": Case(CMU, (names.digits,)), "nameless-chibi": Case(KAYKIT, (names.nameless,)),
    "scrambled": Case(MIXAMO, (bones.scramble, names.nonsense)),
    "scrambled-digits": Case(UNREAL, (bones.scramble, names.digits)),
    "ik-feet": Case(UNREAL, (bones.free_feet, names.robot)),
    "ik-feet-glb": Case(MIXAMO, (bones.free_feet, bones.helpers, names.robot), ending=".glb"),
    "ik-feet-digits": Case(CMU, (bones.free_feet, bones.scramble, names.digits), ending=".glb"),
    "ik-hands": Case(UNREAL, (bones.free_feet, bones.free_hands, names.nonsense)),
    "twist": Case(UNREAL, (lambda a: bones.twist(a, False), names.nonsense)),
    "twist-inline": Case(MIXAMO, (lambda a: bones.twist(a, True), names.digits)),
    **{f"spine-{count}": Case(MIXAMO, _spine(count)) for count in range(1, 8)},
    "scale-001": Case(UNREAL, (lambda a: shapes.hidden_scale(a, 0.01), names.nonsense), ("unapplied",)),
    "scale-100": Case(UNREAL, (lambda a: shapes.hidden_scale(a, 100.0), names.digits), ("unapplied",)),
    "tiny": Case(MIXAMO, (lambda a: shapes.resize(a, 0.01), names.nonsense), ("size",), refused=True),
    "huge": Case(MIXAMO, (lambda a: shapes.resize(a, 100.0), names.nonsense), ("size",), refused=True),
    "turned": Case(CMU, (lambda a: shapes.place(a, 130.0, at=(2.0, -1.0, 0.0)), names.nameless)),
    "turned-inside": Case(UNREAL, (lambda a: lay(a, Matrix.Rotation(np.radians(37.0), 4, "Z")), names.digits)),
    "y-up": Case(MIXAMO, (_y_up, names.nonsense), ("lying",), refused=True),
    "lying": Case(UNREAL, (lambda a: shapes.place(a, 90.0, "X"), names.nonsense), ("lying",), refused=True),
    "sunk": Case(MIXAMO, (lambda a: lay(a, Matrix.Translation((0.0, 0.0, -0.05))), names.nonsense), ("ground",)),
    "hovering": Case(UNREAL, (lambda a: lay(a, Matrix.Translation((0.0, 0.0, 0.06))),), ("ground",)),
    "child": Case(UNREAL, (lambda a: shapes.resize(a, 0.66), lambda a: shapes.grow(a, thigh=0.9, head=1.45), names.nonsense)),
    "giant": Case(MIXAMO, (lambda a: shapes.resize(a, 1.6), lambda a: shapes.grow(a, thigh=1.1, head=0.8), names.digits)),
    "hunched": Case(MIXAMO, (shapes.hunched, names.nonsense), ("leaning",)),
    "leaning": Case(UNREAL, (shapes.leaning, names.nonsense), ("leaning",)),
    "crouched": Case(CMU, (shapes.crouched, names.nonsense)),
    "uneven": Case(MIXAMO, (shapes.uneven, names.nonsense)),
    "t-pose": Case(CMU, (lambda a: shapes.spread(a, 48.0), names.nonsense)),
    "reaching": Case(UNREAL, (shapes.reaching, names.digits)),
    "long-arms": Case(MIXAMO, (lambda a: shapes.grow(a, upper_arm=1.45), names.nonsense)),
    "short-legs": Case(UNREAL, (lambda a: shapes.grow(a, thigh=0.6), names.nonsense)),
    "high-heels": Case(UNREAL, (shapes.heels, names.nonsense)),
    "open-ends": Case(MIXAMO, (bones.leaves, names.nameless), ending=".glb"),
    "japanese": Case(MIXAMO, (lambda a: bones.twist(a, True), bones.helpers, names.japanese)),
    "korean": Case(UNREAL, (names.korean,)),
    "vroid": Case(UNREAL, (names.vroid, _hair_and_skirt)),
    "skirt-digits": Case(UNREAL, (_hair_and_skirt, names.digits)),
    "daz": Case(CMU, (names.daz,)), "biped": Case(CMU, (names.biped, bones.thighs_on_spine)),
    "game-names": Case(CMU, (names.robot,)),
    "bones-700": Case(UNREAL, (bones.leaves, _many(700), names.nonsense)),
    "carried": Case(MIXAMO, (shapes.carry,), ("moving_parent",)),
}
"""Every animal by its name, which names its file, too."""
