# SPDX-License-Identifier: GPL-3.0-or-later
"""Every button of Lope in every awkward scene: it says in clear words why it cannot, and leaves the scene alone; or it does
its work."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

import lope
from blender_scene import bpy, empty_file, set_rate
from broken_rigs import animate_scale, hide, linked_rig, rig, scale_unevenly, shrink_a_bone, state
from foot_slip import walk
from lope import panels
from lope.addon.errors import LopeError

pytestmark = pytest.mark.slow

OPENS_A_VIEWER = {"help"}
"""Opens a page with the desktop's own viewer, and looks at no scene."""
WITHOUT_ARMATURE = {"add_astronaut", "add_creature", "add_stage", "go_to_frame", "register_library", "set_duration",
                    "world_preset_add"}
NO_JOB = {"cancel", "finish_now"}
WRITES_ON_THE_ARMATURE = {"simulate", "rerun", "detect_rig", "bake", "map_bone", "map_load", "map_forget", "list_add",
                          "list_remove", "go_on", "start_anew", "try_again", "lock_footprint", "reset_footprints",
                          "reset_style", "move_footprints", "stance_from_pose", "stance_drop",
                          "pose_pick", "pose_drop", "gait_from_poses", "condition_add", "condition_clear",
                          "read_pressure", "index_clips", "index_again", "motion_split", "motions_read", "live_keep",
                          "use_move", "add_sample_clip", "add_pressure_sample"}
NEEDS_A_VIEW = {"move_footprints", "drive", "push_dial", "hit_pick", "follow_in_view"}
NEEDS_A_HIT = {"hit_bone", "simulate_hit"}
NEEDS_A_CREATURE = {"find_gait", "keep_gait", "creature_bone", "creature_map_forget"}
NEEDS_PRESSURE = {"read_pressure", "index_clips", "index_again", "motion_split", "motions_read", "live_pressure", "live_stop",
                  "live_keep", "live_discard"}
"""Need a file of pressure, a database, a folder of clips, or pressure that is, or was, shown live."""
NEEDS_MUSCLES = {"show_muscles", "hide_muscles"}
NEEDS_A_CUT_DRIVE = {"drive_recover"}
NEEDS_A_FALL = {"show_fall", "try_again"}
NEEDS_A_FIGURE = {"stance_from_pose", "simulate", "tune", "preview", "detect_rig", "bake", "export_events"}
BAKES = {"bake"}
ADDS = {"add_ground"}
"""Put something into the scene beside the armature, and change what later buttons meet there."""
POSES = "pose_on_rig"
"""Shows a pose on the armature until it is left, which brings back what was there."""
NEEDS_POSES = {"gait_from_poses", "pose_drop", "leave_rig", "take_from_rig", "pose_gait_forget", "stance_drop"}
"""Buttons for poses that were picked, are shown, or make a preset of one's own."""
BRINGS_A_MOVE = {"add_sample_clip"}
"""Takes an action of the library into the file, in no scene."""
KEEPS_A_POSE = {"pose_pick"}
"""Writes an action of its own, of one frame, and leaves the character's."""
QUEUED = "The task was queued"
_numbers = count()


def buttons() -> list[str]:
    """Names of all operators of Lope, without the `lope.` before them."""
    lope.register()
    try:
        return sorted(name for name in dir(bpy.ops.lope) if name not in OPENS_A_VIEWER)
    finally:
        lope.unregister()


@pytest.fixture(autouse=True)
def preset_titles():
    """The titles of the preset menus are put back: Blender writes a new preset's name there."""
    titled = [cls for cls in panels._classes() if hasattr(cls, "preset_add_operator")]
    titles = [cls.bl_label for cls in titled]
    yield
    for cls, title in zip(titled, titles, strict=True):
        cls.bl_label = title


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """Lope registered, a take and a bone map on disk; tasks get as far as the queue."""
    lope.register()
    walk("earth", 1.5).save(tmp_path / "take.npz")

    def queued(*_arguments, **_options):
        raise LopeError(f"{QUEUED}.")

    monkeypatch.setattr("lope.operators.desk.submit", queued)
    monkeypatch.setattr("lope.operators.context._folder", lambda name: tmp_path / name)  # nobody else's presets
    for name in ("takes", "tuning", "pose_gaits"):
        (tmp_path / name).mkdir()
    yield tmp_path
    lope.unregister()


