# SPDX-License-Identifier: GPL-3.0-or-later
"""A take as lines that walk again and again; and that nothing of them is left drawn behind."""

import json

import numpy as np
import pytest

from creature_take import creature_take
from lope.addon.bodies.makers import make_body
from lope.addon.jobs.creature_search import sketched
from lope.addon.specs.shot import BodySpec
from lope.addon.viewport.sketch import SKETCH_HOLD_S as HOLD_S
from lope.addon.viewport.sketch import Sketch

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def take():
    return creature_take(seconds=4.0, body=make_body(BodySpec()))


def test_a_take_becomes_lines_from_joint_to_joint_and_to_the_tips(take):
    view = json.loads(json.dumps(sketched(take, 2.0)))
    sketch = Sketch.of(view, "walks")
    segments = take.body.segments
    last = [one for one in segments if one.name not in {other.parent for other in segments}]
    assert sketch.ends.shape == (31, len(segments) - 1 + len(last), 2, 3) and sketch.words == "walks"
    places, _ = take.segment_poses
    np.testing.assert_allclose(sketch.ends[-1, :len(segments) - 1, 1, 2], places[-1, 1:, 2], atol=1e-3)
    lengths = np.linalg.norm(sketch.ends[:, :, 1] - sketch.ends[:, :, 0], axis=-1)
    long = [np.linalg.norm(x) for x in (*(one.offset for one in segments[1:]), *(one.tip for one in last))]
    np.testing.assert_allclose(lengths, np.broadcast_to(long, lengths.shape), atol=3e-3)
    assert set(sketch.sides) >= {"L", "R"}


def test_it_goes_in_place_beside_where_the_take_starts_and_ends_at_a_fall(take):
    moved = {**take.arrays, "root_position_m": take.root_position_m + np.outer(take.time_s, [1.0, 0.0, 0.0])}
    walked = type(take)(take.shot, take.body, moved, {**take.stats, "time_fell_s": 3.0}, {})
    ends = np.array(sketched(walked, 1.0)["ends"])
    assert len(ends) == 16
    x, y = ends[:, 0, 0, :2].T
    assert x == pytest.approx(np.zeros(16), abs=0.02) and y == pytest.approx(np.full(16, -0.5 * ends[..., 2].max()), abs=0.02)


def test_it_plays_again_and_holds_its_last_pose(take):
    sketch = Sketch.of(sketched(take, 1.0))
    assert [sketch.row(s) for s in (0.0, 0.5, 1.0, 1.0 + 0.9 * HOLD_S)] == [0, 8, 15, 15]
    assert sketch.row(1.0 + HOLD_S + 0.2) == 3
    assert Sketch.of({"state": "searching"}) is None
    assert len(sketch.lines(0, "L")) + len(sketch.lines(0, "R")) + len(sketch.lines(0, "")) == 2 * len(sketch.sides)


def test_the_overlay_leaves_no_handler_behind(take):
    pytest.importorskip("bpy", reason="needs the bpy module")
    from lope.addon.viewport import sketch_overlay

    sketch = Sketch.of(sketched(take, 1.0))
    sketch_overlay.show(sketch, lambda: None)
    sketch_overlay.show(sketch, lambda: None)
    assert sketch_overlay.is_shown()
    sketch_overlay.hide()
    assert not sketch_overlay.is_shown()
