# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed and gait keyed over a shot."""

from dataclasses import replace

import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError, TooShort
from lope.addon.gaits.choice import with_gait
from lope.addon.locomotion.controller import parts_of
from lope.addon.locomotion.gait.changes import ACCELERATION_G, SpeedRamp
from lope.addon.options.motion_options import key_from
from lope.addon.sim.simulation import Simulation, preview, simulate
from lope.addon.specs.motions import AUTO, Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.specs.steering import Key, keyed_speed
from lope.addon.worlds.planets import load_world

MORE = pytest.mark.acceptance

RAMP = (Key(1.0, None, 1.0), Key(2.0, "run"), Key(3.0, None, 3.0))


@pytest.mark.parametrize(("time_s", "speed"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (9.0, 3.0)])
def test_speed_goes_evenly_from_key_to_key(time_s, speed):
    assert keyed_speed(RAMP, time_s, 0.0, 0.5) == pytest.approx(speed)
    assert keyed_speed((Key(1.0, "run"),), time_s, 0.0, 0.5) is None


@pytest.mark.parametrize("text, key", [("3,lope", Key(3.0, "lope")), ("5, 1.4", Key(5.0, None, 1.4)),
                                       ("3,run,3.2", Key(3.0, "run", 3.2)), ("3,3.2,run", Key(3.0, "run", 3.2))])
def test_keys_are_read_as_they_are_written(text, key):
    assert key_from(text) == key


@pytest.mark.parametrize("text", ["", "3", "run,3", "3,run,walk", "3,1,2", "3,"])
def test_other_texts_are_no_keys(text):
    with pytest.raises(InputError, match="A key is written"):
        key_from(text)


@pytest.mark.parametrize(("keys", "sentence"), [
    ((Key(2.0, "run"), Key(2.0, "walk")), "does not come after"), ((Key(12.0, "run"),), "within the shot")])
def test_keys_follow_one_another_within_the_shot(keys, sentence):
    with pytest.raises(InputError, match=sentence):
        Shot(motion=Gait(keys=keys))
    with pytest.raises(InputError, match="asks for nothing"):
        Key(1.0)


def test_each_gait_is_a_part_and_only_the_last_one_stops():
    parts = parts_of(
        Shot(motion=Gait(speed_m_s=1.1, start="standing", stop="standing", keys=(Key(3.0, "run"), Key(6.0, "walk"))))
    )
    assert [
        (part.from_s, part.shot.motion.name, part.shot.motion.speed_m_s, part.shot.motion.start, part.shot.motion.stop)
        for part in parts
    ] == [
        (0.0, "walk", 1.1, "standing", "moving"),
        (3.0, "run", None, "moving", "moving"),
        (6.0, "walk", None, "moving", "standing"),
    ]
    shot = Shot(motion=Gait(keys=(Key(1.0, None, 1.2),)))
    assert [part.shot for part in parts_of(shot)] == [shot]


def test_an_open_gait_changes_where_people_change():
    """On Earth between a Froude number of 0.45 and 0.55: 1.98 to 2.18 m/s with this leg, in the middle 2.08."""
    shot = with_gait(Shot(motion=Gait(AUTO, speed_m_s=1.0, keys=(Key(4.0, None, 3.0),))), make_body(BodySpec()))
    change = next(key for key in shot.motion.keys if key.gait is not None)
    assert shot.motion.name == "walk" and change.gait == "run"
    assert keyed_speed(shot.motion.keys, change.time_s, 0.0, 1.0) == pytest.approx(2.08, abs=0.1)


@pytest.mark.parametrize(("keys", "sentence"), [
    ((Key(2.0, "lop"),), "Did you mean 'lope'"), ((Key(2.0, "hop"),), "skipping and hopping"),
    ((Key(2.0, None, 5.0),), "outside what walk can do"), ((Key(2.0, "run", 0.5),), "outside what run can do")])
def test_what_cannot_be_gone_is_refused_before_the_start(keys, sentence):
    with pytest.raises(InputError, match=sentence):
        Simulation(Shot(motion=Gait(keys=keys)))