def given(name: str, folder) -> dict:
    """What a button is called with."""
    table = {"list_add": {"name": "pushes"}, "list_remove": {"name": "pushes"}, "doctor_fix": {"key": "hidden"},
             "map_bone": {"segment": "head", "bone": "head"}}
    if name in ("map_save", "map_load"):
        return {"filepath": str(folder / "map.json")}
    if name in ("export_csv", "export_events"):
        return {"filepath": str(folder / f"{name}.csv")}
    if name == "export":
        return {"filepath": str(folder / "export.fbx")}
    if name.endswith("preset_add") or name == "pose_gait_save":
        return {"name": f"Matrix {next(_numbers)}"}
    return table.get(name, {})


def pressed(name: str, folder) -> str:
    """What comes of a button: "" where it has done its work, or the words with which it refused."""
    try:
        result = getattr(bpy.ops.lope, name)(**given(name, folder))
    except RuntimeError as error:
        return str(error)
    return "" if result == {"FINISHED"} else f"{result} without a word"


def clear(words: str) -> bool:
    """Whether the words are a sentence for an artist, and no complaint of Python's."""
    found = words.replace("Error: ", "").strip()
    return len(found.split()) > 2 and "Traceback" not in found and "without a word" not in found


def refusals(folder) -> dict[str, str]:
    """Press every button that is not meant to change the scene; each that refuses must say why. Nothing may change."""
    said, before = {}, state()
    for name in buttons_now():
        if name in WITHOUT_ARMATURE | ADDS | {"doctor_fix"}:
            continue
        said[name] = pressed(name, folder)
        if name == POSES and not said[name]:
            assert bpy.context.object.lope.pose_kept and pressed("leave_rig", folder) == ""
        assert not said[name] or clear(said[name]), (name, said[name])
        after = state()
        assert after == before or (not said[name] and name in BAKES | KEEPS_A_POSE | BRINGS_A_MOVE), name
        before = after
    return said


def buttons_now() -> list[str]:
    """All buttons in their order, "Start Anew" after "Go On from Here", which it takes back."""
    names = [name for name in dir(bpy.ops.lope) if name not in OPENS_A_VIEWER]
    return sorted(names, key=lambda name: "go_on_no_more" if name == "start_anew" else name)


def test_every_button_is_in_this_matrix():
    names = set(buttons())
    assert WITHOUT_ARMATURE | NO_JOB | WRITES_ON_THE_ARMATURE | NEEDS_A_FIGURE | BAKES <= names and len(names) >= 24


@pytest.mark.parametrize("scene", ["no armature", "wrong object"])
def test_without_an_armature_every_button_says_so(desk, scene):
    empty_file()
    if scene == "wrong object":
        bpy.ops.mesh.primitive_cube_add()
    said = refusals(desk)
    for name, words in said.items():
        assert ("Nothing is being simulated" if name in NO_JOB else "Pick a character") in words, (name, words)
    for name in sorted(WITHOUT_ARMATURE):
        assert pressed(name, desk) == "", name


@pytest.fixture
def linked(desk):
    """The rig with its take, linked from another file."""
    return linked_rig(desk, desk / "take.npz")


def test_on_a_linked_rig_nothing_is_written(linked, desk):
    said = refusals(desk)
    for name in sorted(WRITES_ON_THE_ARMATURE):
        assert "linked from" in said[name] and "library override" in said[name], (name, said[name])
    for name in ("preview", "show_plots", "export_csv", "export_events", "map_save"):
        assert said[name] == "", (name, said[name])


@pytest.mark.acceptance
def test_on_an_override_that_is_not_editable_nothing_is_written_until_it_is(linked, desk):
    override = linked.override_create(remap_local_usages=True)
    override.override_library.is_system_override = True
    bpy.context.view_layer.objects.active = override
    said = refusals(desk)
    for name in sorted(WRITES_ON_THE_ARMATURE - {"map_forget"}):
        assert "not editable" in said[name], (name, said[name])
    assert bpy.ops.lope.doctor_fix(key="system_override") == {"FINISHED"}
    said = refusals(desk)
    assert said["bake"] == "" and QUEUED in said["simulate"] and said["list_add"] == ""


