# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots that were written before a shot had a motion: each becomes the motion that its controller moved."""

import json

import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.specs.former_shot import MOTIONS
from lope.addon.specs.motions import Clip, Creature, Gait, Jump, KeyPoses, Moves, Reflex, Stand
from lope.addon.specs.path import PathSpec
from lope.addon.specs.pose_gait import pose_gait_file
from lope.addon.specs.settings import settings_of
from lope.addon.specs.shot import Shot
from lope.addon.specs.steering import Key, Steering

WALK = load_pose_gait("walk")
STEER = {"time_s": 1.0, "speed_m_s": 0.5}


@pytest.mark.parametrize(("former", "motion"), [
    ({"gait": "run", "motion": None, "gait_law": "people", "speed_m_s": 2.0, "keys": [{"time_s": 1.0, "gait": "walk"}]},
     Gait("run", law="people", speed_m_s=2.0, keys=(Key(1.0, "walk"),))),
    ({"gait": "walk", "motion": "own.bvh", "controller": "limp", "start": "standing"},
     Gait(file="own.bvh", controller="limp", start="standing")),
    ({"controller": "lee", "follow": {"clip": "a.bvh", "repeat": False, "moves": False}, "until_end": True, "stop": "standing",
      "gait_law": "people", "tuned": False}, Clip("a.bvh", time="planet", until_end=True, tuned=False, controller="lee")),
    ({"controller": "follow", "follow": {"clip": "a.bvh", "catch": True}, "stand": {"steps": 0}},
     Clip("a.bvh", time="planet", catch=True, stand=Stand(steps=0))),
    ({"controller": "follow", "follow": {"clip": None, "moves": True, "stretch": 1.5}, "steering": [STEER]},
     Moves((Steering(**STEER),), stretch=1.5)),
    ({"controller": "pose_gait", "pose_gait": pose_gait_file(WALK), "start": "standing", "style": {"bounce": 0.5}},
     KeyPoses(WALK, start="standing")),
    ({"controller": "standing", "stand": {"one_leg": "L"}, "speed_m_s": 1.0}, Stand(one_leg="L")),
    ({"controller": "standing"}, Stand()),
    ({"controller": "reflex", "path": {"heading_deg": 30.0}, "force": True, "retry": True},
     Reflex(path=PathSpec(heading_deg=30.0), force=True)),
])
def test_each_becomes_the_motion_that_its_controller_moved(former, motion):
    shot = Shot.from_dict(json.loads(json.dumps({"seed": 3, **former})))
    assert shot == Shot(motion=motion, seed=3)
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot


@pytest.mark.parametrize(("former", "told"), [
    ({"controller": "follow"}, "names none: give it one"),
    ({"controller": "pose_gait"}, "has no pose gait"),
    ({"controller": "tracking", "stand": {}}, "Only who stands"),
    ({"controller": "follow", "follow": {"clip": "a.bvh"}, "speed_m_s": 1.0}, "leave out the speed"),
    ({"gait": "walk", "gaits": 1}, "no shot field named 'gaits'"),
    ({"motion": {"kind": "flight"}}, "no kind of motion named 'flight'"),
    ({"motion": {"kind": "gait", "speed": 1.0}}, "no field of a gait named 'speed'"),
])
def test_what_did_not_go_together_is_told_as_before(former, told):
    with pytest.raises(InputError, match=told):
        Shot.from_dict(former)


def test_a_shot_has_few_fields_and_every_motion_a_kind():
    assert len(settings_of(Shot)) <= 17
    assert set(MOTIONS) == {"gait", "clip", "moves", "key_poses", "stand", "jump", "reflex", "creature"}
    assert set(MOTIONS.values()) == {Gait, Clip, Moves, KeyPoses, Stand, Jump, Reflex, Creature}
