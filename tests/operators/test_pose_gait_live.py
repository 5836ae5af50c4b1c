# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait that is edited while it is driven: the simulation has it at once, the take repeats it, undo leaves no moment of it."""

import time

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from drive_kit import channels, turn, until  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope.addon.jobs.wheel import DRIVING, READY  # noqa: E402
from lope.addon.sim.drive_script import read_script  # noqa: E402
from lope.addon.sim.simulation import simulate  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.operators import desk, driving  # noqa: E402
from lope.operators import properties as changes  # noqa: E402
from lope.operators.drive import how_it_goes  # noqa: E402
from lope.operators.drive_session import EDITED_S  # noqa: E402
from lope.operators.pose_gait_settings import gait_in  # noqa: E402
from lope.operators.wheel import chosen  # noqa: E402
from lope.panels.pose_gait import LOPE_PT_pose_gait  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut


@pytest.fixture
def wheel(astronaut, tmp_path, monkeypatch):
    """A drive of the astronaut in its own walk that has gone for half a second, and how it stood before."""
    monkeypatch.setattr(driving, "takes_folder", lambda: tmp_path)
    settings = astronaut.lope
    settings.motion, settings.drive_by, settings.gait_source = "DRIVE", "GAIT", "POSES"
    bpy.ops.lope.pose_gait_edit()
    astronaut.pose.bones["head"].location = (0.0, 0.01, 0.0)
    before = channels(astronaut)
    drive = driving.begin(astronaut, bpy.context.scene, None)
    until(lambda: drive.state == READY)
    drive.space()
    until(lambda: drive.state == DRIVING and drive.view["time_s"] > 0.5)
    yield drive, before
    driving.close()
    desk.close()


def test_what_is_edited_is_driven_and_repeats(wheel, astronaut):
    drive, before = wheel
    own = astronaut.lope.own_gait
    own.speed_m_s = own.speed_m_s  # touched, not changed
    until(lambda: not drive._edited)
    began = time.monotonic()
    for step in range(40):  # a slider that is dragged
        own.states[0].swing_knee = -1.1 - 0.01 * step
        turn()
        time.sleep(0.01)
    until(lambda: not drive._edited)
    told_most = (time.monotonic() - began) / EDITED_S + 3.0  # and one for each of the two changes that follow
    seen = drive.view["time_s"]
    own.states[1].until_touch = own.states[0].until_touch = False
    own.states[0].lasts_s = own.states[1].lasts_s = 0.0
    until(lambda: "never rests in a state" in how_it_goes(drive))
    own.states[0].lasts_s, own.states[1].until_touch = 0.3, True
    until(lambda: drive.view["time_s"] > seen + 0.4 and not drive.unfit)
    drive.space()
    assert channels(astronaut) == before and drive._note_change not in changes.listeners
    until(lambda: driving.going is None and not desk.queue.busy)
    take = Take.load(astronaut.lope.take_path)
    wishes = [one.pose_gait for one in take.shot.motion.steering if one.pose_gait is not None]
    assert 2 <= len(wishes) <= told_most, "no flood"
    assert wishes[-1] == gait_in(own) and take.shot.motion.gait != wishes[-1]
    again = simulate(read_script(drive.script))
    assert np.array_equal(again.joint_quaternions, take.joint_quaternions)


def test_the_editor_says_which_gait_goes(wheel, astronaut):
    drive, _ = wheel

    def said():
        listener = Listener(bpy.context)
        listener.draw(LOPE_PT_pose_gait)
        return " ".join(listener.said)

    assert "At the wheel" not in said()
    name = drive.reach.gaits[1][0]
    drive.wheel = chosen(drive.wheel, "TWO", drive.reach)
    assert f"goes as {name.replace('_', ' ')};" in said()
    astronaut.lope.own_gait.states[0].swing_knee = -1.3
    until(lambda: "At the wheel" not in said())


def test_an_undo_step_of_a_driven_moment_leaves_no_pose(wheel, astronaut):
    drive, before = wheel
    assert channels(astronaut) != before and astronaut.lope.drive_kept
    kept = astronaut.lope.drive_kept
    moment = {bone.name: bone.matrix_basis.copy() for bone in astronaut.pose.bones}
    drive.give_up()
    assert channels(astronaut) == before and not astronaut.lope.drive_kept
    for name, matrix in moment.items():  # as undo brings it back
        astronaut.pose.bones[name].matrix_basis = matrix
    astronaut.lope.drive_kept = kept
    driving._after_undo()
    assert channels(astronaut) == before and not astronaut.lope.drive_kept
