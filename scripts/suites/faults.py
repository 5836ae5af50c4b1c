# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that files and command lines may have, and files that say little and mean much; `fuzz.py` tries them.

A fault is a function of a sound file's bytes and of a random generator that gives the bytes of the damaged one.
"""

from __future__ import annotations

import copy
import io
import json
import random
import re
import shutil
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

Random = random.Random
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
DEEP = "[" * 100_000 + "]" * 100_000
LONG = "1" + "0" * 400
NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3, 10**30, -(10**30), 1e308, -1e308, 1e-320, float("nan"), float("inf"), "", "x", "nan",
    "../../x", "\ud800", "\0", "é" * 300, [], {}, [[]], {"": None}, [0] * 5000, {"a": {"b": []}}, [None], "walk", "DEEP", "LONG")
"""Put in the place of values; DEEP and LONG stand for texts that the writer of JSON would not make."""
NASTY_WORDS = (
    "nan", "inf", "-inf", "1e999", "-1", "0", "99999999999999999999", LONG, "", "x", "--", "\x00", "1,2", "é", "\ufeff", "-0",
    "1e-320", "0x10", "1_000", "٣", "{", "}", "[", '"', "#", "=")
NASTY_ARGUMENTS = (
    "--", "-", "", "nan", "1e999", "-1", ".", "..", "/dev/null", "/proc/self/mem", "~", "\udcff", "a" * 300, "é", "0", "x,y",
    "1,2,3", "::", "=", "a" * 5000, "*", "/", "walk:0.5", "nothing.json", "nothing.npz")
NASTY_TYPES = ("|O", "<U8", ">f8", "<c16", "<M8[s]", "|V8", "<f2", "|b1", "<i8", "<f4", "|S3", "<u1", "nonsense")
NASTY_SHAPES = (
    "()", "(0,)", "(1,)", "(1000000000000,)", "(-1,)", "(100000, 100000)", "'x'", "(3, 3)", "(0, 0, 0)", "(2,)", "(None,)",
    "(1.5,)", "(99999999999999999999,)", "[4]")


def bytes_fault(data: bytes, rng: Random) -> bytes:
    """Bytes turned over, left out, doubled, cut off, put in."""
    found = bytearray(data)
    at = rng.randrange(max(len(found), 1))
    kind = rng.randrange(7)
    if kind == 0:
        for _ in range(rng.choice((1, 1, 4, 40))):
            found[rng.randrange(max(len(found), 1)) if found else 0:][:1] = b""
            if found:
                found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del found[at:at + rng.choice((1, 2, 16, 400))]
    elif kind == 2:
        found[at:at] = found[at:at + rng.choice((1, 8, 400))]
    elif kind == 3:
        del found[at:]
    elif kind == 4:
        found[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 4, 64))))
    elif kind == 5:
        found[at:at + 4] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f"))
    else:
        return rng.choice((b"", b"\0", b"{}", b"[]", b"null", b"PK\x03\x04", b"\xff\xfe", b"\x93NUMPY", b'"x"', b"0", b"\n" * 50))
    return bytes(found)


def lines_fault(data: bytes, rng: Random) -> bytes:
    """A text with another number or word, or with lines left out, doubled or changed over; a script's line as JSON."""
    if rng.random() < 0.25:
        return bytes_fault(data, rng)
    lines = data.decode().split("\n")
    i = rng.randrange(len(lines) if rng.random() < 0.5 else min(len(lines), 60))
    kind = rng.randrange(6)
    if kind < 2:
        numbers = list(NUMBER.finditer(lines[i])) or list(re.finditer(r"\S+", lines[i]))
        if numbers:
            spot = rng.choice(numbers)
            lines[i] = lines[i][:spot.start()] + rng.choice(NASTY_WORDS) + lines[i][spot.end():]
    elif kind == 2:
        del lines[i:i + rng.choice((1, 1, 3, 1000))]
    elif kind == 3:
        lines[i:i] = lines[i:i + rng.choice((1, 1, 20))]
    elif kind == 4:
        words = lines[i].split(" ")
        rng.shuffle(words)
        lines[i] = " ".join(words)
    elif lines[i].startswith("{"):
        lines[i] = json_fault(lines[i].encode(), rng).decode(errors="replace")
    else:
        lines[i] = rng.choice(NASTY_WORDS)
    return "\n".join(lines).encode("utf-8", "replace")


