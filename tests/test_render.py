# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages, the camera that goes along, pictures, contact sheets, films, and the demonstration. Tiny pictures throughout."""

from __future__ import annotations

import math

import numpy as np
import pytest
from blender_scene import bpy, fresh_scene
from take_factory import Walk, make_take

from lope.addon.errors import InputError, RigError
from lope.addon.rigs.astronaut import add_astronaut
from lope.addon.rigs.bake import bake_take
from lope.addon.rigs.options import BakeOptions
from lope.addon.rigs.camera import bone_path, follow_camera
from lope.addon.rigs.demo import make_demo_scene, row_label, strip_times
from lope.addon.rigs.render import encode_video, engine_id, picture_size, render_frames
from lope.addon.rigs.stage import LOOKS, add_stage
from lope.addon.rigs.strip import BACKGROUND, Row, contact_sheet, read_picture, write_picture
from lope.addon.rigs.terrain import CORRIDOR_HALF_WIDTH_M, crater_profile, grid, heights

TINY = {"width": 24, "height": 16, "samples": 1}


def sliding_astronaut(scene, frames: int = 25, metres: float = 5.0):
    """The astronaut moved along -Y without steps."""
    armature = add_astronaut(scene)
    for frame, place in ((1, 0.0), (frames, -metres)):
        armature.location = (0.0, place, 0.0)
        armature.keyframe_insert("location", frame=frame)
    return armature


def grey(path, value: float, size=(6, 4)):
    write_picture(np.full((size[1], size[0], 3), value, dtype=np.float32), path)
    return path


# ---------------------------------------------------------------------------------------------------------------- stage
@pytest.mark.parametrize("world", sorted(LOOKS))
def test_the_corridor_is_the_physics_ground(world):
    points, faces = grid(60.0, 0.12, LOOKS[world].relief)
    near = np.abs(points[:, 1]) <= CORRIDOR_HALF_WIDTH_M
    walked = near & (points[:, 0] > -9.0) & (points[:, 0] < 69.0)
    assert walked.sum() > 1000 and np.all(points[walked, 2] == 0.0)
    beside = (np.abs(points[:, 1]) > 4.0) & (np.abs(points[:, 1]) < 9.0) & (points[:, 0] > -9.0) & (points[:, 0] < 69.0)
    assert 0.02 < points[beside, 2].std() < 0.5 and np.ptp(points[:, 2]) > 8.0
    first, second = (points[faces[:, k + 1], :2] - points[faces[:, k], :2] for k in range(2))
    assert np.all(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0] > 0.0)


def test_heights_do_not_depend_on_the_sampling():
    along, across = np.array([3.0, 20.0, 41.5]), np.array([-5.0, 7.0, 12.0])
    relief = LOOKS["moon"].relief
    one_by_one = [heights(along[k:k + 1].copy(), across[k:k + 1].copy(), 60.0, relief)[0] for k in range(3)]
    assert np.allclose(heights(along, across, 60.0, relief), one_by_one, atol=1e-12) and np.any(np.abs(one_by_one) > 1e-3)


def test_crater_profile():
    distance = np.array([0.0, 1.0 - 1e-9, 1.0 + 1e-9, 2.2, 3.0])
    depth, inner, outer, *far = crater_profile(distance)
    assert depth == pytest.approx(-1.0) and far == [0.0, 0.0]
    assert inner == pytest.approx(0.22) and outer == pytest.approx(0.22)


def test_a_stage_is_added_beside_what_is_there():
    scene = fresh_scene()
    prop = bpy.data.objects.new("Prop", bpy.data.meshes.new("Prop"))
    scene.collection.objects.link(prop)
    scene.view_settings.view_transform = "Standard"  # whose looks are others
    stage = add_stage(scene, "moon", origin=(2.0, 3.0), heading_rad=0.0, length_m=20.0)
    kinds = {o.type for o in stage.all_objects}
    assert kinds == {"MESH", "LIGHT"} and scene.collection.children[:] == [stage] and prop.name in scene.collection.objects
    ground = next(o for o in stage.objects if o.name.startswith("Ground"))
    bpy.context.view_layer.update()
    assert tuple(ground.matrix_world.translation) == (2.0, 3.0, 0.0)
    sun = next(o for o in stage.objects if o.type == "LIGHT")
    assert sun.matrix_world.col[2].z == pytest.approx(math.sin(math.radians(LOOKS["moon"].sun_elevation_deg)), abs=1e-5)
    assert scene.world.name.startswith("Sky moon")


