# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan of a body in a condition does otherwise: by how much strength is left, and on which side."""

import math

import numpy as np
import pytest

from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.of_shot import ability_of, displaced, muscles_of
from lope.addon.locomotion.gait.shot_gait import DROP_DEG, MOST_CROUCH, Compensation, body_cycle, compensation_of
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.locomotion.qp.muscle_program import EffortSettings
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.cycle import pose
from lope.addon.motions.library import load_gait
from lope.addon.motions.style import compensating
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.muscles import Actuation, Condition, load_condition, mirrored
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

BODY = make_body(BodySpec())
WALK = load_gait("walk").symmetrised()
NOTHING = {"L": 0.0, "R": 0.0}


def shot_in(name, change=lambda condition: condition):
    return Shot(actuation=Actuation(), condition=change(load_condition(name)))


def test_healthy_bodies_and_those_that_torques_move_compensate_nothing():
    assert compensation_of(Shot(actuation=Actuation()), BODY) == compensation_of(Shot(), BODY) == Compensation()


def test_the_pelvis_drops_beside_the_weak_hip_alone_and_the_more_the_weaker():
    one, both = (compensation_of(shot_in(name), BODY) for name in ("trendelenburg", "waddle"))
    assert one.drop_rad["R"] == 0.0 and both.drop_rad["L"] == pytest.approx(both.drop_rad["R"])
    assert math.radians(DROP_DEG) > one.drop_rad["L"] > both.drop_rad["L"] > math.radians(3.0)
    other = compensation_of(shot_in("trendelenburg", mirrored), BODY)
    assert other.drop_rad["R"] == pytest.approx(one.drop_rad["L"]) and other.drop_rad["L"] == 0.0


def test_a_dislocated_hip_is_a_weak_one_whose_lever_is_longer():
    shot = shot_in("dislocated_hip")
    ability = ability_of(shot, displaced(BODY, shot.condition))
    assert ability.abduction["L"] < 0.8 and ability.abduction["R"] == pytest.approx(1.0)


def test_knees_stay_bent_over_weak_calves_and_more_over_short_hamstrings():
    flexed, crouch = (compensation_of(shot_in(name), BODY).crouch_m for name in ("flexed_knee", "crouch"))
    assert 0.005 < flexed < crouch <= MOST_CROUCH * BODY.leg_length_m
    assert compensation_of(shot_in("weak_ankle"), BODY).crouch_m == 0.0


def test_knees_bend_for_short_hamstrings_as_far_as_their_fibres_do_not_give():
    shot = shot_in("crouch")
    left = muscles_of(shot, BODY)
    rows = left.rows("hamstrings", "L")
    shorter_m = left.tendon_slack_m[rows] * (1.0 / 0.8 - 1.0)
    assert left.give[rows].max() > 1.5
    assert ability_of(shot, BODY).short_m == pytest.approx((shorter_m / left.give[rows]).mean())
    knee_rad = 2.0 * math.acos(1.0 - compensation_of(shot, BODY).crouch_m / BODY.leg_length_m)
    assert 30.0 < math.degrees(knee_rad) < 50.0


def test_who_is_weak_or_sore_goes_slower():
    for name in ("weak_ankle", "crouch", "trendelenburg", "painful_limb"):
        assert 0.7 < compensation_of(shot_in(name), BODY).pace < 0.95, name


def test_the_cycle_drops_its_pelvis_and_leans_over_the_standing_leg_with_the_head_upright():
    drop, lean = math.radians(6.0), math.radians(8.0)
    moved = compensating(WALK, BODY, {"L": drop, "R": 0.0}, {"L": lean, "R": 0.0})

    def rolls(cycle, phase):
        """How far the left side of pelvis, chest and head is up [rad]."""
        _, turns = segment_poses(BODY, *pose(cycle.evaluate(np.array([phase])), BODY))
        return np.array([math.asin(matrix_from_quat(turns[0, BODY.index[name]])[2, 1]) for name in ("pelvis", "chest", "head")])

    left = 0.5 * (WALK.contact_phases["R"].toe_off + WALK.contact_phases["R"].strike)
    np.testing.assert_allclose(rolls(moved, left) - rolls(WALK, left), [drop, -lean, 0.0], atol=0.02)
    right = (left + 0.5) % 1.0
    np.testing.assert_allclose(rolls(moved, right) - rolls(WALK, right), 0.0, atol=0.01)
    assert compensating(WALK, BODY, NOTHING, NOTHING) is WALK


def test_where_gravity_is_low_the_pelvis_goes_over_the_standing_leg_as_far_as_the_carriage_has_it():
    def sway_cm(world, carriage=1.0):
        motion = Gait("walk", law=PEOPLE, style=Style(carriage=carriage))
        tables = GaitTables(body_cycle(Shot(world=load_world(world), motion=motion), BODY), BODY)
        return 100.0 * np.ptp(tables.table.value(np.linspace(0.0, 1.0, 100))[:, 2])

    assert sway_cm("earth") == sway_cm("earth", 0.0) and sway_cm("moon", 0.0) == pytest.approx(sway_cm("earth"), abs=0.2)
    assert sway_cm("earth") + 0.4 < sway_cm("mars") < sway_cm("moon") - 0.4


def test_who_is_in_a_condition_spares_no_effort():
    own = EffortSettings()
    assert own.under(None) is own and own.under(Condition("well")) is own
    need = own.under(load_condition("weak_ankle"))
    assert need.activation_weight < own.activation_weight and need.reserve_weight < own.reserve_weight
    assert need.reserve_share == own.reserve_share
