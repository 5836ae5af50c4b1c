# SPDX-License-Identifier: GPL-3.0-or-later
"""Make rigs of creatures from numbers: OUT/NAME.blend, an armature with a skin, and OUT/NAME.json, what its bones truly are.

    scripts/tools/make_creatures.py OUT                 a dinosaur, a bird, a toy robot and an alien (seconds)
    scripts/tools/make_creatures.py OUT bird            those whose name holds one of the words
    scripts/tools/make_creatures.py OUT --glb           as glTF in place of Blender's files
    scripts/tools/make_creatures.py OUT --list          their names

NAME.json is a creature's shape as `lope simulate --creature NAME.json` takes it, with the bone of each part; bones without a
part (jaw, toes, the trunk's upper bones) ride. Needs Blender's module.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import json
import sys
from pathlib import Path

import bpy

from lope.addon.files import write_whole
from lope.addon.rigs.creatures.figure import build
from lope.addon.specs.creature import Creature, CreaturePart
from lope.scripts.tools.creatures.alien import alien
from lope.scripts.tools.creatures.bird import bird
from lope.scripts.tools.creatures.dinosaur import dinosaur
from lope.scripts.tools.creatures.kit import Animal
from lope.scripts.tools.creatures.robot import robot


def main() -> int:
    """Make them. Exit code 2 for a word that no name holds."""
    parser = parser_of(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only creatures whose name holds it")
    parser.add_argument("--glb", action="store_true", help="write glTF")
    parser.add_argument("--list", action="store_true", help="tell what would be made")
    options = parser.parse_args()
    names = [name for name in ANIMALS if not options.words or any(word in name for word in options.words)]
    if not names:
        print(f"make_creatures: no creature's name holds {' or '.join(options.words)}; there are {', '.join(ANIMALS)}.",
              file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(names))
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    for name in names:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        armature, creature = make(name, bpy.context.scene)
        write_whole(options.out / f"{name}.json", json.dumps(creature.to_dict(), indent=1) + "\n", "creature")
        file = (options.out / f"{name}.{'glb' if options.glb else 'blend'}").resolve()
        if options.glb:
            bpy.ops.export_scene.gltf(filepath=str(file), export_format="GLB", export_animations=False)
        else:
            bpy.ops.wm.save_as_mainfile(filepath=str(file), compress=True)
        print(f"{name}: {len(armature.data.bones)} bones, {file}")
    return 0


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
    return Creature(name=name, parts=tuple(parts), source="drawn by scripts/tools/make_creatures.py")


if __name__ == "__main__":
    sys.exit(main())
