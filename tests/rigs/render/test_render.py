# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames to pictures: PNG and EXR, each with a note, kept by a later run where they are whole. Tiny pictures throughout."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import replace

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.errors import InputError
from lope.addon.rigs.render import renderers
from lope.addon.rigs.render.camera import follow_camera
from lope.addon.rigs.render.frames import STALE_AFTER_S, Picture, note_for, render_frames
from lope.addon.rigs.render.pictures import NOTE, note_of, picture_size, read_picture, read_whole, write_picture
from lope.addon.rigs.render.renderers import check_renderer, engine_id
from lope.addon.rigs.stage.stage import add_stage
from render_kit import TINY, grey, sliding_astronaut

pytestmark = pytest.mark.slow


@pytest.fixture
def plain(tmp_path):
    """A scene with a lit plate under a camera that looks straight down."""
    scene = fresh_scene(24)
    box = bpy.data.meshes.new("Box")
    box.from_pydata([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [], [(0, 1, 2, 3)])
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location.z = 6.0
    for each in (bpy.data.objects.new("Plate", box), bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN")), camera):
        scene.collection.objects.link(each)
    scene.camera = camera
    return scene


def test_pictures_of_the_moon(tmp_path, capfd):
    scene = fresh_scene(24)
    armature = sliding_astronaut(scene)
    add_stage(scene, "moon", length_m=10.0)
    scene.camera = follow_camera(scene, armature, "side", (1, 25), aspect=1.5)
    scene.frame_set(3)

    def settings():
        render = scene.render
        return (render.engine, render.filepath, render.resolution_x, render.image_settings.file_format, scene.cycles.samples,
                render.use_stamp_note, render.stamp_note_text)

    before = settings()
    said = []
    made = render_frames(scene, (1, 13), tmp_path, TINY, source="x", progress=lambda f, text: said.append(f))
    assert made.paths == [tmp_path / "frame_0001.png", tmp_path / "frame_0013.png"] and made.kept == 0
    assert said == [0.0, 0.5, 1.0] and before == settings()
    assert scene.frame_current == 3 and capfd.readouterr().out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frame_0001.png", "frame_0013.png"], "no left-over"
    picture = read_picture(made.paths[0])
    assert picture.shape == (16, 24, 3)
    sky, figure, ground = picture[:2].mean(), picture[6:9, 10:14].max(), picture[-3:].mean()
    assert sky < 0.1 and figure > 0.5 and 0.1 < ground < 0.7


def test_a_scene_that_is_not_in_the_window_moves_too(tmp_path):
    shown = fresh_scene(24)
    other = bpy.data.scenes.new("Other")
    box = bpy.data.meshes.new("Box")
    box.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [], [(0, 1, 2, 3)])
    plate = bpy.data.objects.new("Plate", box)
    lamp = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location.z = 6.0
    for each in (plate, lamp, camera):
        other.collection.objects.link(each)
    other.camera = camera
    for frame, x in ((1, 0.0), (2, 40.0)):
        plate.location.x = x
        plate.keyframe_insert("location", frame=frame)
    first, second = (read_picture(p) for p in render_frames(other, (1, 2), tmp_path, TINY).paths)
    assert first[8, 12].mean() > second[8, 12].mean() + 0.1
    assert bpy.context.window is None or bpy.context.window.scene == shown


# ------------------------------------------------------------------------------------------------------------ going on
@pytest.mark.parametrize("kind", ["png", "exr"])
def test_a_sequence_goes_on_where_it_stopped(plain, tmp_path, kind):
    picture = replace(TINY, kind=kind)
    made = render_frames(plain, (1, 2, 3, 4), tmp_path, picture, source="mine").paths
    assert {note_of(path) for path in made} == {note_for("mine", picture)}
    halved, kept = made[1].read_bytes(), made[0].stat().st_mtime_ns
    made[1].write_bytes(halved[:len(halved) // 2])
    made[2].unlink()
    done = []
    again = render_frames(plain, (1, 2, 3, 4), tmp_path, picture, source="mine", progress=lambda f, text: done.append(text))
    assert again.paths == made and again.kept == 2 and done == ["frame 2", "frame 3", "rendered"]
    assert made[0].stat().st_mtime_ns == kept and all(note_of(path) for path in made)
    assert render_frames(plain, (1, 2, 3, 4), tmp_path, picture, source="mine").kept == 4


def test_pictures_of_something_else_are_rendered_again(plain, tmp_path):
    render_frames(plain, (1, 2), tmp_path, TINY, source="mine")
    assert render_frames(plain, (1, 2), tmp_path, TINY, source="another file").kept == 0
    assert render_frames(plain, (1, 2), tmp_path, replace(TINY, samples=2), source="another file").kept == 0
    assert render_frames(plain, (1, 2), tmp_path, replace(TINY, width=32), source="another file").kept == 0
    assert picture_size(tmp_path / "frame_0002.png") == (32, 16)
    assert render_frames(plain, (1, 2), tmp_path, TINY).kept == 0, "nothing is known of the source"
    assert note_of(tmp_path / "frame_0001.png") is None


def test_what_a_killed_run_left_is_cleared(plain, tmp_path):
    old, young = tmp_path / ".frame_0001.77.png", tmp_path / ".frame_0001.78.png"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2.0 * STALE_AFTER_S,) * 2)
    render_frames(plain, (1,), tmp_path, TINY, source="mine")
    assert not old.exists() and young.exists(), "another run may just be writing the young one"


def test_a_burnt_in_stamp_is_left_alone(plain, tmp_path):
    plain.render.use_stamp, plain.render.stamp_note_text = True, "take 7"
    path = render_frames(plain, (1,), tmp_path, TINY, source="mine").paths[0]
    assert note_of(path) != note_for("mine", TINY) and plain.render.stamp_note_text == "take 7"


def test_exr_is_linear_and_shown_through_the_look(plain, tmp_path):
    plain.view_settings.view_transform, plain.view_settings.exposure = "Standard", -2.0
    size = replace(TINY, samples=16)
    shown = read_picture(render_frames(plain, (1,), tmp_path, size).paths[0])
    linear = render_frames(plain, (1,), tmp_path, replace(size, kind="exr")).paths[0]
    image = bpy.data.images.load(str(linear))
    assert image.is_float and tuple(image.size) == (24, 16)
    middle = np.array(image.pixels).reshape(16, 24, -1)[8, 12, 0]
    bright = 0.25 * middle  # two stops less
    assert shown[8, 12, 0] == pytest.approx(1.055 * bright ** (1 / 2.4) - 0.055, abs=0.02) and 0.2 < shown[8, 12, 0] < 0.95
    assert np.abs(read_picture(linear, plain) - shown).max() < 0.02
    with pytest.raises(InputError, match="is linear .*--format png"):
        read_picture(linear)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX limits the size of files")
def test_a_full_disk_leaves_no_half_picture(plain, tmp_path):
    import resource

    large = replace(TINY, width=160, height=120, samples=2)
    size = render_frames(plain, (1,), tmp_path, large).paths[0].stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, limits[1]))
    try:
        with pytest.raises(InputError, match="did not write .*frame_0002.png, or not whole; .* the disk full"):
            render_frames(plain, (2,), tmp_path, large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path.name for path in tmp_path.iterdir()] == ["frame_0001.png"]


