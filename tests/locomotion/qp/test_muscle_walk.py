# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole walk by muscles, pushed on the way, and a run: they stand, at their speed, on next to nothing but their muscles."""

import numpy as np
import pytest

from lope.addon.reports.effort import MET_W_KG
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import Push, Shot

pytestmark = pytest.mark.slow


@pytest.mark.acceptance
def test_a_run_by_muscles_of_twice_the_force_stands_and_goes_at_its_speed():
    take = simulate(Shot(motion=Gait("run", speed_m_s=3.0, law="people"), duration_s=4.0, actuation=Actuation()))
    assert not take.fell and take.stats["qp_fallbacks"] == 0
    assert take.shot.actuation.strength == 2.0 and "2 times" in take.stats["changed"]
    met = take.channels["metabolic_rate"].values.mean() / take.body.bare_mass_kg / MET_W_KG
    assert met < 26.0, "before effort weighed what muscles spend it was 30"
    assert take.stats["reserve_nm_rms"] < 6.0, "what muscles do not give has grown"
    went_m = take.com_m[-1, 0] - take.com_m[0, 0]
    np.testing.assert_allclose(went_m / take.time_s[-1], 3.0, rtol=0.1)


@pytest.mark.acceptance
def test_a_walk_by_muscles_takes_a_push_from_the_side_and_goes_on():
    push = Push(start_s=2.0, duration_s=0.2, force_n=(0.0, 80.0, 0.0))
    take = simulate(Shot(duration_s=5.0, pushes=(push,), actuation=Actuation()))
    assert not take.fell and take.stats["qp_fallbacks"] == 0
    assert take.stats["reserve_nm_rms"] < 1.5, "what muscles do not give has grown"
    activation = take.channels["activation"].values
    assert activation.min() >= 0.0 and activation.max() <= 1.0 and activation.mean() < 0.2
    met = take.channels["metabolic_rate"].values.mean() / take.body.bare_mass_kg / MET_W_KG
    assert met < 6.9, "people: 3 to 3.5; before effort weighed what muscles spend it was 8"
    went_m = take.com_m[-1, 0] - take.com_m[0, 0]
    np.testing.assert_allclose(went_m / take.time_s[-1], take.stats["planned_speed_m_s"], rtol=0.06)
