# SPDX-License-Identifier: GPL-3.0-or-later
"""The Shot: round trip through JSON, and every range."""

import dataclasses
import json

import pytest

from lope.addon.errors import InputError
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import Clip, Gait, Stand
from lope.addon.specs.path import Footprint, GroundSpec, PathSpec
from lope.addon.specs.settings import settings_of
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from lope.addon.specs.steering import Key
from shot_kit import gait_shot

FULL = Shot(
    motion=Gait("walk", file="clip.bvh", speed_m_s=0.5, stride_frequency_hz=0.52, scaling="fixed"),
    body=BodySpec(1.6, 62.0, {"pelvis": (0.0, 0.0, 0.9), "head": (0.0, 0.0, 1.4)}),
    world=World("moon", 1.62, 0.7),
    duration_s=30.0,
    engine="ideal",
    seed=7,
    pushes=(Push(4.0, 0.2, (0.0, 75.0, 0.0)), Push(9.0, 0.1, (5.0, 0.0, 0.0), "head")),
)


@pytest.mark.parametrize("shot", [Shot(), FULL], ids=["default", "full"])
def test_round_trip_through_json(shot):
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot


def test_a_shot_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Gait().name = "run"


@pytest.mark.parametrize("field, value, message", [
    ("duration_s", 0.0, "Duration must lie between 0.5 and 3600 s, got 0"),
    ("duration_s", float("nan"), "Duration must lie"),
    ("duration_s", "ten", "Duration must be a number in s, got 'ten'"),
    ("duration_s", "10", "Duration must be a number in s, got '10'"),
    ("engine", "mujoko", "no engine named 'mujoko'.*Did you mean 'mujoco'.*ideal, mujoco, pybullet"),
    ("scaling", "same", "no gain scaling named 'same'.*fixed, similar"),
    ("speed_m_s", -1.0, "Speed must lie between 0.05 and 15 m/s"),
    ("stride_frequency_hz", 9.0, "Stride frequency must lie between 0.05 and 5 Hz"),
    ("seed", -1, "Seed must be a whole number"),
    ("seed", 0.5, "Seed must be a whole number"),
])
def test_a_shot_refuses(field, value, message):
    with pytest.raises(InputError, match=message):
        gait_shot(**{field: value})


@pytest.mark.parametrize("gravity", [0.0, -9.81, float("nan"), float("inf"), 981.0])
def test_a_world_refuses_gravity(gravity):
    with pytest.raises(InputError, match="Gravity must lie between 0.25 and 29.43 m/s.2, got"):
        World("odd", gravity)


@pytest.mark.parametrize("height, mass, message", [
    (0.2, 75.0, "Height must lie between 0.5 and 3 m, got 0.2"), (4.0, 75.0, "Height"), (float("nan"), 75.0, "Height"),
    (1.8, 0.0, "Mass must lie between 10 and 400 kg, got 0"), (1.8, 1000.0, "Mass"), (1.8, -5.0, "Mass"),
])
def test_a_body_refuses(height, mass, message):
    with pytest.raises(InputError, match=message):
        BodySpec(height, mass)


@pytest.mark.parametrize("arguments, message", [
    ((-1.0, 0.2, (0.0, 1.0, 0.0)), "Push start"), ((1.0, 0.0, (0.0, 1.0, 0.0)), "Push duration"),
    ((1.0, 0.2, (0.0, 1.0)), "Push force must be a list of 3 values, got 2"),
    ((1.0, 0.2, (0.0, float("inf"), 0.0)), "Push force"),
])
def test_a_push_refuses(arguments, message):
    with pytest.raises(InputError, match=message):
        Push(*arguments)


