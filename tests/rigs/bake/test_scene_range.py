# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's range follows the bakes, unless somebody has set it; renders end where the motion does."""

from __future__ import annotations

import json

import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.cli import main
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.provenance import moving_until
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow


@pytest.fixture
def bake(tmp_path):
    """Bakes a take of so many seconds on the astronaut of a file, made anew with the scene's range (None: as it comes) where
    there is none; gives first and last frame of the scene in the file written."""
    path = tmp_path / "scene.blend"

    def bake(seconds, *words, span=None, key_at=None):
        if not path.exists():
            scene = fresh_scene(24)
            assert (scene.frame_start, scene.frame_end) == (1, 250)
            add_astronaut(scene)
            if span is not None:
                scene.frame_start, scene.frame_end = span
            if key_at is not None:
                lamp = bpy.data.objects.new("Lamp", None)
                scene.collection.objects.link(lamp)
                for frame in (1, key_at):
                    lamp.location.x = frame
                    lamp.keyframe_insert("location", frame=frame)
            bpy.ops.wm.save_as_mainfile(filepath=str(path))
        make_take(Walk(seconds=seconds)).save(tmp_path / "take.npz")
        baked = tmp_path / "baked.blend"
        assert main(["bake", "--blend", str(path), "--take", str(tmp_path / "take.npz"), "--out", str(baked), "--json",
                     *words]) == 0
        baked.replace(path)
        bpy.ops.wm.open_mainfile(filepath=str(path))
        return bpy.context.scene.frame_start, bpy.context.scene.frame_end

    bake.path = path
    return bake


def test_a_new_scene_ends_with_the_bake_and_follows_the_next(bake):
    assert bake(2.0) == (1, 49)
    assert bake(3.0) == (1, 73)
    assert bake(2.0, "--frames", "1,20") == (1, 73), "a part does not make it shorter"
    assert bake(2.0, "--target", "new") == (1, 49)


def test_a_range_that_the_artist_set_stays(bake, capfd):
    assert bake(2.0, span=(1, 30)) == (1, 30)
    assert "it ends at frame 30, and the bake at 49" in capfd.readouterr().err
    bpy.context.scene.frame_end = 200
    bpy.ops.wm.save_mainfile()
    assert bake(2.0) == (1, 200)


def test_what_else_moves_is_not_cut_off(bake):
    assert bake(2.0, key_at=100) == (1, 100)


def test_a_loop_has_no_end(bake):
    assert bake(9.0, "--loop") == (1, 250)
    assert moving_until(bpy.context.scene) == 250


def test_a_film_ends_where_the_motion_ends(bake, tmp_path, capfd):
    assert bake(1.0, span=(20, 90)) == (20, 90)
    capfd.readouterr()
    words = ["--size", "16x9", "--samples", "1", "--camera", "follow:side", "--json"]
    assert main(["render", "--blend", str(bake.path), "--out", str(tmp_path / "p"), *words]) == 0
    out, err = capfd.readouterr()
    assert len(json.loads(out)["frames"]) == 25 and "Nothing moves after frame 44" in err
