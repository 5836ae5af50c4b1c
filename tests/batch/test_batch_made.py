# SPDX-License-Identifier: GPL-3.0-or-later
"""What a batch may replace and take away: what it made in its own folder of results, and nothing else."""

import json
import shutil
import sqlite3

import pytest

import pretended_children
from lope.addon.batch.made import Made
from lope.addon.batch.plan import plan_list
from lope.addon.batch.shot_list import read_list
from lope.addon.batch.state import DONE, RUNNING, State, held, state_file
from lope.addon.batch.status import dry_run
from lope.addon.errors import InputError, JobError
from lope.addon.farm.one_stage import run_stage
from pretended_children import Pretended, work

pretended = pretended_children.pretended
WORK = f".work-{'0a' * 16}"


def planted(state, source, target):
    """A row that says that a killed run has still to rename something."""
    attempt = state.begin("shot", "simulate", "key")
    row = ("written", json.dumps([[str(source), str(target)]]), attempt)
    state._write(lambda db: db.execute("UPDATE attempt SET state=?, moves=? WHERE id=?", row))


@pytest.fixture
def home(tmp_path):
    """A folder with a user's own files, a folder of results among them."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "novel.txt").write_text("long")
    (tmp_path / ".bashrc").write_text("mine")
    (tmp_path / "out" / "shot" / WORK).mkdir(parents=True)
    (tmp_path / "out" / "shot" / WORK / "take.npz").write_text("a take")
    (tmp_path / "out" / "shot" / "film.mp4").write_text("my film")
    (tmp_path / "out" / "link").symlink_to(tmp_path / "notes")
    (tmp_path / "out" / "shot" / f".frames-{'7f' * 16}").symlink_to(tmp_path / "notes")
    return tmp_path


@pytest.mark.parametrize(("source", "target"), [
    (f"out/shot/{WORK}/take.npz", ".bashrc"), (f"out/shot/{WORK}/take.npz", "out/shot/../../.bashrc"),
    (f"out/shot/{WORK}/take.npz", "out/link/novel.txt"), ("notes", "out/shot/frames"), (".bashrc", "out/shot/take.npz"),
    (f"out/shot/.frames-{'7f' * 16}", "out/shot/frames"), (f"out/shot/.frames-{'7f' * 16}/novel.txt", "out/shot/novel.txt"),
    ("out/shot/film.mp4", "out/shot/frames"), (f"out/shot/{WORK}/take.npz", "out/take.npz"),
    (f"out/shot/{WORK}/take.npz", "out"), (f"out/shot/{WORK}/take.npz", "out/shot/.."),
    (f"out/shot/{WORK}/take.npz", "out/shot/film.mp4")])
def test_a_planted_state_moves_nothing_but_the_batchs_own_results(home, source, target):
    before = {path: path.read_text() for path in home.rglob("*") if path.is_file()}
    state = State(home / "night.toml.sqlite", Made(home / "out"))
    planted(state, home / source, f"{home}/{target}")
    with pytest.raises(InputError, match="move"):
        state.recover()
    state.close()
    after = {path: path.read_text() for path in home.rglob("*") if path.is_file() and "sqlite" not in path.name}
    assert after == before


def test_a_killed_runs_own_results_are_put_in_their_place(home):
    state = State(home / "night.toml.sqlite", Made(home / "out"))
    planted(state, home / "out" / "shot" / WORK / "take.npz", home / "out" / "shot" / "take.npz")
    state.recover()
    assert (home / "out" / "shot" / "take.npz").read_text() == "a take"
    assert {attempt.state for attempt in state.latest().values()} == {DONE}
    state.close()


@pytest.mark.parametrize("column", ["report", "moves"])
def test_a_state_that_holds_garbage_is_a_sentence(tmp_path, column):
    state = State(tmp_path / "night.toml.sqlite", Made(tmp_path))
    state.begin("shot", "simulate", "key")
    state._write(lambda db: db.execute(f"UPDATE attempt SET {column}='[3'"))
    with pytest.raises(InputError, match="cannot be used"):
        state.latest()
    state.close()


def test_a_first_batch_leaves_what_is_the_users_and_says_so_before_it_begins(pretended):
    shot = pretended.parent / "list-out" / "g-mia-run-moon"
    (shot / "frames").mkdir(parents=True)
    (shot / "frames" / "mine.png").write_text("mine")
    for call in (work, lambda path: dry_run(plan_list(read_list(path)), 1, False)):
        with pytest.raises(InputError, match=r"frames is not as Lope wrote it.*another \"out\""):
            call(pretended)
    assert Pretended.log == [] and [path.name for path in shot.rglob("*")] == ["frames", "mine.png"]
    shutil.rmtree(shot)
    work(pretended)
    assert (shot / "frames" / "frame_0001.png").is_file()


@pytest.mark.parametrize("changed", ["baked.blend", "frames/notes.txt"])
def test_what_the_user_changed_since_is_his(pretended, changed):
    work(pretended)
    Pretended.log.clear()
    mine = pretended.parent / "list-out" / "g-mia-run-moon" / changed
    mine.write_text("mine")
    work(pretended)  # it is done, whatever the user makes of it
    with pytest.raises(InputError, match="is not as Lope wrote it"):
        work(pretended, redo=True)
    assert mine.read_text() == "mine" and [kind for kind, _ in Pretended.log] == ["rig"]


def test_what_comes_while_a_batch_is_at_work_stays(pretended):
    film = pretended.parent / "list-out" / "g-mia-run-moon" / "baked.blend"

    def tell(event):
        if (event["event"], event["shot"], event["stage"]) == ("begin", "g-mia-run-moon", "bake"):
            film.write_text("mine")

    report, text, code = work(pretended, 1, tell)
    assert code == 2 and film.read_text() == "mine" and "is not as Lope wrote it" in text
    assert [shot["word"] for shot in report["shots"]].count("passed") == 7


def test_a_folder_of_results_that_leads_elsewhere_is_refused(pretended, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / WORK).mkdir()
    (pretended.parent / "list-out").mkdir()
    (pretended.parent / "list-out" / "g-mia-run-moon").symlink_to(elsewhere)
    with pytest.raises(InputError, match="leads out of the folder of the results"):
        work(pretended)
    assert (elsewhere / WORK).is_dir() and Pretended.log == []


def test_a_farms_stage_leaves_what_is_the_users(pretended):
    shot = next(shot for shot in plan_list(read_list(pretended)).shots if shot.name == "g-astronaut-walk-moon")
    shot.folder.mkdir(parents=True)
    (shot.folder / "take.npz").write_text("mine")
    with pytest.raises((InputError, JobError), match="is not as Lope wrote it"):
        run_stage(shot, "simulate", lambda share, words: None)
    assert (shot.folder / "take.npz").read_text() == "mine"


def test_a_farms_stage_that_tells_nothing_is_ended(tmp_path):
    path = tmp_path / "night.toml"
    path.write_text('[[shots]]\nname = "a"\nseconds = 600\nbake = false\n')
    shot = plan_list(read_list(path)).shots[0]
    with pytest.raises(JobError, match="Nothing was heard of this stage"):
        run_stage(shot, "simulate", lambda share, words: None, patience_s=0.01)
    assert not list(shot.folder.iterdir())


def test_a_batch_of_another_list_cannot_use_the_same_results_at_once(pretended):
    out = pretended.parent / "list-out"
    other = pretended.with_name("other.toml")
    other.write_text('out = "list-out"\n' + pretended.read_text())
    with held(pretended, out) as state:
        attempt = state.begin("g-mia-run-moon", "simulate", "key")
        half = out / "g-mia-run-moon" / WORK
        half.mkdir(parents=True)
        with pytest.raises(InputError, match="another list"):
            work(other)
        assert half.is_dir() and state.latest()["g-mia-run-moon", "simulate"].id == attempt
        assert state.latest()["g-mia-run-moon", "simulate"].state == RUNNING
    assert not state_file(other).exists()


@pytest.mark.parametrize("lock", ["list.toml.lock", "list-out/.lope.lock"])
def test_a_lock_that_is_something_else_is_a_sentence(pretended, lock):
    file = pretended.parent / lock
    file.parent.mkdir(exist_ok=True)
    file.write_text("these are no tables, but words, and many of them " * 30)
    with pytest.raises(InputError, match=r"lock goes, and holds something else: move it away\."):
        work(pretended)
    assert file.read_text().startswith("these")
    file.unlink()
    sqlite3.connect(file).close()  # what a batch that was killed leaves is no lock
    work(pretended)
