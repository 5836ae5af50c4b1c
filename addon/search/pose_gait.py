# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a gait from key poses: its angles, times and balance gains, for robustness, speed and soft steps in one cost.
Learning changes the speed, so what is asked for beyond the wish is set anew after it; a gait that is to be soft learns firm and
softens little by little, as what was learned carries over."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InputError
from ..locomotion.key_poses.controller import PoseGaitController
from ..maths.rotations import rotvec_from_quat
from ..reports.events import treading
from ..reports.needs import cost_of_transport
from ..reports.strides import weight_n
from ..sim.simulation import Simulation
from ..sim.take import Take
from ..specs.motions import KeyPoses
from ..specs.path import GroundSpec
from ..specs.pose_gait import Learned, Learning, PoseGait, PoseState, pose_gait_file
from ..specs.settings import settings_of
from ..specs.shot import BodySpec, Push, Shot, World
from .gait_cost import EFFORT, GAIT, TYPICAL
from .search import Evaluation, Result, Run, SingleProblem, Told, summed

UNITS = {"swing_hip": 0.1, "swing_hip_outward": 0.03, "swing_knee": 0.15, "swing_ankle": 0.1, "stance_knee": 0.1,
         "stance_ankle": 0.08, "torso": 0.04, "lasts_s": 0.03, "cd": 0.12, "cv": 0.06, "cd_outward": 0.12, "cv_outward": 0.06}
"""What one unit of the search stands for, field by field of a state [rad, s, rad/m, rad s/m]."""
AHEAD_UNIT = 0.15
FALL, MISSING = 4.0, 20.0
"""Penalty of a fall, and of all the time after it where that is the whole shot."""
SPEED_UNIT_M_S, PEAK_UNIT, PEAK_FREE = 0.1, 0.5, 2.0
"""Error of the mean speed that costs 1; the force's peak over the weight that costs 1 more, from a free one on."""
STRAYING = 0.03
"""Penalty on the squared distance from the poses as they are: a gait is to stay the one that was posed."""
SETTLE_S = 3.0
HEEL_FIRST_S, TOES_LAST_S, TREAD_UNIT_S = 0.03, 0.1, 0.03
BOTH_FEET, BOTH_FEET_UNIT, FLIGHT_FREE = 0.15, 0.03, 0.02
"""People land on the heel and leave by the toes, and are on both feet a fifth to a third of the time; a gait that flies more
than a little does as it likes."""
ROLL_FREE_RAD, ROLL_UNIT_RAD, APART_M, APART_UNIT_M = 0.05, 0.03, 0.05, 0.03
"""A chest that rolls, rms, and ankles that come nearer to each other sideways than this (legs do not meet each other)."""
GAINS = {"cd": (0.1, 1.0), "cv": (0.05, 0.4), "cd_outward": (0.1, 1.0), "cv_outward": (0.05, 0.4)}
"""A search keeps gains within these, or where they were: outside it finds gaits that stand in its own shots alone."""
EFFORT_WEIGHT = 4.0
"""Of effort a metre, over that of the walk on Earth, where it is sought (first guess)."""
PUSH_S, PUSH_M_S, GAP_S = 0.4, 0.5, 3.1
"""A push, the speed that it would give the body [m/s]: 94 N on 75 kg; and the time between them, no whole number of steps."""
SHORTEST_S = 0.05
"""A state that ends by time lasts no less."""


def held(name: str, value: float, low: float = -math.inf, high: float = math.inf) -> float:
    """A state's value within its field's range and the one that is given, to three digits behind the point."""
    told = settings_of(PoseState)[name]
    low, high = max(low, -math.inf if told.low is None else told.low), min(high, math.inf if told.high is None else told.high)
    return round(min(max(value, low), high), 3)


def unknowns_of(gait: PoseGait, names: Iterable[str]) -> list[tuple[int, str]]:
    """State and field of what may be searched of a gait's states; the time of a state that ends otherwise is none of it."""
    return [(i, name) for i, state in enumerate(gait.states) for name in names if name != "lasts_s" or state.lasts_s]


