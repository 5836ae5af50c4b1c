# SPDX-License-Identifier: GPL-3.0-or-later
"""The shipped sets of muscles: who is in them, what they do, on bodies of many kinds, and how strong they are."""

import mujoco
import numpy as np
import pytest
from scipy.optimize import linprog

from lope.addon.bodies.body import kind_of
from lope.addon.bodies.makers import make_planar
from lope.addon.bodies.muscle import PathPoint
from lope.addon.bodies.muscles.mechanics import make_mechanics
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.muscles.sets import muscles_for, reference_set, set_names
from lope.addon.errors import BodyError
from lope.addon.specs import muscles as condition
from lope.scripts.tools.muscles.knee import GROUPS, acting_groups
from muscle_bodies import BODIES, human, leg_pose, turned

SWEEPS = {"thigh_L": (1, [(hip, knee, 0.0) for knee in (0.0, 60.0) for hip in np.arange(-30.0, 91.0, 0.5)]),
          "shank_L": (0, [(hip, knee, 0.0) for hip in (0.0, 30.0) for knee in np.arange(0.0, 121.0, 0.5)]),
          "foot_L": (1, [(0.0, knee, ankle) for knee in (0.0, 60.0) for ankle in np.arange(-40.0, 31.0, 0.5)])}
SMALL_M, JUMP_M = 0.004, 0.002
BOTH_WAYS = ("adductor", "gracilis", "gluteus_medius_anterior", "gluteus_minimus")
"""About the hip's flexion these change sides in people and in their source, too: it depends on where the thigh is."""


def test_sets_are_as_large_as_they_are_meant_to_be_and_the_full_one_holds_the_other():
    legs, full = (reference_set(name).muscles for name in ("legs", "full"))
    assert sorted(set_names()) == ["full", "legs"]
    assert len(legs) >= 60 and len(full) >= 90
    assert set(legs.names) < set(full.names)


def test_every_muscle_has_groups_and_every_group_of_conditions_has_muscles():
    full = reference_set("full").muscles
    assert all(muscle.groups and set(muscle.groups) <= set(GROUPS) for muscle in full)
    assert set(condition.GROUPS) <= set(full.groups)


