# SPDX-License-Identifier: GPL-3.0-or-later
"""How the trunk leans in a jump. The whole body's angular momentum is what the ground gave: none in the squat, in the push-off so
much as rights the trunk until the take-off, and then that with which the body lands leaning as in a squat. The lean is what
makes planned feet and arms go with it, step by step."""

from __future__ import annotations

import numpy as np

from .plan import OFF_LEAN_RAD, STEP_S, JumpPlan, Legs, feet_at

EVERY, REFRESH = 2, 8
"""Of the rows every so many are looked at for the trunk's lean, and after so many of these how lean and momentum go together."""
TRY_RAD, TRY_KG_M2_S = 0.02, 4.0
SPARING_RAD, LANDS_MORE = 0.1, np.array([[1.0], [10.0]])
"""A lean at take-off that is so much off is as bad as a push-off that turns the body by as much as is tried first; the lean at
the landing weighs so many times more."""


def lean_through(plan: JumpPlan, legs: Legs) -> None:
    """Find how the trunk leans, and the angular momentum with which it is upright at the take-off and leans as in a squat at the
    landing."""
    last = len(plan.pitch) - 1
    wanted = np.array([OFF_LEAN_RAD, legs.squats(plan.lands_m)])

    def missed(turns: np.ndarray) -> np.ndarray:
        plan.swing, plan.momentum = turns.tolist()
        _lean(plan, legs)
        return plan.lean[[last, -1]] - wanted

    turns = np.zeros(2)
    off = missed(turns)
    slopes = np.stack([missed(TRY_KG_M2_S * one) - off for one in np.eye(2)], axis=1) / TRY_KG_M2_S
    for _ in range(2):
        rows = np.vstack([slopes * LANDS_MORE, [SPARING_RAD / TRY_KG_M2_S, 0.0]])
        values = np.append(off * LANDS_MORE[:, 0], SPARING_RAD / TRY_KG_M2_S * turns[0])
        turns = turns - np.linalg.lstsq(rows, values, rcond=None)[0]
        off = missed(turns)


def _lean(plan: JumpPlan, legs: Legs) -> None:
    """How the trunk leans with the angular momentum that the plan has."""
    poses, step_s, lean, slope, found, before = legs.poses, EVERY * STEP_S, 0.0, 1.0, [], None
    rows = range(0, plan.height_m.shape[1], EVERY)
    for i in rows:
        time_s, com = i * STEP_S, (float(plan.ahead_m[0, i]), 0.0, float(plan.height_m[0, i]))
        poses.swing(*plan.arms(time_s))
        feet = feet_at(plan, legs, time_s, com)
        if before is not None:
            turns = poses.pitching(before, poses.placed(com, lean, feet), step_s)
            if len(found) % REFRESH == 1:
                slope = (poses.pitching(before, poses.placed(com, lean + TRY_RAD, feet), step_s) - turns) / TRY_RAD
            lean += (plan.turning(time_s)[0] - turns) / slope
        before = poses.placed(com, lean, feet)
        found.append([lean, *poses.root_m.tolist()])
    table = np.array([np.interp(np.arange(plan.height_m.shape[1]), rows, row) for row in np.array(found).T])
    plan.lean, plan.root = table[0], table[1:]
