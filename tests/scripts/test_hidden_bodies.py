# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/suites/follow.py: bodies with a load or a leg that the controller does not know, and other legs."""


import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.specs.shot import BodySpec
from lope.scripts.suites.follow import PUSHES_N, hard_cases, loaded, pushed, scaled_legs, shorter_leg

BODY = make_body(BodySpec())


def test_a_load_is_in_the_middle_of_its_segment():
    old, new = BODY.segment("thigh_R"), loaded(BODY, "thigh_R", 15.0).segment("thigh_R")
    assert new.mass_kg == pytest.approx(old.mass_kg + 15.0)
    np.testing.assert_allclose(new.mass_kg * new.com, old.mass_kg * old.com + 15.0 * 0.5 * old.tip)
    gap = old.com - 0.5 * old.tip  # two masses apart: reduced mass times their distance squared is added across it
    reduced = old.mass_kg * 15.0 / new.mass_kg
    np.testing.assert_allclose(new.inertia - old.inertia, reduced * (gap @ gap * np.eye(3) - np.outer(gap, gap)), atol=1e-12)


def test_a_shorter_leg_is_shorter_and_the_other_is_not():
    body = shorter_leg(BODY, "L", 0.97)
    for name, factor in (("shank_L", 0.97), ("foot_L", 0.97), ("shank_R", 1.0), ("foot_R", 1.0), ("thigh_L", 1.0)):
        np.testing.assert_allclose(body.segment(name).offset, factor * BODY.segment(name).offset, err_msg=name)
    assert body.joint_segments == BODY.joint_segments and body.mass_kg == pytest.approx(BODY.mass_kg)


def test_other_legs_change_nothing_above_the_hips():
    body = make_body(scaled_legs(BodySpec(), 1.5))
    assert body.leg_length_m == pytest.approx(1.5 * BODY.leg_length_m)
    np.testing.assert_allclose(body.segment("head").offset, BODY.segment("head").offset)


def test_pushes_come_every_four_seconds_from_their_side():
    found = pushed("front", 160.0, 42.0)
    assert len(found) == 10 and all(push.force_n == (-160.0, 0.0, 0.0) for push in found)
    assert {case.name for case in hard_cases() if case.kind == "push"} == {f"push {way} {n:.0f} N" for way, n in PUSHES_N.items()}
