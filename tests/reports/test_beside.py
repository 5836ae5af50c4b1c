# SPDX-License-Identifier: GPL-3.0-or-later
"""Signs of a gait that something is wrong with, on made-up takes, and what is said of them beside a healthy one."""

import dataclasses
import json

import numpy as np
import pytest

from lope.addon.maths.rotations import quat_from_rotvec, quat_multiply
from lope.addon.reports.beside import UNITS, beside, group_forces_n, signs
from lope.addon.reports.card import physics_card
from lope.addon.reports.rules import NOT_JUDGED
from lope.addon.sim.take import Channel
from lope.addon.specs.muscles import Actuation, load_condition
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

HEALTHY = make_take(Walk())


def changed(take, **arrays):
    return dataclasses.replace(take, arrays={**take.arrays, **arrays})


def alone(take, row):
    return take.contact[:, row] & ~take.contact[:, 1 - row]


def rolled(take, degrees, when):
    """The take with its root's left side up by so many degrees when that is so."""
    roll = quat_from_rotvec(np.where(when, np.radians(degrees), 0.0)[:, None] * [1.0, 0.0, 0.0])
    return changed(take, root_quaternion=quat_multiply(take.root_quaternion, roll))


def bent(take, segment, degrees, when):
    """The take with a hinge bent by so many degrees when that is so."""
    row = take.body.joint_segments.index(segment)
    joints = take.joint_quaternions.copy()
    joints[:, row] = quat_from_rotvec(np.where(when, np.radians(degrees), 0.0)[:, None] * take.body.segment(segment).axis)
    return changed(take, joint_quaternions=joints)


def test_a_symmetric_walk_has_equal_sides_and_nothing_is_said():
    found = signs(HEALTHY).values
    assert found["step_length_m_L"] == pytest.approx(0.75) and found["step_length_m_R"] == pytest.approx(0.75)
    assert found["stance_time_s_L"] == pytest.approx(0.75, abs=0.011)
    assert found["step_time_s_L"] == pytest.approx(0.625, abs=0.011)
    assert found["foot_force_over_mg_L"] == pytest.approx(0.5, abs=0.01)
    assert found["pelvic_drop_deg_L"] == pytest.approx(0.0, abs=1e-9)
    other = beside(HEALTHY, HEALTHY)
    assert other.said == () and "Nothing to speak of" in other.text()


def test_a_pelvis_that_drops_to_the_right_is_the_left_leg_s_sign():
    take = rolled(HEALTHY, 6.0, alone(HEALTHY, 0))
    found = signs(take).values
    assert found["pelvic_drop_deg_L"] == pytest.approx(6.0, abs=0.01) and abs(found["pelvic_drop_deg_R"]) < 0.01
    said = beside(take, HEALTHY).said
    assert "The pelvis drops by 6.0 degrees more while the left leg stands." in said
    assert not any("pelvis" in words and "right" in words for words in said)


def test_the_trunk_leans_to_the_side_of_its_leg():
    found = signs(rolled(HEALTHY, 6.0, alone(HEALTHY, 1))).values
    assert found["trunk_lean_deg_R"] == pytest.approx(6.0, abs=0.01)  # the left side up: over to the right
    assert found["pelvic_drop_deg_R"] == pytest.approx(-6.0, abs=0.01)


def test_a_knee_that_stays_bent_while_its_leg_stands_is_told():
    take = bent(HEALTHY, "shank_R", 12.0, alone(HEALTHY, 1))
    other = beside(take, HEALTHY)
    assert other.signs["knee_flexion_stance_deg_R"].change == pytest.approx(12.0, abs=0.1)
    assert other.signs["knee_flexion_stance_deg_L"].change == pytest.approx(0.0, abs=0.1)
    assert any("The right knee is 12.0 degrees more bent" in words for words in other.said)


def test_a_foot_that_bears_less_is_told_beside_the_other():
    forces = HEALTHY.grf_n.copy()
    forces[:, 0] *= 0.6
    assert any("The left foot bears 40 % less than the other." in words for words in
               beside(changed(HEALTHY, grf_n=forces), HEALTHY).said)


