# SPDX-License-Identifier: GPL-3.0-or-later
"""The curves of muscles and their metabolic rates beside the equations as they are printed, written out once more here."""

import math

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.muscle import Muscle, MuscleSet
from lope.addon.bodies.muscles.mechanics import (
    GEYER,
    THELEN,
    basal_w,
    by_activation_w,
    make_mechanics,
    metabolic_w,
    wang,
)
from lope.addon.bodies.muscles.sets import muscles_for, set_names, slow_share
from lope.addon.specs.shot import BodySpec
from muscle_models import leg

LENGTHS = np.linspace(0.3, 1.7, 57)
SPEEDS = np.linspace(-1.0, 1.0, 81)
STRAINS = np.linspace(-0.01, 0.06, 71)


def lee_tendon(strain):
    """Lee 2014, C.1."""
    toe = 0.609 * 0.033
    if strain <= toe:
        return 0.33 * (math.exp(3.0 * strain / toe) - 1.0) / (math.exp(3.0) - 1.0) if strain > 0.0 else 0.0
    return 1.712 / 0.033 * (strain - toe) + 0.33


def lee_passive(l):
    """Lee 2014, C.3."""
    return (math.exp(4.0 * (l - 1.0) / 0.6) - 1.0) / (math.exp(4.0) - 1.0) if l > 1.0 else 0.0


def lee_velocity(v):
    """Lee 2014, C.6 solved for force; v in l_opt/s."""
    if v <= 0.0:
        return (v + 10.0) / (10.0 - v / 0.3)
    k = 2.0 + 2.0 / 0.3
    return (1.8 * v * k + 10.0 * 0.8) / (v * k + 10.0 * 0.8)


def geyer_velocity(v):
    """Geyer 2003; v in l_opt/s, at most 12."""
    if v < 0.0:
        return (12.0 + v) / (12.0 - 5.0 * v)
    return 1.5 + 0.5 * (v - 12.0) / (7.56 * 5.0 * v + 12.0)


PRINTED = {
    "thelen": (lambda l: math.exp(-((l - 1.0) ** 2) / 0.5), lee_passive, lambda u: lee_velocity(10.0 * u), lee_tendon),
    "geyer": (lambda l: math.exp(math.log(0.05) * abs((l - 1.0) / 0.56) ** 3),
              lambda l: ((l - 1.0) / 0.56) ** 2 if l > 1.0 else 0.0, lambda u: geyer_velocity(12.0 * u),
              lambda e: (e / 0.04) ** 2 if e > 0.0 else 0.0),
}


@pytest.mark.parametrize("family, curves", [("thelen", THELEN), ("geyer", GEYER)])
def test_curves_are_those_that_are_printed(family, curves):
    for curve, printed, at in zip((curves.active, curves.passive, curves.velocity, curves.tendon), PRINTED[family],
                                  (LENGTHS, LENGTHS, SPEEDS, STRAINS), strict=True):
        assert np.abs(curve(at) - [printed(x) for x in at]).max() < 1e-9


def test_worked_numbers():
    assert THELEN.velocity(np.array([-0.5, 0.0, 1.0])) == pytest.approx([0.5 / (1.0 + 0.5 / 0.3), 1.0, 123.0 / 71.0])
    assert THELEN.tendon(np.array([0.033])) == pytest.approx([1.712 * 0.391 + 0.33])
    assert GEYER.velocity(np.array([-0.5, 1.0])) == pytest.approx([1.0 / 7.0, 1.5])
    assert GEYER.active(np.array([0.44, 1.0, 1.56])) == pytest.approx([0.05, 1.0, 0.05])
    assert GEYER.buffer(np.array([0.44, 0.3, 0.16])) == pytest.approx([0.0, 0.25, 1.0])


