# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker in a shot: who it is, what it tells, what it cannot be asked, and how eight units a leg feel a condition."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.landmarks import OPTIONAL
from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.locomotion.reflex import walkers
from lope.addon.locomotion.reflex.controller import scaled
from lope.addon.locomotion.reflex.law import ReflexLaw
from lope.addon.locomotion.reflex.muscles import BASAL_W_KG
from lope.addon.locomotion.reflex.units import NAMES, Routing, conditioned
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.reports.measures import measure
from lope.addon.reports.needs import cost_of_transport
from lope.addon.search import reflex as tuning
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Reflex, Trial, Walker, walker_file
from lope.addon.specs.muscles import Actuation, Change, Condition
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import BodySpec, Shot, World
from take_factory import Walk, make_take

BEGINNER = Walker("beginner", 1.25, 0.9, {})
"""As it is where a search begins: it takes a step and falls."""
STEPS = Shot(motion=Reflex(BEGINNER), duration_s=0.5)
BODY = make_body(BodySpec())


def ran(shot: Shot) -> Take:
    """The take of a shot, whether it stands or not."""
    simulation = Simulation(shot)
    try:
        while not simulation.over:
            simulation.step()
        return simulation.take()
    finally:
        simulation.close()


@pytest.mark.acceptance
@pytest.mark.slow
def test_who_lets_go_after_a_fall_walks_as_who_does_not_and_bars_its_own_way_once_it_has_fallen():
    """Thighs pass each other more closely than cores of capsules allow: that of itself threw the first walker over at 2.3 s."""
    simulation = Simulation(Shot(motion=Reflex(walkers.load_walker("walk")), duration_s=3.0, after_fall="limp"))
    model = simulation.engine.model
    cores = [i for i in range(model.ngeom) if model.geom(i).name.endswith("_core")]
    while not simulation.over:
        simulation.step()
    assert cores and simulation.time_fell_s is None
    assert not model.geom_conaffinity[cores].any()
    simulation.close()
    simulation = Simulation(replace(STEPS, duration_s=3.0, after_fall="limp"))
    while simulation.time_fell_s is None:
        simulation.step()
    assert simulation.engine.model.geom_conaffinity[cores].all()
    simulation.close()


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize("missing", [{"neck"}, {"clavicle_L", "clavicle_R"}, {"lower_spine"}, {"lower_spine", "chest"}, OPTIONAL],
                         ids=["neck", "clavicles", "lower_spine", "spine", "all"])
def test_a_body_goes_by_the_joints_that_it_has(missing):
    points = {name: tuple(place) for name, place in standing_landmarks(1.7).items() if name not in missing}
    spec = BodySpec(landmarks=points)
    take = ran(replace(STEPS, body=spec))
    assert len(take.time_s) > 20 and np.isfinite(take.channels["activation"].values).all()
    body = make_body(spec)
    law = ReflexLaw(body, {})
    qpos, qvel = law.begin()
    law.reset(qpos, qvel)
    turn = quat_from_rotvec(np.array([0.2, 0.0, 0.0]))
    qpos[0, 3:7] = turn
    feet = np.zeros((1, len(body.contact_points), 3))
    law.step(qpos, qvel, feet)
    places = law.posture.places
    about_x = [law.torque_held[0, places.column[name] - 6] for name in ("lower_spine", "chest") if name in places.column]
    assert all(torque < -10.0 for torque in about_x)  # what there is of the spine rights the trunk
    assert len(about_x) == 2 - len(missing & {"lower_spine", "chest"})


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mujoco", "pybullet"])
def test_a_take_tells_what_the_muscles_did_and_cost(engine, tmp_path):
    take = ran(replace(STEPS, engine=engine))
    assert len(take.stats["muscles"]) == 16 and take.stats["muscles"][0] == "gluteals_L" and not take.fell
    samples = len(take.time_s)
    for name, unit in (("activation", "1"), ("muscle_force", "N"), ("fibre_length", "l_opt")):
        assert take.channels[name].unit == unit and take.channels[name].values.shape == (samples, 16)
    activation = take.channels["activation"].values
    assert activation.min() >= 0.01 - 1e-9 and activation.max() <= 1.0 and np.ptp(activation, axis=0).max() > 0.1
    rate = take.channels["metabolic_rate"].values
    assert (rate[2:] > BASAL_W_KG * BODY.mass_kg).all()
    take.save(tmp_path / "take.npz")
    again = Take.load(tmp_path / "take.npz")
    assert again.shot == take.shot and again.channels["muscle_force"].values.shape == (samples, 16)