def test_an_unknown_stage_is_named():
    scene = fresh_scene()
    with pytest.raises(InputError, match="no stage named 'mooon'. Did you mean 'moon'.*earth, mars, moon"):
        add_stage(scene, "mooon")
    with pytest.raises(InputError, match="Stage length must lie between"):
        add_stage(scene, "moon", length_m=-3.0)
    assert not scene.collection.children


# --------------------------------------------------------------------------------------------------------------- camera
@pytest.mark.parametrize("view", ["side", "three_quarter"])
def test_the_camera_goes_along(view):
    scene = fresh_scene(24)
    armature = sliding_astronaut(scene, frames=49)
    armature.pose.bones["pelvis"].location = (0.05, 0.02, 0.0)
    armature.pose.bones["pelvis"].keyframe_insert("location", frame=25)
    scene.frame_set(9)
    scene.camera = camera = follow_camera(scene, armature, view, (1, 49), aspect=1.5)
    assert scene.frame_current == 9
    from bpy_extras.object_utils import world_to_camera_view

    scene.render.resolution_x, scene.render.resolution_y = 300, 200
    for frame in (1, 17, 33, 49):
        scene.frame_set(frame)
        for bone, low, high in (("head", 0.7, 0.98), ("toes_L", 0.02, 0.35), ("toes_R", 0.02, 0.35)):
            tail = armature.matrix_world @ armature.pose.bones[bone].tail
            across, up, depth = world_to_camera_view(scene, camera, tail)
            assert 0.2 < across < 0.8 and low < up < high and depth > 2.0, (frame, bone)


def test_bone_path_is_the_evaluated_one():
    scene = fresh_scene(24)
    armature = sliding_astronaut(scene, frames=25, metres=5.0)
    frames, path = bone_path(scene, armature, "pelvis", (1, 25), step=6)
    assert frames.tolist() == [1, 7, 13, 19, 25] and path[0, 1] == pytest.approx(0.0, abs=1e-6)
    assert path[-1, 1] == pytest.approx(-5.0, abs=1e-5) and np.all(np.diff(path[:, 1]) < 0)
    assert path[:, 2] == pytest.approx(0.53 * 1.8, abs=1e-5)


def test_camera_refusals():
    scene = fresh_scene()
    armature = add_astronaut(scene)
    with pytest.raises(InputError, match="no camera view named 'top'"):
        follow_camera(scene, armature, "top", (1, 2), aspect=1.0)
    with pytest.raises(RigError, match="has no bone 'hips'"):
        follow_camera(scene, armature, "side", (1, 2), aspect=1.0, bone="hips")


# --------------------------------------------------------------------------------------------------------------- render
def test_pictures_of_the_moon(tmp_path, capfd):
    scene = fresh_scene(24)
    armature = sliding_astronaut(scene)
    add_stage(scene, "moon", length_m=10.0)
    scene.camera = follow_camera(scene, armature, "side", (1, 25), aspect=1.5)
    scene.frame_set(3)

    def settings():
        render = scene.render
        return render.engine, render.filepath, render.resolution_x, render.image_settings.file_format, scene.cycles.samples

    before = settings()
    said = []
    paths = render_frames(scene, (1, 13), tmp_path, **TINY, denoise=False, progress=lambda f, text: said.append(f))
    assert paths == [tmp_path / "frame_0001.png", tmp_path / "frame_0013.png"] and said == [0.0, 0.5, 1.0]
    assert before == settings()
    assert scene.frame_current == 3 and capfd.readouterr().out == ""
    picture = read_picture(paths[0])
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
    first, second = (read_picture(p) for p in render_frames(other, (1, 2), tmp_path, **TINY, denoise=False))
    assert first[8, 12].mean() > second[8, 12].mean() + 0.1
    assert bpy.context.window is None or bpy.context.window.scene == shown


