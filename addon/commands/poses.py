# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope poses`: a gait from two or more key poses of an action or a clip."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..checks import check_number
from ..errors import InputError
from ..gaits.pose_gaits import load_pose_gait
from ..options.blender import add_blend_option, blender_room, find_armature, open_scene
from ..options.outputs import check_input, check_output
from ..progress import Progress
from ..specs.pose_gait import pose_gait_file
from ..tuning.budget import EVALUATIONS, MOST_EVALUATIONS, Budget
from .outcome import DONE, Outcome
from .poses_report import TRIED_ON, for_people, tried_on

if TYPE_CHECKING:  # loads what simulates, which help does without
    from ..motions.key_poses import KeyPose

SUMMARY = "make a gait of two or more key poses of an action or a clip, and say what of them had to give so that it walks"
EXAMPLE = """examples:
  lope poses --blend scene.blend --armature Rig --action Sneak --frames 1,13 --out sneaky.json
  lope poses walk.bvh --frames 89,98 --out like-her.json
  lope poses walk.bvh --cycles --out along-hers.json
  lope simulate --pose-gait like-her.json --world moon --out like-her.npz

What is posed on a rig is tried on that rig's own body; a clip on Lope's own, or on that of the rig that --blend names.
The first pose is one in the midst of a step, the last one just before the foot comes down. Poses of one leg's step are mirrored;
poses of both legs' steps make a gait that limps if they differ."""

FOR_BLENDER = (".blend", ".glb", ".gltf", ".vrm", ".fbx")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    what = parser.add_argument_group("the poses")
    where = what.add_mutually_exclusive_group(required=True)
    where.add_argument("clip", nargs="?", metavar="CLIP.bvh", help="a motion clip that has the poses; its frames count from 1")
    where.add_argument("--action", metavar="NAME", help="an action of the file of --blend that has the poses (needs Blender)")
    add_blend_option(parser, "file of the action, and of the rig that the gait is tried on")
    what.add_argument("--armature", metavar="NAME",
                      help="the armature that the action poses, and that the gait is tried on (default: the only one)")
    which = what.add_mutually_exclusive_group(required=True)
    which.add_argument("--frames", metavar="N,N",
                       help="frames of the key poses, in order, as the action itself numbers them")
    which.add_argument("--cycles", action="store_true",
                       help="no poses: a walk's like steps, three to seven cycles of them, as smooth curves over one cycle")
    how = parser.add_argument_group("the gait")
    how.add_argument("--like", default="walk", metavar="NAME|FILE.json",
                     help="the gait from key poses that lends what the poses have to give (default: %(default)s)")
    how.add_argument("--speed", type=float, metavar="M/S",
                     help="the speed that is looked for (default: what the poses' steps, or the way of their root, come to)")
    how.add_argument("--evaluations", type=int, default=EVALUATIONS, metavar="N",
                     help="trials of the search, some seconds each; 0 takes the best mixture as it is (default: %(default)s)")
    how.add_argument("--minutes", type=float, metavar="M",
                     help="end the search after so long, with the best so far (default: when its trials are done)")
    how.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed and trials give the same gait")
    how.add_argument("--as-drawn", action="store_true", help="take the poses as they are: they mostly fall")
    how.add_argument("--out", required=True, metavar="FILE.json", help="where the gait goes; the file's name is its name")


def run(args: argparse.Namespace) -> Outcome:
    """Make the gait and write it; the report says what gave."""
    _check_files(args)
    out, base = check_output(args, "out"), load_pose_gait(args.like)
    check_number("--evaluations", args.evaluations, 0, MOST_EVALUATIONS, "trials")
    if args.minutes is not None:
        check_number("--minutes", args.minutes, 0.0, 1e4, "minutes")
    if args.cycles:
        from .poses_cycles import along_clip  # loads what simulates, which help does without

        return along_clip(args, out, base)
    frames = frames_from(args.frames)
    poses, source = _poses(args, frames)
    from ..gaits.tuned_maps import write_json
    from ..motions.key_poses import gait_of
    from ..tuning.gait_from_poses import Made, make_gait

    drawn = gait_of(poses, out.stem, f"frames {', '.join(map(str, frames))} of {source}")
    if args.speed is not None:
        drawn = replace(drawn, speed_m_s=args.speed)
    body, whose = tried_on(args)
    progress = Progress(sys.stderr, args.json)
    try:
        made = Made(drawn, [], {}) if args.as_drawn else make_gait(
            drawn, base, Budget(args.evaluations, args.minutes, args.seed), progress, body)
    finally:
        progress.close()
    write_json(out, pose_gait_file(made.gait))
    print(f"Gait written to {out}.", file=sys.stderr)
    report = {"pose_gait": made.gait.name, "symmetric": made.gait.symmetric, "states": len(made.gait.states),
              "swings": ", ".join(pose.state.swing for pose in poses), "gave": [str(one) for one in made.gave], **made.figures,
              TRIED_ON: None if args.as_drawn else whose}
    return Outcome(report, for_people(report), DONE)


def _check_files(args: argparse.Namespace) -> None:
    """Raises InputError for a clip that is a file for Blender, and for an output that could not be read as a gait."""
    if args.action is None:
        clip = check_input(args.clip, "clip")
        if clip.suffix.lower() in FOR_BLENDER:
            which = "--cycles" if args.cycles else f"--frames {args.frames}"
            raise InputError(f"{clip} is no .bvh clip, but Blender reads it: "
                             f"use `lope poses --blend {clip} --action NAME {which}`.")
    out = Path(args.out)
    if out.suffix.lower() != ".json" and not out.is_dir():
        raise InputError(f"A gait is a .json file: write --out {out.with_suffix('.json')}, not {out}.")


def _poses(args: argparse.Namespace, frames: list[int]) -> tuple[list[KeyPose], str]:
    """The poses that are asked for, and the name of what they are of. Raises LopeError."""
    if args.action is not None:
        open_scene(args.blend)
        return blender_room("shots.drawn_poses").poses_of_named(args.action, find_armature(args.armature), frames), args.action
    clip = Path(args.clip)
    from ..motions.bvh import read_bvh
    from ..motions.key_poses import key_poses
    from ..motions.retarget import retarget

    return key_poses(retarget(read_bvh(clip)), frames), clip.stem


def frames_from(text: str) -> list[int]:
    """Frames written as 1,13. Raises InputError."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--frames are whole numbers with commas between them, such as 1,13; got {text!r}.") from None