# --------------------------------------------------------------------------------------------------------------- files
def test_every_cut_file_is_seen(plain, tmp_path):
    for kind in ("png", "exr"):
        path = render_frames(plain, (1,), tmp_path, replace(TINY, kind=kind), source="mine").paths[0]
        whole = path.read_bytes()
        assert read_whole(path)[NOTE] == note_for("mine", replace(TINY, kind=kind))
        for length in range(0, len(whole) - 1, 7):
            path.write_bytes(whole[:length])
            assert note_of(path) is None, (kind, length)
            with pytest.raises(InputError, match="not whole|neither a PNG nor an EXR"):
                read_whole(path)
    spoilt = bytearray(whole)
    path.write_bytes(b"GIF89a" + bytes(spoilt))
    with pytest.raises(InputError, match="neither a PNG nor an EXR"):
        read_whole(path)


def test_pictures_keep_their_values(tmp_path):
    fresh_scene()
    values = np.random.default_rng(3).integers(0, 256, (5, 9, 3)) / 255.0
    write_picture(values.astype(np.float32), tmp_path / "p.png")
    assert np.abs(read_picture(tmp_path / "p.png") - values).max() < 1e-3 and picture_size(tmp_path / "p.png") == (9, 5)
    assert list(tmp_path.iterdir()) == [tmp_path / "p.png"]


def test_pictures_that_cannot_be_read_or_written(tmp_path):
    fresh_scene()
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        grey(tmp_path / "file" / "p.png", 0.5)
    with pytest.raises(InputError, match="no picture at"):
        read_picture(tmp_path / "p.png")
    (tmp_path / "p.png").write_text("no picture", encoding="utf-8")
    with pytest.raises(InputError, match="may be damaged"):
        read_picture(tmp_path / "p.png")


# ----------------------------------------------------------------------------------------------------------- renderers
def test_engines():
    assert engine_id("cycles") == "CYCLES"
    assert engine_id("eevee") == ("BLENDER_EEVEE" if bpy.app.version >= (5, 0, 0) else "BLENDER_EEVEE_NEXT")


@pytest.mark.skipif(not bpy.app.background, reason="a Blender with a window has a graphics card")
def test_eevee_is_refused_where_blender_could_only_abort(monkeypatch):
    tried = []

    def aborts(command, **kwargs):
        tried.append(command)
        return subprocess.CompletedProcess(command, -6)

    renderers._graphics_work.cache_clear()
    monkeypatch.setattr(renderers.subprocess, "run", aborts)
    try:
        for _ in range(2):
            with pytest.raises(InputError, match="EEVEE needs a graphics card.*--renderer cycles"):
                check_renderer("eevee")
    finally:
        renderers._graphics_work.cache_clear()
    assert len(tried) == 1, "tried once"
    check_renderer("cycles")


def test_render_refusals(tmp_path):
    scene = fresh_scene()
    with pytest.raises(InputError, match="has no camera"):
        render_frames(scene, [1], tmp_path, TINY)
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    with pytest.raises(InputError, match="no render engine named 'cycle'. Did you mean 'cycles'"):
        render_frames(scene, [1], tmp_path, replace(TINY, renderer="cycle"))
    with pytest.raises(InputError, match="no frames"):
        render_frames(scene, [], tmp_path, TINY)
    with pytest.raises(InputError, match="Picture width must lie between"):
        Picture(0, 16)
    with pytest.raises(InputError, match="no kind of pictures named 'jpg'"):
        replace(TINY, kind="jpg")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="did not write .*frame_0001.png"):
        render_frames(scene, [1], tmp_path / "file", TINY)
