# SPDX-License-Identifier: GPL-3.0-or-later
"""The takes of a character: listed, gone back to, removed; kept beside the .blend, on another machine, and over undo."""

import json
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.children.protocol import Task  # noqa: E402
from lope.addon.jobs.job import DONE, Job  # noqa: E402
from lope.addon.sim.simulation import simulate  # noqa: E402
from lope.operators import context as notes  # noqa: E402
from lope.operators import desk, takes  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut

PATIENCE_S = 60.0
_answers: dict[str, tuple[Path, dict]] = {}
"""Take and report of every shot that a process has simulated here."""


@pytest.fixture(autouse=True)
def answered(monkeypatch, tmp_path_factory):
    """A shot that was simulated before is answered at once, with the same take in a file of its own."""
    start, end = Job.start, Job._end

    def begin(job):
        path, job.report = _answers.get(json.dumps(job.task.shot), (None, {}))
        if path is None:
            start(job)
        else:
            shutil.copy(path, job.task.out)
            job.state, job.share = DONE, 1.0

    def over(job, code, last_words):
        end(job, code, last_words)
        if job.state == DONE:
            kept = tmp_path_factory.mktemp("answered") / "take.npz"
            _answers[json.dumps(job.task.shot)] = Path(shutil.copy(job.task.out, kept)), job.report

    monkeypatch.setattr(Job, "start", begin)
    monkeypatch.setattr(Job, "_end", over)


def simulated(armature, path, seconds=1.0, bake=False):
    """A take that a job brought, as in a Blender with a window."""
    from lope.operators.shot_builder import make_shot

    scene = bpy.context.scene
    scene.lope.duration_s = seconds
    desk.submit(Task("simulate", make_shot(armature, scene).to_dict(), str(path)), armature, scene, bake=bake)
    end = time.monotonic() + PATIENCE_S
    while desk.queue.busy:
        assert time.monotonic() < end, "waited in vain"
        desk.tick()
        time.sleep(0.01)


def names(armature):
    return [Path(one.path).name for one in armature.lope.takes]


