# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures to a film: its frames, its rate and its colours, from PNG and from EXR."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.errors import InputError
from lope.addon.rigs.render import frames as films
from lope.addon.rigs.render.frames import encode_film, render_frames
from lope.addon.rigs.render.pictures import read_picture, write_picture
from render_kit import TINY, grey

pytestmark = pytest.mark.slow


def frames_back(film, frames, size, folder):
    """Mean brightness of frames of a film, as Blender plays it."""
    scene = bpy.context.scene
    scene.sequence_editor_create().strips.new_movie(name="film", filepath=str(film), channel=1, frame_start=1)
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = size
    means = []
    for frame in frames:
        scene.frame_set(frame)
        scene.render.filepath = str(folder / "back.png")
        bpy.ops.render.render(write_still=True)
        means.append(read_picture(folder / "back.png").mean())
    return means


def test_a_film_plays(tmp_path):
    fresh_scene()
    pictures = [grey(tmp_path / f"p{k}.png", 0.1 + 0.08 * k, (64, 36)) for k in range(9)]
    film = tmp_path / "film.mp4"
    scenes = set(bpy.data.scenes)
    encode_film(pictures, film, 12)
    assert set(bpy.data.scenes) == scenes and film.stat().st_size > 500
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")], "no left-over"
    clip = bpy.data.movieclips.load(str(film))
    assert clip.frame_duration == 9 and tuple(clip.size) == (64, 36) and clip.fps == pytest.approx(12.0, rel=1e-3)
    means = frames_back(film, (1, 4, 9), (64, 36), tmp_path)
    assert means == pytest.approx([0.1, 0.34, 0.74], abs=0.03)


@pytest.mark.parametrize("fps", [24.0 / 1.001, 24.0 / 1.001 / 2.0, 7.5])
def test_broken_frame_rates_are_kept(tmp_path, fps):
    fresh_scene()
    encode_film([grey(tmp_path / f"p{k}.png", 0.5, (64, 36)) for k in range(4)], tmp_path / "film.mp4", fps)
    assert bpy.data.movieclips.load(str(tmp_path / "film.mp4")).fps == pytest.approx(fps, rel=1e-4)


def test_a_film_of_exr_looks_like_one_of_png(tmp_path):
    scene = fresh_scene(24)
    scene.world = bpy.data.worlds.new("Grey")
    if bpy.app.version < (5, 0, 0):
        scene.world.use_nodes = True
    background = next(n for n in scene.world.node_tree.nodes if n.type == "BACKGROUND")
    background.inputs["Color"].default_value = (0.3, 0.3, 0.3, 1.0)
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.view_settings.view_transform, scene.view_settings.exposure = "AgX", 0.7
    size = replace(TINY, width=64, height=36)
    means = []
    for kind in ("png", "exr"):
        pictures = render_frames(scene, (1, 2, 3), tmp_path, replace(size, kind=kind)).paths
        encode_film(pictures, tmp_path / f"{kind}.mp4", 24, look=scene)
    shown = read_picture(tmp_path / "frame_0001.png").mean()
    for kind in ("png", "exr"):
        fresh_scene()
        means += frames_back(tmp_path / f"{kind}.mp4", (2,), (64, 36), tmp_path)
    assert means == pytest.approx([shown, shown], abs=0.03) and 0.2 < shown < 0.9


@pytest.mark.skipif(os.name != "posix", reason="only POSIX limits the size of files")
def test_a_full_disk_leaves_no_half_film(tmp_path):
    import resource

    fresh_scene()
    noise = np.random.default_rng(2)
    pictures = [tmp_path / f"p{k}.png" for k in range(6)]
    for path in pictures:
        write_picture(noise.uniform(size=(90, 160, 3)).astype(np.float32), path)
    encode_film(pictures, tmp_path / "whole.mp4", 12)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "whole.mp4").stat().st_size // 2, limits[1]))
    try:
        with pytest.raises(InputError, match="did not write .*half.mp4, or not whole; .* the disk full"):
            encode_film(pictures, tmp_path / "half.mp4", 12)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not [path for path in tmp_path.iterdir() if "half" in path.name]


def test_film_refusals(tmp_path, monkeypatch):
    fresh_scene()
    odd = grey(tmp_path / "odd.png", 0.5, (7, 4))
    with pytest.raises(InputError, match="must be even, these pictures have 7x4"):
        encode_film([odd], tmp_path / "film.mp4", 12)
    with pytest.raises(InputError, match="missing: .*nowhere.png"):
        encode_film([odd, tmp_path / "nowhere.png"], tmp_path / "film.mp4", 12)
    with pytest.raises(InputError, match="Frames a second"):
        encode_film([odd], tmp_path / "film.mp4", 0)
    even = grey(tmp_path / "even.png", 0.5, (8, 4))
    with pytest.raises(InputError, match="did not write .*film.mp4"):
        encode_film([even], tmp_path / "nowhere" / "film.mp4", 12)


def test_a_blender_without_ffmpeg_says_so(monkeypatch):
    class Build:
        codec_ffmpeg = False

    class App:
        build_options = Build

    class Blender:
        app = App

    monkeypatch.setattr(films, "bpy", Blender)
    with pytest.raises(InputError, match="without FFmpeg .* give a folder with --out"):
        films.check_film()
