# SPDX-License-Identifier: GPL-3.0-or-later
"""Locked footprints: the plan's neighbours move along, the simulated foot lands there, what is out of reach is refused."""

import json
import math

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.locomotion.gait.walk.path import NEIGHBOURS
from lope.addon.options.motion_options import footprint_from
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import Footprint, PathSpec
from lope.addon.specs.shot import Shot, World
from lope.addon.worlds.planets import load_world
from shot_kit import gait_shot

MORE = pytest.mark.acceptance

SHOT = Shot(duration_s=6.0)
PLAN = preview(SHOT)


def moved(number, along=0.0, across=0.0, yaw_deg=None, plan=PLAN):
    """A lock of a footprint of a plan, moved [m]."""
    x, y = plan.footstep_m[number, :2]
    return Footprint(number, float(x) + along, float(y) + across, yaw_deg)


def locked(*footprints, shot=SHOT):
    return shot.with_motion(footprints=footprints)


def test_no_footprints_change_nothing():
    assert np.array_equal(preview(locked()).com_m, PLAN.com_m)


def test_a_lock_where_the_plan_has_it_keeps_the_plan():
    plan = preview(locked(moved(5)))
    assert np.allclose(plan.footstep_m, PLAN.footstep_m, atol=1e-12)
    assert np.allclose(plan.com_m, PLAN.com_m, atol=1e-9)


def test_neighbours_take_their_share_of_a_move_and_others_stay():
    shifts = preview(locked(moved(5, 0.15, -0.06))).footstep_m - PLAN.footstep_m
    shares = [0.0, 0.0, 0.0, 1 / 3, 2 / 3, 1.0, 2 / 3, 1 / 3, 0.0]
    assert np.allclose(shifts[:9, 0], np.multiply(shares, 0.15), atol=1e-9)
    assert np.allclose(shifts[:9, 1], np.multiply(shares, -0.06), atol=1e-9)
    assert shares.index(1.0) - NEIGHBOURS == 2


def test_the_way_of_the_body_follows_the_moved_footprints():
    sideways = preview(locked(moved(5, across=0.1))).com_m[:, 1] - PLAN.com_m[:, 1]
    assert 0.03 < sideways.max() < 0.1
    assert abs(sideways[0]) < 1e-3


def test_locks_next_to_each_other_stay_where_they_are_put():
    plan = preview(locked(moved(4, 0.05, 0.02), moved(5, -0.05), moved(8, 0.1)))
    shifts = plan.footstep_m - PLAN.footstep_m
    assert np.allclose(shifts[[4, 5, 8], 0], [0.05, -0.05, 0.1], atol=1e-9)
    assert np.allclose(shifts[[6, 7], 0], [0.0, 0.05], atol=1e-9)


def test_a_direction_turns_one_foot_alone():
    plan = preview(locked(moved(4, yaw_deg=20.0)))
    turned = plan.footstep_heading_rad - PLAN.footstep_heading_rad
    assert math.degrees(turned[4]) == pytest.approx(20.0)
    assert np.allclose(np.delete(turned, 4), 0.0)


def test_on_a_circle_neighbours_move_along_with_the_way():
    shot = Shot(motion=Gait(path=PathSpec("circle", radius_m=3.0), speed_m_s=1.0), duration_s=6.0)
    plan = preview(shot)
    left = np.array([-np.sin(plan.footstep_heading_rad[6]), np.cos(plan.footstep_heading_rad[6])])
    after = preview(locked(moved(6, *(0.06 * left), plan=plan), shot=shot))
    distance = [math.hypot(x, y - 3.0) for x, y in after.footstep_m[5:8, :2]]
    before = [math.hypot(x, y - 3.0) for x, y in plan.footstep_m[5:8, :2]]
    assert np.subtract(before, distance) == pytest.approx([0.04, 0.06, 0.04], abs=2e-3)


@pytest.mark.parametrize("footprints, message", [
    ((moved(5, 2.0),), r"Footprint 5 cannot be at 5\.\d\d, -0\.0\d: the step from footprint 2 to 3 would be 1\.\d\d m long"),
    ((moved(6, -2.5),), r"would go 0\.\d\d m back|would be 1\.\d\d m long"),
    ((moved(6, 0.0, 1.2),), r"m wide, and the legs reach 0\.32 m. On the way .* as far as \d\.\d\d, 0\.\d\d\."),
    ((moved(6, 0.0, -0.5),), r"would cross the other leg; the feet must stay 3 cm apart"),
    ((moved(5, 2.0), moved(6)), r"Footprint 5 cannot be at"),
    ((moved(5, yaw_deg=60.0),), r"Footprint 5 cannot face 60 degrees: on its way there it can face from -30 to 30"),
])
def test_what_the_legs_cannot_reach_is_refused(footprints, message):
    with pytest.raises(InputError, match=message):
        preview(locked(*footprints))


