# SPDX-License-Identifier: GPL-3.0-or-later
"""What hurts as a part of a search's cost, and where the maps of a condition are kept."""

import dataclasses

import numpy as np
import pytest

from lope.addon.bodies.of_shot import muscles_of
from lope.addon.errors import InputError
from lope.addon.gaits.tuned_maps import TUNING_FOLDER, file_name, tuning_file
from lope.addon.search.gait_cost import EASE, pain_term, weights_for
from lope.addon.sim.take import Channel
from lope.addon.specs.muscles import Actuation, Change, Condition, load_condition
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

TAKE = make_take(Walk())
ALL = np.ones(len(TAKE.time_s), bool)


def in_condition(condition, pull=0.5):
    """A take whose muscles all pull with a share of their greatest force."""
    shot = dataclasses.replace(TAKE.shot, actuation=Actuation(), condition=condition)
    forces = pull * muscles_of(shot, TAKE.body).max_force_n
    return dataclasses.replace(TAKE, shot=shot, channels={"muscle_force": Channel("N", np.tile(forces, (len(ALL), 1)))})


def test_a_sore_foot_hurts_by_its_force_and_a_sore_muscle_by_its_own():
    load = np.linalg.norm(TAKE.grf_n[:, 0], axis=1) / (TAKE.body.mass_kg * 9.81)
    assert pain_term(in_condition(load_condition("painful_limb")), ALL) == pytest.approx((load**2).mean())
    assert pain_term(in_condition(load_condition("painful_calf")), ALL) == pytest.approx(0.25)


def test_nothing_hurts_who_is_healthy_or_only_weak():
    assert pain_term(TAKE, ALL) is None and pain_term(in_condition(load_condition("waddle")), ALL) is None
    assert weights_for(EASE).pain > 0.0


def test_maps_of_a_condition_are_kept_beside_the_healthy_ones():
    assert tuning_file("walk", load_condition("waddle")) == TUNING_FOLDER / "walk-waddle.json"
    assert file_name("walk", None) == "walk"
    with pytest.raises(InputError, match="Maps are kept for conditions as they ship, and own is none: say with --out"):
        file_name("walk", Condition("own", (Change("weak", "hamstrings", "L", 0.5),)))
