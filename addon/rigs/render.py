# SPDX-License-Identifier: GPL-3.0-or-later
"""Render frames to pictures, and pictures to a film. Needs no display and no graphics card: Cycles on the processor."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import addon_utils
import bpy

from ..errors import InputError, unknown_name
from ..shot import check_number

Progress = Callable[[float, str], None]
"""Called with the share done (0 to 1) and what is being done."""

ENGINES = ("cycles", "eevee")
_KEPT_RENDER = ("engine", "filepath", "resolution_x", "resolution_y", "resolution_percentage", "use_persistent_data",
                "use_file_extension")
_KEPT_CYCLES = ("samples", "use_adaptive_sampling", "use_denoising", "denoising_input_passes", "denoising_prefilter",
                "denoising_quality", "max_bounces", "diffuse_bounces", "glossy_bounces", "device")


@dataclass(frozen=True)
class Quality:
    """How carefully Cycles renders: camera samples a pixel, and whether its denoiser cleans the rest."""

    samples: int
    denoise: bool


def engine_id(engine: str) -> str:
    """Blender's name of a render engine in this version. Raises InputError for an unknown one."""
    if engine not in ENGINES:
        raise unknown_name("render engine", engine, ENGINES)
    if engine == "cycles":
        return "CYCLES"
    return "BLENDER_EEVEE" if bpy.app.version >= (5, 0, 0) else "BLENDER_EEVEE_NEXT"


def set_engine(scene: bpy.types.Scene, engine: str, samples: int, denoise: bool = True) -> None:
    """Make the scene render with that engine at `samples` a pixel; Cycles with few bounces, which the open stages allow."""
    if engine == "cycles" and not hasattr(scene, "cycles"):
        addon_utils.enable("cycles", default_set=True)
    scene.render.engine = engine_id(engine)
    scene.render.use_persistent_data = True
    if engine == "eevee":
        scene.eevee.taa_render_samples = samples
        return
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", samples, False
    cycles.use_denoising, cycles.denoising_input_passes = denoise, "RGB_ALBEDO"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 1, 2


def render_frames(scene: bpy.types.Scene, frames: Iterable[int], folder: str | Path, *, width: int, height: int,
                  engine: str = "cycles", samples: int = 16, denoise: bool = True, prefix: str = "frame_",
                  progress: Progress | None = None) -> list[Path]:
    """Render frames of the scene through its camera to `PREFIXnnnn.png` in `folder`; returns the paths in order.

    `width` and `height` are pixels. The scene's own render settings are put back afterwards. Raises InputError for a scene
    without a camera, an unknown engine, a size or sample count out of range, or no frames.
    """
    frames, folder = [int(frame) for frame in frames], Path(folder)
    width, height = (int(check_number(f"Picture {what}", n, 4, 16384, "pixels"))
                     for what, n in (("width", width), ("height", height)))
    samples = int(check_number("Samples", samples, 1, 4096, "a pixel"))
    if scene.camera is None:
        raise InputError(f"The scene {scene.name!r} has no camera; add one before rendering.")
    if not frames:
        raise InputError("There are no frames to render.")
    written = []
    with _settings_kept(scene), shown_in_window(scene), quiet_output():
        set_engine(scene, engine, samples, denoise)
        render = scene.render
        render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
        with _picture_format(scene):
            for done, frame in enumerate(frames):
                if progress is not None:
                    progress(done / len(frames), f"frame {frame}")
                written.append(_render_one(scene, frame, folder / f"{prefix}{frame:04d}.png"))
    if progress is not None:
        progress(1.0, "rendered")
    return written


def _render_one(scene: bpy.types.Scene, frame: int, path: Path) -> Path:
    scene.frame_set(frame)
    scene.render.filepath = str(path.resolve())
    bpy.ops.render.render(write_still=True, scene=scene.name)
    if not path.is_file():
        raise InputError(f"Blender did not write {path}; is the folder writable?")
    return path


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