@pytest.mark.slow
@pytest.mark.parametrize("make", [Simulation, preview])
def test_a_stop_too_soon_after_its_keys_is_refused_before_the_start(make):
    shot = Shot(
        motion=Gait(stop="standing", keys=(Key(3.0, "lope"), Key(6.0, "walk"))), world=load_world("moon"), duration_s=10.0
    )
    with pytest.raises(TooShort, match="With these keys.* needs at least") as refused:
        make(shot)
    assert refused.value.needs_s == pytest.approx(16.0, abs=0.5)  # simulated: the last foot is down after 13, quiet for 3
    make(replace(shot, duration_s=refused.value.needs_s))
    make(shot.with_motion(stop="moving"))


def test_a_walk_comes_to_another_speed_over_some_steps():
    ramp, told = SpeedRamp(1.0, 1.5), []
    for _ in range(200):
        told.append(ramp.follow(0.01, 9.81))
    first = next(i for i, speed in enumerate(told) if speed is not None)
    assert told[first] - 1.0 == pytest.approx(ACCELERATION_G * 9.81 * 0.01 * (first + 1))
    assert [speed for speed in told if speed is not None][-1] == 1.5 and ramp.settled


@pytest.mark.acceptance
@pytest.mark.slow
def test_a_walk_is_as_fast_as_its_keys_say():
    take = simulate(Shot(motion=Gait(speed_m_s=1.0, keys=(Key(1.0, None, 1.0), Key(3.0, None, 1.6))), duration_s=11.0))
    assert not take.fell and take.stats["planned_speed_m_s"] == pytest.approx(1.6)
    end = take.time_s > 5.0  # six seconds: over two of them varied strides are off by up to 6 %
    assert take.com_velocity_m_s[end, 0].mean() == pytest.approx(1.6, rel=0.05)
    assert take.com_velocity_m_s[take.time_s < 1.0, 0].mean() == pytest.approx(1.0, rel=0.07)


def test_a_plan_that_slows_down_waits_for_a_body_that_is_too_fast():
    ramp = SpeedRamp(2.0, 1.0)
    assert all(ramp.follow(0.1, 9.81, 2.3) is None for _ in range(10)) and ramp.speed_m_s == 2.0
    assert ramp.follow(0.1, 9.81, 2.1) == pytest.approx(2.0 - ACCELERATION_G * 0.981)


@pytest.mark.slow
@pytest.mark.parametrize("height_m", [1.78, pytest.param(1.25, marks=MORE)])
def test_a_run_becomes_a_walk(height_m):
    take = simulate(Shot(motion=Gait("run", keys=(Key(0.5, "walk"),)), duration_s=6.5, body=BodySpec(height_m=height_m)))
    assert not take.fell and take.stats["gait_at_end"] == "walk"
    late = take.time_s > 5.5
    assert take.contact[late].any(axis=1).all() and take.com_velocity_m_s[late, 0].mean() < 1.6


@pytest.mark.slow
def test_a_run_brakes_on_the_steps_of_the_speed_it_has():
    """Steps timed for the speed wished for are too long for a faster body, which leaves its leg's reach before their end."""
    simulation = Simulation(Shot(motion=Gait("run", keys=(Key(0.3, "walk"),)), duration_s=2.0))
    run = simulation.controller.planner
    while simulation.time_s < 1.0 or run.clock.grounded:
        simulation.step()
    assert run.brakes and run.wish.speed_m_s < 0.75 * run.gait.speed_m_s
    assert run.gait.speed_m_s == pytest.approx(simulation.state.com_velocity[0], rel=0.03)


@pytest.mark.acceptance
def test_a_whole_motion_walk_lope_stop_on_the_moon():
    """The longest of all: 30 s."""
    motion = Gait(stop="standing", law="people", keys=(Key(3.0, "lope"),))
    take = simulate(Shot(motion=motion, world=load_world("moon"), duration_s=30.0))
    assert not take.fell and take.stats["gait_at_end"] == "lope"
    flights = ~take.contact.any(axis=1)
    assert flights[(take.time_s > 8.0) & (take.time_s < 13.0)].mean() > 0.4
    still = take.time_s > 29.0
    assert take.contact[still].all() and abs(take.com_velocity_m_s[still, :2]).max() < 0.03


@pytest.mark.slow
def test_a_walk_becomes_a_run():
    take = simulate(Shot(motion=Gait(keys=(Key(0.8, "run"),)), duration_s=5.0))
    assert not take.fell and take.stats["gait_at_end"] == "run"
    flights = ~take.contact.any(axis=1)
    assert flights[take.time_s > 3.0].mean() > 0.28
    assert not flights[(take.time_s > 0.1) & (take.time_s < 0.8)].any()  # nothing is felt yet in the first samples
