# SPDX-License-Identifier: GPL-3.0-or-later
"""Driving in Blender: the armature is as it was, whatever becomes of the drive; the take is there, and bakes."""

import os
import signal

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from drive_kit import channels, until  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.jobs.wheel import DRIVING, READY  # noqa: E402
from lope.addon.locomotion.registry import find_controller  # noqa: E402
from lope.addon.sim.drive_script import read_script  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.specs.motions import Moves  # noqa: E402
from lope.operators import desk, driving  # noqa: E402
from lope.operators.drive import how_it_goes, keys_now  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut


@pytest.fixture
def wheel(astronaut, tmp_path, monkeypatch):
    """A drive of the astronaut that has gone for half a second, and how the armature was before."""
    monkeypatch.setattr(driving, "takes_folder", lambda: tmp_path)
    astronaut.lope.motion, astronaut.lope.drive_by = "DRIVE", "GAIT"
    astronaut.pose.bones["head"].location = (0.0, 0.01, 0.0)
    before = channels(astronaut)
    drive = driving.begin(astronaut, bpy.context.scene, None)
    until(lambda: drive.state == READY)
    assert "Space" in keys_now(drive)
    drive.space()
    until(lambda: drive.state == DRIVING and drive.view["time_s"] > 0.5)
    yield drive, before
    driving.close()
    desk.close()


def test_a_drive_is_kept_and_bakes(wheel, astronaut):
    drive, before = wheel
    hips = np.array(astronaut.pose.bones["pelvis"].matrix_basis.translation)
    assert np.linalg.norm(hips) > 0.1 and "●" in how_it_goes(drive), "the pose is to be seen"
    drive.press("DOWN_ARROW")
    drive.push(np.array([1.0, 0.0, 0.0]))
    until(lambda: drive.view["time_s"] > 1.2 and len(drive.delays_s) > 2)
    assert drive.wheel.speed_m_s < drive._first.speed_m_s
    driving._before_save()
    assert channels(astronaut) == before, "what is saved meanwhile is the scene as it is without the drive"
    driving._after_save()
    drive.space()
    assert channels(astronaut) == before, "before anything is baked"
    until(lambda: driving.going is None and not desk.queue.busy)
    take = Take.load(astronaut.lope.take_path)
    assert take.shot.motion.steering and len(take.shot.pushes) == 1 and read_script(drive.script) == take.shot
    assert bpy.ops.lope.bake() == {"FINISHED"} and astronaut.animation_data.action is not None


def test_a_drive_that_is_given_up_leaves_nothing(wheel, astronaut, tmp_path):
    drive, before = wheel
    drive.give_up()
    until(lambda: driving.going is None)
    assert channels(astronaut) == before and not astronaut.lope.take_path and not list(tmp_path.iterdir())


@pytest.mark.acceptance
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_drive_whose_process_is_killed_comes_back(wheel, astronaut):
    drive, before = wheel
    until(lambda: drive.view["time_s"] > 1.5)
    came = drive.view["time_s"]
    os.kill(drive.order.job.process_id, signal.SIGKILL)
    until(lambda: driving.going is None)
    assert channels(astronaut) == before
    until(lambda: not desk.queue.busy)
    assert Take.load(astronaut.lope.take_path).time_s[-1] > came - 1.0


def test_a_drive_whose_blender_ended_is_offered_again(wheel, astronaut):
    drive, _ = wheel
    drive.order.job.close()  # the input ends: what a process of a Blender that is gone hears
    driving.going = None
    assert driving.cut_short(astronaut) == drive.script
    assert bpy.ops.lope.drive_recover() == {"FINISHED"}
    until(lambda: not desk.queue.busy)
    assert astronaut.lope.take_path == str(drive.out) and driving.cut_short(astronaut) is None


def test_undo_ends_a_drive_before_anything_is_undone(wheel, astronaut):
    drive, before = wheel
    driving._before_undo()
    assert drive.ended and channels(astronaut) == before


def test_a_target_is_gone_to(wheel, astronaut):
    drive, _ = wheel
    drive.target = bpy.data.objects.new("there", None)
    drive.reach = drive.reach.__class__(**{**vars(drive.reach), "takes": ("speed_m_s", "turn_rad_s")})
    drive.target.location = (50.0, 0.0, 0.0)
    bpy.context.scene.collection.objects.link(drive.target)
    bpy.context.view_layer.update()
    drive._tell = lambda kind, values: None
    until(lambda: drive.wheel.turn_rad_s != 0.0)
    assert drive.wheel.turn_rad_s > 0.0, "the astronaut faces -y: +x lies to its left"


def test_moves_are_steered_by_speed_turns_and_gaits(astronaut):
    astronaut.lope.motion = "DRIVE"
    shot = make_shot(astronaut, bpy.context.scene)
    can = find_controller(shot.controller).steerable(shot)
    assert isinstance(shot.motion, Moves) and can.speed_m_s == can.low_m_s == 0.0 and can.gaits[0][0] == "walk"
    assert all(0.0 < speed <= can.high_m_s for _, speed in can.gaits)


def test_a_controller_without_a_wheel_is_refused_before_anything_is_begun(astronaut):
    astronaut.lope.motion, astronaut.lope.drive_by, astronaut.lope.controller = "DRIVE", "GAIT", "limp"
    with pytest.raises(InputError, match="The controller limp cannot be steered"):
        driving.begin(astronaut, bpy.context.scene, None)
    assert driving.going is None and not desk.queue.busy
