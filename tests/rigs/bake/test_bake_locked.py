# SPDX-License-Identifier: GPL-3.0-or-later
"""Locked frames: a bake that replaces keys leaves those of the locked frames as they are."""

from __future__ import annotations

import pytest

from bake_kit import hand_keyed, rig_and_take
from lope.addon.errors import InputError
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.provenance import provenance
from lope.addon.rigs.read.actions import curves_of
from lope.addon.specs.bake_options import BakeOptions

pytestmark = pytest.mark.slow


def within(curve, first, last):
    """Frame and value of the keys of a curve from one frame to another."""
    return {key.co[0]: key.co[1] for key in curve.keyframe_points if first <= key.co[0] <= last}


def polished(armature, action, first, last):
    """Hand keys over a bake: every key of the chest within the frames turned aside."""
    changed = {}
    for curve in curves_of(action):
        if '"chest"' in curve.data_path:
            for key in curve.keyframe_points:
                if first <= key.co[0] <= last:
                    key.co[1] += 0.1
            curve.update()
            changed[curve.data_path, curve.array_index] = within(curve, first, last)
    return changed


@pytest.mark.parametrize("reduce_m", [None, 0.001])
def test_locked_frames_keep_their_keys_when_the_rest_is_replaced(reduce_m):
    armature, take = rig_and_take()
    first = bake_take(armature, take, options=BakeOptions(reduce_error_m=reduce_m))
    kept = polished(armature, first, 10, 15)
    assert any(kept.values())
    before = {(c.data_path, c.array_index): c.evaluate(12.0) for c in curves_of(first)}
    again = bake_take(armature, take, options=BakeOptions("replace", locked_frames=(10, 15), reduce_error_m=reduce_m))
    plain = bake_take(armature, take, options=BakeOptions(reduce_error_m=reduce_m))
    assert plain != again, "polished keys are the artist's: a bake that writes the last one anew leaves them"
    fresh = {(c.data_path, c.array_index): c for c in curves_of(plain)}
    for curve in curves_of(again):
        place = curve.data_path, curve.array_index
        if place in kept:
            held = within(curve, 10, 15)
            assert kept[place].items() <= held.items()
            assert held.keys() - kept[place].keys() <= {10.0, 15.0}
        if reduce_m is None:
            assert curve.evaluate(12.0) == pytest.approx(before[place], abs=1e-6)
        for frame in (3.0, 9.0, 16.0, 24.0):
            assert curve.evaluate(frame) == pytest.approx(fresh[place].evaluate(frame), abs=2e-3)
    assert provenance(again).options.locked_frames == (10, 15)


def test_channels_that_are_new_rest_in_the_locked_frames():
    armature, take = rig_and_take()
    hand_keyed(armature)
    action = bake_take(armature, take, options=BakeOptions("replace", locked_frames=(5, 8)))
    hips = next(c for c in curves_of(action) if '"hips"' in c.data_path and c.data_path.endswith("location")
                and abs(c.evaluate(20.0)) > 1e-3)
    assert [hips.evaluate(frame) for frame in (5.0, 6.0, 8.0)] == pytest.approx([0.0, 0.0, 0.0])
    assert abs(hips.evaluate(9.0)) > 1e-3


@pytest.mark.parametrize("options, match", [
    ({"locked_frames": (5, 8)}, "only where keys are replaced"),
    ({"target": "replace", "locked_frames": (8, 5)}, "a first and a last frame"),
    ({"target": "replace", "locked_frames": (1.5, 5)}, "Each end of the locked frames must be a whole number"),
])
def test_locked_frames_are_refused(options, match):
    with pytest.raises(InputError, match=match):
        BakeOptions(**options)
