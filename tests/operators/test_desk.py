# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs and the scene: what happens to a result when the armature, the file or Blender's add-on goes meanwhile."""

import json
import os
import time
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
import lope_scene  # noqa: E402
from lope.addon.children.protocol import Task  # noqa: E402
from lope.addon.jobs.job import CANCELLED, DONE  # noqa: E402
from lope.addon.sim.simulation import simulate  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.specs.shot import Shot, World  # noqa: E402
from lope.operators import context as notes  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut

PATIENCE_S = 60.0


@pytest.fixture
def desk(scene):
    from lope.operators import desk

    return desk


def order(desk, armature, path, seconds, bake=False):
    """Submit a simulation without waiting, as a Blender with a window does."""
    from lope.operators.shot_builder import make_shot

    scene = bpy.context.scene
    scene.lope.duration_s = seconds
    return desk.submit(Task("simulate", make_shot(armature, scene).to_dict(), str(path)), armature, scene, bake=bake)


def until(desk, arrived):
    end = time.monotonic() + PATIENCE_S
    while not arrived():
        assert time.monotonic() < end, "waited in vain"
        desk.tick()
        time.sleep(0.01)


def begun(desk, armature, tmp_path):
    """A job that is under way and would take very long."""
    job = order(desk, armature, tmp_path / "take.npz", 3000.0).job
    until(desk, lambda: job.share > 0.0)
    return job


