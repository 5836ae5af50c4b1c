# SPDX-License-Identifier: GPL-3.0-or-later
"""Take every animal of a zoo (scripts/tools/make_zoo.py) through Lope: doctor, detection, a simulation, a bake. One line each.

    scripts/check zoo ZOO [WORD ...]             detection and doctor of all, or of those whose name holds a word
    scripts/check zoo ZOO --walk OUT             also a simulated and baked walk on Earth, OUT/NAME.blend
    scripts/check zoo ZOO --walk OUT --world moon --gait lope --seconds 6

A detection is right where every bone is the true one; the spine's two may be any of the trunk's chain, the lower first. Exit
code 1 where one is wrong, the doctor does not say what it must, or anything ends otherwise than by one of Lope's sentences.
"""

import argparse
import json
import os
import sys
import traceback
from dataclasses import replace
from pathlib import Path

import bpy

from lope.addon.errors import LopeError
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import match_of, read_figure
from lope.addon.rigs.read.doctor import doctor
from lope.addon.rigs.read.doctor_fixes import fix
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.sim.simulation import simulate
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

SPINE = ("lower_spine", "chest")


def main() -> int:
    """Check. Exit codes as in the module's text; 2 for a folder without a zoo."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zoo", type=Path, metavar="ZOO", help="the folder that scripts/tools/make_zoo.py wrote")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only animals whose name holds it")
    parser.add_argument("--walk", type=Path, metavar="OUT", help="simulate and bake, too; write the files here")
    parser.add_argument("--world", default="earth", help="where (default: earth)")
    parser.add_argument("--gait", default="walk", help="how (default: walk)")
    parser.add_argument("--seconds", type=float, default=4.0, metavar="S", help="for how long (default: 4)")
    options = parser.parse_args()
    if not (options.zoo / "zoo.json").is_file():
        print(f"check_zoo: {options.zoo} holds no zoo.json; scripts/tools/make_zoo.py writes one.", file=sys.stderr)
        return 2
    if options.walk is not None:
        options.walk.mkdir(parents=True, exist_ok=True)
    animals = json.loads((options.zoo / "zoo.json").read_text(encoding="utf-8"))
    wrong = 0
    for name, animal in animals.items():
        if not options.words or any(word in name for word in options.words):
            faults, said = check(name, animal, options)
            wrong += bool(faults)
            print(f"{'WRONG' if faults else 'right'}  {name:24} {'; '.join([*faults, *said])}", flush=True)
    print(f"{wrong} of {len(animals)} wrong")
    os._exit(1 if wrong else 0)  # after Rigify's rigs, Blender's module may hang at the interpreter's end


def check(name: str, animal: dict, options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """What is wrong with one animal's way through Lope, and what is to be said of it."""
    faults, said = [], []
    try:
        armature = open_rig(str(options.zoo / animal["file"]), animal["armature"])
        found = doctor(armature)
        said += [f"{finding.key}" for finding in found]
        faults += [f"the doctor does not say {key!r}" for key in animal["tells"] if key not in [f.key for f in found]]
        faults += mismatches(match_of(armature).bone_of, animal)
        for finding in found:
            if finding.key in ("lying", "size") and finding.fix is not None:
                said.append(fix(armature, finding.key, bpy.context.scene))
        if options.walk is not None:
            said.append(walk(armature, name, options))
    except LopeError as error:
        (said if animal["refused"] else faults).append(str(error))
    except Exception:  # what must never be
        faults.append(traceback.format_exc())
    return faults, said


def mismatches(bone_of: dict[str, str], animal: dict) -> list[str]:
    """Where a detection differs from the truth."""
    truth, spine = animal["truth"], animal["spine"]
    segments = [segment for segment in {**truth, **bone_of} if segment not in SPINE or not spine]
    out = [f"{segment} is {bone_of.get(segment)}, not {truth.get(segment)}" for segment in segments
           if bone_of.get(segment) != truth.get(segment)]
    if spine:
        chain = [spine.index(bone_of[s]) if bone_of[s] in spine else -1 for s in SPINE if s in bone_of]
        if -1 in chain or chain != sorted(chain) or len(chain) < min(2, len(spine)):
            out.append(f"the spine is {[bone_of.get(s) for s in SPINE]}, not of {spine}")
    return out


def walk(armature: "bpy.types.Object", name: str, options: argparse.Namespace) -> str:
    """Simulate and bake; gives what came of it."""
    shot = Shot(gait=options.gait, world=load_world(options.world), duration_s=options.seconds,
                body=read_figure(armature).body_spec())
    take = simulate(replace(shot, force=True))
    bake_take(armature, take)
    scene = bpy.context.scene
    scene.frame_end = max(scene.frame_end, round(scene.frame_start + options.seconds * scene.render.fps))
    bpy.ops.wm.save_as_mainfile(filepath=str((options.walk / f"{name}.blend").resolve()))
    take.save(options.walk / f"{name}.npz")
    return f"fell after {take.time_s[-1]:.1f} s" if take.fell else "stood"


if __name__ == "__main__":
    sys.exit(main())
