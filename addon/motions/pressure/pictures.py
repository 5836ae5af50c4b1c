# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of pictures, one a frame of pressure, and what is told beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from .png import read_png

PICTURES = (".png", ".tif", ".tiff", ".bmp", ".pgm")
HEAD = "head.json"
"""Beside the pictures of a folder: what no picture tells."""


def pictures_in(folder: Path) -> tuple[list[Path], dict[str, Any]]:
    """The pictures of a folder in the order of their names, and what `head.json` tells. Raises InputError."""
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in PICTURES)
    if len(files) < 2:
        raise InputError(f"{folder} has {len(files)} pictures ({', '.join(PICTURES)}): two at least are a sequence.")
    head = folder / HEAD
    if not head.is_file():
        raise InputError(f"{folder} has no {HEAD}, which tells rate_hz and pitch_m: no picture does.")
    try:
        told = json.loads(head.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{head} is no JSON: {error}.") from error
    if not isinstance(told, dict):
        raise InputError(f"{head} must be an object with rate_hz and pitch_m.")
    return files, told


def images_of(files: list[Path]) -> np.ndarray:
    """The images (T, rows, columns) of pictures, row 0 their lowest and column 0 their rightmost. Raises InputError for one that
    cannot be read, or is not as large as the first."""
    images: list[np.ndarray] = []
    for file in files:
        images.append(np.flip(picture_of(file)))
        if images[-1].shape != images[0].shape:
            raise InputError(f"{file} has {images[-1].shape} pixels, {files[0].name} {images[0].shape}: all must be as large.")
    return np.array(images)


def picture_of(file: Path) -> np.ndarray:
    """A picture's grey values (rows, columns) as it is seen, the upper left first. Raises InputError."""
    try:
        from PIL import Image
    except ImportError:
        return _without_pillow(file)
    try:
        with Image.open(file) as picture:
            return np.asarray(picture.convert("I" if picture.mode.startswith("I") else "L"), dtype=float)
    except OSError as error:
        raise InputError(f"{file} cannot be read as a picture: {error}.") from error


def _without_pillow(file: Path) -> np.ndarray:
    """The same of a PNG."""
    if file.suffix.lower() != ".png":
        raise InputError(f"{file.name} is read by Pillow, which is not installed here: save the pictures as PNG, or use CSV.")
    try:
        return read_png(file)
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read as a picture: {error}.") from error
