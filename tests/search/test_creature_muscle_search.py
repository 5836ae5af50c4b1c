# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a creature's gait by muscles: populations, the paper's measures and thresholds, what is free, what is stored."""

import dataclasses
import functools

import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import find_creature
from lope.addon.locomotion.creature.felt import Felt, Layout
from lope.addon.locomotion.creature.muscle_law import ROUTING, Kind
from lope.addon.locomotion.creature.parameters import ORDER, START
from lope.addon.search.creature import CreatureMuscleSearch, CreatureProblem, tune_creature
from lope.addon.search.creature_muscles_problem import (
    BY_MUSCLES,
    MEASURES,
    PAPER_SPEED_M_S,
    MuscleJudge,
    MusclePopulation,
    MuscleProblem,
)
from lope.addon.search.creature_objective import Wish
from lope.addon.search.creature_problem import Trials
from lope.addon.search.search import GENERATIONS, Run
from lope.addon.specs.creature import CREATURE
from lope.addon.specs.motions import CreatureGait
from lope.addon.specs.shot import BodySpec, World

pytestmark = pytest.mark.slow

SHORT = Trials(short_t=1.2, long_t=1.2, long_s=0.0, settled_t=0.5, starts=2, noise=0.5)


@functools.cache
def body():
    return make_creature(find_creature("human"))


@functools.cache
def problem(free=True):
    return MuscleProblem(body(), World(), Wish(speed=0.02), dataclasses.replace(BY_MUSCLES, population=3), SHORT, Kind(free=free))


def test_a_walker_of_a_batch_goes_as_it_goes_alone():
    start = np.concatenate([START, problem().numbers.start])
    other = start.copy()
    other[ORDER.index("trunk_gain")] *= 0.5
    places = []
    for vectors in (np.array([start]), np.array([other, start])):
        seen = []
        population = MusclePopulation(body(), World(), len(vectors))
        population.run(vectors, 0.3, 1.0, watch=lambda felt, torque, time_s, alive, seen=seen: seen.append(felt.com[-1].copy()))
        places.append(seen[-1])
        assert (population.spent_w > 0.0).all()
    assert places[0] == pytest.approx(places[1], abs=1e-9)


def test_points_and_numbers_are_one_another_and_fixed_routing_stays_in_the_middle():
    free, fixed = problem(), problem(False)
    point = free.point(START)
    assert free.vectors(point[None])[0] == pytest.approx(np.concatenate([START, free.numbers.start]))
    routing = len(free.numbers.rows([ROUTING]))
    assert routing > 20 and free.size - fixed.size == routing
    rng = np.random.default_rng(1)
    quick, muscles = fixed.values(rng.random(fixed.size))
    assert set(quick) == set(ORDER) and set(muscles[ROUTING].values()) == {0.5}
    quick, muscles = free.values(rng.random(free.size))
    again = free.point(np.array([quick[name] for name in ORDER]), free.numbers.vector_of(muscles))
    assert free.values(again)[1]["gain"] == pytest.approx(muscles["gain"])
    assert sum(map(len, muscles.values())) == len(free.numbers.names), "what is as at the start too: that may change"


def felt_at(x: float, speed: float, heading: float = 0.0) -> Felt:
    """The drawn human moved along as a whole, its left foot on the ground."""
    human, count = body(), len(body().segments)
    place = np.zeros((count, 3))
    for row, segment in enumerate(human.segments[1:], 1):
        place[row] = place[human.index[segment.hangs_on]] + segment.offset
    turn = np.tile(np.eye(3), (1, count, 1, 1))
    c, s = np.cos(heading), np.sin(heading)
    turn[0, human.index["head"]] = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    at = (place + [x, 0.0, 0.0])[None]
    coordinates, velocity = np.zeros((1, human.coordinates)), np.zeros((1, human.degrees_of_freedom))
    fields = {field.name: np.zeros((1, 3)) for field in dataclasses.fields(Felt)}
    known = {"qpos": coordinates, "qvel": velocity, "place": at, "turn": turn, "below": at, "com": at[:, 0],
             "com_velocity": np.array([[speed, 0.0, 0.0]]), "load": np.array([[human.mass_kg * 9.81, 0.0]])}
    return Felt(**(fields | known))