@dataclass(frozen=True)
class PoseGaitProblem(SingleProblem):
    """Search around a gait: unknowns are what its states draw to (what is zero time or a foot's touch-down stays), their gains,
    and how much more speed is asked for."""

    gait: PoseGait
    shots: tuple[Shot, ...]

    bound = 3.0

    @property
    def unknowns(self) -> list[tuple[int, str]]:
        """State and field of each unknown but the last, which is `ahead_m_s`."""
        return unknowns_of(self.gait, UNITS)

    @property
    def size(self) -> int:
        return len(self.unknowns) + 1

    def gait_at(self, x: np.ndarray) -> PoseGait:
        changes: list[dict[str, Any]] = [{} for _ in self.gait.states]
        for (i, name), z in zip(self.unknowns, x[:-1].tolist(), strict=True):
            own = getattr(self.gait.states[i], name)
            low, high = GAINS.get(name, (SHORTEST_S if name == "lasts_s" else -math.inf, math.inf))
            changes[i][name] = held(name, own + UNITS[name] * z, min(low, own), max(high, own))
        states = tuple(replace(state, **changed) for state, changed in zip(self.gait.states, changes, strict=True))
        return replace(self.gait, states=states, ahead_m_s=round(self.gait.ahead_m_s + AHEAD_UNIT * float(x[-1]), 3))

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost summed over the shots, given up when it exceeds the limit."""
        gait = self.gait_at(x)
        cost, costs = summed(STRAYING * float(np.square(x).sum()), self.shots, limit,
                             lambda shot: self.take_cost(take_of(shot.with_motion(gait=gait))))
        return Evaluation(cost, cost, len(costs) == len(self.shots), {"shots": costs})

    def take_cost(self, take: Take) -> float:
        return shot_cost(take)


@dataclass(frozen=True)
class EasyPoseGaitProblem(PoseGaitProblem):
    """The same for a gait that costs little effort a metre too."""

    objective: str = EFFORT

    def take_cost(self, take: Take) -> float:
        """What a take costs, and its effort a metre; one that went nowhere counts as dear."""
        rows = take.time_s > min(SETTLE_S, 0.5 * float(take.time_s[-1]))
        found = cost_of_transport(take, rows)
        own = 2.0 * TYPICAL["transport"] if found is None else found / take.shot.world.gravity_m_s2
        return shot_cost(take) + EFFORT_WEIGHT * own / TYPICAL["transport"]


def take_of(shot: Shot) -> Take:
    """The take of a shot up to its end or a fall."""
    with Simulation(shot) as simulation:
        simulation.run_to(shot.duration_s)
        return simulation.take()


def shot_cost(take: Take) -> float:
    """Cost of one take: a fall by the time that is missing, the mean speed's error, and once it is under way the ground force's
    peak where it is pushed, else how it looks."""
    shot, motion, cost = take.shot, take.shot.motion, 0.0
    if take.fell or take.lost is not None:
        cost += FALL + MISSING * (1.0 - min(float(take.time_s[-1]) / shot.duration_s, 1.0))
    rows = take.time_s > min(SETTLE_S, 0.5 * float(take.time_s[-1]))
    if not isinstance(motion, KeyPoses) or rows.sum() < 3:
        return cost
    way = take.com_m[rows][-1, :2] - take.com_m[rows][0, :2]
    speed = way / max(float(np.ptp(take.time_s[rows])), 1e-6)
    wished = motion.gait.speed_m_s if motion.speed_m_s is None else motion.speed_m_s
    off_m_s = float(np.hypot(speed[0] - wished, speed[1] - motion.gait.sideways_m_s))
    cost += off_m_s / SPEED_UNIT_M_S * (0.3 if shot.pushes else 1.0)
    if shot.pushes:
        peak = float((take.grf_n[rows, :, 2].sum(axis=1) / weight_n(take)[rows]).max())
        return cost + max(peak - PEAK_FREE, 0.0) / PEAK_UNIT
    return cost + looks_cost(take, float(take.time_s[rows][0]))


def looks_cost(take: Take, from_s: float) -> float:
    """Cost of how a gait looks from a time on: the force's peak, a trunk that sways, feet that pass through each other, and of a
    gait without flight feet that land flat or on toes, leave flat, or hardly stand together."""
    found = treading(take, from_s)
    if found is None:
        return 0.0
    cost = max(found.peak - PEAK_FREE, 0.0) / PEAK_UNIT + max(found.roll - ROLL_FREE_RAD, 0.0) / ROLL_UNIT_RAD
    cost += max(APART_M - found.apart_m, 0.0) / APART_UNIT_M
    if found.flight > FLIGHT_FREE:
        return cost
    return cost + (max(HEEL_FIRST_S - found.heel_first_s, 0.0) + max(TOES_LAST_S - found.toes_last_s, 0.0)) / TREAD_UNIT_S + max(
        BOTH_FEET - found.double_support, 0.0) / BOTH_FEET_UNIT


def pose_gait_shots(gait: PoseGait, seed: int = 0) -> tuple[Shot, ...]:
    """The shots of the cost: a disturbed start, and pushes from four sides, on Earth with the standard body, on the slope
    that the gait was made for."""
    ground = GroundSpec(kind="slope", slope_deg=gait.slope_deg) if gait.slope_deg else GroundSpec()
    base = Shot(motion=KeyPoses(gait, start="standing"), duration_s=9.0, noise=0.1, seed=seed, world=World(ground=ground))
    force = base.body.mass_kg * PUSH_M_S / PUSH_S
    pushes = tuple(Push(SETTLE_S + GAP_S * i, PUSH_S, (force * math.cos(angle), force * math.sin(angle), 0.0))
                   for i, angle in enumerate((0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi)))
    return (base, replace(base, pushes=pushes, duration_s=SETTLE_S + 4.0 * GAP_S, seed=seed + 1))


def tune_pose_gait(gait: PoseGait, run: Run, objective: str = GAIT) -> Result:
    """Search around a gait from key poses and write the best. Raises LopeError for one that cannot be simulated."""
    kind = EasyPoseGaitProblem if objective == EFFORT else PoseGaitProblem
    problem = kind(gait, pose_gait_shots(gait, run.plan.seed))
    before = run.first(problem, "the gait as it is")
    search = run.search(problem, before)
    search.go(run.callback)
    best = replace(problem.gait_at(search.x), name=run.out.stem, source=f"{gait.source}; searched for pushes, speed and soft "
                   f"steps{' at little effort' if objective == EFFORT else ''}")
    report = {"pose_gait": gait.name, "objective": objective, "unknowns": problem.size,
              "shots_before": before.detail["shots"], "shots_after": search.best.detail["shots"]}
    return run.done(search, report, pose_gait_file(best))


FIRST_S, ROUND_S, ROUNDS = 40.0, 20.0, 6
"""The learning's first walk, and those after it; after half of them the firmness is the gait's, and the speed stays as set."""
STEADIER = 0.6
"""Share of the trunk's swing before that may be left where what was learned is to do without further learning."""
CHECK_S, NOISE = 15.0, 0.1
MOST_AHEAD_M_S = 1.0


