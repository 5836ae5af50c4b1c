# SPDX-License-Identifier: GPL-3.0-or-later
"""Driving: the clock, what is on disk while it goes, the words of the protocol, and the take that is left."""

import json
import time

import pytest

from lope.addon.children.protocol import Task
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.jobs.job import CANCELLED, DONE, FAILED, RUNNING, Job
from lope.addon.jobs.wheel import ANEW, DRIVING, FELL, GO, PUSH, READY, STEER
from lope.addon.sim.drive_script import read_script
from lope.addon.sim.live import MOST_OWED_S, NOTED_S, VIEW_S, Clock, Drive, live
from lope.addon.sim.take import Take
from lope.addon.specs.motions import AUTO, Gait, Moves
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0
PUSHED = {"duration_s": 0.2, "force_n": [0.0, 50.0, 0.0], "segment": "chest"}
FELLED = {"duration_s": 0.4, "force_n": [0.0, 1500.0, 0.0], "segment": "chest"}


def until(job, arrived):
    end = time.monotonic() + PATIENCE_S
    while not arrived():
        assert time.monotonic() < end, f"waited in vain: {job.state} {job.error} {job.view}"
        job.poll()
        time.sleep(0.005)


@pytest.fixture
def wheel(tmp_path):
    """A drive's process, ready to go."""
    job = Job(Task("drive", Shot(motion=Gait(AUTO, speed_m_s=1.2)).to_dict(), str(tmp_path / "take.npz"),
                   {"script": str(tmp_path / "one.drive")}))
    job.start()
    until(job, lambda: job.view or job.ended)
    assert job.view["state"] == READY and job.view["time_s"] == 0.0
    yield job
    job.close()


def at(job, time_s):
    until(job, lambda: job.view["time_s"] >= time_s or job.ended)


def test_the_clock_asks_for_what_has_passed_and_lets_go_what_cannot_be_made_good():
    clock = Clock(10.0)
    assert clock.due(10.0 + VIEW_S) == pytest.approx(VIEW_S)
    clock.went(10.0 + VIEW_S, VIEW_S, VIEW_S)
    assert clock.due(15.0) == pytest.approx(2.0 * VIEW_S), "not all at once: something is to be seen meanwhile"
    clock.went(15.0, 2.0 * VIEW_S, 3.0 * VIEW_S)
    assert clock.due(15.0) <= MOST_OWED_S


def test_a_slow_machines_clock_is_told():
    clock, time_s = Clock(0.0), 0.0
    for frame in range(1, 100):
        due = clock.due(frame / 30.0)
        time_s += 0.5 * due
        clock.went(frame / 30.0, 0.5 * due, time_s)
    assert clock.rate() == pytest.approx(0.5, abs=0.05)


GAIT = Shot(motion=Gait(AUTO, speed_m_s=1.2))
MOVES = Shot(motion=Moves())


def driven(tmp_path, shot=GAIT):
    """A drive of 1.5 s, not ended: slower at 0.5 s, a push at 0.8 s."""
    drive = Drive(shot, tmp_path / "one.drive")
    words = [(0.5, lambda: drive.steer({"speed_m_s": 0.9})), (0.8, lambda: drive.push(PUSHED))]
    while drive.simulation.time_s < 1.5:
        if words and words[0][0] <= drive.simulation.time_s:
            words.pop(0)[1]()
        drive.go(VIEW_S)
    return drive


@pytest.mark.parametrize("shot", [GAIT, MOVES], ids=["gait", "moves"])
def test_the_script_gives_the_take_byte_for_byte(shot, tmp_path, capsys):
    drive = driven(tmp_path, shot)
    drive.end().save(tmp_path / "driven.npz")
    drive.close()
    for script in ("one.drive", "driven.npz"):
        assert main(["drive", "--script", str(tmp_path / script), "--out", str(tmp_path / "again.npz"), "--json"]) == 0
        assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "driven.npz").read_bytes()
    take = Take.load(tmp_path / "driven.npz")
    assert take.shot.duration_s == pytest.approx(1.5, abs=VIEW_S) and len(take.shot.pushes) == 1
    assert take.shot.motion.steering[0].wish == {"speed_m_s": 0.9} and json.loads(capsys.readouterr().out.splitlines()[-1])


