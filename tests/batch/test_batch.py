# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch with real processes and no Blender: done once, done on after kills, failing shots on their own, full disks."""

import json
import os
import signal

import pytest

from batch_kit import batch, children_of, is_gone, small_disk, stages_done, start_batch, words_of, write_list  # noqa: F401
from lope.addon.batch.made import Made
from lope.addon.batch.state import DONE, State, state_file
from lope.addon.cli import main
from lope.addon.sim.take import Take

pytestmark = pytest.mark.slow

TWO = """
[defaults]
seconds = 0.5
bake = false
[[shots]]
name = "moon"
world = "moon"
[[shots]]
name = "earth"
world = "earth"
"""
BOTH = [("earth", "report"), ("earth", "simulate"), ("moon", "report"), ("moon", "simulate")]


def test_a_list_is_done_once_and_changes_are_done_alone(tmp_path):
    path = write_list(tmp_path, TWO)
    code, report, _ = batch(path, "--dry-run")
    assert (code, report["stages"]) == (0, 4) and report["seconds"] > 0.0 and not (tmp_path / "list-out").exists()
    code, report, events = batch(path, "--workers", "2")
    assert (code, words_of(report), stages_done(events)) == (0, {"moon": "passed", "earth": "passed"}, BOTH)
    folder = tmp_path / "list-out" / "moon"
    assert sorted(p.name for p in folder.iterdir()) == ["card.txt", "report.json", "take.npz"]
    assert json.loads((folder / "report.json").read_text())["measures"]["gravity_m_s2"] == 1.62
    assert "physics card" in (folder / "card.txt").read_text()
    assert Take.load(folder / "take.npz").shot.world.name == "moon"

    code, report, events = batch(path)
    assert (code, stages_done(events)) == (0, []), "nothing is left to do"
    (folder / "card.txt").unlink()
    assert stages_done(batch(path)[2]) == [("moon", "report")], "a lost output is made again, and nothing else"
    path.write_text(TWO.replace('world = "earth"', 'world = "earth"\nseconds = 0.6'), encoding="utf-8")
    assert stages_done(batch(path)[2]) == BOTH[:2], "only the shot that changed"
    assert stages_done(batch(path, "--redo", "--only", "moon")[2]) == BOTH[2:]


def test_status_tells_and_changes_nothing(tmp_path):
    path = write_list(tmp_path, TWO)
    code, report, _ = batch(path, "--status")
    assert code == 2 and set(words_of(report).values()) == {"to do"} and os.listdir(tmp_path) == ["list.toml"]


BAD = """
[defaults]
seconds = 0.5
bake = false
[[shots]]
name = "good"
world = "moon"
[[shots]]
name = "no-rig"
rig = "none.blend"
[[shots]]
name = "too-fast"
speed = 9.0
[[shots]]
name = "no-clip"
motion = "none.bvh"
[[shots]]
name = "falls"
push = ["0.1,0.3,0,4000,0"]
seconds = 2
[[shots]]
name = "gate"
friction = 0.3
seconds = 1.5
min_card = "green"
"""


def test_bad_shots_have_their_sentences_and_the_good_one_passes(tmp_path):
    path = write_list(tmp_path, BAD)
    code, report, events = batch(path, "--workers", "2")
    said = {shot["name"]: shot["sentence"] for shot in report["shots"]}
    assert code == 2
    assert words_of(report) == {"good": "passed", "no-rig": "failed", "too-fast": "failed", "no-clip": "failed",
                                "falls": "fell", "gate": "gate"}
    assert "none.blend" in said["no-rig"] and "is not there" in said["no-rig"]
    assert "9 m/s is outside what walk can do" in said["too-fast"]
    assert "none.bvh" in said["no-clip"] and "fell after" in said["falls"] and "green is asked for" in said["gate"]
    assert {event["shot"] for event in events if event["event"] == "failed"} == {"no-rig", "too-fast", "no-clip"}
    _, _, events = batch(path)
    assert stages_done(events) == [], "a fall is a result: it is not simulated again"
    assert {event["shot"] for event in events if event["event"] == "failed"} == {"no-rig", "too-fast", "no-clip"}


def test_a_fall_alone_is_exit_code_1(tmp_path):
    path = write_list(tmp_path, '[[shots]]\nname = "falls"\nbake = false\nseconds = 2\npush = ["0.1,0.3,0,4000,0"]\n')
    code, report, _ = batch(path)
    assert (code, words_of(report)) == (1, {"falls": "fell"})
    assert (tmp_path / "list-out" / "falls" / "take.npz").is_file(), "the fall can be looked at"


