# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses picked in the panel, and the gait that is made of them."""

from dataclasses import asdict
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.children.protocol import Task  # noqa: E402
from lope.addon.gaits.pose_gaits import load_pose_gait  # noqa: E402
from lope.addon.jobs import tasks  # noqa: E402
from lope.addon.specs.pose_gait import pose_gait_file  # noqa: E402
from lope.addon.specs.shot import BodySpec  # noqa: E402
from lope.operators import pose_picks  # noqa: E402
from lope.operators import pose_picks as gait_from_poses  # noqa: E402
from lope.operators import search_outcomes as made_gait  # noqa: E402
from lope.scripts.tools.make_pose_sets import OLD, ZOMBIE, key_set, set_pose  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene


@pytest.fixture
def astronaut(scene, tmp_path, monkeypatch):
    for module in ("search_outcomes", "pose_picks", "pose_gait_settings"):
        monkeypatch.setattr(f"lope.operators.{module}.pose_gaits_folder", lambda: tmp_path)
    bpy.ops.lope.add_astronaut()
    bpy.context.object.lope.gait_source = "POSES"
    return bpy.context.object


def picked(armature):
    return [(pick.action.name, pick.frame) for pick in armature.lope.pose_picks]


def test_poses_are_picked_at_the_frame_at_markers_and_as_they_are(astronaut, scene):
    key_set(astronaut, "old", OLD, first=11)
    scene.frame_set(11)
    bpy.ops.lope.pose_pick(source="FRAME")
    bpy.ops.lope.pose_drop()
    for name, frame in (("before", 3), ("lift", 11), ("land", 19)):
        scene.timeline_markers.new(name, frame=frame).select = False
    bpy.ops.lope.pose_pick(source="MARKERS")
    assert picked(astronaut) == [("old", 11), ("old", 19)]
    from lope.addon.rigs.read.armature import read_figure

    set_pose(astronaut, read_figure(astronaut), ZOMBIE.passing)
    bpy.ops.lope.pose_pick(source="NOW")
    assert picked(astronaut)[2] == ("Astronaut pose", 1) and astronaut.animation_data.action.name == "old"
    assert pose_picks.of_several_actions(astronaut.lope)
    bpy.ops.lope.pose_drop()
    assert len(astronaut.lope.pose_picks) == 2


def test_what_cannot_be_picked_is_said(astronaut, scene):
    with pytest.raises(RuntimeError, match="Astronaut has no action whose frames could be picked"):
        bpy.ops.lope.pose_pick(source="FRAME")
    key_set(astronaut, "old", OLD)
    with pytest.raises(RuntimeError, match="No marker stands within the action 'old', frames 1 to 9"):
        bpy.ops.lope.pose_pick(source="MARKERS")
    with pytest.raises(RuntimeError, match="Pick two poses or more first|poll"):
        bpy.ops.lope.gait_from_poses()
    scene.frame_set(5)
    bpy.ops.lope.pose_pick(source="FRAME")
    astronaut.lope.pose_picks[0].frame = 40
    bpy.ops.lope.pose_pick(source="FRAME")
    with pytest.raises(RuntimeError, match="no frame 40 in the action 'old': it has frames 1 to 9"):
        bpy.ops.lope.gait_from_poses()


def test_the_gait_that_was_made_is_gone_in_and_what_gave_is_told(astronaut, tmp_path, monkeypatch):
    key_set(astronaut, "old", OLD)
    for frame in (1, 9):
        entry = astronaut.lope.pose_picks.add()
        entry.action, entry.frame = bpy.data.actions["old"], frame
    asked = []

    def done(operator, context, task):
        asked.append(task)
        report = {"off": [(2, "swinging knee's angle", -12.0)], "falls_on": [], "speed_m_s": 0.7, "asked_m_s": 0.8}
        from lope.addon.gaits.tuned_maps import write_json

        write_json(Path(task.out), task.options["poses"])
        said = made_gait.choose(astronaut, task.out, report)
        assert said == "Made my gait; it goes 0.70 m/s on Earth"
        return {"FINISHED"}

    monkeypatch.setattr(gait_from_poses, "run_task", done)
    bpy.ops.lope.gait_from_poses()
    assert asked[0].options["body"]["landmarks"] and asked[0].options["body"]["mass_kg"] == astronaut.lope.mass_kg
    assert asked[0].kind == "poses" and astronaut.lope.pose_gait == "KEPT:my gait"
    assert astronaut.lope.poses_said.split("\n") == ["0.70 m/s on Earth; the poses ask for 0.80",
                                                     "Pose 2: swinging knee's angle -12°", "Tried on Astronaut's own body"]
    assert gait_from_poses.free_name("my gait") == "my gait 2" and gait_from_poses.free_name("Walk") == "Walk 2"


def test_the_job_writes_the_gait_and_tells_what_gave(tmp_path, monkeypatch):
    from lope.addon.search import gait_from_poses as search

    walk, told = load_pose_gait("walk"), []
    made = search.Made(walk, [search.Given(1, "trunk's lean", 0.1)], {"falls_on": [], "speed_m_s": 1.0})
    monkeypatch.setattr(search, "make_gait", lambda drawn, base, budget, say, body: told.append((drawn, budget, body)) or made)
    out = tmp_path / "walk.json"
    report = tasks.run(Task("poses", {}, str(out), {"poses": pose_gait_file(walk), "evaluations": 3, "seed": 5,
                                                        "body": asdict(BodySpec(1.5, 60.0))}), None)
    assert load_pose_gait(str(out)) == walk == told[0][0] and (told[0][1].evaluations, told[0][1].seed) == (3, 5)
    assert told[0][2] == BodySpec(1.5, 60.0)
    assert report["off"] == [(1, "trunk's lean", 5.7)] and report["speed_m_s"] == 1.0


def test_the_panel_shows_the_poses_and_the_button(astronaut):
    from layout_listener import Listener
    from lope import panels

    listener = Listener(bpy.context)
    listener.draw({cls.__name__: cls for cls in panels._classes()}["LOPE_PT_page"])
    assert {"poses_name", "lope.gait_from_poses", "lope.pose_pick"} <= set(listener.drawn)
