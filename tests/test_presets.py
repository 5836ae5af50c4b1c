# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of presets names what there is, with its figures."""

from pathlib import Path

import pytest

from lope.addon.bodies.human.suit import load_suit, suit_names
from lope.addon.motions.library import gait_names
from lope.addon.worlds.planets import load_world, world_names

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "presets.md").read_text(encoding="utf-8").splitlines()
ROWS = {cells[1].strip().strip("`"): cells[2:] for line in PAGE if line.startswith("| `") for cells in [line.split("|")]}


def test_every_world_suit_and_gait_is_on_the_page_and_no_other():
    assert set(ROWS) == {*world_names(), *suit_names(), *gait_names()}


@pytest.mark.parametrize("name", world_names())
def test_gravity_of_the_page_is_the_files(name):
    assert float(ROWS[name][0].split(",")[0]) == pytest.approx(load_world(name).gravity_m_s2, abs=5e-3)


@pytest.mark.parametrize("name", suit_names())
def test_masses_of_the_page_are_the_files(name):
    worn, pack = (float(cell) for cell in ROWS[name][:2])
    suit = load_suit(name)
    carried = suit.pack.mass_kg if suit.pack else 0.0
    assert (worn, pack) == pytest.approx((suit.mass_kg - carried, carried))
