# SPDX-License-Identifier: GPL-3.0-or-later
"""Render frames of a scene to pictures, one file a frame, and pictures to a film, by the encoder that Blender brings. A sequence
that was broken off goes on where it stopped: each file is written under another name and renamed, so that it is whole, and
carries a note of what it is a picture of."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import bpy

from ... import VERSION
from ...checks import check_number
from ...errors import InputError, unknown_name
from ..read.blend_file import open_file
from .pictures import NOT_WHOLE, note_of, picture_size, read_whole, suffix_of, written_whole
from .renderers import check_renderer, set_engine, set_picture, settings_kept


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
    """Make an H.264 film (MP4), whole or not at all, of pictures of equal, even size, `fps` a second; linear ones (EXR) go
    through the scene `look`. `quality` names Blender's constant rate factor. Raises InputError."""
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


Progress = Callable[[float, str], None]
"""Called with the share done (0 to 1) and what is being done."""

STALE_AFTER_S = 600.0
"""Age from which a file under a temporary name is a left-over: Blender writes a picture within seconds."""


@dataclass(frozen=True)
class Picture:
    """What each picture is to be: size [pixels], renderer, samples a pixel, denoised or not, and the kind of file."""

    width: int
    height: int
    renderer: str = "cycles"
    samples: int = 16
    denoise: bool = True
    kind: str = "png"

    def __post_init__(self) -> None:
        for what, size in (("width", self.width), ("height", self.height)):
            check_number(f"Picture {what}", size, 4, 16384, "pixels")
        check_number("Samples", self.samples, 1, 4096, "a pixel")
        suffix_of(self.kind)


@dataclass(frozen=True)
class PictureSequence:
    """The pictures of a sequence in order, and how many of them an earlier run had made."""

    paths: list[Path]
    kept: int


def render_frames(scene: bpy.types.Scene, frames: Iterable[int], folder: str | Path, picture: Picture, *,
                  prefix: str = "frame_", source: str | None = None, progress: Progress | None = None) -> PictureSequence:
    """Render frames of the scene through its camera to `PREFIXnnnn.png` (or .exr) in `folder`. Whole pictures that an earlier run
    made of the same `source` (a checksum, say) in the same way are kept. The scene's settings are put back. Raises InputError for
    no camera or frames, a renderer that cannot be used, or a file that cannot be written."""
    frames, folder = [int(frame) for frame in frames], Path(folder)
    if scene.camera is None:
        raise InputError(f"The scene {scene.name!r} has no camera; add one before rendering.")
    if not frames:
        raise InputError("There are no frames to render.")
    paths = [folder / f"{prefix}{frame:04d}{suffix_of(picture.kind)}" for frame in frames]
    note = None if source is None or scene.render.use_stamp else note_for(source, picture)  # a stamp would show the note
    missing = [(f, p) for f, p in zip(frames, paths, strict=True) if note is None or note_of(p) != note]
    if missing:
        check_renderer(picture.renderer)
        with settings_kept(scene), shown_in_window(scene), quiet_output():
            _set_up(scene, picture, note)
            for done, (frame, path) in enumerate(missing):
                if progress is not None:
                    progress(done / len(missing), f"frame {frame}")
                _render_one(scene, frame, path)
    if progress is not None:
        progress(1.0, "rendered")
    return PictureSequence(paths, len(frames) - len(missing))


def note_for(source: str, picture: Picture) -> str:
    """What is written in a picture: a checksum of its source, how it is rendered, and by which Lope and Blender."""
    made_of = json.dumps([source, asdict(picture), VERSION, bpy.app.version_string], sort_keys=True)
    return f"Lope {hashlib.sha256(made_of.encode()).hexdigest()}"


def _set_up(scene: bpy.types.Scene, picture: Picture, note: str | None) -> None:
    render = scene.render
    set_engine(scene, picture.renderer, picture.samples, picture.denoise)
    set_picture(scene, picture.kind)
    render.resolution_x, render.resolution_y, render.resolution_percentage = picture.width, picture.height, 100
    render.film_transparent, render.use_file_extension, render.use_multiview = False, True, False  # one file a frame
    if note is not None:
        render.use_stamp_note, render.stamp_note_text = True, note


def _render_one(scene: bpy.types.Scene, frame: int, path: Path) -> None:
    _clear_leftovers(path)
    scene.frame_set(frame)
    with written_whole(path, NOT_WHOLE) as partial:
        scene.render.filepath = str(partial.resolve())
        path.parent.mkdir(parents=True, exist_ok=True)
        bpy.ops.render.render(write_still=True, scene=scene.name)
        read_whole(partial)


def _clear_leftovers(path: Path) -> None:
    """Take away what runs that were killed left of this picture."""
    for leftover in path.parent.glob(f".{path.stem}.*{path.suffix}"):
        with contextlib.suppress(OSError):  # another run may be as quick
            if time.time() - leftover.stat().st_mtime > STALE_AFTER_S:
                leftover.unlink()


@contextlib.contextmanager
def shown_in_window(scene: bpy.types.Scene) -> Iterator[None]:
    """The scene in the window while it lasts: renders of another scene keep showing its first frame."""
    window = bpy.context.window
    if window is None or window.scene == scene:
        yield
        return
    before, window.scene = window.scene, scene
    try:
        yield
    finally:
        window.scene = before


@contextlib.contextmanager
def quiet_output() -> Iterator[None]:
    """Keeps Blender's own lines about each picture off standard output while it lasts."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def named_scene(scene: bpy.types.Scene, name: str | None) -> bpy.types.Scene:
    """The scene of that name in the open file; `scene` without a name. Raises InputError listing those there are."""
    if name is None:
        return scene
    if name not in bpy.data.scenes:
        raise unknown_name("scene", name, bpy.data.scenes.keys())
    return bpy.data.scenes[name]


def source_of(scene: bpy.types.Scene, asked: Sequence[object]) -> str | None:
    """Changes with the open file, the files it uses, the scene, and what was `asked` (JSON); None for a file not on the disk."""
    file = open_file()
    if file is None or not file.is_file():
        return None
    used = sorted({Path(path) for path in bpy.utils.blend_paths(absolute=True)} - {file})
    sums = [_checksum(file)] + [[str(path), _checksum(path)] for path in used if path.is_file()]
    return json.dumps([sums, scene.name, list(asked)])


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
