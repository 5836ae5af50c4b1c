# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG as grey values, where there is no Pillow, as in Blender (PNG specification, 3rd edition)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Values a pixel by the colour type: grey, colours, palette, grey and opacity, colours and opacity."""
GREY = np.array([0.299, 0.587, 0.114])
"""Of red, green and blue (ITU-R BT.601), as Pillow takes them."""


def read_png(path: Path) -> np.ndarray:
    """The grey values (rows, columns), 0 to 255, of 16 bits 0 to 65535. Raises ValueError for what is no PNG, OSError where it
    cannot be read."""
    data = path.read_bytes()
    if not data.startswith(SIGNATURE):
        raise ValueError("it does not begin as a PNG does")
    chunks = list(_chunks(data))
    if not chunks or chunks[0][0] != b"IHDR":
        raise ValueError("it has no head")
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    if interlaced:
        raise ValueError("it is interlaced; save it without")
    if colour not in CHANNELS:
        raise ValueError(f"its colour type {colour} is none")
    try:
        raw = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    except zlib.error as error:
        raise ValueError(f"it is damaged ({error})") from error
    bits = depth * CHANNELS[colour]
    lines = _unfiltered(raw, height, -(-width * bits // 8), max(bits // 8, 1))
    values = _values(lines, depth)[:, :width * CHANNELS[colour]].reshape(height, width, CHANNELS[colour])
    if colour == 3:
        palette = next((body for kind, body in chunks if kind == b"PLTE"), b"")
        return np.frombuffer(palette, np.uint8).reshape(-1, 3)[values[..., 0]] @ GREY
    if depth < 8:
        values = values * 255.0 / (2**depth - 1)
    return values[..., :3] @ GREY if colour in (2, 6) else values[..., 0].astype(float)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of every part."""
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def _unfiltered(raw: bytes, height: int, width: int, back: int) -> np.ndarray:
    """Bytes (height, width) of which each was stored as its difference from bytes to the left, `back` before it, and above."""
    if len(raw) < height * (width + 1):
        raise ValueError("it ends too soon")
    stored = np.frombuffer(raw, np.uint8, height * (width + 1)).reshape(height, width + 1)
    lines = np.zeros((height + 1, width + back), dtype=int)
    for row in range(height):
        kind, line, above = int(stored[row, 0]), lines[row + 1], lines[row]
        line[back:] = stored[row, 1:]
        if kind == 2:
            line[back:] = (line[back:] + above[back:]) % 256
        elif kind == 1:
            for first in range(back):
                line[back + first::back] = np.cumsum(line[back + first::back]) % 256
        elif kind in (3, 4):
            for i in range(back, back + width):
                left, up = int(line[i - back]), int(above[i])
                guess = (left + up) // 2 if kind == 3 else _nearest(left, up, int(above[i - back]))
                line[i] = (int(line[i]) + guess) % 256
        elif kind:
            raise ValueError(f"a line has the filter {kind}, which is none")
    return lines[1:, back:].astype(np.uint8)


def _nearest(left: int, up: int, corner: int) -> int:
    """Of three neighbours the one nearest to left + up - corner (Paeth's predictor)."""
    goal = left + up - corner
    return min((left, up, corner), key=lambda one: abs(goal - one))


def _values(lines: np.ndarray, depth: int) -> np.ndarray:
    """The numbers that lines of bytes hold, `depth` bits each."""
    if depth == 8:
        return lines
    if depth == 16:
        return np.ascontiguousarray(lines).view(">u2").astype(int)
    bits = np.unpackbits(lines, axis=1).reshape(len(lines), -1, depth)
    return np.asarray(bits @ (1 << np.arange(depth)[::-1]))
