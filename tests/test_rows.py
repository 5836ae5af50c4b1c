# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows are those of a list, in memory or in a file; what is in a file is written and read back as it is, and leaves nothing."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from lope.addon import rows
from lope.addon.archives import read_member, write_archive
from lope.addon.errors import InputError
from lope.addon.rows import Rows, in_blocks, let_go, parts, spilled

VALUES = np.random.default_rng(0).normal(size=(1000, 3, 2))


@pytest.fixture
def small(monkeypatch):
    """Blocks of few rows."""
    monkeypatch.setattr(rows, "BLOCK_BYTES", 1000)
    monkeypatch.setattr("lope.addon.archives.BLOCK_BYTES", 1000)
    monkeypatch.setattr(rows, "BLOCK_ROWS", 7)


def collected(values):
    found = Rows()
    for value in values:
        found.append(value)
    assert len(found) == len(values)
    return found.array()


@pytest.mark.parametrize("values", [
    list(VALUES), list(VALUES.astype(np.float32)), [True, False] * 700, [float(i) for i in range(900)],
    [np.int64(i) if i < 600 else 0.5 * i for i in range(1200)], [np.float32(i) if i % 2 else i for i in range(9)], []],
    ids=["wide", "single", "bool", "plain", "mixed late", "mixed soon", "none"])
@pytest.mark.parametrize("spills", [True, False])
def test_rows_are_those_of_a_list(values, spills, request):
    if spills:
        request.getfixturevalue("small")
    found, wanted = collected(values), np.array([np.array(value) for value in values])
    assert found.dtype == wanted.dtype and found.shape == wanted.shape and found.tobytes() == wanted.tobytes()


def test_rows_go_on_after_an_array_was_taken(small):
    found = Rows()
    found.extend(VALUES[:300])
    before = found.array()
    found.extend(VALUES[300:])
    assert np.array_equal(before, VALUES[:300]) and np.array_equal(found.array(), VALUES)
    with pytest.raises(ValueError, match="shape"):
        found.append(np.zeros(3))


def test_what_is_let_go_of_is_read_again(small):
    found = collected(VALUES)
    assert not found.flags.writeable
    let_go(found, found[5:], VALUES)
    assert np.array_equal(np.concatenate(list(parts(found))), VALUES)
    assert np.array_equal(in_blocks(lambda part: 2.0 * found[part], len(found), found), 2.0 * VALUES)


def test_an_archive_of_mapped_arrays_is_that_of_the_same_in_memory(small, tmp_path):
    write_archive(tmp_path / "mapped.npz", "kind", {}, {"a": collected(VALUES)}, level=1)
    write_archive(tmp_path / "plain.npz", "kind", {}, {"a": VALUES}, level=1)
    assert (tmp_path / "mapped.npz").read_bytes() == (tmp_path / "plain.npz").read_bytes()
    whole = io.BytesIO()
    np.lib.format.write_array(whole, VALUES)
    with zipfile.ZipFile(tmp_path / "plain.npz") as archive:
        assert archive.read("a.npy") == whole.getvalue()
        again = read_member(archive, "a", spills=True)
    assert not again.flags.writeable and np.array_equal(again, VALUES)


def test_a_stream_that_ends_before_its_array_is_told():
    with pytest.raises(ValueError, match="it ends 8 bytes before its array"):
        spilled(io.BytesIO(bytes(16)), np.dtype(float), (3,))


def test_no_room_is_told(small, monkeypatch):
    def full(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rows.tempfile, "TemporaryFile", full)
    with pytest.raises(InputError, match=r"does not fit .*: No space left on device\. Make room there"):
        collected(VALUES)


@pytest.mark.skipif(sys.platform == "win32", reason="there the system deletes it")
def test_a_killed_process_leaves_no_file(tmp_path):
    code = ("import os, signal, numpy as np; from lope.addon import rows; rows.BLOCK_BYTES = 1000; found = rows.Rows()\n"
            "found.extend(np.zeros((1000, 3))); found.array(); os.kill(os.getpid(), signal.SIGKILL)")
    ended = subprocess.run([sys.executable, "-c", code], env={"TMPDIR": str(tmp_path), "PATH": ""}, check=False)
    assert ended.returncode == -9 and list(Path(tmp_path).iterdir()) == []
