# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check same_takes: which shots are made, and what counts as the same."""

import json
import sys
import zipfile

import pytest

from lope.scripts.suites import check, same_takes


@pytest.fixture
def two(tmp_path):
    """Two folders, each with the same take and the same table."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        write_take(tmp_path / name / "a.npz", b"1", {"steps": 4}, shot=name)
        (tmp_path / name / "b.csv").write_text("1,2\n", encoding="utf-8")
    return tmp_path


def write_take(path, array, stats, shot):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("time_s.npy", array)
        archive.writestr("take.json", json.dumps({"shot": shot, "stats": stats}))


def compared(folder, monkeypatch, name="same-takes"):
    """The exit code of `scripts/check` for the two folders."""
    monkeypatch.setattr(sys, "argv", ["scripts/check", name, "compare", str(folder / "old"), str(folder / "new")])
    return check.main()


def test_takes_are_the_same_where_arrays_and_statistics_are(two, monkeypatch, capsys):
    assert compared(two, monkeypatch) == 0 and compared(two, monkeypatch, "same_takes") == 0
    write_take(two / "new" / "a.npz", b"2", {"steps": 5}, shot="new")
    (two / "old" / "b.csv").unlink()
    assert compared(two, monkeypatch) == 1
    said = capsys.readouterr().out
    assert "a.npz: time_s.npy, steps" in said and f"b.csv: only in {two / 'new'}" in said


def test_shots_without_clips_and_those_that_a_shot_reads_from():
    every, without = same_takes.shots("", clips=True), same_takes.shots("", clips=False)
    assert len(every) > len(without) > 100
    assert not any(word.startswith("clips/") for words in without.values() for word in words)
    name, words = next((name, words) for name, words in every.items() if any(word in every for word in words))
    assert {name, *(word for word in words if word in every)} <= same_takes.shots(name, clips=True).keys()