@pytest.mark.slow
def test_the_way_may_point_anywhere():
    """The same steps, turned."""
    ahead, left = ran(STEPS), ran(STEPS.with_motion(path=PathSpec(heading_deg=90.0)))
    turned = np.stack([-left.com_m[:, 1], left.com_m[:, 0], left.com_m[:, 2]], axis=1) * [-1.0, -1.0, 1.0]
    np.testing.assert_allclose(turned[:20], ahead.com_m[:20], atol=1e-5)


@pytest.mark.acceptance
@pytest.mark.slow
def test_who_falls_may_go_limp():
    take = simulate(replace(STEPS, duration_s=1.5, after_fall="limp"))
    assert take.fell and take.time_s[-1] > take.stats["time_fell_s"] + 0.2
    activation = take.channels["activation"].values
    assert np.isfinite(activation[0]).all() and np.isnan(activation[-1]).all()


def test_a_walker_s_numbers_reach_the_law_and_stay_in_their_ranges():
    walker = Walker("keen", 1.25, 0.9, {"force_SOL": 1.5, "begin_speed": 0.6})
    law = Simulation(STEPS.with_motion(walker=walker)).controller.law
    assert (law.gains["force_SOL"].item(), law.gains["begin_speed"].item()) == (1.5, 0.6)
    with pytest.raises(InputError, match="The number begin_speed of the reflexes must lie between 0 and 6 .no unit., got 60"):
        Simulation(STEPS.with_motion(walker=replace(walker, parameters={"begin_speed": 60.0})))


@pytest.mark.parametrize(("change", "words"), [
    ({"path": PathSpec("circle", radius_m=5.0)}, "the path"), ({"stride_frequency_hz": 0.9}, "the stride frequency"),
    ({"start": "standing"}, "standing at its ends"), ({"actuation": Actuation()}, "the actuation"),
    ({"world": World(gravity_ramp=((1.0, 5.0),))}, "the gravity's ramp")])
def test_what_reflexes_cannot_be_asked_is_told(change, words):
    with pytest.raises(InputError, match=words):
        own = {name: value for name, value in change.items() if name not in ("actuation", "world")}
        motion = Reflex.of({"walker": BEGINNER, **own})
        replace(STEPS, motion=motion, **{name: change[name] for name in change if name not in own})


def test_only_reflexes_have_a_walker():
    with pytest.raises(InputError, match="reflex walker is moved by the controller reflex"):
        Shot.from_dict({"controller": "tracking", "reflex": walker_file(BEGINNER)})
    assert Shot.from_dict(STEPS.to_dict()) == STEPS
    assert STEPS.called == "beginner" and STEPS.with_motion(walker=None).called == "reflex"