def test_a_bad_list_runs_nothing(tmp_path, capfd):
    assert main(["batch", str(write_list(tmp_path, TWO.replace("seconds", "secnods")))]) == 2
    out, err = capfd.readouterr()
    assert out == "" and "line 3" in err and "Did you mean 'seconds'" in err
    assert os.listdir(tmp_path) == ["list.toml"]


def wait_for(process, stage: str, event: str = "begin") -> None:
    """Read the batch's events until one has happened."""
    for line in process.stderr:
        if line.startswith("{"):
            told = json.loads(line)
            if (told["event"], told["stage"]) == (event, stage):
                return
    raise AssertionError(f"the batch ended before {event} {stage}")


@pytest.mark.acceptance
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the processes are watched by way of /proc")
def test_kills_lose_nothing_and_nothing_is_done_twice(tmp_path):
    """kill -9 in a simulation, and again after the first result: the children go, and the next run does the rest only."""
    path = write_list(tmp_path, TWO.replace("0.5", "1"))
    for stage, event in (("simulate", "begin"), ("report", "done")):
        process = start_batch(path, "--json", "--workers", "1")
        wait_for(process, stage, event)
        children = children_of(process)
        process.kill()
        process.communicate()
        assert children and all(is_gone(child) for child in children), "no child outlives its batch"
    code, report, _ = batch(path)
    assert (code, words_of(report)) == (0, {"moon": "passed", "earth": "passed"})
    code, report, _ = batch(path, "--status")
    assert (code, report["done_twice"]) == (0, 0) and report["attempts"] > 4
    state = State(state_file(path), Made(tmp_path / "list-out"))
    assert sum(states.get(DONE, 0) for states in state.counts().values()) == 4
    state.close()
    assert {p.name for p in (tmp_path / "list-out").rglob(".*")} == {".lope", ".lope.lock"}, "nothing half made is left"
    for name in ("moon", "earth"):
        assert not Take.load(tmp_path / "list-out" / name / "take.npz").fell


@pytest.mark.acceptance
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the processes are watched by way of /proc")
def test_a_child_that_answers_no_more_is_ended_and_told(tmp_path):
    path = write_list(tmp_path, TWO.replace("0.5", "600", 1).replace('world = "earth"', 'world = "earth"\nseconds = 0.5'))
    process = start_batch(path, "--json", "--workers", "1", "--patience", "0.2")
    wait_for(process, "simulate", "progress")
    children = children_of(process)
    for child in children:
        os.kill(child, signal.SIGSTOP)
    out, _ = process.communicate()
    report = json.loads(out)
    assert (process.returncode, words_of(report)) == (2, {"moon": "failed", "earth": "passed"})
    assert "Nothing was heard of this stage for 0.2 min" in report["shots"][0]["sentence"]
    assert children and all(is_gone(child) for child in children)


def test_a_second_batch_is_refused_and_a_stop_ends_the_first(tmp_path):
    path = write_list(tmp_path, TWO.replace("0.5", "600"))
    first = start_batch(path, "--json", "--workers", "1")
    wait_for(first, "simulate")
    second = start_batch(path)
    out, err = second.communicate()
    assert (second.returncode, out) == (2, "") and f"process {first.pid}" in err
    assert words_of(batch(path, "--status")[1])["moon"] == "to do"
    first.terminate()
    first.communicate()
    assert first.returncode == 130
    state = State(state_file(path), Made(tmp_path / "list-out"))
    assert {attempt.state for attempt in state.latest().values()} == {"killed"}
    state.close()


def test_a_full_disk_is_one_shots_matter(tmp_path, small_disk):  # noqa: F811
    text = TWO.replace("[defaults]", f'out = "{small_disk}"\n[defaults]')
    text = text.replace('name = "moon"', 'name = "moon"\nseconds = 3')
    code, report, _ = batch(write_list(tmp_path, text), "--workers", "1")
    assert (code, words_of(report)) == (2, {"moon": "failed", "earth": "passed"})
    assert "No space left" in report["shots"][0]["sentence"]
    assert os.listdir(small_disk / "moon") == [], "the room is given back"


def test_a_busy_machine_takes_longer_where_the_list_has_no_figures_of_its_own(monkeypatch):
    from lope.addon.batch import schedule as predict

    monkeypatch.setattr(predict.os, "getloadavg", lambda: (2.0 * (os.cpu_count() or 1), 0.0, 0.0), raising=False)
    assert predict.slowed() == 3.0
    per = predict.rates([("bake", 8.0, {"amount": 4.0})], predict.slowed())
    assert per["bake"] == 2.0 and per["render"] == 3.0 * predict.SECONDS_PER["render"]
