# SPDX-License-Identifier: GPL-3.0-or-later
"""Grades of the physics card, and which grade the whole has. Light enough for Blender's panels."""

from __future__ import annotations

from collections.abc import Iterable

GREEN, AMBER, RED, NOT_JUDGED = "green", "amber", "red", "not judged"
ORDER = (NOT_JUDGED, GREEN, AMBER, RED)

WALKED = ("slip", "mean force", "symmetry", "speed")
"""Lines that judge a motion over whole strides: where none of them is judged, nothing is known of the gait."""


def whole_grade(lines: Iterable[tuple[str, str]]) -> str:
    """The grade of a card from its lines' names and grades: the worst; not judged where nothing is wrong and nothing is known of
    the gait either."""
    lines = list(lines)
    worst = max((grade for _, grade in lines), key=ORDER.index, default=NOT_JUDGED)
    known = any(name in WALKED and grade != NOT_JUDGED for name, grade in lines)
    return worst if known or worst != GREEN else NOT_JUDGED
