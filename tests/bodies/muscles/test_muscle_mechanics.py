# SPDX-License-Identifier: GPL-3.0-or-later
"""What muscles pull with: tendons of either kind, activation, energy, steps of a simulation's length."""

import dataclasses

import numpy as np
import pytest

from lope.addon.bodies.muscle import Muscle, MuscleSet
from lope.addon.bodies.muscles.mechanics import EQUAL, GEYER, KINDS, THELEN, UNEQUAL, Activation, make_mechanics
from lope.addon.errors import InputError
from muscle_models import leg

IN_NO_TIME = Activation(1e-9, 1e-9)


def lengths(muscles: MuscleSet, strain: float = 0.02) -> np.ndarray:
    """Paths of fibres at their optimal length and a tendon that is stretched a little."""
    return muscles.optimal_fibre_m * np.cos(muscles.pennation_rad) + muscles.tendon_slack_m * (1.0 + strain)


@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
@pytest.mark.parametrize("tendon", KINDS)
@pytest.mark.parametrize("activation", [0.02, 0.3, 1.0])
def test_muscles_at_rest_start_without_a_jerk(curves, tendon, activation):
    muscles = leg()
    mechanics = make_mechanics(muscles, tendon, curves)
    started = mechanics.reset(lengths(muscles), activation)
    held = [mechanics.step(np.full(7, activation), lengths(muscles), np.zeros(7), 0.001) for _ in range(20)]
    assert (started > 0.0).all()
    assert np.abs(np.array(held) - started).max() < 1e-6 * muscles.max_force_n.max()


@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
@pytest.mark.parametrize("tendon", KINDS)
def test_muscles_that_move_start_without_a_jerk(curves, tendon):
    """A start in mid motion is no start from rest: tendons would first be stretched by what the fibres are late."""
    muscles = leg()
    mechanics = make_mechanics(muscles, tendon, curves)
    rate = np.linspace(-1.5, 1.5, 7) * muscles.optimal_fibre_m
    path = lengths(muscles)
    started = mechanics.reset(path, 0.3, rate)
    held = [mechanics.step(np.full(7, 0.3), path + 5e-4 * step * rate, rate, 5e-4) for step in range(1, 11)]
    assert np.abs(np.array(held) - started).max() < 0.06 * muscles.max_force_n.max()
    from_rest = mechanics.reset(path, 0.3)
    assert np.abs(from_rest - started).max() > 0.06 * muscles.max_force_n.max()


@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
def test_tendons_that_hardly_give_pull_as_rigid_ones(curves):
    muscles = leg()
    curves = dataclasses.replace(curves, tendon_strain=2.5e-4)
    rigid, elastic = (make_mechanics(muscles, tendon, curves, IN_NO_TIME) for tendon in ("rigid", "elastic"))
    path, dt, fastest = lengths(muscles, 0.0), 1e-3, 0.0
    rigid.reset(path, 0.4), elastic.reset(path, 0.4)
    for step in range(1, 1000):
        swing = 0.1 * (1.0 - np.cos(0.005 * step)) * muscles.optimal_fibre_m
        rate = 0.1 * 5.0 * np.sin(0.005 * step) * muscles.optimal_fibre_m
        both = [mechanics.step(np.full(7, 0.4), path + swing, rate, dt) for mechanics in (rigid, elastic)]
        off = np.abs(both[0] - both[1]) / muscles.max_force_n
        assert off.max() < 0.01, step
        fastest = max(fastest, np.abs(rigid.fibre_velocity).max())
    assert fastest > 0.3


