# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure on disk and back, and the sentences for what is no pressure."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lope.addon.archives import write_archive
from lope.addon.errors import InputError
from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.files import read_pressure, write_pressure
from lope.addon.motions.pressure.glance import seen_in
from lope.addon.motions.pressure.images import Pressure


def insoles() -> tuple[Pressure, ...]:
    drawn = np.random.default_rng(0)
    return tuple(Pressure(drawn.uniform(0.0, 9e4, (5, 6, 3)), (0.01, 0.007), 50.0, "Pa", side, (-0.03, -0.007), 0.4)
                 for side in "LR")


@pytest.mark.parametrize("ending", [".csv", ".npz"])
def test_insoles_come_back_with_their_places_and_times(tmp_path, ending):
    file = tmp_path / f"steps{ending}"
    write_pressure(file, insoles())
    for one, other in zip(insoles(), read_pressure(file), strict=True):
        np.testing.assert_allclose(other.images, one.images, rtol=1e-5)
        assert (other.place, other.unit, other.pitch_m, other.origin_m) == (one.place, one.unit, one.pitch_m, one.origin_m)
        np.testing.assert_allclose(other.time_s, one.time_s, atol=1e-6)
        np.testing.assert_allclose(other.centre_m, one.centre_m, atol=1e-7)


def test_equal_pressure_gives_equal_files(tmp_path):
    for name in ("a.npz", "b.npz", "a.csv", "b.csv"):
        write_pressure(tmp_path / name, insoles())
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_pictures_are_counts_with_the_toes_at_the_top_and_the_left_foot_at_the_left(tmp_path):
    Image = pytest.importorskip("PIL.Image", reason="pictures are read by Pillow (the extra `plot`)")
    for frame in range(3):
        picture = np.zeros((8, 4), dtype=np.uint8)
        picture[0, 0] = 200 + frame
        Image.fromarray(picture).save(tmp_path / f"{frame:03d}.png")
    (tmp_path / "head.json").write_text(json.dumps({"rate_hz": 12.0, "pitch_m": 0.01}))
    (found,) = read_pressure(tmp_path)
    assert found.images[:, 7, 3].tolist() == [200.0, 201.0, 202.0] and found.unit == "counts"
    np.testing.assert_allclose(found.centre_m[0], [0.035, 0.015])
    with pytest.raises(InputError, match="give its unit"):
        _ = found.force_n


CSV = "# unit = kPa\n# pitch_m = 0.01\ntime_s,p_0_0,p_0_1\n0,1,2\n0.1,3,4\n0.2,5,6\n"


@pytest.mark.parametrize(("change", "sentence"), [
    (("p_0_1", "cell1"), "The column 'cell1' of .* is no cell"),
    (("0.1,3,4", "0.1,3"), "Line 5 of .* has 2 columns where the names are 3"),
    (("0.1,3,4", "0.1,3,x"), "Line 5 of .* has 'x' in the column p_0_1, where a number is to be"),
    (("0.1,3,4", "0.1,nan,4"), "Line 5 of .* has 'nan' in the column p_0_0, where a number is to be"),
    (("0.1,3,4", "0.1,3,-4"), "Line 5 of .* has -4 in the column p_0_1, and no pressure is below 0"),
    (("0.1,3,4\n0.2,5,6\n", ""), r"has fewer than two frames \(1\)"),
    (("time_s,p_0_0,p_0_1", "time_s;p_0_0;p_0_1"), "The columns of .*mat.csv are divided by ';'"),
    (("time_s,p_0_0", "t" * 9999 + ",p_0_0"), r"it is 't{40}\.\.\.'\.$"),
    (("0.2,5", "0.7,5"), "are not even: frame"),
    (("# pitch_m = 0.01\n", ""), "does not tell pitch_m"),
    (("0.01", "0.01; 0.02"), "pitch_m of .* must be a number"),
    (("kPa", "bar"), "must be one of Pa, kPa"),
    (("p_0_1", "p_0_0"), "has the column p_0_0 twice"),
    (("p_0_1", "p_1_2"), "lacks 4 of the columns of its mat of 2 rows by 3 columns, the first p_0_1"),
    (("time_s", "t"), "The first column of .* must be time_s"),
])
def test_a_table_that_is_no_pressure_says_where(tmp_path, change, sentence):
    file = tmp_path / "mat.csv"
    file.write_text(CSV)
    (found,) = read_pressure(file)
    assert found.rate_hz == 10.0 and found.force_n[0] == pytest.approx(0.3)
    file.write_text(CSV.replace(*change))
    with pytest.raises(InputError, match=sentence):
        read_pressure(file)


