# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body carries: its mass and where it lies, the arms that hold it, the lean, and what is too heavy or too large."""

import json

import numpy as np
import pytest

from lope.addon.bodies.human.load import below_m, carrying, carrying_pose, load_capsules
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.kinematics import centre_of_mass, segment_poses
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.bodies.model import build_model
from lope.addon.errors import InputError
from lope.addon.locomotion.tracking.weights import HELD_WEIGHT, WALKING, check_load, joint_weights
from lope.addon.maths.rotations import matrix_from_quat, quat_rotate
from lope.addon.motions.cycle import pose
from lope.addon.motions.library import load_gait
from lope.addon.motions.style import holding
from lope.addon.specs.load import PLACES, Load
from lope.addon.specs.shot import SAGITTAL, BodySpec, World

ONE = np.array([1.0, 0.0, 0.0, 0.0])
BARE = make_body(BodySpec())


def standing(body):
    """Places (S, 3) and turns (S, 4) of a body that stands with what it carries, its root upright otherwise."""
    root, joints = carrying(ONE, np.tile(ONE, (len(body.segments) - 1, 1)), body)
    return segment_poses(body, np.zeros(3), root, joints)


def middles(body):
    """Where each segment that bears it has the load's middle (N, 3), and its axes (N, 3, 3)."""
    places, turns = standing(body)
    rows = [(body.index[name], np.array(pose)) for name, pose in body.carries.borne.items()]
    return (np.array([places[i] + quat_rotate(turns[i], pose[:3]) for i, pose in rows]),
            np.array([matrix_from_quat(turns[i]) @ matrix_from_quat(pose[3:]) for i, pose in rows]))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("height", "suit"), [(1.80, None), (1.45, None), (1.80, "apollo-a7lb")])
def test_the_body_has_the_loads_mass_where_the_load_is(place, height, suit):
    spec, worn, load = BodySpec(height_m=height), suit and load_suit(suit), Load(12.0, place)
    body, empty = make_body(spec, worn, load), make_body(spec, worn)
    assert body.mass_kg == pytest.approx(empty.mass_kg + 12.0) and body.bare_mass_kg == empty.bare_mass_kg
    places, axes = middles(body)
    poses = standing(body)
    moved = body.mass_kg * centre_of_mass(body, *poses) - empty.mass_kg * centre_of_mass(empty, *poses)
    assert moved / 12.0 == pytest.approx(places[0], abs=1e-6)
    assert np.allclose(places, places[0], atol=1e-9), "both hands know it to be at one place"
    assert np.allclose(axes, np.eye(3), atol=1e-6), "level, however the trunk leans"
    assert build_model(body, World()).body_mass.sum() == pytest.approx(body.mass_kg)


def test_hands_hold_a_crate_at_its_sides_before_the_belly():
    body = make_body(BodySpec(), None, Load(10.0, size_m=(0.3, 0.4, 0.25)))
    places, turns = standing(body)
    grips = [places[i] + quat_rotate(turns[i], 0.5 * body.segment(name).tip)
             for name in ("hand_L", "hand_R") for i in (body.index[name],)]
    assert grips[0] - grips[1] == pytest.approx([0.0, 0.44, 0.0], abs=1e-4)
    assert places[body.index["thigh_L"]][2] < grips[0][2] < places[body.index["chest"]][2] + 0.1
    assert grips[0][0] > 0.2, "ahead of the trunk"


def test_a_bag_hangs_beside_the_leg_and_the_other_arm_is_free():
    body = make_body(BodySpec(), None, Load(8.0, "hand", "L"))
    assert {name[-2:] for name in body.carries.held} == {"_L"}
    place = middles(body)[0][0]
    assert place[1] > 0.2 and place[2] < 0.0 < 0.2 < -below_m(body.carries.load)


