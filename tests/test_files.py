# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are written whole or not at all, and folders for temporary ones that belong to one user."""

from __future__ import annotations

import ast
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from lope.addon import files
from lope.addon.errors import InputError
from lope.addon.files import drop_unfinished, temporary_folder, write_whole, written_whole
from lope.addon.motions.pressure.database import Span, read_list, write_spans

ROOT = Path(__file__).resolve().parents[1]
not_windows = pytest.mark.skipif(os.name == "nt", reason="links and permissions of another kind")


def test_a_file_is_written_and_nothing_else_stays(tmp_path):
    write_whole(tmp_path / "a.txt", "höhe\n", "text")
    write_whole(str(tmp_path / "b.bin"), b"\0", "bytes")
    assert (tmp_path / "a.txt").read_bytes() == "höhe\n".encode() and sorted(os.listdir(tmp_path)) == ["a.txt", "b.bin"]


def test_what_fails_leaves_the_former_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("before", encoding="utf-8")
    said = r"The list cannot be written to .*a\.txt: No space left"
    with pytest.raises(InputError, match=said), written_whole(path, "list") as partial:
        partial.write_text("hal", encoding="utf-8")
        raise OSError(28, "No space left on device")
    with pytest.raises(KeyboardInterrupt), written_whole(path, "list") as partial:
        partial.write_text("hal", encoding="utf-8")
        raise KeyboardInterrupt
    assert path.read_text(encoding="utf-8") == "before" and os.listdir(tmp_path) == ["a.txt"]


def test_the_list_of_motions_outlives_a_full_disk(tmp_path, monkeypatch):
    path, spans = tmp_path / "mine.json", {"a.bvh": [Span("step", 0.0, 1.0)]}
    write_spans(path, spans)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InputError, match="The list of motions cannot be written"):
        write_spans(path, {})
    assert read_list(path).spans == spans and os.listdir(tmp_path) == ["mine.json"]


@not_windows
def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path):
    own, link = tmp_path / "own.txt", tmp_path / "link.txt"
    own.write_text("before", encoding="utf-8")
    own.chmod(0o640)
    link.symlink_to(own)
    write_whole(link, "after", "text")
    assert link.is_symlink() and own.read_text(encoding="utf-8") == "after" and stat.S_IMODE(own.stat().st_mode) == 0o640
    kept = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.txt", "new", "text")
    finally:
        os.umask(kept)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


@not_windows
def test_devices_folders_and_protected_files_are_left_alone(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, why in (("pipe", "a device or a pipe"), ("folder", "it is a folder")):
        with pytest.raises(InputError, match=why):
            write_whole(tmp_path / name, "x", "text")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@not_windows
def test_a_planted_link_at_the_former_temporary_name_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    for name in ("take.npz.part", ".take.npz", f".take.{os.getpid()}.npz"):
        (tmp_path / name).symlink_to(victim)
    write_whole(tmp_path / "take.npz", b"take", "take")
    assert victim.read_text(encoding="utf-8") == "precious" and not (tmp_path / "take.npz").is_symlink()


def test_names_cannot_be_guessed_and_are_not_too_long(tmp_path):
    path = tmp_path / f"{'n' * 240}.npz"
    with written_whole(path, "take") as first, written_whole(path, "take") as second:
        assert first != second and first.parent == tmp_path and first.suffix == ".npz" and not first.exists()
        first.write_bytes(b"1")
        second.write_bytes(b"2")
    assert path.read_bytes() == b"1"


def test_a_process_that_leaves_on_the_spot_takes_away_what_is_half_written(tmp_path):
    with pytest.raises(InputError), written_whole(tmp_path / "a", "text") as partial:
        partial.write_text("hal", encoding="utf-8")
        drop_unfinished()
        assert not partial.exists()
    assert not os.listdir(tmp_path)


@not_windows
class TestTemporaryFolders:
    """Whose they are."""

    @pytest.fixture(autouse=True)
    def place(self, tmp_path, monkeypatch):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        return tmp_path

    def test_it_is_this_users_alone_and_stays(self, place):
        folder = temporary_folder("takes")
        assert folder == temporary_folder("takes") and folder.parent == place / f"lope-{os.getuid()}"
        assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700

    def test_a_planted_link_is_refused(self, place):
        (place / "elsewhere").mkdir()
        (place / f"lope-{os.getuid()}").symlink_to(place / "elsewhere")
        with pytest.raises(InputError, match="is no folder of this user alone"):
            temporary_folder("takes")
        assert not os.listdir(place / "elsewhere")

    def test_nor_one_that_others_may_write_to_or_own(self, place, monkeypatch):
        root = place / f"lope-{os.getuid()}"
        root.mkdir()
        root.chmod(0o777)
        with pytest.raises(InputError, match="is no folder of this user alone"):
            temporary_folder("takes")
        root.chmod(0o700)
        assert temporary_folder("takes")
        mine = os.getuid()
        monkeypatch.setattr(files.os, "getuid", lambda: mine + 1)
        root.rename(place / f"lope-{mine + 1}")
        with pytest.raises(InputError, match="is no folder of this user alone"):
            temporary_folder("takes")

    def test_a_file_in_its_place_is_told(self, place):
        (place / f"lope-{os.getuid()}").write_text("x", encoding="utf-8")
        with pytest.raises(InputError):
            temporary_folder("takes")


WRITES = {"write_text", "write_bytes", "savez", "savez_compressed", "gettempdir", "copyfile"}
KNOWN = {
    "addon/files.py", "addon/commands/installation.py",  # they make the folders, and look at the one for temporary files
    "addon/batch/steps.py", "addon/batch/verdict.py",  # into a folder of their own, whose files are then put in place
    "operators/takes.py",  # a take's copy, under a name that nobody can guess, which is then renamed, never over another
    "addon/rigs/shots/open_rig.py",  # into a folder of its own that goes at once
    "addon/rows.py",  # into temporary files without a name
    "addon/motions/pressure/files.py",  # to the name that `written_whole` gives
}
"""Modules that write otherwise, and why."""


@pytest.mark.slow
def test_every_module_writes_files_whole():
    """By what they call: only a few write with anything but `addon/files.py`."""
    guilty = set()
    for room in ("addon", "operators", "panels"):
        for path in (ROOT / room).rglob("*.py"):
            called = {node.func.attr for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                      if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}
            if called & WRITES:
                guilty.add(path.relative_to(ROOT).as_posix())
    assert guilty == KNOWN


def test_equal_arrays_still_give_equal_files(tmp_path):
    from lope.addon.archives import write_archive

    for name in ("a.npz", "b.npz"):
        write_archive(tmp_path / name, "take", {"x": 1}, {"y": np.arange(5)})
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