def test_engines():
    assert engine_id("cycles") == "CYCLES"
    assert engine_id("eevee") == ("BLENDER_EEVEE" if bpy.app.version >= (5, 0, 0) else "BLENDER_EEVEE_NEXT")


def test_render_refusals(tmp_path):
    scene = fresh_scene()
    with pytest.raises(InputError, match="has no camera"):
        render_frames(scene, [1], tmp_path, **TINY)
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    with pytest.raises(InputError, match="no render engine named 'cycle'. Did you mean 'cycles'"):
        render_frames(scene, [1], tmp_path, **TINY, engine="cycle")
    with pytest.raises(InputError, match="no frames"):
        render_frames(scene, [], tmp_path, **TINY)
    with pytest.raises(InputError, match="Picture width must lie between"):
        render_frames(scene, [1], tmp_path, width=0, height=16)


# ----------------------------------------------------------------------------------------------------------------- film
def test_a_film_plays(tmp_path):
    fresh_scene()
    pictures = [grey(tmp_path / f"p{k}.png", 0.1 + 0.08 * k, (64, 36)) for k in range(9)]
    film = tmp_path / "film.mp4"
    scenes = set(bpy.data.scenes)
    encode_video(pictures, film, 12)
    assert set(bpy.data.scenes) == scenes and film.stat().st_size > 500
    clip = bpy.data.movieclips.load(str(film))
    assert clip.frame_duration == 9 and tuple(clip.size) == (64, 36) and clip.fps == pytest.approx(12.0, rel=1e-3)
    scene = bpy.context.scene
    scene.sequence_editor_create().strips.new_movie(name="film", filepath=str(film), channel=1, frame_start=1)
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = 64, 36
    for frame in (1, 4, 9):
        scene.frame_set(frame)
        scene.render.filepath = str(tmp_path / "back.png")
        bpy.ops.render.render(write_still=True)
        assert read_picture(tmp_path / "back.png").mean() == pytest.approx(0.1 + 0.08 * (frame - 1), abs=0.03)


def test_film_refusals(tmp_path):
    fresh_scene()
    odd = grey(tmp_path / "odd.png", 0.5, (7, 4))
    with pytest.raises(InputError, match="must be even, these pictures have 7x4"):
        encode_video([odd], tmp_path / "film.mp4", 12)
    with pytest.raises(InputError, match="missing: .*nowhere.png"):
        encode_video([odd, tmp_path / "nowhere.png"], tmp_path / "film.mp4", 12)
    with pytest.raises(InputError, match="Frames a second"):
        encode_video([odd], tmp_path / "film.mp4", 0)


# ---------------------------------------------------------------------------------------------------------------- strip
def test_pictures_keep_their_values(tmp_path):
    fresh_scene()
    values = np.random.default_rng(3).integers(0, 256, (5, 9, 3)) / 255.0
    write_picture(values.astype(np.float32), tmp_path / "p.png")
    assert np.abs(read_picture(tmp_path / "p.png") - values).max() < 1e-3 and picture_size(tmp_path / "p.png") == (9, 5)


