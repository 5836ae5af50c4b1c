# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots whose joints are pulled by muscles: what the Take keeps, who takes over, what hits, what is gone on from."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from engine_kit import CONTACT_ENGINES
from lope.addon.engines.engine import Excitations
from lope.addon.errors import InputError
from lope.addon.locomotion import registry
from lope.addon.locomotion.controller import Controller
from lope.addon.sim import recorder as muscle_work
from lope.addon.sim.sequence import MusclesBefore
from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import Hit
from lope.addon.specs.motions import Clip, Gait
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from muscle_kit import JointActuator

pytestmark = pytest.mark.slow

MUSCLED = (3, 8, 9)
"""Coordinates behind the root that have muscles here."""
GASP_S = 0.1
SHOT = Shot(duration_s=0.5, motion=Gait(controller="gasping"), actuation=Actuation(tone=0.02), after_fall="limp")


class Gasping(Controller):
    """Stiffens up for a while, and has fallen then."""

    name = subject = "gasping"
    commands = (Excitations,)
    takes_over = True
    control_step_s = 0.005

    def __init__(self, setup):
        self.body, self.state, self.shot = setup.body, setup.state, setup.shot
        self.felt, self.gravity = [], None

    def start(self, state=None):
        if state is not None:
            return state
        qpos = self.state.model.qpos0.copy()
        qpos[2] += self.body.pelvis_height_m
        return qpos, np.zeros(self.state.model.nv)

    def sense(self, sensed):
        self.time_s = sensed.time_s
        self.felt.append(sensed.muscles.activation.copy())

    def act(self):
        torque = np.zeros(self.state.model.nv - 6)
        torque[MUSCLED[0]], torque[0] = 3.0, 1.0
        return Excitations(np.full(2 * len(MUSCLED), 0.4), torque)

    def set_gravity(self, gravity_m_s2):
        self.gravity = gravity_m_s2

    def fallen(self):
        return self.time_s >= GASP_S - 1e-9

    def stats(self):
        return {"felt": float(np.max(self.felt)), "gravity": self.gravity}


class GaspingListing(registry.Listing):
    def load(self):
        return Gasping


@pytest.fixture(autouse=True)
def gasping(monkeypatch):
    """The controller by its name, and muscles with constant moment arms; gives the bodies that any were made for."""
    monkeypatch.setitem(registry.BUILT_IN, "gasping", GaspingListing("gasping", "", "Gasp", ""))
    bodies = []

    def actuator_of(shot, body):
        bodies.append(body)
        return JointActuator(body, MUSCLED)

    monkeypatch.setattr(muscle_work, "actuator_of", actuator_of)
    return bodies


def simulate(shot, until_s=0.4):
    """The take of a shot's beginning, without the rest of the fall."""
    simulation = Simulation(shot)
    while simulation.time_s < until_s:
        simulation.step()
    take = simulation.take()
    simulation.close()
    return take


@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_a_take_keeps_what_the_muscles_did(engine, tmp_path, monkeypatch):
    take = simulate(replace(SHOT, engine=engine))
    samples = len(take.time_s)
    for name, unit in (("activation", "1"), ("muscle_force", "N"), ("fibre_length", "l_opt")):
        channel = take.channels[name]
        assert (channel.unit, channel.values.shape, channel.values.dtype) == (unit, (samples, 6), np.float32)
    rate = take.channels["metabolic_rate"]
    assert (rate.unit, rate.values.shape) == ("W", (samples,))
    assert rate.values == pytest.approx(1.51 * 75.0 + 0.5 * take.channels["muscle_force"].values.sum(axis=1), rel=1e-5)
    each = take.channels["muscle_metabolic_rate"]
    assert (each.unit, each.values.dtype) == ("W", np.float32)
    assert rate.values == pytest.approx(1.51 * 75.0 + each.values.sum(axis=1), rel=1e-6)
    assert take.stats["muscles"] == [f"{side}_{joint}" for joint in MUSCLED for side in ("fore", "back")]
    assert take.channels["activation"].values[0] == pytest.approx(0.4), "as the first command excites them"
    assert take.channels["activation"].values[-1] == pytest.approx(0.02, abs=1e-3), "the limp body keeps its tone"
    assert take.stats["reserve_nm_rms"] == pytest.approx(3.0 / np.sqrt(3.0)) and take.stats["reserve_nm_most"] == 3.0
    assert take.stats["felt"] == pytest.approx(0.4)
    take.save(tmp_path / "take.npz")
    monkeypatch.setattr(muscle_work, "actuator_of", None)
    again = Take.load(tmp_path / "take.npz")
    assert again.shot == take.shot and again.stats == take.stats
    for name, channel in take.channels.items():
        np.testing.assert_array_equal(again.channels[name].values, channel.values)