def test_muscles_of_each_side_and_group_are_summed():
    count = len(HEALTHY.time_s)
    forces = np.tile([100.0, 50.0, 200.0], (count, 1))
    take = dataclasses.replace(HEALTHY, channels={"muscle_force": Channel("N", forces)},
                               shot=dataclasses.replace(HEALTHY.shot, actuation=Actuation()),
                               stats={**HEALTHY.stats, "muscles": ["soleus_L", "tibialis_anterior_L", "soleus_R"]})
    found = signs(take).values
    assert found["muscle_force_n_L"] == pytest.approx(150.0) and found["muscle_force_n_R"] == pytest.approx(200.0)
    assert group_forces_n(take) == pytest.approx({"dorsiflexors_L": 50.0, "plantar_flexors_L": 100.0, "plantar_flexors_R": 200.0})
    assert signs(HEALTHY).reasons == {f"muscle_force_n_{side}": "no muscles move this body" for side in "LR"}


def test_a_take_that_is_too_short_says_so_and_all_is_plain_json():
    short = make_take(Walk(seconds=1.0))
    assert set(signs(short).reasons) == set(UNITS)
    told = beside(short, HEALTHY).to_dict()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["signs"]["step_length_m_L"] == {"unit": "m", "healthy": pytest.approx(0.75), "here": None, "change": None}


def test_of_a_take_that_falls_at_once_it_is_said_that_nothing_could_be_compared():
    short = make_take(Walk(seconds=1.0))
    fallen = dataclasses.replace(short, stats=short.stats | {"time_fell_s": 0.9})
    text = beside(fallen, HEALTHY).text()
    assert "The character falls after 0.9 s: that is too short to compare." in text
    assert "Nothing could be compared" in text and "Nothing to speak of" not in text
    assert "The healthy one falls after 0.9 s" in beside(HEALTHY, fallen).text()
    assert beside(short, HEALTHY).said == ("Nothing could be compared: it is too short to hold a whole stride.",)
    later = dataclasses.replace(HEALTHY, stats=HEALTHY.stats | {"time_fell_s": 6.0})
    assert beside(later, HEALTHY).said == ("The character falls after 6.0 s: only its strides up to there are compared.",)


def test_what_the_eye_sees_at_once_is_told():
    said = beside(make_take(Walk(speed=1.0)), HEALTHY).said
    assert "It goes 17 % slower." in said
    places = HEALTHY.contact_point_m.copy()
    places[:, list(HEALTHY.body.feet[0].points), 1] += 0.04
    assert any("cm wider" in words for words in beside(changed(HEALTHY, contact_point_m=places), HEALTHY).said)
    assert any("pelvis drops by 2.5 degrees less while the right" in words for words in
               beside(rolled(HEALTHY, 2.5, alone(HEALTHY, 1)), HEALTHY).said)
    limp = make_take(Walk(right=0.53))
    said = "Steps come in unequal times: the right foot's take 13 % longer than the other's."
    assert said in beside(limp, HEALTHY).said
    assert said not in beside(limp, limp).said, "where the healthy one limps as well nothing is other"


def test_takes_of_other_planets_or_gaits_are_told_from_limps():
    moon = dataclasses.replace(
        HEALTHY.shot.with_motion(name="run"), world=dataclasses.replace(HEALTHY.shot.world, gravity_m_s2=1.62)
    )
    said = beside(dataclasses.replace(HEALTHY, shot=moon), HEALTHY).said
    assert said[0].startswith("They are of different planets: gravity is 1.62 m/s2 here, 9.81 m/s2 for the healthy one.")
    assert said[1].startswith("They go in different gaits: run here, walk the healthy one.")


def test_lope_measure_tells_both(tmp_path):
    from lope.addon.cli import main

    HEALTHY.save(tmp_path / "walk.npz")
    rolled(HEALTHY, 6.0, alone(HEALTHY, 0)).save(tmp_path / "limp.npz")
    assert main(["measure", str(tmp_path / "limp.npz"), "--beside", str(tmp_path / "walk.npz")]) == 0


def test_the_card_says_what_was_asked_and_does_not_blame_a_limp_for_limping():
    shot = dataclasses.replace(HEALTHY.shot, actuation=Actuation(), condition=load_condition("weak_ankle"))
    lines = {line.name: line for line in physics_card(dataclasses.replace(HEALTHY, shot=shot)).lines}
    assert lines["condition"].reason == "plantar flexors on the left with 10% of the force"
    assert lines["condition"].grade == lines["symmetry"].grade == NOT_JUDGED
    assert "condition" not in {line.name for line in physics_card(HEALTHY).lines}
