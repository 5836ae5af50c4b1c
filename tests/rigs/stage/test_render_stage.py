# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages: the ground that is walked on, and what stands beside it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.errors import InputError
from lope.addon.rigs.stage.stage import LOOKS, add_stage, stage_for
from lope.addon.rigs.stage.terrain import CORRIDOR_HALF_WIDTH_M, crater_profile, grid, heights

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("world", sorted(LOOKS))
def test_the_corridor_is_the_physics_ground(world):
    points, faces = grid(60.0, 0.12, LOOKS[world].relief)
    look = LOOKS[world]
    near = np.abs(points[:, 1]) <= CORRIDOR_HALF_WIDTH_M
    walked = near & (points[:, 0] > -9.0) & (points[:, 0] < 69.0)
    assert walked.sum() > 1000 and np.all(points[walked, 2] == 0.0)
    beside = (np.abs(points[:, 1]) > 4.0) & (np.abs(points[:, 1]) < 9.0) & (points[:, 0] > -9.0) & (points[:, 0] < 69.0)
    if look.tiles_m is None:
        assert 0.02 < points[beside, 2].std() < 0.5 and np.ptp(points[:, 2]) > 8.0
    else:
        assert np.all(points[:, 2] == 0.0), "a test floor is level all over"
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
    with pytest.raises(InputError, match="no stage named 'mooon'. Did you mean 'moon'.*earth, mars, moon, test"):
        add_stage(scene, "mooon")
    with pytest.raises(InputError, match="Stage length must lie between"):
        add_stage(scene, "moon", length_m=-3.0)
    assert not scene.collection.children



def test_worlds_without_a_look_have_a_test_floor():
    assert [stage_for(world) for world in ("moon", "mars", "earth")] == ["moon", "mars", "earth"]
    assert {stage_for(world) for world in ("jupiter", "neptune", "custom")} == {"test"}
    scene = fresh_scene()
    stage = add_stage(scene, stage_for("jupiter"), length_m=10.0)
    assert {o.type for o in stage.all_objects} == {"MESH", "LIGHT"}
    assert not [o for o in stage.all_objects if o.name.startswith("Rock")]
