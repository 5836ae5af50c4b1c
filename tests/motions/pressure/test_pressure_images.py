# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mat and insoles feel of contact points, and what is seen in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.motions.pressure.features import NAMES, features_of
from lope.addon.motions.pressure.feet import foot_masks
from lope.addon.motions.pressure.images import MatGrid, Pressure, as_measured, insole_pressure, mat_pressure, side_by_side
from lope.addon.specs.shot import BodySpec

RATE_HZ = 100.0


@pytest.fixture(scope="module")
def body():
    return make_body(BodySpec())


def standing(body, frames=60, loads=(1.0, 1.0), yaw=0.0, apart_m=0.2):
    """Contact points (T, P, 3) and forces (T, P) of who stands, each foot with its share."""
    place, force = np.zeros((frames, len(body.contact_points), 3)), np.zeros((frames, len(body.contact_points)))
    for foot, side, load in zip(body.feet, (0.5, -0.5), loads, strict=True):
        for row in foot.points:
            point = body.contact_points[row]
            shift = body.segment(point.segment).offset if point.segment != foot.segment else np.zeros(3)
            x, y, _ = point.position + shift
            place[:, row, :2] = (np.cos(yaw) * x - np.sin(yaw) * y, np.sin(yaw) * x + np.cos(yaw) * y + side * apart_m)
            force[:, row] = load * 750.0 / len(foot.points)
    return np.arange(frames) / RATE_HZ, place, force


@pytest.mark.parametrize("loads", [(0.5, 0.5), (0.9, 0.1), (1.0, 0.0)])
def test_the_mat_holds_the_force_and_its_centre(body, loads):
    time_s, place, force = standing(body, loads=loads)
    place[:, :, 0] += 0.3 * time_s[:, None]
    found = mat_pressure(body, time_s, place, force, MatGrid(rate_hz=RATE_HZ))
    centre = np.einsum("tp,tpk->tk", force, place[:, :, :2]) / force.sum(axis=1)[:, None]
    np.testing.assert_allclose(found.force_n, force.sum(axis=1), rtol=1e-3)
    np.testing.assert_allclose(found.centre_m, centre, atol=1e-3)
    slow = mat_pressure(body, time_s, place, force)
    assert slow.rate_hz == 12.0 and len(slow) == 7
    np.testing.assert_allclose(slow.force_n, 750.0, rtol=1e-3)


def test_insoles_hold_each_foots_force(body):
    time_s, _, force = standing(body, loads=(0.7, 0.3))
    left, right = insole_pressure(body, time_s, force)
    assert (left.place, right.place, left.rate_hz) == ("L", "R", 50.0)
    np.testing.assert_allclose(left.force_n, 525.0, rtol=1e-2)
    np.testing.assert_allclose(right.force_n, 225.0, rtol=1e-2)


def test_a_sensor_of_8_bits_clips_and_rounds(body):
    time_s, place, force = standing(body)
    found = mat_pressure(body, time_s, place, force)
    count = 0.5 * found.images.max() / 255.0
    told = as_measured(found, 255.0 * count)
    assert told.images.max() == pytest.approx(255.0 * count)
    np.testing.assert_allclose(told.images / count, np.rint(told.images / count), atol=1e-9)
    assert np.array_equal(as_measured(found, 1e5, 2.0, 7).images, as_measured(found, 1e5, 2.0, 7).images)
    assert not np.array_equal(as_measured(found, 1e5, 2.0, 7).images, as_measured(found, 1e5, 2.0, 8).images)


def walked(body, frames=300):
    """The mat of who stands, leans to the left, lifts the right foot, and puts it down a step behind."""
    time_s, place, force = standing(body, frames=frames)
    right = list(body.feet[1].points)
    force[120:140, right] *= 0.5
    force[140:180, right] = 0.0
    place[150:, right, 0] -= 0.25
    return mat_pressure(body, time_s, place, force)


def test_a_step_back_is_seen_as_one(body):
    seen = dict(zip(NAMES, features_of(walked(body)).T, strict=True))
    assert seen["share_left"][:12] == pytest.approx(0.0, abs=0.02) and seen["share_left"][18] == pytest.approx(0.5, abs=0.02)
    assert seen["left"][18] > 0.08 and seen["area_right"][18] == 0.0
    assert seen["apart_ahead"][24] == pytest.approx(0.25, abs=0.02) and seen["apart_left"][24] == pytest.approx(0.0, abs=0.02)
    assert seen["ahead"][24] == pytest.approx(-0.125, abs=0.02)


@pytest.mark.slow
def test_the_numbers_are_the_persons_own(body):
    found = walked(body)
    heavy = replace(found, images=1.7 * found.images)
    beside = replace(found, origin_m=(1.0, -2.0))
    for other in (heavy, beside):
        np.testing.assert_allclose(features_of(other), features_of(found), atol=1e-9)


@pytest.mark.slow
def test_a_new_stance_is_learned(body):
    seen = features_of(walked(body, 600))
    away = np.abs(seen[:, [4, 5, 6, 7, 8]])
    assert away[24].max() > 0.1 and away[-1].max() < 0.02


@pytest.mark.slow
def test_nothing_is_known_of_what_comes(body):
    found = walked(body)
    later = found.images.copy()
    later[6:] *= 40.0
    struck = features_of(replace(found, images=later))
    np.testing.assert_array_equal(features_of(found)[:6], struck[:6])
    assert not np.array_equal(features_of(found)[6:], struck[6:])


def test_insoles_side_by_side_hold_each_foot(body):
    time_s, _, force = standing(body, frames=100, loads=(0.7, 0.3))
    both = side_by_side(*insole_pressure(body, time_s, force, rate_hz=12.0))
    masks = foot_masks(both)
    for foot, side, load in zip((0, 1), (both.columns_m > 0.0, both.columns_m < 0.0), (525.0, 225.0), strict=True):
        np.testing.assert_allclose(both.images[:, :, side].sum(axis=(1, 2)) * both.cell_m2, load, rtol=1e-2)
        assert masks[:, foot].any() and not masks[:, foot][:, :, ~side].any()
    force[50:, list(body.feet[0].points)] = 0.0
    seen = features_of(side_by_side(*insole_pressure(body, time_s, force, rate_hz=12.0)))
    assert seen[-1, 6] < -0.65 and seen[-1, 2] == 0.0  # cells that hardly press count for neither foot
    left, right = insole_pressure(body, time_s, force)
    with pytest.raises(InputError, match="differ in their rate"):
        side_by_side(left, right.at_rate(25.0))
    with pytest.raises(InputError, match="inwards of the ankle"):
        side_by_side(replace(left, origin_m=(0.0, -0.2)), right)


@pytest.mark.parametrize(("images", "sentence"), [
    (np.zeros((3, 4)), "has the shape"), (np.full((2, 3, 3), -1.0), "Frame 0 of .* at row 0, column 0"),
    (np.full((2, 3, 3), np.nan), "Frame 0 of .* at row 0, column 0")])
def test_images_that_are_none_are_refused(images, sentence):
    with pytest.raises(InputError, match=sentence):
        Pressure(images, (0.01, 0.01), 12.0)
