# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration's film of several takes side by side, at the same time, each with its title."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..render.film import encode_film
from ..render.pictures import Text, read_picture, write_picture
from ..render.strip import INK, empty_sheet

_TITLE = 0.1  # height of a title line, as a share of a picture's


def films_side_by_side(titles: Sequence[str], films: Sequence[Sequence[Path]], path: Path, fps: float, folder: Path) -> None:
    """A film of several takes' pictures, two in a row, with a title over each; as long as the shortest.

    The joined pictures are left in `folder`. The film is small enough to stand in a README.
    """
    board, corners = _board(titles, read_picture(films[0][0]).shape, folder / "planets.png")
    joined = []
    for number, pictures in enumerate(zip(*films, strict=False), start=1):
        for (top, left), picture in zip(corners, pictures, strict=True):
            values = read_picture(picture)
            board[top:top + values.shape[0], left:left + values.shape[1]] = values
        joined.append(folder / f"planets_{number:04d}.png")
        write_picture(board, joined[-1])
    encode_film(joined, path, fps, quality="LOW")


def _board(titles: Sequence[str], shape: tuple[int, ...], scratch: Path) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """The background (H, W, 3) of even size with the titles on it, and where each picture's upper left corner goes."""
    height, width = shape[:2]
    bar, gap = math.ceil(_TITLE * height), max(2, height // 90)
    columns = min(2, len(titles))
    rows = -(-len(titles) // columns)
    total_height, total_width = rows * (bar + height) + gap, columns * width + (columns - 1) * gap
    board = empty_sheet(total_height + total_height % 2, total_width + total_width % 2)
    corners = [((k // columns) * (bar + height) + bar, (k % columns) * (width + gap)) for k in range(len(titles))]
    texts = [Text(title, left + 0.3 * bar, board.shape[0] - top + 0.3 * bar, 0.55 * bar, INK, most=width - 0.6 * bar)
             for title, (top, left) in zip(titles, corners, strict=True)]
    write_picture(board, scratch, texts)
    return read_picture(scratch).copy(), corners
