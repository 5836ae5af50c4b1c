# SPDX-License-Identifier: GPL-3.0-or-later
"""The figure made of a creature without a rig: closed, on the ground, baked and filmed like any other."""

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene, pose_in_world
from creature_walk import creature_walk
from lope.addon.bodies.creature.template import creature_names, find_creature
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.options.outputs import open_scene
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.placing import is_figure, shown_figure
from lope.addon.rigs.creatures.figure import add_creature
from lope.addon.rigs.render.camera import follow_camera
from lope.addon.rigs.shots.open_rig import prepare_rig

pytestmark = pytest.mark.slow


def made(name: str):
    """A shipped creature's figure in an empty file, and its shape."""
    fresh_scene()
    creature = find_creature(name)
    return add_creature(bpy.context.scene, creature), creature


@pytest.mark.parametrize("name", creature_names())
def test_every_shipped_creature_has_a_closed_figure_on_the_ground(name):
    armature, creature = made(name)
    skin = armature.children[0].data
    edges = np.array([edge for face in skin.polygons for edge in face.edge_keys])
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    assert abs(min(vertex.co.z for vertex in skin.vertices)) < 0.01
    assert [bone.name for bone in armature.data.bones] == [part.name for part in creature.parts]
    for part in creature.parts:
        head = armature.data.bones[part.name].head_local
        np.testing.assert_allclose((-head.y, head.x, head.z), part.joint_m, atol=1e-6)


def test_it_is_baked_and_a_camera_goes_along_with_all_of_it():
    armature, creature = made("ostrich")
    scene = bpy.context.scene
    assert not is_figure(armature)
    bake_take(armature, creature_walk(creature))
    assert is_figure(armature) and shown_figure(armature, bpy.context.scene).creature == creature
    camera = follow_camera(scene, armature, "side", (1, 60), aspect=1.0)
    inside = []
    for frame in (1, 30, 60):
        pose = pose_in_world(armature, frame)
        view = np.linalg.inv(np.array(camera.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
        half = 0.5 * camera.data.sensor_height / camera.data.lens
        for part in creature.parts:
            seen = view @ pose[part.name][:, 3]
            inside.append(np.abs(seen[:2] / -seen[2]).max() < half)
    assert all(inside)


def test_a_shot_lists_rig_is_made_of_its_creature(tmp_path):
    creature = find_creature("long_neck")
    asked = {"file": None, "armature": None, "bone_map": None, "height_m": None, "creature": creature.to_dict()}
    told = prepare_rig(asked, tmp_path / "rig.blend")
    assert told == {"armature": "Long Neck", "bones": None, "body": None} and (tmp_path / "rig.blend").is_file()


def test_the_command_makes_it_for_a_creatures_take(tmp_path, capsys):
    take, out = tmp_path / "walk.npz", tmp_path / "walked.blend"
    creature_walk(find_creature("long_legs"), 1.0).save(take)
    assert main(("bake", "--blend", "creature", "--take", str(take), "--out", str(out))) == 0
    assert "of 'Long Legs'" in capsys.readouterr().out and out.is_file()
    with pytest.raises(InputError, match="the figure made of a creature, and there is none here; take astronaut"):
        open_scene("creature")
