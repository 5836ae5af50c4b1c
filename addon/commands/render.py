# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope render`: a Blender file as pictures or as a film."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from ..errors import InputError
from .blender import blender_room
from .outcome import Outcome
from .outputs import check_input, check_output
from .progress import Progress

SUMMARY = "render a Blender file as PNG pictures or as a film (needs Blender or the bpy module)"
EXAMPLE = """examples:
  lope render --blend walked.blend --out walk.mp4 --size 960x540
  lope render --blend walked.blend --out pictures --frames 1,240,12"""

FILM = ".mp4"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("--blend", required=True, metavar="IN.blend", help="what to render, through its own camera")
    parser.add_argument("--out", required=True, metavar=f"FOLDER|FILM{FILM}", help="where to write frame_NNNN.png, or a film")
    parser.add_argument("--frames", metavar="FIRST,LAST[,STEP]", help="which frames (default: the scene's)")
    parser.add_argument("--size", metavar="WIDTHxHEIGHT", help="in pixels (default: the scene's)")
    parser.add_argument("--renderer", default="cycles", metavar="NAME", help="cycles or eevee (default: %(default)s)")
    parser.add_argument("--samples", type=int, default=16, metavar="N", help="a pixel (default: %(default)s)")


def run(args: argparse.Namespace) -> Outcome:
    """Render; the report lists the pictures, or names the film and counts its frames."""
    blend = check_input(args.blend, "Blender file")
    frames = None if args.frames is None else frames_from(args.frames)
    size = None if args.size is None else size_from(args.size)
    out, film = Path(args.out), args.out.lower().endswith(FILM)
    if film and size is not None and (size[0] % 2 or size[1] % 2):
        raise InputError(f"A film's width and height must be even, got {args.size}.")
    check_output(out if film else out / "frame_0001.png")
    rendering, blend_file = blender_room("render"), blender_room("blend_file")
    rendering.engine_id(args.renderer)
    scene = blend_file.open_blend(blend)
    frames = frames or range(scene.frame_start, scene.frame_end + 1, scene.frame_step)
    width, height = size or blend_file.picture_size(scene)
    progress = Progress(sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        try:
            written = rendering.render_frames(scene, frames, folder if film else out, width=width, height=height,
                                              engine=args.renderer, samples=args.samples, progress=progress)
        finally:
            progress.close()
        if not film:
            return Outcome({"frames": [str(path) for path in written]}, f"{len(written)} pictures written to {out}.")
        rendering.encode_video(written, out, blender_room("bake").frame_rate(scene) / frames.step)
    return Outcome({"film": str(out), "frame_count": len(written)}, f"A film of {len(written)} frames written to {out}.")


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
