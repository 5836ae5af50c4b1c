# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope doctor`: what is wrong with this installation, or with an armature in a Blender file."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError, LopeError, RigError
from ..files import write_whole
from ..options.body_options import add_map_option, body_text, keep_map
from ..options.outputs import add_blend_option, blender_room, check_output, find_armature, open_scene
from ..progress import Progress
from .outcome import BAD_INPUT, DONE, Outcome

EXAMPLE = """examples:
  lope doctor
  lope doctor --blend scene.blend --armature Rig
  lope doctor --blend scene.blend --armature Rig --fix repaired.blend
  lope doctor --blend scene.blend --body rig.json    and then, without Blender: lope simulate --body rig.json"""

ROUNDS = 40
"""Fixes that are tried at most: one may bring another finding to light, none comes more often than this."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_blend_option(parser, "look at an armature in this file instead of at the installation")
    parser.add_argument("--armature", metavar="NAME", help="which one (default: the only one)")
    add_map_option(parser)
    parser.add_argument("--save-map", metavar="OUT.json", help="also write which bone is which here, for --map and for Blender")
    parser.add_argument("--fix", metavar="OUT.blend", help="put right what can be, and write the repaired file here; none "
                        "where nothing was put right")
    parser.add_argument("--only", metavar="A,B", help="with --fix: only the findings of these names")
    parser.add_argument("--body", metavar="OUT.json", help="also write the armature's body here, for `lope simulate --body`")


def run(args: argparse.Namespace) -> Outcome:
    """Look at the armature that is named, or that is in the open file; without one at the installation."""
    return _rig(args) if _asks_for_rig(args) else _installation(args)


def _asks_for_rig(args: argparse.Namespace) -> bool:
    """Whether a rig is meant: one is named, or Blender was started with a file."""
    if any(value is not None for value in (args.blend, args.armature, args.map, args.save_map, args.fix, args.only, args.body)):
        return True
    try:
        return blender_room("read.blend_file").open_file() is not None
    except InputError:  # no Blender here
        return False


def _installation(args: argparse.Namespace) -> Outcome:
    """What this machine lacks. The report holds the checks."""
    from .installation import BROKEN, check_installation

    with Progress(sys.stderr, args.json) as progress:
        checks = check_installation(progress)
    broken = sum(check.state == BROKEN for check in checks)
    width = max(len(check.name) for check in checks)
    lines = [f"{check.state:6}  {check.name:{width}}  {check.words}" for check in checks]
    verdict = f"{broken} of {len(checks)} things are broken." if broken else "Lope works here."
    report = {"works": not broken, "checks": [{"name": c.name, "state": c.state, "words": c.words} for c in checks]}
    return Outcome(report, "\n".join([*lines, verdict]), BAD_INPUT if broken else DONE)


def _rig(args: argparse.Namespace) -> Outcome:
    """What is wrong with the armature. The report holds the findings that are left, and what was put right."""
    if args.only is not None and args.fix is None:
        raise InputError("--only chooses what --fix OUT.blend puts right; give both.")
    out = None if args.fix is None else check_output(args, "fix")
    body_file = None if args.body is None else check_output(args, "body")
    map_file = None if args.save_map is None else check_output(args, "save_map")
    scene = open_scene(args.blend)
    if out is not None:
        check_output(args, "fix", reads=blender_room("read.blend_file").files_beside())
    room = blender_room("read.doctor")
    armature = find_armature(args.armature)
    keep_map(args.map, armature)
    name, done = armature.name, []
    if out is not None:
        done = list(_fixed(room, name, scene, None if args.only is None else args.only.split(",")))
        if done:
            blender_room("read.blend_file").save_copy(out)
        armature = find_armature(name)
    findings = room.doctor(armature, scene)
    errors = sum(finding.severity == room.ERROR for finding in findings)
    guess = blender_room("read.armature").guess_of(armature)
    report = {"armature": name, **_figure(armature, scene), "bones": guess.bone_of, "unsure": sorted(guess.unsure),
              "usable": not errors, "fixed": done,
              "findings": [{"key": f.key, "severity": f.severity, "sentence": f.sentence, "fix": f.fix} for f in findings],
              "out": str(out) if done else None}
    if map_file is not None:
        blender_room("read.own_map").save_map(map_file, guess.bone_of, name)
    if body_file is not None:
        _write_body(armature, scene, body_file)
    return Outcome(report, _text(report, out is not None), BAD_INPUT if errors else DONE)


def _fixed(room: Any, name: str, scene: Any, only: list[str] | None) -> Iterator[str]:
    """Put right what can be, one thing after the other; gives what was done in words. What resists stays a finding."""
    tried: set[str] = set()
    for _ in range(ROUNDS):
        armature = find_armature(name)
        wanted = [f.key for f in room.doctor(armature, scene)
                  if f.fix is not None and f.key not in tried and (only is None or f.key in only)]
        if not wanted:
            return
        tried.add(wanted[0])
        try:
            yield room.fix(armature, wanted[0], scene)
        except RigError as error:
            print(f"Not put right: {error}", file=sys.stderr)


def _figure(armature: Any, scene: Any) -> dict[str, object]:
    """What the armature is taken for; nothing where it is no figure."""
    try:
        figure = blender_room("read.armature").read_figure(armature, scene=scene)
    except LopeError:  # one of the findings says it
        return {"rig": None, "height_m": None, "leg_length_m": None, "hangs": []}
    chains, _ = blender_room("read.hanging").hanging_of(armature, figure)
    return {"rig": figure.label, "height_m": round(figure.height_m, 4), "leg_length_m": round(figure.leg_length_m, 4),
            "hangs": [one.bones[0].name for one in chains]}


def _write_body(armature: Any, scene: Any, path: Path) -> None:
    """The armature's body as JSON. Raises LopeError where it has none, or the place cannot be written."""
    figure = blender_room("read.armature").read_figure(armature, scene=scene)
    text = body_text(figure.body_spec(height_m=figure.simulated_m))
    write_whole(path, text + "\n", "body")


def _bones(report: dict) -> list[str]:
    """Which bone is which, where that is not told by a family's names: a guess has a question mark."""
    by_structure = blender_room("read.detect").BY_STRUCTURE
    if not report["bones"] or (report["rig"] not in (None, by_structure) and not report["unsure"]):
        return []
    said = ", ".join(f"{part}: {bone}{'?' if part in report['unsure'] else ''}" for part, bone in report["bones"].items())
    return textwrap.wrap(said, 120, initial_indent="bones    ", subsequent_indent="         ", break_long_words=False)


def _text(report: dict, asked: bool) -> str:
    """The report as people read it; `asked`: for a repaired file."""
    known = report["rig"]
    lines = [f"{report['armature']!r}: " + ("no figure that Lope knows" if known is None else
             f"{known}, {report['height_m']:.2f} m tall, legs {report['leg_length_m']:.2f} m")]
    lines += [f"fixed    {words}" for words in report["fixed"]]
    lines += _bones(report)
    if report["hangs"]:
        said = f"{len(report['hangs'])} chains: {', '.join(report['hangs'])}"
        lines += textwrap.wrap(said, 120, initial_indent="hangs    ", subsequent_indent="         ", break_long_words=False)
    for found in report["findings"]:
        cure = f" (--fix: {found['key']})" if found["fix"] else ""
        lines.append(f"{found['severity']:7}  {found['sentence']}{cure}")
    if not report["findings"]:
        lines.append("Nothing is wrong with it.")
    if report["out"] is not None:
        lines.append(f"Written to {report['out']}.")
    elif asked:
        lines.append("Nothing was put right, so no file was written.")
    return "\n".join(lines)
