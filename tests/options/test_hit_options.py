# SPDX-License-Identifier: GPL-3.0-or-later
"""Hits on the command line and in shot lists: balls, punches, what the struck part is called, the reaction."""

import pytest

from lope.addon.bodies.human.anthropometry import SEGMENTS, segment_called
from lope.addon.errors import LopeError
from lope.addon.options.shot_options import shot_fields, shot_from
from lope.addon.specs.disturbances import PUNCH, Reaction
from lope.addon.specs.shot import Shot
from lope.operators.handed_words import with_segments


def shot(**values) -> Shot:
    return shot_from(shot_fields().parse({"gait": "stand", "seconds": 4, **values}))




def test_a_ball_and_a_punch_as_they_are_written():
    ball, fist = shot(hit=["2,left arm,0.4,12,0/-2/0"], punch=["1.5,jaw,20,180"]).hits[::-1]
    assert (ball.time_s, ball.segment, ball.mass_kg, ball.speed_m_s, ball.way) == (2.0, "upper_arm_L", 0.4, 12.0, (0, -1, 0))
    assert (fist.kind, fist.segment, fist.way) == (PUNCH, "head", (-1.0, 0.0, 0.0)) and fist.impulse_ns == pytest.approx(20.0)
    assert shot(hit=["2,chest,4,6,90"]).hits[0].way == pytest.approx((0.0, 1.0, 0.0))  # as in other options: 90 is left


def test_a_shot_with_hits_travels_as_json():
    made = shot(hit=["2,forearm_R,4.2,6,180"], reaction=["law=rails", "loose=0.5,after=1"])
    assert made.reaction == Reaction("rails", 0.5, after_s=1.0) and Shot.from_dict(made.to_dict()) == made


@pytest.mark.parametrize(("said", "meant"), [
    ("head", "head"), ("jaw", "head"), ("left arm", "upper_arm_L"), ("Right Lower Leg", "shank_R"), ("hand.L", "hand_L"),
    ("fist r", "hand_R"), ("belly", "lower_spine"), ("arm", None), ("left right arm", None), ("Bone.003", None)])
def test_parts_of_the_body_in_words(said, meant):
    assert segment_called(said) == meant


def test_every_part_is_called_by_its_own_name():
    assert all(segment_called(name) == segment_called(name.replace("_", " ")) == name for name in SEGMENTS)


@pytest.mark.parametrize(("values", "words"), [
    ({"hit": ["2,head,4"]}, "--hit is written T,BONE,MASS,SPEED,DIRECTION"),
    ({"hit": ["2,head,4,6,north"]}, "--hit is written"),
    ({"hit": ["2,tail,4,6,0"]}, "There is no part of the body named 'tail'"),
    ({"hit": ["2,head,4,6,0/0/0"]}, "flies in no direction"),
    ({"hit": ["9,head,4,6,0"]}, "The hit at 9 s comes after the end of the shot"),
    ({"hit": ["2,head,0,6,0"]}, "must lie between 0.01 and 1000 kg"),
    ({"punch": ["2,head,20"]}, "--punch is written T,BONE,IMPULSE,DIRECTION"),
    ({"punch": ["2,head,9000,0"]}, "impulse of a punch must lie between 0.3 and 500 N s"),
    ({"reaction": ["soft=1"]}, "There is no part of a reaction named 'soft'"),
    ({"reaction": ["loose=much"]}, "A reaction is written NAME=VALUE"),
    ({"reaction": ["law=chaos"]}, "law of a reaction"),
])
def test_what_does_not_fit_is_one_sentence(values, words):
    with pytest.raises(LopeError, match=words.replace("(", r"\(")) as told:
        shot(**values)
    assert "\n" not in str(told.value)


def test_a_body_without_a_rig_keeps_its_parts(monkeypatch):
    """In Blender the words go on to a Python without it: bones are parts by then."""
    def segment_of_bone(figure, name):
        return {"Bone.003": "thigh_L"}[name]

    monkeypatch.setattr("lope.operators.handed_words.blender_room",
                        lambda _: type("Room", (), {"segment_of_bone": staticmethod(segment_of_bone)}))
    words = ["simulate", "--hit", "2,Bone.003,4,6,0", "--hit=3,head,4,6,0", "--punch", "4,left arm,9,0/1/0", "--json"]
    assert with_segments(words, None) == ["simulate", "--hit=2,thigh_L,4,6,0", "--hit=3,head,4,6,0",
                                          "--punch=4,upper_arm_L,9,0/1/0", "--json"]
