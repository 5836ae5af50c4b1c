# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of creatures' gaits: repeatable, resumed as if it had never been ended, kept when ended, stored and found."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.creature.template import find_creature
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.creature import stored
from lope.addon.locomotion.creature.parameters import HIGH, ORDER, START, values_of
from lope.addon.locomotion.creature.stored import by_likeness, proportions, unlike
from lope.addon.search import creature_objective
from lope.addon.search.creature import CreatureProblem, CreatureSearch, tune_creature
from lope.addon.search.creature_objective import Judge, Wish
from lope.addon.search.creature_problem import QUICK, CreaturePopulation, QuickProblem, Trials
from lope.addon.search.population import Shove
from lope.addon.search.search import GENERATIONS, REACHED, STOPPED, BatchProblem, Evaluation, Run, Search
from lope.addon.specs.motions import Creature, CreatureGait, creature_gait_file
from lope.addon.specs.shot import BodySpec, Shot, World

pytestmark = pytest.mark.slow

SHORT = Trials(short_t=4.0, long_t=7.0, long_s=0.0, settled_t=1.0, starts=2)


class Bowl(BatchProblem):
    """A problem whose cost is the distance from a point; good and passing within `near` of it."""

    size, stamp, start, bounds = 4, {"bowl": 1}, np.full(4, 0.5), (0.0, 1.0)
    noisy, judged_every = True, 8

    def __init__(self, near=0.02):
        self.at, self.near, self.checks = np.array([0.7, 0.3, 0.5, 0.9]), near, 0

    def tried(self, xs, generation):
        return [Evaluation(off, off, True, {"stood": 1.0}, off < self.near) for off in self.off(xs)]

    def judged(self, xs):
        self.checks += 1
        return [Evaluation(off, off, True, {"off": off}, off < self.near) for off in self.off(xs)]

    def off(self, xs):
        return np.linalg.norm(xs - self.at, axis=1).tolist()


@pytest.fixture(scope="module")
def human():
    return BodySpec(kind="creature", creature=find_creature("human"))


def search(problem, tmp_path=None, resume=False, **plan):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    return Search(problem, replace(QUICK, **{"generations": 12, "population": 6, **plan}),
                  checkpoint=None if tmp_path is None else tmp_path / "held.json", resume=resume)


def test_what_is_judged_to_fall_is_not_what_it_has_come_to():
    class Falls(Bowl):
        def judged(self, xs):
            return [Evaluation(100.0, 100.0, True, {"stood": 0, "starts": 8}) for _ in xs]

    found = search(Falls(), generations=3)
    found.go()
    assert np.array_equal(found.found, found.x) and not np.array_equal(found.found, found.champion.x)


def test_a_search_ends_as_soon_as_what_it_asks_for_is_reached():
    found = search(Bowl(), generations=300)
    assert found.go() == REACHED and found.champion.judged.passes and len(found.log) < 300
    assert np.linalg.norm(found.found - Bowl().at) < Bowl().near


def test_a_resumed_search_goes_on_as_if_it_had_not_been_ended(tmp_path):
    whole = search(Bowl(near=1e-9))
    assert whole.go() == GENERATIONS

    def stops(share, words):
        if words.startswith("generation 5"):
            raise KeyboardInterrupt

    ended = search(Bowl(near=1e-9), tmp_path)
    assert ended.go(stops) == STOPPED and len(ended.log) == 5
    again = search(Bowl(near=1e-9), tmp_path, resume=True)
    assert len(again.log) == 5 and again.go() == GENERATIONS
    assert [row["costs"] for row in again.log] == [row["costs"] for row in whole.log]
    assert again.champion.x.tolist() == whole.champion.x.tolist() and again.champion.generation == whole.champion.generation


def test_a_checkpoint_of_another_search_is_refused(tmp_path):
    search(Bowl(), tmp_path, generations=2).go()
    with pytest.raises(InputError, match="belongs to another search"):
        search(Bowl(), tmp_path, resume=True, seed=7)
    (tmp_path / "held.json").write_text("{}")
    with pytest.raises(InputError, match="of an earlier Lope, or none at all"):
        search(Bowl(), tmp_path, resume=True)


