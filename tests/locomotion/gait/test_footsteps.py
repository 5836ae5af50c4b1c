# SPDX-License-Identifier: GPL-3.0-or-later
"""Foot placement: reach, the capture point's bookkeeping, corrections and timing, mirror images and turns."""

import cmath
import math

import numpy as np
import pytest

from lope.addon.locomotion.gait.walk.footsteps import (
    PREVIEW_STEPS,
    NextLanding,
    StepPlanner,
    StepSettings,
    double_factor,
    heading_vector,
    start_fraction,
    step_geometry,
)
from lope.addon.locomotion.legged.capture import Piece, backward, forward, remaining
from lope.addon.locomotion.legged.foot_path import FootGeometry
from planner_kit import BODY, GRAVITIES, MOON_G, gait_at, rhythm_at, tables

LEG = BODY.leg_length_m
SETTINGS = StepSettings()
GEOMETRY = FootGeometry(BODY, "L")
STEPS = StepPlanner(SETTINGS, LEG, GEOMETRY.heel_x, GEOMETRY.ball_x, GEOMETRY.tip_x)


class Step:
    """A step of the steady walk: the foot on `side` stands at `stance`, the other will land at `nominal`."""

    def __init__(self, gravity=9.81, side=1, heading=0.0, elapsed=0.35, stance=0.4 + 0.1j):
        gait, rhythm = gait_at(gravity), rhythm_at(gravity)
        self.side, self.heading, self.stance = side, heading_vector(heading), stance
        self.omega = math.sqrt(gravity / tables().com_height_mean_m)
        self.times = rhythm.stance_times("L")
        self.length, width = 0.5 * gait.stride_length_m, tables().width_m
        self.nominal = stance + self.heading * complex(self.length, -side * width)
        rear = stance - self.heading * complex(self.length, side * width)
        end = STEPS.cop_places(stance, side, self.heading)[-1]
        self.geometry = step_geometry([complex(self.length)] * PREVIEW_STEPS, -side, width)
        self.landing = STEPS.touch_down_capture(end, self.nominal, self.geometry, self.heading, self.omega, self.times)
        previous = STEPS.cop_places(rear, -side, self.heading)[-1]
        self.whole = STEPS.pieces(previous, stance, side, self.heading, self.times)
        self.pieces = remaining(self.whole, elapsed * sum(self.times))
        self.capture = backward(self.landing, self.pieces, self.omega)
        self.end = end

    def place(self, error=0j, fastest=3.5):
        """Landing place and factor on the phase rate for a capture point that is off by `error`, forward + i left."""
        return STEPS.place(self.capture + self.heading * error, self.pieces, self.omega, NextLanding(
            self.landing, self.nominal, self.stance, -self.side, self.heading, self.nominal - 0.3 * LEG * self.heading, 0j,
            self.times.double, fastest))


def test_a_landing_stays_within_the_leg_of_its_hip():
    hip, radius = 0.2 + 0.1j, SETTINGS.reach_radius * LEG
    for place in (0.7 + 0.5j, 0.6 + 0.1j, 0.3 + 0.2j):
        near, free = STEPS.clamp(place, 0j, 1, 1 + 0j, hip), STEPS.clamp(place, 0j, 1, 1 + 0j)
        assert abs(near - hip) <= radius + 1e-9
        assert near == pytest.approx(hip + (free - hip) * min(1.0, radius / abs(free - hip)), abs=1e-9)


def test_what_is_within_reach_stays_and_the_rest_comes_to_its_edge():
    rng = np.random.default_rng(4)
    for x, y, heading in rng.uniform(-2.0, 2.0, size=(200, 3)):
        for side in (1, -1):
            turn = heading_vector(heading)
            place = STEPS.clamp(complex(x, y), 0.3 - 0.2j, side, turn)
            local = (place - (0.3 - 0.2j)) / turn
            assert -SETTINGS.reach_backward * LEG - 1e-9 <= local.real <= SETTINGS.reach_forward * LEG + 1e-9
            assert SETTINGS.reach_crossing * LEG - 1e-9 <= side * local.imag <= SETTINGS.reach_outward * LEG + 1e-9
            if abs(local.real) < SETTINGS.crossing_forward * LEG - 1e-9:
                assert side * local.imag >= SETTINGS.reach_inward * LEG - 1e-9, "legs cross well in front or behind"
            assert STEPS.clamp(place, 0.3 - 0.2j, side, turn) == pytest.approx(place, abs=1e-12)
            assert abs(place - complex(x, y)) < 1e-12 or place != complex(x, y)
    inside = 0.3 - 0.2j + complex(0.2 * LEG, 0.3 * LEG)
    assert STEPS.clamp(inside, 0.3 - 0.2j, 1, 1 + 0j) == pytest.approx(inside, abs=1e-12)