def json_fault(data: bytes, rng: Random) -> bytes:
    """JSON in which one or two values are others, or absent, or doubled, or wrapped."""
    if rng.random() < 0.2:
        return bytes_fault(data, rng)
    try:
        told = json.loads(data)
    except ValueError:  # another fault was there before
        return bytes_fault(data, rng)
    for _ in range(rng.choice((1, 1, 1, 2))):
        told = _changed(told, rng)
    text = json.dumps(told)
    return text.replace('"DEEP"', DEEP).replace('"LONG"', LONG).encode()


def _changed(told: Any, rng: Random) -> Any:
    """A JSON value with a fault somewhere in it; how deep is as likely as any other depth."""
    told, above, key = copy.deepcopy(told), None, None
    here = told
    while isinstance(here, (dict, list)) and here and (above is None or rng.random() < 0.7):
        above, key = here, rng.choice(list(here)) if isinstance(here, dict) else rng.randrange(len(here))
        here = above[key]
    if above is None:
        return rng.choice(NASTY)
    kind = rng.randrange(10)
    if kind < 5:
        above[key] = copy.deepcopy(rng.choice(NASTY))
    elif kind == 5:
        del above[key]
    elif kind == 6 and isinstance(above, list):
        above.insert(key, copy.deepcopy(here))
    elif kind == 6:
        above[rng.choice(("x", "", "name", "format"))] = copy.deepcopy(rng.choice(NASTY))
    elif kind == 7:
        above[key] = [here]
    elif kind == 8 and isinstance(here, (int, float)):
        above[key] = here * rng.choice((-1, 1e3, 1e6, 1e-6, 1e300))
    else:
        above[key] = str(here)[:200]
    return told


