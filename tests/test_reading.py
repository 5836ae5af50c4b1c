# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are damaged, or made to do harm, end in one sentence before anything is made of them."""

import io
import json
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest

from lope.addon.archives import check_array, members_of, opened_archive, read_head, read_member
from lope.addon.checks import check_number
from lope.addon.cli import main
from lope.addon.commands.presets import kind_of_file
from lope.addon.errors import MOST_SHOWN, InputError, TakeError, unknown_name
from lope.addon.files import DAMAGED, DEEPEST, MOST_LINE, parse_json, read_json, read_lines, why
from lope.addon.motions.pressure.files import MOST_PIXELS, made_of, picture_of, read_png, read_pressure
from lope.addon.motions.pressure.glance import seen_in
from lope.addon.motions.pressure.images import MOST_CELLS, Pressure, side_by_side
from lope.addon.motions.responses.response import load_library
from lope.addon.options.world_options import field_from
from lope.addon.reports.norms import schwartz
from lope.addon.sim.drive_script import read_script
from lope.addon.sim.take import Take, check_arrays
from take_factory import Walk, make_take

HUGE = (100_000, 100_000)
MOST_MADE = 40 << 20
"""Bytes that refusing a file may take."""


@pytest.fixture
def measured():
    """Fails a test that takes much memory."""
    tracemalloc.start()
    yield
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < MOST_MADE