def test_the_reach_of_both_legs_is_mirrored():
    for x, y in np.random.default_rng(5).uniform(-1.5, 1.5, size=(100, 2)):
        left = STEPS.clamp(complex(x, y), 0.1 + 0.2j, 1, heading_vector(0.3))
        right = STEPS.clamp(complex(x, -y), 0.1 - 0.2j, -1, heading_vector(-0.3))
        assert right == pytest.approx(left.conjugate(), abs=1e-12)


def test_the_coming_steps_alternate_and_are_a_width_apart():
    geometry = step_geometry([complex(d) for d in (0.6, 0.7, 0.8, 0.9, 1.0)], 1, 0.12)
    assert geometry.sides == (-1, 1, -1, 1)
    assert geometry.displacements == (0.6 - 0.12j, 0.7 + 0.12j, 0.8 - 0.12j, 0.9 + 0.12j)


@pytest.mark.parametrize("side", [1, -1])
def test_the_centre_of_pressure_rolls_forward_under_the_foot(side):
    begin, ball, toe = STEPS.cop_places(0.2 + 0.1j, side, 1 + 0j)
    assert GEOMETRY.heel_x + 0.2 < begin.real < ball.real < toe.real < GEOMETRY.tip_x + 0.2
    assert all(0.0 < side * (p.imag - 0.1) < 0.03 * LEG for p in (begin, ball, toe)), "along the outer foot"
    step = Step(side=side)
    assert step.whole[0].end == step.whole[1].start and step.whole[1].end == step.whole[2].start
    assert [p.duration_s for p in step.whole] == list(step.times)


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_the_landing_capture_point_of_a_steady_walk_is_a_fixed_point(gravity):
    here, there = Step(gravity), None
    there = Step(gravity, side=-1, stance=here.nominal)
    start = backward(there.landing, there.whole, there.omega)
    assert start == pytest.approx(here.landing, abs=1e-3), "the next step takes over where this one ends"
    assert (there.landing - here.landing).real == pytest.approx(here.length, abs=1e-3)
    mean = 0.5 * (there.landing + here.landing).imag
    assert mean == pytest.approx(0.5 * (here.stance + here.nominal).imag, abs=1e-3)


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_a_moved_foot_takes_the_capture_point_with_it_but_for_the_share_of_the_old_one(gravity):
    step, move = Step(gravity), 0.11 - 0.07j
    moved = STEPS.touch_down_capture(step.end, step.nominal + move, step.geometry, step.heading, step.omega, step.times)
    share = start_fraction(step.omega, step.times.double)
    assert 0.0 < share < 0.5
    assert moved - step.landing == pytest.approx((1.0 - share) * move, abs=1e-12)
    held = STEPS.touch_down_capture(step.end + move, step.nominal, step.geometry, step.heading, step.omega, step.times)
    assert held - step.landing == pytest.approx(share * move, abs=1e-12)
    assert start_fraction(step.omega, 0.0) == 0.0


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("heading", [0.0, 2.0])
def test_as_planned_the_foot_goes_to_its_nominal_place_at_its_own_rate(gravity, side, heading):
    step = Step(gravity, side, heading)
    place, factor = step.place()
    assert place == pytest.approx(step.nominal, abs=1e-9)
    assert factor == 1.0


@pytest.mark.parametrize("error", [0.02j, -0.02j, 0.015, -0.03])
@pytest.mark.parametrize("side", [1, -1])
def test_an_error_moves_the_foot_to_its_side_so_that_the_next_step_is_as_planned(error, side):
    step = Step(side=side)
    place, factor = step.place(error)
    moved = place - step.nominal
    assert (moved * error.conjugate()).real > 0.0
    assert abs((moved * (1j * error).conjugate()).real) < 1e-9, "and nowhere else"
    assert factor == 1.0
    end = step.capture + error
    for piece in step.pieces:
        end = forward(end, piece, step.omega, piece.duration_s)
    wanted = STEPS.touch_down_capture(step.end, place, step.geometry, step.heading, step.omega, step.times)
    assert end == pytest.approx(wanted, abs=1e-9)


