# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as arrays: read, shrunk, written, and written on with Blender's own font; whether a PNG or EXR file is whole, and the
note kept in it (W3C Recommendation "Portable Network Graphics"; "The OpenEXR File Layout")."""

from __future__ import annotations

import contextlib
import struct
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import blf
import bpy
import imbuf
import numpy as np

from ...errors import InputError, unknown_name
from ...files import placed_whole
from .renderers import KEPT_IMAGE, attributes_kept, set_picture

_FONT = 0  # Blender's own

NOT_WHOLE = "Blender did not write {path}, or not whole; is the folder writable, the disk full?"
PICTURE_FAILED = "The picture {path} cannot be written: {reason}."
"""Percent: the least at which the letters on a sheet have no halos."""

Ink = tuple[float, float, float, float]


@dataclass(frozen=True)
class Text:
    """A line of text: where its baseline starts, from the lower left corner, its size, and the `most` width [px]."""

    text: str
    x: float
    y: float
    size: float
    ink: Ink
    centred: bool = False
    most: float | None = None


def read_picture(path: str | Path, scene: bpy.types.Scene | None = None) -> np.ndarray:
    """A file's values (H, W, 3) in 0 to 1, top row first; an EXR's through the look of `scene`. Raises InputError."""
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
    if scene is None:
        raise InputError(f"The picture {path} is linear (EXR), a sheet needs it as PNG; render with --format png.")
    with tempfile.TemporaryDirectory() as folder, attributes_kept(scene.render.image_settings, KEPT_IMAGE):
        set_picture(scene, "png")
        shown = Path(folder) / "shown.png"
        image.save_render(str(shown), scene=scene)
        return read_picture(shown)


def picture_size(path: Path) -> tuple[int, int]:
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
    """Write values (H, W, 3), top row first, as an 8-bit PNG with texts, whole or not at all. Raises InputError."""
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


@contextlib.contextmanager
def written_whole(path: Path, failed: str) -> Iterator[Path]:
    """The name to write a file under, which takes its own when it is whole. Raises InputError(`failed` with `path` and `reason`)
    where writing raises OSError, RuntimeError or, for what was read back, InputError."""
    try:
        with placed_whole(path) as partial:
            yield partial
    except (OSError, RuntimeError, InputError) as error:
        raise InputError(failed.format(path=path, reason=str(error).strip())) from error


def _letter(path: Path, texts: Sequence[Text]) -> None:
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


SUFFIXES = {"png": ".png", "exr": ".exr"}
"""Kinds of pictures that a sequence may have, and how their files end."""

NOTE = "Note"
"""Name of the text that Blender keeps its stamp's note under, in both kinds of files."""

_PNG_START, _EXR_START = b"\x89PNG\r\n\x1a\n", b"v/1\x01"
_LINES_A_BLOCK = {0: 1, 1: 1, 2: 1, 3: 16}  # of EXR's codecs NONE, RLE, ZIPS and ZIP; Lope writes ZIP


def suffix_of(kind: str) -> str:
    """How files of that kind of picture end. Raises InputError for an unknown kind."""
    if kind not in SUFFIXES:
        raise unknown_name("kind of pictures", kind, SUFFIXES)
    return SUFFIXES[kind]


def read_whole(path: Path) -> dict[str, str]:
    """The texts kept in a picture file, by name. Raises InputError for a file that is not a whole PNG or EXR."""
    try:
        data = path.read_bytes()
        if data.startswith(_PNG_START):
            return _png_texts(data)
        if data.startswith(_EXR_START):
            return _exr_texts(data)
    except (IndexError, struct.error) as error:
        raise InputError(f"The picture {path} is not whole (its end is missing); render it again.") from error
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"The picture {path} is not whole ({error}); render it again.") from error
    raise InputError(f"The picture {path} is neither a PNG nor an EXR file.")


def note_of(path: Path) -> str | None:
    """The note in a picture file; None where there is no file, no whole one, or no note in it."""
    try:
        return read_whole(path).get(NOTE)
    except InputError:
        return None


def _png_texts(data: bytes) -> dict[str, str]:
    """Texts of a PNG's tEXt chunks. Raises ValueError or struct.error unless every chunk is there and sound."""
    texts, at, kind = {}, len(_PNG_START), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(kind + body) != checksum:
            raise ValueError(f"its part {kind.decode('latin-1')} is damaged")
        if kind == b"tEXt":
            name, _, text = body.partition(b"\0")
            texts[name.decode("latin-1")] = text.decode("latin-1")
        at += 12 + length
    return texts


def _exr_texts(data: bytes) -> dict[str, str]:
    """Text attributes of an EXR of scan lines. Raises ValueError, KeyError or struct.error unless every block is there."""
    attributes, at = _exr_header(data)
    (_, first, _, last) = struct.unpack("<4i", attributes["dataWindow"][1])
    blocks = -(-(last - first + 1) // _LINES_A_BLOCK[attributes["compression"][1][0]])
    for start in struct.unpack_from(f"<{blocks}Q", data, at):
        if start == 0:
            raise ValueError("some of its lines are missing")
        _, size = struct.unpack_from("<iI", data, start)
        if start + 8 + size > len(data):
            raise ValueError("its end is missing")
    return {name: value.decode("utf-8", "replace") for name, (kind, value) in attributes.items() if kind == "string"}


def _exr_header(data: bytes) -> tuple[dict[str, tuple[str, bytes]], int]:
    """An EXR's attributes (name -> type, value) and where the header ends."""
    attributes, at = {}, 8  # after the magic number and the version
    while data[at] != 0:
        name_end = data.index(b"\0", at)
        kind_end = data.index(b"\0", name_end + 1)
        (size,) = struct.unpack_from("<i", data, kind_end + 1)
        value = data[kind_end + 5:kind_end + 5 + size]
        attributes[data[at:name_end].decode("latin-1")] = (data[name_end + 1:kind_end].decode("latin-1"), value)
        at = kind_end + 5 + size
    return attributes, at + 1
