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

from lope.addon.files import write_whole
from lope.scripts.tools.common import ROOT

# isort: split
import argparse
import json
import os
import sys
from pathlib import Path

import bpy

from lope.scripts.tools.zoo.animal import Animal
from lope.scripts.tools.zoo.cases import ZOO

RIGS = ROOT.parent / "shared" / "motion" / "rigs"


def main() -> int:
    """Make the animals. Exit code 2 for a word that no name holds, or where the characters are not there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
    sys.stdout.flush()
    os._exit(0)  # after Rigify has generated a rig, Blender's module hangs at the interpreter's end


def write(animal: Animal, path: Path) -> Path:
    """Write the open file."""
    if path.suffix == ".glb":
        animal.armature.name = path.stem
        bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLB", export_animations=False)
    else:
        bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()), compress=True)
    return path


if __name__ == "__main__":
    sys.exit(main())
