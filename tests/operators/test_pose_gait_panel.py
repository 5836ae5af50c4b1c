# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses in the panel: what is asked for, what is shown, and that they are simulated and baked."""

import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.bodies.human.suit import suit_names  # noqa: E402
from lope.addon.errors import InputError, LopeError  # noqa: E402
from lope.addon.gaits.pose_gaits import load_pose_gait, pose_gait_names  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.specs.path import PathSpec  # noqa: E402
from lope.operators import plan_board, pose_gait_settings  # noqa: E402
from lope.operators.pose_gait_settings import pose_gait_items  # noqa: E402

pytestmark = pytest.mark.slow

scene, shot = lope_scene.scene, lope_scene.shot


@pytest.fixture
def astronaut(scene):
    bpy.ops.lope.add_astronaut()
    bpy.context.object.lope.gait_source = "POSES"
    return bpy.context.object


def test_the_menu_has_every_shipped_one_the_characters_own_and_a_file(monkeypatch, tmp_path):
    monkeypatch.setattr(pose_gait_settings, "pose_gaits_folder", lambda: tmp_path)
    assert [name for name, *_ in pose_gait_items()] == [*pose_gait_names(), "OWN", "FILE"]


def test_the_shot_has_the_gait_its_speed_and_its_path(astronaut):
    astronaut.lope.pose_gait, astronaut.lope.use_speed, astronaut.lope.speed_m_s = "march", True, 0.8
    astronaut.lope.path, astronaut.lope.radius_m = "circle", 3.0
    made = shot()
    assert made.motion.gait == load_pose_gait("march") and made.controller == "pose_gait" and made.motion.speed_m_s == 0.8
    assert made.motion.path.radius_m == 3.0 and made.motion.start == "standing"
    astronaut.lope.gait_source = "PRESET"
    assert shot().controller == "tracking"


def test_changes_on_the_way_are_wishes_at_their_frames(astronaut, scene):
    for frame, gait in ((scene.frame_start + 48, "tired"), (scene.frame_start - 10, "run"), (scene.frame_start + 24, "march")):
        assert bpy.ops.lope.list_add(name="pose_changes") == {"FINISHED"}
        one = astronaut.lope.pose_changes[-1]
        one.frame, one.pose_gait, one.use_over, one.over_s = frame, gait, gait == "tired", 1.5
    first, second = shot().motion.steering
    assert (first.gait, first.over_s, second.gait, second.over_s) == ("march", None, "tired", 1.5)
    assert first.time_s == pytest.approx(24 / scene.render.fps) and second.time_s == pytest.approx(48 / scene.render.fps)


def test_a_file_of_ones_own(astronaut, tmp_path):
    astronaut.lope.pose_gait = "FILE"
    with pytest.raises(InputError, match="no gait from key poses; choose its file"):
        shot()
    path = tmp_path / "mine.json"
    states = [{"lasts_s": 0.3}, {}]
    path.write_text(json.dumps({"name": "mine", "summary": "s", "source": "t", "states": states}), encoding="utf-8")
    astronaut.lope.pose_gait_path = str(path)
    assert shot().motion.gait.name == "mine"


def test_the_panel_shows_what_such_a_gait_has(astronaut):
    from layout_listener import Listener
    from lope import panels

    listener = Listener(bpy.context)
    listener.draw({cls.__name__: cls for cls in panels._classes()}["LOPE_PT_page"])
    drawn = set(listener.drawn)
    assert {"pose_gait", "use_speed", "noise", "duration_s", "lope.list_add"} <= drawn
    assert not drawn & {"gait", "gait_law", "style_bounce", "controller", "keys", "stop", "retry"}


def test_it_is_simulated_and_baked(astronaut, scene):
    scene.lope.world, scene.lope.duration_s, astronaut.lope.suit = "moon", 3.0, "none"
    with pytest.raises(LopeError, match="plans nothing ahead; simulate"):
        plan_board.make_now(bpy.context)
    bpy.ops.lope.simulate()
    bpy.ops.lope.bake()
    assert astronaut.animation_data.action is not None


def test_it_may_learn_and_be_held_less_firmly(astronaut):
    assert shot().motion.gait == load_pose_gait("walk")
    astronaut.lope.learns, astronaut.lope.firmness = True, 0.5
    assert shot().motion.gait.learning is not None and shot().motion.gait.firmness == 0.5


@pytest.fixture
def flat(astronaut):
    astronaut.lope.planar, astronaut.lope.suit = True, "none"
    return astronaut


def test_in_the_plane_the_shot_has_that_body_its_gaits_and_its_ground(flat, scene):
    menu = flat.lope.bl_rna.properties["planar_gait"].enum_items
    assert [item.identifier for item in menu] == [*pose_gait_names("planar"), "FILE"]
    flat.lope.planar_gait, flat.lope.path, flat.lope.radius_m = "skipping", "circle", 3.0
    assert bpy.ops.lope.list_add(name="pose_changes") == {"FINISHED"}
    flat.lope.pose_changes[0].frame, flat.lope.pose_changes[0].planar_gait = scene.frame_start + 24, "high_step"
    made = shot()
    assert (made.body.kind, made.body.mass_kg, made.engine) == ("planar", 90.0, "springs") and made.body.landmarks
    assert made.motion.gait == load_pose_gait("skipping", "planar") and made.motion.path == PathSpec()
    assert made.motion.steering[0].gait == "high_step"
    flat.lope.planar_engine = "mujoco"
    assert shot().engine == "mujoco"
    flat.lope.motion, flat.lope.drive_by = "DRIVE", "GAIT"
    assert shot().body.kind == "human" and shot().motion.gait == load_pose_gait("walk"), "nobody drives a planar body"


def test_in_the_plane_no_suit_is_worn(flat):
    flat.lope.suit = next(name for name in suit_names() if name != "none")
    with pytest.raises(InputError, match="In the plane no suit is worn: choose No Suit"):
        shot()


def test_in_the_plane_the_panel_shows_that_menu_and_edit_is_grey(flat):
    from layout_listener import Listener
    from lope import panels

    classes = {cls.__name__: cls for cls in panels._classes()}
    listener = Listener(bpy.context)
    listener.draw(classes["LOPE_PT_page"])
    listener.draw(classes["LOPE_PT_advanced"])
    drawn = set(listener.drawn)
    assert {"planar", "planar_gait", "planar_engine"} <= drawn and not drawn & {"pose_gait", "engine", "lope.gait_from_poses"}
    assert not bpy.ops.lope.pose_gait_edit.poll() and "path" not in drawn
    flat.lope.planar = False
    listener.draw(classes["LOPE_PT_page"])
    assert bpy.ops.lope.pose_gait_edit.poll() and "path" in listener.drawn


@pytest.mark.parametrize("engine", ["springs", "mujoco"])
def test_in_the_plane_it_is_simulated_and_baked(flat, scene, engine):
    scene.lope.world, scene.lope.duration_s, flat.lope.planar_engine = "earth", 2.0, engine
    assert bpy.ops.lope.simulate() == {"FINISHED"}
    take = Take.load(flat.lope.take_path)
    assert take.body.kind == "planar" and take.shot.engine == engine and not take.fell
    assert np.ptp(take.com_m[:, 0]) > 1.0
    assert bpy.ops.lope.bake() == {"FINISHED"}
    assert flat.animation_data.action is not None
