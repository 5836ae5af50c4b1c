# SPDX-License-Identifier: GPL-3.0-or-later
"""The second stage: the controller's own gains, searched for robustness over many shots, or for one clip (Lee 2014 tuned by
hand). Every positive number of the settings is an unknown on a logarithmic scale, except the few that are no gains. One cost over
pushes, noise on the start, several speeds and gravities: time not survived, error of speed, slip, stretched knees."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..errors import InputError
from ..locomotion.motion_gains import FORMAT, SCHEMA, motion_gains
from ..locomotion.registry import BUILT_IN, find_controller
from ..locomotion.settings import Values
from ..reports.measures import measure
from ..sim.simulation import preview, simulate
from ..sim.take import Take
from ..specs.motions import Gait
from ..specs.settings import settings_of
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Push, Shot, World
from .search import Evaluation, Result, Run, SingleProblem, summed

FALL, MISSING = 2.0, 10.0
"""Penalty of a fall, and of all the time after it where that is the whole shot."""
SPEED_UNIT, SLIP_UNIT_MM, STRETCH_UNIT = 0.05, 10.0, 0.05
"""Relative error of speed, slip a stride, and fraction of the time with a stretched knee that cost 1 each."""
STRETCHED_RAD = math.radians(4.0)
"""A knee straighter than this while its foot carries weight cannot give way."""
STRAYING = 0.01
"""Penalty on the squared distance from the present gains: what does not matter stays."""
PUSH_S, PUSH_STRIDES, GOLDEN = 0.2, 3.0, 0.381966
"""Length of a push, strides from push to push; the golden section spreads their phases over the cycle."""


@dataclass(frozen=True)
class Case:
    """One shot of the cost: gravity over the Earth's, speed over the gait's own, pushes (impulse over mass [m/s], how many),
    strides without pushes, noise on the start."""

    gravity: float
    speed: float = 1.0
    push_m_s: float = 0.0
    pushes: int = 0
    strides: float = 8.0
    noise: float = 0.0


CASES = (Case(1.0, push_m_s=0.40, pushes=6), Case(0.165, push_m_s=0.24, pushes=5), Case(2.53, push_m_s=0.25, pushes=4),
         Case(1.0, speed=0.75, noise=0.1), Case(1.0, speed=1.2, noise=0.1), Case(0.38, speed=1.1, noise=0.1),
         Case(0.08, noise=0.1, strides=6.0), Case(1.7, speed=0.9, noise=0.1))
"""The hardest first, so that bad gains are given up soon. Pushed humans take 0.35 to 0.52 m/s on Earth."""


def gait_shot(gait: str, controller: str = Gait().controller) -> Shot:
    """The shot of a gait that the cases are made from. Raises InputError for a controller that knows of nothing to search."""
    shot = Shot(motion=Gait(gait, controller=controller, tuned=False, force=True))
    if not find_controller(controller).searched(shot):
        raise InputError(f"The controller {controller} has no gains to search for a gait: choose another controller.")
    return shot


def case_shot(base: Shot, case: Case, seed: int) -> Shot:
    """The shot of a case. Raises LopeError for a gait that cannot be simulated there."""
    base = replace(base, world=World("custom", round(case.gravity * EARTH_GRAVITY_M_S2, 6)), noise=case.noise, seed=seed)
    own = preview(base)
    if own is None:
        raise InputError(f"The controller {base.controller} plans no gait, whose speed the cases could be made from.")
    stride_s, mass = 1.0 / own.stride_frequency_hz, BodySpec().mass_kg
    pushes = []
    for i in range(case.pushes):
        start = stride_s * (PUSH_STRIDES * (i + 1) + GOLDEN * i % 1.0)
        angle = math.pi * (0.5 + 0.75 * i)  # left, back and right by turns, then the other four of eight directions
        force = mass * case.push_m_s / PUSH_S
        pushes.append(Push(start, PUSH_S, (force * math.cos(angle), force * math.sin(angle), 0.0)))
    strides = PUSH_STRIDES * (case.pushes + 2) if pushes else case.strides
    speed = case.speed * own.speed_m_s
    return replace(base.with_motion(speed_m_s=speed), duration_s=strides * stride_s, pushes=tuple(pushes))


@dataclass(frozen=True)
class Gain:
    """One unknown: a field of a group of settings, its present value and its range."""

    SPREAD: ClassVar[float] = 0.35
    """Logarithm of the factor that one unit of the search stands for."""

    group: str
    name: str
    value: float
    low: float = 0.0
    high: float = math.inf

    def at(self, z: float) -> float:
        """Its value where the search stands at z."""
        return min(max(self.value * math.exp(self.SPREAD * z), self.low), self.high)


def unknown_gains(groups: Mapping[str, Any], unknown: type[Gain] = Gain) -> tuple[Gain, ...]:
    """The unknowns in groups of settings, in their order, each an `unknown`: positive numbers that a search may vary."""
    found = []
    for group, present in groups.items():
        kind: type = type(present)
        for name, told in settings_of(kind).items():
            value = getattr(present, name)
            if told.searched and isinstance(value, float) and value > 0.0:
                found.append(unknown(group, name, value, 0.0 if told.low is None else told.low,
                                  math.inf if told.high is None else told.high))
    return tuple(found)


@dataclass(frozen=True)
class GainProblem(SingleProblem):
    """Search of gains over shots."""

    gains: tuple[Gain, ...]
    shots: tuple[Shot, ...]

    bound = 3.0
    falls_once = False
    """Whether gains that fall as it is are not tried on what is harder."""

    @property
    def size(self) -> int:
        return len(self.gains)

    def take_cost(self, take: Take) -> float:
        return shot_cost(take)

    def values(self, x: np.ndarray) -> dict[str, dict[str, float]]:
        """The gains of the search's unknowns, group by group, to four digits."""
        out: dict[str, dict[str, float]] = {}
        for gain, z in zip(self.gains, x, strict=True):
            out.setdefault(gain.group, {})[gain.name] = float(f"{gain.at(float(z)):.4g}")
        return out

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost summed over the shots, given up when it exceeds the limit; what the shots set beside the gains stays."""
        found, lost, ended = self.values(x), list[str](), False

        def cost_of(case: tuple[int, Shot]) -> float:
            nonlocal ended
            number, shot = case
            if ended and self.falls_once:
                return FALL + MISSING
            take = simulate(replace(shot, gains=_with(shot.gains, found)))
            ended = take.fell or take.lost is not None
            lost.extend([] if take.lost is None else [f"shot {number}: {take.lost}"])
            return self.take_cost(take)

        cost, costs = summed(STRAYING * float(np.square(x).sum()), tuple(enumerate(self.shots, 1)), limit, cost_of)
        return Evaluation(cost, cost, len(costs) == len(self.shots), {"shots": costs, **({"lost": lost} if lost else {})})


def missing_cost(take: Take) -> float:
    """Cost of a fall, or of a simulation that the engine lost: by the time that is missing."""
    if not take.fell and take.lost is None:
        return 0.0
    end_s = take.stats["time_fell_s"] if take.fell else float(take.time_s[-1])
    return FALL + MISSING * (1.0 - min(end_s / take.shot.duration_s, 1.0))


def shot_cost(take: Take) -> float:
    """Cost of one take."""
    cost, found = missing_cost(take), measure(take)
    if found["mean_speed_m_s"] is not None:
        cost += abs(found["mean_speed_m_s"] / found["planned_speed_m_s"] - 1.0) / SPEED_UNIT
    if found["foot_slip_mm_per_stride"] is not None:
        cost += found["foot_slip_mm_per_stride"] / SLIP_UNIT_MM
    return cost + stretched_fraction(take) / STRETCH_UNIT


def stretched_fraction(take: Take) -> float:
    """Fraction of the feet's loaded time during which their knee is straighter than `STRETCHED_RAD`."""
    knees = [take.body.joint_segments.index(foot.leg[1]) for foot in take.body.feet]
    angle = 2.0 * np.arccos(np.clip(np.abs(take.joint_quaternions[:, knees, 0]), 0.0, 1.0))
    loaded = max(int(take.contact.sum()), 1)
    return float((take.contact & (angle < STRETCHED_RAD)).sum() / loaded)