def swung(mechanics, activation, dt=2.5e-4, period=0.5, reach=0.15):
    """Paths (T, M) that go round twice, forces, fibre lengths; the second time round alone, where all begin as they end."""
    path, kept = lengths(mechanics.muscles), []
    mechanics.reset(path, activation)
    for step in range(int(2 * period / dt) + 1):
        phase = 2.0 * np.pi * step * dt / period
        at = path + reach * mechanics.muscles.optimal_fibre_m * np.sin(phase)
        rate = reach * mechanics.muscles.optimal_fibre_m * np.cos(phase) * 2.0 * np.pi / period
        kept.append((at, mechanics.step(np.full(7, activation), at, rate, dt).copy(), mechanics.fibre_length.copy()))
    return [np.array(x)[len(kept) // 2:] for x in zip(*kept, strict=True)]


def work(force, path):
    """What is done on whatever is lengthened so (M,) [J]."""
    return (0.5 * (force[1:] + force[:-1]) * np.diff(path, axis=0)).sum(axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
@pytest.mark.parametrize("tendon", KINDS)
@pytest.mark.parametrize("activation", [0.05, 0.6])
def test_a_closed_cycle_at_constant_activation_makes_no_energy(curves, tendon, activation):
    mechanics = make_mechanics(leg(), tendon, curves)
    path, force, _ = swung(mechanics, activation)
    assert (work(force, path) > 0.0).all()  # done on the muscles, which have nothing more at the end than at the beginning
    slow_path, slow_force, _ = swung(mechanics, activation, dt=0.02, period=40.0)
    assert (np.abs(work(slow_force, slow_path)) < 0.15 * work(force, path)).all()  # it was the velocity's: slowly there is none


@pytest.mark.slow
@pytest.mark.parametrize("curves", (THELEN, GEYER), ids=["thelen", "geyer"])
def test_a_tendon_gives_back_all_that_it_took_and_pennate_fibres_lose_nothing(curves):
    mechanics = make_mechanics(leg(), "elastic", curves)
    path, force, fibre = swung(mechanics, 0.5, dt=2.5e-4)
    thickness = np.sin(mechanics.muscles.pennation_rad)
    by_fibre = work(force / np.sqrt(1.0 - (thickness / fibre) ** 2), fibre * mechanics.muscles.optimal_fibre_m)
    assert work(force, path) == pytest.approx(by_fibre, rel=4e-3)


def test_a_short_tendon_does_not_ring_at_a_simulations_step():
    """The shortest tendons beside their fibres that gait2392 has, at steps that are far too long for an explicit one."""
    short = MuscleSet(tuple(Muscle(name, "", (), force, fibre, slack) for name, force, fibre, slack in (
        ("adductor_brevis", 429.0, 0.133, 0.020), ("gluteus_minimus", 270.0, 0.068, 0.016), ("obliquus", 900.0, 0.12, 0.001))))
    for curves in (THELEN, GEYER):
        mechanics = make_mechanics(short, "elastic", curves, IN_NO_TIME)
        path = lengths(short)
        mechanics.reset(path)
        forces = np.array([mechanics.step(np.full(3, 0.0 if step < 50 else 0.7), path - 3e-4 * step * short.optimal_fibre_m,
                                          path, 0.001).copy() for step in range(200)])
        rises = np.diff(forces / short.max_force_n, axis=0)
        assert forces[90:].min() > 0.3 * short.max_force_n.min() and np.abs(forces / short.max_force_n).max() < 1.0
        assert np.abs(rises[90:]).max() < 0.002


def test_a_batch_of_bodies_is_as_each_of_them_alone():
    muscles = leg()
    path = lengths(muscles) * np.linspace(0.98, 1.03, 12).reshape(4, 3, 1)
    drive = np.linspace(0.0, 1.0, 84).reshape(4, 3, 7)
    for tendon in KINDS:
        all_of_them, alone = make_mechanics(muscles, tendon), make_mechanics(muscles, tendon)
        all_of_them.reset(path), alone.reset(path[2, 1])
        for _ in range(5):
            together = all_of_them.step(drive, path, 0.1 * path, 0.001)
            assert alone.step(drive[2, 1], path[2, 1], 0.1 * path[2, 1], 0.001) == pytest.approx(together[2, 1], rel=1e-12)
        assert together.shape == all_of_them.fibre_length.shape == all_of_them.contractile_n.shape == (4, 3, 7)


def test_force_is_linear_in_activation_for_whoever_chooses_it():
    muscles = leg()
    mechanics = make_mechanics(muscles, "rigid", THELEN, IN_NO_TIME)
    path, rate = lengths(muscles, 0.01), np.linspace(-0.3, 0.3, 7)
    active, passive = mechanics.by_activation(path, rate)
    for activation in (0.2, 0.9):
        assert mechanics.step(np.full(7, activation), path, rate, 0.001) == pytest.approx(
            np.maximum(activation * active + passive, 0.0), rel=1e-12)


def test_damping_is_the_slope_of_force_over_the_paths_rate():
    muscles = leg()
    for curves in (THELEN, GEYER):
        mechanics = make_mechanics(muscles, "rigid", curves, IN_NO_TIME)
        path, rate = lengths(muscles), np.array([-0.1, 0.1, 0.2, -0.2, 0.3, 0.05, -0.02])
        more, less = (mechanics.step(np.full(7, 0.5), path, rate + by, 0.001) for by in (1e-7, -1e-7))
        mechanics.step(np.full(7, 0.5), path, rate, 0.001)
        assert mechanics.damping_n_s_m == pytest.approx((more - less) / 2e-7, rel=1e-5)


def test_activation_follows_excitation_by_its_own_times():
    steps = [UNEQUAL.step(np.array([0.0, 1.0]), np.array([1.0, 0.0]), 0.01),
             EQUAL.step(np.array([0.5, 0.5]), np.array([2.0, 0.0]), 0.01)]
    assert steps[0] == pytest.approx([1.0 - np.exp(-1.0), np.exp(-0.25)], rel=1e-12)
    assert steps[1] == pytest.approx([1.0 - 0.5 * np.exp(-1.0), 0.01 + 0.49 * np.exp(-1.0)], rel=1e-12)
    halves = UNEQUAL.step(UNEQUAL.step(np.array([0.2]), np.array([0.8]), 0.004), np.array([0.8]), 0.006)
    assert halves == pytest.approx(UNEQUAL.step(np.array([0.2]), np.array([0.8]), 0.01), rel=1e-12)


def test_what_a_set_has_not_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="There is no muscle group named 'solaeus'. Did you mean 'soleus_L'"):
        leg().rows("solaeus")
    with pytest.raises(InputError, match="more than once"):
        MuscleSet((*leg().muscles, leg().muscles[0]))
    with pytest.raises(InputError, match="kind of tendon named 'stiff'"):
        make_mechanics(leg(), "stiff")