@pytest.mark.parametrize("data, message", [
    ({"gate": "walk"}, "no shot field named 'gate'."), (3, "The shot fields must be a table"),
    ({"world": {"gravity": 1.62}}, "no world field named 'gravity'"), ({"world": 3}, "The world fields must be a table"),
    ({"body": "tall"}, "The body fields must be a table"), ({"world": {"ground": []}}, "The ground fields must be a table"),
    ({"pushes": [{"start_s": 1.0}]}, "The push fields lack duration_s, force_n"), ({"pushes": 5}, "Pushes must be a list"),
    ({"body": {"landmarks": {"pelvis": ["a", "b", "c"]}}}, "Landmarks, pelvis, entry 0 must be a number in m, got 'a'"),
    ({"pushes": [{"start_s": 1, "duration_s": 1, "force_n": 5}]}, "Push force must be a list, got 5"),
    ({"gait": 5, "suit": None, "tuned": "no"}, "Gait must be text, got 5"), ({"suit": None}, "Suit must be text, got None"),
    ({"tuned": "no"}, "Tuned must be true or false, got 'no'"), ({"force": 1}, "Force must be true or false"),
    ({"motion": 3}, "Motion must be text"), ({"noise": True}, "Noise must be a number"), ({"seed": True}, "Seed must be a whole"),
    ({"style": {"arm_swing": "big"}}, "The style's arm swing must be a number"), ({"gains": {"walk": 3}}, "gain walk must be"),
    ({"gains": {"walk": {"clearance_m": "high"}}}, "The gain walk.clearance_m must be a number"),
    ({"world": {"name": 4}}, "Name of a world must be text"), ({"world": {"gravity_ramp": [[1.0]]}}, "Point 0 of the gravity"),
    ({"world": {"ground": {"origin_m": [0.0]}}}, "Origin of the height field must be a list of 2"),
    ({"path": {"points_m": [[1, 2, 3]], "kind": "points"}}, "Point 0 of the path must be a list of 2 values, got 3"),
    ({"footprints": [{"number": 3, "x_m": "far", "y_m": 0.0}]}, "Footprint 3's place must be a number"),
    ({"engine": ["mujoco"]}, "no engine named"),
])
def test_a_strange_dictionary_is_refused(data, message):
    with pytest.raises(InputError, match=message):
        Shot.from_dict(data)


def test_every_field_of_a_request_is_checked():
    for kind in (Shot, World, BodySpec, Push, GroundSpec, PathSpec, Style, Footprint):
        assert list(settings_of(kind)) == [field.name for field in dataclasses.fields(kind)]


@pytest.mark.parametrize("field, value", [("world", "moon"), ("body", None), ("pushes", [Push(1.0, 0.2, (0.0, 1.0, 0.0))]),
                                          ("path", {}), ("footprints", (3,)), ("style", None)])
def test_parts_of_a_shot_are_of_their_kind(field, value):
    with pytest.raises(InputError, match=f"{field.capitalize()}.* must be a"):
        gait_shot(**{field: value})


def test_ill_valued_fields_keep_their_own_message():
    with pytest.raises(InputError, match="Gravity must be a number"):
        Shot.from_dict({"world": {"gravity_m_s2": "9.81"}})


def test_a_shot_follows_a_clip_with_its_controller_alone():
    shot = Shot(motion=Clip("clip.bvh", time="clip", stretch=1.5, flight="height", until_end=True))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    with pytest.raises(InputError, match="moved by the controller follow or lee or hit, not by tracking"):
        Shot.from_dict({"controller": "tracking", "follow": {"clip": "clip.bvh"}})
    with pytest.raises(InputError, match="controller follow follows a clip, and this shot names none"):
        Shot.from_dict({"controller": "follow"})
    with pytest.raises(InputError, match="leave out the speed and the path"):
        Clip.of({"file": "clip.bvh", "speed_m_s": 1.0, "path": PathSpec(kind="circle")})


def test_a_followed_clip_lasts_as_the_planet_and_the_legs_say():
    assert Clip("clip.bvh", time="planet").time_scale(0.25, 1.0) == pytest.approx(2.0)
    assert Clip("clip.bvh").time_scale(0.25, 1.0) == pytest.approx(0.25**-0.174), "as people go there"
    assert Clip("clip.bvh", stretch=1.5).time_scale(1.0, 1.44) == pytest.approx(1.8)
    assert Clip("clip.bvh", time="clip", stretch=1.5).time_scale(0.25, 1.44) == 1.5
    with pytest.raises(InputError, match="no way to fly named 'far'"):
        Clip("clip.bvh", flight="far")


def test_a_shot_is_called_after_its_gait_or_its_file():
    assert (Gait("lope").called, Gait("lope").source_file) == ("lope", None)
    march, jump = Gait(file="clips/march.bvh"), Clip("clips/jump.bvh")
    assert (march.called, march.source_file) == ("march", "clips/march.bvh")
    assert (jump.called, jump.source_file) == ("jump", "clips/jump.bvh")


def test_on_longer_legs_the_way_goes_as_they_do_and_speed_as_their_root():
    path = PathSpec("points", points_m=((1.0, 2.0),))
    shot = Shot(motion=Gait(speed_m_s=1.0, path=path, keys=(Key(1.0, "run"), Key(2.0, None, 1.5))))
    long = shot.on_legs(4.0).motion
    assert (long.speed_m_s, long.path.points_m) == (2.0, ((4.0, 8.0),))
    assert [(key.gait, key.speed_m_s) for key in long.keys] == [("run", None), (None, 3.0)]
    assert shot.on_legs(1.0) == shot and Shot(motion=Stand()).on_legs(4.0) == Shot(motion=Stand())
