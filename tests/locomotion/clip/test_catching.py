# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips that are given up for a stand and taken up again: when, where, and whole shots."""

import dataclasses

import numpy as np
import pytest

from follow_kit import BODY, captured, walk_clip, walk_plan
from lope.addon.errors import ClipError
from lope.addon.locomotion.clip.balance import Landing
from lope.addon.locomotion.clip.over_standing import catching as entering
from lope.addon.locomotion.clip.over_standing.catching import entry_s, out_of_reach
from lope.addon.locomotion.clip.over_standing.motion import Resting, prints_at
from lope.addon.locomotion.clip.settings import shot_controls
from lope.addon.locomotion.clip.shot_plan import cut_to_clip, moved, shot_plan
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.disturbances import Hit
from lope.addon.specs.motions import Clip
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow


def caught(clip, push=None, **more):
    """A shot of somebody who follows a clip and is to be caught."""
    pushes = () if push is None else (Push(*push),)
    return Shot(motion=Clip(str(clip), catch=True, until_end=True), pushes=pushes, **more)


def planned(shot):
    return shot_plan(shot, BODY, shot_controls(shot).clip_plan)


def test_a_landing_that_misses_or_strays_is_out_of_reach():
    assert not out_of_reach(Landing(0.1 + 0j, 0.1 + 0j, 0j), 0.9)
    assert out_of_reach(Landing(0.1 + 0j, 0.5 + 0j, 0j), 0.9)
    assert out_of_reach(Landing(0.8 + 0j, 0.8 + 0j, 0j), 0.9)


def test_a_plan_is_moved_as_a_whole():
    before = planned(caught(walk_clip()))
    after = moved(before, 1.0 - 2.0j)
    assert after.plan.com.at(0.7).place == pytest.approx(before.plan.com.at(0.7).place + 1.0 - 2.0j)
    assert after.plan.prints["L"][1].place == pytest.approx(before.plan.prints["L"][1].place + 1.0 - 2.0j)
    assert np.allclose(after.plan.clip.root_m - before.plan.clip.root_m, [1.0, -2.0, 0.0])
    assert np.allclose(after.plan.track.at([0.5])[0].root_m, before.plan.track.at([0.5])[0].root_m)


def test_a_walk_that_goes_on_cannot_be_taken_up_from_a_stand():
    _, can = entry_s(walk_plan(), 1.0, 1.0)
    assert not can


def test_nobody_can_be_caught_whose_feet_never_both_stand(monkeypatch):
    monkeypatch.setattr(entering, "prints_at", lambda plan, time_s: None)
    with pytest.raises(ClipError, match="walk can be caught: its feet never both stand. Hit or push less hard"):
        entry_s(walk_plan(), 1.0, 1.0)


def test_feet_that_both_stand_only_later_and_not_for_long_are_waited_for(monkeypatch):
    monkeypatch.setattr(entering, "_both_stand", lambda plan, time_s: False)
    monkeypatch.setattr(entering, "prints_at", lambda plan, time_s: {} if time_s > 1.5 else None)
    time_s, can = entry_s(walk_plan(), 1.0, 1.0)
    assert 1.5 < time_s < 1.54 and not can


def test_who_rests_goes_from_the_pose_that_was_to_the_one_that_is_taken_up():
    plan = walk_plan()
    both = next(time for time in np.arange(0.5, 2.0, 0.01).tolist() if prints_at(plan, time))
    motion = Resting(plan, 1.0, 0.3, both, 0.5)
    assert np.allclose(motion.instant(0.0).joints, plan.track.at([0.3])[0].joints)
    motion.go(0.6)
    assert motion.there and np.allclose(motion.instant(0.0).joints, plan.track.at([both])[0].joints)
    assert motion.moment().velocity == 0j


def test_a_shot_gets_time_for_every_push_and_hit():
    shot = caught(walk_clip(), (1.0, 0.2, (10.0, 0.0, 0.0)))
    plan = planned(shot)
    once, twice = (cut_to_clip(one, plan).duration_s for one in (shot, dataclasses.replace(shot, hits=(Hit(),))))
    assert once == pytest.approx(plan.duration_s + 5.0 * plan.slow, abs=1e-3)
    assert twice - once == pytest.approx(once - plan.duration_s, abs=2e-3)
    assert cut_to_clip(dataclasses.replace(shot, motion=Clip(str(walk_clip()))), plan).duration_s < once


@pytest.mark.acceptance
def test_a_walk_shoved_too_hard_ends_in_a_stand_and_says_so():
    take = simulate(caught(walk_clip(), (1.2, 0.2, (-250.0, 0.0, 0.0))))  # at 300 N hips alone may do it, by the processor
    stats = take.stats
    assert not take.fell and stats["steps_taken"] >= 1 and stats["strategy"] in ("step", "steps")
    assert len(stats["handed_over_s"]) == 1 and 1.2 < stats["handed_over_s"][0] < 1.6 and stats["spliced_back_s"] == []
    assert np.linalg.norm(take.com_velocity_m_s[-1]) < 0.1
    ankles = [take.segment_poses[0][-1, [s.name for s in take.body.segments].index(f"foot_{side}")] for side in "LR"]
    assert np.hypot(*(ankles[0] - ankles[1])[:2]) < 0.5 * take.body.leg_length_m  # beside each other, in no stride
    found = measure(take)
    assert (found["handed_over_s"], found["spliced_back_s"]) == (stats["handed_over_s"], []) and found["steps_taken"] >= 1


def test_a_walk_that_nobody_pushes_is_followed_to_its_end():
    take = simulate(caught(walk_clip()))
    assert not take.fell and take.stats["handed_over_s"] == [] and take.stats["strategy"] == "clip"


def test_a_kick_is_given_up_and_the_clip_goes_on_behind_it():
    take = simulate(caught(captured("snu_kick_low"), (1.5, 0.1, (300.0, 0.0, 0.0))))
    stats = take.stats
    assert not take.fell and len(stats["handed_over_s"]) == len(stats["spliced_back_s"]) == 1
    assert stats["spliced_back_s"][0] > stats["handed_over_s"][0] + 0.5
    assert stats["followed_fraction"] == pytest.approx(1.0, abs=0.01) and take.com_m[-1, 0] > 0.2