def archive_fault(data: bytes, rng: Random) -> bytes:
    """An archive with a fault in itself or in one of its members, packed anew so that the fault gets further in."""
    if rng.random() < 0.2:
        return bytes_fault(data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    heads = [name for name in members if name.endswith(".json")]
    name = rng.choice(heads if heads and rng.random() < 0.3 else list(members))
    kind = rng.randrange(12)
    if kind == 0:
        del members[name]
    elif kind == 1:
        members[rng.choice(list(members))] = members[name]
    elif kind == 2:
        members[name] = bytes_fault(members[name], rng)
    elif name.endswith(".json"):
        members[name] = json_fault(members[name], rng)
    elif name == "head.npy":
        told = str(np.load(io.BytesIO(members[name])))
        members[name] = _npy(np.array(json_fault(told.encode(), rng).decode(errors="replace")))
    else:
        members[name] = array_fault(members[name], rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for member, held in members.items():
            archive.writestr(member, held)
    return packed.getvalue()


def array_fault(data: bytes, rng: Random) -> bytes:
    """An array with another head, or with other values, rows, axes or types."""
    kind = rng.randrange(8)
    if kind == 0:
        return bytes_fault(data, rng)
    if kind == 1:
        return re.sub(rb"'shape': \([^)]*\)", lambda _: b"'shape': " + rng.choice(NASTY_SHAPES).encode(), data, count=1)
    if kind == 2:
        return re.sub(rb"'descr': '[^']*'", lambda _: f"'descr': '{rng.choice(NASTY_TYPES)}'".encode(), data, count=1)
    array = np.load(io.BytesIO(data))
    with np.errstate(all="ignore"):
        if kind in (3, 4) and array.size:
            array = array.astype(float) if rng.random() < 0.7 else array.copy()
            value = rng.choice((np.nan, np.inf, -np.inf, 1e300, -1e300, 0.0, -1.0, 1e9, 255.0))
            some = rng.sample(range(array.size), min(array.size, rng.choice((1, 3, 50))))
            where = slice(None) if rng.random() < 0.2 else some
            if array.dtype.kind == "f" or (array.dtype.kind == "i" and np.isfinite(value) and abs(value) < 100):
                array.reshape(-1)[where] = value
        elif kind == 5:
            array = array[:rng.choice((0, 1, 2, -1))] if array.ndim else array
        elif kind == 6:
            array = rng.choice((array[None], array.reshape(-1), array.T, np.concatenate([array, array]) if array.ndim else array))
        elif kind == 7:
            array = array.astype(rng.choice(("U8", "S4", "c16", "f2", "i1", "?", "f4", "u8", "M8[s]")))
    return _npy(array)


def _npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def picture_fault(data: bytes, rng: Random) -> bytes:
    """A PNG with a fault, often in a chunk whose sum is right again."""
    if rng.random() < 0.4:
        return bytes_fault(data, rng)
    chunks, at = [], 8
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        chunks.append((data[at + 4:at + 8], bytearray(data[at + 8:at + 8 + size])))
        at += 12 + size
    kind, held = rng.choice(chunks) if rng.random() < 0.5 else chunks[0]
    if kind == b"IHDR" and rng.random() < 0.5:
        at = rng.choice((0, 4))
        held[at:at + 4] = struct.pack(">I", rng.choice((0, 1, 2, 65535, 100_000, 2**31 - 1, 2**32 - 1)))
    elif held:
        held[:] = bytes_fault(bytes(held), rng) if rng.random() < 0.3 else held
        at = rng.randrange(max(len(held), 1))
        del held[at:at + 1]
        held[rng.randrange(max(len(held), 1)):rng.randrange(max(len(held), 1)) + 1] = bytes([rng.randrange(256)])
    if rng.random() < 0.2:
        rng.shuffle(chunks)
    return data[:8] + b"".join(_chunk(name, bytes(held)) for name, held in chunks)


def _chunk(name: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))


def words_fault(data: bytes, rng: Random) -> bytes:
    """The file as it is: of such a form the words get the fault."""
    return data


def wrong_words(words: list[str], rng: Random) -> list[str]:
    """A command line with a word that is another, absent or doubled."""
    i = rng.randrange(1, len(words))
    kind = rng.randrange(4)
    if kind == 0:
        return words[:i] + words[i + 1:]
    if kind == 1 and words[i].startswith("--") and i + 1 < len(words):
        return [*words[:i], f"{words[i]}={rng.choice(NASTY_ARGUMENTS)}", *words[i + 2:]]
    return words[:i] + [rng.choice(NASTY_ARGUMENTS)] + words[i + (kind < 3):]




def make_bombs(folder: Path, pose_gait: Path) -> list[tuple[str, tuple[str, ...]]]:
    """Write six files that say little and mean much into the folder of sound files, one made of a `pose_gait`; gives their names
    and the words that read each."""
    known, plan = f"{folder}/known.npz", ("plan", "--seconds", "0.5")
    _swollen(folder / "walk.npz", folder / "bomb_take.npz", "contact_point_m.npy", (20_000_000, 10, 3))
    _swollen(folder / "known.npz", folder / "bomb_known.npz", "counts_0.npy", (60_000, 100, 100))
    heights = io.BytesIO()
    np.lib.format.write_array_header_1_0(heights, {"descr": "<f8", "fortran_order": False, "shape": (30_000, 40_000)})
    (folder / "bomb_hill.npy").write_bytes(heights.getvalue() + bytes(800))
    frames = folder / "bomb_frames"
    shutil.copytree(folder / "frames", frames)
    rows = zlib.compress(bytes(60_001) * 1000)
    head = struct.pack(">IIBBBBB", 60_000, 40_000, 8, 0, 0, 0, 0)
    (frames / "000.png").write_bytes(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b""))
    (folder / "bomb_deep.json").write_text('{"format": 1, "x": ' + "[" * 5_000_000 + "]" * 5_000_000 + "}", encoding="utf-8")
    gait = json.loads(pose_gait.read_text(encoding="utf-8"))
    (folder / "bomb_number.json").write_text(json.dumps({**gait, "name": "bomb_number", "speed_m_s": "LONG"}).replace(
        '"LONG"', "9" * 20_000_000), encoding="utf-8")
    return [("bomb take", ("measure", f"{folder}/bomb_take.npz")),
            ("bomb database", ("pressure", "read", f"{folder}/mat.csv", "--database", f"{folder}/bomb_known.npz")),
            ("bomb heights", (*plan, "--heightfield", f"{folder}/bomb_hill.npy,0.1")),
            ("bomb picture", ("pressure", "read", str(frames), "--database", known)),
            ("bomb deep JSON", ("presets", "check", f"{folder}/bomb_deep.json")),
            ("bomb number", (*plan, "--pose-gait", f"{folder}/bomb_number.json"))]


def _swollen(source: Path, target: Path, name: str, shape: tuple[int, ...]) -> None:
    """Write an archive in which one array has become 4.8 GB of zeros, packed into some 20 MB."""
    with zipfile.ZipFile(source) as sound, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
        for member in sound.namelist():
            if member != name:
                bomb.writestr(member, sound.read(member))
        with bomb.open(name, "w", force_zip64=True) as stream:
            np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": shape})
            block, left = bytes(1 << 24), 8 * int(np.prod(shape))
            while left > 0:
                stream.write(block[:min(left, len(block))])
                left -= len(block)
