# SPDX-License-Identifier: GPL-3.0-or-later
"""The pendulum on a cart: published gains, mechanics, scaling with gravity, fitting, roll-out."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lope.addon.locomotion.gait.walk.pendulum import CART_MASS_KG, Pendulum, PlaneState, fit, roll_out
from lope.addon.specs.shot import GRAVITY_RANGE_M_S2

EARTH = 9.81
PLANETS = {"moon": 1.62, "mars": 3.71, "earth": EARTH, "neptune": 11.15, "jupiter": 24.79}
# Gains on lean, cart velocity, lean rate of the lineage's pendulum (60 kg, 0.948 m), rounded to three or four digits.
FIXED = {"moon": (642, -173, 455), "mars": (1062, -173, 480), "earth": (2080, -173.2, 533), "jupiter": (4284, -173, 625)}
SIMILAR = {"moon": (344, -70.4, 217), "mars": (787, -106, 328), "earth": (2080, -173.2, 533), "jupiter": (5260, -275, 848)}


def poles(pendulum):
    """Closed-loop eigenvalues, sorted."""
    a, b = pendulum.linear()
    return np.sort(np.linalg.eigvals(a - b @ pendulum.gains[None, :]))


@pytest.mark.parametrize("planet", FIXED)
def test_gains_are_the_published_ones(planet):
    tolerance = 0.002 if planet == "earth" else 0.005
    np.testing.assert_allclose(Pendulum(PLANETS[planet], scaling="fixed").gains, FIXED[planet], rtol=tolerance)
    np.testing.assert_allclose(Pendulum(PLANETS[planet], scaling="similar").gains, SIMILAR[planet], rtol=tolerance)


def test_gains_follow_gravity():
    for scaling in ("fixed", "similar"):
        gains = np.array([Pendulum(g, scaling=scaling).gains for g in sorted(PLANETS.values())])
        assert (np.diff(gains[:, 0]) > 100.0).all()
        assert (np.diff(gains[:, 2]) > 1.0).all()


@pytest.mark.parametrize("gravity", [*GRAVITY_RANGE_M_S2, *PLANETS.values()])
def test_similar_scaling_makes_every_pole_grow_with_the_root_of_gravity(gravity):
    expected = np.sqrt(gravity / EARTH) * poles(Pendulum(EARTH))
    np.testing.assert_allclose(poles(Pendulum(gravity)), expected, rtol=1e-9)
    assert (poles(Pendulum(gravity)).real < 0.0).all()
    assert (poles(Pendulum(gravity, scaling="fixed")).real < 0.0).all()


def test_the_motion_hardly_depends_on_the_bodys_mass():
    light, heavy = poles(Pendulum(EARTH, mass_kg=15.0)), poles(Pendulum(EARTH, mass_kg=300.0))
    np.testing.assert_allclose(light[1:], heavy[1:], rtol=0.02, err_msg="the slow poles, which make the motion")
    np.testing.assert_allclose(light[0], heavy[0], rtol=0.25, err_msg="the fast pole, which is the light cart's")
    lean, cart_velocity, lean_rate = Pendulum(EARTH, mass_kg=120.0).gains / Pendulum(EARTH, mass_kg=60.0).gains
    np.testing.assert_allclose([lean, cart_velocity, lean_rate], 2.0, rtol=0.02)


@pytest.mark.parametrize("gravity", PLANETS.values())
def test_the_linear_model_is_the_slope_of_the_full_one(gravity):
    pendulum, h = Pendulum(gravity, length_m=0.9, mass_kg=75.0), 1e-6
    a, b = pendulum.linear()

    def rates(lean=0.0, lean_rate=0.0, force=0.0):
        cart, turn = pendulum.accelerations(lean, lean_rate, force)
        return np.array([lean_rate, cart, turn])

    np.testing.assert_allclose(a[:, 0], (rates(lean=h) - rates(lean=-h)) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(a[:, 2], (rates(lean_rate=h) - rates(lean_rate=-h)) / (2 * h), atol=1e-6)
    np.testing.assert_allclose(b[:, 0], (rates(force=h) - rates(force=-h)) / (2 * h), rtol=1e-6)
    assert not a[:, 1].any(), "only changes of the cart's velocity matter"


def test_without_force_energy_and_momentum_stay():
    pendulum = Pendulum(1.62)
    m, l, g, inertia = pendulum.mass_kg, pendulum.length_m, pendulum.gravity_m_s2, pendulum.inertia_kg_m2

    def rates(_, x):
        return [x[2], x[3], *pendulum.accelerations(x[1], x[3], 0.0)]

    path = solve_ivp(rates, (0.0, 2.0), [0.1, 0.3, 0.5, -0.2], rtol=1e-10, atol=1e-12).y
    _, lean, speed, rate = path
    energy = (0.5 * (CART_MASS_KG + m) * speed**2 - m * l * np.cos(lean) * speed * rate
              + 0.5 * (inertia + m * l**2) * rate**2 + m * g * l * np.cos(lean))
    momentum = (CART_MASS_KG + m) * speed - m * l * np.cos(lean) * rate
    assert np.ptp(lean) > 0.5, "it falls over"
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)
    np.testing.assert_allclose(momentum, momentum[0], rtol=1e-7)


def test_fitting_takes_the_measured_com_and_keeps_the_lean():
    rng = np.random.default_rng(1)
    pendulum = Pendulum(3.71, length_m=1.1)
    for lean, rate, com, velocity in rng.normal(size=(20, 4)) * (0.4, 1.0, 5.0, 2.0):
        fitted = fit(PlaneState(9.0, lean, 7.0, rate), com, velocity, pendulum)
        assert fitted.com(1.1) == pytest.approx(com, abs=1e-12)
        assert fitted.com_velocity(1.1) == pytest.approx(velocity, abs=1e-12)
        assert (fitted.lean, fitted.lean_rate) == (lean, rate)


def test_the_com_velocity_is_the_slope_of_the_com():
    states = roll_out(Pendulum(EARTH), PlaneState(0.2, 0.1, 0.3, -0.2), 1.0, 1e-4, 400)
    planes = [PlaneState(*row) for row in states]
    com = np.array([s.com(0.948) for s in planes])
    speed = np.array([s.com_velocity(0.948) for s in planes])
    np.testing.assert_allclose(np.diff(com) / 1e-4, 0.5 * (speed[1:] + speed[:-1]), atol=2e-3)


@pytest.mark.parametrize("scaling", ["fixed", "similar"])
@pytest.mark.parametrize("gravity", [*GRAVITY_RANGE_M_S2, 1.62, EARTH])
def test_the_roll_out_reaches_the_wanted_velocity(gravity, scaling):
    wanted = 1.2 * np.sqrt(gravity / EARTH)
    slowest = -poles(Pendulum(gravity, scaling=scaling)).real.max()
    states = roll_out(Pendulum(gravity, scaling=scaling), PlaneState(cart_velocity=0.5 * wanted), wanted, 1 / 30,
                      int(30 * 14.0 / slowest))
    assert states[-1, 2] == pytest.approx(wanted, rel=1e-3)
    np.testing.assert_allclose(states[-1, [1, 3]], 0.0, atol=1e-3)


# Start from rest to 1.2 m/s: how far the cart first goes back [m], the greatest lean [deg], the COM's time to 90 % [s].
@pytest.mark.parametrize(("planet", "back", "lean", "rise"), [
    ("earth", 0.10, 6.4, 1.6), ("mars", 0.19, 11.0, 2.4), ("moon", 0.29, 17.0, 3.5), ("jupiter", 0.06, 3.5, 1.2)])
def test_the_cart_first_goes_back_as_far_as_published(planet, back, lean, rise):
    pendulum = Pendulum(PLANETS[planet], scaling="fixed")
    states = roll_out(pendulum, PlaneState(), 1.2, 1 / 120, 1200)
    com_speed = np.array([PlaneState(*row).com_velocity(pendulum.length_m) for row in states])
    assert -states[:, 0].min() == pytest.approx(back, abs=0.006)
    assert np.degrees(-states[:, 1].min()) == pytest.approx(lean, rel=0.02), "the COM is ahead of the cart"
    assert np.argmax(com_speed > 0.9 * 1.2) / 120 == pytest.approx(rise, abs=0.06)


def test_the_integration_is_semi_implicit_and_long_steps_are_divided():
    pendulum, start, dt = Pendulum(EARTH), PlaneState(0.3, 0.05, 0.4, 0.2), 1 / 60
    force = float(pendulum.gains @ (-start.lean, 1.1 - start.cart_velocity, -start.lean_rate))
    cart, lean = pendulum.accelerations(start.lean, start.lean_rate, force)
    velocity, rate = start.cart_velocity + dt * cart, start.lean_rate + dt * lean
    one = roll_out(pendulum, start, 1.1, dt, 2)
    np.testing.assert_allclose(one[1], [start.cart + dt * velocity, start.lean + dt * rate, velocity, rate], rtol=1e-12)
    np.testing.assert_allclose(roll_out(pendulum, start, 1.1, 2 * dt, 1)[1], one[2], rtol=1e-12)
