# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots that go on from the end of a take: pose, velocity, place and heading; what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.sim.sequence import after_take
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world
from shot_kit import shot_with

pytestmark = pytest.mark.slow

WALK = Shot(duration_s=1.1)


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """A take of a walk on its way to the left, and its file."""
    take = simulate(WALK.with_motion(path=PathSpec(heading_deg=30.0)))
    path = tmp_path_factory.mktemp("takes") / "walk.npz"
    take.save(path)
    return take, path


@pytest.fixture(scope="module")
def gone_on(walked):
    return simulate(WALK.with_motion(after=after_take(walked[1])))


def test_the_shot_starts_as_the_take_ends(walked, gone_on):
    take, _ = walked
    for name in ("root_position_m", "root_quaternion", "joint_quaternions"):
        assert np.abs(getattr(take, name)[-1] - getattr(gone_on, name)[0]).max() < 1e-6
    assert gone_on.com_velocity_m_s[0] == pytest.approx(take.com_velocity_m_s[-1], abs=1e-9)
    assert (gone_on.com_velocity_m_s[1] - gone_on.com_velocity_m_s[0]) == pytest.approx(
        take.com_velocity_m_s[-1] - take.com_velocity_m_s[-2], abs=0.05)


def test_it_goes_on_in_the_take_s_direction(gone_on):
    way = gone_on.com_m[-1, :2] - gone_on.com_m[0, :2]
    assert np.degrees(np.arctan2(way[1], way[0])) == pytest.approx(30.0, abs=2.0)
    assert np.linalg.norm(way) / gone_on.time_s[-1] == pytest.approx(1.28, rel=0.05)


def test_nothing_jumps_between_the_shots(walked, gone_on):
    """Off where it would have gone on evenly, nothing is by more than 3 degrees and 2 cm in the first sample; and a frame on,
    all but the swinging leg is within 1.5 cm of where it would be had the take gone on by itself."""
    take = walked[0]
    parts = [(part.segment_poses[0][rows], part.joint_quaternions[rows]) for part, rows in (
        (take, slice(-2, None)), (gone_on, slice(1, 2)))]
    places, turns = (np.concatenate(pair) for pair in zip(*parts, strict=True))
    assert np.abs(np.diff(places, 2, axis=0)).max() < 0.01
    went = 2.0 * np.arccos(np.clip(np.abs((turns[1:] * turns[:-1]).sum(axis=-1)), 0.0, 1.0))
    assert np.degrees(np.abs(np.diff(went, axis=0)).max()) < 2.5
    whole, first = simulate(replace(take.shot, duration_s=1.3)), len(take.time_s) - 1
    rows = first + 3, int(np.argmin(np.abs(gone_on.time_s - (whole.time_s[first + 3] - whole.time_s[first]))))
    off = np.linalg.norm(whole.segment_poses[0][rows[0]] - gone_on.segment_poses[0][rows[1]], axis=-1)
    swinging = ("shank_R", "foot_R", "toes_R")
    assert max(off[i] for i, segment in enumerate(take.body.segments) if segment.name not in swinging) < 0.01


def test_the_same_shot_after_the_same_take_is_the_same_motion(walked, gone_on):
    again = simulate(WALK.with_motion(after=after_take(walked[1])))
    assert all(np.array_equal(again.arrays[name], gone_on.arrays[name]) for name in gone_on.arrays)


def test_a_shot_with_its_take_travels_as_json(walked):
    shot = WALK.with_motion(after=after_take(walked[1]))
    assert Shot.from_dict(shot.to_dict()) == shot
    assert "after" not in WALK.to_dict() and "keys" not in WALK.to_dict()


def test_a_take_that_has_changed_is_refused(walked, tmp_path):
    copy = tmp_path / "copy.npz"
    copy.write_bytes(walked[1].read_bytes())
    after = after_take(copy)
    simulate(replace(WALK, duration_s=0.6)).save(copy)
    with pytest.raises(InputError, match="has changed since this shot was made"):
        Simulation(WALK.with_motion(after=after))


