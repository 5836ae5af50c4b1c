# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/tools/strips.py rigs: the skin as a cloud of points that moves with its rig, and how it is drawn."""


import numpy as np
import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.scripts.tools.strips import POINTS, SkinCloud, drawn

pytestmark = pytest.mark.slow


def test_the_cloud_is_the_skin_at_each_frame():
    scene = fresh_scene(24)
    armature = add_astronaut(scene)
    armature.location = (0.0, 0.0, 0.0)
    armature.keyframe_insert("location", frame=1)
    armature.location = (3.0, 0.0, 0.0)
    armature.keyframe_insert("location", frame=11)
    bpy.context.view_layer.update()
    cloud = SkinCloud(armature)
    first, last = cloud.at(scene, 1), cloud.at(scene, 11)
    assert len(first) == pytest.approx(POINTS, abs=2) and np.ptp(first[:, 2]) == pytest.approx(1.85, abs=0.1)
    assert np.allclose(last - first, (3.0, 0.0, 0.0), atol=1e-5)


def test_what_is_near_covers_what_is_far():
    """A far bar over the whole width behind a near one over the left half."""
    far = np.column_stack([np.linspace(-0.5, 0.5, 200), np.full(200, 0.5)])
    near = np.column_stack([np.linspace(-0.5, 0.0, 100), np.full(100, 0.5)])
    picture = drawn(np.concatenate([near, far]), np.repeat([1.0, 0.0], [100, 200]), (60, 60), 1.2)
    line = picture[round(60 * 0.95 - 0.5 * 50)]
    assert line[10, 0] > 0.9 and line[50, 0] == pytest.approx(0.15)
    assert picture[5].max() < 0.1, "nothing above"
