# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths that bend tightly: corners rounded, slower and shorter steps in the bends, to the end and no further."""

import cmath
import math

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.gaits.choice import shot_choice
from lope.addon.gaits.path_speeds import LEAST_RADIUS_LEGS, MOST_CENTRIPETAL, MOST_TURN_RAD, SPEED_GRID, Bends, along, way_s
from lope.addon.locomotion.gait.shot_gait import gait_variables, shot_cycle, shot_way
from lope.addon.sim.simulation import preview, resolved, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot
from lope.addon.worlds.paths import Circle, Line, SmoothLine, rounded
from lope.addon.worlds.planets import load_world
from planner_kit import BODY

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

LEG = BODY.leg_length_m
HAIRPIN = PathSpec("points", points_m=((1.0, 0.0), (2.0, 0.0), (1.0, 0.05), (0.0, 0.1)))
CORNER = PathSpec("points", points_m=((1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (2.0, 2.0)))


def way_of(shot):
    body, cycle = make_body(shot.body), shot_cycle(shot)
    gait = gait_variables(shot, cycle, body)
    return shot_way(shot, gait, cycle, body), gait


@pytest.mark.parametrize("points", [HAIRPIN.points_m, CORNER.points_m, ((2.0, 0.0), (2.2, 0.2), (2.0, 0.2)),
                                    ((1.0, 1.0), (0.0, 2.0), (-1.0, 1.0), (0.0, 0.0))],
                         ids=["hairpin", "corner", "hook", "closed"])
def test_a_rounded_line_turns_no_more_tightly_and_keeps_its_ends(points):
    line, radius = SmoothLine(points), 0.3
    way = rounded(line, radius)
    assert way.tightest[0] < 1.25 / radius, "the shift to the end may bend it a little more"
    assert way.point(0.0) == line.point(0.0) and way.heading(0.0) == pytest.approx(0.0, abs=0.1)
    assert way.point(way.length) == pytest.approx(line.point(line.length), abs=1e-6)
    away = [np.abs(way.points - place).min() for place in line.points]
    assert max(away) < 1.5 * radius


def test_a_line_without_tight_turns_is_hardly_moved():
    line = SmoothLine(((2.0, 0.0), (4.0, 1.0), (6.0, 0.0)))
    way = rounded(line, 0.3)
    assert max(np.abs(way.points - place).min() for place in line.points) < 0.02
    assert way.length == pytest.approx(line.length, rel=0.01)


def test_it_slows_down_before_a_bend_and_takes_short_steps_in_it():
    way, gait = way_of(Shot(motion=Gait(path=CORNER)))
    least, s = LEAST_RADIUS_LEGS * LEG, way.path.tightest[1]
    tight = way.pacing.gait(gait, s, EARTH_GRAVITY_M_S2)
    assert tight.speed_m_s < math.sqrt(MOST_CENTRIPETAL * EARTH_GRAVITY_M_S2 * 1.1 * least)
    assert 0.5 * tight.stride_length_m * way.path.tightest[0] < 1.1 * MOST_TURN_RAD
    assert tight.stride_frequency_hz <= gait.stride_frequency_hz * SPEED_GRID
    before = [way.pacing.gait(gait, s - back, EARTH_GRAVITY_M_S2).speed_m_s for back in (1.6, 1.2, 0.8, 0.4)]
    assert before == sorted(before, reverse=True) and before[0] > 1.5 * tight.speed_m_s
    told = along(way, gait, EARTH_GRAVITY_M_S2)
    assert told.slowest_m_s == pytest.approx(tight.speed_m_s, rel=0.1)
    assert min(speed for *_, speed in told.marks) == told.slowest_m_s
    assert way_s(way, gait, EARTH_GRAVITY_M_S2) > 1.2 * way.path.length / gait.speed_m_s


def test_paths_without_tight_bends_are_gone_as_they_were():
    for path in (PathSpec(), PathSpec("circle", radius_m=3.0), PathSpec("points", points_m=((3.0, 0.0), (6.0, 1.0)))):
        way, gait = way_of(Shot(motion=Gait(path=path)))
        assert way.pacing is None and along(way, gait, EARTH_GRAVITY_M_S2) is None
    way, _ = way_of(Shot(motion=Gait(path=HAIRPIN, force=True)))
    assert way.pacing is None and way.path.tightest[0] > 10.0, "forced, it is gone as drawn"


def test_a_circle_too_tight_is_widened_and_gone_slowly():
    way, gait = way_of(Shot(motion=Gait(path=PathSpec("circle", radius_m=-0.1))))
    assert way.path == Circle(-LEAST_RADIUS_LEGS * LEG)
    assert Bends(Line(), LEG).speed(3.0) > 100.0
    assert way.pacing.gait(gait, 5.0, EARTH_GRAVITY_M_S2).speed_m_s < 0.5


def test_until_the_end_means_as_long_as_the_path_takes():
    shot = Shot(motion=Gait(path=HAIRPIN, start="standing", until_end=True))
    found = resolved(shot)
    assert (found.motion.stop, found.until_end) == ("standing", False) and 5.0 < found.duration_s < 20.0
    assert resolved(found) == found
    assert (
        resolved(shot.with_motion(path=PathSpec("points", points_m=((4.0, 0.0),)), name="hop", start="moving")).motion.stop
        == "moving"
    )
    with pytest.raises(InputError, match="This path has no end"):
        resolved(Shot(motion=Gait(until_end=True)))
    with pytest.raises(InputError, match="controller limp follows no path"):
        resolved(shot.with_motion(controller="limp"))


@pytest.mark.parametrize("path", [
    pytest.param(HAIRPIN, marks=MORE), PathSpec("points", points_m=((0.6, 0.1), (1.2, 0.0)))], ids=["hairpin", "short"])
def test_a_drawn_line_is_walked_to_its_end(path):
    shot = Shot(motion=Gait(path=path, start="standing", until_end=True))
    take, plan = simulate(shot), preview(shot)
    end = complex(*path.points_m[-1])
    assert not take.fell and take.shot == resolved(shot)
    assert abs(complex(*take.com_m[-1, :2]) - end) < 0.25
    assert abs(complex(*plan.com_m[-1, :2]) - end) < 0.25
    assert plan.time_s[-1] == pytest.approx(take.shot.duration_s, abs=0.05)
    speed = np.abs(np.gradient(take.com_m[:, 0] + 1j * take.com_m[:, 1], take.time_s))
    assert speed[-20:].max() < 0.1, "it stands at the end"
    if path is HAIRPIN:
        turned = take.com_m[:, 0] + 1j * take.com_m[:, 1]
        assert turned.real.max() > 1.7 and abs(cmath.phase(turned[-1] - turned[len(turned) // 2])) > 2.5


def test_gaits_with_flight_do_not_creep_through_tight_bends():
    with pytest.raises(InputError, match="this gait needs 3.9. m: it goes no slower than 1.9. m/s here. Walk it"):
        way_of(Shot(motion=Gait("run", path=CORNER)))
    assert resolved(Shot(motion=Gait("auto", speed_m_s=3.0, path=CORNER))).motion.name == "walk"
    assert resolved(Shot(motion=Gait("auto", speed_m_s=3.0))).motion.name == "run"


@pytest.mark.parametrize(("radius_m", "speed_m_s", "gait", "taken_m_s"), [
    (2.0, None, "walk", None), (2.0, 0.9, "walk", 0.9), (2.0, 2.0, "walk", 1.14), (20.0, 1.7, "lope", 1.7),
    (20.0, None, "lope", None)])
def test_people_walk_where_bends_leave_no_speed_for_flights(radius_m, speed_m_s, gait, taken_m_s):
    """On the Moon a circle of 2 m leaves 0.57 m/s, and people lope from 1.14 m/s on."""
    shot = Shot(
        motion=Gait("auto", law="people", speed_m_s=speed_m_s, path=PathSpec("circle", radius_m=radius_m)),
        world=load_world("moon"),
    )
    body = make_body(shot.body)
    choice, taken = shot_choice(shot, body.leg_length_m, False), resolved(shot)
    assert choice.gait == taken.motion.name == gait
    assert taken.motion.speed_m_s == (taken_m_s and pytest.approx(taken_m_s, abs=0.005))
    assert preview(shot) is not None, "the door lets it in"
    told = "in bends as tight as these people walk: a radius of 2.00 m leaves 0.57 m/s, and to lope takes 1.14 m/s"
    assert choice.words.endswith(told) == (gait == "walk" and speed_m_s != 0.9), "a slow walk is one on a straight too"
    assert choice.words.startswith("at 1.14 m/s, not 2.00 m/s; ") == (taken_m_s == 1.14)