@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
def test_velocity_is_found_again_from_its_force(curves):
    u = np.linspace(-0.999, 0.999, 301)
    assert np.abs(curves.velocity_inverse(curves.velocity(u)) - u).max() < 1e-9
    for strength, drag in ((0.02, 0.5), (0.7, 0.01), (0.0, 0.5)):
        assert np.abs(curves.velocity_for(strength * curves.velocity(u) + drag * u, strength, drag) - u).max() < 1e-9


@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
def test_a_force_out_of_reach_takes_the_greatest_velocity(curves):
    assert curves.velocity_inverse(np.array([-2.0, 0.0, 1.0, 5.0])) == pytest.approx([-1.0, -1.0, 0.0, 1.0])
    assert curves.velocity_for(np.array([-1.0, 0.0, 1.0]), 0.0, 0.0) == pytest.approx([-1.0, 0.0, 1.0])


def test_lees_fibre_velocity_solves_the_printed_quadratic():
    """Lee 2014, C.7 with (4.8), his 0.05 in l_opt/s: the positive-going root by the formula of schools."""
    a, f1, b, big = 0.3, 0.9, 0.05, 10.0
    k = 2.0 + 2.0 / 0.3
    for force in (0.1, 0.2, 0.35, 0.6, 0.8):
        if force <= a * f1:
            middle = a * f1 + force / 0.3 + big * b
            v = (middle - math.sqrt(middle**2 - 4.0 * (b / 0.3) * big * (force - a * f1))) / (2.0 * b / 0.3)
        else:
            middle = k * (a * f1 * 1.8 - force) + big * 0.8 * b
            v = (-middle + math.sqrt(middle**2 + 4.0 * k * b * big * 0.8 * (force - a * f1))) / (2.0 * k * b)
        assert 10.0 * THELEN.velocity_for(np.array([force]), a * f1, b * big) == pytest.approx([v], rel=1e-9)


@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
def test_the_tendons_slope_is_its_own(curves):
    strains = np.linspace(0.001, 0.05, 40)
    slopes = (curves.tendon(strains + 1e-7) - curves.tendon(strains - 1e-7)) / 2e-7
    assert curves.tendon_and_slope(strains)[1] == pytest.approx(slopes, rel=2e-3)  # toe and line meet at 51.84 and 51.88


def wang_printed(mass, fibre_m, slow, u, a, l, v, tendon_n, fibre_n):
    """Wang 2012, 5.1; v in l_opt/s."""
    f_a = 40.0 * slow * math.sin(math.pi / 2.0 * u) + 133.0 * (1.0 - slow) * (1.0 - math.cos(math.pi / 2.0 * u))
    f_m = 74.0 * slow * math.sin(math.pi / 2.0 * a) + 111.0 * (1.0 - slow) * (1.0 - math.cos(math.pi / 2.0 * a))
    g = 0.5 if l < 0.5 else l if l < 1.0 else 3.0 - 2.0 * l if l < 1.5 else 0.0
    return mass * f_a + mass * g * f_m + 0.25 * tendon_n * max(0.0, -v * fibre_m) + fibre_n * max(0.0, -v * fibre_m)


def tried_states():
    """(excitation, activation, length, velocity, tendon force, contractile force) of every kind, random but always the same."""
    random = np.random.default_rng(16)
    u, a = random.uniform(0.0, 1.0, (2, 200, 7))
    u[:3], a[:2] = 0.0, 0.0
    return u, a, random.uniform(0.4, 1.7, (200, 7)), random.uniform(-9.0, 5.0, (200, 7)), *random.uniform(0.0, 4e3, (2, 200, 7))


@pytest.mark.slow
def test_metabolic_rate_is_the_one_that_is_printed():
    muscles, (u, a, l, v, tendon_n, fibre_n) = leg(), tried_states()
    rate = wang(muscles, u, a, l, v, tendon_n, fibre_n)
    for at in np.ndindex(u.shape):
        muscle = muscles.muscles[at[1]]
        mass = muscle.max_force_n / 0.25e6 * 1059.7 * muscle.optimal_fibre_m
        state = u[at], a[at], l[at], v[at], tendon_n[at], fibre_n[at]
        printed = wang_printed(mass, muscle.optimal_fibre_m, muscle.slow_share, *state)
        assert rate[at] == pytest.approx(printed, rel=1e-9, abs=1e-9)


