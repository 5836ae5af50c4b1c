# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope render`: a Blender file as pictures, as a film, as a contact sheet; or pictures that there are as one sheet."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..options import outputs
from ..options.render_options import FILM, add_render_options, cameras_from, check_together, frames_from, size_from
from ..progress import Progress
from .outcome import Outcome

EXAMPLE = """examples:
  lope render --blend walked.blend --out pictures --frames 1,240,12
  lope render --blend walked.blend --out walk.mp4 --size 960x540 --camera follow:side
  lope render --blend walked.blend --sheet walk.png --sheet-frames 9 --size 300x400 --camera follow:side,front
  lope render --blend walked.blend --out dusty.mp4 --dust moon.npz
  lope render --blend kicked.blend --out kick.mp4 --show-pressure kick.npz --camera follow:three_quarter
  lope render --blend limp.blend --sheet limp.png --show-muscles limp.npz --camera follow:side,front
  lope render --grid-sheet cells.json --out sheet.png

Run again after a stop, it keeps the pictures that are whole and were made of the same file in the same way."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    outputs.add_blend_option(parser, "what to render")
    add_render_options(parser)


def run(args: argparse.Namespace) -> Outcome:
    """Render; the report lists the pictures or names the film, says how many were kept from before, and names the sheet."""
    size = None if args.size is None else size_from(args.size)
    frames = None if args.frames is None else frames_from(args.frames)
    check_together(args, size)
    if args.grid_sheet is not None:
        return _grid_sheet(args)
    room = outputs.blender_room
    rendering, blend, renderers = room("render.frames"), room("read.blend_file"), room("render.renderers")
    outputs.check_blend(args.blend)
    _check_places(args)
    renderers.engine_id(args.renderer)
    outputs.blender_room("render.pictures").suffix_of(args.format)
    scene = rendering.named_scene(outputs.open_scene(args.blend), args.scene)
    _check_places(args, blend.files_beside())
    if frames is None:
        first, last = _whole(scene) if args.out is not None else outputs.blender_room("render.sheets").shown_range(scene)
        frames = range(first, last + 1, scene.frame_step)
    elif (last := outputs.blender_room("bake.provenance").moving_until(scene)) < frames[-1]:
        print(f"Frames after {last} are past the end of the motion, or of the scene's range.", file=sys.stderr)
    width, height = size or blend.picture_size(scene)
    denoise = renderers.can_denoise(args.renderer)
    picture = rendering.Picture(width, height, args.renderer, args.samples, denoise, args.format)
    if args.out is None:
        frames = _spread(frames, args.sheet_frames)
    filmed = min(scene.frame_start, frames[0]), max(scene.frame_end, frames[-1])  # the same for every part of a sequence
    aim = functools.partial(outputs.blender_room("render.camera").choose_camera, scene, frames=filmed, aspect=width / height,
                            armature=args.armature)
    cameras = cameras_from(args.camera)
    aim(cameras[0])
    lit = _lit(args, scene)
    asked = [args.camera, args.armature, filmed, *(["plain light"] if lit else []), *_dusted(args, scene), *_muscled(args, scene)]
    source = None if args.redo else rendering.source_of(scene, asked)
    with _folder(args) as folder, _progress(args) as progress:
        sequences = []
        for number, camera in enumerate(cameras):  # several of a sheet alone
            if number:
                aim(camera)
            sequences.append(rendering.render_frames(
                scene, frames, folder / str(number) if number else folder, picture, source=source,
                progress=lambda share, text, before=number: progress((before + share) / len(cameras), text)))
        if not denoise:
            print("This Blender has no denoiser: its pictures stay grainy at few samples.", file=sys.stderr)
        outcome = _finished(args, scene, frames, sequences)
    return dataclasses.replace(outcome, report={**outcome.report, "light": "plain"}) if lit else outcome


def _whole(scene: Any) -> tuple[int, int]:
    """The scene's first frame and the last at which something moves; says so where that is not its last."""
    last = outputs.blender_room("bake.provenance").moving_until(scene)
    if last < scene.frame_end:
        print(f"Nothing moves after frame {last}, so the pictures end there (--frames {scene.frame_start},{scene.frame_end} "
              "renders all of the scene's range).", file=sys.stderr)
    return scene.frame_start, last


def _dusted(args: argparse.Namespace, scene: Any) -> list[str]:
    """Add the prints and the dust of --dust, and the pressure of --show-pressure; gives what is asked for, with checksums of the
    takes."""
    from ..sim.take import Take

    asked = []
    if args.dust is not None:
        outputs.blender_room("dust.marks").add_marks(scene, _who(args, scene), Take.load(args.dust))
        asked += ["dust", _checksum(args.dust)]
    if args.show_pressure is not None:
        outputs.blender_room("dust.pressed").add_pressure(scene, _who(args, scene), Take.load(args.show_pressure))
        asked += ["pressure", _checksum(args.show_pressure)]
    return asked


