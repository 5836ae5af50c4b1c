# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration: takes on their stages, the strip, and the films, one take's and all of them side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.render.camera import bone_path
from lope.addon.rigs.render.pictures import read_picture
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.shot import World
from lope.scripts.tools import demo
from lope.scripts.tools.demo import films_side_by_side, strip_times, title
from render_kit import grey
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow


def take_on(world: str, **walk):
    """A made-up take on a world of that name."""
    take = make_take(Walk(**walk))
    return replace(take, shot=replace(take.shot, world=World(world, take.shot.world.gravity_m_s2)))


def test_a_strip_has_the_same_clock_on_every_world():
    slow, quick = (strip_times(make_take(Walk(frequency=f, seconds=12.0)), count=7, span_s=1.8) for f in (0.5, 1.25))
    assert np.allclose(np.diff(slow), 0.3) and np.allclose(np.diff(quick), 0.3)
    assert (slow[0] * 0.5) % 1.0 == pytest.approx(0.0, abs=0.02) and slow[0] >= 2.0 / 0.5 - 0.03, "a strike, settled"
    short = strip_times(make_take(Walk(frequency=0.5, seconds=1.5)), count=5)
    assert np.allclose(short, np.linspace(0.0, 1.5, 5))


def test_titles_say_where_there_is_no_ground():
    walk = {"speed": 1.25, "gravity": 9.81, "frequency": 0.5, "seconds": 12.0}
    assert title(take_on("earth", **walk)) == "Earth: walk    9.81 m/s²    1.25 m/s    0.50 strides/s"
    assert title(take_on("jupiter", **walk)).startswith("Jupiter: walk    ")
    assert title(take_on("jupiter", **walk)).endswith("0.50 strides/s    on a test floor")


@pytest.mark.acceptance
def test_the_demonstration(tmp_path, monkeypatch):
    for name, value in (("FILM_SIZE", (32, 18)), ("FILM_SAMPLES", 1), ("FILM_STEP", 12), ("STRIP_SIZE", (18, 24)),
                        ("STRIP_SAMPLES", 1), ("STRIP_PICTURES", 2), ("FIRST_SIZE", (32, 18)), ("FIRST_SAMPLES", 1)):
        monkeypatch.setattr(demo, name, value)
    fresh_scene()
    takes = [take_on("moon", seconds=3.0), take_on("jupiter", seconds=3.0, speed=0.6)]
    shown = [demo.stage_take(take) for take in takes]
    files = {name: tmp_path / name for name in ("first.png", "moonwalk.blend", "moonwalk.mp4", "planets.mp4", "strip.jpg",
                                                "strip.png")}
    demo.save_file(files["moonwalk.blend"])
    demo.first_picture(shown[0], files["first.png"])
    for one in shown:
        demo.pictures(one, tmp_path)
    demo.join(takes, tmp_path)
    assert all(path.stat().st_size > 300 for path in files.values())
    strip, copy = read_picture(files["strip.png"]), read_picture(files["strip.jpg"])
    assert files["strip.jpg"].read_bytes().startswith(b"\xff\xd8") and np.abs(strip - copy).mean() < 0.03
    alone, both = (bpy.data.movieclips.load(str(files[name])) for name in ("moonwalk.mp4", "planets.mp4"))
    assert alone.frame_duration == both.frame_duration == 7
    assert tuple(alone.size) == (32, 18) and both.size[0] >= 2 * 32
    bpy.ops.wm.open_mainfile(filepath=str(files["moonwalk.blend"]))
    for name, stage in (("Moon walk", "Stage moon"), ("Jupiter walk", "Stage test")):
        scene = bpy.data.scenes[name]
        assert scene.camera is not None and (scene.frame_start, scene.frame_end) == (1, 73)
        assert stage in scene.collection.children
        armature = next(o for o in scene.objects if o.type == "ARMATURE")
        assert armature.animation_data.action is not None and armature.animation_data.action_slot is not None


def test_a_demonstration_of_no_world(capsys):
    assert demo.main(["out", "pluto"]) == 2 and "moon, mars, earth, jupiter" in capsys.readouterr().err


def test_four_films_stand_two_by_two_with_their_titles(tmp_path):
    fresh_scene()
    greys = (0.2, 0.4, 0.6, 0.8)
    films = [[grey(tmp_path / f"{v}_{k}.png", v, (60, 40)) for k in range(3 + n)] for n, v in enumerate(greys)]
    films_side_by_side(["Moon", "Mars", "Earth", "Jupiter"], films, tmp_path / "f.mp4", 12, tmp_path)
    assert bpy.data.movieclips.load(str(tmp_path / "f.mp4")).frame_duration == 3, "as long as the shortest"
    board = read_picture(tmp_path / "planets_0002.png")
    height, width = board.shape[:2]
    places = [np.nonzero(np.abs(board - v).max(axis=2) < 0.01) for v in greys]
    assert [len(rows) for rows, _ in places] == pytest.approx([2400] * 4, abs=30)
    assert [(rows.mean() > height / 2, columns.mean() > width / 2) for rows, columns in places] == [
        (False, False), (False, True), (True, False), (True, True)]
    for rows, columns in places:
        above = board[rows.min() - 4:rows.min(), columns.min():columns.max()]
        assert above.max() > 0.3, "a title over each"


def test_the_walk_is_baked_on_the_astronaut_where_it_was_simulated():
    scene = fresh_scene(24)
    armature = add_astronaut(scene)
    take = make_take(Walk(seconds=2.0))
    bake_take(armature, take, scene=scene, options=BakeOptions(lock_feet=False))  # this take's legs do not move
    frames, path = bone_path(scene, armature, "pelvis", (1, 49), step=12)
    expected = np.array([np.interp((frames - 1) / 24, take.time_s, take.root_position_m[:, k]) for k in range(3)]).T
    moved = (path - path[0]) @ np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert np.allclose(moved, expected - expected[0], atol=2e-3)
