# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope render` on real files: pictures that go on where they stopped, films, sheets, and which camera."""

from __future__ import annotations

import json

import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.cli import main
from lope.addon.rigs.render.pictures import picture_size, read_picture
from render_kit import grey, sliding_astronaut

pytestmark = pytest.mark.slow

SMALL = ["--size", "32x18", "--samples", "1", "--json"]


@pytest.fixture
def walked(tmp_path):
    """A file with a character that goes 5 m in 25 frames, without a camera; and a second scene that is empty."""
    scene = fresh_scene(24)
    sliding_astronaut(scene)
    scene.frame_start, scene.frame_end = 1, 25
    scene.world = bpy.data.worlds.new("Sky")
    bpy.data.scenes.new("Empty")
    path = tmp_path / "walked.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.fixture
def render(capfd):
    """Runs `lope render` and gives its exit code, its report and what it said."""
    def run(*words):
        capfd.readouterr()
        code = main(["render", *map(str, words)])
        out, err = capfd.readouterr()
        return code, json.loads(out) if out else None, err

    return run


@pytest.mark.acceptance
def test_a_killed_render_goes_on(walked, tmp_path, render):
    words = ["--blend", walked, "--out", tmp_path / "p", "--frames", "1,25,8", *SMALL]
    code, report, _ = render(*words)
    assert code == 0 and report["kept"] == 0 and [p[-14:] for p in report["frames"]] == [
        f"frame_{n:04d}.png" for n in (1, 9, 17, 25)]
    (tmp_path / "p" / "frame_0009.png").unlink()
    half = tmp_path / "p" / "frame_0017.png"
    half.write_bytes(half.read_bytes()[:100])
    assert render(*words)[1]["kept"] == 2
    assert render(*words)[1]["kept"] == 4
    assert render(*words[:-5], "--frames", "1,25,4", *SMALL)[1]["kept"] == 4, "more frames of the same"
    assert render(*words, "--camera", "follow:side")[1]["kept"] == 0, "through another camera"
    assert render(*words, "--camera", "follow:side", "--redo")[1]["kept"] == 0
    bpy.ops.wm.open_mainfile(filepath=str(walked))
    bpy.data.objects["Astronaut"].scale = (1.1, 1.1, 1.1)
    bpy.ops.wm.save_mainfile()
    assert render(*words, "--camera", "follow:side")[1]["kept"] == 0, "of another file"


def test_a_film_keeps_its_pictures(walked, tmp_path, render):
    film = tmp_path / "walk.mp4"
    words = ["--blend", walked, "--out", film, "--frames", "1,25,8", *SMALL]
    assert render(*words)[1] == {"film": str(film), "frame_count": 4, "kept": 0, "pictures": str(tmp_path / "walk_frames")}
    clip = bpy.data.movieclips.load(str(film))
    assert clip.frame_duration == 4 and clip.fps == pytest.approx(3.0)
    film.unlink()
    assert render(*words, "--pictures", tmp_path / "walk_frames")[1]["kept"] == 4 and film.is_file()


def test_exr_pictures_and_their_sheet(walked, tmp_path, render):
    code, report, _ = render("--blend", walked, "--out", tmp_path / "p", "--frames", "1,25,8", "--format", "exr",
                             "--sheet", tmp_path / "s.png", "--sheet-frames", "3", *SMALL)
    assert code == 0 and [p[-4:] for p in report["frames"]] == [".exr"] * 4 and report["sheet"] == str(tmp_path / "s.png")
    assert picture_size(tmp_path / "s.png")[0] > 3 * 32


def test_a_sheet_alone_renders_only_its_pictures(walked, tmp_path, render):
    code, report, err = render("--blend", walked, "--sheet", tmp_path / "s.png", "--sheet-frames", "3", *SMALL)
    assert (code, report) == (0, {"sheet": str(tmp_path / "s.png")})
    assert [json.loads(line)["text"] for line in err.splitlines() if line.startswith("{")] == [
        "frame 1", "frame 13", "frame 25", "rendered"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.png", "walked.blend"]


def test_a_sheet_of_several_views_has_a_row_for_each(walked, tmp_path, render):
    words = ["--blend", walked, "--sheet-frames", "3", *SMALL]
    code, report, _ = render(*words, "--sheet", tmp_path / "both.png", "--camera", "follow:side,front")
    assert (code, report) == (0, {"sheet": str(tmp_path / "both.png")})
    render(*words, "--sheet", tmp_path / "side.png", "--camera", "follow:side")
    both, side = (read_picture(tmp_path / name) for name in ("both.png", "side.png"))
    assert both.shape[1] == side.shape[1] and both.shape[0] > 1.5 * side.shape[0]
    code, _, err = render(*words, "--out", tmp_path / "p", "--camera", "follow:side,front")
    assert code == 2 and "a sheet alone through several" in err
    code, _, err = render(*words, "--sheet", tmp_path / "p.png", "--camera", "follow:side,above")
    assert code == 2 and "There is no camera view named 'above'" in err


def test_a_grid_sheet(tmp_path, render):
    fresh_scene()
    grey(tmp_path / "a.png", 0.5, (60, 40))
    cells = [{"row": "Moon", "column": "walk", "pictures": ["a.png"]}]
    (tmp_path / "cells.json").write_text(json.dumps(cells), encoding="utf-8")
    words = ["--grid-sheet", tmp_path / "cells.json", "--json"]
    assert render(*words, "--out", tmp_path / "g.png")[:2] == (0, {"sheet": str(tmp_path / "g.png"), "cells": 1})
    assert picture_size(tmp_path / "g.png")[0] > 60
    code, _, err = render(*words, "--out", tmp_path / "g.jpg")
    assert code == 2 and "A sheet is a PNG file" in err


@pytest.mark.parametrize("words, message", [
    (["--out", "p", "--scene", "Emty"], "There is no scene named 'Emty'. Did you mean 'Empty'?"),
    (["--out", "p", "--scene", "Empty"], "has no character that a camera could follow"),
    (["--out", "p", "--camera", "file"], "has no camera of its own; render with --camera follow"),
    (["--out", "p", "--armature", "Astronot"], "There is no armature named 'Astronot'. Did you mean 'Astronaut'?"),
    (["--out", "p", "--format", "jpg"], "There is no kind of pictures named 'jpg'"),
    ([], "Say what to write: --out FOLDER"),
    (["--out", "p", "--pictures", "q"], "--pictures says where a film's pictures are kept"),
    (["--sheet", "s.jpg"], "A sheet is a PNG file, such as sheet.png; got 's.jpg'"),
    (["--sheet", "s.png", "--sheet-frames", "0"], "at least one picture, got --sheet-frames 0"),
])
def test_what_cannot_be(walked, tmp_path, render, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    code, _, err = render("--blend", walked, *words)
    assert code == 2 and message in err and err.count("lope:") == 1, err
    assert not list(tmp_path.glob("**/*.png")) and not (tmp_path / "s.png").exists()
