# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs by inverse kinematics: reached targets, knees that bend one way, targets out of reach; whole poses on their feet."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lope.addon.bodies.body import joint_quaternions
from lope.addon.bodies.kinematics import REACH, centre_of_mass, segment_poses, solve_leg
from lope.addon.bodies.kinematics import solve_legs as at_once
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.locomotion.legged.foot_path import FootPath, FootPose, Footstep
from lope.addon.locomotion.legged.pose import PosePlanner
from lope.addon.maths.rotations import matrix_from_quat, quat_from_matrix, quat_from_rotvec
from lope.addon.maths.rotations import z_turn as about_z
from lope.addon.specs.shot import World
from planner_kit import BODY, tables

pytestmark = pytest.mark.slow

THIGH, SHANK = 0.44, 0.42
COUNT = 200


def knee_turn(angles):
    """Rotations (n, 3, 3) of knees flexed by `angles`, about y."""
    return Rotation.from_rotvec(np.outer(angles, [0.0, 1.0, 0.0])).as_matrix()


def problem(distances, seed=0):
    """Random pelvis, hip and foot, with the ankle at given distances (n,) in directions below the hip."""
    rng = np.random.default_rng(seed)
    pelvis = Rotation.from_rotvec(0.4 * rng.normal(size=(len(distances), 3))).as_matrix()
    foot = Rotation.from_rotvec(0.4 * rng.normal(size=(len(distances), 3))).as_matrix()
    hip = rng.normal(size=(len(distances), 3))
    line = rng.normal(size=(len(distances), 3)) * (0.5, 0.3, 0.2) - (0.0, 0.0, 1.0)
    line /= np.linalg.norm(line, axis=1)[:, None]
    return pelvis, hip, hip + distances[:, None] * line, foot, pelvis[:, :, 1]


def solve_legs(pelvis, hip, ankle, foot, side, thigh_m, shank_m):
    """Hip rotations (n, 3, 3), knees (n,) and ankle rotations (n, 3, 3) of n legs that are given in the world."""
    inside = pelvis.transpose(0, 2, 1)
    lines, sides = (np.einsum("nij,nj->ni", inside, part) for part in (ankle - hip, side))
    feet = quat_from_matrix(inside @ foot)
    found = [solve_leg(line, sole, axis, thigh_m, shank_m) for line, sole, axis in zip(lines, feet, sides, strict=True)]
    hips, knees, ankles = zip(*found, strict=True)
    return matrix_from_quat(np.array(hips)), np.array(knees), matrix_from_quat(np.array(ankles))


def chain(pelvis, hip, hips, knees, ankles):
    """Ankle places, thigh and foot rotations by forward kinematics."""
    thigh = pelvis @ hips
    shank = thigh @ knee_turn(knees)
    places = hip - THIGH * thigh[:, :, 2] - SHANK * shank[:, :, 2]
    return places, thigh, shank, shank @ ankles


def test_targets_within_reach_are_reached_exactly():
    rng = np.random.default_rng(1)
    given = problem(rng.uniform(0.2, REACH * (THIGH + SHANK), COUNT))
    pelvis, hip, ankle, foot, side = given
    hips, knees, ankles = solve_legs(*given, THIGH, SHANK)
    places, thigh, _shank, feet = chain(pelvis, hip, hips, knees, ankles)
    np.testing.assert_allclose(places, ankle, atol=1e-12)
    np.testing.assert_allclose(feet, foot, atol=1e-12)
    for rotation in (hips, ankles):
        np.testing.assert_allclose(rotation @ rotation.transpose(0, 2, 1), np.tile(np.eye(3), (COUNT, 1, 1)), atol=1e-12)
        np.testing.assert_allclose(np.linalg.det(rotation), 1.0, atol=1e-12)
    knee_places = hip - THIGH * thigh[:, :, 2]
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1)[:, None]
    forward = np.cross(side, -line)
    assert (np.einsum("ni,ni->n", knee_places - hip, forward) > -1e-12).all(), "the knee stands in front of the line"
    assert (knees >= 0.0).all() and (knees <= np.pi).all()
    # The knee's axis: square to the line, and of all such directions the nearest to the side's.
    axis = thigh[:, :, 1]
    np.testing.assert_allclose(np.einsum("ni,ni->n", axis, line), 0.0, atol=1e-12)
    nearest = np.sqrt(1.0 - np.einsum("ni,ni->n", side, line) ** 2)
    np.testing.assert_allclose(np.einsum("ni,ni->n", axis, side), nearest, atol=1e-12)


@pytest.mark.parametrize("distance", [0.99 * (THIGH + SHANK) + 0.02, 1.0, 5.0])
def test_beyond_reach_the_leg_points_at_the_target(distance):
    given = problem(np.full(20, distance))
    pelvis, hip, ankle = given[:3]
    places, *_ = chain(pelvis, hip, *solve_legs(*given, THIGH, SHANK))
    line = (ankle - hip) / distance
    np.testing.assert_allclose(places, hip + REACH * (THIGH + SHANK) * line, atol=1e-12)


