# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions on bodies and muscles: forces, slack lengths, pain, joints out of place, months without gravity."""

import numpy as np
import pytest

from lope.addon.bodies.body import Body
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.muscle import Muscle, MuscleSet
from lope.addon.bodies.muscles.conditioned import conditioned, course, left_of_force, pain_weights
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.muscles.sets import muscles_for
from lope.addon.bodies.of_shot import displaced, muscles_of
from lope.addon.errors import BodyError, InputError
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import Gait
from lope.addon.specs.muscles import Actuation, Change, Condition, composed, load_condition
from lope.addon.specs.shot import BodySpec, Shot

pytestmark = pytest.mark.slow

BODY = make_body(BodySpec())
LEGS = muscles_for(BODY, "legs")


def factors(condition):
    changed = conditioned(LEGS, condition)
    return changed.max_force_n / LEGS.max_force_n, changed.tendon_slack_m / LEGS.tendon_slack_m


def test_a_condition_that_changes_nothing_leaves_the_set():
    assert conditioned(LEGS, None) is LEGS and conditioned(LEGS, Condition("well")) is LEGS


def test_one_weak_ankle_is_weak_on_its_side_alone():
    force, slack = factors(load_condition("weak_ankle"))
    left, right = LEGS.rows("plantar_flexors", "L"), LEGS.rows("plantar_flexors", "R")
    np.testing.assert_allclose(force[left], 0.1)
    np.testing.assert_array_equal(force[right], 1.0)
    np.testing.assert_array_equal(slack, 1.0)


def test_the_beginning_or_the_end_of_a_name_means_a_muscle_s_parts_and_those_that_hold_it():
    names = ("gluteus_medius_anterior", "gluteus_medius_posterior", "gluteus_maximus", "iliopsoas")
    parts = MuscleSet(tuple(Muscle(f"{name}_{side}", side, (), 100.0, 0.1, 0.1) for name in names for side in "LR"))

    def weak(target, side):
        force = conditioned(parts, Condition("weak", (Change("weak", target, side, 0.4),))).max_force_n
        return [name for name, newtons in zip(parts.names, force, strict=True) if newtons == 40.0]

    assert weak("gluteus_medius", "L") == ["gluteus_medius_anterior_L", "gluteus_medius_posterior_L"]
    assert weak("psoas", "both") == ["iliopsoas_L", "iliopsoas_R"]


def test_conditions_compose_by_their_factors():
    force, slack = factors(composed([load_condition("crouch"), load_condition("flexed_knee")], [
        Change("tight", "hamstrings", "R", 0.9)]))
    np.testing.assert_allclose(force[LEGS.rows("plantar_flexors")], 0.04)
    np.testing.assert_allclose(slack[LEGS.rows("hamstrings", "R")], 0.72)
    np.testing.assert_allclose(slack[LEGS.rows("hamstrings", "L")], 0.8)


def test_a_target_that_no_muscle_has_names_the_nearest():
    with pytest.raises(InputError, match="no group of muscles named 'hamstring'. Nearest: hamstrings"):
        conditioned(LEGS, Condition("sore", (Change("weak", "hamstring", "L", 0.5),)))
    with pytest.raises(InputError, match=r"named 'calf'. Nearest: plantar_flexors, \w+, \w+. All of them: lope presets muscles"):
        conditioned(LEGS, Condition("sore", (Change("weak", "calf", "L", 0.5),)))
    with pytest.raises(InputError, match="no group of muscles named 'soleuss'. Nearest: soleus,"):
        pain_weights(LEGS, Condition("sore", (Change("pain", "soleuss", "L", 5.0),)))


def test_muscles_that_only_another_set_has_are_said_to_be_there():
    for target in ("elbow_flexors", "biceps_brachii"):
        with pytest.raises(InputError, match=f"have no {target}, which the set full has: choose that one"):
            conditioned(LEGS, Condition("weak arm", (Change("weak", target, "L", 0.3),)))


def test_pain_is_of_muscles_and_of_feet_and_adds_up():
    calf, limb = load_condition("painful_calf"), load_condition("painful_limb")
    pain = pain_weights(LEGS, composed([calf, limb, limb]))
    sore = LEGS.rows("plantar_flexors", "L")
    assert (pain.muscle[sore] == calf.changes[0].value).all() and pain.muscle.sum() == pain.muscle[sore].sum()
    assert pain.foot == {"L": 2.0 * limb.changes[0].value, "R": 0.0}
    assert not pain_weights(LEGS, None).any


def test_a_dislocated_hip_lies_further_out_with_all_that_hangs_on_it():
    moved = displaced(BODY, load_condition("dislocated_hip"))
    step = moved.segment("thigh_L").offset - BODY.segment("thigh_L").offset
    np.testing.assert_allclose(step, [0.0, 0.03, 0.0], atol=1e-12)
    for name in ("thigh_R", "shank_L", "foot_L"):
        np.testing.assert_array_equal(moved.segment(name).offset, BODY.segment(name).offset)
    assert moved.mass_kg == BODY.mass_kg and moved.kind == BODY.kind


def test_muscles_keep_their_places_over_a_dislocated_hip_and_abductors_are_stretched():
    moved = displaced(BODY, load_condition("dislocated_hip"))
    lengths = []
    for body in (BODY, moved):
        paths = PathKinematics(body, LEGS)
        paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
        lengths.append(paths.length_m.copy())
    left, right = LEGS.rows("hip_abductors", "L"), LEGS.rows("hip_abductors", "R")
    np.testing.assert_allclose(lengths[1][right], lengths[0][right], atol=1e-9)
    assert (lengths[1][left] - lengths[0][left]).max() > 0.005


def test_a_shot_lays_its_muscles_on_joints_in_their_places():
    shot = Shot(motion=Gait(controller="limp"), actuation=Actuation(), condition=load_condition("dislocated_hip"))
    laid = muscles_of(shot, displaced(BODY, shot.condition))
    np.testing.assert_allclose(laid.tendon_slack_m, LEGS.tendon_slack_m, rtol=1e-12)
    simulation = Simulation(shot)
    assert simulation.body.segment("thigh_L").offset[1] - BODY.segment("thigh_L").offset[1] == pytest.approx(0.03)


def test_a_body_without_that_joint_is_refused():
    with pytest.raises(BodyError, match="no hip on the side 'L'"):
        displaced(Body(BODY.segments, kind="legless"), load_condition("dislocated_hip"))


def test_months_without_gravity_take_what_was_measured():
    assert course(0.0) == 0.0 and course(90.0 / 30.4) == pytest.approx(1.0)
    assert course(4.0) == pytest.approx(course(36.0), rel=0.01)
    assert left_of_force(["plantar_flexors", "knee_flexors"], 90.0 / 30.4) == pytest.approx(52.9 / 72.5)
    assert left_of_force(["hip_extensors"], 12.0) == pytest.approx(1.0 - 0.16)
    assert left_of_force(["hip_abductors"], 12.0) == 1.0
    lost = [1.0 - left_of_force(["knee_extensors"], days / 30.4) for days in (5, 10, 14, 56)]
    np.testing.assert_allclose(lost, [0.0635, 0.145, 0.145, 0.205], atol=0.03)


def test_months_weaken_calves_most_and_leave_abductors():
    force, slack = factors(Condition("back from orbit", (Change("unloaded", "body", "both", 6.0),)))
    assert force[LEGS.rows("plantar_flexors")].max() < 0.75 and (slack == 1.0).all()
    assert force[LEGS.rows("dorsiflexors")].min() > 0.9