BROKEN = {"hidden": (hide, BAKES, "is hidden"), "zero-length bone": (shrink_a_bone, BAKES, "have no length"),
          "uneven scale": (scale_unevenly, NEEDS_A_FIGURE, "scaled unevenly"),
          "animated scale": (animate_scale, BAKES, "is animated")}


@pytest.mark.acceptance
@pytest.mark.parametrize("case", BROKEN)
def test_on_a_broken_rig_the_buttons_concerned_say_what_is_wrong(desk, case):
    breaks, concerned, words = BROKEN[case]
    armature = rig(desk / "take.npz")
    breaks(armature)
    said = refusals(desk)
    assert [name for name in sorted(concerned) if words not in said[name]] == []
    fixable = {"hidden": "hidden", "zero-length bone": "zero_length", "uneven scale": "uneven_scale",
               "animated scale": "animated_scale"}[case]
    assert bpy.ops.lope.doctor_fix(key=fixable) == {"FINISHED"}
    assert refusals(desk)["bake"] == ""


def test_in_edit_mode_no_button_reads_the_bones(desk):
    armature = rig(desk / "take.npz")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    said = refusals(desk)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert [name for name in sorted(NEEDS_A_FIGURE) if "Edit Mode" not in said[name]] == []


def test_at_the_frame_rate_of_film_every_button_does_its_work(desk):
    armature = rig(desk / "take.npz")
    scene = set_rate(24, 1.001)
    assert bpy.ops.lope.map_save(filepath=str(desk / "map.json")) == {"FINISHED"}
    said = refusals(desk)
    refused = {name for name, words in said.items() if words and QUEUED not in words}
    fit = NO_JOB | NEEDS_A_VIEW | NEEDS_A_FALL | NEEDS_A_CUT_DRIVE | NEEDS_POSES | NEEDS_A_HIT | {
        "map_forget", "rerun", "add_dust", "add_pressure", "take_ghost", "take_remove",
        "take_use", "keep_keys", "swing"} | NEEDS_PRESSURE | NEEDS_MUSCLES | NEEDS_A_CREATURE
    assert refused <= fit, {name: said[name] for name in refused - fit}
    frames = np.array([point.co.x for curve in _curves(armature) for point in curve.keyframe_points])
    assert frames.max() == scene.frame_start + int(1.5 * 24 / 1.001 + 1e-6)


def _curves(armature):
    from lope.addon.rigs.read.actions import curves_of

    return list(curves_of(armature.animation_data.action))


@pytest.mark.parametrize("name", ["add_astronaut", "add_stage", "bake", "doctor_fix", "list_add", "map_bone"])
def test_a_button_is_one_undo_step_and_comes_back_by_redo(desk, name):
    armature = rig(desk / "take.npz")
    if name == "doctor_fix":
        scale_unevenly(armature)
    bpy.ops.ed.undo_push(message="Before")
    before = everything()
    call = {**given(name, desk), **({"key": "uneven_scale"} if name == "doctor_fix" else {})}
    assert getattr(bpy.ops.lope, name)("EXEC_DEFAULT", True, **call) == {"FINISHED"}
    after = everything()
    assert after != before
    for _ in range(2):
        assert bpy.ops.ed.undo() == {"FINISHED"} and everything() == before
        assert bpy.ops.ed.redo() == {"FINISHED"}
        again = everything()
        assert again.keys() == after.keys() and again["settings"] == after["settings"]


def everything() -> dict:
    """The state of the scene, and what Lope keeps on its armatures."""
    kept = {item.name: ([tuple(push.direction) for push in item.lope.pushes], item.lope.bake_report,
                        {key: value for key, value in item.items() if isinstance(value, str)})
            for item in bpy.data.objects if item.type == "ARMATURE"}
    counts = {part: len(getattr(bpy.data, part)) for part in ("actions", "collections", "materials", "meshes", "worlds")}
    return {**state(), "settings": kept, "counts": counts}
