# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk by muscles begins as the one by torques does: in mid stride, and nothing jerks."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.sim.simulation import Simulation
from lope.addon.specs.muscles import TENDONS, Actuation
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow

SHOT = Shot(duration_s=1.0)
FIRST_S = 0.025
"""Before a foot comes down."""


def rates(shot):
    """Times (k,) [s] and joints' rates (k, nv - 6) of the first control steps."""
    simulation, times, found = Simulation(shot), [], []
    while simulation.time_s + simulation.control_step_s < FIRST_S + 1e-9:
        simulation.step()
        times.append(simulation.time_s)
        found.append(simulation.engine.qvel[6:].copy())
    simulation.close()
    return np.array(times), np.array(found)


@pytest.mark.parametrize("tendon", TENDONS)
def test_nothing_jerks_at_the_start(tendon):
    (times, by_torques), (own_times, by_muscles) = rates(SHOT), rates(replace(SHOT, actuation=Actuation(tendon=tendon)))
    then = np.array([np.interp(own_times, times, column) for column in by_torques.T]).T  # its steps are longer
    assert np.abs(by_muscles - then).max() < 1.5
    assert np.abs(np.diff(by_muscles, axis=0)).max() < 1.5
