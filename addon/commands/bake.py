# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope bake`: a take onto an armature in a Blender file."""

from __future__ import annotations

import argparse

from ..options.blender import add_blend_option, blender_room, find_armature, open_scene
from ..options.outputs import check_input, check_output
from .outcome import Outcome

SUMMARY = "write a take to an armature as a new action (needs Blender or the bpy module)"
EXAMPLE = """example:
  lope bake --blend scene.blend --armature Astronaut --take moon.npz --out walked.blend"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    add_blend_option(parser, "the file with the armature")
    parser.add_argument("--armature", metavar="NAME", help="name of the armature object (default: the only one)")
    parser.add_argument("--take", required=True, metavar="TAKE.npz", help="what `lope simulate --out` wrote")
    parser.add_argument("--out", required=True, metavar="OUT.blend", help="where to write the file with the new action")
    parser.add_argument("--start-frame", type=int, metavar="N", help="where the take starts (default: the scene's first)")


def run(args: argparse.Namespace) -> Outcome:
    """Bake; the report names the action and its frames."""
    from ..take import Take

    if args.blend is not None:
        check_input(args.blend, "Blender file")
    Take.load(args.take)  # told now if it is none; the bake reads it again, so as not to hold it while keys fill the memory
    out = check_output(args.out)
    scene = open_scene(args.blend)
    armature = find_armature(args.armature)
    blend_file, baking = blender_room("read.blend_file"), blender_room("bake.bake")
    start = scene.frame_start if args.start_frame is None else args.start_frame
    action = baking.bake_take(armature, args.take, start_frame=start)
    first, last = (float(frame) for frame in action.frame_range)
    scene.frame_end = max(scene.frame_end, round(last))
    blend_file.save_copy(out)
    report = {"armature": armature.name, "action": action.name, "frame_start": first, "frame_end": last, "out": str(out)}
    return Outcome(report, f"Action {action.name!r} of {armature.name!r}, frames {first:g} to {last:g}, written to {out}.")