def test_the_trunk_leans_away_from_the_load_and_more_under_more():
    for load, axis, sign in ((Load(10.0), 1, -1.0), (Load(10.0, "back"), 1, 1.0), (Load(8.0, "hand", "R"), 0, -1.0),
                             (Load(8.0, "hand", "L"), 0, 1.0)):
        lean = make_body(BodySpec(), None, load).carries.lean
        heavier = make_body(BodySpec(), None, Load(1.5 * load.mass_kg, load.place, load.side)).carries.lean
        assert sign * heavier[axis] > sign * lean[axis] > np.radians(2.0)
    assert make_body(BodySpec(), None, Load(10.0, lean=0.0)).carries.lean == pytest.approx((0.0, 0.0))


def test_a_pack_leans_people_as_far_as_was_measured():
    """Kinoshita 1985: about 7 and 11 degrees under 20 and 40 % of the body's weight, from hips to neck."""
    for mass_kg, degrees in ((15.0, 7.0), (30.0, 11.0)):
        body = make_body(BodySpec(), None, Load(mass_kg, "back"))
        places, _ = standing(body)
        line = places[body.index["neck"]] - 0.5 * (places[body.index["thigh_L"]] + places[body.index["thigh_R"]])
        own = BARE.segment("neck").offset[0] / line[2]
        assert np.degrees(np.arctan2(line[0], line[2]) - own) == pytest.approx(degrees, abs=2.5)


def test_it_is_written_and_read_back():
    body = make_body(BodySpec(), None, Load(10.0))
    again = body_from_dict(json.loads(json.dumps(body.to_dict())))
    assert again.to_dict() == body.to_dict() and again.carries == body.carries
    assert "carries" not in BARE.to_dict() and body_from_dict(BARE.to_dict()).carries is None


def test_motions_show_it():
    body = make_body(BodySpec(), None, Load(10.0))
    cycle = load_gait("walk")
    assert holding(cycle, BARE) is cycle
    _, _, joints = pose(holding(cycle, body).evaluate(np.arange(8) / 8), body)
    for name, quat in body.carries.held.items():
        assert np.abs(joints[:, body.joint_segments.index(name)] @ quat) == pytest.approx(1.0, abs=1e-9)
    neutral = build_model(BARE, World()).qpos0
    assert carrying_pose(neutral, BARE) is neutral
    assert not np.allclose(carrying_pose(neutral, body), neutral)
    assert joint_weights(body, WALKING).max() == HELD_WEIGHT


def test_it_takes_room():
    crate = load_capsules(make_body(BodySpec(), None, Load(10.0)))
    assert {shape.segment for shape in crate} == {"hand_L", "hand_R"}
    assert {shape.segment for shape in load_capsules(make_body(BodySpec(), None, Load(10.0, "back")))} == {"chest"}


@pytest.mark.parametrize(("load", "gravity", "gloved", "said"), [
    (Load(60.0, "hand"), 9.81, False, "which holds 50 kg there"), (Load(60.0), 9.81, False, "too heavy for these arms"),
    (Load(250.0, "arms"), 9.81, False, "carry it on the back"), (Load(190.0, "hand"), 1.62, True, "out of the grip")])
def test_what_is_too_heavy_is_said(load, gravity, gloved, said):
    with pytest.raises(InputError, match=said):
        check_load(make_body(BodySpec(), None, load), gravity, gloved)


def test_what_can_be_held_is_not_refused():
    for load, gravity in ((Load(60.0, "arms"), 9.81), (Load(30.0, "hand"), 9.81), (Load(40.0), 1.62),
                          (Load(100.0, "back"), 9.81)):
        check_load(make_body(BodySpec(), None, load), gravity, False)
    check_load(BARE, 9.81, False)


def test_what_cannot_carry_says_so():
    with pytest.raises(InputError, match="too large for arms"):
        make_body(BodySpec(), None, Load(5.0, size_m=(0.5, 2.5, 0.3)))
    with pytest.raises(InputError, match="Only a human carries"):
        make_body(BodySpec(kind=SAGITTAL), None, Load(5.0))
