# SPDX-License-Identifier: GPL-3.0-or-later
"""The camera that goes along with a character of any rig, and the choice among cameras."""

from __future__ import annotations

import json

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene, load
from lope.addon.errors import InputError, RigError
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.provenance import SHOT_KEY
from lope.addon.rigs.read.armature import match_of
from lope.addon.rigs.render.camera import bone_path, choose_camera, follow_camera
from lope.addon.specs.bake_options import BakeOptions
from render_kit import sliding_astronaut
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow


def in_picture(scene, camera, armature, bone, end="tail"):
    """Where a bone's end lies in the picture: across and up from 0 to 1, and its distance."""
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    place = evaluated.matrix_world @ getattr(evaluated.pose.bones[bone], end)
    from bpy_extras.object_utils import world_to_camera_view  # comes with bpy, once that is imported

    return world_to_camera_view(scene, camera, place)


@pytest.mark.parametrize("view", ["side", "three_quarter"])
def test_the_camera_goes_along(view):
    scene = fresh_scene(24)
    armature = sliding_astronaut(scene, frames=49)
    armature.pose.bones["pelvis"].location = (0.05, 0.02, 0.0)
    armature.pose.bones["pelvis"].keyframe_insert("location", frame=25)
    scene.frame_set(9)
    scene.camera = camera = follow_camera(scene, armature, view, (1, 49), aspect=1.5)
    assert scene.frame_current == 9
    scene.render.resolution_x, scene.render.resolution_y = 300, 200
    for frame in (1, 17, 33, 49):
        scene.frame_set(frame)
        for bone, low, high in (("head", 0.7, 0.98), ("toes_L", 0.02, 0.35), ("toes_R", 0.02, 0.35)):
            across, up, depth = in_picture(scene, camera, armature, bone)
            assert 0.2 < across < 0.8 and low < up < high and depth > 2.0, (frame, bone)


def test_hops_and_hills_stay_in_the_picture():
    scene = fresh_scene(24)
    armature = sliding_astronaut(scene, frames=97, metres=10.0)
    for frame in range(1, 98, 4):
        armature.location.z = 0.1 * frame + 0.45 * np.sin(frame * 2.0 * np.pi / 32.0)  # ten metres up, in hops
        armature.keyframe_insert("location", index=2, frame=frame)
    scene.camera = camera = follow_camera(scene, armature, "side", (1, 97), aspect=0.75)
    scene.render.resolution_x, scene.render.resolution_y = 150, 200
    ups = []
    for frame in range(1, 98, 8):
        scene.frame_set(frame)
        assert in_picture(scene, camera, armature, "head").y < 1.0 and in_picture(scene, camera, armature, "toes_L").y > 0.0
        ups.append(in_picture(scene, camera, armature, "head").y)
    assert np.ptp(ups) > 0.1, "the hops are seen: the camera does not hop along"


@pytest.mark.parametrize("source", ["rigs/kaykit_rogue.glb", "rigs/mpfb_male_mixamo_cm.fbx", "rigs/mpfb_female_unreal.glb"])
def test_any_rig_is_followed(source):
    armature = load(source, 24)
    scene = bpy.context.scene
    bake_take(armature, make_take(Walk(seconds=2.0)), scene=scene, options=BakeOptions(lock_feet=False))
    scene.camera = camera = follow_camera(scene, armature, "side", (1, 49), aspect=1.0)
    scene.render.resolution_x = scene.render.resolution_y = 100
    match = match_of(armature)
    for frame in (1, 25, 49):
        scene.frame_set(frame)
        head, foot = (in_picture(scene, camera, armature, match.joint_of[s], "head") for s in ("head", "foot_L"))
        assert 0.3 < head.x < 0.7 and 0.5 < head.y < 0.95 and 0.05 < foot.y < 0.35, (frame, tuple(head), tuple(foot))


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
    barrel = bpy.data.objects.new("Barrel", bpy.data.armatures.new("Barrel"))
    scene.collection.objects.link(barrel)
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match="'Barrel' has no bones"):
        follow_camera(scene, barrel, "side", (1, 2), aspect=1.0)


# -------------------------------------------------------------------------------------------------------------- choice
def own_camera(scene, name="Mine"):
    camera = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    scene.collection.objects.link(camera)
    return camera


def test_the_files_own_camera_comes_first():
    scene = fresh_scene(24)
    sliding_astronaut(scene)
    scene.camera = mine = own_camera(scene)
    assert choose_camera(scene, None, (1, 25), 1.5) == mine == choose_camera(scene, "file", (1, 25), 1.5)
    other = own_camera(scene, "Other")
    assert choose_camera(scene, "Other", (1, 25), 1.5) == other == scene.camera


def test_without_a_camera_one_follows():
    scene = fresh_scene(24)
    sliding_astronaut(scene)
    camera = choose_camera(scene, None, (1, 25), 1.5)
    assert scene.camera == camera and camera.name == "Astronaut three_quarter" and camera.animation_data.action is not None


def test_a_follow_camera_is_not_replaced_at_a_marker():
    scene = fresh_scene(24)
    sliding_astronaut(scene)
    scene.camera = own_camera(scene)
    scene.timeline_markers.new("cut", frame=5).camera = own_camera(scene, "Cut")
    camera = choose_camera(scene, "follow:side", (1, 25), 1.5)
    scene.frame_set(8)
    assert scene.camera == camera and camera.name == "Astronaut side"


def test_of_several_characters_the_baked_one_is_followed():
    scene = fresh_scene(24)
    sliding_astronaut(scene)
    walker = add_astronaut(scene, name="Walker")
    action = bpy.data.actions.new("walk")
    walker.animation_data_create().action = action
    with pytest.raises(RigError, match=r"has 2 characters \(Astronaut, Walker\); say which one .* --armature"):
        choose_camera(scene, "follow", (1, 2), 1.5)
    assert choose_camera(scene, "follow", (1, 2), 1.5, "Astronaut").name.startswith("Astronaut")
    action[SHOT_KEY] = json.dumps({})
    assert choose_camera(scene, "follow", (1, 2), 1.5).name.startswith("Walker")


def test_choices_that_cannot_be():
    scene = fresh_scene()
    with pytest.raises(RigError, match="no character that a camera could follow"):
        choose_camera(scene, None, (1, 2), 1.5)
    with pytest.raises(InputError, match="has no camera of its own; render with --camera follow"):
        choose_camera(scene, "file", (1, 2), 1.5)
    with pytest.raises(InputError, match="no camera named 'folow'. Did you mean 'follow'"):
        choose_camera(scene, "folow", (1, 2), 1.5)
    sliding_astronaut(scene)
    with pytest.raises(InputError, match="no camera view named 'sid'. Did you mean 'side'"):
        choose_camera(scene, "follow:sid", (1, 2), 1.5)
