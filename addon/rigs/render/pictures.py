# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as arrays: read, shrunk, written, and written on with Blender's own font."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import blf
import bpy
import imbuf
import numpy as np

from ...errors import InputError
from .renderers import KEPT_IMAGE, attributes_kept, set_picture

_FONT = 0  # Blender's own

NOT_WHOLE = "Blender did not write {path}, or not whole; is the folder writable, the disk full?"
PICTURE_FAILED = "The picture {path} cannot be written: {reason}."
JPEG_QUALITY = 85
"""Percent: the least at which the letters on a sheet have no halos."""

Ink = tuple[float, float, float, float]


@dataclass(frozen=True)
class Text:
    """A line of text: where its baseline starts, from the lower left corner [pixels], and its size [pixels].

    `centred` moves it left by half its width; `most` is the width [pixels] that it is made smaller to keep within.
    """

    text: str
    x: float
    y: float
    size: float
    ink: Ink
    centred: bool = False
    most: float | None = None


def read_picture(path: str | Path, scene: bpy.types.Scene | None = None) -> np.ndarray:
    """A picture file's values (H, W, 3) in 0 to 1 as a screen takes them, top row first. Raises InputError without one.

    An EXR, which is linear, goes through the look of `scene`, and must have one.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no picture at {path}.")
    image = bpy.data.images.load(str(path.resolve()), check_existing=False)
    try:
        width, height = image.size
        if width * height == 0:
            raise InputError(f"The picture {path} cannot be read; it may be damaged.")
        if image.is_float:
            return _through_the_look(image, path, scene)
        values = np.empty(width * height * image.channels, dtype=np.float32)
        image.pixels.foreach_get(values)
        return values.reshape(height, width, image.channels)[::-1, :, :3]
    finally:
        bpy.data.images.remove(image)


def _through_the_look(image: bpy.types.Image, path: Path, scene: bpy.types.Scene | None) -> np.ndarray:
    """A linear picture as the scene shows it."""
    if scene is None:
        raise InputError(f"The picture {path} is linear (EXR), a sheet needs it as PNG; render with --format png.")
    shown = partial_name(path).with_suffix(".png")
    try:
        with attributes_kept(scene.render.image_settings, KEPT_IMAGE):
            set_picture(scene, "png")
            image.save_render(str(shown.resolve()), scene=scene)
        return read_picture(shown)
    finally:
        shown.unlink(missing_ok=True)


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height of a picture file in pixels."""
    image = bpy.data.images.load(str(path.resolve()), check_existing=False)
    try:
        return image.size[0], image.size[1]
    finally:
        bpy.data.images.remove(image)


def shrunk(values: np.ndarray, factor: int) -> np.ndarray:
    """A picture (H, W, 3) with each `factor` x `factor` pixels made one, their mean; what is left over is cut off."""
    if factor == 1:
        return values
    height, width = (n // factor for n in values.shape[:2])
    return values[:height * factor, :width * factor].reshape(height, factor, width, factor, 3).mean(axis=(1, 3))


def write_picture(values: np.ndarray, path: Path, texts: Sequence[Text] = ()) -> None:
    """Write values (H, W, 3), top row first, as an 8-bit PNG with texts on it; the file is whole or is not there.

    Raises InputError where that fails.
    """
    height, width = values.shape[:2]
    image = bpy.data.images.new("Lope sheet", width, height, alpha=False)
    try:
        full = np.ones((height, width, 4), dtype=np.float32)
        full[..., :3] = values[::-1]
        image.pixels.foreach_set(full.ravel())
        with written_whole(path, PICTURE_FAILED) as partial:
            image.file_format, image.filepath_raw = "PNG", str(partial.resolve())
            image.save()
            if texts:
                _letter(partial, texts)
    finally:
        bpy.data.images.remove(image)


def write_jpeg(picture: str | Path, path: Path) -> None:
    """Write a copy of a picture file as a JPEG, a sixth the size. Raises InputError where that fails."""
    image = bpy.data.images.load(str(Path(picture).resolve()), check_existing=False)
    try:
        with written_whole(path, PICTURE_FAILED) as partial:
            image.pixels[0]  # Blender loads a picture when it is looked at, and saves none that it has not loaded
            image.file_format, image.filepath_raw = "JPEG", str(partial.resolve())
            image.save(quality=JPEG_QUALITY)
    finally:
        bpy.data.images.remove(image)


@contextlib.contextmanager
def written_whole(path: Path, failed: str) -> Iterator[Path]:
    """The name to write a file under, that takes its own name when it is whole and goes when it is not.

    Raises InputError(`failed` with the file's `path` and the `reason`) where writing raises OSError, RuntimeError or, for
    what was read back, InputError.
    """
    partial = partial_name(path)
    try:
        yield partial
        os.replace(partial, path)
    except (OSError, RuntimeError, InputError) as error:
        raise InputError(failed.format(path=path, reason=str(error).strip())) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


def partial_name(path: Path) -> Path:
    """The name of a file while it is being written: beside the final one, and no other process's."""
    return path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")


def _letter(path: Path, texts: Sequence[Text]) -> None:
    """Draw the texts into a picture file."""
    buffer = imbuf.load(str(path.resolve()))
    with blf.bind_imbuf(_FONT, buffer):
        for text in texts:
            blf.size(_FONT, text.size)
            width = blf.dimensions(_FONT, text.text)[0]
            if text.most is not None and width > text.most:
                blf.size(_FONT, text.size * text.most / width)
                width = blf.dimensions(_FONT, text.text)[0]
            blf.color(_FONT, *text.ink)
            blf.position(_FONT, text.x - (width / 2 if text.centred else 0.0), text.y, 0.0)
            blf.draw_buffer(_FONT, text.text)
    imbuf.write(buffer, filepath=str(path.resolve()))
