# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope creature`: a creature on two legs from any rig: its parts with their bones, and what keeps it from walking."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ..errors import InputError, RigError, unknown_name
from ..files import write_whole
from ..options.body_options import add_creature_map, said_of
from ..options.outputs import add_blend_option, blender_room, check_output, find_armature, open_scene
from .outcome import BAD_INPUT, DONE, Outcome

EXAMPLE = """examples:
  lope creature from --blend dino.blend --armature Dino --out dino.json    and then: lope simulate --creature dino.json
  lope creature show --blend bird.glb                                      which bone is which part, sizes and masses
  lope creature check --blend alien.fbx --armature Alien                   what cannot walk, and why
  lope creature from --blend robot.blend --map Bone.003=leg_L =tail --out robot.json"""
ACTIONS = ("from", "show", "check")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="|".join(ACTIONS), help="what to do")
    add_blend_option(parser, "the file that holds the rig")
    parser.add_argument("--armature", metavar="NAME", help="which one (default: the only one)")
    add_creature_map(parser)
    parser.add_argument("--height", type=float, metavar="M", help="the height that it stands for (default: its own)")
    parser.add_argument("--out", metavar="FILE.json", help="after from: where to write the creature (default: it is only told)")
    parser.add_argument("--save-map", metavar="OUT.json", help="also write at which bones its parts begin, for --map and for "
                                                               "Blender")


def run(args: argparse.Namespace) -> Outcome:
    """Read the rig, and write, show or check what it is. Bad input where it cannot walk."""
    if args.what not in ACTIONS:
        raise unknown_name("action of `lope creature`", args.what, ACTIONS)
    if args.out is not None and args.what != "from":
        raise InputError(f"--out belongs to `lope creature from`; `lope creature {args.what}` writes nothing.")
    if args.height is not None and not 0.0 < args.height < 1000.0:
        raise InputError(f"--height must be a height in metres, got {args.height:g}.")
    out = None if args.out is None else check_output(args, "out")
    map_file = None if args.save_map is None else check_output(args, "save_map")
    scene = open_scene(args.blend)
    armature = find_armature(args.armature)
    found = blender_room("read.creature").read_creature(armature, scene, said_of(args.map), args.height)
    errors = [finding for finding in found.findings if finding.severity == "error"]
    report = _report(armature.name, found)
    if map_file is not None:
        blender_room("read.creature").save_said(map_file, found.bones, armature.name)
    if out is not None:
        if errors or found.creature is None:
            raise RigError(errors[0].sentence)
        write_whole(out, json.dumps(found.creature.to_dict(), indent=1) + "\n", "creature")
        report["out"] = str(out)
    return Outcome(report, _text(report, found, args.what), BAD_INPUT if errors else DONE)


def _report(name: str, found: Any) -> dict[str, Any]:
    """What was found, as plain values."""
    masses = _masses(found.creature)
    return {"armature": name, "walks": not any(finding.severity == "error" for finding in found.findings),
            "height_m": round(found.height_m, 4), "mass_kg": round(sum(masses.values()), 3) if masses else None,
            "weighed_by": None if found.creature is None else "mesh" if found.weighed else "capsules",
            "bones": dict(found.bones), "said": dict(found.said),
            "findings": [{"key": f.key, "severity": f.severity, "sentence": f.sentence} for f in found.findings],
            "creature": None if found.creature is None else found.creature.to_dict()}


def _masses(creature: Any) -> dict[str, float]:
    """The mass [kg] of each part."""
    from ..bodies.creature.feet import mass_of

    return {} if creature is None else {part.name: mass_of(part) for part in creature.parts}


def _text(report: dict[str, Any], found: Any, what: str) -> str:
    """The report as people read it."""
    lines = []
    if found.creature is None:
        lines.append(f"{report['armature']!r}: no creature on two legs.")
    else:
        legs = found.creature.legs
        lines.append(f"{report['armature']!r}: {report['height_m']:.2f} m tall, {report['mass_kg']:.3g} kg by its "
                     f"{'meshes' if found.weighed else 'capsules'}, {len(found.creature.parts)} parts; legs of "
                     f"{' and '.join(str(len(leg)) for leg in legs)} parts, their feet included.")
    if found.creature is not None and what != "check":
        masses = _masses(found.creature)
        width = max(len(part.name) for part in found.creature.parts)
        for part in found.creature.parts:
            length = sum((a - b) ** 2 for a, b in zip(part.joint_m, part.tip_m, strict=True)) ** 0.5
            lines.append(f"  {part.name:{width}}  {length:6.3f} m  {part.radius_m:6.3f} m thick  {masses[part.name]:8.3g} kg  "
                         f"{part.bone or '(no bone)'}")
    lines += [f"{finding.severity:7}  {finding.sentence}" for finding in found.findings]
    if not found.findings:
        lines.append("Nothing is wrong with it.")
    if report.get("out"):
        lines.append(f"Written to {report['out']}.")
    return "\n".join(lines)