@dataclass(frozen=True)
class Walked:
    """What a walk was like in its second half: its speed [m/s], how far the trunk swings [deg], from least to most about the
    side axis and as a root mean square about all, and the share of feedback in the trunk's moment, by squares."""

    speed_m_s: float
    swing_deg: float
    rms_deg: float
    feedback_share: float | None
    learned: Learned | None


def walked(gait: PoseGait, seconds: float, body: BodySpec, noise: float = 0.0) -> Walked:
    """A walk on Earth, from standing. Raises InputError where it falls."""
    shot = Shot(motion=KeyPoses(gait, start="standing"), duration_s=9.0, body=body, noise=noise, seed=1)
    with Simulation(shot) as simulation:
        while not simulation.over:
            simulation.step()
        take = simulation.take()
        if take.fell or take.lost is not None:
            raise InputError(f"The gait {gait.name} falls after {float(take.time_s[-1]):.1f} s while it learns: choose one that "
                             "stands, or a greater firmness.")
        controller = simulation.controller
        skill = controller.skill if isinstance(controller, PoseGaitController) else None
        return measured(take, None if skill is None or skill.learner is None else skill.learner.learned())


def measured(take: Take, learned: Learned | None = None) -> Walked:
    """What a take was like in its second half."""
    rows = take.time_s > 0.5 * take.time_s[-1]
    speed = float(np.ptp(take.com_m[rows, 0]) / np.ptp(take.time_s[rows])) * np.sign(take.com_m[-1, 0] - take.com_m[rows][0, 0])
    turn = np.degrees([rotvec_from_quat(quaternion) for quaternion in take.segment_poses[1][rows, 0]])
    turn[:, 2] -= np.degrees(take.plan_heading_rad[rows])
    share = None
    if "learned_trunk_nm" in take.channels:
        known, given = (np.square(take.channels[name].values[rows]).sum() for name in ("learned_trunk_nm", "feedback_trunk_nm"))
        share = float(given / known) if known else None
    return Walked(float(speed), float(np.ptp(turn[:, 1])), float(np.sqrt(np.square(turn).sum(axis=1).mean())), share, learned)


