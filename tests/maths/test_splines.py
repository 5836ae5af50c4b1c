# SPDX-License-Identifier: GPL-3.0-or-later
"""Splines of our own are scipy's to the last bit."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

from lope.addon.maths.splines import monotone, periodic_spline

AT = np.linspace(-2.3, 3.1, 4321)


@pytest.mark.parametrize("n", [4, 5, 7, 30])
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_a_periodic_spline_is_scipys(n, shape):
    rng = np.random.default_rng(n)
    knots, values = np.cumsum(rng.uniform(0.01, 0.4, n)), rng.normal(size=(n, *shape))
    values[-1] = values[0]
    ours, theirs = periodic_spline(knots, values), CubicSpline(knots, values, bc_type="periodic")
    assert ours.coefficients.tobytes() == theirs.c.tobytes()
    for at in (AT, knots, AT.reshape(29, -1), 0.0, -0.3):
        assert ours(at).shape == theirs(at).shape and ours(at).tobytes() == theirs(at).tobytes()


@pytest.mark.parametrize("n", [3, 4, 12])
def test_a_monotone_curve_is_scipys(n):
    rng = np.random.default_rng(n)
    knots = np.cumsum(rng.uniform(0.01, 0.4, n))
    for values in (np.cumsum(rng.uniform(0.0, 1.0, n)), rng.normal(size=n), np.round(rng.normal(size=n)), np.zeros(n)):
        ours, theirs = monotone(knots, values), PchipInterpolator(knots, values)
        assert ours.coefficients.tobytes() == theirs.c.tobytes() and ours(AT).tobytes() == theirs(AT).tobytes()
