# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a batch: what a kill leaves behind is finished or done anew, and only one batch holds a list."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lope.addon.batch.made import Made, clear_left_overs
from lope.addon.batch.state import DONE, DROPPED, FAILED, KILLED, RUNNING, WRITTEN, State, held, state_file
from lope.addon.errors import InputError

pytestmark = pytest.mark.slow


def made_of(out, *names):
    """The results in a folder of which these are Lope's."""
    made = Made(out)
    for name in names:
        made._note(out / name, out / name)
    return made


def names(folder):
    """The names of all that stands in a folder but for Lope's notes."""
    return [path.name for path in folder.rglob("*") if ".lope" not in path.parts]


@pytest.fixture
def state(tmp_path):
    opened = State(tmp_path / "state.sqlite", Made(tmp_path))
    yield opened
    opened.close()


def test_an_attempt_that_goes_well(state, tmp_path):
    (tmp_path / "half").write_text("whole")
    attempt = state.begin("shot", "simulate", "key")
    assert state.latest()["shot", "simulate"].state == RUNNING
    state.finish(attempt, {"fell": False}, [(tmp_path / "half", tmp_path / "out")])
    last = state.latest()["shot", "simulate"]
    assert (last.state, last.key, last.report) == (DONE, "key", {"fell": False})
    assert last.seconds >= 0.0 and (tmp_path / "out").read_text() == "whole" and not (tmp_path / "half").exists()
    assert state.counts() == {("shot", "simulate", "key"): {DONE: 1}}


def test_a_killed_attempt_is_no_result(state, tmp_path):
    state.begin("shot", "simulate", "key")
    again = State(state.path, state.made)
    again.recover()
    assert again.latest()["shot", "simulate"].state == KILLED
    again.close()


@pytest.mark.parametrize("renamed", [False, True])
def test_a_kill_between_writing_and_renaming_loses_nothing(state, tmp_path, monkeypatch, renamed):
    """Killed after the outputs were whole, before or after the first of two was renamed: the next run only renames."""
    work = tmp_path / f".work-{'0a' * 16}"
    work.mkdir()
    moves = [(work / "a", tmp_path / "a"), (work / "b", tmp_path / "b")]
    for source, _ in moves:
        source.write_text(source.name)

    def killed(attempt, plain):
        if renamed:
            state.made.put_in_place(*moves[0])
        raise SystemExit

    monkeypatch.setattr(state, "_settle", killed)
    attempt = state.begin("shot", "bake", "key")
    with pytest.raises(SystemExit):
        state.finish(attempt, {}, moves)
    assert state.latest()["shot", "bake"].state == WRITTEN
    again = State(state.path, state.made)
    again.recover()
    assert again.latest()["shot", "bake"].state == DONE
    assert [target.read_text() for _, target in moves] == ["a", "b"]
    again.close()


def test_failing_and_dropping(state):
    state.fail(state.begin("a", "simulate", "k"), "It fell apart.", "a long story")
    state.finish(state.begin("b", "simulate", "k"), {}, [])
    state.drop(state.latest()["b", "simulate"].id)
    failed, dropped = state.latest()["a", "simulate"], state.latest()["b", "simulate"]
    assert (failed.state, failed.sentence, failed.detail) == (FAILED, "It fell apart.", "a long story")
    assert dropped.state == DROPPED


def test_a_folder_takes_the_place_of_a_folder(tmp_path):
    for name in ("new", "old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text("")
    made = made_of(tmp_path, "old")
    made.put_in_place(tmp_path / "new", tmp_path / "old")
    assert names(tmp_path) == ["old", "new"]
    made.put_in_place(tmp_path / "new", tmp_path / "old")  # it has happened already
    assert (tmp_path / "old" / "new").exists()


def test_a_kill_while_a_folder_takes_anothers_place_leaves_nothing_behind(tmp_path, monkeypatch):
    for name in ("new", "old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text("")
    made, real, renamed = made_of(tmp_path, "old"), Path.replace, []

    def killed(path, target):
        if path.suffix == ".part":
            real(path, target)
            return
        if renamed:
            raise SystemExit
        renamed.append(real(path, target))

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(SystemExit):
        made.put_in_place(tmp_path / "new", tmp_path / "old")
    monkeypatch.setattr(Path, "replace", real)
    made.put_in_place(tmp_path / "new", tmp_path / "old")  # as the next run does, which then tidies up
    clear_left_overs(tmp_path)
    assert names(tmp_path) == ["old", "new"]


def test_a_state_of_the_future_and_a_file_that_is_none(tmp_path):
    future = State(tmp_path / "a.sqlite", Made(tmp_path))
    future._db.execute("PRAGMA user_version=99")
    future.close()
    with pytest.raises(InputError, match="newer Lope"):
        State(tmp_path / "a.sqlite", Made(tmp_path))
    (tmp_path / "b.sqlite").write_text("these are no tables, but words, and many of them " * 30)
    with pytest.raises(InputError, match="cannot be used"):
        State(tmp_path / "b.sqlite", Made(tmp_path))


def test_a_list_is_held_once(tmp_path):
    path = tmp_path / "night.toml"
    script = ("import sys\nfrom pathlib import Path\nfrom lope.addon.batch.state import held\n"
              "from lope.addon.errors import InputError\n"
              "try:\n    with held(Path(sys.argv[1]), Path(sys.argv[1]).with_name('out')):\n        print('held')\n"
              "        sys.stdin.read()\n"
              "except InputError as error:\n    print(error)\n")

    def start() -> subprocess.Popen:
        words = [sys.executable, "-c", script, path]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    first = start()
    assert first.stdout.readline() == "held\n"
    with pytest.raises(InputError, match="another list.*another \"out\""), held(tmp_path / "other.toml", tmp_path / "out"):
        pass
    second = start()
    said = second.communicate("")[0]
    assert f"process {first.pid}" in said and "--status" in said
    state = State(state_file(path), Made(tmp_path))  # reading is allowed meanwhile
    assert state.holder()[0] == first.pid
    state.close()
    first.kill()
    first.wait()
    with held(path, tmp_path / "out") as mine:
        assert mine.holder()[0] == os.getpid()


def test_a_folder_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="writable"), held(tmp_path / "none" / "night.toml", tmp_path):
        pass