def learn(gait: PoseGait, body: BodySpec, told: Told | None = None) -> tuple[PoseGait, dict[str, Any]]:
    """The gait with what it has learned and the speed set anew, and what it was like before and after. Raises InputError where
    it falls on the way."""
    learning, firmness = gait.learning or Learning(), gait.firmness
    if told:
        told(0.0, "the gait as it is")
    before = walked(replace(gait, learning=None, firmness=max(firmness, 1.0)), CHECK_S, body)
    found, total = gait, FIRST_S + ROUNDS * ROUND_S + CHECK_S
    for i in range(ROUNDS + 1):
        if told:
            told((CHECK_S + i * ROUND_S) / total, "learning")
        share = min(2.0 * i / ROUNDS, 1.0)
        now = 1.0 + share * (firmness - 1.0) if firmness < 1.0 else firmness
        walk = walked(replace(found, learning=learning, firmness=now), ROUND_S if i else FIRST_S, body)
        found = replace(found, learned=walk.learned)
        if i <= ROUNDS // 2:
            ahead = found.ahead_m_s + gait.speed_m_s - walk.speed_m_s
            low, high = gait.ahead_m_s - MOST_AHEAD_M_S, gait.ahead_m_s + MOST_AHEAD_M_S
            found = replace(found, ahead_m_s=round(min(max(ahead, low), high), 3))
    found, after = _checked(replace(found, learning=None), learning, before, body)
    return found, {"pose_gait": gait.name, "firmness": firmness, "ahead_m_s": found.ahead_m_s,
                   "goes_on_learning": found.learning is not None,
                   "speed_before_m_s": before.speed_m_s, "speed_after_m_s": after.speed_m_s,
                   "trunk_swing_before_deg": before.swing_deg, "trunk_swing_after_deg": after.swing_deg,
                   "trunk_rms_before_deg": before.rms_deg, "trunk_rms_after_deg": after.rms_deg,
                   "feedback_share": after.feedback_share}


def _checked(found: PoseGait, learning: Learning, before: Walked, body: BodySpec) -> tuple[PoseGait, Walked]:
    """The gait as it is stored, and what it is like from a disturbed start: with learning left on where it needs that."""
    try:
        after = walked(found, CHECK_S, body, NOISE)
        if after.rms_deg <= STEADIER * before.rms_deg:
            return found, after
    except InputError:  # a soft trunk may need what it goes on to learn
        pass
    found = replace(found, learning=learning)
    return found, walked(found, ROUND_S, body, NOISE)
