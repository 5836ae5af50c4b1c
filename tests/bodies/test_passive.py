# SPDX-License-Identifier: GPL-3.0-or-later
"""Relaxed joints: a human's as measured, mirrored and by size, and those of a body of which nothing is known but its limits."""

import numpy as np
import pytest

from body_kit import creature
from lope.addon.bodies.body import kind_of
from lope.addon.bodies.human.anthropometry import JOINTS
from lope.addon.bodies.makers import make_body
from lope.addon.errors import BodyError
from lope.addon.specs.shot import BodySpec

pytestmark = pytest.mark.slow

ADULT, CHILD = make_body(BodySpec()), make_body(BodySpec(1.1, 20.0))


@pytest.mark.parametrize("body", [ADULT, creature(3, hip="ball")], ids=["human", "creature"])
def test_every_joint_is_loose_about_its_neutral_angle_and_within_its_limits(body):
    for name in body.joint_segments:
        joint, segment = body.passive_joint(name), body.segment(name)
        low, high = segment.limits_rad
        assert (joint.low < joint.rest + 1e-9).all() and (joint.rest < joint.high + 1e-9).all(), name
        assert min(joint.stiffness_nm, joint.end_nm, joint.damping_nms) > 0.0, name
        if segment.joint == "hinge":
            assert joint.low[0] > low and joint.high[0] < high, name
        else:
            assert max(np.abs(joint.low).max(), np.abs(joint.high).max()) <= high + 0.35 and (joint.low < 0.0).all(), name


def test_every_joint_of_a_human_is_in_the_table():
    assert {kind_of(name) for name in ADULT.joint_segments} == set(JOINTS)


def test_left_and_right_are_mirrored():
    left, right = ADULT.passive_joint("thigh_L"), ADULT.passive_joint("thigh_R")
    assert np.allclose(right.low, [-left.high[0], left.low[1], -left.high[2]])
    assert np.allclose(right.rest, left.rest * [-1.0, 1.0, -1.0])


def test_moments_go_with_mass_times_length():
    ratio = CHILD.passive_joint("shank_L").end_nm / ADULT.passive_joint("shank_L").end_nm
    assert ratio == pytest.approx(20.0 / 75.0 * 1.1 / 1.8, rel=0.01)


def test_a_relaxed_knee_swings_as_in_the_pendulum_test():
    # Bajd and Vodovnik 1984: shank and foot of a relaxed adult swing with a tenth to a fifth of critical damping.
    shank = creature(2).passive_joint("lower_0")
    inertia = 2.0 * 0.15**2 + 2.0 * 0.3**2 / 12.0 * 2.2 / 3.0
    moment = 2.0 * 9.81 * 0.15
    assert 0.1 <= shank.damping_nms / (2.0 * np.sqrt(moment * inertia)) <= 0.21


def test_a_segment_that_is_not_there():
    with pytest.raises(BodyError, match="no segment 'tail'"):
        creature(2).passive_joint("tail")
