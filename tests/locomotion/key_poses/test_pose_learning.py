# SPDX-License-Identifier: GPL-3.0-or-later
"""Feedback-error learning of gaits from key poses: that it steadies the trunk, lets springs be softer, and travels."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.locomotion.key_poses.law import Law
from lope.addon.locomotion.key_poses.machine import Machine
from lope.addon.locomotion.key_poses.skill import Firmness, Learner, Skill, runs_of
from lope.addon.locomotion.key_poses.strength import PoseGaitSettings, Scale
from lope.addon.options.shot_options import shot_fields, shot_from
from lope.addon.search import pose_gait as pose_learning
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.pose_gait import Learned, Learning, PoseGait, Reaction, pose_gait_file
from lope.addon.specs.shot import PLANAR_MASS_KG, BodySpec, Shot, World

pytestmark = pytest.mark.slow

WALK, PLANAR_WALK = load_pose_gait("walk"), load_pose_gait("walk", "planar")
IN_AIR = {"L": False, "R": False}
PLANAR = BodySpec(kind="planar", mass_kg=PLANAR_MASS_KG)


def leaned(gait, seconds=14.0, body=PLANAR):
    """How far the planar trunk swings in the second half [deg], and the simulation; None where it fell."""
    simulation = Simulation(Shot(motion=KeyPoses(gait, start="standing"), duration_s=seconds, body=body))
    lean = []
    while not simulation.over:
        simulation.step()
        lean.append(simulation.engine.qpos[2])
    simulation.close()
    return None if simulation.time_fell_s else float(np.degrees(np.ptp(lean[len(lean) // 2:]))), simulation


def learner(learning=None, gait=WALK, gravity=9.81):
    body = make_body(BodySpec())
    state = BodyState(body, build_model(body, World(gravity_m_s2=gravity)))
    scale = Scale.of(body, gravity)
    machine = Machine(gait, scale.time, 0.05, 0.02)
    machine.begin(np.zeros(9))
    law = Law(state, scale, PoseGaitSettings())
    made = Skill(machine, law, state, scale, 0.005)
    return machine, made.learner if learning is None else Learner(machine, made._channels(law), learning, scale, 0.005)


def tick(machine, it, feedback, touches=IN_AIR):
    machine.advance(0.005, touches, lambda: np.zeros(9))
    it.follow()
    it.learn(feedback)


def test_a_torque_grows_by_a_tenth_of_the_feedback_a_visit_in_the_bin_before():
    machine, it = learner(Learning(joints=("trunk",), bins=10))
    feedback = np.full(len(it.channels.names), 20.0)
    for _ in range(40):
        tick(machine, it, feedback)
    table = it._table.torque
    assert np.allclose(table[0, :4, :3], 2.0) and not table[0, :, 3:].any()  # nobody but the trunk learns
    assert not table[0, -1].any() and not table[1].any()  # what was not left yet, and the other leg's step


def test_no_more_is_learned_than_the_spring_gives():
    machine, it = learner(Learning(joints=("trunk",), bins=10, rate=1.0))
    for _ in range(40):
        tick(machine, it, np.full(len(it.channels.names), 1e6))
    assert it._table.torque[0, 0, :3] == pytest.approx(3 * [0.2 * 600.0], rel=1e-3)


def test_steps_are_states_that_swing_one_leg():
    assert runs_of(WALK.cycle) == [0, 0, 1, 1]


@pytest.mark.acceptance
def test_a_learned_walk_holds_its_trunk_steadier_from_the_first_step_on():
    before, _ = leaned(PLANAR_WALK)
    learning, simulation = leaned(replace(PLANAR_WALK, learning=Learning(rate=0.3)), seconds=18.0)
    learned = simulation.controller.skill.learner.learned()
    after, _ = leaned(replace(PLANAR_WALK, learned=learned), seconds=8.0)
    assert before > 3.0 and learning < 0.5 * before and after < 0.35 * before


def test_what_was_learned_goes_with_gravity_and_is_mirrored():
    values = {"trunk_x": tuple(range(6)), "trunk_y": 6 * (3.0,), "clavicle_L_z": 6 * (2.0,), "not_there": 6 * (1.0,)}
    gait = replace(WALK, learned=Learned(step_s=(0.4,), bins=6, torque_nm=values))
    _, earth = learner(gait=gait)
    _, moon = learner(gait=gait, gravity=9.81 / 4)
    of, table = earth.channels.columns, earth._table.torque
    assert table[1, 2, of["trunk_x"]] == pytest.approx(-table[0, 2, of["trunk_x"]]) and table[0, 2, 0] > 0.0
    assert table[1, 2, of["trunk_y"]] == table[0, 2, of["trunk_y"]]
    assert table[1, 0, of["clavicle_R_z"]] == pytest.approx(-2.0, rel=1e-3) and not table[0, 0, of["clavicle_R_z"]]
    assert moon._table.torque == pytest.approx(table / 4) and moon._table.period_s[0] == pytest.approx(0.8, rel=1e-3)
    assert earth.learned().torque_nm["trunk_y"] == values["trunk_y"]


def test_what_counts_for_a_firmness_is_kept_with_its_springs():
    """The id of springs that are gone is given to others: then a walk learned by their weights, otherwise in every run."""
    gait = replace(WALK, learning=Learning(), firmness=0.5)
    simulation = Simulation(Shot(motion=KeyPoses(gait), duration_s=4.0))
    while simulation.time_s < 3.0:
        simulation.step()
    skill = simulation.controller.skill
    simulation.close()
    assert len(skill._weights) > 2
    for name, (springs, weight) in skill._weights.items():
        assert name == id(springs) and np.array_equal(weight, skill.learner.rate_weight(springs))


def test_learning_travels_with_the_gait(tmp_path):
    learned = Learned(step_s=(0.4,), bins=2, torque_nm={"trunk_y": (1.0, 2.0)})
    gait = replace(WALK, name="own", learning=Learning(), learned=learned, reaction=Reaction(), firmness=0.5)
    path = tmp_path / "own.json"
    path.write_text(json.dumps(pose_gait_file(gait)), encoding="utf-8")
    assert load_pose_gait(str(path)) == gait
    shot = Shot(motion=KeyPoses(gait, start="standing"))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot


def test_a_soft_body_starts_firm_and_tightens_late_after_a_strike():
    it = Firmness(0.5, Reaction(startle_rad=0.1, firmness=2.0), Scale(1.0, 1.0, 1.0))
    assert it.go(0.005, 0.0) == 1.0
    assert it.go(10.0, 0.0) == 0.5
    assert it.go(0.005, 0.2) == 0.5  # it is struck
    assert it.go(0.1, 0.2) == 0.5 and it.go(0.06, 0.0) == 1.0  # 150 ms later
    assert it.go(1.0, 0.0) == 0.5


def test_nothing_makes_a_body_firmer_than_any_gait():
    it = Firmness(1.0, Reaction(startle_rad=0.1, firmness=2.0), Scale(1.0, 1.0, 1.0))
    assert it.go(0.005, 0.2) == 1.0 and it.go(0.2, 0.0) == 1.0


@pytest.mark.parametrize("make, words", [
    (lambda: Learning(joints=("tail",)), "part that learns"),
    (lambda: Learning(joints=()), "learns nothing"),
    (lambda: Learned(step_s=(0.4,), bins=3, torque_nm={"trunk_y": (1.0,)}), "has 1 values: 1 steps of 3 bins need 3"),
    (lambda: PoseGait(name="a", summary="b", source="c", states=WALK.states, firmness=0.0), "Firmness must lie between"),
])
def test_what_makes_no_sense_is_told(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.fixture
def short_walks(monkeypatch):
    monkeypatch.setattr(pose_learning, "FIRST_S", 14.0)
    monkeypatch.setattr(pose_learning, "ROUND_S", 6.0)
    monkeypatch.setattr(pose_learning, "ROUNDS", 1)
    monkeypatch.setattr(pose_learning, "CHECK_S", 6.0)


@pytest.mark.acceptance
def test_lope_tune_lets_a_gait_learn_and_writes_it(tmp_path, short_walks, capsys):
    out = tmp_path / "smooth.json"
    words = ["tune", "--pose-gait", "in_place", "--planar", "--learn", "--out", str(out), "--json"]
    assert main(words) == 0
    report, gait = json.loads(capsys.readouterr().out), load_pose_gait(str(out))
    assert report["trunk_rms_after_deg"] < report["trunk_rms_before_deg"] and gait.learned and gait.name == "smooth"
    assert gait.ahead_m_s == report["ahead_m_s"] != load_pose_gait("in_place", "planar").ahead_m_s


def test_a_gait_that_falls_while_it_learns_is_told(short_walks):
    with pytest.raises(InputError, match="falls after .* s while it learns"):
        pose_learning.walked(replace(WALK, states=(replace(WALK.states[0], lasts_s=3.0), WALK.states[1])), 8.0, BodySpec())


def test_options_of_a_shot_say_that_it_learns_and_how_firm_it_is():
    fields = shot_fields()
    made = shot_from(fields.parse({"pose_gait": "walk", "learn": True, "firmness": 0.5}))
    assert made.motion.gait.learning == Learning() and made.motion.gait.firmness == 0.5
    assert shot_from(fields.parse({"pose_gait": "walk"})).motion.gait == WALK
    with pytest.raises(InputError, match="--learn and --firmness are for a gait from key poses"):
        shot_from(fields.parse({"learn": True}))