def test_a_muscle_held_still_spends_heat_by_its_mass():
    """One kilogram, half excited, at its optimal length: 0.5 (40 + 74) sin 45 + 0.5 (133 + 111) (1 - cos 45)."""
    one = MuscleSet((Muscle("one", "", (), 0.25e6 / 1059.7 / 0.05, 0.05, 0.2, slow_share=0.5),))
    still = np.array([0.5]), np.array([0.5]), np.array([1.0]), np.zeros(1)
    assert wang(one, *still, np.ones(1), np.ones(1)) == pytest.approx([57.0 * 0.5**0.5 + 122.0 * (1.0 - 0.5**0.5)])
    assert basal_w(70.0) == pytest.approx(105.7)


@pytest.mark.parametrize("shortening_l_opt_s", [-2.0, 0.0, 3.0])
def test_what_activations_spend_is_near_a_line_and_a_square(shortening_l_opt_s):
    muscles, most_n = leg(), leg().max_force_n
    line_w, square_w = by_activation_w(muscles, most_n, shortening_l_opt_s * muscles.optimal_fibre_m)
    scale = wang(muscles, *np.ones((2, 7)), np.ones(7), np.full(7, -shortening_l_opt_s), most_n, most_n)
    for share in np.linspace(0.0, 1.0, 11):
        a = np.full(7, share)
        rate = wang(muscles, a, a, np.ones(7), np.full(7, -shortening_l_opt_s), share * most_n, share * most_n)
        np.testing.assert_array_less(np.abs(line_w * a + square_w * a**2 - rate), 0.35 * scale if share > 0.6 else 0.06 * scale)


def test_the_rate_of_mechanics_is_that_of_their_state():
    muscles = leg()
    mechanics = make_mechanics(muscles)
    path = muscles.optimal_fibre_m + muscles.tendon_slack_m
    mechanics.reset(path)
    mechanics.step(np.full(7, 0.8), path, np.full(7, -0.05), 0.01)
    rate = metabolic_w(mechanics, np.full(7, 0.8))
    assert rate == pytest.approx(wang(muscles, np.full(7, 0.8), mechanics.activation, mechanics.fibre_length,
                                         mechanics.fibre_velocity, mechanics.force_n, mechanics.contractile_n))
    assert mechanics.contractile_n == pytest.approx(mechanics.force_n / np.cos(np.arcsin(
        np.sin(muscles.pennation_rad) / mechanics.fibre_length)) - muscles.max_force_n * (
            THELEN.passive(mechanics.fibre_length) + 0.005 * mechanics.fibre_velocity))


def test_slow_fibres_go_by_the_muscles_name():
    names = "soleus_L", "gluteus_medius_anterior_R", "biceps_femoris_short", "iliacus_L", "solea"
    assert [slow_share(name) for name in names] == [0.803, 0.55, 0.529, 0.5, 0.5]


@pytest.mark.slow
def test_muscles_of_the_legs_that_ship_weigh_what_people_s_do():
    """Handsfield et al. 2014: a leg's muscles have 47 cm3 to the kilogram and metre of the body, and 1290 cm3."""
    body = make_body(BodySpec(height_m=1.75, mass_kg=75.0))
    people = 2.0 * (47.05 * 75.0 * 1.75 + 1289.6) * 1e-6 * 1059.7
    for name in set_names():
        muscles = muscles_for(body, name)
        trunk = "trunk", "neck", "shoulder", "elbow"
        legs = sum(mass for mass, muscle in zip(muscles.mass_kg, muscles, strict=True) if not muscle.group.startswith(trunk))
        assert legs == pytest.approx(people, rel=0.1)