def tune_gains(gait: str, run: Run, controller: str = Shot().controller, cases: Sequence[Case] = CASES) -> Result:
    """Search a controller's gains for a gait over the cases and write them to the run's file. Raises LopeError for a gait that
    cannot be simulated, InputError for a controller without gains to search."""
    base = gait_shot(gait, controller)
    gains = unknown_gains(find_controller(controller).searched_groups(base))
    problem = GainProblem(gains, tuple(case_shot(base, case, run.plan.seed) for case in cases))
    return _searched(problem, run, {"gait": gait, "controller": controller})


def _searched(problem: GainProblem, run: Run, told: Mapping[str, Any]) -> Result:
    """What a search of gains brings, written with what else is `told` of it."""
    before = run.first(problem, "the present gains")
    search = run.search(problem, before)
    search.go(run.callback)
    report = {**told, "unknowns": problem.size, "shots_before": before.detail["shots"],
              "shots_after": search.best.detail["shots"], "gains": problem.values(search.x),
              "lost_before": before.detail.get("lost", []), "trials_lost": sum(row["lost"] for row in search.log)}
    return run.done(search, report, {"schema": SCHEMA, "format": FORMAT, **report, **search.figures()})


NOISES = (0.0, 0.03)
"""Noise on the start of the shots of one trial: the clip as it is, and one that is a little off."""
JOINT_UNIT_DEG, WAY_UNIT_M, CLIP_SLIP_UNIT_MM = 5.0, 0.3, 20.0
"""What costs 1 each: error of the joints, distance from the clip's way, slip a step."""