def test_axes_that_muscles_pass_and_do_not_turn_are_told_apart(monkeypatch):
    class Passing(JointActuator):
        def __init__(self, body):
            super().__init__(body, MUSCLED)
            self.own = self.moved & (np.arange(len(self.moved)) != MUSCLED[0])

    monkeypatch.setattr(muscle_work, "actuator_of", lambda shot, body: Passing(body))
    stats = simulate(SHOT, 0.05).stats
    assert (stats["reserve_nm_rms"], stats["reserve_nm_most"], stats["beside_nm_rms"]) == (0.0, 0.0, 3.0)


def test_the_joints_torque_is_that_of_muscles_and_command():
    take = simulate(SHOT, 0.05)
    first = take.torque_nm[1]
    assert first[0] == pytest.approx(1.0) and abs(first[MUSCLED[1]]) > 1e-3
    assert abs(first[MUSCLED[0]] - 3.0) > 1e-3, "the muscles hold against it"


@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_the_same_shot_gives_the_same_take(engine, tmp_path):
    shot = replace(SHOT, engine=engine)
    for name in ("one", "other"):
        simulate(shot, 0.2).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.acceptance
@pytest.mark.parametrize("engine", CONTACT_ENGINES)
def test_pushes_hits_and_changing_gravity_reach_a_body_with_muscles(engine):
    struck = replace(SHOT, engine=engine, hits=(Hit(0.15, "chest"),))
    assert simulate(struck, 0.25).stats["strikes"]
    pushed = simulate(replace(SHOT, engine=engine, pushes=(Push(0.0, 0.1, (0.0, 200.0, 0.0)),)))
    assert pushed.com_m[-1, 1] > simulate(replace(SHOT, engine=engine)).com_m[-1, 1] + 0.05
    fading = World(gravity_ramp=((0.05, 2.0),))
    assert simulate(replace(SHOT, engine=engine, world=fading), 0.1).stats["gravity"] == 2.0


def test_the_muscles_are_those_of_the_body_in_the_engine(gasping):
    simulation = Simulation(SHOT)
    plant = copy.copy(simulation.body)
    simulation.close()
    gasping.clear()
    other = Simulation(SHOT, plant=plant)
    other.close()
    assert gasping == [plant] and other.body is not plant


def test_a_shot_goes_on_as_active_as_the_take_ended(monkeypatch):
    before = MusclesBefore(JointActuator(Simulation(SHOT).body, MUSCLED).names, np.full(6, 0.3))
    monkeypatch.setattr("lope.addon.sim.sequence.Relay.muscles_at_start", before)
    assert simulate(SHOT, 0.05).channels["activation"].values[0] == pytest.approx(0.3)
    monkeypatch.setattr("lope.addon.sim.sequence.Relay.muscles_at_start", replace(before, names=("others",)))
    assert simulate(SHOT, 0.05).channels["activation"].values[0] == pytest.approx(0.4), "others than it has now"


@pytest.mark.parametrize("shot", [
    Shot(motion=Clip("clip.bvh", controller="lee"), actuation=Actuation()),
    Shot(motion=Clip("clip.bvh", controller="hit"), actuation=Actuation()),
])
def test_a_controller_that_moves_no_muscles_says_so(shot):
    setup = type("Setup", (), {"wants": Excitations, "body": type("Body", (), {"kind": "human"})})
    with pytest.raises(InputError, match=f"The controller {shot.controller} cannot move a shot's muscles: leave them out"):
        registry.find_controller(shot.controller).check(setup)


def test_a_planar_body_has_no_muscles():
    with pytest.raises(InputError, match="Muscles are laid on a human body"):
        Shot(body=BodySpec(kind="planar"), actuation=Actuation())