def test_a_drive_that_is_cut_short_loses_less_than_a_second(tmp_path):
    """Even where the last line is half written, and a push was under way."""
    drive = driven(tmp_path)
    drive.push(PUSHED)
    path = tmp_path / "one.drive"
    with path.open("a", encoding="utf-8") as file:
        file.write('{"time_')
    shot = read_script(path)
    drive.close()
    assert 1.5 - 2.0 * NOTED_S < shot.duration_s <= drive.simulation.time_s + PUSHED["duration_s"]
    assert len(shot.pushes) == 2 and len(shot.motion.steering) == 1
    assert shot.pushes[-1].start_s + shot.pushes[-1].duration_s <= shot.duration_s


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "is no drive"), ('{"shot": {}}\n', "is no drive"),
    ('{"drive": 1, "shot": {}}\nno\n{"end_s": 2}\n', "Line 2 .* is no JSON"),
    ('{"drive": 1, "shot": {}}\n{"steer": {"time_s": 1}}\n', "Line 2 .* does not fit in a drive: The steering at 1 s wishes"),
])
def test_what_is_no_drive_is_told(tmp_path, text, sentence):
    (tmp_path / "x.drive").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        read_script(tmp_path / "x.drive")
    with pytest.raises(InputError, match="no drive to be read"):
        read_script(tmp_path / "absent.drive")


def test_a_live_shot_has_no_end_of_its_own():
    shot = live(
        Shot(
            motion=Gait(stop="standing", start="standing", retry=True), duration_s=5.0, pushes=(Push(1.0, 0.2, (9.0, 0.0, 0.0)),)
        )
    )
    assert (shot.motion.stop, shot.motion.start, shot.motion.retry, shot.pushes) == ("moving", "standing", False, ())


def test_words_reach_the_wheel_and_poses_come_back(wheel, tmp_path):
    wheel.tell(GO)
    at(wheel, 0.3)
    number = wheel.tell(STEER, {"speed_m_s": 1.0})
    told = time.monotonic()
    until(wheel, lambda: wheel.view["heard"] >= number)
    assert time.monotonic() - told < 1.0 and wheel.view["state"] == DRIVING
    assert len(wheel.view["root_m"]) == 3 and {len(turn) for turn in wheel.view["turns"]} == {4}
    wheel.tell(STEER, {"turn_rad_s": 0.5})
    until(wheel, lambda: wheel.view["refused"])
    assert "cannot be steered by turn_rad_s" in wheel.view["refused"]
    wheel.tell(PUSH, PUSHED)
    at(wheel, 1.0)
    wheel.finish()
    until(wheel, lambda: wheel.ended)
    assert wheel.state == DONE and wheel.report["drive"]["clock_rate"] > 0.0 and wheel.report["fell"] is False
    shot = Take.load(tmp_path / "take.npz").shot
    assert read_script(tmp_path / "one.drive") == shot and len(shot.motion.steering) == len(shot.pushes) == 1


def test_a_fall_waits_for_what_is_to_become_of_it(wheel):
    wheel.tell(GO)
    at(wheel, 0.1)
    wheel.tell(PUSH, FELLED)
    until(wheel, lambda: wheel.view["state"] == FELL)
    wheel.tell(ANEW)
    until(wheel, lambda: wheel.view["state"] == DRIVING)
    at(wheel, 0.1)
    assert wheel.state == RUNNING and not wheel.view["fell"]


def test_giving_up_leaves_no_take(wheel, tmp_path):
    wheel.tell(GO)
    at(wheel, 0.2)
    wheel.cancel()
    until(wheel, lambda: wheel.ended)
    assert wheel.state == CANCELLED and not (tmp_path / "take.npz").exists()


def test_a_killed_process_leaves_its_drive_to_be_recovered(wheel, tmp_path):
    wheel.tell(GO)
    at(wheel, 0.3)
    wheel.tell(STEER, {"speed_m_s": 1.0})
    at(wheel, 1.4)
    came = wheel.view["time_s"]
    wheel._child.kill()
    until(wheel, lambda: wheel.ended)
    assert wheel.state == FAILED
    shot = read_script(tmp_path / "one.drive")
    assert shot.duration_s > came - 1.0 and len(shot.motion.steering) == 1


@pytest.mark.acceptance
@pytest.mark.slow
def test_an_acceleration_of_ones_own_brings_a_walk_on_the_moon_sooner_to_the_speed_wished_for(tmp_path):
    from lope.addon.locomotion.gait.changes import ACCELERATION_G, MOST_ACCELERATION_G, acceleration_g
    from lope.addon.worlds.planets import load_world

    went = []
    for asked in (None, 0.8):
        shot = Shot(world=load_world("moon"), motion=Gait("walk", speed_m_s=0.4, acceleration_m_s2=asked))
        assert acceleration_g(shot) == (ACCELERATION_G if asked is None else MOST_ACCELERATION_G)
        drive = Drive(shot, tmp_path / f"{asked}.json")
        try:
            drive.go(3.0)
            drive.steer({"speed_m_s": 1.1})
            began = drive.pose()["root_m"][0]
            drive.go(6.0)
            pose = drive.pose()
            assert not pose["fell"]
            went.append(pose["root_m"][0] - began)
        finally:
            drive.close()
    assert went[1] > 1.25 * went[0]
