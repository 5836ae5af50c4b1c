# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths on the ground: their points, tangents and curvatures agree, places are found on them, bad points are told."""

import math

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.specs.path import PathSpec
from lope.addon.worlds.paths import Circle, Line, SmoothLine, make_path, offset, tangent

POINTS = ((3.0, 0.0), (5.0, 2.0), (3.0, 5.0))
PATHS = [Line(0.3), Circle(2.0, 0.4), Circle(-1.5, 0.4), SmoothLine(POINTS), SmoothLine(((2.0, 2.0), (0.0, 4.0)), 0.8)]
EACH = pytest.mark.parametrize("path", PATHS, ids=["line", "left", "right", "points", "turned"])


def lengths(path):
    """Lengths from before the start to behind the end, or over two rounds."""
    return np.linspace(-1.0, min(path.length, 25.0) + 1.0, 400)


@EACH
def test_the_tangent_is_the_points_slope_and_curvature_the_headings(path):
    for s in lengths(path):
        slope = (path.point(s + 1e-4) - path.point(s - 1e-4)) / 2e-4
        assert slope == pytest.approx(tangent(path, s), abs=0.02)
    inner = [s for s in lengths(path) if 0.05 < s < path.length - 0.05]
    bends = [(path.heading(s + 0.03) - path.heading(s - 0.03)) / 0.06 for s in inner]
    np.testing.assert_allclose(bends, [path.curvature(s) for s in inner], atol=0.06)
    assert path.tightest[0] == pytest.approx(max(abs(path.curvature(s)) for s in inner), abs=0.02)
    assert abs(path.curvature(path.tightest[1])) == pytest.approx(path.tightest[0])


@EACH
def test_a_place_beside_the_path_is_found_on_it_again(path):
    last = -1.0
    for s in lengths(path):
        for left in (-0.2, 0.3):
            place = path.point(s) + 1j * left * tangent(path, s)
            found = path.locate(place, last)
            assert found == pytest.approx(s, abs=0.01)
            assert offset(path, found, place) == pytest.approx(left, abs=0.003)
        last = s


@EACH
def test_headings_never_jump(path):
    headings = np.array([path.heading(s) for s in lengths(path)])
    assert np.abs(np.diff(headings)).max() < 0.25
    assert path.heading(0.0) == pytest.approx(getattr(path, "heading_rad", headings[0]))


def test_points_are_passed_through_and_the_ends_go_on_straight():
    path = SmoothLine(POINTS)
    for x, y in POINTS:
        assert abs(path.point(path.locate(complex(x, y))) - complex(x, y)) < 0.01
    assert path.point(-2.0) == pytest.approx(-2.0)
    assert path.point(path.length + 2.0) == pytest.approx(complex(*POINTS[-1]) + 2.0 * tangent(path, path.length), abs=1e-6)
    assert path.curvature(path.length - 1e-6) == pytest.approx(0.0, abs=0.02), "no kink at the end"
    assert math.hypot(*POINTS[0]) < path.length < 12.0


@pytest.mark.slow
def test_a_path_that_crosses_itself_is_followed_where_the_walker_was():
    path = SmoothLine(((4.0, 0.0), (6.0, 2.0), (4.0, 4.0), (2.0, 2.0), (2.0, -3.0)))
    early, late = ([s for s in np.arange(*part, 0.01) if path.point(s).real <= 2.2] for part in ((0.0, 4.0), (10.0, 17.0)))
    gaps = np.abs([[path.point(a) - path.point(b) for b in late] for a in early])
    row, column = np.unravel_index(gaps.argmin(), gaps.shape)
    assert gaps.min() < 0.02, "it crosses itself there"
    for s in (early[row], late[column]):
        assert path.locate(path.point(s), s - 0.3) == pytest.approx(s, abs=0.02)


def test_a_whole_round_counts_on():
    for radius in (2.0, -2.0):
        path, s = Circle(radius), 0.0
        for angle in np.linspace(0.0, 4.0 * math.pi, 100):
            s = path.locate(path.centre - 1j * radius * np.exp(1j * math.copysign(angle, radius)), s)
        assert s == pytest.approx(8.0 * math.pi)
        assert path.heading(s) == pytest.approx(math.copysign(4.0 * math.pi, radius))


def test_specs_make_their_paths():
    assert make_path(PathSpec(heading_deg=90.0)).point(2.0) == pytest.approx(2j)
    assert make_path(PathSpec("circle", radius_m=-3.0)).curvature(1.0) == pytest.approx(-1.0 / 3.0)
    assert make_path(PathSpec("circle"), 4.0).tightest == (0.25, 0.0)
    assert make_path(PathSpec("points", points_m=POINTS)).length > 8.0
    assert make_path(PathSpec("points", 45.0, points_m=POINTS)).heading(0.0) == pytest.approx(math.pi / 4.0)


@pytest.mark.parametrize(("spec", "words"), [
    (PathSpec("circle"), "this gait has none"),
    (PathSpec("points", points_m=((0.0, 0.01), (0.02, 0.0))), "All points of the path lie within 0.05 m of the origin"),
])
def test_bad_paths_are_told(spec, words):
    with pytest.raises(InputError, match=words):
        make_path(spec)


def test_of_points_on_each_other_one_is_taken_and_the_last_one_stays():
    path = make_path(PathSpec("points", points_m=((0.0, 0.01), (1.0, 0.0), (1.01, 0.0), (2.0, 0.0), (2.0, 0.03))))
    assert path.point(path.length) == pytest.approx(2.0 + 0.03j)
    assert path.length == pytest.approx(2.0, abs=0.01)
