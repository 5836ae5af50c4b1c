# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures made at random: plausible, of all kinds, and each seed's its own."""

import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.feet import leg_length_m, off_soles_m
from lope.scripts.suites.validation.creatures import random_creature

pytestmark = pytest.mark.slow


def test_creatures_at_random_stand_and_are_of_all_kinds():
    drawn = [random_creature(seed) for seed in range(60)]
    assert drawn[7] == random_creature(7) != drawn[8]
    legs = [leg_length_m(creature) for creature in drawn]
    assert 0.5 <= min(legs) < 0.6 and 1.1 < max(legs) <= 1.2
    assert {len(creature.legs[0]) for creature in drawn} == {3, 4}
    for kind in ("neck", "tail"):
        assert {len(creature.of_kind(kind)) for creature in drawn} == set(range(9))
    assert not any(off_soles_m(creature).any() for creature in drawn)
    densities = [make_creature(creature).mass_kg / leg**3 for creature, leg in zip(drawn, legs, strict=True)]
    assert 35.0 < min(densities) and max(densities) < 250.0 and np.std(densities) > 15.0
