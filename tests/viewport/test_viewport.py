# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a plan, as plain numbers; and that nothing is left drawn behind."""

import numpy as np
import pytest

from lope.addon.locomotion.controller import Plan
from lope.addon.specs.shot import Push
from lope.addon.viewport.drawing import Free, seen
from lope.addon.viewport.sketch import FOOT_SHARE, draw, draw_unplanned, nearest, on_ground, segments

pytestmark = pytest.mark.slow


def plan(heading=0.0, steps=4):
    """A plan that goes along a heading at 1 m/s, with a step each half second."""
    time = np.arange(61) / 30.0
    forward, left = np.array([np.cos(heading), np.sin(heading), 0.0]), np.array([-np.sin(heading), np.cos(heading), 0.0])
    at = 0.5 * np.arange(steps)
    side = np.arange(steps) % 2
    return Plan(time, time[:, None] * forward + [0.0, 0.0, 0.9], time[:, None] * forward,
                at[:, None] * forward + np.where(side == 0, 0.1, -0.1)[:, None] * left, at, side,
                np.full(steps, heading), 1.0, 1.0, 0.1)


@pytest.mark.parametrize("heading", [0.0, 1.2, 3.0, -2.5])
def test_prints_point_where_the_character_goes(heading):
    made = plan(heading)
    forward = np.array([np.cos(heading), np.sin(heading)])
    for outline in draw(made, 1.8).prints:
        along = outline[:, :2] @ forward
        assert np.ptp(along) == pytest.approx(FOOT_SHARE * 1.8, rel=1e-6)
        toes = outline[np.argmax(along), :2] - outline[:, :2].mean(axis=0)
        assert toes @ forward > 0.0


def test_a_locked_print_is_told_from_the_others():
    assert draw(plan(), 1.8, locked=frozenset({2})).locked == {2} and draw(plan(), 1.8).locked == frozenset()


def test_what_the_sidebar_hides_or_lies_behind_is_not_seen():
    free = Free(50.0, 650.0, 100.0)
    assert seen((300.0, 300.0), free, 600.0)
    for at in (None, (700.0, 300.0), (60.0, 300.0), (300.0, 90.0), (300.0, 590.0)):
        assert not seen(at, free, 600.0), at


def test_the_nearest_print_within_reach_is_under_the_mouse():
    points = np.array([[10.0, 10.0], [np.nan, np.nan], [40.0, 10.0]])
    assert nearest(points, (12.0, 11.0), 20.0, first=1) == 1
    assert nearest(points, (38.0, 11.0), 20.0, first=1) == 3
    assert nearest(points, (200.0, 11.0), 20.0) is None
    assert nearest(np.empty((0, 2)), (0.0, 0.0), 20.0) is None


def test_the_mouse_meets_the_ground_of_a_take_wherever_it_lies():
    matrix = np.array([[0.0, -100.0, 0.0, 50.0], [100.0, 0.0, 0.0, 20.0], [0.0, 0.0, 100.0, 30.0], [0.0, 0.0, 0.0, 1.0]])
    target = matrix @ (1.5, -0.2, 0.0, 1.0)
    origin = np.array([400.0, -300.0, 900.0])
    assert on_ground(matrix, origin, target[:3] - origin) == pytest.approx((1.5, -0.2))
    assert on_ground(matrix, origin, origin - target[:3]) is None
    assert on_ground(matrix, origin, np.array([1.0, 0.0, 0.0])) is None


def test_left_and_right_prints_mirror_each_other():
    drawing = draw(plan(), 1.8)
    assert drawing.sides == ("L", "R", "L", "R")
    left, right = (outline - place for outline, place in zip(drawing.prints[:2], plan().footstep_m[:2], strict=True))
    np.testing.assert_allclose(left * [1, -1, 1], right, atol=1e-12)


def test_labels_lie_in_their_prints_and_paths_are_those_of_the_plan():
    made = plan()
    drawing = draw(made, 1.8, ("1 m/s",))
    for label, outline in zip(drawing.labels, drawing.prints, strict=True):
        assert (outline.min(axis=0) - 1e-9 <= label).all() and (label <= outline.max(axis=0) + 1e-9).all()
    np.testing.assert_array_equal(drawing.com, made.com_m)
    np.testing.assert_array_equal(drawing.cart[:, :2], made.cart_m[:, :2])
    assert not len(draw(made, 1.8, pendulum=False).cart)
    assert drawing.words == ("1 m/s",)


def test_an_arrow_ends_where_the_plan_has_the_weight_when_its_push_begins():
    made = plan()
    drawing = draw(made, 1.8, pushes=(Push(1.0, 0.2, (0.0, 400.0, 0.0)), Push(0.5, 0.1, (0.0, 0.0, 0.0))))
    tail, head, *barbs = drawing.arrows
    assert len(drawing.arrows) == 6 and head == pytest.approx((1.0, 0.0, 0.9))
    assert head - tail == pytest.approx((0.0, 1.5, 0.0)) and all(place[1] <= 0.0 for place in barbs)
    still = draw_unplanned(1.8, (Push(1.0, 0.2, (100.0, 0.0, 0.0)),))
    assert still.arrows[1] == pytest.approx((0.0, 0.0, 0.99)) and not len(still.prints) and not still.labels.tolist()


def test_a_plan_without_steps_can_be_drawn():
    assert draw(plan(steps=0), 1.8).prints.shape[0] == 0


def test_segments_of_open_and_closed_lines():
    line = np.eye(3)
    assert segments(line).tolist() == [line[0].tolist(), line[1].tolist(), line[1].tolist(), line[2].tolist()]
    assert segments(line, closed=True)[-1].tolist() == line[0].tolist() and len(segments(line, closed=True)) == 6


def test_the_overlay_leaves_no_handler_behind():
    pytest.importorskip("bpy", reason="needs the bpy module")
    from lope.addon.viewport import overlay

    assert not overlay.is_shown()
    overlay.show(draw(plan(), 1.8), lambda: None)
    overlay.show(draw(plan(1.0), 1.8), lambda: None)
    assert overlay.is_shown()
    overlay.hide()
    assert not overlay.is_shown()