@pytest.fixture
def two(astronaut, tmp_path):
    """A character with two takes of a temporary folder, the second one baked."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    simulated(astronaut, folder / "a.npz")
    bpy.ops.ed.undo_push(message="One take")
    simulated(astronaut, folder / "b.npz", 1.5, bake=True)
    return astronaut


def test_the_list_says_what_each_take_is(two):
    first, second = two.lope.takes
    assert names(two) == ["a.npz", "b.npz"] and two.lope.take_index == 1 and takes.is_present(two, second)
    assert (first.label, second.label) == ("Lope Moon", "Lope Moon 2")
    assert (first.length_s, second.length_s) == pytest.approx((1.0, 1.5), abs=0.02)
    assert json.loads(first.recipe)["duration_s"] == 1.0 and len(first.sha256) == 64 and first.verdict


def test_going_back_to_a_take_bakes_it_in_one_step(two):
    bpy.ops.ed.undo_push(message="Before")
    length = two.animation_data.action.frame_range[1]
    two.lope.take_index = 0
    assert bpy.ops.lope.take_use("EXEC_DEFAULT", True) == {"FINISHED"}
    assert Path(two.lope.take_path).name == "a.npz" and two.animation_data.action.frame_range[1] < length
    bpy.ops.ed.undo()
    assert bpy.context.object.animation_data.action.frame_range[1] == length


def test_going_back_to_a_take_brings_its_settings_back(astronaut, tmp_path):
    own, around = astronaut.lope, bpy.context.scene.lope
    push = own.pushes.add()
    push.frame, push.force_n = 5, 80.0
    own.use_speed, own.speed_m_s = True, 1.1
    simulated(astronaut, tmp_path / "a.npz")
    own.pushes.clear()
    own.use_speed, own.suit, own.bake_step, around.world = False, "mark-iii", 3, "mars"
    simulated(astronaut, tmp_path / "b.npz", 1.5)
    own.take_index = 0
    assert bpy.ops.lope.take_use("EXEC_DEFAULT", True) == {"FINISHED"}
    assert (around.world, around.duration_s, own.suit) == ("moon", 1.0, "apollo-a7lb")
    assert own.use_speed and own.speed_m_s == pytest.approx(1.1) and [push.force_n for push in own.pushes] == [80.0]
    assert own.bake_step == 3 and names(astronaut) == ["a.npz", "b.npz"]
    own.take_index = 1
    assert bpy.ops.lope.take_use("EXEC_DEFAULT", True) == {"FINISHED"}
    assert (around.world, around.duration_s, own.suit, len(own.pushes)) == ("mars", 1.5, "mark-iii", 0)


def test_keys_are_not_said_to_be_there_once_they_are_undone(two):
    assert "The keys are there" in notes.of(two).text
    bpy.ops.ed.undo()
    armature = bpy.context.object
    assert "The keys were undone" in notes.of(armature).text and names(armature) == ["a.npz", "b.npz"]
    bpy.ops.ed.redo()
    assert "The keys are there" in notes.of(bpy.context.object).text


def test_a_removed_take_stays_removed_over_undo_and_redo(two):
    bpy.ops.ed.undo_push(message="Before")
    two.lope.take_index = 0
    assert bpy.ops.lope.take_remove("EXEC_DEFAULT", True) == {"FINISHED"}
    assert names(two) == ["b.npz"]
    bpy.ops.ed.undo()
    assert names(bpy.context.object) == ["a.npz", "b.npz"]
    bpy.ops.ed.redo()
    assert names(bpy.context.object) == ["b.npz"]


def test_takes_go_beside_the_file_and_never_over_another_one(two, tmp_path):
    home = tmp_path / "home"
    (home / "lope").mkdir(parents=True)
    (home / "lope" / "a.npz").write_bytes(b"somebody else's")
    bpy.ops.wm.save_as_mainfile(filepath=str(home / "shot.blend"))
    assert [one.path for one in two.lope.takes] == ["//lope/a.001.npz", "//lope/b.npz"] and two.lope.take_path == "//lope/b.npz"
    assert (home / "lope" / "a.npz").read_bytes() == b"somebody else's"
    assert sorted(path.name for path in (home / "lope").iterdir()) == ["a.001.npz", "a.npz", "b.npz"]
    assert list((tmp_path / "temporary").iterdir()) == [], "they were moved"
    takes.restore()
    assert names(two) == ["a.001.npz", "b.npz"]


def test_a_copy_and_a_file_that_cannot_be_written_leave_the_settings(two, tmp_path):
    before = [one.path for one in two.lope.takes]
    (tmp_path / "folder.blend").mkdir()
    with pytest.raises(RuntimeError):
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "folder.blend"))
    assert [one.path for one in two.lope.takes] == before
    (tmp_path / "copy").mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "copy" / "shot.blend"), copy=True)
    assert [one.path for one in two.lope.takes] == before and all(Path(path).is_file() for path in before)
    assert (tmp_path / "copy" / "lope" / "b.npz").is_file()


def test_removed_files_go_with_the_next_save_but_not_where_another_blend_lies(two, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    other = tmp_path / "other.blend"
    other.write_bytes(b"")
    two.lope.take_index = 0
    bpy.ops.lope.take_remove()
    bpy.ops.wm.save_mainfile()
    assert (tmp_path / "lope" / "a.npz").is_file(), "the other .blend may know it"
    other.unlink()
    bpy.ops.wm.save_mainfile()
    assert not (tmp_path / "lope" / "a.npz").exists() and (tmp_path / "lope" / "b.npz").is_file()


def test_saved_elsewhere_the_old_file_keeps_its_takes(two, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / folder / "shot.blend"))
    for folder in ("one", "two"):
        assert (tmp_path / folder / "lope" / "a.npz").is_file()
    assert two.lope.take_path == "//lope/b.npz"


def test_on_another_machine_plots_dust_going_on_and_bake_work(two, tmp_path):
    name = two.name
    (tmp_path / "here").mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "here" / "shot.blend"))
    shutil.move(tmp_path / "here", tmp_path / "there")
    shutil.rmtree(tmp_path / "temporary")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "there" / "shot.blend"))
    armature = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = armature
    assert names(armature) == ["a.npz", "b.npz"]
    for button in ("show_plots", "add_dust", "bake", "go_on", "export_csv"):
        assert getattr(bpy.ops.lope, button)() == {"FINISHED"}, button
    from lope.operators.shot_builder import make_shot

    after = make_shot(armature, bpy.context.scene).motion.after
    assert Path(after.take) == tmp_path / "there" / "lope" / "b.npz"


def test_run_again_is_offered_where_the_take_is_gone(two, tmp_path):
    for path in (tmp_path / "temporary").iterdir():
        path.unlink()
    with pytest.raises(RuntimeError, match="press Run Again"):
        bpy.ops.lope.show_plots()
    two.lope.take_index = 0
    assert not bpy.ops.lope.take_use.poll() and bpy.ops.lope.rerun(chosen=True) == {"FINISHED"}
    assert Path(two.lope.take_path).is_file() and bpy.ops.lope.bake.poll()
    assert bpy.ops.lope.rerun() == {"FINISHED"}
    assert json.loads(takes.chosen(two).recipe)["duration_s"] == 1.5


def test_the_list_draws_where_files_are_there_and_gone(two, tmp_path):
    from layout_listener import Listener
    from lope.panels.outcome import LOPE_PT_result

    listener = Listener(bpy.context)
    listener.draw(LOPE_PT_result)
    assert "lope.take_remove" in listener.drawn and "lope.take_use" not in listener.drawn, "it is the take that is there"
    two.lope.take_index = 1 - two.lope.take_index
    listener.draw(LOPE_PT_result)
    assert "lope.take_use" in listener.drawn
    two.lope.take_index = 1 - two.lope.take_index
    (tmp_path / "temporary" / "b.npz").unlink()
    listener.draw(LOPE_PT_result)
    assert "lope.rerun" in listener.drawn


def test_a_ghost_lies_where_the_keys_lie(two, monkeypatch):
    import numpy as np

    from lope.addon.viewport import sketch_overlay

    monkeypatch.setattr(sketch_overlay._ghost_handlers, "draws", [])
    assert bpy.ops.lope.take_ghost() == {"FINISHED"}
    (ghost,) = sketch_overlay._ghosts.values()
    for frame in (1, 20):
        bpy.context.scene.frame_set(frame)
        matrix, time_s = ghost.now()
        at, others = ghost.rows(time_s)
        assert time_s == pytest.approx((frame - 1) / 24.0) and len(others)
        joints = np.asarray(ghost.sketch.ends[at].reshape(-1, 3)) @ np.array(matrix)[:3, :3].T + np.array(matrix)[:3, 3]
        head = np.array(two.matrix_world @ two.pose.bones["thigh_L"].head)
        assert np.linalg.norm(joints - head, axis=1).min() < 0.015
    assert bpy.ops.lope.take_ghost(index=1) == {"FINISHED"} and not sketch_overlay._ghosts


def test_a_hand_key_is_said_to_be_left_behind_and_kept_by_a_button(two, tmp_path):
    from lope.addon.rigs.read.actions import curves_of

    old, bone = two.animation_data.action, two.pose.bones["head"]
    path = bone.path_from_id("rotation_quaternion")
    bone.rotation_mode = "QUATERNION"
    head = sorted((curve for curve in curves_of(old) if curve.data_path == path), key=lambda curve: curve.array_index)
    bone.rotation_quaternion = [curve.evaluate(12) + (0.2 if curve.array_index == 1 else 0.0) for curve in head]
    bone.keyframe_insert("rotation_quaternion", frame=12)
    bpy.context.scene.lope.world = "mars"
    simulated(two, tmp_path / "temporary" / "c.npz", 1.5, bake=True)
    new = two.animation_data.action
    assert new != old and f"Your keys are in {old.name}" in notes.of(two).text and bpy.ops.lope.keep_keys.poll()

    def value(action):
        return next(curve for curve in curves_of(action) if curve.data_path == path and curve.array_index == 1).evaluate(12)

    before = value(new)
    assert bpy.ops.lope.keep_keys("EXEC_DEFAULT", True) == {"FINISHED"}
    assert value(two.animation_data.action) - before > 0.1 and old.name in bpy.data.actions
    assert not bpy.ops.lope.keep_keys.poll() and "lie over" in two.lope.bake_report


def test_two_characters_do_not_go_in_step(astronaut):
    """Each has a seed of its own, by its name, and varies its strides by it (less in low gravity)."""
    from lope.operators.shot_builder import make_shot, seed_of

    bpy.context.scene.lope.world = "earth"
    bpy.ops.lope.add_astronaut()
    other = bpy.context.object
    first, second = (make_shot(item, bpy.context.scene) for item in (astronaut, other))
    assert (first.seed, second.seed) == (seed_of(astronaut), seed_of(other)) and first.seed != second.seed
    takes = [simulate(replace(shot, duration_s=8.0).with_motion(name="walk")) for shot in (first, second)]
    assert (takes[0].contact[-300:] != takes[1].contact[-300:]).mean() > 0.1
    other.lope.seed = 7
    assert make_shot(other, bpy.context.scene).seed == 7


def test_the_header_has_the_button_that_its_word_speaks_of(two):
    from layout_listener import Listener
    from lope.panels import status

    def buttons():
        listener = Listener(bpy.context)
        told = next(status.told(bpy.context))
        if told.buttons is not None:
            told.buttons(listener)
        return told.text, set(listener.drawn)

    assert "The keys are there" in buttons()[0]
    bpy.ops.ed.undo()
    text, drawn = buttons()
    assert "The keys were undone" in text and "lope.bake" in drawn


def test_a_setting_that_is_changed_brings_the_plan_back_to_the_head(astronaut, scene):
    from lope.operators import context as notes
    from lope.panels.status import told

    notes.tell(astronaut.session_uid, "Astronaut", notes.Note(notes.DONE, "10.0 s on Earth"))
    assert next(told(bpy.context)).text == "10.0 s on Earth"
    scene.lope.world = "moon"
    assert notes.of(astronaut) is None
    notes.tell(astronaut.session_uid, "Astronaut", notes.Note(notes.CANCELLED, "Cancelled"))
    scene.lope.world = "mars"
    assert notes.of(astronaut) is not None


def test_a_view_goes_along_and_stays_again(astronaut):
    screen, area = next((screen, area) for screen in bpy.data.screens for area in screen.areas if area.type == "VIEW_3D")
    with bpy.context.temp_override(screen=screen, area=area):
        assert bpy.ops.lope.follow_in_view() == {"FINISHED"}
        assert area.spaces.active.lock_object == astronaut and area.spaces.active.lock_bone in astronaut.data.bones
        assert bpy.ops.lope.follow_in_view() == {"FINISHED"}
        assert area.spaces.active.lock_object is None