@pytest.mark.parametrize("name", set_names())
def test_groups_in_the_files_are_what_muscles_do_in_the_neutral_pose(name):
    reference = reference_set(name)
    paths = PathKinematics(reference.body, reference.muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    rows = {kind_of(joint): rows for joint, rows in paths.joint_rows().items() if not joint.endswith("_R")}
    for muscle, arms in zip(reference.muscles, paths.arms_m.T, strict=True):
        if muscle.side == "L":
            assert muscle.groups == acting_groups(muscle, {kind: arms[where] for kind, where in rows.items()}), muscle.name


@pytest.mark.slow
@pytest.mark.parametrize("kind", BODIES)
def test_no_arm_of_a_leg_jumps_or_changes_sides_over_a_gaits_range(kind):
    muscles = muscles_for(BODIES[kind], "legs")
    paths = PathKinematics(BODIES[kind], muscles)
    for joint, (axis, poses) in SWEEPS.items():
        row, arms = paths.joint_rows()[joint].start + axis, []
        for angles in poses:
            paths.update(leg_pose(paths.model, *angles), np.zeros(paths.model.nv))
            arms.append(paths.arms_m[row].copy())
        halves = np.array(arms).reshape(2, -1, len(muscles))
        assert abs(np.diff(halves, axis=1)).max() < JUMP_M, joint
        for column, muscle in enumerate(muscles):
            low, high = halves[:, :, column].min(), halves[:, :, column].max()
            if not (joint == "thigh_L" and muscle.name.startswith(BOTH_WAYS)):
                assert low > -SMALL_M or high < SMALL_M, (joint, muscle.name, low, high)


@pytest.mark.parametrize("kind", ("adult", "child", "stylised"))
def test_what_flexes_toes_flexes_them_however_far_they_are_bent(kind):
    muscles = muscles_for(BODIES[kind], "legs")
    paths = PathKinematics(BODIES[kind], muscles)
    row, flexors = paths.joint_rows()["toes_L"].start, muscles.rows("toe_flexors", "L")
    for angle in np.arange(-30.0, 70.0, 5.0):
        qpos = paths.model.qpos0.copy()
        qpos[paths.model.joint("toes_L").qposadr[0]] = np.radians(angle)
        paths.update(qpos, np.zeros(paths.model.nv))
        assert (paths.arms_m[row, flexors] < -SMALL_M).all()


@pytest.mark.parametrize("kind", ("adult", "stylised"))
def test_no_arm_of_an_arm_jumps_and_none_at_the_elbow_changes_sides(kind):
    muscles = muscles_for(BODIES[kind], "full")
    paths = PathKinematics(BODIES[kind], muscles)
    rows, still = paths.joint_rows(), np.zeros(paths.model.nv)
    bend = paths.model.joint("forearm_L").qposadr[0]
    for joint, axis, degrees in (("upper_arm_L", (0.0, -1.0, 0.0), np.arange(-40.0, 120.0, 0.5)),
                                 ("upper_arm_L", (1.0, 0.0, 0.0), np.arange(-10.0, 110.0, 0.5)),
                                 ("forearm_L", None, np.arange(0.0, 140.0, 0.5))):
        arms = []
        for angle in degrees:
            qpos = paths.model.qpos0.copy()
            if axis is None:
                qpos[bend] = np.radians(angle)
            else:
                turned(paths.model, qpos, joint, axis, angle)
            paths.update(qpos, still)
            arms.append(paths.arms_m[rows[joint]].copy())
        assert abs(np.diff(arms, axis=0)).max() < JUMP_M, joint
        if axis is None:
            assert (np.array(arms).min(axis=(0, 1)) * np.array(arms).max(axis=(0, 1)) > -1e-9).all()


@pytest.mark.parametrize("name", set_names())
@pytest.mark.parametrize("kind", BODIES)
def test_muscles_are_on_segments_that_the_body_has_and_left_mirrors_right(kind, name):
    body = BODIES[kind]
    muscles = muscles_for(body, name)
    paths = {muscle.name: muscle.path for muscle in muscles}
    for muscle in muscles:
        assert {part.segment for part in muscle.path} <= body.index.keys()
        assert len({part.segment for part in muscle.path}) > 1, "it crosses no joint"
        if muscle.side == "L":
            other = paths[f"{muscle.name[:-2]}_R"]
            for one, two in zip(muscle.path, other, strict=True):
                np.testing.assert_allclose(np.array(one.position) * [1.0, -1.0, 1.0], two.position, atol=1e-12)


def test_muscles_within_what_is_welded_are_left_out_and_others_go_on_from_the_segment_above():
    stiff, toeless = muscles_for(BODIES["stiff"], "full"), muscles_for(BODIES["toeless"], "legs")
    assert "rhomboid_L" not in stiff.names  # from the ribs to a shoulder blade that is one with them
    assert set(reference_set("legs").muscles.names) - set(toeless.names) == {f"flexor_digitorum_brevis_{side}" for side in "LR"}
    long_flexor = next(m for m in toeless if m.name == "flexor_digitorum_longus_L")
    assert long_flexor.path[-1].segment == "foot_L"
    at_rest = next(m for m in muscles_for(BODIES["adult"], "legs") if m.name == "flexor_digitorum_longus_L").path[-1]
    assert isinstance(at_rest, PathPoint) and at_rest.segment == "toes_L"


def test_a_planar_body_is_told_that_muscles_are_for_humans():
    with pytest.raises(BodyError, match="Muscles are for humans"):
        muscles_for(make_planar(1.0, 75.0), "legs")


def test_a_leg_in_mid_stance_bears_three_times_the_bodys_weight():
    body = human(1.8, 75.0)
    muscles = muscles_for(body, "legs")
    paths, mechanics = PathKinematics(body, muscles), make_mechanics(muscles)
    paths.update(leg_pose(paths.model, 15.0, 20.0, 5.0), np.zeros(paths.model.nv))
    active, passive = mechanics.by_activation(paths.length_m, np.zeros(len(muscles)))
    rows = paths.joint_rows()
    where = [rows["thigh_L"].start, rows["thigh_L"].start + 1, rows["shank_L"].start, rows["foot_L"].start + 1]
    under = paths.data.body("foot_L").xpos + [0.05, 0.0, body.sole_height_m]  # of the foot, 5 cm ahead of the ankle
    jacobian = np.zeros((3, paths.model.nv))
    mujoco.mj_jac(paths.model, paths.data, jacobian, None, under, paths.model.body("foot_L").id)
    borne = -jacobian[2, where] * body.mass_kg * 9.81
    left = np.array([muscle.side == "L" for muscle in muscles])
    arms = paths.arms_m[where][:, left]
    found = linprog(np.append(np.zeros(left.sum()), -1.0), A_eq=np.column_stack([arms * active[left], -borne]),
                    b_eq=-arms @ passive[left], bounds=[(0.0, 1.0)] * int(left.sum()) + [(0.0, 30.0)])
    assert found.success and 3.0 <= found.x[-1] <= 6.0
