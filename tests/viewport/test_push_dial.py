# SPDX-License-Identifier: GPL-3.0-or-later
"""The push dial without a window: places on the ground and pushes, the map's areas, what the mouse leads to, what is played."""

import math

import numpy as np
import pytest

from lope.addon.gaits.push_domain import FALLS, find_domain
from lope.addon.viewport import dial_overlay as turns
from lope.addon.viewport.dial_overlay import EDGE, REACH_LEGS, Dial, surface
from lope.addon.viewport.sketch import HOLD_S, Playback, on_ground

pytestmark = pytest.mark.slow

LEG_M = 0.88


def dial(steps=None, centre=(0.0, 0.0), heading=0.0, gravity=9.81):
    return Dial(centre, heading, find_domain(gravity, LEG_M), steps, 75.0, 0.2, LEG_M)


@pytest.mark.parametrize("centre, heading", [((0.0, 0.0), 0.0), ((1.5, -2.0), 0.7)])
def test_a_place_is_a_push_and_the_push_that_place(centre, heading):
    made = dial(centre=centre, heading=heading)
    for angle in (0.0, 1.0, 2.5, -2.0):
        place = (centre[0] + 0.8 * math.cos(angle), centre[1] + 0.8 * math.sin(angle))
        aim = made.aim(place)
        assert made.place(aim) == pytest.approx(place)
        assert aim.force_n * 0.2 == pytest.approx(75.0 * aim.speed_m_s), "impulse over mass is the speed"
        assert math.remainder(made.direction_rad(aim) - angle + heading, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_the_middle_is_no_push_and_the_edge_is_the_hardest():
    made = dial()
    assert made.aim((0.01, 0.0)) is None
    far = made.aim((100.0, 0.0))
    assert far.speed_m_s == pytest.approx(EDGE * made.fastest_m_s)
    assert np.hypot(*made.place(far)) == pytest.approx(made.radius_m) == pytest.approx(EDGE * REACH_LEGS * LEG_M)


@pytest.mark.parametrize("steps, gravity", [(None, 9.81), (0, 9.81), (1, 1.62), (2, 3.71)])
def test_the_arrow_lies_in_the_area_that_the_map_says(steps, gravity):
    """Polygons as drawn against `PushDomain.strategy`."""
    made = dial(steps, (0.3, 0.2), 0.4, gravity)
    assert made.areas == (4 if steps is None else steps + 1)
    generator, seen = np.random.default_rng(3), set()
    for angle, far in zip(generator.uniform(0, math.tau, 300), generator.uniform(0.08, 0.99, 300) * made.radius_m, strict=True):
        aim = made.aim((0.3 + far * math.cos(angle), 0.2 + far * math.sin(angle)))
        number = made.area(aim)
        seen.add(number)
        for other in range(made.areas + 1):
            edge = distance_along(made.outline(other), (0.3, 0.2), angle)
            if abs(edge - far) > 0.02:  # the outline has corners
                assert (edge > far) == (other >= number)
    assert made.areas in seen and 0 in seen
    assert made.domain.strategy(made.direction_rad(made.aim((50.0, 0.0))), 99.0, steps) == FALLS


def distance_along(outline, centre, angle):
    """How far a closed polygon round a centre reaches along a direction."""
    away = outline[:, :2] - centre
    return np.interp(angle, *_sorted(np.arctan2(away[:, 1], away[:, 0]) % math.tau, np.hypot(*away.T)), period=math.tau)


def _sorted(angles, lengths):
    order = np.argsort(angles)
    return angles[order], lengths[order]


def test_the_surfaces_fill_the_dial_and_do_not_lie_on_one_another():
    made = dial()
    sizes = [area(surface(made, number)) for number in range(made.areas + 1)]
    whole = 0.5 * 120 * made.radius_m**2 * math.sin(math.tau / 120)
    assert sum(sizes) == pytest.approx(whole, rel=1e-6) and min(sizes) >= 0.0


def area(triangles):
    a, b, c = triangles.reshape(-1, 3, 3)[:, :, :2].transpose(1, 0, 2)
    return 0.5 * np.sum((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])


def test_a_ledge_leaves_only_what_is_stood_in_place():
    made = dial(steps=0)
    assert made.areas == 1 and made.fastest_m_s < dial().fastest_m_s
    assert made.radius_m == dial().radius_m, "and the dial shows it larger"


def test_rings_are_round_speeds_within_the_dial():
    for gravity in (1.62, 9.81, 24.8):
        speeds = dial(gravity=gravity).ring_speeds()
        assert 2 <= len(speeds) <= 4 and all(b > a for a, b in zip(speeds, speeds[1:], strict=False))
        assert speeds[-1] < EDGE * dial(gravity=gravity).fastest_m_s


def test_the_arrow_ends_where_the_push_is():
    made = dial(centre=(1.0, 1.0))
    shaft, head = made.arrow(made.aim((1.0, 2.0)))
    np.testing.assert_allclose(shaft[0, :2], (1.0, 1.0))
    np.testing.assert_allclose(head[0, :2], (1.0, 2.0))
    assert shaft[1, 1] < 2.0 and np.ptp(head[:, 0]) > 0.0


def test_the_mouse_over_a_rig_that_stands_elsewhere_dials_the_same_push():
    """A ray of the view, in a scene in centimetres whose rig is turned: the push is in the shot's own axes."""
    turned = np.eye(4)
    turned[:3, :3] = 100.0 * np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turned[:3, 3] = (500.0, 300.0, 0.0)
    eye, over = np.array([500.0, -400.0, 600.0]), np.array([500.0 - 100.0, 300.0, 0.0])
    place = on_ground(turned, eye, over - eye)
    assert place == pytest.approx((0.0, 1.0))
    aim = dial().aim(place)
    assert aim.way == pytest.approx((0.0, 1.0), abs=1e-9), "to the world's left is to the character's left"


def test_what_leads_to_what():
    state = turns.AIMING
    for what, expected in ((turns.ACCEPT, turns.AIMING), (turns.RELEASE, turns.AIMING), (turns.PRESS, turns.DRAGGING),
                           (turns.ARRIVE, turns.DRAGGING), (turns.ACCEPT, turns.DRAGGING), (turns.RELEASE, turns.WAITING),
                           (turns.ARRIVE, turns.SHOWN), (turns.PRESS, turns.DRAGGING), (turns.DROP, turns.AIMING),
                           (turns.PRESS, turns.DRAGGING), (turns.RELEASE, turns.WAITING), (turns.ACCEPT, turns.ACCEPTED),
                           (turns.LEAVE, turns.ACCEPTED), (turns.PRESS, turns.ACCEPTED)):
        state = turns.after(state, what)
        assert state == expected, what
    assert all(turns.after(state, turns.LEAVE) == turns.GIVEN_UP
               for state in (turns.AIMING, turns.DRAGGING, turns.WAITING, turns.SHOWN))


def test_a_response_is_played_again_and_again():
    root = np.stack([np.linspace(0.0, 1.0, 31), np.zeros(31), np.full(31, 0.9)], axis=1)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (31, 3, 1))
    played = Playback(30.0, root, still)
    assert played.lasts_s == 1.0
    for seconds, row in ((0.0, 0), (0.5, 15), (1.0, 30), (1.0 + 0.9 * HOLD_S, 30), (1.0 + HOLD_S + 0.1, 3)):
        assert played.row(seconds) == row
    arriving = Playback(30.0, root[:16], still[:16], whole=False)
    assert [arriving.row(seconds) for seconds in (0.0, 0.5, 2.0)] == [0, 15, 15], "its end is still to come"
