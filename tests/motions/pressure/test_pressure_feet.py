# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet on a mat: which cells are whose, and where ankles are, while feet step, cross, roll and turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.motions.pressure.features import features_of
from lope.addon.motions.pressure.feet import FeetFinder, ankles_m, foot_masks, footfalls, least_of
from lope.addon.motions.pressure.images import LEFT, MAT_RATE_HZ, MatGrid, Pressure, as_measured, mat_pressure
from lope.addon.specs.shot import BodySpec

KINDS = ("heel", "ball", "toe")
ALL, HEEL, FRONT, UP = (1.0, 1.0, 0.5), (1.0, 0.0, 0.0), (0.0, 1.0, 0.7), (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Foot:
    """Where a foot is, where it looks to, and how much its heel, ball and toes bear."""

    at: tuple[float, float]
    yaw: float = 0.0
    bears: tuple[float, float, float] = ALL


@cache
def body(height_m: float = 1.75):
    return make_body(BodySpec(height_m=height_m))


def mat(frames: list[tuple[Foot, Foot]], height_m: float = 1.75) -> tuple[Pressure, np.ndarray]:
    """What a mat of 8 bits with noise feels of left and right feet, frame by frame, and what each presses."""
    who = body(height_m)
    count = len(who.contact_points)
    place, force = np.zeros((len(frames), count, 3)), np.zeros((len(frames), 2, count))
    for t, feet in enumerate(frames):
        for f, (foot, of) in enumerate(zip(feet, who.feet, strict=True)):
            for row in of.points:
                point = who.contact_points[row]
                x, y, _ = point.position + (who.segment(point.segment).offset if point.segment != of.segment else 0.0)
                c, s = np.cos(foot.yaw), np.sin(foot.yaw)
                place[t, row, :2] = foot.at + np.array([c * x - s * y, s * x + c * y])
                force[t, f, row] = foot.bears[KINDS.index(point.kind)]
    force *= 750.0 / force.sum(axis=(1, 2), keepdims=True)
    times = np.arange(len(frames)) / MAT_RATE_HZ
    parts = [mat_pressure(who, times, place, force[:, f], MatGrid(cells=(90, 90), middle_m=(0.1, 0.0))) for f in (0, 1)]
    whole = replace(parts[0], images=parts[0].images + parts[1].images)
    return as_measured(whole, 345e3, 1.0, 7), np.stack([part.images for part in parts], axis=1)


def right_share(pressure: Pressure, own: np.ndarray) -> np.ndarray:
    """The share of what presses (T,) that is found to be the foot's whose it is."""
    masks = foot_masks(pressure, faint=True)
    return (own * masks).sum(axis=(1, 2, 3)) / own.sum(axis=(1, 2, 3))


def stance(left: Foot, right: Foot, frames: int = 8) -> list[tuple[Foot, Foot]]:
    return [(left, right)] * frames


LEFT_FOOT, RIGHT_FOOT = Foot((0.0, 0.1), 0.2), Foot((0.0, -0.1), -0.2)


def step(to: Foot, land: tuple[float, float, float] = HEEL) -> list[tuple[Foot, Foot]]:
    """A right foot that stands, rolls off, is in the air, lands and stands again."""
    left = LEFT_FOOT
    return [*stance(left, RIGHT_FOOT), (left, replace(RIGHT_FOOT, bears=FRONT)), *stance(left, replace(RIGHT_FOOT, bears=UP), 4),
            (left, replace(to, bears=land)), *stance(left, to)]


@pytest.mark.parametrize("turn", [0.0, 0.35])
@pytest.mark.parametrize("apart_m", [0.12, 0.2])
def test_feet_beside_one_another_are_told_apart(apart_m: float, turn: float) -> None:
    pressure, own = mat(stance(Foot((0.0, 0.5 * apart_m), turn), Foot((0.0, -0.5 * apart_m), -turn)))
    assert right_share(pressure, own).min() > (0.95 if apart_m > 0.15 else 0.8)


@pytest.mark.parametrize("to", [Foot((0.3, -0.02)), Foot((-0.3, -0.05), -0.5), Foot((0.35, 0.1), 0.1), Foot((0.0, -0.35), -0.6)])
def test_a_foot_that_steps_is_the_same_before_and_after(to: Foot) -> None:
    pressure, own = mat(step(to))
    assert right_share(pressure, own).min() > 0.9
    finder, least = FeetFinder(least_of(pressure)), least_of(pressure)
    past = np.array([finder.find(image, pressure.rows_m, pressure.columns_m) for image in pressure.images])
    loaded = own * (pressure.images > least)[:, None]
    assert ((loaded * past).sum(axis=(1, 2, 3)) / loaded.sum(axis=(1, 2, 3))).min() > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("height_m", [1.6, 1.9])
@pytest.mark.parametrize("to", [Foot((0.3, -0.12), 0.0), Foot((-0.25, -0.15), -0.5), Foot((0.1, -0.35), -0.6)])
def test_ankles_are_as_far_from_one_another_as_the_feet_stand(to: Foot, height_m: float) -> None:
    frames = step(to)
    pressure, _ = mat(frames, height_m)
    ankles = ankles_m(pressure)
    assert np.isfinite(ankles[:, 0]).all()
    up = np.array([right.bears == UP for _, right in frames])
    assert np.isfinite(ankles[~up, 1]).all() and not np.isfinite(ankles[up, 1]).any()
    found = ankles[-1, 1] - ankles[0, 1]
    assert np.linalg.norm(found - (np.array(to.at) - RIGHT_FOOT.at)) < 0.012
    falls = [fall for fall in footfalls(pressure) if fall.foot == 1]
    assert falls[-1].heading_rad - falls[0].heading_rad == pytest.approx(to.yaw - RIGHT_FOOT.yaw, abs=0.08)


def test_a_foot_that_rolls_stays_where_it_is() -> None:
    rolls = [replace(LEFT_FOOT, bears=bears) for bears in (ALL, ALL, ALL, FRONT, FRONT, HEEL, HEEL, ALL)]
    pressure, _ = mat([(left, RIGHT_FOOT) for left in rolls])
    ankles = ankles_m(pressure)
    assert np.ptp(ankles[:, 0], axis=0).max() < 0.002 and np.ptp(ankles[:, 1], axis=0).max() < 0.002


def test_a_foot_that_never_shows_its_sole_is_nowhere() -> None:
    pressure, _ = mat([*stance(LEFT_FOOT, RIGHT_FOOT), *stance(LEFT_FOOT, replace(RIGHT_FOOT, bears=UP), 3),
                       *stance(LEFT_FOOT, Foot((0.4, -0.1), 0.0, (0.0, 0.0, 1.0)), 4)])
    ankles = ankles_m(pressure)
    assert np.isfinite(ankles[:8, 1]).all() and np.isnan(ankles[8:, 1]).all()


def test_heel_and_toes_of_one_foot_are_no_two_feet() -> None:
    pressure, own = mat([*stance(LEFT_FOOT, RIGHT_FOOT, 4), *stance(replace(LEFT_FOOT, bears=UP), RIGHT_FOOT, 6)])
    masks = foot_masks(pressure)
    assert masks[4:, 1].any(axis=(1, 2)).all() and not masks[4:, 0].any()
    assert right_share(pressure, own).min() > 0.95


def test_an_empty_mat_and_an_insole_have_no_two_feet() -> None:
    empty = Pressure(np.zeros((3, 20, 20)), (0.0127, 0.0127), 12.0)
    assert not foot_masks(empty).any() and np.isnan(ankles_m(empty)).all() and features_of(empty).shape == (3, 10)
    insole = Pressure(np.ones((2, 20, 10)), (0.007, 0.007), 50.0, place=LEFT)
    masks = foot_masks(insole)
    assert masks[:, 0].all() and not masks[:, 1].any()
