# SPDX-License-Identifier: GPL-3.0-or-later
"""The Take: byte for byte round trip, read-only arrays, and every way a file can be wrong."""

import json
import zipfile

import numpy as np
import pytest
from lope.addon.errors import InputError, TakeError
from lope.addon.take import ARRAYS, FORMAT, Take
from take_factory import Walk, make_take


@pytest.fixture(scope="module")
def take() -> Take:
    return make_take(Walk(seconds=3.0))


@pytest.fixture
def saved(take, tmp_path):
    path = tmp_path / "take.npz"
    take.save(path)
    return path


def rewritten(path, change):
    """The file with the members that `change(name, data)` gives instead; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        members = {name: change(name, archive.read(name)) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def with_head(path, **fields):
    """The file with some fields of its head replaced."""
    return rewritten(path, lambda name, data: json.dumps({**json.loads(data), **fields}) if name == "take.json" else data)


def test_round_trip(take, saved):
    again = Take.load(saved)
    assert again.shot == take.shot and again.stats == take.stats
    assert again.body.to_dict() == take.body.to_dict()
    for name in ARRAYS:
        assert np.array_equal(again.arrays[name], take.arrays[name]) and again.arrays[name].dtype == take.arrays[name].dtype


def test_equal_takes_are_equal_files(take, saved, tmp_path):
    Take.load(saved).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == saved.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.npz", "take.npz"]


def test_numpy_reads_the_arrays(take, saved):
    with np.load(saved) as arrays:
        assert np.array_equal(arrays["com_m"], take.com_m)


def test_arrays_are_read_only(take, saved):
    for one in (take, Take.load(saved)):
        with pytest.raises(ValueError, match="read-only"):
            one.com_m[0, 0] = 1.0


def test_segments_stand_where_the_root_is(take):
    positions, _ = take.segment_poses
    assert np.array_equal(positions[:, 0], take.root_position_m)
    assert positions.shape == (len(take.time_s), len(take.body.segments), 3)


def test_fell(take):
    assert not take.fell
    assert make_take(Walk(seconds=3.0), stats={"time_fell_s": 2.0}).fell


def test_unknown_names_are_attribute_errors(take):
    with pytest.raises(AttributeError, match="no_such_array"):
        take.no_such_array


def test_a_take_lacking_arrays_is_refused(take):
    with pytest.raises(TakeError, match="lacks the arrays com_m"):
        Take(take.shot, take.body, {n: a for n, a in take.arrays.items() if n != "com_m"}, {})


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(TakeError, match="no take at .*nowhere.npz"):
        Take.load(tmp_path / "nowhere.npz")
    with pytest.raises(TakeError, match="no take at"):
        Take.load(tmp_path)


def test_a_newer_format_says_update(saved):
    message = f"written by Lope 9.9.0 .take format {FORMAT + 1}.*up to format {FORMAT}. Update Lope"
    with pytest.raises(TakeError, match=message):
        Take.load(with_head(saved, format=FORMAT + 1, version="9.9.0"))


@pytest.mark.parametrize("fields", [{"format": "one"}, {"shot": {"gate": 1}}, {"body": {}}, {"shot": None}, {"body": None}])
def test_a_strange_head_is_refused(saved, fields):
    with pytest.raises(InputError):
        Take.load(with_head(saved, **fields))


@pytest.mark.parametrize("content", [b"", b"not a take at all", b"PK\x03\x04 half an archive"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "take.npz"
    path.write_bytes(content)
    with pytest.raises(TakeError, match="take.npz is not a Lope take, or it is damaged"):
        Take.load(path)


def test_a_plain_npz_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(TakeError, match="not a Lope take"):
        Take.load(tmp_path / "other.npz")


def test_a_missing_array_is_named(saved):
    with pytest.raises(TakeError, match="lacks the arrays grf_n"):
        Take.load(rewritten(saved, lambda name, data: None if name == "grf_n.npy" else data))


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_truncated_file_is_refused(saved, cut):
    data = saved.read_bytes()
    saved.write_bytes(data[:int(cut * len(data))])
    with pytest.raises(TakeError, match="damaged"):
        Take.load(saved)


@pytest.mark.parametrize("seed", range(40))
def test_flipped_bytes_are_noticed_or_harmless(take, saved, seed):
    """Every member carries a checksum: a damaged file is either refused or its arrays are untouched."""
    data = bytearray(saved.read_bytes())
    for place in np.random.default_rng(seed).integers(0, len(data), 5):
        data[place] ^= 0xFF
    saved.write_bytes(data)
    try:
        again = Take.load(saved)
    except InputError:
        return
    assert all(np.array_equal(again.arrays[n], take.arrays[n]) for n in ARRAYS)


def test_a_folder_that_cannot_be_written(take, tmp_path):
    with pytest.raises(InputError, match="The take cannot be written to .*nowhere.*take.npz"):
        take.save(tmp_path / "nowhere" / "take.npz")
