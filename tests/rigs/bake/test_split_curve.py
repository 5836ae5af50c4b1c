# SPDX-License-Identifier: GPL-3.0-or-later
"""A range of frames replaced: what lies outside keeps its course, also between keys far apart, and with any handles."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from blender_scene import build_armature, curves, fresh_scene  # noqa: E402
from lope.addon.rigs.bake.action import ActionWriter, Keys, key_kinds  # noqa: E402

FRAMES = np.arange(20.0, 41.0)
PATH = 'pose.bones["one"].location'


@pytest.mark.parametrize("handles", ["AUTO_CLAMPED", "AUTO", "VECTOR", "FREE"])
@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR", "CONSTANT"])
@pytest.mark.parametrize("keyed", [(1, 30, 60, 80), (1, 70, 90), (30, 35), (-5, 3, 20, 41, 60)])
def test_outside_the_span_no_frame_changes(keyed, interpolation, handles):
    fresh_scene()
    armature = build_armature({"one": ((0, 0, 0), (0, 0, 1), None)})
    bone = armature.pose.bones["one"]
    for k, frame in enumerate(keyed):
        bone.location.x = [0.3, -1.0, 2.0, 0.5, -0.2][k]
        bone.keyframe_insert("location", index=0, frame=frame)
    old = armature.animation_data.action
    curve = curves(old, armature)[PATH, 0]
    for point in curve.keyframe_points:
        point.interpolation = interpolation
        point.handle_left_type = point.handle_right_type = handles
        if handles == "FREE":
            point.handle_right = point.co[0] + 25.0, point.co[1] + 1.0  # longer than its segment, as Blender shortens it
    curve.update()
    outside = [frame for frame in np.arange(-20.0, 100.0, 0.5) if not 19.0 < frame < 41.0]
    before = [curve.evaluate(frame) for frame in outside]
    places = [point.co[:] for point in curve.keyframe_points if not 20 <= point.co[0] <= 40]
    writer = ActionWriter("new", armature, "replace", (FRAMES[0], FRAMES[-1]))
    writer.write(PATH, "one", 0, Keys(FRAMES, np.sin(FRAMES), key_kinds(FRAMES, ())))
    writer.assign()
    curve = curves(writer.action, armature)[PATH, 0]
    np.testing.assert_allclose([curve.evaluate(frame) for frame in outside], before, atol=2e-5)
    np.testing.assert_allclose([curve.evaluate(frame) for frame in FRAMES], np.sin(FRAMES), atol=1e-6)
    assert set(places) <= {point.co[:] for point in curve.keyframe_points}