@pytest.mark.parametrize("name", ["nothing.csv", "picture.gif", "broken.npz"])
def test_files_that_are_none_say_so(tmp_path, name):
    if name != "nothing.csv":
        (tmp_path / name).write_bytes(b"no")
    with pytest.raises(InputError, match=name):
        read_pressure(tmp_path / name)


@pytest.mark.parametrize("look", [read_pressure, seen_in])
def test_an_archive_of_something_else_says_what_it_is(tmp_path, look):
    (tmp_path / "empty.npz").write_bytes(b"")
    with pytest.raises(InputError, match=r"empty\.npz is no \.npz file, or one that was cut short \(0 bytes"):
        look(tmp_path / "empty.npz")
    write_archive(tmp_path / "walk.npz", "take", {}, {})
    with pytest.raises(InputError, match=r"walk\.npz is a take, and no pressure"):
        look(tmp_path / "walk.npz")
    np.savez(tmp_path / "other.npz", images=np.zeros(3))
    with pytest.raises(InputError, match="has no array `head`"):
        look(tmp_path / "other.npz")


def test_what_is_no_database_says_what_it_is(tmp_path):
    write_archive(tmp_path / "walk.npz", "take", {}, {})
    write_pressure(tmp_path / "mat.npz", insoles())
    (tmp_path / "empty.npz").write_bytes(b"")
    for name, words in (("walk.npz", "is a take, and no database"), ("mat.npz", "is pressure, and no database"),
                        ("empty.npz", "is no database of pressure")):
        with pytest.raises(InputError, match=words):
            Database.load(tmp_path / name)


def test_an_insole_may_leave_cells_out(tmp_path):
    (tmp_path / "soles.csv").write_text(CSV.replace("p_0_0,p_0_1", "left_0_1,right_1_0"))
    left, right = read_pressure(tmp_path / "soles.csv")
    assert left.images[1].tolist() == [[0.0, 3.0]] and right.images[1].tolist() == [[0.0], [4.0]]


@pytest.mark.parametrize(("unit", "size", "words"), [
    ("Pa", 1e4, None), ("kPa", 1e4, "bears 700000 N in the mean"), ("N/cm2", 1.0, None), ("psi", 1e-3, "bears 0.48 N at most"),
    ("counts", 1e-9, None)])
def test_nobody_weighs_so_much_or_so_little(unit, size, words):
    felt = Pressure(np.full((24, 7, 10), size), (0.1, 0.01), 12.0, unit, source="mat.csv")
    if words is None:
        felt.check_load()
    else:
        with pytest.raises(InputError, match=words):
            felt.check_load()
    if size < 1.0:
        felt.check_load(stood=False)


def test_an_array_with_a_hole_says_where():
    images = np.ones((4, 3, 2))
    images[2, 1, 0] = np.nan
    with pytest.raises(InputError, match="Frame 2 of the pressure has nan at row 1, column 0"):
        Pressure(images, (0.01, 0.01), 12.0)


def test_a_folder_without_its_head_says_what_belongs_there(tmp_path):
    for frame in range(2):
        (tmp_path / f"{frame}.png").write_bytes(b"no")
    with pytest.raises(InputError, match=r"no head\.json, which tells rate_hz and pitch_m"):
        read_pressure(tmp_path)
