# SPDX-License-Identifier: GPL-3.0-or-later
"""The push dial in Blender: the response is on the armature while one dials, nothing stays of what is given up, one push of
what is taken."""

import time

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.viewport import dial_overlay as turns  # noqa: E402
from lope.operators import push_dial  # noqa: E402
from lope.operators.push_dial import PushDial  # noqa: E402
from lope.operators.push_dial_example import allowed  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut
PATIENCE_S = 60.0
PLACE = (0.5, 0.3)


def until(dial, arrived):
    end = time.monotonic() + PATIENCE_S
    while not arrived():
        assert time.monotonic() < end and not dial.refused, f"waited in vain: {dial.refused}"
        dial.step()
        time.sleep(0.005)


def channels(armature):
    return {bone.name: (tuple(bone.location), tuple(bone.rotation_quaternion), tuple(bone.rotation_euler), tuple(bone.scale))
            for bone in armature.pose.bones}


@pytest.fixture
def stander(astronaut, scene):
    astronaut.lope.motion, astronaut.lope.suit = "STAND", "none"
    scene.lope.world, scene.lope.duration_s = "earth", 5.0
    scene.frame_set(scene.frame_start)
    astronaut.pose.bones["head"].location = (0.0, 0.01, 0.0)
    return astronaut


@pytest.fixture
def dialling(stander, scene):
    """A dial with a push on it, and how the armature was before."""
    before = channels(stander)
    dial = PushDial(stander, scene)
    assert channels(stander) == before and dial.state == turns.AIMING
    dial.press(PLACE)
    yield dial, before
    dial.give_up()
    dial.job.close()


def test_the_response_by_example_is_there_at_once_and_the_simulated_one_after(dialling, stander):
    dial, before = dialling
    assert dial.posed and channels(stander) != before and dial.state == turns.DRAGGING
    assert stander.lope.drive_kept, "an automatic save of this moment can be put right"
    time.sleep(0.1)
    dial.step()
    later = channels(stander)
    dial.drag((-0.5, 0.0))
    assert dial.aim.way == pytest.approx((-1.0, 0.0)) and channels(stander) != later
    dial.release()
    until(dial, lambda: dial.state == turns.SHOWN)
    assert dial.outcome["tried"] == 1 and not dial.outcome["fell"]
    assert any("N" in line for line in push_dial.label_of_push(dial)) and "Enter" in push_dial.keys_now(dial)
    assert stander.animation_data is None or stander.animation_data.action is None, "nothing is keyed"


def test_what_is_given_up_leaves_nothing(dialling, stander):
    dial, before = dialling
    dial.give_up()
    assert channels(stander) == before and not stander.lope.pushes and not stander.lope.drive_kept and dial.ended
    dial.press(PLACE)
    dial.drag((1.0, 1.0))
    assert channels(stander) == before, "it is over"


def test_what_is_taken_is_one_push_at_the_present_frame(dialling, stander, scene):
    dial, before = dialling
    assert not dial.accept(), "while the mouse is held"
    dial.release()
    assert dial.accept() and channels(stander) == before
    push, = stander.lope.pushes
    assert push.frame == scene.frame_current and push.arrow is None and push.segment == "chest"
    found, = make_shot(stander, scene).pushes
    assert found.start_s == 0.0 and found.duration_s == pytest.approx(0.2)
    np.testing.assert_allclose(found.force_n, dial.force_n(dial.aim), rtol=1e-3, atol=1e-2)


def test_an_arrow_points_where_the_push_goes(dialling, stander, scene):
    dial, _ = dialling
    stander.lope.dial_arrow = True
    dial.release()
    dial.accept()
    push, = stander.lope.pushes
    bpy.context.view_layer.update()
    np.testing.assert_allclose(make_shot(stander, scene).pushes[0].force_n, dial.force_n(dial.aim), rtol=1e-3, atol=0.1)
    place, way = (np.array(push.arrow.matrix_world.col[column][:3]) for column in (3, 2))
    tip = place + push.arrow.empty_display_size * way
    assert 1.0 < tip[2] < 1.6 and np.hypot(*tip[:2]) < 0.3, "it ends at the chest"


