# SPDX-License-Identifier: GPL-3.0-or-later
"""Who takes over after a fall may act more often than who was at work before; the Take's samples stay as far apart."""

import numpy as np
import pytest

from lope.addon.engines.engine import Torques
from lope.addon.locomotion import registry
from lope.addon.locomotion.controller import Controller, Physics
from lope.addon.locomotion.tracking.tracker import CONTROL_STEP_S
from lope.addon.sim.simulation import simulate
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow

FIVE_TIMES = 5


class Counter(Controller):
    """Does nothing, and counts."""

    name, subject, after_fall = "counter", "counting", True

    @classmethod
    def physics(cls, shot):
        return Physics(capsules=True)

    def __init__(self, task):
        self.control_step_s, self.size = task.control_step_s / FIVE_TIMES, task.state.model.nv - 6
        self.sensed_s, self.acts = [], 0

    def start(self, state=None):
        return state

    def sense(self, sensed):
        self.sensed_s.append(sensed.time_s)

    def act(self):
        self.acts += 1
        return Torques(np.zeros(self.size), np.full(self.size, 2.0))

    def fallen(self):
        return False

    def done(self):
        return self.acts >= 100

    def stats(self):
        return {"acts": self.acts, "sensed_s": self.sensed_s}


class CounterListing(registry.Listing):
    def load(self):
        return Counter


def test_a_follower_may_act_more_often(monkeypatch):
    monkeypatch.setitem(registry.BUILT_IN, "counter", CounterListing("counter", "", "", "", after_fall=True))
    shot = Shot(duration_s=4.0, pushes=(Push(0.2, 0.3, (0.0, 900.0, 0.0)),), after_fall="counter")
    take = simulate(shot)
    assert take.stats["acts"] == 100
    sensed = np.array(take.stats["sensed_s"])
    assert sensed[0] == pytest.approx(take.stats["time_fell_s"])
    assert np.diff(sensed) == pytest.approx(CONTROL_STEP_S / FIVE_TIMES)
    assert np.diff(take.time_s) == pytest.approx(CONTROL_STEP_S)
    assert take.time_s[-1] > take.stats["time_fell_s"] + 0.08