def test_walkers_that_fall_are_dropped_and_those_that_stand_go_on(human):
    body = make_body(human)
    hard = Shove(0.2, 0.4, np.array([[0.0, 0.0, 0.0], [900.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    three, one = CreaturePopulation(body, World(), 3), CreaturePopulation(body, World(), 1, threads=2)
    three.shoves, one.shoves = [hard], [replace(hard, force_n=hard.force_n[1:2])]
    ended_s = three.run(np.tile(START, (3, 1)), 1.5, 0.5)
    assert ended_s[1] < 1.4 and ended_s[0] == ended_s[2] == 1.5
    assert one.run(START[None], 1.5, 0.5)[0] == ended_s[1]


def test_looks_that_are_made_together_are_those_made_one_by_one(human, monkeypatch):
    body, parts = make_body(human), []
    tries = np.tile(START, (3, 1)) * [[1.0], [1.05], [0.9]]
    for together in (1, 7):
        monkeypatch.setattr(creature_objective, "TOGETHER", together)
        problem = QuickProblem(body, World(), Wish(), replace(QUICK, population=3), SHORT)
        judge, watch = problem._judge(3, 3.0, problem._population)
        judge._settled = 1.0
        problem._population.run(tries, 3.0, 0.5, watch=watch)
        parts.append(judge.parts(np.ones(3)))
    assert len(parts[0]) > 5 and all((parts[1][name] == value).all() for name, value in parts[0].items())


@pytest.mark.acceptance
def test_a_search_for_a_creature_s_own_gait_begins_there_and_for_others_at_the_best_of_a_race(human):
    one = {"trials": SHORT, "plan": replace(QUICK, generations=1, population=4)}
    stored = by_likeness(make_body(human), 0.32)[0][1]
    assert stored.trial.stood == stored.trial.starts
    own = CreatureSearch(CreatureProblem(human, speed_m_s=stored.speed_m_s), **one)
    own.tries.raced = None  # which nobody calls
    assert own.began == own._begin() == stored.name
    assert CreatureSearch(CreatureProblem(human, speed_m_s=stored.speed_m_s, world=World("mars", 3.71)), **one)._own() is None
    assert CreatureSearch(CreatureProblem(human, speed_m_s=1.5 * stored.speed_m_s), **one)._own() is None


def test_what_a_walk_lacks_is_told(human):
    problem = QuickProblem(make_body(human), World(), Wish(speed=0.36), replace(QUICK, population=2), SHORT)
    good = {"speed": 0.36, "force_peak": 2.0, "stance_leg": 0.95, "step_width": 0.1, "clearance": 0.06, "lap": 0.0,
            "pitch": 0.0, "flight": 0.0, "step": 1.7, "double_support": 0.1}
    assert problem.lacks(good) == []
    for name, value, words in (("speed", 0.3, "speed"), ("force_peak", 3.6, "soft landings"),
                               ("stance_leg", 0.8, "straight legs"),
                               ("step_width", 0.4, "narrow steps"), ("clearance", 0.0, "toes clear of the ground"),
                               ("step", 0.9, "calm steps"), ("double_support", 0.0, "double support"),
                               ("flight", 0.2, "no flight"), ("clearance", np.nan, "toes clear of the ground")):
        assert problem.lacks({**good, name: value}) == [words]


def test_a_crouch_costs(human):
    body = make_body(human)

    def crouch(length):
        vector = START.copy()
        vector[ORDER.index("stance_length")] = length
        judge = Judge(Wish(), problem._layout, body, 9.81, 1, 1.0)
        CreaturePopulation(body, World(), 1).run(vector[None], 2.0, 0.2, watch=judge.watch)
        return judge.parts(np.ones(1))["crouch"][0]

    problem = QuickProblem(body, World(), Wish(), replace(QUICK, population=1), SHORT)
    assert crouch(0.7) > crouch(1.0) + 2.0


@pytest.mark.acceptance
def test_a_creature_is_tuned_ended_and_taken_up_again(human, tmp_path):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    problem, out, held = CreatureProblem(human, World(), 0.14), tmp_path / "mine.json", tmp_path / "mine.held.json"
    start = CreatureGait("mine", "human", 1.0, parameters=values_of(START))
    problem = replace(problem, start=start)
    run = Run(replace(QUICK, generations=2, population=4), out, held)
    seen = []

    def stops(share, words):
        seen.append(words)
        if words.startswith("generation 1"):
            raise KeyboardInterrupt

    stopped = tune_creature(problem, replace(run, callback=stops), trials=SHORT)
    assert stopped.stopped and held.is_file() and stopped.report["generations"] == 1
    best = []
    done = tune_creature(problem, replace(run, resume=True), best=best.append, trials=SHORT)
    assert not done.stopped and done.report["generations"] == 2 and not held.is_file() and best
    whole = tune_creature(problem, replace(run, out=tmp_path / "mine2.json"), trials=SHORT)
    assert whole.report["best_costs"] == done.report["best_costs"]
    gait = stored.read_gait(out)
    assert gait.creature == "human" and gait.proportions == proportions(make_body(human)) and gait.trial.starts == 2


def test_a_stored_gait_is_found_by_its_body_and_scaled(human, tmp_path, monkeypatch):
    body = make_body(human)
    other = make_body(BodySpec(kind="creature", creature=find_creature("ostrich")))
    gait = CreatureGait("walks", "human", 1.0, 9.81, values_of(START), body.leg_length_m, body.mass_kg, proportions(body))
    monkeypatch.setattr(stored, "FOLDER", tmp_path)
    (tmp_path / "walks.json").write_text(json.dumps(creature_gait_file(gait)))
    stored.shipped_gaits.cache_clear()
    try:
        shot = Shot(motion=Creature(controller="creature"), body=human, world=World("moon", 1.62))
        found, words = stored.gait_of(shot, body)
        assert words == "" and found.dimensionless_speed == pytest.approx(gait.dimensionless_speed)
        assert found.speed_m_s == pytest.approx(np.sqrt(1.62 / 9.81)) and found.parameters == gait.parameters
        assert unlike(proportions(body), proportions(other)) > stored.NEAR
        assert stored.gait_of(shot, other)[0] is None
    finally:
        stored.shipped_gaits.cache_clear()


def test_a_gait_with_numbers_that_the_law_does_not_know_is_refused(tmp_path):
    file = tmp_path / "odd.json"
    for parameters, told in (({"swing_tim": 1.0}, "Did you mean 'swing_time'"),
                             ({"swing_time": HIGH[0] + 1.0}, "must lie between")):
        file.write_text(json.dumps(creature_gait_file(CreatureGait("odd", "human", 1.0, parameters=parameters))))
        with pytest.raises(InputError, match=told):
            stored.read_gait(file)
