# SPDX-License-Identifier: GPL-3.0-or-later
"""A stance that was posed: where its feet and its weight are, that it is held and come back to."""

import json

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.errors import InputError
from lope.addon.locomotion.stand.posed import posed
from lope.addon.options.motion_options import stance_from
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import STAND, StancePose, Stand
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow

GUARD = {"thigh_L": (0.0, -0.45, 0.0), "shank_L": (0.0, 0.25, 0.0), "foot_L": (0.0, 0.2, 0.0), "thigh_R": (0.0, 0.35, 0.0),
         "shank_R": (0.0, 0.3, 0.0), "foot_R": (0.0, -0.3, 0.0), "forearm_L": (0.0, -1.6, 0.0), "upper_arm_L": (0.2, -0.6, 0.0)}
ARMS_UP = {"forearm_L": (0.0, -1.8, 0.0), "forearm_R": (0.0, -1.8, 0.0), "thigh_L": (0.1, -0.3, 0.2), "shank_L": (0.0, 0.6, 0.0),
           "foot_L": (-0.1, -0.3, 0.0), "thigh_R": (-0.1, -0.3, -0.2), "shank_R": (0.0, 0.6, 0.0), "foot_R": (0.1, -0.3, 0.0)}
STORK = {"thigh_R": (-0.3, -1.2, -0.4), "shank_R": (0.0, 1.9, 0.0), "upper_arm_L": (1.4, 0.0, 0.0)}


def of(turns):
    """What turns come to on the usual body."""
    shot = Shot(motion=Stand())
    body = make_body(shot.body)
    return posed(StancePose(turns), BodyState(body, build_model(body, shot.world)))


def stood(turns, seconds=2.0, **values):
    """A take of somebody posed."""
    return simulate(Shot(motion=Stand(pose=StancePose(turns)), noise=0.1, duration_s=seconds, **values))


def test_feet_and_weight_are_where_they_were_posed():
    found = of(GUARD)
    assert not found.stance.one_leg and found.stance.ahead_m > 0.4 and found.moved_m < 0.1
    turned = of({"pelvis": (0.0, 0.0, 0.5), "thigh_L": (0.0, 0.0, 0.4), "thigh_R": (0.0, 0.0, -0.4)})
    assert turned.stance.yaws == pytest.approx((0.4, -0.4), abs=1e-6) and turned.stance.faces == pytest.approx(0.5, abs=1e-6)
    assert of({"foot_L": (0.0, 0.5, 0.0), "foot_R": (0.0, 0.5, 0.0)}).pitches == {"L": 0.0, "R": 0.0}


def test_a_foot_held_up_stands_no_more():
    stance = of(STORK).stance
    assert stance.one_leg == "L" and stance.held is not None and stance.held.ankle[2] > 0.2


@pytest.mark.parametrize("turns", [GUARD, STORK])
def test_a_pose_is_held(turns):
    take = stood(turns)
    assert not take.fell and take.stats["steps_taken"] == 0
    assert np.hypot(*(take.com_m[-1] - take.com_m[0])[:2]) < 0.02
    forearm = take.joint_quaternions[:, take.body.joint_segments.index("upper_arm_L")]
    assert np.abs((forearm * forearm[0]).sum(axis=1)).min() > 0.998, "the arm stays as posed"


@pytest.mark.acceptance
def test_it_is_come_back_to_after_a_push():
    take = stood(ARMS_UP, 6.0, pushes=(Push(0.5, 0.2, (250.0, 0.0, 0.0)),))
    ankles = [take.segment_poses[0][[0, -1], take.body.index[f"foot_{side}"], :2] for side in "LR"]
    before, after = (ankles[0] - ankles[1])
    assert not take.fell and take.stats["steps_taken"] >= 1 and abs(np.linalg.norm(after) - np.linalg.norm(before)) < 0.08
    assert np.hypot(*take.com_velocity_m_s[-1, :2]) < 0.05


def test_a_pose_is_read_from_a_file(tmp_path):
    path = tmp_path / "guard.json"
    path.write_text(json.dumps({"turns": GUARD}), encoding="utf-8")
    assert stance_from([f"pose={path},steps=1"], STAND) == Stand(pose=StancePose(GUARD), steps=1)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="holds no turns"):
        stance_from([f"pose={path}"], STAND)
    with pytest.raises(InputError, match="cannot be read"):
        stance_from(["pose=nowhere.json"], STAND)


def test_poses_that_will_not_do_are_a_sentence():
    with pytest.raises(InputError, match="leave their distances and the leg out"):
        Stand(pose=StancePose(GUARD), apart_m=0.3)
    with pytest.raises(InputError, match="segment of the body"):
        of({"tail": (0.0, 0.0, 0.0)})
    with pytest.raises(InputError, match="does not stand"):
        of({"pelvis": (0.0, 1.6, 0.0)})
