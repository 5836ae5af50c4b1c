# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope poses`: a gait from two or more key poses of an action or a clip; with --cycles along a clip's mean cycle."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..checks import check_number
from ..errors import InputError
from ..gaits.pose_gaits import load_pose_gait
from ..gaits.tuned_maps import write_json
from ..motions.bvh import read_bvh
from ..motions.key_poses import ClipCurves, KeyPose, clip_curves, gait_of, key_poses
from ..motions.retarget import retarget
from ..options.motion_options import clip_from
from ..options.outputs import add_blend_option, blender_room, check_input, check_output, find_armature, open_scene
from ..progress import Progress
from ..search.from_curves import gait_along, nearest_along
from ..search.gait_from_poses import EVALUATIONS, MOST_EVALUATIONS, Budget, Made, make_gait
from ..specs.pose_gait import PoseGait, pose_gait_file
from ..specs.shot import BodySpec
from .outcome import DONE, Outcome, table

TRIED_ON = "tried_on"
FOR_PROGRAMS = ("off_deg", "cost", "cpu_s", "swings", "shares", "coefficients", "error_most_deg")
"""What only --json tells."""


def tried_on(args: argparse.Namespace) -> tuple[BodySpec, str]:
    """The body that the trials move, and in words whose it is: the rig's of an action, whose file is open already, or of --blend;
    else the standard one. Raises LopeError."""
    if args.action is None and args.blend is None and args.armature is None:
        body = BodySpec()
        return body, f"Lope's standard body, {_size(body)}"
    if args.action is None:
        open_scene(args.blend)
    armature = find_armature(args.armature)
    body = blender_room("read.armature").read_figure(armature, scene=armature.users_scene[0]).body_spec()
    return body, f"{armature.name}'s own body, {_size(body)}"


def for_people(report: Mapping[str, Any]) -> str:
    """The report as a table, without what only programs ask for."""
    return table({name: value for name, value in report.items() if name not in FOR_PROGRAMS})


def _size(body: BodySpec) -> str:
    return f"{body.height_m:.2f} m and {body.mass_kg:g} kg"


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
    what = parser.add_argument_group("the poses")
    where = what.add_mutually_exclusive_group(required=True)
    where.add_argument("clip", nargs="?", metavar="CLIP.bvh", help="a motion clip that has the poses; its frames count from 1")
    where.add_argument("--action", metavar="NAME", help="an action of the file of --blend that has the poses (needs Blender)")
    add_blend_option(parser, "file of the action, and of the rig that the gait is tried on")
    what.add_argument("--armature", metavar="NAME",
                      help="the armature that the action poses, and that the gait is tried on (default: the only one)")
    which = what.add_mutually_exclusive_group(required=True)
    which.add_argument("--frames", metavar="N,N", help="frames of the key poses, in order, as the action itself numbers them")
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
        return along_clip(args, out, base)
    frames = frames_from(args.frames)
    poses, source = _poses(args, frames)
    drawn = gait_of(poses, out.stem, f"frames {', '.join(map(str, frames))} of {source}")
    if args.speed is not None:
        drawn = replace(drawn, speed_m_s=args.speed)
    body, whose = tried_on(args)
    with Progress(sys.stderr, args.json) as progress:
        made = Made(drawn, [], {}) if args.as_drawn else make_gait(
            drawn, base, Budget(args.evaluations, args.minutes, args.seed), progress, body)
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
        return blender_room("shots.action_clip").poses_of_named(args.action, find_armature(args.armature), frames), args.action
    return key_poses(retarget(read_bvh(args.clip)), frames), Path(args.clip).stem


def frames_from(text: str) -> list[int]:
    """Frames written as 1,13. Raises InputError."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--frames are whole numbers with commas between them, such as 1,13; got {text!r}.") from None


def along_clip(args: argparse.Namespace, out: Path, base: PoseGait) -> Outcome:
    """Make the gait and write it; the report says how near curves and gait are. Raises LopeError."""
    clip = Path(args.clip) if args.action is None else clip_from(argparse.Namespace(
        action=args.action, action_armature=args.armature, armature=args.armature, blend=args.blend))  # no take to lie beside
    motion = read_bvh(clip)
    if args.action is not None:
        motion = replace(motion, path=f"The action {args.action!r}")  # which messages name, not the file that it went through
    found = clip_curves(retarget(motion))
    drawn = gait_along(found, out.stem, f"{found.cycles:g} cycles of {clip.stem}")
    if args.speed is not None:
        drawn = replace(drawn, speed_m_s=args.speed, sideways_m_s=0.0)
    body, whose = tried_on(args)
    with Progress(sys.stderr, args.json) as progress:
        gait, gave, figures = (drawn, [], {}) if args.as_drawn else nearest_along(
            drawn, base, Budget(args.evaluations, args.minutes, args.seed), progress, body)
    write_json(out, pose_gait_file(gait))
    print(f"Gait written to {out}.", file=sys.stderr)
    report = {"pose_gait": gait.name, **told(found), "speed_m_s": gait.speed_m_s, "sideways_m_s": gait.sideways_m_s,
              "gave": gave, **figures, TRIED_ON: None if args.as_drawn else whose}
    return Outcome(report, for_people(report), DONE)


def told(found: ClipCurves) -> dict[str, object]:
    """What a clip's curves are and how near they are to it."""
    curves = found.curves
    series = [*curves.angles.values(), *(one for three in curves.turns.values() for one in three)]
    return {"cycles": found.cycles, "start_s": round(found.start_s, 2), "period_s": curves.period_s,
            "touch_left": curves.touch_left, "touch_right": curves.touch_right,
            "error_legs_deg": round(math.degrees(found.error_legs_rad), 2),
            "error_most_deg": round(math.degrees(max(found.error_rad.values())), 2),
            "harmonics": max(found.harmonics.values()),
            "coefficients": sum(map(len, series))}
