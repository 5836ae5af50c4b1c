# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a reflex walker: for a speed, or for the one that effort chooses, under any gravity, from a walker that there is.
Tasks first (not falling, speed, upright, straight on), then metabolic effort: tasks and their thresholds as Geijtenbeek 2013,
table 2; effort as Wang 2012, section 5.1, whose task terms are lost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

import numpy as np

from ..bodies.body import Body
from ..bodies.makers import make_body
from ..bodies.model import Stepping, build_model
from ..errors import InputError
from ..locomotion.reflex.controller import ReflexController
from ..locomotion.reflex.law import ReflexLaw, is_planar, step_of
from ..locomotion.reflex.parameters import HIGH, LOW, ORDER, STEP, named, vector_of
from ..locomotion.reflex.units import conditioned
from ..locomotion.reflex.walkers import read_walker
from ..maths.rotations import plane_angle
from ..reports.measures import measure
from ..reports.needs import cost_of_transport
from ..reports.strides import end_of_walking_s
from ..sim.simulation import Simulation
from ..sim.take import Take
from ..specs.motions import Reflex, Trial, Walker, walker_file
from ..specs.muscles import Condition
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Push, Shot, World
from .population import Population, evaluations
from .search import REACHED, STOPPED, BatchProblem, Evaluation, Plan, Result, Run

SETTLED_S = 1.5
"""What comes before is not judged but for falls: the start is not the gait's."""
SUMMED = ("steps", "effort", "upright", "straight", "impact", "limits", "held", "head", "apart")
PART_S = 1.0
"""Over so long speeds are averaged."""
EVERY = 4
"""Steps from look to look."""


@dataclass(frozen=True)
class Wish:
    """What is asked for, and how much each part weighs. `effort` is by W/kg, the basal rate included; ankles are to be
    `apart_m` to the side of each other."""

    speed_m_s: float
    fall: float = 100.0
    speed: float = 100.0
    speed_free: float = 0.03
    upright: float = 30.0
    upright_free_rad: float = 0.05
    straight: float = 10.0
    straight_free_rad: float = 0.05
    impact: float = 10.0
    impact_free: float = 1.4
    limits: float = 3e-5
    held: float = 1e-5
    head: float = 10.0
    head_free_m_s: float = 0.3
    apart: float = 300.0
    apart_m: tuple[float, float] = (0.06, 0.2)
    effort: float = 1.0


