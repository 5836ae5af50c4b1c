# SPDX-License-Identifier: GPL-3.0-or-later
"""The outside of a body: capsules of its own mass for every segment, any body's, that leave walking on the soles alone."""

import mujoco
import numpy as np
import pytest

from body_kit import creature
from lope.addon.bodies.capsules import body_capsules, line_distance, passing_pairs
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.bodies.urdf import body_urdf
from lope.addon.specs.shot import BodySpec, World

pytestmark = pytest.mark.slow

ADULT = make_body(BodySpec())
SUITED = make_body(BodySpec(), load_suit("apollo-a7lb"))


def standing(body):
    model = build_model(body, World(), Stepping(capsules=True))
    data = mujoco.MjData(model)
    data.qpos[2] = body.pelvis_height_m
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("body", [ADULT, SUITED, creature(3), creature(0)], ids=["human", "in a suit", "three feet", "no feet"])
def test_every_segment_has_a_capsule(body):
    shapes = body_capsules(body)
    assert {s.segment for s in shapes} == set(body.index) and len({s.name for s in shapes}) == len(shapes)
    assert all(s.radius_m > 0.0 and np.isfinite([*s.start, *s.end]).all() for s in shapes)
    more = build_model(body, World(), Stepping(capsules=True)).ngeom - build_model(body, World()).ngeom
    assert more == 2 * len(shapes) + len(body.contact_points)


def test_thickness_is_that_of_an_adult():
    radius = {s.name: s.radius_m for s in body_capsules(ADULT)}
    # Half of the breadths and depths that NASA-STD-3000 has for the 50th percentile man, which is 1.80 m tall.
    for name, expected in (("thigh_L_capsule", 0.085), ("shank_L_capsule", 0.055), ("upper_arm_L_capsule", 0.05),
                           ("forearm_L_capsule", 0.043), ("head_capsule", 0.078), ("chest_capsule_0", 0.115)):
        assert radius[name] == pytest.approx(expected, abs=0.015), name


def test_a_suit_is_thicker_and_has_its_pack():
    bare, worn = ({s.name: s.radius_m for s in body_capsules(b)} for b in (ADULT, SUITED))
    assert worn["thigh_L_capsule"] == pytest.approx(bare["thigh_L_capsule"] + 0.03)
    assert set(worn) - set(bare) == {"pack_0", "pack_1"}


@pytest.mark.parametrize("body", [ADULT, SUITED], ids=["human", "in a suit"])
def test_who_stands_touches_the_ground_with_the_soles_alone(body):
    model, data = standing(body)
    data.qpos[2] -= 0.002
    mujoco.mj_forward(model, data)
    names = {mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, g) for g in data.contact.geom.ravel()}
    assert names == {"ground", *(p.name for p in body.contact_points)}


def test_whoever_lies_rests_on_the_trunk():
    model, data = standing(ADULT)
    data.qpos[:] = 0.0
    data.qpos[2], data.qpos[3:7] = 0.25, (np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0)
    data.qpos[7:] = model.qpos0[7:]
    model.dof_damping[6:] = 2.0
    for _ in range(1500):
        mujoco.mj_step(model, data)
    assert 0.05 < data.qpos[2] < 0.11 and np.abs(data.qvel[:3]).max() < 0.05
    assert data.contact.dist.min() > -0.01


def test_neighbours_pass_and_limbs_meet():
    pairs = passing_pairs(ADULT, body_capsules(ADULT))
    assert ("pelvis", "thigh_L") in pairs and ("lower_spine", "thigh_R") in pairs
    for pair in (("shank_L", "shank_R"), ("thigh_L", "thigh_R"), ("chest", "forearm_L"), ("pelvis", "hand_R")):
        assert pair not in pairs, pair


def test_line_distance():
    a = np.zeros(3)
    assert line_distance(a, np.array([1.0, 0, 0]), np.array([0.5, 1, 0]), np.array([0.5, 2, 0])) == pytest.approx(1.0)
    assert line_distance(a, np.array([1.0, 0, 0]), np.array([2.0, 1, 0]), np.array([2.0, -1, 0])) == pytest.approx(1.0)
    assert line_distance(a, np.array([1.0, 0, 0]), np.array([0.2, 0, 3.0]), np.array([0.9, 0, 3.0])) == pytest.approx(3.0)
    assert line_distance(a, a, np.array([0.0, 2.0, 0]), np.array([0.0, 2.0, 0])) == pytest.approx(2.0)


def test_urdf_has_them_when_asked():
    shapes = body_capsules(ADULT)
    assert "capsule" not in body_urdf(ADULT)
    assert body_urdf(ADULT, capsules=True).count("<capsule ") == len(shapes)
