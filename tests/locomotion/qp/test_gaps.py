# SPDX-License-Identifier: GPL-3.0-or-later
"""Segments kept out of one another: where two lines are nearest, and bounds on how fast a gap closes."""

import mujoco
import numpy as np
import pytest

from engine_kit import BODY, EARTH
from lope.addon.bodies.capsules import leg_pairs
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.locomotion.qp.constraints import Gaps
from lope.addon.maths.curves import closest

pytestmark = pytest.mark.slow


def test_where_two_lines_are_nearest():
    one, other = np.array([[[0.0, 0, 0], [1, 0, 0]]] * 2), np.array([[[0.5, 0.3, -1], [0.5, 0.3, 1]], [[2.0, 0, 0], [3, 1, 0]]])
    points = closest(one, other)
    assert points[0] == pytest.approx(np.array([[0.5, 0, 0], [0.5, 0.3, 0]]))
    assert points[1] == pytest.approx(np.array([[1.0, 0, 0], [2.0, 0, 0]]))


def crossed(inward):
    """A state with both legs turned inward at the hips, and at that rate still."""
    state = BodyState(BODY, build_model(BODY, EARTH))
    qpos, qvel = state.model.qpos0.copy(), np.zeros(state.model.nv)
    for side, out in (("L", 1.0), ("R", -1.0)):
        joint = state.model.joint(f"thigh_{side}")
        qpos[joint.qposadr[0]:joint.qposadr[0] + 4] = [np.cos(0.5 * inward), -out * np.sin(0.5 * inward), 0.0, 0.0]
        qvel[joint.dofadr[0]] = -out
    state.update(qpos, qvel)
    return state, qpos, qvel


def test_a_gap_that_closes_must_be_braked_and_its_row_tells_how_it_changes():
    pair = [(a, b) for a, b in leg_pairs(BODY) if a.segment == "shank_L" and b.segment == "shank_R"]
    assert not len(Gaps(crossed(-0.2)[0], pair, 0.02, 15.0).bounds()[0])
    state, qpos, qvel = crossed(0.05)
    gaps = Gaps(state, pair, 0.02, 15.0)
    rows, least = gaps.bounds()
    closing, before = float(rows[0] @ qvel), gaps._measured()[2].min()
    mujoco.mj_integratePos(state.model, qpos, qvel, 1e-5)
    state.update(qpos, qvel)
    assert closing < -0.3 and least[0] > 0.0 and (gaps._measured()[2].min() - before) / 1e-5 == pytest.approx(closing, rel=1e-2)