class Judge:
    """Sums up one run of N walkers, step by step; then `costs`."""

    def __init__(self, wish: Wish, n: int) -> None:
        self.wish, self._n, self._k = wish, n, 0
        self._sums = {name: np.zeros(n) for name in SUMMED}
        self._places: list[np.ndarray] = []

    def watch(self, law: ReflexLaw, qpos: np.ndarray, qvel: np.ndarray, force_n: np.ndarray, alive: np.ndarray) -> None:
        """See one step (`ReflexPopulation.run`)."""
        if self._k % round(PART_S / law.step_s) == 0:
            self._places.append(np.where(alive, qpos[:, 0], np.nan))
        self._k += 1
        if self._k * law.step_s >= SETTLED_S and self._k % EVERY == 0:
            self._look(law, law.posture.place(qpos), law.posture.velocity(qvel), alive)

    def _look(self, law: ReflexLaw, place: np.ndarray, velocity: np.ndarray, alive: np.ndarray) -> None:
        """Judge walkers at these places (N, 2) [m] with pelvises of these velocities (N, 3) [m/s]."""
        sums, felt, wish = self._sums, law.felt, self.wish
        body_kg = law.body.mass_kg
        sums["steps"] += alive
        sums["effort"] += alive * (law.metabolic_w / body_kg)
        sums["upright"] += alive * np.hypot(felt.lean, felt.pelvis[:, 0])
        sums["straight"] += alive * (np.abs(felt.pelvis[:, 2]) + np.abs(plane_angle(place[:, 1], np.maximum(place[:, 0], 1.0))))
        sums["impact"] += alive * np.maximum(law.load.sum(axis=1) - wish.impact_free, 0.0)
        sums["limits"] += alive * (law.limit_nm**2).sum(axis=(1, 2))
        sums["held"] += alive * (law.torque_held**2).sum(axis=1)
        apart = wish.apart_m[0] if is_planar(law.body) else felt.away[:, 1, 1] - felt.away[:, 0, 1]
        sums["apart"] += alive * (np.maximum(wish.apart_m[0] - apart, 0.0) + np.maximum(apart - wish.apart_m[1], 0.0))
        going = velocity - np.array([wish.speed_m_s, 0.0, 0.0])
        sums["head"] += alive * np.sqrt((going**2).sum(axis=1))

    def parts(self, fallen_s: np.ndarray, seconds: float) -> dict[str, np.ndarray]:
        """The cost (N,) of each part, of walkers that fell at these times (N,) of `seconds`."""
        wish, sums = self.wish, self._sums
        steps = np.maximum(sums["steps"], 1.0)
        mean = {name: value / steps for name, value in sums.items()}
        gone = np.diff(np.array(self._places), axis=0)[1:] / PART_S
        off = np.abs(1.0 - gone / wish.speed_m_s)
        counted = np.isfinite(off)
        slow = np.where(counted, np.minimum(off, 1.0), 1.0).mean(axis=0) if len(off) else np.ones(self._n)
        judged = sums["steps"] > 0

        def over(name: str, free: float) -> np.ndarray:
            return np.where(judged & (mean[name] > free), mean[name], 0.0)

        return {
            "fall": wish.fall * (1.0 - fallen_s / seconds), "speed": wish.speed * np.maximum(slow - wish.speed_free, 0.0),
            "upright": wish.upright * np.maximum(over("upright", 0.0) - wish.upright_free_rad, 0.0),
            "apart": wish.apart * over("apart", 0.0), "straight": wish.straight * over("straight", wish.straight_free_rad),
            "impact": wish.impact * over("impact", 0.0), "limits": wish.limits * over("limits", 0.0),
            "held": wish.held * over("held", 0.0), "head": wish.head * over("head", wish.head_free_m_s),
            "effort": wish.effort * over("effort", 0.0),
        }

    def speeds_m_s(self) -> np.ndarray:
        """Speed ahead (N,) since the start has settled; none of who fell before it could be measured."""
        places = np.array(self._places)[math.ceil(SETTLED_S / PART_S):]
        stood = np.isfinite(places).sum(axis=0) - 1
        last = np.take_along_axis(places, np.maximum(stood, 0)[None], axis=0)[0] if len(places) else np.zeros(self._n)
        return np.where(stood > 0, (last - places[0]) / (PART_S * np.maximum(stood, 1)), 0.0) if len(places) else last


TRANSPORT = 10.0
"""Of a joule per kilogram and metre (first guess): a tenth of one saves less than a second of standing."""
SLOWEST_M_S = 0.1
"""What is slower goes nowhere."""


class EffortJudge(Judge):
    """The same sums, but no speed is asked for: the energy of the way, and how unevenly the pelvis goes against its own speed."""

    def __init__(self, wish: Wish, n: int) -> None:
        super().__init__(wish, n)
        self._way, self._square = np.zeros((n, 3)), np.zeros(n)

    def _look(self, law: ReflexLaw, place: np.ndarray, velocity: np.ndarray, alive: np.ndarray) -> None:
        super()._look(law, place, velocity, alive)
        self._way += alive[:, None] * velocity
        self._square += alive * (velocity**2).sum(axis=1)

    def parts(self, fallen_s: np.ndarray, seconds: float) -> dict[str, np.ndarray]:
        found = super().parts(fallen_s, seconds)
        steps = np.maximum(self._sums["steps"], 1.0)
        mean = self._way / steps[:, None]
        uneven = np.sqrt(np.maximum(self._square / steps - (mean**2).sum(axis=1), 0.0))
        ahead = np.maximum(mean[:, 0], SLOWEST_M_S)
        found["head"] = self.wish.head * np.where(uneven > self.wish.head_free_m_s, uneven, 0.0)
        found["effort"] = TRANSPORT * self._sums["effort"] / steps / ahead
        found["speed"] = np.where(mean[:, 0] < SLOWEST_M_S, self.wish.speed, 0.0)
        return found


HEIGHT_AT = {6: 2, 3: 1}
"""Where the root's height is among the coordinates, by its degrees of freedom."""
FALL_SHARE, FALL_TILT = 0.8, 0.8
"""A pelvis below this share of its height in standing, or trunk, pelvis or heading off by this [rad], has fallen."""
LOOKED_S = 0.01
"""Time from look to look whether somebody has fallen."""

