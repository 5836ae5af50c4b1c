# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope poses`: a gait from two or more key poses of an action or a clip."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from ..errors import InputError
from ..gaits.pose_gaits import load_pose_gait
from ..options.blender import add_blend_option
from ..options.follow_options import MOVES, add_clip_or_action, clip_from
from ..options.outputs import check_input, check_output
from ..progress import Progress
from .outcome import DONE, Outcome, table

SUMMARY = "make a gait of two or more key poses of an action or a clip, and say what of them had to give so that it walks"
EXAMPLE = """examples:
  lope poses --blend scene.blend --armature Rig --action Sneak --frames 1,13 --out sneaky.json
  lope poses walk.bvh --frames 89,98 --out like-her.json
  lope simulate --pose-gait like-her.json --world moon --out like-her.npz

The first pose is one in the midst of a step, the last one just before the foot comes down. Poses of one leg's step are mirrored;
poses of both legs' steps make a gait that limps if they differ."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    what = parser.add_argument_group("the poses")
    add_clip_or_action(what.add_mutually_exclusive_group(required=True), "clip", nargs="?")
    add_blend_option(parser, "file of the action")
    what.add_argument("--armature", metavar="NAME", help="its armature (default: the only one)")
    what.add_argument(MOVES, metavar="NAME", help=argparse.SUPPRESS)
    what.add_argument("--frames", required=True, metavar="N,N", help="frames of the key poses, in order, counted from 1")
    how = parser.add_argument_group("the gait")
    how.add_argument("--like", default="walk", metavar="NAME|FILE.json",
                     help="the gait from key poses that lends what the poses have to give (default: %(default)s)")
    how.add_argument("--as-drawn", action="store_true", help="take the poses as they are: they mostly fall")
    how.add_argument("--out", required=True, metavar="FILE.json", help="where the gait goes; the file's name is its name")


def run(args: argparse.Namespace) -> Outcome:
    """Make the gait and write it; the report says what gave."""
    out, base, frames = check_output(args.out), load_pose_gait(args.like), frames_from(args.frames)
    clip = check_input(args.clip, "clip") if args.action is None else clip_from(args)
    from ..gaits.tuned_maps import write_json
    from ..motions.bvh import read_bvh
    from ..motions.key_poses import gait_of, key_poses
    from ..motions.retarget import retarget
    from ..specs.pose_gait import pose_gait_file
    from ..tuning.from_poses import nearest_that_stands

    poses = key_poses(retarget(read_bvh(clip)), frames)
    drawn = replace(gait_of(poses, out.stem, f"frames {', '.join(map(str, frames))} of {clip.stem}"), speed_m_s=base.speed_m_s)
    progress = Progress(sys.stderr, args.json)
    try:
        gait, gave = (drawn, []) if args.as_drawn else nearest_that_stands(drawn, base, progress)
    finally:
        progress.close()
    write_json(out, pose_gait_file(gait))
    print(f"Gait written to {out}.", file=sys.stderr)
    report = {"pose_gait": gait.name, "symmetric": gait.symmetric, "states": len(gait.states), "gave": [str(one) for one in gave]}
    return Outcome(report, table(report), DONE)


def frames_from(text: str) -> list[int]:
    """Frames written as 1,13. Raises InputError."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--frames are whole numbers with commas between them, such as 1,13; got {text!r}.") from None
