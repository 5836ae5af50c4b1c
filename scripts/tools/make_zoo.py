# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a zoo of rigs from a few characters, to try detection, simulation and bakes on: OUT/NAME.blend or .glb, and OUT/zoo.json.

    scripts/tools/make_zoo.py OUT                 all of them (a minute or two)
    scripts/tools/make_zoo.py OUT spine digits    those whose name holds one of the words
    scripts/tools/make_zoo.py OUT --list          their names

zoo.json holds for each animal its file, the armature's name, which bone truly is which segment ("truth"), the bones of the
trunk from the lowest up ("spine"), what the doctor must say of it ("tells": keys of findings), and whether it must be refused as
it is ("refused"). The characters are those that the tests use, beside the project; Rigify's are generated. Nothing of it is
copied into the project. Needs Blender's module.
"""

from __future__ import annotations

from lope.scripts.tools.common import ROOT, leave, parser_of

# isort: split
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from lope.addon.files import write_whole
from lope.scripts.tools.zoo import changes
from lope.scripts.tools.zoo.animal import Animal, adopt, lay

RIGS = ROOT.parent / "shared" / "motion" / "rigs"


def main() -> int:
    """Make the animals. Exit code 2 for a word that no name holds, or where the characters are not there."""
    parser = parser_of(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only animals whose name holds it")
    parser.add_argument("--rigs", type=Path, default=RIGS, help="the folder of the base characters")
    parser.add_argument("--list", action="store_true", help="tell what would be made")
    options = parser.parse_args()
    chosen = {n: case for n, case in ZOO.items() if not options.words or any(word in n for word in options.words)}
    if not chosen:
        print(f"make_zoo: no animal's name holds {' or '.join(options.words)}; there are {', '.join(ZOO)}.", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(chosen))
        return 0
    if not options.rigs.is_dir():
        print(f"make_zoo: the base characters are not in {options.rigs}; give their folder with --rigs.", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    index = options.out / "zoo.json"
    found = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    for name, case in chosen.items():
        animal = case.make(options.rigs)
        file = write(animal, options.out / f"{name}{case.ending}")
        found[name] = {"file": file.name, "armature": animal.armature.name, "truth": animal.truth, "spine": animal.spine,
                       "tells": list(animal.tells), "refused": animal.refused}
        write_whole(index, json.dumps(found, indent=1, ensure_ascii=False) + "\n", "index")
        print(f"{name}: {len(animal.armature.data.bones)} bones, {file}")
    return 0


def write(animal: Animal, path: Path) -> Path:
    """Write the open file."""
    if path.suffix == ".glb":
        animal.armature.name = path.stem
        bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB", export_animations=False)
    else:
        bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()), compress=True)
    return path


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
    return lambda animal: changes.crowd(animal, count)


def _spine(count: int) -> tuple[Change, ...]:
    return (lambda animal: changes.respine(animal, count), changes.nameless)


def _hair_and_skirt(animal: Animal) -> None:
    size = animal.bone("shank_L").length
    changes.strands(animal, "head", 12, 0.9 * size, 5, "J_Sec_Hair{link}_{strand:02d}", 0.25 * size)
    changes.strands(animal, "pelvis", 10, 1.7 * size, 4, "J_Sec_Skirt{link}_{strand:02d}", 0.45 * size)


def _y_up(animal: Animal) -> None:
    """Lies on its back: the data has y up, and no object turns it."""
    lay(animal, Matrix.Rotation(np.radians(-90.0), 4, "X"))


ZOO: dict[str, Case] = {
    "mixamo": Case(MIXAMO), "mixamo-cm": Case(CENTIMETRES), "unreal": Case(UNREAL), "cmu": Case(CMU), "kaykit": Case(KAYKIT),
    "rigify-basic": Case("rigify basic"), "rigify-human": Case("rigify human"), "rigify-generated": Case("rigify basic rig"),
    "rigify-human-generated": Case("rigify human rig"),
    "odd-names": Case(UNREAL, (changes.nonsense,)), "nameless": Case(MIXAMO, (changes.nameless,)),
    "digits": Case(CMU, (changes.digits,)), "nameless-chibi": Case(KAYKIT, (changes.nameless,)),
    "scrambled": Case(MIXAMO, (changes.scramble, changes.nonsense)),
    "scrambled-digits": Case(UNREAL, (changes.scramble, changes.digits)),
    "ik-feet": Case(UNREAL, (changes.free_feet, changes.robot)),
    "ik-feet-glb": Case(MIXAMO, (changes.free_feet, changes.helpers, changes.robot), ending=".glb"),
    "ik-feet-digits": Case(CMU, (changes.free_feet, changes.scramble, changes.digits), ending=".glb"),
    "ik-hands": Case(UNREAL, (changes.free_feet, changes.free_hands, changes.nonsense)),
    "twist": Case(UNREAL, (lambda a: changes.twist(a, False), changes.nonsense)),
    "twist-inline": Case(MIXAMO, (lambda a: changes.twist(a, True), changes.digits)),
    **{f"spine-{count}": Case(MIXAMO, _spine(count)) for count in range(1, 8)},
    "scale-001": Case(UNREAL, (lambda a: changes.hidden_scale(a, 0.01), changes.nonsense), ("unapplied",)),
    "scale-100": Case(UNREAL, (lambda a: changes.hidden_scale(a, 100.0), changes.digits), ("unapplied",)),
    "tiny": Case(MIXAMO, (lambda a: changes.resize(a, 0.01), changes.nonsense), ("size",), refused=True),
    "huge": Case(MIXAMO, (lambda a: changes.resize(a, 100.0), changes.nonsense), ("size",), refused=True),
    "turned": Case(CMU, (lambda a: changes.place(a, 130.0, at=(2.0, -1.0, 0.0)), changes.nameless)),
    "turned-inside": Case(UNREAL, (lambda a: lay(a, Matrix.Rotation(np.radians(37.0), 4, "Z")), changes.digits)),
    "y-up": Case(MIXAMO, (_y_up, changes.nonsense), ("lying",), refused=True),
    "lying": Case(UNREAL, (lambda a: changes.place(a, 90.0, "X"), changes.nonsense), ("lying",), refused=True),
    "sunk": Case(MIXAMO, (lambda a: lay(a, Matrix.Translation((0.0, 0.0, -0.05))), changes.nonsense), ("ground",)),
    "hovering": Case(UNREAL, (lambda a: lay(a, Matrix.Translation((0.0, 0.0, 0.06))),), ("ground",)),
    "child": Case(UNREAL, (lambda a: changes.resize(a, 0.66), lambda a: changes.grow(a, thigh=0.9, head=1.45), changes.nonsense)),
    "giant": Case(MIXAMO, (lambda a: changes.resize(a, 1.6), lambda a: changes.grow(a, thigh=1.1, head=0.8), changes.digits)),
    "hunched": Case(MIXAMO, (changes.hunched, changes.nonsense), ("leaning",)),
    "leaning": Case(UNREAL, (changes.leaning, changes.nonsense), ("leaning",)),
    "crouched": Case(CMU, (changes.crouched, changes.nonsense)),
    "uneven": Case(MIXAMO, (changes.uneven, changes.nonsense)),
    "t-pose": Case(CMU, (lambda a: changes.spread(a, 48.0), changes.nonsense)),
    "reaching": Case(UNREAL, (changes.reaching, changes.digits)),
    "long-arms": Case(MIXAMO, (lambda a: changes.grow(a, upper_arm=1.45), changes.nonsense)),
    "short-legs": Case(UNREAL, (lambda a: changes.grow(a, thigh=0.6), changes.nonsense)),
    "high-heels": Case(UNREAL, (changes.heels, changes.nonsense)),
    "open-ends": Case(MIXAMO, (changes.leaves, changes.nameless), ending=".glb"),
    "japanese": Case(MIXAMO, (lambda a: changes.twist(a, True), changes.helpers, changes.japanese)),
    "korean": Case(UNREAL, (changes.korean,)),
    "vroid": Case(UNREAL, (changes.vroid, _hair_and_skirt)),
    "skirt-digits": Case(UNREAL, (_hair_and_skirt, changes.digits)),
    "daz": Case(CMU, (changes.daz,)), "biped": Case(CMU, (changes.biped, changes.thighs_on_spine)),
    "game-names": Case(CMU, (changes.robot,)),
    "bones-700": Case(UNREAL, (changes.leaves, _many(700), changes.nonsense)),
    "carried": Case(MIXAMO, (changes.carry,), ("moving_parent",)),
}
"""Every animal by its name, which names its file, too."""


if __name__ == "__main__":
    leave(main())  # after Rigify has generated a rig, Blender's module hangs at the interpreter's end