def test_the_longer_the_way_to_the_strike_the_more_an_error_grows():
    shifts = [abs(step.place(0.02j)[0] - step.nominal) for step in (Step(elapsed=e, side=-1) for e in (0.3, 0.5, 0.7, 0.9))]
    assert shifts == sorted(shifts, reverse=True)


@pytest.mark.parametrize("side", [1, -1])
def test_a_raised_rate_where_the_foot_cannot_reach_and_never_above_the_fastest(side):
    step = Step(side=side)
    outwards = 1j * side  # over the stance foot's outer edge: the swing leg would have to cross far
    slow = [step.place(a * outwards, 3.5)[1] for a in (0.0, 0.01, 0.02)]
    fast = [step.place(a * outwards, 3.5)[1] for a in (0.12, 0.2, 0.3)]
    assert slow == [1.0] * 3
    assert min(fast) > 1.0
    for fastest in (0.5, 1.0, 1.2, 1.6, 2.5):
        place, factor = step.place(0.3 * outwards, fastest)
        assert factor <= max(fastest, 1.0)
        assert STEPS.clamp(place, step.stance, -side, step.heading) == pytest.approx(place, abs=1e-12)


def test_mirrored_and_turned_walkers_place_mirrored_and_turned_feet():
    for x, y in np.random.default_rng(6).normal(size=(30, 2)) * 0.08:
        place, factor = Step(side=1).place(complex(x, y))
        other, other_factor = Step(side=-1, stance=0.4 - 0.1j).place(complex(x, -y))
        assert (other, other_factor) == (pytest.approx(place.conjugate(), abs=1e-9), factor)
        turn = cmath.exp(0.9j)
        turned, turned_factor = Step(side=1, heading=0.9, stance=turn * (0.4 + 0.1j)).place(complex(x, y))
        assert (turned, turned_factor) == (pytest.approx(turn * place, abs=1e-9), factor)


def test_the_same_walk_on_the_moon_is_slower_and_not_wider():
    for error in (0j, 0.03j, -0.05 + 0.02j):
        earth, moon = Step(), Step(MOON_G)
        assert moon.place(error) == (pytest.approx(earth.place(error)[0], abs=1e-9), earth.place(error)[1])


def test_the_centre_of_pressure_moves_with_the_error_and_stays_under_the_foot():
    turn, side = heading_vector(1.1), 1
    assert STEPS.cop_shift(0.01 * turn, turn, side) / turn == pytest.approx(0.01 * SETTINGS.cop_gain)
    assert STEPS.cop_shift(0.01j * turn, turn, side) / turn == pytest.approx(0.01j * SETTINGS.cop_gain)
    for far in (-5 + 5j, -5 - 5j):
        place = STEPS.cop_shift(far * turn, turn, side) / turn + 1j * SETTINGS.cop_outward * LEG
        ahead, aside = -SETTINGS.cop_forward_limit, math.copysign(SETTINGS.cop_lateral_limit, far.imag)
        assert place == pytest.approx(complex(ahead, aside) * LEG)


def test_a_raised_phase_rate_shortens_the_pieces_the_double_support_most():
    pieces = [Piece(0j, 0.1, 0.1), Piece(0.1, 0.2, 0.3), Piece(0.2, 0.3, 0.2)]
    assert STEPS.retimed(pieces, 1.0) == pieces
    quick = STEPS.retimed(pieces, 1.5)
    double = double_factor(1.5, SETTINGS.double_support_timing)
    assert [p.duration_s for p in quick] == pytest.approx([0.1 / double, 0.2, 0.2 / 1.5])
    assert [(p.start, p.end) for p in quick] == [(p.start, p.end) for p in pieces]
    assert [p.duration_s for p in STEPS.retimed(pieces[1:], 1.5)] == pytest.approx([0.2, 0.2 / 1.5]), "one foot already"
    assert double_factor(1.0, 2.0) == 1.0 and double_factor(1.5, 2.0) == 2.0