def test_the_middle_of_the_dial_is_no_push(dialling, stander):
    dial, before = dialling
    dial.drag((0.0, 0.0))
    assert dial.aim is None and channels(stander) == before and push_dial.label_of_push(dial) == ()
    dial.release()
    assert dial.state == turns.AIMING and not dial.accept()


def test_what_is_saved_meanwhile_is_the_scene_without_the_dial(dialling, stander, monkeypatch):
    dial, before = dialling
    monkeypatch.setattr(push_dial, "dialled", dial)
    push_dial._before_save()
    assert channels(stander) == before and not stander.lope.drive_kept
    dial.step()
    assert channels(stander) != before and stander.lope.drive_kept
    push_dial._before_undo()
    assert dial.ended and channels(stander) == before


def test_the_push_comes_where_the_shot_has_it(stander, scene):
    """Who was shoved before is dialled from where that led."""
    push = stander.lope.pushes.add()
    push.frame, push.force_n, push.duration_s, push.direction = scene.frame_start, 300.0, 0.2, (1.0, 0.0, 0.0)
    scene.frame_set(scene.frame_start + 72)
    dial = PushDial(stander, scene)
    try:
        until(dial, lambda: dial.ready)
        assert dial.dial.centre_m[0] > 0.3
        dial.press((dial.dial.centre_m[0], 0.6))
        hips = np.array(stander.pose.bones["pelvis"].matrix_basis.translation)
        assert np.linalg.norm(hips) > 0.3, "the example begins there"
    finally:
        dial.give_up()
        dial.job.close()


def test_a_character_with_keys_shows_the_response_and_keeps_them(stander, scene):
    bones = stander.pose.bones
    bones["pelvis"].keyframe_insert("location", frame=scene.frame_start)
    bones["head"].keyframe_insert("rotation_quaternion", frame=scene.frame_start)
    keys = stander.animation_data.action.name
    before = channels(stander)
    dial = PushDial(stander, scene)
    try:
        dial.press(PLACE)
        time.sleep(0.4)
        dial.step()
        set_ = np.array(bones["pelvis"].location)
        bpy.context.view_layer.update()
        seen = stander.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["pelvis"]
        np.testing.assert_allclose(seen.location, set_, atol=1e-6)
        assert np.linalg.norm(set_) > 0.005, "it is the response that is seen, not the keys"
    finally:
        dial.give_up()
        dial.job.close()
    assert channels(stander) == before and stander.animation_data.action.name == keys


def test_who_is_down_before_the_push_is_told_so(stander, scene):
    push = stander.lope.pushes.add()
    push.frame, push.force_n, push.duration_s = scene.frame_start, 3000.0, 0.2
    scene.frame_set(scene.frame_start + 96)
    dial = PushDial(stander, scene)
    try:
        dial.press(PLACE)
        dial.release()
        with pytest.raises(AssertionError, match="down by"):
            until(dial, lambda: False)
        assert "down by" in push_dial.header_now(dial) and len(push_dial.label_of_push(dial)) == 2
    finally:
        dial.give_up()
        dial.job.close()


def test_frames_outside_of_the_shot_are_refused(stander, scene):
    for frame in (scene.frame_start - 1, scene.frame_start + 1000):
        scene.frame_set(frame)
        with pytest.raises(InputError, match="not in the shot"):
            PushDial(stander, scene)


def test_only_who_stands_is_dialled(astronaut):
    assert not push_dial.LOPE_OT_push_dial.poll(bpy.context)


def test_a_ledge_forbids_steps(stander):
    from lope.addon.specs.motions import Stand

    assert "step" in allowed(Stand()) and not {"step", "steps"} & set(allowed(Stand(steps=0)))
    assert "hips" not in allowed(Stand(hips=False)) and set(allowed(Stand(steps=1))) == set(allowed(Stand())) - {"steps"}
