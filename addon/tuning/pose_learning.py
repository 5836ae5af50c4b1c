# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait from key poses that has learned: torques that steady its trunk, from a walk on Earth, stored with it.

Learning changes the speed, so what is asked for beyond the wish is set anew after it; a gait that is to be soft learns firm and
softens little by little, as what was learned carries over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..controllers.pose_gait.controller import PoseGaitController
from ..errors import InputError
from ..maths.quaternions import rotvec_from_quat
from ..simulate import Simulation
from ..specs.pose_gait import CONTROLLERS, PoseGait
from ..specs.pose_learning import Learned, Learning
from ..specs.shot import BodySpec, Shot
from ..take import Take

FIRST_S, ROUND_S, ROUNDS = 40.0, 20.0, 6
"""The learning's first walk, and those after it; after half of them the firmness is the gait's, and the speed stays as set."""
STEADIER = 0.6
"""Share of the trunk's swing before that may be left where what was learned is to do without further learning."""
CHECK_S, NOISE = 15.0, 0.1
MOST_AHEAD_M_S = 1.0

Told = Callable[[float, str], None]


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
    simulation = Simulation(Shot(pose_gait=gait, controller=CONTROLLERS[0], start="standing", duration_s=seconds, body=body,
                                 noise=noise, seed=1))
    try:
        while not simulation.over:
            simulation.step()
        take = simulation.take()
        if take.fell or take.lost is not None:
            raise InputError(f"The gait {gait.name} falls after {float(take.time_s[-1]):.1f} s while it learns: choose one that "
                             "stands, or a greater firmness.")
        controller = simulation.controller
        skill = controller.skill if isinstance(controller, PoseGaitController) else None
        return measured(take, None if skill is None or skill.learner is None else skill.learner.learned())
    finally:
        simulation.close()


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
