# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives: equal ones are equal files, nothing half is left, and whatever damage there is has a known error."""

import json
import time
import zipfile

import numpy as np
import pytest

from lope.addon.archives import read_member, write_archive
from lope.addon.errors import InputError
from lope.addon.files import DAMAGED
from lope.addon.motions.responses.response import OWN, load_library

ARRAYS = {"a": np.arange(600.0).reshape(200, 3), "deep/b": np.array([True, False])}


def test_equal_archives_are_equal_files_whenever_they_are_written(tmp_path, monkeypatch):
    write_archive(tmp_path / "one.npz", "kind", {"b": 1, "a": 2}, ARRAYS)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    write_archive(tmp_path / "two.npz", "kind", {"a": 2, "b": 1}, ARRAYS)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.npz") as archive:
        assert json.loads(archive.read("kind.json")) == {"a": 2, "b": 1}
        assert all(np.array_equal(read_member(archive, name), array) for name, array in ARRAYS.items())


def test_what_cannot_be_written_leaves_the_old_file_and_no_half(tmp_path):
    path = tmp_path / "kept.npz"
    write_archive(path, "kind", {}, ARRAYS)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="allow_pickle"):
        write_archive(path, "kind", {}, {**ARRAYS, "none": np.array([None])})
    assert path.read_bytes() == before and [file.name for file in tmp_path.iterdir()] == ["kept.npz"]


@pytest.mark.slow
def test_any_damaged_byte_is_an_error_that_is_known_or_changes_nothing(tmp_path):
    path = tmp_path / "damaged.npz"
    write_archive(path, "kind", {}, ARRAYS)
    whole, refused = path.read_bytes(), 0
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1:])
        try:
            with zipfile.ZipFile(path) as archive:
                assert np.array_equal(read_member(archive, "a"), ARRAYS["a"])
        except DAMAGED:
            refused += 1
    assert refused > 0


@pytest.mark.slow
def test_a_library_with_a_spoilt_stream_is_refused_in_one_sentence(tmp_path):
    path = tmp_path / "spoilt.npz"
    load_library(OWN).save(path)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("channels.npy")
    begin = info.header_offset + 30 + len(info.filename)
    data[begin:begin + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(InputError, match="is not a library of responses, or it is damaged"):
        load_library(path)
