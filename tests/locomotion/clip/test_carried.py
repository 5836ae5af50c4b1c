# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip as people would go it under another gravity: its steps, its carriage, and what of it stays."""

import math

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.gaits.people import carriage, stride_change
from lope.addon.locomotion.clip.carried import carried
from lope.addon.locomotion.clip.clip import FollowedClip
from lope.addon.specs.motions import PEOPLE, STRIDE_TIME, Clip
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2 as EARTH
from lope.addon.specs.shot import BodySpec

BODY = make_body(BodySpec())
MOON = 1.62


def gliding(heading):
    """A body that glides upright at 1.2 m/s, its ankles swinging by 0.3 m to and fro beside it."""
    times = np.arange(361) / 120.0
    direction = np.array([math.cos(heading), math.sin(heading)])
    root = np.column_stack([1.2 * times[:, None] * direction, np.full(361, 0.95)])
    turn = np.array([math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)])
    side = np.array([-direction[1], direction[0]])
    ankle = np.stack([np.column_stack([root[:, :2] + sign * (0.3 * np.sin(6.0 * times)[:, None] * direction + 0.1 * side),
                                       np.full(361, 0.07)]) for sign in (1.0, -1.0)], axis=1)
    joints = np.tile([1.0, 0.0, 0.0, 0.0], (361, len(BODY.joint_segments), 1))
    zeros = np.zeros((361, 2))
    return FollowedClip("made up", BODY, 1.0 / 120.0, 1.0, root, np.tile(turn, (361, 1)), joints, root.copy(), ankle,
                        np.tile(turn, (361, 2, 1)), zeros, zeros, ())


@pytest.mark.parametrize("heading", [0.0, 1.1])
@pytest.mark.parametrize("gravity", [MOON, 24.79])
def test_steps_change_along_the_way_alone(heading, gravity):
    clip = gliding(heading)
    found, length = carried(clip, gravity), stride_change(gravity).length
    assert np.linalg.norm(np.ptp(found.root_m[:, :2], axis=0)) == pytest.approx(
        length * np.linalg.norm(np.ptp(clip.root_m[:, :2], axis=0)), rel=1e-6)
    apart, before = ((one.ankle_m[:, 0] - one.ankle_m[:, 1])[:, :2] for one in (found, clip))
    direction = np.array([math.cos(heading), math.sin(heading)])
    side = np.array([-direction[1], direction[0]])
    assert apart @ side == pytest.approx(before @ side, abs=1e-6)
    assert apart @ direction == pytest.approx(length * (before @ direction), abs=1e-6)


def test_arms_are_held_out_and_the_trunk_leans_as_the_planet_has_it():
    own, found = carriage(MOON, False), carried(gliding(0.0), MOON)
    positions, orientations = found.poses()
    chest = orientations[100, BODY.index["chest"]]
    assert 2.0 * math.degrees(math.asin(chest[2])) == pytest.approx(own.lean_deg, abs=0.2)
    hands = positions[100, [BODY.index["hand_L"], BODY.index["hand_R"]], 1]
    before = gliding(0.0).poses()[0][100, [BODY.index["hand_L"], BODY.index["hand_R"]], 1]
    assert hands[0] > before[0] + 0.1 and hands[1] < before[1] - 0.1


@pytest.mark.parametrize("gravity", [0.1 * EARTH, MOON, 3.71, EARTH, 24.79])
def test_the_time_of_a_shot_is_that_of_peoples_strides(gravity):
    ratio = gravity / EARTH
    assert Clip("a.bvh", time=PEOPLE).time_scale(ratio, 1.0) == pytest.approx(stride_change(gravity).time, rel=2e-3)
    assert STRIDE_TIME[0] > STRIDE_TIME[1]


def test_controllers_that_know_no_other_steps_go_in_the_planets_time():
    lee, planet = Clip("a.bvh", controller="lee"), Clip("a.bvh", controller="lee", time="planet")
    assert lee.time_scale(0.165, 1.1) == planet.time_scale(0.165, 1.1) and not lee.as_people