@contextlib.contextmanager
def _settings_kept(scene: bpy.types.Scene) -> Iterator[None]:
    """Puts the scene's frame and render settings back at the end."""
    if not hasattr(scene, "cycles"):
        addon_utils.enable("cycles", default_set=True)
    groups = [(scene.render, _KEPT_RENDER), (scene.cycles, _KEPT_CYCLES), (scene.eevee, ("taa_render_samples",))]
    kept = [(group, name, getattr(group, name)) for group, names in groups for name in names]
    frame = scene.frame_current
    try:
        yield
    finally:
        for group, name, value in kept:
            setattr(group, name, value)
        scene.frame_set(frame)


@contextlib.contextmanager
def _picture_format(scene: bpy.types.Scene) -> Iterator[None]:
    """PNG, 8 bit, opaque while it lasts."""
    image = scene.render.image_settings
    names = [n for n in ("media_type", "file_format", "color_mode", "color_depth", "compression") if hasattr(image, n)]
    kept = [(name, getattr(image, name)) for name in names]
    transparent = scene.render.film_transparent
    if "media_type" in names:
        image.media_type = "IMAGE"
    image.file_format, image.color_mode, image.color_depth, image.compression = "PNG", "RGB", "8", 25
    scene.render.film_transparent, scene.render.use_file_extension = False, True
    try:
        yield
    finally:
        scene.render.film_transparent = transparent
        for name, value in kept:
            setattr(image, name, value)


def encode_video(frames: Sequence[str | Path], path: str | Path, fps: int) -> None:
    """Make an H.264 film (MP4) of pictures of equal, even size, one after the other, `fps` a second, a whole number.

    Raises InputError where a picture is missing, sizes are odd, or nothing is written.
    """
    path, frames = Path(path), [Path(frame).resolve() for frame in frames]
    fps = round(check_number("Frames a second", fps, 1, 240, "1/s"))
    missing = [str(frame) for frame in frames if not frame.is_file()]
    if missing or not frames:
        raise InputError(f"The film needs pictures; missing: {', '.join(missing[:3]) or 'all of them'}.")
    width, height = picture_size(frames[0])
    if width % 2 or height % 2:
        raise InputError(f"A film's width and height must be even, these pictures have {width}x{height}.")
    scene = bpy.data.scenes.new("Lope film")
    try:
        _film_strips(scene, frames)
        _film_settings(scene, path, width, height, fps)
        with quiet_output():
            bpy.ops.render.render(animation=True, scene=scene.name)
    finally:
        bpy.data.scenes.remove(scene)
    if not path.is_file() or path.stat().st_size == 0:
        raise InputError(f"Blender did not write {path}; is the folder writable?")


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture file in pixels."""
    image = bpy.data.images.load(str(path), check_existing=False)
    try:
        return image.size[0], image.size[1]
    finally:
        bpy.data.images.remove(image)


def _film_strips(scene: bpy.types.Scene, frames: Sequence[Path]) -> None:
    editor = scene.sequence_editor_create()
    for number, frame in enumerate(frames, start=1):
        editor.strips.new_image(name=frame.stem, filepath=str(frame), channel=1, frame_start=number)
    scene.frame_start, scene.frame_end = 1, len(frames)


def _film_settings(scene: bpy.types.Scene, path: Path, width: int, height: int, fps: int) -> None:
    render, image = scene.render, scene.render.image_settings
    scene.view_settings.view_transform = "Standard"  # the pictures have been through the look already
    render.use_sequencer, render.use_file_extension = True, False
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    render.fps, render.fps_base = fps, 1.0
    if hasattr(image, "media_type"):
        image.media_type = "VIDEO"
    image.file_format = "FFMPEG"
    render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.audio_codec = "MPEG4", "H264", "NONE"
    render.ffmpeg.constant_rate_factor, render.ffmpeg.ffmpeg_preset = "HIGH", "GOOD"
    render.ffmpeg.gopsize = 12
    render.filepath = str(path.resolve())