Watch = Callable[[ReflexLaw, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
"""Sees law, qpos, qvel, forces and who still stands (N,) after every step."""


class ReflexPopulation(Population):
    """N walkers of a human's body, or of a planar one, whose step is longer."""

    def __init__(self, body: Body, world: World, n: int) -> None:
        step_s = step_of(body)
        super().__init__(body, world, n, build_model(body, world, Stepping(step_s)), step_s)
        self.looks_every = round(LOOKED_S / step_s)

    def run(self, parameters: np.ndarray, seconds: float, *, noise: np.ndarray | None = None,
            change: Callable[[ReflexLaw], None] | None = None, watch: Watch | None = None) -> np.ndarray:
        """Walk with parameters (N, K) for so long; the times (N,) [s] of their falls, or `seconds`. `noise` (nv,) or (N, nv) is
        added to the velocities at the start; `change` may alter the law first (a muscle's force)."""
        law = self._law = ReflexLaw(self.body, parameters, self.n, self.world.gravity_m_s2)
        self._watch = watch
        if change is not None:
            change(law)
        self.model.dof_damping[self.body.root_freedom:] = law.damping
        self._batch_of(("qpos", "qvel", "qfrc_applied", "sensordata"), law.begin(), noise)
        law.reset(self._bound["qpos"].copy(), self._bound["qvel"].copy())
        return self._walked(seconds)

    def _tick(self, time_s: float, ids: np.ndarray, alive: np.ndarray) -> None:
        q, v, law = self._bound["qpos"], self._bound["qvel"], self._law
        force = self._feel(ids)
        self._bound["qfrc_applied"][:, self.body.root_freedom:] = law.step(q, v, force)
        self._step(ids)
        if self._watch is not None:
            self._watch(law, q, v, force, alive)

    def _fallen(self) -> np.ndarray:
        q, v, felt = self._bound["qpos"], self._bound["qvel"], self._law.felt
        low = q[:, HEIGHT_AT[self.body.root_freedom]] < FALL_SHARE * self.body.pelvis_height_m
        tilted = (np.abs(felt.lean) > FALL_TILT) | (np.abs(felt.pelvis) > FALL_TILT).any(axis=1)
        return low | tilted | ~np.isfinite(v).all(axis=1)


SECONDS, TRIAL_S = 8.0, 20.0
"""Length of a trial of the search on Earth, elsewhere as much longer as all is slower, and of a found walker's own."""
STARTS, JUDGED_EVERY, MISSED_M_S = 8, 10, 0.1
"""A walker is judged from so many starts that no generation had, after so many generations at the latest where the search may end
with it; so near to its speed it has it."""
NOISE = 0.02
"""Deviation of the start's velocities, another in every generation [m/s, and half as much in rad/s]: what stands does so off its
start too."""
MEASURED_FROM_S = 3.0
"""From here on a walker's own trial is measured."""
LAST_TRIAL = ("Stopped: the best so far are still tried for {0} s, to choose and write one; that takes a minute or two. A second "
              "Ctrl-C leaves at once and writes none; --resume goes on from {1}.")
DIGITS = 6
"""Significant digits of a walker's parameters in its file."""


@dataclass(frozen=True)
class ReflexProblem:
    """What is searched. Without a speed effort chooses it. `condition` is what is other than healthy, `wish` weighs parts of the
    cost otherwise (`Wish`), `change` alters every law before it begins. Trials last `seconds`, with velocities at the start off
    by `noise` [m/s, rad/s], both of their usual size where nothing is said; `pushes` come in each (`Population.draw_shoves`).
    In a generation each walker has `starts` trials, pushed in as many directions: of one start alone the others are lost.
    Parameters whose names begin with one of `kept` stay as they are. `ends`: a walker that stands from all starts it is judged
    from, at its speed, is good enough."""

    world: World
    speed_m_s: float | None
    start: Mapping[str, float]
    body: BodySpec = field(default_factory=BodySpec)
    condition: Condition | None = None
    wish: Mapping[str, Any] = field(default_factory=dict)
    change: Callable[[ReflexLaw], None] | None = None
    seconds: float | None = None
    noise: float | None = None
    kept: tuple[str, ...] = ()
    ends: bool = False
    pushes: tuple[Push, ...] = ()
    starts: int = 1

    @property
    def slow(self) -> float:
        """How many times longer everything takes than on Earth."""
        return math.sqrt(EARTH_GRAVITY_M_S2 / self.world.gravity_m_s2)

    def altered(self, law: ReflexLaw) -> None:
        if self.condition is not None:
            conditioned(law.muscles.routing, self.condition)
        if self.change is not None:
            self.change(law)


class ReflexTrials(BatchProblem):
    """The search of a problem: its parameters but those that are kept, in their `STEP`s from the start, a generation in one
    batch."""

    converges = False  # trials in which all fall at once cost the same for generations

    def __init__(self, asked: ReflexProblem, plan: Plan) -> None:
        self.asked, self._seed, self._begin = asked, plan.seed, vector_of(asked.start)
        self._free = np.array([i for i, name in enumerate(ORDER) if not (asked.kept and name.startswith(asked.kept))])
        self.seconds = round(SECONDS * asked.slow, 1) if asked.seconds is None else asked.seconds
        self._noise = NOISE / asked.slow if asked.noise is None else asked.noise
        self.noisy = bool(self._noise)
        self._judge = EffortJudge if asked.speed_m_s is None else Judge
        self._body = make_body(asked.body)
        self._wish = Wish(1.0 if asked.speed_m_s is None else asked.speed_m_s, **asked.wish)
        self._population = self._walkers(plan.population * asked.starts)
        self.judged_every = JUDGED_EVERY if asked.ends else None

    @property
    def size(self) -> int:
        return len(self._free)

    @property
    def bounds(self) -> tuple[list[float], list[float]]:
        low, high = ((ends - self._begin)[self._free] / STEP[self._free] for ends in (LOW, HIGH))
        return np.minimum(low, -1e-6).tolist(), np.maximum(high, 1e-6).tolist()

    @property
    def stamp(self) -> dict[str, Any]:
        asked = self.asked
        return {"world": asdict(asked.world), "body": asdict(asked.body), "speed_m_s": asked.speed_m_s,
                "start": self._begin.tolist(), "wish": asdict(self._wish),
                "condition": None if asked.condition is None else asdict(asked.condition),
                "change": getattr(asked.change, "__qualname__", None), "seconds": self.seconds, "noise": self._noise,
                "kept": asked.kept, "pushes": [asdict(push) for push in asked.pushes], "starts": asked.starts}

    def strategy(self, seed: int) -> dict[str, Any]:
        """The generator that cma itself would seed, so that a seed finds what it always found."""
        return {"randn": np.random.RandomState(seed).randn, "CMA_diagonal": 60}

    def vectors(self, xs: np.ndarray) -> np.ndarray:
        """Parameters (N, K), within their ranges, of points (N, size) of the search."""
        found = np.tile(self._begin, (len(xs), 1))
        found[:, self._free] += STEP[self._free] * xs
        return np.clip(found, LOW, HIGH)

    def point(self, vector: np.ndarray) -> np.ndarray:
        """The point (size,) of parameters (K,)."""
        return ((vector - self._begin) / STEP)[self._free]

    def tried(self, xs: np.ndarray, generation: int) -> list[Evaluation]:
        """A generation (N, size), all off the same starts, others in every generation."""
        seed, starts = (self._seed, generation), self.asked.starts
        self._population.draw_shoves(self.asked.pushes, seed, self.seconds, starts, len(xs))
        return self._walked(self._population, xs, self.seconds, self._starts(seed, starts))

    def judged(self, xs: np.ndarray) -> list[Evaluation]:
        """Each of a few (K, size), off `STARTS` starts, in trials of `TRIAL_S`, elsewhere as much longer as all is slower, or as
        long as those of a generation."""
        seconds, starts = max(TRIAL_S * max(self.asked.slow, 1.0), self.seconds), self._starts((self._seed, 0, 1), STARTS)
        population = self._walkers(STARTS * len(xs))
        population.draw_shoves(self.asked.pushes, (self._seed, 0, 1), seconds, STARTS, len(xs))
        return self._walked(population, xs, seconds, starts)

    def _starts(self, seed: tuple[int, ...], n: int) -> np.ndarray:
        """Velocities (n, nv) to add at the start [m/s, rad/s]."""
        noise = self._noise * np.random.default_rng(seed).standard_normal((n, self._body.degrees_of_freedom))
        noise[:, self._body.root_freedom:] *= 0.5
        return noise

    def _walkers(self, n: int) -> ReflexPopulation:
        return ReflexPopulation(self._body, self.asked.world, n)

    def _walked(self, population: ReflexPopulation, xs: np.ndarray, seconds: float, starts: np.ndarray) -> list[Evaluation]:
        """Means over trials of each (N, size) from all starts (S, nv)."""
        s, n = len(starts), len(xs)
        judge = self._judge(self._wish, s * n)
        fallen_s = population.run(np.repeat(self.vectors(xs), s, axis=0), seconds, noise=np.tile(starts, (n, 1)),
                                  change=self.asked.altered, watch=judge.watch)
        parts = {name: part.reshape(n, s).mean(axis=1) for name, part in judge.parts(fallen_s, seconds).items()}
        stood = fallen_s.reshape(n, s) / seconds
        passes = (stood >= 1.0).all(axis=1)
        if self.asked.speed_m_s is not None:
            passes &= (np.abs(judge.speeds_m_s().reshape(n, s) - self.asked.speed_m_s) <= MISSED_M_S).all(axis=1)
        return evaluations(parts, stood.mean(axis=1), passes & self.asked.ends)


def tune_reflex(problem: ReflexProblem, run: Run, source: str = "") -> Result:
    """Search, and write the walker that is found, with how it did in a trial of its own. Of the middle, the best of the last
    generation and the start the one is taken that does best in a long trial; where a search is taken up, so is the walker in the
    run's file, so that a worse one never takes its place. Raises InputError where nobody has stood long enough to be measured."""
    trials = ReflexTrials(problem, run.plan)
    others = [trials.point(vector_of(read_walker(run.out).parameters))] if run.resume and run.out.is_file() else []
    search = run.search(trials)
    if search.go(run.callback) == STOPPED:
        run.says(LAST_TRIAL.format(f"{TRIAL_S:g}", run.checkpoint))
    if search.ended != REACHED:
        search.check([search.mean, search.x, trials.start, *others])
    short = {key: float(f"{value:.{DIGITS}g}") for key, value in named(trials.vectors(search.found[None])[0]).items()}
    walker = walked(problem, short, run.out.stem, source)
    report = {"walker": walker.name, "speed_asked_m_s": problem.speed_m_s, "speed_m_s": walker.speed_m_s,
              "stride_frequency_hz": walker.stride_frequency_hz, "world": problem.world.name,
              "gravity_m_s2": problem.world.gravity_m_s2, "trial": walker_file(walker).get("trial", {}),
              "stood": search.champion.judged.detail["stood"] if search.champion else None,
              "best_costs": [row["best"] for row in search.log], "cpu_s": search.cpu_s}
    return run.done(search, report, walker_file(walker))


def walked(problem: ReflexProblem, parameters: Mapping[str, float], name: str, source: str = "") -> Walker:
    """A walker as it does in a trial of its own, of `TRIAL_S`. Raises InputError where it walks too short to be measured."""
    stand_in = Walker(name, problem.speed_m_s or 1.0, 1.0, dict(parameters), problem.world.gravity_m_s2)
    if problem.body != BodySpec():
        stand_in = replace(stand_in, leg_length_m=make_body(problem.body).leg_length_m)
    return measured_walker(trial_take(problem, stand_in), stand_in, source)


def trial_take(problem: ReflexProblem, walker: Walker) -> Take:
    """A walker's own trial, of `TRIAL_S`, in what is changed for the problem."""
    with Simulation(Shot(motion=Reflex(walker), body=problem.body, world=problem.world, duration_s=TRIAL_S,
                         condition=problem.condition)) as simulation:
        if problem.change is not None:
            law = cast(ReflexController, simulation.controller).law
            problem.change(law)
            law.reset(simulation.engine.qpos[None], simulation.engine.qvel[None])
        while not simulation.over:
            simulation.step()
    return simulation.take()


def measured_walker(take: Take, walker: Walker, source: str = "") -> Walker:
    """The walker with the speed, stride frequency and trial of its take. Raises InputError for a take without a whole stride."""
    found, stood_s = measure(take), end_of_walking_s(take)
    if found["mean_speed_m_s"] is None:
        raise InputError(f"The reflex walker fell after {stood_s:.1f} s, before a whole stride could be measured: search for "
                         "longer, or from another walker.")
    rows = (take.time_s > min(MEASURED_FROM_S, 0.5 * stood_s)) & (take.time_s <= stood_s)
    cost = cost_of_transport(take, rows)
    trial = Trial(round(stood_s, 2), take.shot.duration_s, None if cost is None else round(cost, 3),
                  round(0.5 * found["stride_length_m"], 3))
    return replace(walker, speed_m_s=round(found["mean_speed_m_s"], 3), trial=trial, source=source or walker.source,
                   stride_frequency_hz=round(found["stride_frequency_hz"], 3))
