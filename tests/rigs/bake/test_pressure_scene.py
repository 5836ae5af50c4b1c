# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure as objects of a scene: at any frame what a mat feels then, where it is, replaced as one, and by the commands."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import lope_scene
from blender_scene import bpy, fresh_scene
from foot_slip import walk
from lope.addon.cli import main
from lope.addon.errors import RigError
from lope.addon.reports.pressure_on_ground import ABOVE_GROUND_M, of_take
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.placing import baked_motion
from lope.addon.rigs.dust.pressed import add_pressure
from lope.addon.specs.path import GroundSpec

pytestmark = pytest.mark.slow

scene = lope_scene.scene
FPS = 24


def baked(start_frame=1):
    """The astronaut, turned and beside the middle, with a baked walk."""
    shown = fresh_scene(FPS)
    armature = add_astronaut(shown)
    armature.location, armature.rotation_euler[2] = (1.0, 2.0, 0.0), 0.5
    bpy.context.view_layer.update()
    take = walk("earth", 2.0)
    bake_take(armature, take, start_frame=start_frame)
    return shown, armature, take


def seen(item, frame):
    """World places (N, 3) of an object's evaluated corners at a frame."""
    bpy.context.scene.frame_set(frame)
    found = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).evaluated_geometry()
    mesh = found.mesh
    places = np.empty(3 * len(mesh.vertices)) if mesh is not None else np.zeros(0)
    if mesh is not None:
        mesh.vertices.foreach_get("co", places)
    matrix = np.array(item.matrix_world)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def test_at_any_frame_the_cells_of_the_mat_are_there():
    shown, armature, take = baked(start_frame=6)
    cells, lines, centre = add_pressure(shown, armature, take).objects
    where, mat = baked_motion(armature, take, shown), of_take(take)
    for frame in (40, 7, 6, 23, 53):  # in any order: nothing is simulated
        number = mat.at(frame / FPS - where.scene_s + where.first_s)
        loaded = mat.frames[number]
        corners = mat.corners_m(loaded.cells).reshape(-1, 2)
        wanted = where.to_world(np.column_stack([corners, np.full(len(corners), ABOVE_GROUND_M)]))
        found = seen(cells, frame)
        assert len(found) == len(wanted)
        for order in (found, wanted):
            order[:] = order[np.lexsort(order.round(3).T)]
        np.testing.assert_allclose(found, wanted, atol=1e-4)
        assert len(seen(lines, frame)) == 4 * sum(len(mat.outline_m(number, foot)) for foot in (0, 1))
        middle = where.to_world(np.append(loaded.centre_m, 0.0))[0]
        np.testing.assert_allclose(seen(centre, frame).mean(axis=0)[:2], middle[:2], atol=1e-4)
    assert not len(seen(cells, 5)) and not len(seen(cells, 60))


def test_on_a_slope_tiles_lie_on_it():
    shown, armature, _ = baked()
    level = walk("earth", 2.0)
    sloping = replace(level.shot.world, ground=GroundSpec("slope", slope_deg=10.0))
    take = replace(level, shot=replace(level.shot, world=sloping))
    bake_take(armature, take)
    cells = add_pressure(shown, armature, take).objects["Pressure"]
    where = baked_motion(armature, take, shown)
    found = (seen(cells, 20) - where.matrix[:3, 3]) @ np.linalg.inv(where.matrix[:3, :3]).T
    over = found[:, 2] - np.tan(np.radians(10.0)) * found[:, 0]
    assert len(found) > 400 and np.abs(over - ABOVE_GROUND_M).max() < 1e-3


def test_a_second_press_replaces_what_lope_made_and_nothing_else():
    shown, armature, take = baked()
    first = add_pressure(shown, armature, take)
    mine = bpy.data.objects.new("My rock", None)
    first.objects.link(mine)
    rooms = [len(room) for room in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.node_groups)]
    again = add_pressure(shown, armature, take)
    assert again == first and mine.name in again.objects and len(again.objects) == 4
    assert rooms == [len(room) for room in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.node_groups)]
    with pytest.raises(RigError, match="not baked on"):
        add_pressure(shown, armature, replace(take, shot=replace(take.shot, seed=99)))


def test_the_button_is_one_step_and_the_commands_add_the_same(scene, tmp_path, capfd):
    _, armature, take = baked()
    take.save(tmp_path / "take.npz")
    bpy.context.scene.lope.armature = armature
    armature.lope.take_path = str(tmp_path / "take.npz")
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.lope.add_pressure("EXEC_DEFAULT", True) == {"FINISHED"} and "Pressure" in bpy.data.objects
    assert bpy.ops.ed.undo() == {"FINISHED"} and "Pressure" not in bpy.data.objects
    fresh_scene(FPS)
    add_astronaut(bpy.context.scene)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    given = [str(tmp_path / name) for name in ("rig.blend", "take.npz", "out.blend")]
    capfd.readouterr()
    assert main(["bake", "--blend", given[0], "--take", given[1], "--show-pressure", "--out", given[2], "--json"]) == 0
    name = json.loads(capfd.readouterr().out)["pressure"]
    bpy.ops.wm.open_mainfile(filepath=given[2])
    assert len(bpy.data.collections[name].objects) == 3
    assert main(["render", "--blend", given[2], "--frames", "20,20", "--size", "16x16", "--samples", "1", "--show-pressure",
                 given[1], "--out", str(tmp_path / "p"), "--json"]) == 0
    assert (tmp_path / "p" / "frame_0020.png").is_file()