def _muscled(args: argparse.Namespace, scene: Any) -> list[str]:
    """Show the muscles of --show-muscles, and through the character; gives what is asked for, with a checksum of the take."""
    asked = []
    if args.show_muscles is not None:
        from ..sim.take import Take

        outputs.blender_room("muscles.shown").show_muscles(scene, _who(args, scene), Take.load(args.show_muscles))
        asked = ["muscles", _checksum(args.show_muscles)]
    if asked or args.see_through:
        outputs.blender_room("muscles.shown").see_through(_who(args, scene))
        asked.append("see through")
    return asked


def _who(args: argparse.Namespace, scene: Any) -> Any:
    """The armature that the pictures are of."""
    return outputs.find_armature(args.armature) if args.armature else outputs.blender_room("render.camera").character_of(scene)


def _checksum(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _lit(args: argparse.Namespace, scene: Any) -> bool:
    """Put a plain light into a scene that has none, and say so; whether that was done."""
    lights = outputs.blender_room("stage.stage")
    if not lights.is_dark(scene):
        return False
    if args.light == "none":
        print(f"Nothing in the scene {scene.name!r} gives light: its pictures are black.", file=sys.stderr)
        return False
    lights.add_plain_light(scene)
    print(f"Nothing in the scene {scene.name!r} gives light: a plain sun and sky are added for these pictures (--light none "
          "leaves them out; `lope bake --stage auto` gives ground and sky of the world).", file=sys.stderr)
    return True


def _check_places(args: argparse.Namespace, reads: Sequence[Path] = ()) -> None:
    """Raises InputError where an output cannot be written, or is one of the files that are read."""
    if args.sheet is not None:
        outputs.check_output(args, "sheet", reads=reads)
    if args.out is not None:
        if args.out.lower().endswith(FILM):
            outputs.check_output(args, "out", reads=reads)
            outputs.check_pictures(args, "pictures", _pictures_of(args), reads)
        else:
            outputs.check_pictures(args, "out", reads=reads)


def _pictures_of(args: argparse.Namespace) -> Path:
    """The folder that holds a film's pictures."""
    film = Path(args.out)
    return film.with_name(f"{film.stem}_frames") if args.pictures is None else Path(args.pictures)


@contextlib.contextmanager
def _folder(args: argparse.Namespace) -> Iterator[Path]:
    """Where the pictures go: the folder asked for, or one that is gone afterwards."""
    if args.out is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        yield _pictures_of(args) if args.out.lower().endswith(FILM) else Path(args.out)


def _progress(args: argparse.Namespace) -> contextlib.AbstractContextManager[Callable[[float, str], None]]:
    """What hears how far it is: who asked for the pictures (`told`), or standard error."""
    told = getattr(args, "told", None)
    return Progress(sys.stderr, args.json) if told is None else contextlib.nullcontext(told)


def _spread(frames: range, count: int) -> range:
    """At most `count` of the frames, evenly from the first to the last as far as whole steps go."""
    step = max(1, (len(frames) - 1) // max(count - 1, 1))
    return frames[:step * (count - 1) + 1:step]


def _finished(args: argparse.Namespace, scene: Any, frames: range, sequences: list[Any]) -> Outcome:
    """The film of a rendered sequence, the sheet of it or of one for each camera, and the report of it all."""
    sequence = sequences[0]
    rate = outputs.blender_room("read.actions").frame_rate(scene)
    report, said = {}, []
    if args.out is not None and args.out.lower().endswith(FILM):
        outputs.blender_room("render.frames").encode_film(sequence.paths, args.out, rate / frames.step, look=scene)
        report = {"film": args.out, "frame_count": len(sequence.paths), "kept": sequence.kept,
                  "pictures": str(sequence.paths[0].parent)}
        said.append(f"A film of {len(sequence.paths)} frames written to {args.out}")
    elif args.out is not None:
        report = {"frames": [str(path) for path in sequence.paths], "kept": sequence.kept}
        said.append(f"{len(sequence.paths)} pictures written to {args.out}")
    if sequence.kept:
        said.append(f"{sequence.kept} pictures kept from an earlier run")
    if args.sheet is not None:
        shown = _spread(range(len(frames)), args.sheet_frames)
        times = [f"{(frames[k] - frames[0]) / rate:.2f} s" for k in shown]
        sheets = outputs.blender_room("render.sheets")
        title = sheets.scene_title(scene, (frames[0], frames[-1]))
        rows = [row for number, each in enumerate(sequences)
                for row in sheets.wrapped("" if number else title, [each.paths[k] for k in shown], times)]
        sheets.contact_sheet(rows, args.sheet, scene)
        report["sheet"] = args.sheet
        said.append(f"a sheet of {len(shown) * len(sequences)} pictures written to {args.sheet}")
    return Outcome(report, "; ".join(said) + ".")


def _grid_sheet(args: argparse.Namespace) -> Outcome:
    """A sheet of pictures that there are."""
    if args.out is None:
        raise InputError("Say where to write the sheet with --out, such as sheet.png.")
    cells = outputs.check_input(args.grid_sheet, "list of cells")
    sheets = outputs.blender_room("render.sheets")
    shown = sheets.read_cells(cells)
    out = outputs.check_output(args, "out", reads=[picture for cell in shown for picture in cell.pictures])
    sheets.grid_sheet(shown, out)
    return Outcome({"sheet": str(out), "cells": len(shown)}, f"A sheet of {len(shown)} cells written to {out}.")