def is_there(process_id):
    try:
        return Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_result_reaches_its_armature_and_is_baked_when_asked(desk, astronaut, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(desk, "listeners", [told.append])
    order(desk, astronaut, tmp_path / "take.npz", 1.0, bake=True)
    until(desk, lambda: not desk.queue.busy)
    assert told == [astronaut]
    assert astronaut.lope.take_path == str(tmp_path / "take.npz")
    assert astronaut.animation_data.action is not None
    assert notes.of(astronaut).kind == notes.DONE


def kept_take(path, seconds=1.0):
    """A take on disk that some earlier simulation left."""
    take = simulate(Shot(world=World("earth"), duration_s=seconds))
    take.save(path)
    return str(path)


@pytest.mark.parametrize("other_has_a_take", [True, False])
def test_a_take_is_baked_on_its_armature_whichever_is_picked_meanwhile(desk, astronaut, scene, tmp_path, other_has_a_take):
    bpy.ops.lope.add_astronaut()
    other = bpy.context.object
    assert other != astronaut
    if other_has_a_take:
        other.lope.take_path = kept_take(tmp_path / "old.npz")
    order(desk, astronaut, tmp_path / "take.npz", 1.0, bake=True)
    scene.lope.armature = other
    until(desk, lambda: not desk.queue.busy)
    assert notes.of(astronaut).kind == notes.DONE
    assert astronaut.animation_data.action is not None and other.animation_data is None
    assert json.loads(astronaut.animation_data.action["lope_shot"])["world"]["name"] == "moon"


def test_an_automatic_bake_is_one_step_of_undo(desk, astronaut, tmp_path):
    bpy.ops.ed.undo_push(message="Before")
    order(desk, astronaut, tmp_path / "take.npz", 1.0, bake=True)
    until(desk, lambda: not desk.queue.busy)
    assert len(bpy.data.actions) == 1
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert len(bpy.data.actions) == 0 and bpy.context.object.animation_data is None


def test_the_card_of_a_take_is_kept_with_the_armature(desk, astronaut, tmp_path):
    from lope.operators import outcomes

    order(desk, astronaut, tmp_path / "take.npz", 1.0)
    until(desk, lambda: not desk.queue.busy)
    card = outcomes.card_of(astronaut)
    assert ("green", "fall") in {(line.grade, line.name) for line in card}
    assert outcomes.grade_of(card) == "not judged", "a second of the Moon's walk holds no stride"
    astronaut.lope.take_card = "damaged"
    assert outcomes.card_of(astronaut) == []


def test_a_deleted_armature_leaves_its_take(desk, astronaut, tmp_path):
    job = begun(desk, astronaut, tmp_path)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    job.finish()
    until(desk, lambda: not desk.queue.busy)
    name, note = notes.last()
    assert job.state == DONE and note.kind == notes.WARNED and "gone" in note.text and name == "Astronaut"
    assert Take.load(tmp_path / "take.npz").shot.duration_s == 3000.0


def test_an_edited_rig_gets_its_take_but_no_keys(desk, astronaut, tmp_path):
    order(desk, astronaut, tmp_path / "take.npz", 1.0, bake=True)
    astronaut.scale = (1.1, 1.1, 1.1)
    bpy.context.view_layer.update()
    until(desk, lambda: not desk.queue.busy)
    assert notes.of(astronaut).kind == notes.WARNED and "edited meanwhile" in notes.of(astronaut).text
    assert astronaut.lope.take_path and astronaut.animation_data is None


def test_a_renamed_armature_is_still_the_same(desk, astronaut, tmp_path):
    order(desk, astronaut, tmp_path / "take.npz", 1.0)
    astronaut.name = "Somebody else"
    until(desk, lambda: not desk.queue.busy)
    assert bpy.data.objects["Somebody else"].lope.take_path == str(tmp_path / "take.npz")


def test_undo_takes_no_take_away(desk, astronaut, tmp_path):
    bpy.ops.ed.undo_push(message="Before")
    order(desk, astronaut, tmp_path / "take.npz", 1.0)
    until(desk, lambda: not desk.queue.busy)
    bpy.context.object.location.x = 1.0
    bpy.ops.ed.undo_push(message="Moved")
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert bpy.context.object.location.x == 0.0
    assert bpy.context.object.lope.take_path == str(tmp_path / "take.npz")


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks at processes in /proc")
@pytest.mark.parametrize("end", ["load", "unregister", "exit", "cancel"])
def test_no_process_is_left(desk, astronaut, tmp_path, end):
    job = begun(desk, astronaut, tmp_path)
    waiting = order(desk, astronaut, tmp_path / "second.npz", 3000.0).job
    assert is_there(job.process_id)
    if end == "load":
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    elif end == "unregister":
        lope.unregister()
        lope.register()
    elif end == "exit":
        desk.close_at_exit()
    else:
        assert bpy.ops.lope.cancel() == {"FINISHED"}
        until(desk, lambda: not desk.queue.busy)
    assert not desk.queue.busy and {job.state, waiting.state} == {CANCELLED}
    assert not is_there(job.process_id) and list(tmp_path.iterdir()) == []


def test_finish_now_keeps_what_there_is(desk, astronaut, tmp_path):
    assert not bpy.ops.lope.finish_now.poll() and not bpy.ops.lope.cancel.poll()
    begun(desk, astronaut, tmp_path)
    assert [order.object_uid for order in desk.orders.values()] == [astronaut.session_uid]
    assert bpy.ops.lope.finish_now() == {"FINISHED"}
    until(desk, lambda: not desk.queue.busy)
    assert "ended early" in astronaut.lope.take_summary and Path(astronaut.lope.take_path).is_file()


def test_the_same_shot_goes_to_the_same_file(astronaut, scene, tmp_path):
    from lope.operators.shot_builder import make_shot
    from lope.operators.simulate import take_file

    first = take_file(astronaut, make_shot(astronaut, scene).to_dict())
    assert first == take_file(astronaut, make_shot(astronaut, scene).to_dict())
    astronaut.lope.seed = 3
    assert first != take_file(astronaut, make_shot(astronaut, scene).to_dict())


def test_the_panel_tells_a_lost_simulation_from_a_fall(scene):
    from lope.operators.outcomes import summary

    shot = {"world": {"name": "moon"}}
    lost = summary({"fell": True, "time_fell_s": 1.0, "lost": "MuJoCo lost the simulation at 1.000 s."}, shot)
    assert "MuJoCo lost" in lost and "no fall" in lost and "Fell" not in lost
    assert "Fell after 1.0 s" in summary({"fell": True, "time_fell_s": 1.0, "lost": None}, shot)
    sentence = "The ball at 2 s did not touch forearm_L: chest was in its way."
    assert summary({"fell": True, "time_fell_s": 1.0, "lost": None, "missed": [sentence]}, shot).endswith(f". {sentence}")
    on = summary({"fell": False, "time_fell_s": 1.0, "lost": None, "duration_s": 4.5, "walked_m": 1.0}, shot)
    assert "Fell after 1.0 s" in on and "simulated on to 4.5 s" in on and "another speed" not in on
