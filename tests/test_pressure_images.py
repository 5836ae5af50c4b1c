# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mat and insoles feel of contact points, and what is seen in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.motions.pressure.features import FrameFeatures, features_of, hu_moments, live_features
from lope.addon.motions.pressure.feet import ankles_m, foot_masks
from lope.addon.motions.pressure.images import Pressure, as_measured
from lope.addon.motions.pressure.soles import insole_pressure, mat_pressure
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
    found = mat_pressure(body, time_s, place, force, rate_hz=RATE_HZ)
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


@pytest.mark.parametrize("loads", [(0.5, 0.5), (0.8, 0.2), (0.0, 1.0)])
@pytest.mark.parametrize("yaw", [0.0, 0.3])
def test_feet_are_told_apart(body, loads, yaw):
    time_s, place, force = standing(body, loads=loads, yaw=yaw, apart_m=0.17)
    both = mat_pressure(body, *standing(body, yaw=yaw, apart_m=0.17), middle_m=(0.0, 0.0))
    found = mat_pressure(body, time_s, place, force, middle_m=(0.0, 0.0))
    whole = Pressure(np.concatenate([both.images, found.images]), found.pitch_m, 12.0, origin_m=found.origin_m)
    masks = foot_masks(whole)[-1]
    for mask, load, side in zip(masks, loads, (0.5, -0.5), strict=True):
        share = (whole.images[-1] * mask).sum() / whole.images[-1].sum()
        assert share == pytest.approx(load / sum(loads), abs=0.06 if not yaw else 0.14)
        if load:
            assert np.average(whole.columns_m, weights=mask.sum(axis=0)) == pytest.approx(side * 0.17 + 0.05 * yaw, abs=0.035)


def test_ankles_are_at_the_heels_of_whole_prints(body):
    time_s, place, force = standing(body)
    found = mat_pressure(body, time_s, place, force, middle_m=(0.0, 0.0))
    ankles = ankles_m(found, foot_masks(found))
    np.testing.assert_allclose(ankles[:, 0, 1], 0.1, atol=0.01)
    assert (ankles[:, :, 0] < -0.05).all()


def test_moments_do_not_change_with_place_turn_size_or_weight():
    rows = 0.01 * np.arange(120)
    x, y = np.meshgrid(rows, rows, indexing="ij")

    def drawn(turn, scale, at, weight):
        u, v = x - at[0], y - at[1]
        c, s = np.cos(turn), np.sin(turn)
        u, v = (c * u + s * v) / scale, (-s * u + c * v) / scale
        return weight * (np.exp(-0.5 * (u / 0.05) ** 2 - 0.5 * (v / 0.12) ** 2)
                         + 0.6 * np.exp(-0.5 * ((u - 0.15) / 0.04) ** 2 - 0.5 * ((v + 0.1) / 0.04) ** 2))

    plain = hu_moments(drawn(0.0, 1.0, (0.6, 0.6), 1.0)[None], rows, rows)[0]
    assert (np.abs(plain) > [1e-2, 1e-3, 1e-4, 1e-5, 1e-9, 1e-7]).all()
    for other in ((0.7, 1.0, (0.6, 0.6), 1.0), (0.0, 0.7, (0.5, 0.7), 30.0), (2.5, 0.9, (0.55, 0.6), 0.01)):
        np.testing.assert_allclose(hu_moments(drawn(*other)[None], rows, rows)[0], plain, rtol=3e-2)
    mirrored = hu_moments(drawn(0.0, 1.0, (0.6, 0.6), 1.0)[None, :, ::-1], rows, rows)[0]
    np.testing.assert_allclose(mirrored, plain, rtol=1e-6)  # only the seventh tells a left shape from a right one


def test_frame_by_frame_the_numbers_are_the_same(body):
    time_s, place, force = standing(body, frames=100)
    place[:, :, 1] += 0.05 * np.sin(6.0 * time_s)[:, None]
    found = mat_pressure(body, time_s, place, force)
    one = FrameFeatures(found)
    np.testing.assert_allclose([one.of(image) for image in found.images], features_of(found), atol=1e-9)


def test_a_live_stream_knows_nothing_of_what_comes(body):
    time_s, place, force = standing(body, frames=100)
    found = mat_pressure(body, time_s, place, force)
    later = found.images.copy()
    later[6:] *= 40.0
    plain, struck = live_features(found), live_features(replace(found, images=later))
    np.testing.assert_array_equal(plain[:6], struck[:6])
    assert not np.array_equal(features_of(found)[:6], features_of(replace(found, images=later))[:6])


@pytest.mark.parametrize(("images", "sentence"), [
    (np.zeros((3, 4)), "has the shape"), (np.full((2, 3, 3), -1.0), "Frame 0 of .* no pressure"),
    (np.full((2, 3, 3), np.nan), "Frame 0 of .* no pressure")])
def test_images_that_are_none_are_refused(images, sentence):
    with pytest.raises(InputError, match=sentence):
        Pressure(images, (0.01, 0.01), 12.0)
