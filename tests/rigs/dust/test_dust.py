# SPDX-License-Identifier: GPL-3.0-or-later
"""The law by which dust flies, what a take's feet send off, and where they pressed the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.rigs.dust.grains import (
    SCUFF,
    STRIKE,
    Kick,
    flight,
    grains_of,
    kicks,
    landing_s,
    prints,
    relaxation_s,
)
from lope.addon.specs.path import GroundSpec
from lope.addon.worlds.ground import make_ground
from lope.addon.worlds.planets import AIRS, air_of
from take_factory import Walk, make_take

FREE = np.array([np.inf])


@pytest.mark.parametrize("gravity", [0.28, 1.62, 3.71, 24.8])
def test_without_air_grains_fly_parabolas(gravity):
    v = np.array([[1.2, -0.4, 1.5]])
    top, down = 1.5 / gravity, 3.0 / gravity
    assert landing_s(v, np.zeros(1), gravity, FREE) == pytest.approx(down, rel=1e-6)
    assert flight(np.array([top]), v, gravity, FREE)[0] == pytest.approx([1.2 * top, -0.4 * top, 1.5**2 / (2 * gravity)])
    assert flight(np.array([down]), v, gravity, FREE)[0] == pytest.approx([1.2 * down, -0.4 * down, 0.0], abs=1e-12)
    for time in (0.1, 0.7):  # no energy is lost
        eps, at = 1e-5, np.array([time])
        speed = (flight(at + eps, v, gravity, FREE) - flight(at - eps, v, gravity, FREE)) / (2 * eps)
        energy = 0.5 * (speed**2).sum() + gravity * flight(at, v, gravity, FREE)[0, 2]
        assert energy == pytest.approx(0.5 * (v**2).sum(), rel=1e-6)


def test_grains_that_leave_alike_stay_a_sheet_without_air_and_a_cloud_with_it():
    """At any time grains of one elevation lie on one cone that sinks as a falling stone does."""
    speeds = np.linspace(0.3, 2.0, 20)
    v = speeds[:, None] * np.array([np.cos(0.7), 0.0, np.sin(0.7)])
    time, g = np.full(20, 0.25), 1.62
    places = flight(time, v, g, np.full(20, np.inf))
    assert places[:, 2] == pytest.approx(places[:, 0] * np.tan(0.7) - 0.5 * g * 0.25**2)
    braked = flight(time, v, g, relaxation_s(AIRS["earth"], np.linspace(20e-6, 60e-6, 20)))
    assert braked[:, 0].max() < 0.2 * places[:, 0].max()


def test_with_air_grains_sink_at_last_and_a_thin_air_is_none_in_the_end():
    tau = relaxation_s(AIRS["earth"], np.array([60e-6]))
    assert tau * 9.81 == pytest.approx(0.32, abs=0.03), "60 micrometres sink at some 0.3 m/s on Earth"
    v = np.array([[2.0, 0.0, 1.0]])
    late = flight(np.array([1.0]), v, 9.81, tau) - flight(np.array([0.9]), v, 9.81, tau)
    assert late[0] == pytest.approx([0.0, 0.0, -0.1 * 9.81 * tau[0]], abs=1e-9)
    thin = flight(np.array([0.4]), v, 9.81, np.array([1e5]))
    assert thin == pytest.approx(flight(np.array([0.4]), v, 9.81, FREE), abs=1e-5)
    for relaxation in (tau, np.array([1.0])):
        down = landing_s(v, np.array([0.1]), 9.81, relaxation)
        assert 0.1 + flight(down, v, 9.81, relaxation)[0, 2] == pytest.approx(0.0, abs=1e-6)


def test_which_worlds_have_air():
    assert air_of("moon", 1.62) is None and air_of("europa", 1.3) is None and air_of("mars", 3.71) is AIRS["mars"]
    assert [air_of("custom", g) for g in (1.0, 3.7, 9.8)] == [None, AIRS["mars"], AIRS["earth"]]
    mars, earth = (relaxation_s(AIRS[world], np.array([40e-6]))[0] for world in ("mars", "earth"))
    assert mars > 1.5 * earth


def kick(kind, speed=1.5):
    return Kick(kind, 2.0, np.array([1.0, 0.2, 0.0]), np.array([speed, 0.0, 0.3]), np.array([1.0, 0.0]), 1.62)


@pytest.mark.slow
def test_grains_of_a_kick_are_the_seeds_and_fall_down_again():
    one, same, other = (grains_of([kick(SCUFF), kick(STRIKE)], seed, None) for seed in (3, 3, 4))
    assert len(one.start_s) > 100 and np.array_equal(one.velocity, same.velocity) and not np.array_equal(
        one.velocity[:50], other.velocity[:50])
    double, single = (len(grains_of([kick(SCUFF)], 3, None, amount).start_s) for amount in (2.0, 1.0))
    assert double == pytest.approx(2 * single, abs=2)
    fan, ring = (grains_of([kick(kind)], 1, None) for kind in (SCUFF, STRIKE))
    assert np.median(fan.velocity[:, 0]) > 0.5 and abs(np.median(ring.velocity[:, 0])) < 0.25
    for time in (2.0, 2.3, 2.6):
        rows, places = one.at(time)
        assert len(rows) and places[:, 2].min() > -1e-6
    assert len(one.at(1.99)[0]) == 0 and len(one.at(2.0 + one.life_s.max() + 1e-6)[0]) == 0
    assert len(grains_of([], 0, None).start_s) == 0


@pytest.mark.parametrize("spec", [GroundSpec("slope", slope_deg=20.0), GroundSpec("slope", slope_deg=-15.0, direction_deg=60.0),
                                  GroundSpec("steps", rise_m=0.15, run_m=0.4)])
@pytest.mark.parametrize("air", [None, AIRS["mars"]])
def test_grains_leave_and_come_down_on_ground_that_is_not_level(spec, air):
    ground = make_ground(spec)
    at = np.array([0.6, 0.2, float(ground.height(0.6, 0.2))])
    found = grains_of([replace(kick(kind), place=at) for kind in (STRIKE, SCUFF)], 3, air, 3.0, ground)
    assert len(found.start_s) > 20
    np.testing.assert_allclose(found.place[:, 2], ground.height(*found.place[:, :2].T), atol=1e-9)
    for share in (0.3, 0.9, 1.0):
        ages = share * found.life_s
        places = found.place + flight(ages, found.velocity, 1.62, found.relaxation_s)
        over = places[:, 2] + found.spread[:, 2] - ground.height(*places[:, :2].T)
        assert over.min() > (-0.02 if spec.kind == "steps" else -1e-4), "but at a step's edge, between two looks"
        if share == 1.0 and air is None and spec.kind == "slope":  # a step's side is met, not lain on
            np.testing.assert_allclose(over, 0.0, atol=1e-4)


def test_level_ground_changes_no_grain():
    one, other = (grains_of([kick(STRIKE), kick(SCUFF)], 3, None, 1.0, ground) for ground in (None, make_ground(GroundSpec())))
    assert np.array_equal(one.life_s, other.life_s) and np.array_equal(one.velocity, other.velocity)


def test_a_foot_that_leaves_in_many_moments_sends_off_no_more_dust():
    whole, tenth = (len(grains_of([replace(kick(SCUFF), share=1.0 / n)] * n, 1, None).start_s) for n in (1, 10))
    assert whole == pytest.approx(tenth, rel=0.02) and whole > 1000


def test_a_slow_foot_raises_no_dust():
    assert len(grains_of([kick(SCUFF, 0.0)], 1, None).start_s) < 0.3 * len(grains_of([kick(SCUFF)], 1, None).start_s)


def test_every_stance_leaves_one_print_where_the_foot_stood():
    take = make_take(Walk(seconds=6.0))
    found = prints(take)
    strikes = int(np.sum(take.event_kind == 0))
    assert len(found) >= strikes > 4 and {one.foot for one in found} == {foot.name for foot in take.body.feet}
    for one in found:
        assert np.linalg.norm(one.ahead) == pytest.approx(1.0) and one.start_s <= one.down_s and one.pressed.any()
        assert one.place[2] == pytest.approx(0.0, abs=0.03)
    assert {kick.kind for kick in kicks(take)} <= {STRIKE, SCUFF} and len(kicks(take)) >= strikes
