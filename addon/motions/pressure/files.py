# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure on disk: CSV with a column for every cell, NPZ, and folders of pictures (docs/pressure.md); PNG as grey values also
where there is no Pillow, as in Blender (PNG specification, 3rd edition)."""

from __future__ import annotations

import csv
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...archives import members_of, opened_archive, read_member
from ...errors import InputError
from ...files import DAMAGED, parse_json, read_bytes, read_json, read_lines, reading, why, written_whole
from .images import COUNTS, LEFT, MAT, RIGHT, Pressure, check_cells, head_of

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Values a pixel by the colour type: grey, colours, palette, grey and opacity, colours and opacity."""
GREY = np.array([0.299, 0.587, 0.114])
"""Of red, green and blue (ITU-R BT.601), as Pillow takes them."""


MOST_PIXELS = 1_000_000
"""Of a picture: a mat has a hundredth of them."""


def check_pixels(width: int, height: int) -> None:
    """Raises ValueError for a picture of a size that none of pressure has."""
    if not (0 < width and 0 < height and width * height <= MOST_PIXELS):
        raise ValueError(f"it has {width} x {height} pixels, and pictures of pressure have {MOST_PIXELS} at most")


def read_png(path: Path) -> np.ndarray:
    """The grey values (rows, columns), 0 to 255, of 16 bits 0 to 65535. Raises ValueError for what is no PNG, and OSError."""
    data = read_bytes(path)
    if not data.startswith(SIGNATURE):
        raise ValueError("it does not begin as a PNG does")
    chunks = list(_chunks(data))
    if not chunks or chunks[0][0] != b"IHDR":
        raise ValueError("it has no head")
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    check_pixels(width, height)
    if interlaced:
        raise ValueError("it is interlaced; save it without")
    if colour not in CHANNELS:
        raise ValueError(f"its colour type {colour} is none")
    if depth not in (1, 2, 4, 8, 16):
        raise ValueError(f"it has {depth} bits a value, which no PNG has")
    bits = depth * CHANNELS[colour]
    row = -(-width * bits // 8)
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    try:
        raw = zlib.decompressobj().decompress(packed, height * (row + 1))
    except zlib.error as error:
        raise ValueError(f"it is damaged ({error})") from error
    lines = _unfiltered(raw, height, row, max(bits // 8, 1))
    values = _values(lines, depth)[:, :width * CHANNELS[colour]].reshape(height, width, CHANNELS[colour])
    if colour == 3:
        palette = next((body for kind, body in chunks if kind == b"PLTE"), b"")
        return np.frombuffer(palette, np.uint8).reshape(-1, 3)[values[..., 0]] @ GREY
    if depth < 8:
        values = values * 255.0 / (2**depth - 1)
    return values[..., :3] @ GREY if colour in (2, 6) else values[..., 0].astype(float)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
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
    if depth == 8:
        return lines
    if depth == 16:
        return np.ascontiguousarray(lines).view(">u2").astype(int)
    bits = np.unpackbits(lines, axis=1).reshape(len(lines), -1, depth)
    return np.asarray(bits @ (1 << np.arange(depth)[::-1]))


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
    with reading(f"{head} is no JSON"):
        told = read_json(head)
    if not isinstance(told, dict):
        raise InputError(f"{head} must be an object with rate_hz and pitch_m.")
    return files, told


def images_of(files: list[Path]) -> np.ndarray:
    """The images (T, rows, columns) of pictures, row 0 their lowest and column 0 their rightmost. Raises InputError for one that
    cannot be read, or is not as large as the first."""
    images: list[np.ndarray] = []
    for file in files:
        images.append(np.flip(picture_of(file)))
        check_cells((len(files), *images[0].shape), str(file.parent))
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
            check_pixels(picture.width, picture.height)
            return np.asarray(picture.convert("I" if picture.mode.startswith("I") else "L"), dtype=float)
    except (*DAMAGED, Image.DecompressionBombError) as error:
        raise InputError(f"{file} cannot be read as a picture: {why(error)}.") from error


def _without_pillow(file: Path) -> np.ndarray:
    if file.suffix.lower() != ".png":
        raise InputError(f"{file.name} is read by Pillow, which is not installed here: save the pictures as PNG, or use CSV.")
    with reading(f"{file} cannot be read as a picture"):
        return read_png(file)


FORMAT = 1
_CELL = re.compile(r"(p|left|right)_(\d+)_(\d+)")
_DIVIDED = re.compile(r"time_s\s*([^\w\s]|\t)")
"""A line of names that is divided by something else than commas."""
_PLACE = {"p": MAT, "left": LEFT, "right": RIGHT}
_COLUMN = {place: name for name, place in _PLACE.items()}
_NUMBERS = ("pitch_m", "rate_hz", "start_s", "origin_m")
_QUOTED = 40
"""Letters of what is wrong in a file that are told; a line of a thousand columns is none to read."""


def read_pressure(path: str | Path) -> tuple[Pressure, ...]:
    """The sequences of a file or folder: one of a mat, or one of each insole. Raises InputError naming what is wrong where."""
    path = Path(path)
    if path.is_dir():
        files, told = pictures_in(path)
        return (made_of(images_of(files), {"unit": COUNTS, **told}, path),)
    if not path.is_file():
        raise InputError(f"There is no pressure at {path}: name a .csv or .npz file, or a folder of pictures.")
    if path.suffix.lower() == ".csv":
        return _read_csv(path)
    if path.suffix.lower() == ".npz":
        return _read_npz(path)
    raise InputError(f"{path} is no pressure that Lope reads: a .csv or .npz file, or a folder of pictures "
                     f"({', '.join(PICTURES)}).")


def told_start_s(path: Path) -> float | None:
    """When in a clip beside it a file's first frame is [s], as its head tells (`# start_s`, or `start_s` in the head of an
    .npz); None where it does not. Raises InputError for what is no number."""
    with reading(f"start_s of {path} must be a number [s], when in the clip its first frame is"):
        if path.suffix.lower() == ".npz":
            with opened_archive(path) as archive:
                told = head_in(archive).get("start_s")
        else:
            head: dict[str, Any] = {}
            for _ in _lines(path, head):
                pass
            told = head.get("start_s")
        return None if told is None else float(told)


def write_pressure(path: str | Path, sequences: Iterable[Pressure]) -> None:
    """Write sequences of one recording as .npz or .csv, by the path's ending; equal ones give equal files. Raises InputError."""
    path, sequences = Path(path), tuple(sequences)
    if path.suffix.lower() not in (".csv", ".npz"):
        raise InputError(f"Pressure is written as .csv or .npz; got {path.name!r}.")
    with written_whole(path, "pressure") as partial:
        (_write_csv if path.suffix.lower() == ".csv" else _write_npz)(partial, sequences)


def _write_npz(path: Path, sequences: tuple[Pressure, ...]) -> None:
    arrays = {f"images_{one.place}": one.images.astype(np.float32) for one in sequences}
    head = {"format": FORMAT, "sequences": {one.place: head_of(one) for one in sequences}}
    with path.open("xb") as file:
        np.savez_compressed(file, head=np.array(json.dumps(head, sort_keys=True)), **arrays)


def _read_npz(path: Path) -> tuple[Pressure, ...]:
    check_archive(path)
    with reading(f"{path} is no pressure of Lope's, or it is damaged"), opened_archive(path) as archive:
        head = head_in(archive)
        if head["format"] > FORMAT:
            raise InputError(f"{path} is of a later Lope (pressure format {head['format']}): update Lope.")
        return tuple(made_of(read_member(archive, f"images_{place}"), {**one, "place": place}, path)
                     for place, one in head["sequences"].items())


def head_in(archive: zipfile.ZipFile) -> dict[str, Any]:
    """The head of an .npz file of pressure. Raises KeyError where there is none, and ValueError for one that is damaged."""
    head = parse_json(str(read_member(archive, "head", "U")))
    if not isinstance(head, dict):
        raise ValueError("its head is no table")
    return head


def check_archive(path: Path) -> None:
    """Raises InputError for an .npz file that is none, or that holds something else than pressure."""
    names = members_of(path)
    if not names:
        raise InputError(f"{path} is no .npz file, or one that was cut short ({path.stat().st_size} bytes): write it, or copy "
                         "it, again.")
    if "take.json" in names:
        raise InputError(f"{path} is a take, and no pressure: `lope pressure of` tells what it presses.")
    if "head.npy" not in names:
        raise InputError(f"{path} has no array `head`: pressure in .npz has `head` and `images_mat`, or `images_L` and "
                         "`images_R`.")


def _write_csv(path: Path, sequences: tuple[Pressure, ...]) -> None:
    first = sequences[0]
    with path.open("x", newline="", encoding="utf-8") as file:
        file.write(f"# unit = {first.unit}\n# pitch_m = {first.pitch_m[0]!r}, {first.pitch_m[1]!r}\n")
        for one in sequences:
            low = head_of(one)["origin_m"]
            file.write(f"# origin_m_{_COLUMN[one.place]} = {low[0]!r}, {low[1]!r}\n")
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["time_s", *(f"{_COLUMN[one.place]}_{row}_{column}" for one in sequences
                                    for row, column in np.ndindex(one.images.shape[1:]))])
        for frame, time in enumerate(first.time_s):
            table.writerow([f"{time:.6g}", *(f"{value:.6g}" for one in sequences for value in one.images[frame].ravel())])


def _read_csv(path: Path) -> tuple[Pressure, ...]:
    head: dict[str, Any] = {}
    names, values = _table(path, head)
    cells = cells_of(names, path)
    steps = np.diff(values[:, 0])
    if steps.min() <= 0.0 or np.abs(steps - steps.mean()).max() > 0.25 * steps.mean():
        frame = int(np.argmax(np.abs(steps - np.median(steps)))) + 1
        raise InputError(f"The times of {path} are not even: frame {frame} comes {steps[frame - 1]:g} s after the one before, "
                         f"most {np.median(steps):g} s.")
    found = []
    for place, kind in _COLUMN.items():
        mine = [(i, row, column) for i, (where, row, column) in enumerate(cells, 1) if where == place]
        if not mine:
            continue
        columns, rows_at, columns_at = np.array(mine).T
        shape = (len(values), int(rows_at.max()) + 1, int(columns_at.max()) + 1)
        check_cells(shape, str(path))
        images = np.zeros(shape)
        images[:, rows_at, columns_at] = values[:, columns]
        told = {**head, "place": place, "start_s": float(values[0, 0]), "rate_hz": round(float(1.0 / steps.mean()), 6)}
        told["origin_m"] = head.get(f"origin_m_{kind}", head.get("origin_m"))
        found.append(made_of(images, told, path))
    return tuple(found)


def _table(path: Path, head: dict[str, Any]) -> tuple[list[str], np.ndarray]:
    """The columns' names of a table, and its values (T, columns) line by line; `head` takes what the lines with # tell."""
    lines = _lines(path, head)
    first = next(lines, None)
    names = [] if first is None else names_of(first[1], path)
    cells_of(names, path)
    rows: list[np.ndarray] = []
    for number, line in lines:
        rows.append(np.array(values_of(line, names, f"Line {number} of {path}")))
        check_cells((len(rows), len(names)), str(path))
    check_frames(len(rows), path)
    return names, np.array(rows)


def check_frames(count: int, path: Path) -> None:
    """Raises InputError for a table that has fewer frames than a sequence."""
    if count < 2:
        raise InputError(f"{path} has fewer than two frames ({max(count, 0)}): a line of column names is expected, then a line "
                         "for every frame, two at least.")


def names_of(line: str, path: Path) -> list[str]:
    """The columns' names by the line that has them. Raises InputError where they do not begin with the time."""
    names = [name.strip() for name in _parts(line, f"The line of names of {path}")]
    other = _DIVIDED.match(names[0])
    if other is not None:
        raise InputError(f"The columns of {path} are divided by {other[1]!r}: between them commas are expected, and points in "
                         "numbers. Save it as CSV so.")
    if names[0] != "time_s":
        raise InputError(f"The first column of {path} must be time_s [s]; it is {_quoted(names[0])}.")
    return names


def cells_of(names: Sequence[str], path: Path) -> list[tuple[str, int, int]]:
    """The cells of a table's columns after the first by their names: place, row and column. Raises InputError naming a column
    that is none, that is there twice, or that lacks among a mat's."""
    found: list[tuple[str, int, int]] = []
    for name in names[1:]:
        cell = _CELL.fullmatch(name)
        if cell is None:
            raise InputError(f"The column {_quoted(name)} of {path} is no cell: they are called p_ROW_COLUMN for a mat, "
                             "left_ROW_COLUMN and right_ROW_COLUMN for insoles, counted from 0 at the heel and at the right.")
        found.append((_PLACE[cell[1]], int(cell[2]), int(cell[3])))
    _check_all_there(found, path)
    return found


def _check_all_there(cells: Sequence[tuple[str, int, int]], path: Path) -> None:
    """Raises InputError for a cell that is there twice, and for one that a mat lacks; a sole is no rectangle."""
    have: set[tuple[str, int, int]] = set()
    for cell in cells:
        if cell in have:
            raise InputError(f"{path} has the column {_called(cell)} twice: a cell has one column. Take one of them out.")
        have.add(cell)
    mat = [(row, column) for place, row, column in cells if place == MAT]
    if mat:
        rows, columns = (1 + max(one[i] for one in mat) for i in (0, 1))
        if len(mat) < rows * columns:
            lacks = next(_called((MAT, row, column)) for row, column in np.ndindex(rows, columns)
                         if (MAT, row, column) not in have)
            raise InputError(f"{path} lacks {rows * columns - len(mat)} of the columns of its mat of {rows} rows by {columns} "
                             f"columns, the first {lacks}: each cell has one, in which 0 stands where no sensor is.")


def _called(cell: tuple[str, int, int]) -> str:
    return f"{_COLUMN[cell[0]]}_{cell[1]}_{cell[2]}"


def _lines(path: Path, head: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The lines of a table that are not empty with their numbers, the first being 1; `head` takes what those with # tell."""
    with reading(f"{path} cannot be read as text"):
        for number, line in enumerate(read_lines(path, "utf-8-sig"), 1):
            if line.startswith("#"):
                head |= told_in(line, path)
            elif line.strip():
                yield number, line


def told_in(line: str, path: Path) -> dict[str, Any]:
    """What a line with # tells, by its name; nothing where it is a remark. Raises InputError for what is no number."""
    name, equals, value = line[1:].partition("=")
    return {name.strip(): _value(name.strip(), value.strip(), path)} if equals else {}


def _value(name: str, text: str, path: Path) -> Any:
    if not name.startswith(_NUMBERS):
        return text
    try:
        numbers = [float(one) for one in text.split(",")]
    except ValueError:
        raise InputError(f"{name} of {path} must be a number, or two with a comma between; got {_quoted(text)}.") from None
    return numbers[0] if len(numbers) == 1 else numbers


def values_of(line: str, names: Sequence[str], called: str) -> list[float]:
    """The numbers of a table's line by its columns' names, the time and what presses. Raises InputError, calling the line as
    `called` does, and naming the column, for one that is not so."""
    row = _parts(line, called)
    if len(row) != len(names):
        raise InputError(f"{called} has {len(row)} columns where the names are {len(names)}.")
    try:
        values = [float(one) for one in row]
    except ValueError:
        values = [_number(one) for one in row]
    if all(0.0 <= value < math.inf for value in values[1:]) and math.isfinite(values[0]):
        return values
    for name, text, value in zip(names, row, values, strict=True):
        if not math.isfinite(value):
            raise InputError(f"{called} has {_quoted(text.strip())} in the column {name}, where a number is to be: write what "
                             "the sensor told, or 0 where it told nothing.")
        if value < 0.0 and name != names[0]:
            raise InputError(f"{called} has {value:g} in the column {name}, and no pressure is below 0: take the offset of "
                             "unloaded sensors out before.")
    return values


def _parts(line: str, called: str) -> list[str]:
    """What stands between a line's commas. Raises InputError, calling the line as `called` does, where that cannot be told."""
    try:
        return next(csv.reader([line]))
    except csv.Error as error:
        raise InputError(f"{called} is no line of a table: {why(error)}.") from error


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")


def made_of(images: np.ndarray, head: dict[str, Any], path: Path) -> Pressure:
    """A sequence of images (T, rows, columns) from what its file, or its stream, told. Raises InputError for what it did not."""
    for name in ("pitch_m", "rate_hz", "unit"):
        if head.get(name) is None:
            raise InputError(f"{path} does not tell {name}: pitch_m [m] is how far apart cells are, rate_hz frames a second, "
                             "unit what the numbers are.")
    pitch = head["pitch_m"] if isinstance(head["pitch_m"], list) else [head["pitch_m"]] * 2
    origin = head.get("origin_m")
    try:
        (ahead, left), rate, start = map(float, pitch), float(head["rate_hz"]), float(head.get("start_s", 0.0))
        corner = None if origin is None else (float(origin[0]), float(origin[1]))
    except (TypeError, ValueError, LookupError) as error:
        raise InputError(f"{path} tells something else than numbers as pitch_m, rate_hz, origin_m or start_s: "
                         f"{why(error)}.") from error
    return Pressure(images, (ahead, left), rate, str(head["unit"]), str(head.get("place", MAT)), corner, start, str(path))