def judge_of(speed: float, heading: float, watts: float, until: float = 4.0):
    human, wanted = body(), 1.0
    judge = MuscleJudge(Wish(speed=wanted / PAPER_SPEED_M_S), Layout(human), human, 9.81, 1, 1.0, 8.0)
    unit = np.sqrt(human.leg_length_m / 9.81)
    for time in np.arange(0.0, until, 0.02):
        judge.watch(felt_at(speed * time * unit, speed, heading), np.zeros((1, human.degrees_of_freedom - 6)),
                    np.array([watts]), time * unit, np.ones(1, dtype=bool))
    return judge


def test_the_papers_measures_of_a_known_motion():
    """Of a body that glides on its way as fast as wished but for its head, turned, and its foot, which slides as fast."""
    judge = judge_of(1.0, 0.3, 3.0 * body().mass_kg, 8.0)
    means = {name: value[0] for name, value in judge.means().items()}
    assert means["head_turn"] == pytest.approx(0.3, rel=0.02) and means["head_speed"] == pytest.approx(0.0, abs=1e-6)
    assert means["slide"] * PAPER_SPEED_M_S == pytest.approx(1.0, rel=0.02)
    assert means["effort"] * 9.81 * PAPER_SPEED_M_S == pytest.approx(3.0, rel=0.02), "W/kg"
    parts = {name: value[0] for name, value in judge.parts(np.ones(1)).items()}
    assert parts["head_turn"] == pytest.approx(3.0, rel=0.02) and parts["head_speed"] == 0.0, "below its threshold it is free"
    assert parts["effort"] == pytest.approx(0.3, rel=0.02) and not judge.passes()[0]
    straight = judge_of(1.0, 0.15, 0.0, 8.0)
    assert straight.parts(np.ones(1))["head_turn"][0] == 0.0


def test_who_is_stopped_early_is_off_by_all_its_speed_for_the_rest():
    half = judge_of(1.0, 0.0, 0.0, 4.5).means()["speed"][0]
    assert half == pytest.approx(judge_of(1.0, 0.0, 0.0, 8.0).means()["speed"][0] * 0.5 + 0.5, abs=0.02)
    assert MEASURES["speed"].weight == 100.0 and MEASURES["head_speed"].threshold * PAPER_SPEED_M_S == pytest.approx(0.3)


def test_trials_tell_costs_and_what_lacks():
    tried = problem().tried(np.array([problem().point(START)] * 3), 0)
    costs = [one.cost for one in tried]
    assert np.isfinite(costs).all() and costs == pytest.approx([costs[0]] * 3), "one start for all"
    judged = problem().judged(problem().point(START)[None])[0]
    assert judged.detail["starts"] == 2 and not judged.passes and judged.detail["lacks"]


@pytest.mark.acceptance
def test_a_search_writes_a_gait_by_muscles_and_goes_on_from_it(tmp_path):
    spec = BodySpec(kind=CREATURE, creature=find_creature("human"))
    out, rest = tmp_path / "slow.json", {"trials": SHORT, "searcher": CreatureMuscleSearch}
    asked = CreatureProblem(spec, speed_m_s=0.05)
    plan = dataclasses.replace(BY_MUSCLES, generations=1, population=4)
    result = tune_creature(asked, Run(plan, out, tmp_path / "c"), **rest)
    assert result.report["ended"] == GENERATIONS and result.report["generations"] == 1
    from lope.addon.locomotion.creature.stored import read_gait

    gait = read_gait(out)
    assert isinstance(gait, CreatureGait) and gait.muscles and set(gait.parameters) == set(ORDER)
    again = CreatureMuscleSearch(dataclasses.replace(asked, start=gait), plan, SHORT)
    assert again.began == "slow" and again.tries.values(again.tries.start)[1].keys() == gait.muscles.keys()
