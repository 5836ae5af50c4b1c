# SPDX-License-Identifier: GPL-3.0-or-later
"""Picture files as bytes: whether a PNG or EXR is whole, and the note that is kept in it. No Blender.

PNG: W3C Recommendation "Portable Network Graphics", chunks with their checksums. EXR: "The OpenEXR File Layout", header
attributes, then one offset a block of lines.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from ...errors import InputError, unknown_name

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
