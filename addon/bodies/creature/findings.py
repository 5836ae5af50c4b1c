# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a creature's shape, so that it cannot walk: one clear sentence each."""

from __future__ import annotations

from ...specs.creature import SIDES, Creature

LEG_PARTS = 3, 5
"""Fewest and most parts of a leg, its foot included."""


def creature_findings(creature: Creature) -> list[str]:
    """Why a creature cannot walk, the gravest first; empty where it can."""
    found = []
    legs = creature.legs
    if len(legs) != 2 or sorted(leg[0].side for leg in legs) != list(SIDES):
        found.append(f"The creature {creature.name} has {len(legs)} legs: it needs two, one of the side L and one of the side R.")
    return found
