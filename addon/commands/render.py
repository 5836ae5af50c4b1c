# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope render`: the frames of a Blender file as pictures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..errors import InputError
from .blender import blender_room
from .outcome import Outcome
from .outputs import check_input, check_output
from .progress import Progress

SUMMARY = "render a Blender file's frames as PNG pictures (needs Blender or the bpy module)"
EXAMPLE = """example:
  lope render --blend walked.blend --frames 1,240,12 --size 960x540 --out frames"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("--blend", required=True, metavar="IN.blend", help="what to render, with its own camera and look")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where to write frame_NNNN.png")
    parser.add_argument("--frames", metavar="FIRST,LAST[,STEP]", help="which frames (default: the scene's)")
    parser.add_argument("--size", metavar="WIDTHxHEIGHT", help="in pixels (default: the scene's)")


def run(args: argparse.Namespace) -> Outcome:
    """Render; the report lists the pictures."""
    blend = check_input(args.blend, "Blender file")
    frames = None if args.frames is None else frames_from(args.frames)
    size = None if args.size is None else size_from(args.size)
    folder = check_output(Path(args.out) / "frame_0001.png").parent
    blend_file = blender_room("blend_file")
    scene = blend_file.open_blend(blend)
    if frames is None:
        frames = range(scene.frame_start, scene.frame_end + 1, scene.frame_step)
    progress = Progress(sys.stderr)
    try:
        written = blend_file.render_frames(scene, folder, frames, size, progress)
    finally:
        progress.close()
    return Outcome({"frames": [str(path) for path in written]}, f"{len(written)} pictures written to {folder}.")


def frames_from(text: str) -> range:
    """The frames written as "FIRST,LAST[,STEP]". Raises InputError."""
    try:
        first, last, *step = (int(part) for part in text.split(","))
        frames = range(first, last + 1, *step)
    except (TypeError, ValueError):
        frames = range(0)
    if len(frames) == 0 or frames.step < 1:
        raise InputError(f"Frames are written FIRST,LAST or FIRST,LAST,STEP, such as 1,240,12; got {text!r}.")
    return frames


def size_from(text: str) -> tuple[int, int]:
    """The picture size written as "WIDTHxHEIGHT". Raises InputError."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width, height = 0, 0
    if not (4 <= width <= 16384 and 4 <= height <= 16384):
        raise InputError(f"A size is written WIDTHxHEIGHT in pixels, such as 960x540; got {text!r}.")
    return width, height
