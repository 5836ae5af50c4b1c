# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope export`: a baked character for a game engine."""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..options.outputs import add_blend_option, blender_room, check_blend, check_output, find_armature, open_scene
from ..options.render_options import frames_from
from .outcome import Outcome

EXAMPLE = """examples:
  lope export --blend walked.blend --for unreal --out walk.fbx
  lope export --blend walked.blend --for unity --out walk.fbx --frames 1,48
  lope export --blend walked.blend --armature Mia --for godot --out mia.glb --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_blend_option(parser, "the file with the character and its motion")
    parser.add_argument("--armature", metavar="NAME", help="name of the armature object (default: the only one)")
    parser.add_argument("--for", dest="engine", required=True, metavar="ENGINE",
                        help="unreal (FBX in centimetres), unity (FBX) or godot (glTF, which others read too)")
    parser.add_argument("--out", required=True, metavar="FILE", help="where to write it: .fbx, or .glb for godot")
    parser.add_argument("--frames", metavar="FIRST,LAST", help="which frames (default: those of the action)")


def run(args: argparse.Namespace) -> Outcome:
    """Export; the report names the file, the clip, its frames, and what carries the travel."""
    check_blend(args.blend)
    out = check_output(args, "out")
    frames = None if args.frames is None else frames_from(args.frames)
    if frames is not None and frames.step != 1:
        raise InputError("Every frame is exported: give --frames FIRST,LAST without a step.")
    scene = open_scene(args.blend)
    check_output(args, "out", reads=blender_room("read.blend_file").files_beside())
    told = blender_room("shots.export").export_character(
        scene, find_armature(args.armature), args.engine, out, None if frames is None else (frames[0], frames[-1]))
    first, last = told.frames
    report = {"out": str(out), "clip": told.clip, "frame_start": first, "frame_end": last, "root": told.root}
    return Outcome(report, f"{told.clip}, frames {first} to {last}, written to {out}; {told.root} carries the travel.")