def test_too_near_the_leg_folds_and_stays_finite():
    given = problem(np.full(20, 0.005))
    pelvis, hip, _ankle = given[:3]
    hips, knees, ankles = solve_legs(*given, THIGH, SHANK)
    places, *_ = chain(pelvis, hip, hips, knees, ankles)
    np.testing.assert_allclose(np.linalg.norm(places - hip, axis=1), abs(THIGH - SHANK) + 1e-3, atol=1e-9)
    assert np.isfinite(hips).all() and (knees > 2.5).all()


def whole_poses(heading=0.4, count=24):
    """Reference poses through a cycle, turned by a heading: coordinates, the feet and COM asked for."""
    walk, phases = tables(), np.arange(count) / count
    planner, turn = PosePlanner(walk, BODY), np.exp(1j * heading)
    rows = walk.table.value(phases)
    com = np.column_stack([np.zeros((count, 2)), rows[:, 0]])
    feet = []
    for _phase, row in zip(phases, rows, strict=True):
        pair = {}
        for side, sign in (("L", 1), ("R", -1)):
            x, z, *rotvec = row[walk.foot_slice(side)]
            place = turn * complex(x, 0.5 * sign * walk.width_m)
            pair[side] = FootPose(np.array([place.real, place.imag, z]), np.array(rotvec), 0.1)
        feet.append(pair)
    return planner.poses(phases, [heading] * count, com.tolist(), feet, rows), feet, com, planner


@pytest.mark.parametrize("heading", [0.0, 0.4, -2.5])
def test_the_ankles_of_the_pose_stand_on_the_feet(heading):
    coordinates, feet, com, _planner = whole_poses(heading)
    joints = joint_quaternions(BODY, coordinates)
    positions, orientations = segment_poses(BODY, coordinates[:, :3], coordinates[:, 3:7], joints)
    np.testing.assert_allclose(np.linalg.norm(joints, axis=-1), 1.0, atol=1e-9)
    for side in ("L", "R"):
        i = BODY.index[f"foot_{side}"]
        np.testing.assert_allclose(positions[:, i], [pair[side].ankle for pair in feet], atol=5e-3)
        asked = np.array([pair[side].rotvec for pair in feet])
        wanted = matrix_from_quat(np.array(about_z(heading))) @ matrix_from_quat(quat_from_rotvec(asked))
        np.testing.assert_allclose(matrix_from_quat(orientations[:, i]), wanted, atol=1e-9)
    np.testing.assert_allclose(centre_of_mass(BODY, positions, orientations), com, atol=0.02)


def test_mujoco_sees_the_same_pose_and_only_reachable_feet_are_exact():
    coordinates, feet, _, planner = whole_poses()
    state = BodyState(BODY, build_model(BODY, World()))
    assert planner.nq == state.model.nq
    exact = 0
    for q, pair in zip(coordinates, feet, strict=True):
        state.update(q, np.zeros(state.model.nv))
        for side in ("L", "R"):
            hip, ankle = state.frame(f"thigh_{side}").position, pair[side].ankle
            if np.linalg.norm(ankle - hip) < REACH * BODY.leg_length_m:
                np.testing.assert_allclose(state.frame(f"foot_{side}").position, ankle, atol=1e-9)
                exact += 1
    assert exact > 0.7 * 2 * len(feet)


def test_shortfall_is_what_brings_the_far_foot_within_reach():
    walk, planner = tables(), PosePlanner(tables(), BODY)
    row, path = walk.table.value(0.0), {s: FootPath(walk, s, 0.0) for s in ("L", "R")}
    feet = {s: path[s].geometry.rolled(Footstep(s, complex(x, y), 0.0), 0.0, 0.0) for s, x, y in
            (("L", 0.45, 0.06), ("R", -0.4, -0.06))}
    height, reach = float(row[0]), 0.99
    drop = planner.shortfall(0j, height, 0.0, row, feet, reach)
    assert drop > 0.01
    assert planner.shortfall(0j, height - drop, 0.0, row, feet, reach) == pytest.approx(0.0, abs=1e-12)
    assert planner.shortfall(0j, height - drop - 0.05, 0.0, row, feet, reach) == 0.0
    assert planner.shortfall(0j, height - drop + 0.01, 0.0, row, feet, reach) == pytest.approx(0.01, abs=1e-12)


def test_many_legs_at_once_are_each_the_same():
    rng = np.random.default_rng(3)
    ankle, side = rng.normal(size=(40, 3)) * 0.2 - [0.0, 0.0, 0.7], np.array([0.0, 1.0, 0.0]) + 0.2 * rng.normal(size=(40, 3))
    foot = quat_from_rotvec(0.5 * rng.normal(size=(40, 3)))
    hips, knees, ankles = at_once(ankle, foot, side, THIGH, SHANK)
    for i, knee in enumerate(knees.tolist()):
        hip, one, sole = solve_leg(tuple(ankle[i]), tuple(foot[i]), tuple(side[i]), THIGH, SHANK)
        assert abs(knee - one) < 1e-12
        np.testing.assert_allclose(np.abs(hips[i] @ hip), 1.0, atol=1e-12)
        np.testing.assert_allclose(ankles[i], sole, atol=1e-9)