@pytest.mark.parametrize(("other", "sentence"), [
    ({"body": BodySpec(height_m=1.7)}, "of another body"), ({"start": "standing"}, "ends moving")])
def test_what_does_not_fit_the_take_is_refused(walked, other, sentence):
    with pytest.raises(InputError, match=sentence):
        Simulation(shot_with(replace(WALK.motion, after=after_take(walked[1])), duration_s=WALK.duration_s, **other))


def test_nobody_goes_on_from_a_fall(tmp_path):
    simulate(Shot(duration_s=3.0, pushes=(Push(0.2, 0.3, (0.0, 900.0, 0.0)),))).save(tmp_path / "fall.npz")
    with pytest.raises(InputError, match="does not end on its feet"):
        after_take(tmp_path / "fall.npz")


def test_a_take_holds_the_velocities_of_its_end_and_what_goes_on_has_them(walked):
    first, then = Simulation(walked[0].shot), Simulation(WALK.with_motion(after=after_take(walked[1])))
    while first.time_s < WALK.duration_s - 1e-9:
        first.step()
    np.testing.assert_array_equal(first.engine.qvel, walked[0].stats["end_velocity"])
    np.testing.assert_array_equal(then.engine.qvel, first.engine.qvel)


def test_takes_from_before_that_go_on_by_their_last_samples(walked, tmp_path):
    old = replace(walked[0], stats={name: value for name, value in walked[0].stats.items() if name != "end_velocity"})
    old.save(tmp_path / "old.npz")
    then = Simulation(WALK.with_motion(after=after_take(tmp_path / "old.npz")))
    off = np.abs(then.engine.qvel - walked[0].stats["end_velocity"])
    assert 0.0 < off.max() < 8.0 and np.median(off) < 0.1  # toes turn fast


def cut_and_gone_on(whole, cut_s, folder):
    """Half a second that goes on from a shot's take cut at a time, and the whole take's row at that time."""
    simulate(replace(whole.shot, duration_s=cut_s)).save(folder / "cut.npz")
    then = simulate(replace(whole.shot.with_motion(after=after_take(folder / "cut.npz")), duration_s=0.5))
    return then, int(np.abs(whole.time_s - cut_s).argmin())


def test_a_run_goes_on_in_the_midst_of_its_push_off(tmp_path):
    """Its foot rolls on over its toes: 20 ms later they are turned as in the run that was not cut."""
    whole = simulate(Shot(motion=Gait("run"), duration_s=1.5))
    lifts = whole.event_time_s[(whole.event_kind == 1) & (whole.event_time_s > 1.0)]
    then, row = cut_and_gone_on(whole, round(float(lifts[0]) - 0.05, 2), tmp_path)
    turns = whole.segment_poses[1][row + 2], then.segment_poses[1][2]
    assert np.degrees(2.0 * np.arccos(np.minimum(np.abs((turns[0] * turns[1]).sum(axis=-1)), 1.0))).max() < 2.5
    assert abs(whole.com_m[row + 8, 2] - then.com_m[8, 2]) < 0.006


@pytest.mark.acceptance
def test_a_lope_goes_on_out_of_the_end_of_a_flight_as_it_would_have(tmp_path):
    """Cut 20 ms before a touch-down, where its footholds are chosen: 80 ms later it stands as the one that was not cut."""
    lope = Gait("lope", law=PEOPLE, style=Style(variation=0.0))  # who goes on draws new steps
    whole = simulate(Shot(motion=lope, world=load_world("moon"), duration_s=3.4))
    strikes = whole.event_time_s[(whole.event_kind == 0) & (whole.event_time_s > 1.6)]
    then, row = cut_and_gone_on(whole, round(float(strikes[0]) - 0.02, 2), tmp_path)
    assert np.linalg.norm(whole.segment_poses[0][row + 8] - then.segment_poses[0][8], axis=-1).max() < 0.01
