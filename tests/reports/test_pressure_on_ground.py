# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of pressure on the ground is what a mat feels, however far the feet go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.images import Pressure
from lope.addon.motions.pressure.synthesis import read_motion
from lope.addon.reports.pressure import insoles_of, mat_of
from lope.addon.reports.pressure_on_ground import NOBODYS, of_mat, of_take, seen_under
from lope.addon.sim.example_take import pressure_take
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.shot import Shot
from pressure_kit import write_steps

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def walk():
    return simulate(Shot(duration_s=1.5))


@pytest.mark.parametrize("rate", [12.0, 50.0])
def test_loaded_cells_are_those_of_the_mat(walk, rate):
    mat, found = mat_of(walk, rate_hz=rate), of_take(walk, rate_hz=rate)
    assert len(found.frames) == len(mat) and found.size == mat.images.shape[1:]
    assert found.most == pytest.approx(mat.images.max(), rel=1e-4)
    for image, centre, frame in zip(mat.images, mat.centre_m, found.frames, strict=True):
        whole = np.zeros(found.size)
        whole[tuple(frame.cells.T)] = frame.pressure
        np.testing.assert_allclose(whole, np.where(image >= found.most / 510.0, image, 0.0), atol=1e-4 * found.most)
        np.testing.assert_allclose(frame.centre_m, centre, atol=1e-5)


def test_a_way_too_far_for_one_mat_is_shown_all_the_same(walk):
    far = np.array(walk.contact_point_m)
    later = (walk.time_s >= 0.5).astype(float) + (walk.time_s >= 1.0)  # where frames begin
    far[..., 0] += 400.0 * later[:, None]
    far[..., 1] += 200.0 * later[:, None]
    gone = replace(walk, arrays={**walk.arrays, "contact_point_m": far})
    with pytest.raises(InputError, match="too far for one mat"):
        mat_of(gone)
    found = of_take(gone)
    force = [frame.pressure.sum() * found.pitch_m[0] ** 2 for frame in found.frames]
    whole = [frame.pressure.sum() * found.pitch_m[0] ** 2 for frame in of_take(walk).frames]
    assert found.size[0] > 60_000 and np.mean(force) == pytest.approx(np.mean(whole), rel=0.05)


def test_each_foot_s_cells_lie_under_that_foot(walk):
    found, points = of_take(walk), walk.contact_point_m
    for k, frame in enumerate(found.frames):
        rows = (walk.time_s >= k / 12.0) & (walk.time_s <= (k + 1) / 12.0)
        for side, foot in enumerate(walk.body.feet):
            mine = found.corners_m(frame.cells[frame.foot == side]).mean(axis=1)
            near = points[rows][:, list(foot.points), :2].reshape(-1, 2)
            assert not len(mine) or np.linalg.norm(mine[:, None] - near, axis=2).min(axis=1).max() < 0.075
            assert not len(mine) or len(found.outline_m(k, side)) > 0


def test_a_mat_s_cells_are_shared_among_its_feet(walk):
    mat, known = of_mat(mat_of(walk)), of_take(walk)
    alike, told = [], []
    for frame, of_foot in zip(mat.frames, known.frames, strict=True):
        shared = {tuple(cell): foot for cell, foot in zip(of_foot.cells.tolist(), of_foot.foot, strict=True)}
        assert len(frame.cells) == pytest.approx(len(of_foot.cells), abs=2)
        alike += [shared[tuple(cell)] == foot for cell, foot in zip(frame.cells.tolist(), frame.foot, strict=True)
                  if tuple(cell) in shared and foot != NOBODYS]
        told += (frame.foot != NOBODYS).tolist()
    assert np.mean(alike) > 0.8 and np.mean(told) > 0.9  # a foot that lifts presses less than the finder of feet looks at


def test_the_frame_is_the_one_that_a_time_lies_in():
    found = of_mat(Pressure(np.ones((6, 4, 4)), (0.1, 0.1), 12.0, start_s=1.0))
    assert [found.at(time) for time in (0.99, 1.0, 1.08, 1.084, 1.49, 1.55, 1.6)] == [None, 0, 0, 1, 5, 5, None]
    assert [of_mat(Pressure(np.ones((6, 4, 4)), (0.1, 0.1), 12.0), start_s=2.0).at(time) for time in (1.9, 2.0)] == [None, 0]


def test_outlines_go_around_a_foot_s_cells_and_the_edge_around_the_mat():
    image = np.zeros((1, 40, 30))
    image[0, 10:20, 5:9], image[0, 12:22, 20:25] = 100.0, 100.0
    found = of_mat(Pressure(image, (0.01, 0.02), 12.0, origin_m=(0.0, 0.0)), at_m=(1.0, -0.5))
    ends = found.outline_m(0, 0)  # the left foot is the one with more columns before it
    assert len(ends) == 2 * 2 * (10 + 5)
    np.testing.assert_allclose(ends.min(axis=0), (1.0 + 0.115, -0.5 + 0.39))
    np.testing.assert_allclose(ends.max(axis=0), (1.0 + 0.215, -0.5 + 0.49))
    np.testing.assert_allclose(found.edge_m[[0, 2]], [(0.995, -0.51), (1.395, 0.09)])
    np.testing.assert_allclose(found.frames[0].centre_m, of_mat(Pressure(image, (0.01, 0.02), 12.0, origin_m=(
        0.0, 0.0))).frames[0].centre_m + [1.0, -0.5])
    assert len(found.outline_m(0, 1)) == 2 * 2 * (10 + 4)


def test_what_has_no_place_on_the_ground_is_told(walk):
    with pytest.raises(InputError, match="does not tell where a foot stands"):
        of_mat(insoles_of(walk)[0])
    force = np.zeros_like(walk.contact_point_force_n)
    with pytest.raises(InputError, match="No foot presses"):
        of_take(replace(walk, arrays={**walk.arrays, "contact_point_force_n": force}))
    nothing = of_mat(Pressure(np.zeros((3, 4, 4)), (0.1, 0.1), 12.0))
    assert not len(nothing.frames[1].cells) and not len(nothing.outline_m(1, 0))


def test_under_a_motion_that_was_read_lies_the_pressure_that_it_was_read_from(tmp_path):
    mat = write_steps(tmp_path)
    reading = read_motion(tmp_path / "steps.csv", Database.load(tmp_path / "steps.npz"))
    pressure_take(reading).save(tmp_path / "read.npz")
    take = Take.load(tmp_path / "read.npz")
    found = seen_under(take)
    assert len(found.frames) == len(mat) and found.at(0.0) == 0 and found.at(1.6) == 19
    np.testing.assert_allclose(found.most, mat.images.max(), rtol=0.02)
    soles = take.contact_point_m[:, :, :2]
    for k in (0, len(mat) - 1):  # on both feet, before the step and after it
        places = found.corners_m(found.frames[k].cells).mean(axis=1)
        told, own = ((at.min(axis=0) + at.max(axis=0)) / 2.0 for at in (places, soles[min(5 * k, len(soles) - 1)]))
        assert np.linalg.norm(told - own) < 0.04
    (tmp_path / "steps.csv").unlink()
    with pytest.raises(InputError, match="no longer there"):
        seen_under(take)