def test_the_place_named_in_a_refusal_is_in_reach():
    with pytest.raises(InputError) as refusal:
        preview(locked(moved(6, 0.6, 0.9)))
    x, y = (float(v) for v in str(refusal.value).rsplit("as far as ", 1)[1].rstrip(".").split(", "))
    start, wish = PLAN.footstep_m[6, :2], PLAN.footstep_m[6, :2] + (0.6, 0.9)
    far = np.hypot(*(np.array([x, y]) - start))
    assert 0.1 < far < 0.6 * np.hypot(*(wish - start))
    back = 0.01 * (start - (x, y)) / far
    preview(locked(Footprint(6, x + back[0], y + back[1])))


@pytest.mark.parametrize("number, message", [
    (0, "number must be a whole number between 1 and"), (1.0, "whole number"), (True, "whole number"), (-1, "whole number"),
])
def test_a_footprint_refuses_its_number(number, message):
    with pytest.raises(InputError, match=message):
        Footprint(number, 0.0, 0.0)


def test_a_footprint_refuses_a_place_that_is_no_number():
    with pytest.raises(InputError, match="Footprint 3's place must lie between"):
        Footprint(3, math.nan, 0.0)
    with pytest.raises(InputError, match="Footprint 3's direction must be a number in degrees"):
        Footprint(3, 0.0, 0.0, "left")


@pytest.mark.parametrize("changes, message", [
    ({"footprints": (Footprint(3, 2.0, 0.0), Footprint(3, 2.1, 0.0))}, "Footprint 3 is locked twice"),
    ({"footprints": (Footprint(3, 2.0, 0.0),), "start": "standing"}, "only in a shot that begins and ends moving"),
    ({"footprints": (Footprint(3, 2.0, 0.0),), "world": World(gravity_ramp=((2.0, 5.0),))}, "only where gravity stays"),
])
def test_a_shot_refuses_footprints(changes, message):
    with pytest.raises(InputError, match=message):
        gait_shot(**changes)


def test_gaits_that_leave_the_ground_take_none():
    with pytest.raises(InputError, match="Only walking gaits take locked footprints"):
        preview(Shot(motion=Gait("lope", footprints=(Footprint(3, 2.0, 0.0),))))


def test_footprints_travel_with_the_shot():
    shot = locked(moved(3, 0.1), moved(5, 0.0, 0.02, 10.0))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    old = {k: v for k, v in SHOT.to_dict().items() if k != "footprints"}
    assert Shot.from_dict(old) == SHOT


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize("world, seconds, number, along, across", [
    ("earth", 4.5, 5, -0.15, 0.08), pytest.param("moon", 7.0, 4, 0.15, -0.08, marks=MORE)])
def test_the_simulated_foot_lands_on_its_print(world, seconds, number, along, across):
    shot = Shot(world=load_world(world), duration_s=seconds)
    lock = moved(number, along, across, plan=preview(shot))
    take = simulate(locked(lock, shot=shot))
    assert not take.fell
    assert stood_at(take, number) == pytest.approx((lock.x_m, lock.y_m), abs=0.05)
    free = stood_at(simulate(shot), number)
    assert np.hypot(free[0] - lock.x_m, free[1] - lock.y_m) > 0.1


def stood_at(take, number):
    """Where the ankle of the foot that landed as `number` is half a step later [m]."""
    begin, end = take.plan_footstep_time_s[number - 1:number + 1]
    side = "LR"[int(take.plan_footstep_side[number - 1])]
    sample = int(np.searchsorted(take.time_s, 0.5 * (begin + end)))
    return take.segment_poses[0][sample, take.body.index[f"foot_{side}"], :2]


def test_footprints_on_the_command_line():
    assert footprint_from("5,3.6,-0.1") == Footprint(5, 3.6, -0.1)
    assert footprint_from("5,3.6,-0.1,10") == Footprint(5, 3.6, -0.1, 10.0)
    for text in ("5,3.6", "five,1,2", "1.5,2,3", "", "1,2,3,4,5"):
        with pytest.raises(InputError, match="A footprint is written N,X,Y"):
            footprint_from(text)