def test_a_walker_s_file_is_checked_at_the_door(tmp_path):
    walker = Walker("mine", 1.1, 0.8, {"force_SOL": 1.5}, trial=Trial(20.0, 20.0, 3.1, 0.7))
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(walker_file(walker)), encoding="utf-8")
    assert walkers.load_walker(str(path)) == walker
    for parameters, words in (({"force_SOLE": 1.0}, "force_SOL"), ({"force_SOL": 99.0}, "force_SOL")):
        path.write_text(json.dumps(walker_file(replace(walker, parameters=parameters))), encoding="utf-8")
        with pytest.raises(InputError, match=words):
            walkers.load_walker(str(path))
    with pytest.raises(InputError, match="There is no file"):
        walkers.load_walker(str(tmp_path / "nobody.json"))


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of three walkers: two speeds on Earth, one on the Moon."""
    for name, speed, gravity in (("slow", 1.0, 9.81), ("brisk", 1.5, 9.81), ("moon", 0.6, 1.62)):
        walker = Walker(name, speed, 0.9, {}, gravity)
        (tmp_path / f"{name}.json").write_text(json.dumps(walker_file(walker)), encoding="utf-8")
    monkeypatch.setattr(walkers, "FOLDER", tmp_path)


@pytest.mark.usefixtures("shelf")
def test_the_walker_is_the_one_nearest_to_the_speed_and_says_how_near():
    shot = STEPS.with_motion(walker=None)
    assert walkers.walker_of(shot.with_motion(speed_m_s=1.02), BODY)[0].name == "slow"
    assert walkers.walker_of(shot.with_motion(speed_m_s=1.02), BODY)[1] == ""
    walker, words = walkers.walker_of(shot.with_motion(speed_m_s=1.35), BODY)
    assert "changed" not in Simulation(shot.with_motion(speed_m_s=1.02)).controller.stats()
    assert walker.name == "brisk" and "1.50 m/s" in words and "1.00, 1.50" in words and "1.35 m/s" in words
    assert walkers.walker_of(replace(shot, world=World("moon", 1.62)), BODY)[0].name == "moon"


@pytest.mark.usefixtures("shelf")
def test_a_gravity_nobody_was_searched_for_is_told_and_may_be_forced():
    shot = replace(STEPS.with_motion(walker=None), world=World("mars", 3.71))
    with pytest.raises(InputError, match=r"1\.62, 9\.81 m/s\^2"):
        walkers.walker_of(shot, BODY)
    assert walkers.walker_of(shot.with_motion(force=True), BODY)[0].name == "moon"
    assert walkers.walker_of(replace(shot.with_motion(speed_m_s=0.9), world=World("uranus", 8.87)), BODY)[0].name == "slow"


@pytest.mark.usefixtures("shelf")
def test_a_child_goes_at_a_child_s_speed():
    child = BodySpec(height_m=1.1, mass_kg=19.0)
    shot = replace(STEPS.with_motion(walker=None, speed_m_s=0.78), body=child)
    body = make_body(child)
    walker, words = walkers.walker_of(shot, body)
    assert walker.name == "slow" and not words
    assert walkers.own_frequency_hz(walker, body, 9.81) > 1.2 * walker.stride_frequency_hz


def test_a_condition_weakens_the_units_that_it_means_on_its_side():
    routing = Routing(BODY)
    whole, slack = routing.force_n.copy(), routing.slack_m.copy()
    changes = Change("weak", "plantar_flexors", "L", 0.25), Change("tight", "hamstrings", "both", 0.9)
    conditioned(routing, Condition("calf", changes))
    shares = routing.force_n / whole
    weak = [NAMES.index("SOL"), NAMES.index("GAS")]
    assert shares[0, weak] == pytest.approx(0.25) and shares[1] == pytest.approx(1.0) and np.sum(shares[0] < 1.0) == 2
    assert (routing.slack_m / slack)[:, NAMES.index("HAM")] == pytest.approx(0.9)


def test_months_without_gravity_leave_less_of_calves_than_of_hip_flexors_and_a_displaced_joint_is_the_body_s():
    routing = Routing(BODY)
    whole = routing.force_n.copy()
    conditioned(routing, Condition("orbit", (Change("unloaded", "body", "both", 6.0), Change("displaced", "hip", "L", 0.03))))
    left = dict(zip(NAMES, (routing.force_n / whole)[0], strict=True))
    assert 0.4 < left["SOL"] < 1.0 and left["SOL"] < left["HFL"] <= 1.0


@pytest.mark.slow
def test_a_condition_moves_the_walker_otherwise():
    weak = Condition("weak calves", (Change("weak", "soleus", "both", 0.2),))
    assert not np.array_equal(ran(replace(STEPS, condition=weak)).com_m, ran(STEPS).com_m)


@pytest.mark.parametrize(("change", "words"), [
    (Change("weak", "hip_abductors", "both", 0.5), "no hip_abductors"),
    (Change("weak", "gluteus_medius", "L", 0.5), "no gluteus_medius"),
    (Change("pain", "plantar_flexors", "L", 5.0), "weak or tight")])
def test_what_eight_units_do_not_have_is_told(change, words):
    with pytest.raises(InputError, match=words):
        conditioned(Routing(BODY), Condition("x", (change,)))


def test_a_part_of_a_muscle_and_a_group_mean_the_unit_they_are_in():
    for target, unit in (("vastus_lateralis", "VAS"), ("gastrocnemius", "GAS"), ("psoas", "HFL"), ("rectus", "RF")):
        routing = Routing(BODY)
        whole = routing.force_n.copy()
        conditioned(routing, Condition("x", (Change("weak", target, "both", 0.5),)))
        assert [NAMES[i] for i in np.flatnonzero((routing.force_n / whole)[0] < 1.0)] == [unit]


def test_another_gravity_s_start_is_similar():
    own = {"stance_SOL": 0.2, "trunk_rate_GLU": 0.4, "force_SOL": 1.3, "out_speed": 0.2, "land_thigh": 0.4}
    assert {name: scaled(own, 9.81)[name] for name in own} == pytest.approx(own)
    assert scaled({"out_distance": 0.6, "trunk_rate_GLU": 0.4}, 9.81, leg_m=0.25 * 0.8838) == pytest.approx(
        {**scaled({}, 9.81, leg_m=0.25 * 0.8838), "out_distance": 2.4, "trunk_rate_GLU": 0.2})
    quarter = scaled(own, 9.81 / 4.0)
    assert {name: quarter[name] for name in own} == pytest.approx(
        {"stance_SOL": 0.05, "trunk_rate_GLU": 0.2, "force_SOL": 1.3, "out_speed": 0.4, "land_thigh": 0.4})


@pytest.mark.slow
def test_the_command_line_names_a_walker(tmp_path, capfd):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(walker_file(replace(BEGINNER, name="mine"))), encoding="utf-8")
    out = tmp_path / "take.npz"
    assert main(["simulate", "--gait", "reflex", "--walker", str(path), "--seconds", "0.5", "--out", str(out), "--json"]) == 0
    take = Take.load(out)
    assert take.shot.controller == "reflex" and take.shot.motion.walker.name == "mine"
    assert main(["simulate", "--walker", str(path), "--out", str(out)]) == 2
    assert "--walker names who goes by reflexes" in capfd.readouterr().err


def test_a_walker_far_from_its_gravity_and_torques_are_told():
    far = Shot(motion=Reflex(walkers.load_walker("mars_walk")))
    with pytest.raises(InputError, match=r"mars_walk was searched for a gravity of 3\.7.* too far from 9\.81"):
        walkers.walker_of(far, BODY)
    assert walkers.walker_of(far.with_motion(force=True), BODY)[0].name == "mars_walk"
    assert main(["simulate", "--gait", "reflex", "--actuation", "torque", "--seconds", "1"]) == 2


@pytest.mark.slow
def test_after_a_fall_of_a_rigs_own_figure_it_is_said_whose_walkers_these_are():
    points = {name: tuple(place) for name, place in standing_landmarks(1.7).items()}
    fell = ran(replace(STEPS, body=BodySpec(landmarks=points), duration_s=4.0))
    assert fell.fell and "Lope's own figure" in fell.stats["changed"]
    assert "changed" not in ran(replace(STEPS, body=BodySpec(landmarks=points))).stats


def test_a_walker_searched_on_another_body_goes_there_by_the_numbers_that_were_found():
    small = BodySpec(1.5)
    body = make_body(small)
    own = replace(BEGINNER, parameters=dict(walkers.load_walker("walk").parameters), leg_length_m=body.leg_length_m)
    simulation = Simulation(replace(STEPS.with_motion(walker=own), body=small))
    gains = simulation.controller.law.gains
    assert {name: float(gains[name][0, 0]) for name in own.parameters} == pytest.approx(dict(own.parameters))
    assert simulation.controller.speed_m_s == pytest.approx(own.speed_m_s)
    simulation.close()
    assert walker_file(own)["leg_length_m"] == body.leg_length_m and "leg_length_m" not in walker_file(BEGINNER)


def test_a_walker_tells_its_own_speed_cost_and_steps_and_one_that_falls_at_once_is_told():
    take = make_take(Walk(speed=1.2, frequency=0.8))
    pulled = take.arrays | {"torque_nm": np.full_like(take.torque_nm, 5.0), "joint_quaternions": quat_from_rotvec(
        0.2 * take.time_s[:, None, None] * np.ones(take.joint_quaternions[:, :, :3].shape))}
    take = replace(take, arrays=pulled)
    walker = tuning.measured_walker(take, BEGINNER)
    assert (walker.speed_m_s, walker.stride_frequency_hz) == pytest.approx((1.2, 0.8), abs=2e-3)
    trial = walker.trial
    assert trial.cost_of_transport_j_kg_m == pytest.approx(cost_of_transport(take, take.time_s > 3.0), abs=1e-3)
    assert trial.step_length_m == pytest.approx(0.75)
    with pytest.raises(InputError, match="fell after 0.4 s"):
        tuning.measured_walker(make_take(Walk(), stats={"time_fell_s": 0.4}), BEGINNER)


def test_shipped_walkers_stood_their_trials_with_people_s_effort():
    for name in walkers.walker_names():
        walker = walkers.load_walker(name)
        assert walker.trial.stood_s == walker.trial.asked_s >= 20.0 and 1.0 < walker.trial.cost_of_transport_j_kg_m < 6.0


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [1.62, 1.95, 2.75, 4.905, 11.15, 12.26, 14.715])
def test_a_walker_of_another_gravity_takes_its_first_strides_there(gravity):
    seconds = 3.0 * math.sqrt(9.81 / gravity)
    take = simulate(Shot(motion=Reflex(), world=World("custom", gravity), duration_s=seconds, noise=0.02, seed=3))
    walker = next(one for one in map(walkers.load_walker, walkers.walker_names()) if one.name == take.stats["reflex"])
    assert not take.fell and gravity == pytest.approx(walker.gravity_m_s2, rel=0.02)
    assert take.com_m[-1, 0] / seconds == pytest.approx(walker.speed_m_s, rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["brisk_walk", "fast_walk", "faster_walk"])
def test_fast_walkers_get_under_way_off_their_start_too(name):
    walker = walkers.load_walker(name)
    take = simulate(Shot(motion=Reflex(walker), duration_s=3.0, noise=0.02, seed=2))
    state = take.channels["reflex_state"].values
    early = ((state[:, :2] == 1) & (state[:, 1::-1] >= 2)).any(axis=1)
    assert not take.fell and take.com_m[-1, 0] / 3.0 > 1.0
    assert not early[take.time_s < 1.2].any() and early.any()


@pytest.mark.acceptance
def test_a_shipped_walker_walks_at_its_speed():
    """Slow: the one of the family that goes its whole way."""
    shot = Shot(motion=Reflex(speed_m_s=1.0), duration_s=6.0)
    walker, _ = walkers.walker_of(shot, BODY)
    take = simulate(shot)
    found = measure(take)
    assert not take.fell and found["mean_speed_m_s"] == pytest.approx(walker.speed_m_s, abs=0.1)
    assert found["duty_factor"] > 0.55 and found["flight_fraction"] < 0.02



@pytest.mark.parametrize(("options", "words"), [
    ([], "Say with --out"), (["--out", "x.json", "--suit", "apollo-a7lb"], "leave the other body out"),
    (["--out", "x.json", "--gains"], "leave --gains out")])
def test_what_a_search_of_reflexes_cannot_be_asked_is_told(options, words, capfd):
    assert main(["tune", "--gait", "reflex", *options]) == 2
    assert words in capfd.readouterr().err
