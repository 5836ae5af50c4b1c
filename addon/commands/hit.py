# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope hit`: a clip or an action that something hits; the action's frames around the hit are baked on a copy of it."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import Any

from ..errors import InputError
from ..options.body_options import keep_map
from ..options.motion_options import ACTION
from ..options.outputs import blender_room, check_output, find_armature, open_scene
from ..options.shot_options import add_clip_options, shot_from
from ..options.world_options import HIT_OPTION, PUNCH_OPTION
from ..progress import Progress
from ..sim.take import Take
from ..specs.disturbances import Reaction
from ..specs.motions import Clip
from ..specs.shot import Shot
from .outcome import DONE, FELL, LOST, Outcome, table

EXAMPLE = """examples:
  lope hit karate.bvh --hit 1.2,head,4.2,6,180 --out hit.npz --json
  lope hit --blend scene.blend --armature Rig --action Wait --punch 1.5,jaw,20,180 --out hit.blend
  lope hit --blend scene.blend --hit 2,left_arm,4.2,6,180 --world moon --reaction law=rails --out hit.blend"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_clip_options(parser, required=False)
    parser.add_argument("--out", metavar="OUT.blend|TAKE.npz",
                        help="the file with a copy of the action in which the frames around the hit are other ones; of a clip, "
                             "the take (default: it is only measured)")
    parser.add_argument("--take", metavar="TAKE.npz", help="where to write the take with the hit too, where there is an action")


def run(args: argparse.Namespace) -> Outcome:
    """Simulate with the hits and without; the report says what they did, and what was baked."""
    if not (args.hit or args.punch or args.push):
        raise InputError(f"Nothing hits the character: add {HIT_OPTION}, {PUNCH_OPTION} or --push.")
    clip = args.follow is not None
    if clip:
        out, take_out = None, None if args.out is None else check_output(args, "out")
    else:
        out = _blend_out(args)
        take_out = None if args.take is None else check_output(args, "take")
        args.action = args.action or _present_action(args)
    args.follow_time = args.follow_time or "clip"
    shot = shot_from(args)
    if out is not None:
        check_output(args, "out", reads=blender_room("read.blend_file").files_beside())
    from ..reports.hits import missed_of
    from ..reports.retry import with_and_without

    with Progress(sys.stderr, args.json) as progress:
        struck, unstruck = with_and_without(shot, progress)
    if take_out is not None:
        struck.save(take_out)
        print(f"Take written to {take_out}.", file=sys.stderr)
    report = reported(struck, unstruck)
    for one in missed_of(struck):
        print(one.sentence(), file=sys.stderr)
    if out is not None:
        report |= _baked(args, shot, struck, unstruck)
        blend_file = blender_room("read.blend_file")
        blend_file.save_copy(out)
        report["out"] = str(out)
    code = LOST if struck.lost is not None else FELL if struck.broken_off else DONE
    return Outcome(report, table(report), code)


def reported(struck: Take, unstruck: Take) -> dict[str, Any]:
    """What the hits did, as plain JSON values: of each its part of the body, time, momentum, largest angle off and time back; the
    balls that missed; how the body stayed up, or when it fell."""
    from ..reports.hits import hits_of, missed_of

    stats = struck.stats
    return {"hits": [dataclasses.asdict(hit) for hit in hits_of(struck, unstruck)],
            "missed": [dataclasses.asdict(one) for one in missed_of(struck)], "strategy": stats.get("strategy"),
            "steps_taken": stats.get("steps_taken"), "law": (struck.shot.reaction or Reaction()).law,
            "time_fell_s": stats.get("time_fell_s")}


def _blend_out(args: argparse.Namespace) -> Any:
    """Where the Blender file goes; None where nothing is baked. Raises InputError."""
    if args.out is None:
        return None
    if not str(args.out).endswith(".blend"):
        raise InputError("An action with a hit is written to a Blender file: give --out a name that ends in .blend, and --take "
                         f"one for the take; got {args.out}.")
    if args.action_armature not in (None, args.armature):
        raise InputError("An action with a hit is baked on the armature that it moves: leave --action-armature out.")
    if args.follow_time not in (None, "clip") or args.stretch not in (None, 1.0):
        raise InputError("An action with a hit keeps its own time: leave --follow-time and --stretch out.")
    return check_output(args, "out")


def _present_action(args: argparse.Namespace) -> str:
    """Name of the armature's own action. Raises InputError where it has none, or where there is no file to look into."""
    if args.blend is None and args.armature is None:
        raise InputError(f"There is nothing to hit: give a CLIP.bvh, or --blend IN.blend with {ACTION} NAME.")
    open_scene(args.blend)
    armature = find_armature(args.armature)
    data = armature.animation_data
    if data is None or data.action is None:
        raise InputError(f"The armature {armature.name!r} has no action that could be hit: name one with {ACTION}.")
    return str(data.action.name)


def _baked(args: argparse.Namespace, shot: Shot, struck: Take, unstruck: Take) -> dict[str, Any]:
    """Bake on the armature in the open file; gives what is reported of it."""
    from ..motions.followable import read_followed
    from ..motions.trim import cut

    armature = find_armature(args.armature)
    keep_map(args.map, armature)
    clip, skipped = shot.motion, 0
    if isinstance(clip, Clip):
        skipped = cut(read_followed(clip.file, clip.database), clip.first_frame, clip.last_frame).first_frame - 1
    done = blender_room("bake.hit_bake").bake_hit_on_named(armature, args.action, struck, unstruck, skipped)
    if not done.back:
        print(f"The body is not back in the action by frame {done.last}: its feet stand up to {done.off_m:.2f} m from there.",
              file=sys.stderr)
    return {"armature": armature.name, "action": done.action.name, "of": args.action, "frame_start": done.first,
            "frame_end": done.last, "back": done.back}