def head(shape, descr="<f8"):
    """The head of an array that may hold something else."""
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": descr, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def swollen(path, name, shape):
    """Write an archive of one array of zeros, packed small."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive, archive.open(
            name, "w", force_zip64=True) as stream:
        stream.write(head(shape))
        left, block = 8 * int(np.prod(shape)), bytes(1 << 22)
        while left > 0:
            stream.write(block[:min(left, len(block))])
            left -= len(block)


def png(width, height):
    """A PNG that says that it is so large."""
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(1000))),
             (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts)


@pytest.mark.parametrize("text, said", [
    ("[" * 100_000 + "]" * 100_000, "nested more than"), ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested more than"),
    ("1" + "0" * 400, "too many digits"), ("9" * 5_000_000, "too many digits"), ("[1e999]", "too large"),
    ("[NaN]", "NaN is no number"), ("-Infinity", "-Infinity is no number"), ('"\\ud800"', "surrogates"), ("{", "Expecting")])
def test_json_that_is_hostile_or_damaged(text, said):
    with pytest.raises(ValueError, match=said):
        parse_json(text)


def test_json_that_is_sound():
    assert parse_json('{"a": [1, -2.5e3, null, true, "\\ud83d\\ude00"]}') == {"a": [1, -2500.0, None, True, "\U0001f600"]}
    assert parse_json("[" * DEEPEST + "]" * DEEPEST)
    assert np.isnan(parse_json("[NaN]", finite=False)[0])


def test_a_text_in_another_encoding_or_with_a_line_without_end(tmp_path):
    (tmp_path / "latin.json").write_bytes('"é"'.encode("latin-1"))
    with pytest.raises(ValueError, match="codec"):
        read_json(tmp_path / "latin.json")
    (tmp_path / "long.csv").write_text("x" * (MOST_LINE + 1))
    with pytest.raises(ValueError, match="a line of more than"):
        list(read_lines(tmp_path / "long.csv"))


@pytest.mark.parametrize("error, said", [
    (MemoryError(), "there is not enough memory for it"), (RecursionError("x"), "it is nested too deep"),
    (KeyError("a"), "it has no 'a'"), (FileNotFoundError(2, "No such file", "x"), "No such file"),
    (ValueError("two\nlines."), "two lines"), (ValueError(), "ValueError"),
    (ValueError("x" * 1000), "x" * 200 + "...")])
def test_why_is_the_end_of_a_sentence(error, said):
    assert why(error) == said and isinstance(error, DAMAGED)


@pytest.mark.slow
def test_an_archive_that_unpacks_to_gigabytes_is_refused_by_its_heads(tmp_path, measured):
    path = tmp_path / "bomb.npz"
    swollen(path, "a.npy", (140_000_000,))
    with pytest.raises(ValueError, match=r"unpacks to 1\.1 GB, and Lope reads 1\.1 GB at most"), opened_archive(path):
        pass
    for read in (Take.load, load_library, seen_in, read_pressure):
        with pytest.raises(InputError, match="bomb"):
            read(path)


def test_an_array_whose_head_promises_more_than_there_is(tmp_path, measured):
    (tmp_path / "hill.npy").write_bytes(head(HUGE) + bytes(800))
    with pytest.raises(InputError, match=r"hill\.npy cannot be read: its head promises an array \(100000, 100000\) of float64"):
        field_from(f"{tmp_path}/hill.npy,0.1")
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("a.npy", head(HUGE) + bytes(800))
    with opened_archive(tmp_path / "a.npz") as archive, pytest.raises(ValueError, match="its head promises"):
        read_member(archive, "a")


@pytest.mark.parametrize("data", [
    b"", b"\x93NUMPY", head((2,), "|O") + bytes(16), head((2,), "<U2") + bytes(16), head((2,), "<c16") + bytes(32),
    head((2,)).replace(b"(2,)", b"(2, "), head((2,)).replace(b"(2,)", b"(-2)"), head((2,)).replace(b"<f8", b"xx8") + bytes(16),
    head((-1,)), head((2,)).replace(b"descr", b"desc\xff")])
def test_an_array_with_a_damaged_head_or_of_no_numbers(tmp_path, data):
    (tmp_path / "hill.npy").write_bytes(data)
    with pytest.raises(InputError, match=r"The height field .* cannot be read: its "):
        field_from(f"{tmp_path}/hill.npy,0.1")


def test_a_field_of_too_many_heights(tmp_path):
    np.save(tmp_path / "hill.npy", np.zeros((1001, 1000), dtype=np.int8))
    with pytest.raises(InputError, match="1001 rows and 1000 columns, and may have 1000000 heights"):
        field_from(f"{tmp_path}/hill.npy,0.1")


def test_arrays_are_checked_for_shape_and_numbers():
    check_array(np.zeros((3, 2)), "a", (None, 2))
    for wrong in (np.zeros((3, 3)), np.zeros(3), np.full((3, 2), np.nan), np.full((3, 2), 1e300)):
        with pytest.raises(ValueError, match="its array a has"):
            check_array(wrong, "a", (None, 2))


def test_an_archive_of_another_packing_and_one_that_is_none(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("take.json", "[]")
    with pytest.raises(TakeError, match="packed in a way that Lope does not know"):
        Take.load(tmp_path / "a.npz")
    (tmp_path / "b.npz").write_bytes(b"PK\x03\x04" + bytes(100))
    assert members_of(tmp_path / "b.npz") == frozenset() and members_of(tmp_path / "a.npz") == {"take.json"}
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("take.json", "[]")
    with opened_archive(tmp_path / "a.npz") as archive, pytest.raises(ValueError, match=r"take\.json is no table"):
        read_head(archive, "take")


def test_a_picture_that_says_that_it_is_huge(tmp_path, measured):
    pytest.importorskip("PIL")
    for size in ((60_000, 40_000), (MOST_PIXELS, 2), (2**31 - 1, 2**31 - 1)):
        (tmp_path / "a.png").write_bytes(png(*size))
        with pytest.raises(InputError, match=r"a\.png cannot be read as a picture"):
            picture_of(tmp_path / "a.png")
        with pytest.raises(ValueError, match="pictures of pressure have"):
            read_png(tmp_path / "a.png")


@pytest.mark.parametrize("damage", [lambda data: data[:20], lambda data: data[:33] + b"\0\0\0\1" + data[37:],
                                    lambda data: data.replace(b"IHDR", b"IHDX"), lambda data: data[:24] + b"\x09" + data[25:]])
def test_a_damaged_picture(tmp_path, damage):
    (tmp_path / "a.png").write_bytes(damage(png(10, 10)))
    with pytest.raises(InputError, match=r"a\.png cannot be read as a picture"):
        picture_of(tmp_path / "a.png")
    with pytest.raises(DAMAGED):
        read_png(tmp_path / "a.png")


@pytest.mark.parametrize("told", [{"pitch_m": {}}, {"pitch_m": [0.01]}, {"rate_hz": [1]}, {"rate_hz": "x"}, {"origin_m": [1]},
                                  {"origin_m": 3}, {"start_s": None}])
def test_pressure_whose_head_has_something_else_than_numbers(tmp_path, told):
    with pytest.raises(InputError, match="tells something else than numbers"):
        made_of(np.ones((3, 4, 4)), {"pitch_m": 0.01, "rate_hz": 12.0, "unit": "Pa", **told}, tmp_path)


def test_pressure_of_too_many_cells_is_not_made(measured):
    few = np.lib.stride_tricks.as_strided(np.zeros(1), (MOST_CELLS + 1, 1, 1), (0, 0, 0))
    with pytest.raises(InputError, match="cells, 6e\\+07 in all"):
        Pressure(few, (0.01, 0.01), 12.0)
    with pytest.raises(InputError, match="cells"):
        Pressure(np.ones((100, 80, 64)), (0.01, 0.01), 1.0).at_rate(1000.0)
    soles = [Pressure(np.ones((9, 4, 4)), (0.001, 0.001), 12.0, place=place, origin_m=(ahead, left))
             for place, ahead, left in (("L", 9e3, 0.0), ("R", -9e3, -0.1))]
    with pytest.raises(InputError, match="cells"):
        side_by_side(*soles)
    for far in ({"origin_m": (1e300, 0.0)}, {"start_s": float("nan")}):
        with pytest.raises(InputError, match="must lie between"):
            Pressure(np.ones((3, 4, 4)), (0.01, 0.01), 12.0, **far)


def test_a_table_of_pressure_with_a_cell_far_away_or_quotes_without_end(tmp_path, measured):
    lines = ["# pitch_m = 0.01", "# unit = Pa", "time_s,left_0_0,left_99999999_99999999", "0,1,1", "0.1,1,1", "0.2,1,1"]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    with pytest.raises(InputError, match="cells"):
        read_pressure(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("\n".join([*lines[:3], '0,"1' + "x" * 200_000]))
    with pytest.raises(InputError, match=r"Line 4 of .*a\.csv is no line of a table"):
        read_pressure(tmp_path / "a.csv")


@pytest.mark.parametrize("times", [[0.0, 0.1, 0.1], [0.0, np.nan, 0.2], [0.0, 0.1, np.inf]])
def test_a_take_whose_times_do_not_go_on(times):
    take = make_take(Walk())
    arrays = {name: array.copy() for name, array in take.arrays.items()}
    arrays["time_s"][:3] = times
    with pytest.raises(TakeError, match="do not go on"):
        check_arrays(arrays, take.body)


@pytest.mark.parametrize("change", [{"frames": 3}, {"frames": "x"}, {"push": [1]}, {"push": [[], 2]}, {"step": 0},
                                    {"strategy": "none"}, {"name": None}, {"spin": None}])
def test_a_library_with_a_damaged_response(tmp_path, change):
    path = tmp_path / "a.npz"
    own = load_library()
    own.without([one.name for one in own.responses[2:]]).save(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    told = json.loads(members["library.json"])
    told["responses"][0].update(change)
    with zipfile.ZipFile(path, "w") as archive:
        for name, held in {**members, "library.json": json.dumps(told)}.items():
            archive.writestr(name, held)
    with pytest.raises(InputError, match=r"a\.npz is not a library of responses, or it is damaged"):
        load_library(path)


def test_a_drive_and_a_preset_nested_without_end(tmp_path):
    (tmp_path / "a.json").write_text("[" * 100_000 + "\n\n")
    for read in (kind_of_file, read_script):
        with pytest.raises(InputError, match="nested"):
            read(tmp_path / "a.json")


@pytest.mark.parametrize("text", ["", "v_star,percent\n", "a,b\nx", "v_star,percent\nx,y\n", '"' + "x" * 200_000, "\0"])
def test_a_table_of_norms_that_is_none(tmp_path, text):
    (tmp_path / "schwartz2008_children_5speeds.csv").write_text(text)
    with pytest.raises(InputError, match=r"speeds\.csv cannot be read as norms: "):
        schwartz(tmp_path, 0.4)


def test_numbers_beyond_any_float_and_long_values_in_messages():
    with pytest.raises(InputError, match="got inf"):
        check_number("It", 10**400, 0.0, 1.0, "m")
    with pytest.raises(InputError) as told:
        check_number("It", ["x"] * 1000, 0.0, 1.0, "m")
    assert len(str(told.value)) < 2 * MOST_SHOWN
    assert len(str(unknown_name("gait", "x" * 100_000, ["walk"]))) < 2 * MOST_SHOWN


@pytest.mark.parametrize("words, said", [
    (["plan", "--gains-file=--"], "--gains-file=-- gives no value"),
    (["presets", "check", "x.json", "--kind=--"], "gives no value"),
    (["measure", "a" * 300], "a" * 100), (["pressure", "of", "b" * 5000], "...")])
def test_words_that_are_no_files(words, said, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("lope: ") and err.count("\n") == 1 and said in err and len(err) < 2100
