# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters of a file from before there were gait laws go as they went; those of a new file as new ones do."""

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
import lope_scene  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene


def armatures(path, numbered, **settings):
    """Save a file with a used and an unused armature, and load it again; gives both."""
    bpy.ops.object.armature_add()
    used = bpy.context.object
    used.name = "Used"
    for name, value in settings.items():
        setattr(used.lope, name, value)
    bpy.ops.object.armature_add()
    bpy.context.object.name = "Unused"
    if not numbered:
        lope.operators.former_files.unregister()
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    if not numbered:
        lope.operators.former_files.register()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return bpy.data.objects["Used"].lope, bpy.data.objects["Unused"].lope


def test_a_character_of_an_earlier_file_stays_similar_and_walks(scene, tmp_path):
    used, unused = armatures(tmp_path / "old.blend", False, mass_kg=80.0)
    assert (used.gait_law, used.gait) == ("similar", "walk") and (unused.gait_law, unused.gait) == ("people", "auto")


def test_characters_of_a_file_before_seeds_went_by_names_have_the_seed_they_had(scene, tmp_path, monkeypatch):
    monkeypatch.setattr("lope.operators.former_files.FORMAT", 1)
    used, unused = armatures(tmp_path / "old.blend", True, mass_kg=80.0)
    assert not used.seed_by_name and used.gait_law == "people" and unused.seed_by_name


def test_what_was_set_in_an_earlier_file_stays(scene, tmp_path):
    used, _ = armatures(tmp_path / "old.blend", False, gait="run")
    assert (used.gait_law, used.gait) == ("similar", "run")


def test_a_file_of_this_lope_keeps_its_defaults(scene, tmp_path):
    used, _ = armatures(tmp_path / "new.blend", True, mass_kg=80.0)
    assert (used.gait_law, used.gait) == ("people", "auto")
