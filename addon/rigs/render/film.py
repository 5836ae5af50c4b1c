# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures to a film, by the encoder that Blender brings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy

from ...checks import check_number
from ...errors import InputError
from .frames import quiet_output
from .pictures import NOT_WHOLE, picture_size, written_whole


def check_film(size: tuple[int, int] | None = None) -> None:
    """Raises InputError where no film can be made: a Blender without an encoder, or pictures of odd size [pixels]."""
    if not bpy.app.build_options.codec_ffmpeg:
        raise InputError("This Blender was built without FFmpeg and cannot make films; give a folder with --out, and make "
                         "the film of its pictures with another program.")
    if size is not None and (size[0] % 2 or size[1] % 2):
        raise InputError(f"A film's width and height must be even, these pictures have {size[0]}x{size[1]}.")


def encode_film(
    pictures: Sequence[str | Path], path: str | Path, fps: float, look: bpy.types.Scene | None = None, quality: str = "HIGH",
) -> None:
    """Make an H.264 film (MP4) of pictures of equal, even size, one after the other, `fps` a second. PNG pictures are taken as
    they are; linear ones (EXR) go through the look of the scene `look`. `quality` is a name of Blender's constant rate factors.
    The film is whole or is not there. Raises InputError where a picture is missing, sizes are odd, or nothing is written."""
    path, pictures = Path(path), [Path(picture).resolve() for picture in pictures]
    fps = check_number("Frames a second", fps, 0.01, 240.0, "1/s")
    missing = [str(picture) for picture in pictures if not picture.is_file()]
    if missing or not pictures:
        raise InputError(f"The film needs pictures; missing: {', '.join(missing[:3]) or 'all of them'}.")
    size = picture_size(pictures[0])
    check_film(size)
    scene = bpy.data.scenes.new("Lope film")
    try:
        with written_whole(path, NOT_WHOLE) as partial:
            _strips(scene, pictures)
            _settings(scene, partial, size, fps, quality)
            _set_look(scene, look if pictures[0].suffix == ".exr" else None)
            with quiet_output():
                bpy.ops.render.render(animation=True, scene=scene.name)
            _check_whole(partial, len(pictures))
    finally:
        bpy.data.scenes.remove(scene)


def _check_whole(film: Path, frames: int) -> None:
    """Raises OSError or RuntimeError unless a film plays that many frames: on a full disk Blender ends it without a word."""
    clip = bpy.data.movieclips.load(str(film.resolve()))
    try:
        if clip.frame_duration != frames:
            raise OSError(f"it has {clip.frame_duration} frames in place of {frames}")
    finally:
        bpy.data.movieclips.remove(clip)


def _strips(scene: bpy.types.Scene, pictures: Sequence[Path]) -> None:
    editor = scene.sequence_editor_create()
    for number, picture in enumerate(pictures, start=1):
        editor.strips.new_image(name=picture.stem, filepath=str(picture), channel=1, frame_start=number)
    scene.frame_start, scene.frame_end = 1, len(pictures)


def _settings(scene: bpy.types.Scene, path: Path, size: tuple[int, int], fps: float, quality: str) -> None:
    render, image = scene.render, scene.render.image_settings
    render.use_sequencer, render.use_file_extension = True, False
    (render.resolution_x, render.resolution_y), render.resolution_percentage = size, 100
    render.fps = max(1, round(fps))
    render.fps_base = render.fps / fps
    if hasattr(image, "media_type"):
        image.media_type = "VIDEO"
    image.file_format = "FFMPEG"
    render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.audio_codec = "MPEG4", "H264", "NONE"
    render.ffmpeg.constant_rate_factor, render.ffmpeg.ffmpeg_preset = quality, "GOOD"
    render.ffmpeg.gopsize = 12
    render.filepath = str(path.resolve())


def _set_look(scene: bpy.types.Scene, look: bpy.types.Scene | None) -> None:
    """The look of a scene on linear pictures; none on pictures that have been through it already."""
    view = scene.view_settings
    if look is None:
        view.view_transform = "Standard"
        return
    shown = look.view_settings
    view.view_transform, view.look = shown.view_transform, shown.look
    view.exposure, view.gamma = shown.exposure, shown.gamma
    scene.sequencer_colorspace_settings.name = "Linear Rec.709"
