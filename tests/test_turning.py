# SPDX-License-Identifier: GPL-3.0-or-later
"""The turn gait and its limits: its own circle, any gait on any path, tighter ones refused with a way out."""

import numpy as np
import pytest

from lope.addon.errors import ClipError, InputError
from lope.addon.gaits.shot_path import shot_path
from lope.addon.gaits.turning import LEAST_RADIUS_LEGS, MOST_CENTRIPETAL, check_turns, tightest_radius_m
from lope.addon.motions.cycle import Cycle
from lope.addon.motions.library import load_gait
from lope.addon.simulate import simulate
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.paths import Circle, Line, SmoothLine, offset
from lope.addon.worlds.planets import load_world
from planner_kit import BODY, EARTH_G, MOON_G, gait_at

LEG = BODY.leg_length_m


def test_the_turn_goes_round_its_own_circle_and_others_where_asked():
    turn = load_gait("turn")
    assert 1.0 < turn.circle_radius_legs < 2.0
    assert shot_path(Shot(gait="turn"), LEG) == Circle(turn.circle_radius_legs * LEG)
    assert shot_path(Shot(gait="turn", path=PathSpec("circle", radius_m=-3.0)), LEG) == Circle(-3.0)
    assert shot_path(Shot(gait="turn", path=PathSpec("circle", 90.0)), LEG).heading_rad == pytest.approx(np.pi / 2)
    assert shot_path(Shot(), LEG) == Line()
    with pytest.raises(InputError, match="this gait has none"):
        shot_path(Shot(path=PathSpec("circle")), LEG)


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


def test_paths_that_turn_too_tightly_are_refused_with_the_radius_that_goes():
    gait = gait_at(EARTH_G)
    least = tightest_radius_m(gait.speed_m_s, EARTH_G, gait.leg_length_m)
    assert least == pytest.approx(gait.speed_m_s**2 / (MOST_CENTRIPETAL * EARTH_G))
    assert tightest_radius_m(gait_at(MOON_G).speed_m_s, MOON_G, LEG) == pytest.approx(least), "similar walks turn alike"
    assert tightest_radius_m(0.1, EARTH_G, LEG) == pytest.approx(LEAST_RADIUS_LEGS * LEG)
    check_turns(Circle(least), gait, EARTH_G)
    check_turns(Line(), gait, EARTH_G)
    with pytest.raises(InputError, match=rf"a radius of 0.90 m; at 1.28 m/s .* needs {least:.2f} m: widen .* go at 0.94 m/s"):
        check_turns(Circle(-0.9), gait, EARTH_G)
    with pytest.raises(InputError, match=r"a radius of 0.20 m; .* needs .* m: widen the path\."):
        check_turns(Circle(0.2), gait, EARTH_G)
    with pytest.raises(InputError, match=r"m from its start; at"):
        check_turns(SmoothLine(((2.0, 0.0), (2.3, 0.4), (2.0, 0.8))), gait, EARTH_G)


def test_a_shot_with_too_tight_a_path_is_refused_unless_forced():
    shot = Shot(duration_s=0.5, path=PathSpec("circle", radius_m=0.7))
    with pytest.raises(InputError, match="tighter than the gait can take"):
        simulate(shot)
    assert len(simulate(Shot(duration_s=0.5, path=shot.path, force=True)).time_s) > 20


@pytest.mark.parametrize("world", ["moon", "jupiter"])
def test_the_turn_walks_its_circle_where_the_thesis_fell(world):
    place = load_world(world)
    take = simulate(Shot(gait="turn", world=place, duration_s=4.0 * (EARTH_G / place.gravity_m_s2) ** 0.5))
    assert not take.fell
    path, s, away = shot_path(take.shot, LEG), 0.0, []
    for x, y, _ in take.com_m:
        s = path.locate(complex(x, y), s)
        away.append(offset(path, s, complex(x, y)))
    assert np.abs(away).max() < 0.07
    assert s / take.time_s[-1] == pytest.approx(take.stats["planned_speed_m_s"], rel=0.05)
    assert take.plan_heading_rad[-1] == pytest.approx(s * path.curvature(s), abs=0.05)
