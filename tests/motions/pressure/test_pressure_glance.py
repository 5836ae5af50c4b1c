# SPDX-License-Identifier: GPL-3.0-or-later
"""What files of pressure are, told without reading them; pictures where there is no Pillow."""

from __future__ import annotations

import builtins
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.motions.pressure.files import SIGNATURE, picture_of, read_png, read_pressure
from lope.addon.motions.pressure.glance import known_in, seen_in
from lope.addon.motions.pressure.images import LEFT, MAT, RIGHT
from pressure_kit import written_steps

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of pressure and a database."""
    return written_steps(tmp_path_factory.mktemp("pressure"))


@pytest.mark.parametrize("name", ["steps.csv", "slow.csv", "still.npz", "soles.csv"])
def test_a_glance_tells_what_reading_tells(folder: Path, name: str) -> None:
    seen, read = seen_in(folder / name), read_pressure(folder / name)
    assert seen.places == tuple(one.place for one in read) and seen.cells == read[0].images.shape[1:]
    assert seen.rate_hz == pytest.approx(read[0].rate_hz, rel=1e-3)
    assert seen.lasts_s == pytest.approx(len(read[0]) / read[0].rate_hz, rel=1e-3)
    assert seen.places == ((LEFT, RIGHT) if name == "soles.csv" else (MAT,))


def test_a_long_table_is_not_read_to_its_end(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "steps.csv").read_text(encoding="utf-8").splitlines()
    head, frame = lines[:4], lines[4].partition(",")[2]
    wrong = ["no frame at all"] * 100  # nobody looks there
    text = "\n".join([*head, f"0,{frame}", f"0.1,{frame}", *wrong, f"99.9,{frame}", "", ""])
    (tmp_path / "long.csv").write_text(text, encoding="utf-8")
    seen = seen_in(tmp_path / "long.csv")
    assert seen.lasts_s == pytest.approx(100.0) and seen.rate_hz == pytest.approx(10.0)


def test_a_database_is_told_by_its_head(folder: Path) -> None:
    known = known_in(folder / "steps.npz")
    assert known.names == ("ahead", "aside") and known.quiet == 1 and known.licence == "CC0-1.0"


@pytest.mark.parametrize(("look", "name", "words"), [
    (seen_in, "nowhere.csv", "There is no pressure at"), (seen_in, "steps.npz", "no array `head`"),
    (seen_in, "said.csv", "must be time_s"), (seen_in, "unit.csv", "does not tell unit"),
    (seen_in, "few.csv", "fewer than two frames"),
    (seen_in, "back.csv", "do not go on"), (seen_in, "timeless.csv", "where a time"),
    (seen_in, "steps.txt", "no pressure that Lope reads"),
    (known_in, "steps.csv", "no database of pressure"), (known_in, "still.npz", "is pressure, and no database"),
    (known_in, "nowhere.npz", "There is no database of pressure")])
def test_what_is_wrong_is_told_in_a_sentence(folder: Path, look: object, name: str, words: str) -> None:
    head = "# unit = Pa\n# pitch_m = 0.01\n"
    for file, text in (("said.csv", f"{head}t,p_0_0\n0,1\n1,1\n"), ("unit.csv", "# pitch_m = 0.01\ntime_s,p_0_0\n0,1\n1,1\n"),
                       ("few.csv", f"{head}time_s,p_0_0\n0,1\n"), ("back.csv", f"{head}time_s,p_0_0\n0,1\n1,1\n0.5,1\n"),
                       ("timeless.csv", f"{head}time_s,p_0_0\n0,1\nx,1\n2,1\n"), ("steps.txt", "x")):
        (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        look(folder / name)  # type: ignore[operator]


def png(path: Path, lines: np.ndarray, width: int, depth: int, colour: int, filters: tuple[int, ...], more: bytes = b"") -> Path:
    """Write a PNG of lines of bytes, each by its filter, as the specification has it."""
    back = max(depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour] // 8, 1)
    raw, above = b"", np.zeros(lines.shape[1], dtype=int)
    for line, kind in zip(lines.astype(int), filters, strict=True):
        left = np.concatenate([np.zeros(back, dtype=int), line[:-back]])
        corner = np.concatenate([np.zeros(back, dtype=int), above[:-back]])
        goal = left + above - corner
        near = np.array([min((a, b, c), key=lambda one, g=g: abs(g - one))
                         for a, b, c, g in zip(left, above, corner, goal, strict=True)])
        guess = (0 * line, left, above, (left + above) // 2, near)[kind]
        raw += bytes([kind]) + ((line - guess) % 256).astype(np.uint8).tobytes()
        above = line
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, len(lines), depth, colour, 0, 0, 0)), *([(b"PLTE", more)] if more else []),
             (b"IDAT", zlib.compress(raw)), (b"IEND", b"")]
    path.write_bytes(SIGNATURE + b"".join(struct.pack(">I4s", len(body), kind) + body + struct.pack(">I", zlib.crc32(kind + body))
                                          for kind, body in parts))
    return path


KINDS = [(8, 0, 7), (16, 0, 14), (8, 2, 21), (8, 6, 28), (8, 4, 14), (1, 0, 1), (4, 0, 4), (8, 3, 7)]


@pytest.mark.parametrize(("depth", "colour", "size"), KINDS)
def test_every_kind_of_png_is_read_as_pillow_reads_it(tmp_path: Path, depth: int, colour: int, size: int) -> None:
    pytest.importorskip("PIL.Image", reason="Pillow is what it is compared with")
    drawn = np.random.default_rng(depth + colour)
    lines = drawn.integers(0, 4 if colour == 3 else 256, (5, size))
    palette = drawn.integers(0, 256, 12).astype(np.uint8).tobytes() if colour == 3 else b""
    path = png(tmp_path / "a.png", lines, 7, depth, colour, (0, 1, 2, 3, 4), palette)
    np.testing.assert_allclose(read_png(path), picture_of(path), atol=1.0)  # Pillow rounds


def test_a_folder_of_pictures_is_read_without_pillow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name == "PIL":
            raise ImportError(name)
        return found(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    lines = np.arange(12).reshape(3, 4)
    for i in range(3):
        png(tmp_path / f"{i}.png", i * lines, 4, 8, 0, (0, 0, 0))
    (tmp_path / "head.json").write_text(json.dumps({"rate_hz": 12.0, "pitch_m": 0.01}), encoding="utf-8")
    seen, (mat,) = seen_in(tmp_path), read_pressure(tmp_path)
    assert seen.cells == (3, 4) and seen.lasts_s == pytest.approx(0.25)
    np.testing.assert_allclose(mat.images[2], 2 * np.flip(lines))
    (tmp_path / "1.png").write_bytes(b"no PNG")
    with pytest.raises(InputError, match="cannot be read as a picture"):
        read_pressure(tmp_path)
    (tmp_path / "1.png").rename(tmp_path / "1.bmp")
    with pytest.raises(InputError, match="save the pictures as PNG"):
        read_pressure(tmp_path)
