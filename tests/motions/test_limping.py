# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk that spares a sore leg: when its feet strike and stand, and what of the motion stays."""

import numpy as np
import pytest

from lope.addon.motions.library import load_gait
from lope.addon.motions.style import MOST_SPARED, spared_share, sparing
from lope.addon.specs.muscles import Change, Condition, load_condition, mirrored

WALK = load_gait("walk").symmetrised()


def test_only_one_sided_pain_is_spared_the_more_the_more_it_hurts():
    assert spared_share(None) == 0.0 and spared_share(load_condition("waddle")) == 0.0
    sore = [Condition("sore", (Change("pain", "foot", "L", value),)) for value in (1.0, 50.0, 1000.0)]
    shares = [spared_share(one) for one in sore]
    assert shares == sorted(shares) and 0.0 < shares[0] and shares[-1] < MOST_SPARED
    assert spared_share(mirrored(sore[1])) == -shares[1]
    assert spared_share(Condition("sore", (Change("pain", "foot", "both", 50.0),))) == 0.0


def test_the_sore_leg_stands_for_a_shorter_time_and_the_other_for_longer():
    limp = sparing(WALK, 0.1)
    left, right = limp.contact_phases["L"], limp.contact_phases["R"]
    assert left.strike == 0.0 and right.strike == pytest.approx(0.4)
    assert left.stance < WALK.duty_factor - 0.08 and right.stance > WALK.duty_factor + 0.08
    assert limp.duty_factor == pytest.approx(WALK.duty_factor, abs=0.01)


def test_the_poses_are_the_same_at_other_times():
    limp = sparing(WALK, 0.1)
    at = np.array([0.1, 0.3, 0.5, 0.8])
    moved = at - 0.1 * np.sin(np.pi * at) ** 2
    np.testing.assert_allclose(limp.evaluate(moved)[:, 3:], WALK.evaluate(at)[:, 3:], atol=0.03)


def test_nothing_spared_is_the_same_cycle():
    assert sparing(WALK, 0.0) is WALK
