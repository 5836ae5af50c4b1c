# SPDX-License-Identifier: GPL-3.0-or-later
"""The uneven ground under a baked take: its heights, where it lies on another rig, and that nothing floats over it."""

import dataclasses

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")

from blender_scene import fresh_scene  # noqa: E402
from lope.addon.rigs.astronaut.astronaut import add_astronaut  # noqa: E402
from lope.addon.rigs.read.armature import read_figure  # noqa: E402
from lope.addon.rigs.stage.stage import (  # noqa: E402
    MARGIN_M,
    add_stage,
    ground_patch,
    lay_ground,
)
from lope.addon.specs.path import GroundSpec  # noqa: E402
from lope.addon.specs.shot import Shot, World  # noqa: E402
from take_factory import Walk, make_take  # noqa: E402

pytestmark = pytest.mark.slow


def take_on(ground: GroundSpec):
    """A made-up walk whose shot has that ground."""
    take = make_take(Walk(seconds=2.0))
    return dataclasses.replace(take, shot=Shot(world=World(ground=ground), duration_s=2.0))


def test_the_patch_has_the_grounds_heights_all_around_the_way():
    take = take_on(GroundSpec("slope", slope_deg=10.0, direction_deg=90.0))
    points, faces = ground_patch(take)
    assert np.allclose(points[:, 2], np.tan(np.radians(10.0)) * points[:, 1])
    way = take.com_m[:, :2]
    assert (points[:, :2].min(axis=0) <= way.min(axis=0) - MARGIN_M).all()
    assert (points[:, :2].max(axis=0) >= way.max(axis=0) + MARGIN_M).all()
    a, b, c, _ = (points[faces[:, k]] for k in range(4))
    assert (np.cross(b - a, c - b)[:, 2] > 0.0).all(), "every face looks up"
    steps, _ = ground_patch(take_on(GroundSpec("steps", rise_m=0.1, run_m=0.4)))
    ahead = (steps[:, 0] > 0.41) & (steps[:, 0] < 0.79)
    assert np.allclose(steps[ahead, 2], 0.1) and np.allclose(steps[steps[:, 0] < 0.39, 2], 0.0)


@pytest.mark.acceptance
@pytest.mark.parametrize("height_m", [1.8, 0.9])
def test_the_ground_lies_where_the_rig_walks(height_m):
    """On a rig half as tall the path is half as long, and so are the steps."""
    scene = fresh_scene()
    armature = add_astronaut(scene, height_m=height_m)
    armature.location = (2.0, 3.0, 0.5)
    bpy.context.view_layer.update()
    stage = add_stage(scene, "moon", length_m=10.0)
    take = take_on(GroundSpec("steps", rise_m=0.2, run_m=1.0))
    lay_ground(stage, armature, read_figure(armature), take)
    ground = next(item for item in stage.objects if item.name.startswith("Ground"))
    assert not [item for item in stage.objects if item.name.startswith("Rock")] and ground.data.materials[0] is not None
    places = np.empty(3 * len(ground.data.vertices), dtype=np.float32)
    ground.data.vertices.foreach_get("co", places)
    places = places.reshape(-1, 3)
    share = height_m / 1.8
    ahead = 3.0 - places[:, 1]  # the astronaut faces -Y
    first_tread = (ahead > 1.1 * share) & (ahead < 1.9 * share)
    assert first_tread.any() and np.allclose(places[first_tread, 2], 0.5 + 0.2 * share, atol=0.01 * share)
    assert np.allclose(places[ahead < 0.9 * share, 2], 0.5, atol=0.01)
