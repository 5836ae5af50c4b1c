# SPDX-License-Identifier: GPL-3.0-or-later
"""Three links fixed at the shoulder: no human body, and the same law on rails."""

import numpy as np
import pytest

from lope.scripts.tools import three_link_arm as figure


@pytest.mark.slow
def test_an_arm_goes_its_way_yields_to_a_ball_and_comes_back():
    _, free, poses, _ = figure.run(None)
    assert np.degrees(np.abs(free)).max() < 0.001 and np.ptp(poses[:, 7]) > 0.5, "it moves"
    times, off, poses, _ = figure.run(3.0)
    most = np.degrees(np.abs(off)).max(axis=1)
    assert most[times < figure.HIT_S - 0.05].max() < 0.001
    assert 20.0 < most.max() < 90.0
    assert most[times > figure.HIT_S + 1.3].max() < 5.0
    np.testing.assert_allclose(poses[:, :7], np.tile(poses[0, :7], (len(poses), 1)), atol=1e-6)