def test_a_contact_sheet(tmp_path):
    fresh_scene()
    dark, light = [grey(tmp_path / f"{v}.png", v, (40, 60)) for v in (0.2, 0.8)]
    rows = [Row("Moon", [dark, light, dark], ["0.00 s", "0.50 s", "1.00 s"]), ("Earth", [light])]
    out = contact_sheet(rows, tmp_path / "s.png")
    sheet = read_picture(out)
    background = np.abs(sheet - BACKGROUND).max(axis=2) < 0.01
    pictures = [np.abs(sheet - v).max(axis=2) < 0.01 for v in (0.2, 0.8)]
    assert [int(p.sum()) for p in pictures] == pytest.approx([2 * 2400, 2 * 2400], abs=40)
    rows, columns = np.nonzero(pictures[1])
    assert columns[rows > sheet.shape[0] // 2].max() < sheet.shape[1] // 2  # Earth's only picture is the left one below
    ink = ~(background | pictures[0] | pictures[1])
    inked = np.nonzero(ink.any(axis=1))[0]
    lines = 1 + np.count_nonzero(np.diff(inked) > 2)
    assert ink.sum() > 100 and lines == 3  # two titles and one line of captions


def test_sheet_refusals(tmp_path):
    fresh_scene()
    small, large = grey(tmp_path / "a.png", 0.5), grey(tmp_path / "b.png", 0.5, (8, 4))
    for rows, message in (
        ([], "at least one picture"), ([Row("A", [small, large])], "one size, these have 6x4, 8x4"),
        ([Row("A", [small], ["x", "y"])], "has 1 pictures and 2 captions"),
        ([Row("A", [tmp_path / "no.png"])], "no picture at"),
    ):
        with pytest.raises(InputError, match=message):
            contact_sheet(rows, tmp_path / "s.png")
    assert not (tmp_path / "s.png").exists()


# ----------------------------------------------------------------------------------------------------------------- demo
def test_strip_times_are_regular_phases():
    walk = Walk(frequency=0.5, seconds=12.0)
    times = strip_times(make_take(walk), count=7, strides=1.5)
    assert np.allclose(np.diff(times), 1.5 / 0.5 / 6, atol=0.02)
    assert (times[0] * walk.frequency) % 1.0 == pytest.approx(0.0, abs=0.02) and times[0] >= 2.0 / walk.frequency - 0.03
    short = strip_times(make_take(Walk(frequency=0.5, seconds=2.0)), count=5)
    assert np.allclose(short, np.linspace(0.0, 2.0, 5))


def test_row_label_names_planet_gravity_and_speed():
    assert row_label(make_take(Walk(speed=1.25, gravity=9.81))).split("    ")[1:] == ["9.81 m/s²", "1.25 m/s"]


def test_the_demonstration(tmp_path, monkeypatch):
    from lope.addon.rigs import demo

    for name, value in (("FILM_SIZE", (32, 18)), ("FILM_SAMPLES", 1), ("FILM_STEP", 12), ("STRIP_SIZE", (18, 24)),
                        ("STRIP_SAMPLES", 1), ("STRIP_PICTURES", 2)):
        monkeypatch.setattr(demo, name, value)
    fresh_scene()
    said = []
    takes = {"moon": make_take(Walk(seconds=3.0)), "earth": make_take(Walk(seconds=3.0, speed=0.6))}
    files = make_demo_scene(takes, tmp_path / "out", lambda fraction, text: said.append(fraction))
    assert sorted(files) == ["moonwalk.blend", "moonwalk.mp4", "strip.png"]
    assert all(path.stat().st_size > 300 for path in files.values())
    assert said == sorted(said) and said[-1] == 1.0
    assert bpy.data.movieclips.load(str(files["moonwalk.mp4"])).frame_duration == 7
    bpy.ops.wm.open_mainfile(filepath=str(files["moonwalk.blend"]))
    scene = bpy.data.scenes["Moon walk"]
    assert scene.camera is not None and (scene.frame_start, scene.frame_end) == (1, 73)
    armature = next(o for o in scene.objects if o.type == "ARMATURE")
    assert armature.animation_data.action is not None and armature.animation_data.action_slot is not None


def test_the_walk_is_baked_on_the_astronaut_where_it_was_simulated():
    scene = fresh_scene(24)
    armature = add_astronaut(scene)
    take = make_take(Walk(seconds=2.0))
    bake_take(armature, take, scene=scene, options=BakeOptions(lock_feet=False))  # this take's legs do not move
    frames, path = bone_path(scene, armature, "pelvis", (1, 49), step=12)
    expected = np.array([np.interp((frames - 1) / 24, take.time_s, take.root_position_m[:, k]) for k in range(3)]).T
    moved = (path - path[0]) @ np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert np.allclose(moved, expected - expected[0], atol=2e-3)
