# SPDX-License-Identifier: GPL-3.0-or-later
"""The law of creatures by muscles: shares of a wish, delays, states, and a walk in a shot."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.muscles import creature_muscles
from lope.addon.bodies.creature.routing import FreePaths, posed, routing_names
from lope.addon.bodies.creature.template import find_creature
from lope.addon.errors import InputError
from lope.addon.locomotion.creature.muscle_law import CreatureMuscleLaw, MuscleNumbers, Shares
from lope.addon.locomotion.creature.stored import known_gaits, load_gait
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Creature, CreatureGait
from lope.addon.specs.shot import BodySpec, Shot, World

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def human():
    return make_creature(find_creature("human"))


def standing(body, n=1):
    """What is felt of n walkers that stand as drawn."""
    place, turn = (np.repeat(one, n, 0) for one in posed(body, {}))
    return SimpleNamespace(place=place, turn=turn, qvel=np.zeros((n, body.degrees_of_freedom)))


def test_muscles_make_the_torque_that_is_wished_and_none_pushes(human):
    muscles = creature_muscles(human)
    paths = FreePaths(human, muscles, np.full((1, len(routing_names(muscles))), 0.5))
    paths.update(*posed(human, {}))
    force = np.full((1, len(muscles)), 3000.0)
    shares = Shares(paths, force)
    wanted = np.zeros((1, paths.freedom))
    for name, axis, torque in (("thigh_L", 1, 60.0), ("shank_L", 0, -80.0), ("foot_L", 1, 30.0), ("thigh_R", 0, 40.0)):
        wanted[:, paths.columns[name][axis]] = torque
    wish = shares.wish(wanted, np.full((1, 1), 0.01))
    assert wish.min() >= 0.01 and wish.max() < 1.0
    made = paths.torque_nm(wish * force)
    assert shares.own[[paths.columns[name][axis] for name, axis in (("thigh_L", 1), ("shank_L", 0), ("thigh_R", 0))]].all()
    assert not shares.own[paths.columns["thigh_L"][2]]  # about the thigh itself muscles make nearly nothing
    assert made[:, shares.own] == pytest.approx(wanted[:, shares.own], abs=8.0)


def test_a_foot_s_muscles_hear_later_than_a_hip_s(human):
    law = CreatureMuscleLaw(human, {}, {}, 1)
    felt = standing(human)
    law.mechanics.reset(law._lengths(felt), 0.02)
    law._begin_nerves()
    wished = 0.5
    law._wish = np.full((1, len(law.names)), wished)
    heard = {}
    for step in range(1, 30):
        law.pull(felt)
        for name, excitation in zip(law.names, law.excitation[0], strict=True):
            if excitation >= wished:
                heard.setdefault(name, step)
    for name, late in (("gluteus_L", 5), ("vastus_L", 10), ("soleus_L", 20), ("gastrocnemius_R", 20)):
        assert heard[name] == late + 1
    last = law.activation[0, law.names.index("soleus_L")]  # told 9 ms ago, it rises in 10
    assert last == pytest.approx(0.02 + (wished - 0.02) * (1.0 - math.exp(-0.9)), abs=1e-6)


def test_numbers_by_name_and_as_a_vector_are_the_same(human):
    numbers = MuscleNumbers(creature_muscles(human))
    values = {"gain": {"vastus": 1.5}, "law": {"tone": 0.05}, "routing": {"soleus_1x": 0.25}}
    assert numbers.values_of(numbers.vector_of(values)) == values
    vectors = np.array([numbers.vector_of(values)])
    gains = numbers.of_muscles(vectors, "gain")[0]
    sides = [i for i, muscle in enumerate(creature_muscles(human)) if muscle.kind == "vastus"]
    assert len(sides) == 2 and (gains[sides] == 1.5).all() and (np.delete(gains, sides) != 1.5).all()
    with pytest.raises(InputError, match="vastis"):
        numbers.vector_of({"gain": {"vastis": 1.0}})
    with pytest.raises(InputError, match="gains"):
        numbers.vector_of({"gains": {"vastus": 1.0}})


def test_walkers_of_other_routing_go_side_by_side_and_each_as_alone(human):
    numbers = MuscleNumbers(creature_muscles(human))
    vectors = np.array([numbers.start, numbers.low + 0.3 * (numbers.high - numbers.low)])
    felt = standing(human, 2)

    def pulled(rows):
        law = CreatureMuscleLaw(human, {}, vectors[rows], len(rows))
        law.mechanics.reset(law._lengths(standing(human, len(rows))))
        law._begin_nerves()
        law._wish = np.full((len(rows), len(law.names)), 0.3)
        for _ in range(25):
            torque, _ = law.pull(SimpleNamespace(place=felt.place[rows], turn=felt.turn[rows], qvel=felt.qvel[rows]))
        return torque

    both = pulled([0, 1])
    assert both[0] == pytest.approx(pulled([0])[0]) and both[1] == pytest.approx(pulled([1])[0])
    assert np.abs(both[0] - both[1]).max() > 1.0


@pytest.mark.acceptance
def test_an_ostrich_steps_by_muscles_and_the_take_has_them():
    shot = Shot(body=BodySpec(kind="creature", creature=find_creature("ostrich")), duration_s=1.5,
                motion=Creature(controller="creature_muscles", speed_m_s=0.8, start="standing"), world=World())
    take = simulate(shot)
    assert not take.fell
    names = take.stats["muscles"]
    activation, force = take.channels["activation"], take.channels["muscle_force"]
    assert activation.values.shape[1] == force.values.shape[1] == len(names) > 60
    assert force.values.min() >= 0.0 and activation.values.max() <= 1.0
    assert set(np.unique(take.channels["leg_state"].values)) >= {0.0, 2.0}
    assert take.channels["metabolic_rate"].values.mean() > 100.0


def test_a_gait_whose_muscles_the_body_has_not_is_refused():
    gait = CreatureGait(name="x", creature="ostrich", speed_m_s=1.0, muscles={"gain": {"wing": 1.0}})
    shot = Shot(
        motion=Creature(gait, controller="creature_muscles"),
        body=BodySpec(kind="creature", creature=find_creature("human")),
        duration_s=0.5,
        world=World(),
    )
    with pytest.raises(InputError, match="wing"):
        simulate(shot)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["human_muscles_brisk", "long_legs_muscles", "long_neck_muscles", "long_neck_muscles_brisk"])
def test_searched_gaits_take_their_first_steps_by_muscles_off_their_start(name):
    gait = load_gait(name)
    body = BodySpec(kind="creature", creature=find_creature(gait.creature))
    take = simulate(Shot(motion=Creature(gait, controller="creature_muscles"), body=body, duration_s=4.0, noise=0.02, seed=1))
    assert not take.fell and take.com_m[-1, 0] - take.com_m[0, 0] > 1.5


def test_every_stored_gait_by_muscles_fits_its_creature():
    gaits = [gait for gait in known_gaits() if gait.muscles is not None]
    assert "human_muscles" in {gait.name for gait in gaits}
    for gait in gaits:
        numbers = MuscleNumbers(creature_muscles(make_creature(find_creature(gait.creature))))
        vector = numbers.vector_of(gait.muscles)
        assert ((numbers.low <= vector) & (vector <= numbers.high)).all()
