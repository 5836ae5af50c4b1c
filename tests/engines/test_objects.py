# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects: they fall, fly and stand as bodies do, are touched, leave a character alone that is far away, and travel."""

import dataclasses
import json

import numpy as np
import pytest

from engine_kit import BODY, CONTACT_ENGINES, EARTH, standing
from lope.addon.engines.engine import Torques, make_engine
from lope.addon.errors import InputError, TakeError
from lope.addon.options.world_options import read_objects, wall_from
from lope.addon.sim.drive_script import read_script
from lope.addon.sim.live import Drive
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import LooseObject
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot

FAR = 30.0
NONE = Torques(np.zeros(BODY.degrees_of_freedom - 6))


def flown(engine, objects, seconds=0.4):
    """Poses (T, K, 7) every 0.01 s of objects beside a body that nobody holds."""
    made = make_engine(engine, BODY, EARTH, objects=objects)
    made.reset(*standing(BODY))
    poses = [made.object_pose.copy()]
    for _ in range(round(seconds / 0.01)):
        made.apply(NONE, 0.01)
        poses.append(made.object_pose.copy())
    made.close()
    return np.array(poses)


@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_a_thrown_box_flies_as_gravity_has_it_and_keeps_its_spin(engine):
    """Nothing but gravity acts in the air; the throw's velocity and spin are in the world's axes."""
    turn = np.array([0.5, 0.5, -0.5, 0.5])
    thrown = LooseObject("A", place_m=(FAR, 0.0, 5.0), velocity_m_s=(2.0, -1.0, 3.0), orientation=tuple(turn),
                         size_m=(0.3, 0.3, 0.3), spin_rad_s=(0.0, 0.0, 1.5))
    poses = flown(engine, (thrown,))[:, 0]
    time = 0.01 * np.arange(len(poses))
    expected = np.array([FAR, 0.0, 5.0]) + np.outer(time, [2.0, -1.0, 3.0])
    expected[:, 2] -= 0.5 * EARTH_GRAVITY_M_S2 * time**2
    np.testing.assert_allclose(poses[:, :3], expected, atol=0.003)
    half = 0.75 * time[-1]
    about_z = np.array([np.cos(half), 0.0, 0.0, np.sin(half)])
    w, z = about_z[0], about_z[3]
    wanted = np.array([w * turn[0] - z * turn[3], w * turn[1] - z * turn[2], w * turn[2] + z * turn[1],
                       w * turn[3] + z * turn[0]])
    assert abs(poses[-1, 3:] @ wanted) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_a_box_waits_for_its_release_and_then_moves(engine):
    """Until then it hangs where it is and touches nothing, even what lies in it; then it falls."""
    held = LooseObject("held", place_m=(FAR, 0.0, 3.0), release_s=0.2)
    beside = LooseObject("beside", place_m=(FAR, 0.0, 3.1), velocity_m_s=(0.0, 0.0, -3.0))
    poses = flown(engine, (held, beside))
    np.testing.assert_allclose(poses[:21, 0, 2], 3.0, atol=1e-3)
    assert poses[-1, 0, 2] == pytest.approx(3.0 - 0.5 * EARTH_GRAVITY_M_S2 * 0.2**2, abs=0.02)
    assert poses[20, 1, 2] == pytest.approx(3.1 - 0.6 - 0.5 * EARTH_GRAVITY_M_S2 * 0.2**2, abs=0.02)


