# SPDX-License-Identifier: GPL-3.0-or-later
"""The turn gait and its limits: its own circle, any gait on any path, and how tight a path may be for a speed."""

import numpy as np
import pytest

from lope.addon.errors import ClipError, InputError
from lope.addon.gaits.path_speeds import LEAST_TURN_RADIUS_LEGS as LEAST_RADIUS_LEGS
from lope.addon.gaits.path_speeds import MOST_CENTRIPETAL, shot_path, tightest_radius_m, turns_too_tightly
from lope.addon.motions.cycle import Cycle
from lope.addon.motions.library import load_gait
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.paths import Circle, Line, SmoothLine, offset
from lope.addon.worlds.planets import load_world
from planner_kit import BODY, EARTH_G, MOON_G, gait_at

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

LEG = BODY.leg_length_m


def test_the_turn_goes_round_its_own_circle_and_others_where_asked():
    turn = load_gait("turn")
    assert 1.0 < turn.circle_radius_legs < 2.0
    assert shot_path(Shot(motion=Gait("turn")), LEG) == Circle(turn.circle_radius_legs * LEG)
    assert shot_path(Shot(motion=Gait("turn", path=PathSpec("circle", radius_m=-3.0))), LEG) == Circle(-3.0)
    assert shot_path(Shot(motion=Gait("turn", path=PathSpec("circle", 90.0))), LEG).heading_rad == pytest.approx(np.pi / 2)
    assert shot_path(Shot(), LEG) == Line()
    with pytest.raises(InputError, match="this gait has none"):
        shot_path(Shot(motion=Gait(path=PathSpec("circle"))), LEG)


def test_a_gait_keeps_its_circle_in_its_file():
    data = load_gait("turn").to_dict()
    assert Cycle.from_dict(data).circle_radius_legs == load_gait("turn").circle_radius_legs
    assert "default_path" not in load_gait("walk").to_dict()
    for path, words in (({"kind": "points", "radius_leg_lengths": 2.0}, "no kind of default path named 'points'"),
                        ({"kind": "circle", "radius_leg_lengths": 0.1}, "at least 0.3"),
                        ({"kind": "circle"}, "lack radius_leg_lengths"),
                        ({"kind": "circle", "radius_leg_lengths": "x"}, "damaged")):
        with pytest.raises(ClipError, match=words):
            Cycle.from_dict(data | {"default_path": path})


def test_how_tightly_a_gait_turns_goes_with_its_speed():
    gait = gait_at(EARTH_G)
    least = tightest_radius_m(gait.speed_m_s, EARTH_G, gait.leg_length_m)
    assert least == pytest.approx(gait.speed_m_s**2 / (MOST_CENTRIPETAL * EARTH_G))
    assert tightest_radius_m(gait_at(MOON_G).speed_m_s, MOON_G, LEG) == pytest.approx(least), "similar walks turn alike"
    assert tightest_radius_m(0.1, EARTH_G, LEG) == pytest.approx(LEAST_RADIUS_LEGS * LEG)
    assert not any(turns_too_tightly(path, gait, EARTH_G) for path in (Circle(least), Line()))
    assert all(turns_too_tightly(path, gait, EARTH_G) for path in (
        Circle(-0.9), Circle(0.2), SmoothLine(((2.0, 0.0), (2.3, 0.4), (2.0, 0.8)))))


@pytest.mark.parametrize("world", [pytest.param("moon", marks=MORE), "jupiter"])
def test_the_turn_walks_its_circle_where_the_thesis_fell(world):
    place = load_world(world)
    take = simulate(Shot(motion=Gait("turn"), world=place, duration_s=4.0 * (EARTH_G / place.gravity_m_s2) ** 0.5))
    assert not take.fell
    path, s, away = shot_path(take.shot, LEG), 0.0, []
    for x, y, _ in take.com_m:
        s = path.locate(complex(x, y), s)
        away.append(offset(path, s, complex(x, y)))
    assert np.abs(away).max() < 0.07
    assert s / take.time_s[-1] == pytest.approx(take.stats["planned_speed_m_s"], rel=0.05)
    assert take.plan_heading_rad[-1] == pytest.approx(s * path.curvature(s), abs=0.05)
