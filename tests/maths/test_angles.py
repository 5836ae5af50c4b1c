# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles are the same wherever their arguments lie in memory."""

import re
from pathlib import Path

import numpy as np

from lope.addon.maths.rotations import plane_angle

ADDON = Path(__file__).resolve().parents[2] / "addon"
TURNS = np.random.default_rng(0).normal(size=(317, 3, 3))


def test_angles_are_those_of_the_vectors():
    np.testing.assert_allclose(plane_angle(TURNS[:, 1, 0], TURNS[:, 0, 0]),
                               np.angle(TURNS[:, 0, 0] + 1j * TURNS[:, 1, 0]), atol=1e-14)
    assert plane_angle(1.0, 0.0) == 0.5 * np.pi


def test_angles_do_not_depend_on_where_their_arguments_lie():
    found, kept, rng = set(), [], np.random.default_rng(1)
    for _ in range(400):
        kept = [*kept[-50:], np.empty(int(rng.integers(1, 4000)))]
        turns = TURNS.copy()
        found.add(plane_angle(turns[:, 1, 0], turns[:, 0, 0]).tobytes())
    assert len(found) == 1


def test_no_module_takes_the_arctangent_of_numbers_that_lie_apart():
    """By `plane_angle` instead: a Take is to be the same from run to run."""
    rooms = [path for path in ADDON.rglob("*.py") if path.name != "rotations.py"]
    wrong = [f"{path.relative_to(ADDON)}: {line.strip()}" for path in rooms for line in path.read_text("utf-8").splitlines()
             if re.search(r"np\.arctan2\(([^()]*, )?[a-z_.]+\[(\.\.\.|:), ", line)]
    assert wrong == []
