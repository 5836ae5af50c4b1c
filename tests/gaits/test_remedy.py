# SPDX-License-Identifier: GPL-3.0-or-later
"""What is advised after a fall: one change, the likeliest first, and an end to it."""

import dataclasses

import pytest

from lope.addon.bodies.creature.template import find_creature
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.gaits.ranges import feasible_range
from lope.addon.gaits.remedy import Remedy, remedy
from lope.addon.reports.rules import HALF, STRONGER, rules_of
from lope.addon.specs.motions import Creature, CreatureGait, Gait, KeyPoses, Reflex
from lope.addon.specs.muscles import Actuation, load_condition, scaled
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world
from shot_kit import shot_with

pytestmark = pytest.mark.slow

LEG_M = 0.9
MOON = Shot(world=load_world("moon"), duration_s=20.0)


def advised(fell_s=5.0, planned=0.5, **more):
    shot = shot_with(more.pop("motion", Gait()), world=MOON.world, duration_s=MOON.duration_s, **more)
    return remedy(shot, fell_s, planned, LEG_M)


def test_a_push_shortly_before_is_to_blame():
    push = (Push(3.0, 0.2, (0.0, 90.0, 0.0)),)
    assert advised(pushes=push) == Remedy("push_share", 0.6)
    assert advised(fell_s=2.0, pushes=push).field != "push_share", "it came after the fall"
    assert advised(fell_s=19.0, pushes=push).field != "push_share", "it was long over"


def test_what_was_asked_beside_the_speed_goes_first():
    assert advised(stride_frequency_hz=1.5, noise=0.3) == Remedy("stride_frequency_hz", None)
    assert advised(noise=0.3) == Remedy("noise", 0.0)


def test_key_poses_fall_for_the_suit_first():
    walk = KeyPoses(gait=load_pose_gait("walk"))
    assert advised(motion=walk, suit="mark-iii") == Remedy("suit", "none")
    assert advised(motion=walk) != Remedy("suit", "none")


def test_reflexes_are_asked_for_no_other_speed_or_gait():
    assert advised(motion=Reflex(speed_m_s=1.0)) is None
    assert advised(motion=Reflex(), noise=0.3) == Remedy("noise", 0.0)


def test_a_creature_is_first_searched_a_gait_of_its_own_then_goes_slower():
    own = CreatureGait("dino", "ostrich", 1.0, MOON.world.gravity_m_s2, leg_length_m=0.6)
    body = BodySpec(kind="creature", creature=find_creature("ostrich"))
    shot = dataclasses.replace(MOON, body=body, motion=Creature(own))
    search = Remedy("creature", None)
    assert remedy(shot, 5.0, 1.0, LEG_M) == Remedy("speed_m_s", 0.85)
    assert remedy(shot, 5.0, 0.55, LEG_M) == search, "slower is no way of its own"
    for other in (None, dataclasses.replace(own, creature="dino"), dataclasses.replace(own, gravity_m_s2=9.81)):
        shot = shot.with_motion(gait=other)
        assert remedy(shot, 5.0, 1.0, LEG_M) == search


def test_a_speed_outside_the_range_comes_into_it():
    low, high = feasible_range("walk", MOON.world.gravity_m_s2, LEG_M)
    assert low < advised(speed_m_s=3.0, planned=3.0).value < high
    assert low < advised(speed_m_s=0.5 * low, planned=0.5 * low).value < high


@pytest.mark.parametrize("gait", ["walk", "run", "lope"])
def test_trying_again_and_again_ends(gait):
    shot = MOON.with_motion(name=gait, speed_m_s=2.5)
    tried = []
    while (found := remedy(shot, 5.0, shot.motion.speed_m_s, LEG_M)) is not None and found.field == "speed_m_s":
        tried.append(found.value)
        shot = shot.with_motion(speed_m_s=found.value)
        assert len(tried) < 12
    low, high = feasible_range(gait, MOON.world.gravity_m_s2, LEG_M)
    assert tried and all(low <= speed <= high for speed in tried[1:])
    assert found == (None if gait == "walk" else Remedy("gait", "walk"))


def test_a_clip_has_no_range_and_goes_slower():
    assert advised(file="somebody.bvh", planned=1.0) == Remedy("speed_m_s", 0.85)
    assert remedy(MOON.with_motion(file="somebody.bvh"), 5.0, None, LEG_M) is None


def test_muscles_are_helped_first_by_half_of_the_condition_then_by_strength_then_by_torques():
    limp = load_condition("trendelenburg")
    assert advised(actuation=Actuation(), condition=limp) == Remedy("condition_share", 0.5)
    assert advised(motion=Reflex(), condition=limp) == Remedy("condition_share", 0.5)
    assert advised(actuation=Actuation(), condition=scaled(limp, 0.05)) == Remedy("strength", 1.5)
    assert advised(actuation=Actuation(strength=1.5)) == Remedy("actuation", None)
    assert advised(speed_m_s=3.0, actuation=Actuation(), condition=limp).field == "speed_m_s", "nobody walks so"
    advice = {rule.name: rule.advice for rule in rules_of(dataclasses.replace(MOON, actuation=Actuation(), condition=limp))}
    assert advice["fall"] == HALF
    assert next(rule for rule in rules_of(dataclasses.replace(MOON, actuation=Actuation()))).advice == STRONGER


def test_no_speed_is_offered_that_fell_already():
    _, high = feasible_range("walk", MOON.world.gravity_m_s2, LEG_M)
    offered = advised(planned=0.95 * high)
    assert offered.field == "speed_m_s"
    found = remedy(MOON, 5.0, 0.95 * high, LEG_M, (0.95 * high, offered.value, 0.7 * high, 1.1 * high))
    assert found is None
