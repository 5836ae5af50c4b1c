# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope bake`: a take onto an armature in a Blender file; without one, what hangs there swings as the action has it."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from ..errors import InputError
from ..options.body_options import add_map_option, keep_map
from ..options.outputs import add_blend_option, blender_room, check_blend, check_output, find_armature, open_scene
from ..options.render_options import add_bake_options, bake_options_from, check_stage
from .outcome import Outcome

EXAMPLE = """examples:
  lope bake --blend scene.blend --armature Astronaut --take moon.npz --out walked.blend
  lope bake --blend astronaut --take moon.npz --stage auto --out walked.blend
  lope bake --blend creature --take ostrich.npz --stage auto --out walked.blend
  lope bake --blend rig.blend --take moon.npz --parts legs --root-motion object --stage auto --out walked.blend
  lope bake --blend walked.blend --take lope.npz --go-on --push-down --out both.blend
  lope bake --blend animated.blend --world moon --out swung.blend        hair, hoses and straps of the action that there is"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_blend_option(parser, "the file with the armature", "; creature: a figure made of the take's creature")
    parser.add_argument("--armature", metavar="NAME", help="name of the armature object (default: the only one)")
    parser.add_argument("--take", metavar="TAKE.npz", help="what `lope simulate --out` wrote; without one, only what hangs on "
                        "the armature swings, as the action that it has moves it")
    parser.add_argument("--world", metavar="NAME", help="without a take: where an action plays that Lope did not "
                        "bake (default: earth)")
    parser.add_argument("--out", required=True, metavar="OUT.blend", help="where to write the file with the new action")
    add_map_option(parser)
    add_bake_options(parser)


def run(args: argparse.Namespace) -> Outcome:
    """Bake; the report names the action, the frames that were written, and all of the action's."""
    from ..sim.take import Take

    check_blend(args.blend)
    if args.take is None:
        return _swing(args)
    if args.world is not None:
        raise InputError("A take brings its world along: leave --world out, or --take to let only swing what hangs.")
    take = Take.load(args.take)  # told now if it is none; the bake reads it again, not to hold it while keys fill the memory
    shot, called = take.shot, take.called
    del take
    out = check_output(args, "out")
    _check_file(out)
    stage = check_stage(args.stage)
    options = bake_options_from(args, 1)  # told now what is wrong with them
    scene = open_scene(args.blend, shot.body.height_m, shot.body.creature)
    check_output(args, "out", reads=blender_room("read.blend_file").files_beside())
    armature = find_armature(args.armature)
    keep_map(args.map, armature)
    blend_file, baking, shots = (blender_room(name) for name in ("read.blend_file", "bake.bake", "shots.open_rig"))
    options = dataclasses.replace(options, start_frame=bake_options_from(args, scene.frame_start).start_frame)
    joined = blender_room("bake.going_on")
    options, done = joined.continued(armature, shot, options, placed=args.start_frame is not None)
    action = baking.bake_take(armature, args.take, options=options, called=called)
    if done is not None:
        print(done, file=sys.stderr)
    first, last = blender_room("bake.provenance").written_frames(action)
    whole = tuple(float(frame) for frame in action.frame_range)
    if not blender_room("bake.provenance").fit_range(scene, action, whole=options.frame_range is None):
        print(f"The scene's range, which is yours, stays: it ends at frame {scene.frame_end}, and the bake at {last:g}.",
              file=sys.stderr)
    objects, left = blender_room("bake.loose").bake_along(scene, armature, action, args.take, options)
    report = {"armature": armature.name, "action": action.name, "frame_start": first, "frame_end": last, "action_frames": whole,
              "out": str(out)}
    if objects:
        report["objects"] = [item.name for item in objects]
    if left is not None:
        print(left, file=sys.stderr)
    if stage and not shots.has_lamp(scene):
        shots.put_on_stage(scene, armature, Take.load(args.take), (round(whole[0]), round(whole[1])), None)
        report["stage"] = scene.world.name
    if args.dust:
        report["dust"] = blender_room("dust.marks").add_marks(scene, armature, Take.load(args.take)).name
    if args.show_pressure:
        report["pressure"] = blender_room("dust.pressed").add_pressure(scene, armature, Take.load(args.take)).name
    if args.show_muscles:
        report["muscles"] = blender_room("muscles.shown").show_muscles(scene, armature, Take.load(args.take)).name
    if blender_room("stage.stage").is_dark(scene):
        print(f"Nothing in the scene {scene.name!r} gives light: `lope render` adds a plain sun by itself, other renders come "
              "out black; --stage auto adds ground, sun and sky.", file=sys.stderr)
        report["dark"] = True
    blend_file.save_copy(out)
    beside = "" if whole == (first, last) else f" of {whole[0]:g} to {whole[1]:g}"
    told = f"Action {action.name!r} of {armature.name!r}, frames {first:g} to {last:g}{beside}, written to {out}."
    return Outcome(report, told)


def _check_file(out: Path) -> None:
    if out.suffix.lower() != ".blend":
        raise InputError(f"A bake is written to a Blender file: give --out a name that ends in .blend; got {out.name!r}.")


def _swing(args: argparse.Namespace) -> Outcome:
    """Let swing what hangs on the armature, over its action; the report names the chains."""
    from ..worlds.planets import load_world

    out = check_output(args, "out")
    _check_file(out)
    world = None if args.world is None else load_world(args.world)
    scene = open_scene(args.blend)
    check_output(args, "out", reads=blender_room("read.blend_file").files_beside())
    armature = find_armature(args.armature)
    keep_map(args.map, armature)
    hung = blender_room("bake.hang").hang_anew(armature, scene, world)
    blender_room("read.blend_file").save_copy(out)
    report = {"armature": armature.name, "action": hung.action.name, "hangs": hung.chains, "left": hung.left, "out": str(out)}
    kept = f" {len(hung.left)} that keys of yours move were left as they are." if hung.left else ""
    return Outcome(report, f"{len(hung.chains)} chains of {armature.name!r} swing in the action {hung.action.name!r}, written to "
                           f"{out}.{kept}")