@dataclass(frozen=True)
class WideGain(Gain):
    """An unknown of which little is known: gains of one motion are a tenth or ten times those of another."""

    SPREAD: ClassVar[float] = 0.8


@dataclass(frozen=True)
class ClipGainProblem(GainProblem):
    """Search of the gains of one clip."""

    falls_once = True

    def take_cost(self, take: Take) -> float:
        return clip_cost(take)


def _with(given: Values | None, found: Values) -> dict[str, dict[str, float]]:
    """Settings that are given, with those that were found in their places."""
    own = {group: dict(values) for group, values in (given or {}).items()}
    for group, values in found.items():
        own.setdefault(group, {}).update(values)
    return own


def clip_cost(take: Take) -> float:
    """Cost of one take of a followed clip: the time missing after a fall, and how far body and feet were from the clip."""
    cost, found = missing_cost(take), measure(take)
    for name, unit in (("joint_error_rms_deg", JOINT_UNIT_DEG), ("com_off_plan_m_mean", WAY_UNIT_M),
                       ("foot_slip_mm_per_step", CLIP_SLIP_UNIT_MM)):
        if found[name] is not None:
            cost += found[name] / unit
    return cost


def clip_problem(shot: Shot, seed: int) -> ClipGainProblem:
    """The search of a shot's clip, from its stored gains and the shot's own on. Raises InputError for a controller that has the
    same gains for every clip."""
    controller = find_controller(shot.controller)
    if not controller.per_motion:
        others = [name for name in BUILT_IN if find_controller(name).per_motion]
        raise InputError(f"The controller {controller.name} has the same gains for every clip; those of "
                         f"{' and '.join(others)} are searched clip by clip: choose it with --controller.")
    groups = {name: group for name, group in controller.changed(motion_gains(shot)).items() if name in controller.searched(shot)}
    gains = unknown_gains(groups, WideGain)
    return ClipGainProblem(gains, tuple(replace(shot, noise=noise, seed=seed) for noise in NOISES))


def tune_clip(shot: Shot, run: Run, told: Mapping[str, Any] | None = None) -> Result:
    """Search the gains of a shot's clip and write them to the run's file, with what else is `told` of them. Raises InputError for
    a shot that follows no clip, LopeError for one that cannot be simulated."""
    named = {"controller": shot.controller, **(told or {}), "world": shot.world.name, "engine": shot.engine}
    return _searched(clip_problem(shot, run.plan.seed), run, named)