@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_two_boxes_that_meet_keep_their_momentum(engine):
    """In the air, a heavy one catches up with a light one."""
    heavy = LooseObject("heavy", place_m=(FAR, 0.0, 4.0), mass_kg=4.0, velocity_m_s=(3.0, 0.0, 2.0))
    light = LooseObject("light", place_m=(FAR + 0.6, 0.0, 4.0), mass_kg=1.0, velocity_m_s=(0.0, 0.0, 2.0))
    poses = flown(engine, (heavy, light))
    speeds = (poses[-1] - poses[-11])[:, 0] / 0.1
    assert speeds[1] > 1.0
    assert 4.0 * speeds[0] + speeds[1] == pytest.approx(12.0, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_a_stack_stands_that_nobody_touches(engine):
    """To a centimetre for a second."""
    boxes = tuple(dataclasses.replace(box, place_m=(box.place_m[0] + FAR, *box.place_m[1:]))
                  for box in wall_from("2x3,0.3,1,0,0", GroundSpec()))
    poses = flown(engine, boxes, 1.0)
    assert np.abs(poses[-1, :, :3] - poses[0, :, :3]).max() < 0.01


@pytest.mark.slow
def test_boxes_far_away_leave_a_walk_as_it_is():
    """A second one, that is: to the last digits that an unlike order of sums leaves."""
    boxes = tuple(LooseObject(name, place_m=(FAR, y, 0.2)) for name, y in (("Near", 0.0), ("Far", 5.0)))
    one, two = (simulate(Shot(duration_s=1.5, objects=boxes[:count])) for count in (1, 2))
    np.testing.assert_allclose(two.com_m, one.com_m, atol=1e-6)
    assert one.object_pose.shape == (len(one.time_s), 1, 7)


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_a_walk_goes_through_a_wall_of_light_boxes(engine):
    """The wall falls, the walker does not, and is held up by it no more than a box weighs."""
    take = simulate(Shot(engine=engine, duration_s=3.0, objects=wall_from("3x4,0.35,1,1.2,0", GroundSpec())))
    assert not take.fell and take.lost is None
    moved = np.linalg.norm(take.object_pose[-1, :, :3] - take.object_pose[0, :, :3], axis=1)
    assert moved.max() > 1.0 and (moved > 0.2).sum() >= 4
    assert take.com_m[-1, 0] > 3.0
    assert take.object_pose[..., 2].min() > 0.1


@pytest.mark.slow
def test_a_take_with_objects_is_saved_and_loaded(tmp_path):
    """Poses and shapes come back; a take without the poses of its objects is refused."""
    take = simulate(Shot(duration_s=0.5, objects=(LooseObject("ball", "sphere", (0.2,) * 3, place_m=(FAR, 1.0, 0.1)),)))
    take.save(tmp_path / "take.npz")
    again = Take.load(tmp_path / "take.npz")
    np.testing.assert_array_equal(again.object_pose, take.object_pose)
    assert again.shot == take.shot and again.shot.objects[0].shape == "sphere"
    with pytest.raises(TakeError, match="poses of its 1 loose objects"):
        Take(take.shot, take.body, {name: x for name, x in take.arrays.items() if name != "object_pose"}, {})


def test_a_wall_stands_on_the_slope_that_it_is_put_on():
    """Its boxes' lower faces lie on the ground's plane."""
    boxes = wall_from("1x2,0.4,1,3,0,90", GroundSpec("slope", slope_deg=10.0))
    normal = np.array([-np.sin(np.radians(10.0)), 0.0, np.cos(np.radians(10.0))])
    assert [normal @ np.array(box.place_m) for box in boxes] == pytest.approx([0.2, 0.6])
    assert [box.name for box in boxes] == ["Box 1", "Box 2"]


BAD = (
    ({"size_m": (0.2, 0.3, 0.2), "shape": "sphere"}, "needs its diameter three times"),
    ({"orientation": (0.5, 0.0, 0.0, 0.0)}, "unit quaternion"),
    ({"mass_kg": 0.0}, "loose object's mass must lie between 0.01"),
    ({"shape": "cone"}, "There is no shape of a loose object named 'cone'"),
    ({"release_s": -1.0}, "time of release must lie between 0"),
)


@pytest.mark.parametrize(("wrong", "sentence"), BAD)
def test_objects_that_cannot_be_are_refused(wrong, sentence):
    """Each in a sentence that says why."""
    with pytest.raises(InputError, match=sentence):
        LooseObject(**wrong)


def test_shots_refuse_objects_that_they_cannot_have(tmp_path):
    """Two of a name, no contacts in the engine, one within the character; a file that is none."""
    box = LooseObject(place_m=(0.1, 0.0, 1.0))
    with pytest.raises(InputError, match="Two loose objects are called 'Box'"):
        Shot(objects=(box, box))
    with pytest.raises(InputError, match="The engine ideal knows no contact"):
        Shot(objects=(box,), engine="ideal")
    with pytest.raises(InputError, match="'Box' begins .* cm within the character's"):
        Simulation(Shot(objects=(box,)))
    with pytest.raises(InputError, match="within the ground"):
        Simulation(Shot(objects=(LooseObject(place_m=(3.0, 0.0, 0.0)),)))
    for text, sentence in (("{", "cannot be read as JSON"), ("{}", "must hold a list"), ('[{"size": 1}]', "named 'size'")):
        (tmp_path / "objects.json").write_text(text)
        with pytest.raises(InputError, match=sentence):
            read_objects(str(tmp_path / "objects.json"))
    for text in ("3,0.3,1,2,0", "3x4,0.3,1,2"):
        with pytest.raises(InputError, match="--boxes is written"):
            wall_from(text, GroundSpec())


def test_a_shot_with_objects_travels_as_json_and_one_without_is_as_it_was():
    """Names, masses and throws come back; the file of a shot without objects does not know the word."""
    shot = Shot(objects=(LooseObject("ball", "sphere", (0.2,) * 3, density_kg_m3=1000.0, velocity_m_s=(-3.0, 0.0, 1.0)),))
    again = Shot.from_dict(json.loads(json.dumps(shot.to_dict())))
    assert again == shot and again.objects[0].weighs_kg == pytest.approx(1000.0 * np.pi / 6.0 * 0.2**3)
    assert "objects" not in Shot().to_dict()


@pytest.mark.slow
def test_a_drive_past_boxes_is_repeated_by_its_script(tmp_path):
    """The script knows the boxes, and gives the same take."""
    drive = Drive(Shot(objects=(LooseObject(place_m=(0.9, 0.0, 0.2)),)), tmp_path / "a.drive")
    drive.go(1.0)
    take = drive.end()
    drive.close()
    again = simulate(read_script(tmp_path / "a.drive"))
    np.testing.assert_array_equal(again.object_pose, take.object_pose)
    assert np.linalg.norm(take.object_pose[-1, 0, :3] - take.object_pose[0, 0, :3]) > 0.05
