# SPDX-License-Identifier: GPL-3.0-or-later
"""Take every animal of a zoo (scripts/tools/make_zoo.py) through Lope: doctor, detection, a simulation, a bake.

    scripts/check zoo ZOO [--only WORD ...]      detection and doctor of all, or of those whose name holds a word
    scripts/check zoo ZOO --walk OUT             also a simulated and baked walk on Earth, OUT/NAME.blend
    scripts/check zoo ZOO --walk OUT --world moon --gait lope --seconds 6

A detection is right where every bone is the true one; the spine's two may be any of the trunk's chain, the lower first. Nothing
may be wrong, the doctor must say what it must, and nothing may end otherwise than by one of Lope's sentences; a walk must be
done (docs/measures.md). """

from __future__ import annotations

import argparse
import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

from lope.addon.errors import InputError, LopeError
from lope.addon.reports.card import physics_card
from lope.addon.reports.retry import attempt
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import match_of, read_figure
from lope.addon.rigs.read.doctor import doctor, fix
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import Case, Figures, Suite, Table, is_

SPINE = ("lower_spine", "chest")


def cases(args: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every animal."""
    if not (args.zoo / "zoo.json").is_file():
        raise InputError(f"{args.zoo} holds no zoo.json; scripts/tools/make_zoo.py writes one.")
    yield from json.loads((args.zoo / "zoo.json").read_text(encoding="utf-8")).items()


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """What is wrong with one animal's way through Lope, and what is to be said of it."""
    faults, said, animal = [], [], case.what
    try:
        armature = open_rig(str(args.zoo / animal["file"]), animal["armature"])
        found = doctor(armature)
        keys = [finding.key for finding in found]
        faults += [f"the doctor does not say {key!r}" for key in animal["tells"] if key not in keys]
        faults += mismatches(match_of(armature).bone_of, animal)
        said = [*keys, *(fix(armature, finding.key, bpy.context.scene) for finding in found
                         if finding.key in ("lying", "size") and finding.fix is not None)]
        if args.walk is not None:
            told, undone = walk(armature, case.name, args)
            said.append(told)
            faults += undone
    except LopeError as error:
        (said if animal["refused"] else faults).append(str(error))
    except Exception:  # what must never be
        faults.append(traceback.format_exc())
    return {"wrong": "; ".join(faults) or None, "said": "; ".join(said) or None}


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


def walk(armature: bpy.types.Object, name: str, args: argparse.Namespace) -> tuple[str, tuple[str, ...]]:
    """Simulate, at another speed where its own is not done, and bake; gives what came of it, and what is not done of it."""
    body, world = read_figure(armature).body_spec(), load_world(args.world)
    shot = Shot(motion=Gait(args.gait, retry=True), world=world, duration_s=args.seconds, body=body)
    args.walk.mkdir(parents=True, exist_ok=True)
    take = attempt(shot)
    bake_take(armature, take)
    scene = bpy.context.scene
    scene.frame_end = max(scene.frame_end, round(scene.frame_start + args.seconds * scene.render.fps))
    bpy.ops.wm.save_as_mainfile(filepath=str((args.walk / f"{name}.blend").resolve()))
    take.save(args.walk / f"{name}.npz")
    if take.fell:
        return "", (f"fell after {take.time_s[-1]:.1f} s",)
    return take.stats.get("changed") or "stood", physics_card(take).undone


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("zoo", type=Path, metavar="ZOO", help="the folder that make_zoo wrote")
    parser.add_argument("--walk", type=Path, metavar="OUT", help="simulate and bake, too; write the files here")
    parser.add_argument("--world", default="earth", help="where (default: earth)")
    parser.add_argument("--gait", default="walk", help="how (default: walk)")
    parser.add_argument("--seconds", type=float, default=4.0, metavar="S", help="for how long (default: 4)")


SUITE = Suite({"zoo": Table(cases, measure, {"wrong": is_(None)})}, options, {"seconds": 1.0}, jobs=0)
