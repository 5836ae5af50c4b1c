# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses written as a clip and read back: the same within a degree, for a person's body of any size and for other bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import find_creature
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.bvh import read_bvh, write_bvh
from lope.addon.motions.pressure.database import MOTION_HZ
from lope.addon.motions.retarget import retarget
from lope.addon.specs.shot import BodySpec
from pressure_kit import step_motion

pytestmark = pytest.mark.slow


def turned_deg(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Angles (...,) between orientations (..., 4)."""
    return np.degrees(2.0 * np.arccos(np.clip(np.abs((one * other).sum(axis=-1)), 0.0, 1.0)))


@pytest.mark.parametrize("spec", [BodySpec(), BodySpec(height_m=1.6, mass_kg=50.0)])
def test_a_written_motion_is_read_back_within_a_degree(tmp_path: Path, spec: BodySpec) -> None:
    body, motion = make_body(spec), step_motion("ahead", 0.35, 0.0)
    write_bvh(tmp_path / "step.bvh", body, 1.0 / MOTION_HZ, motion.root, motion.turn, motion.joints)
    found = retarget(read_bvh(tmp_path / "step.bvh"))
    assert found.frame_time_s == pytest.approx(1.0 / MOTION_HZ, abs=1e-8)
    assert turned_deg(found.root_quaternion, motion.turn).max() < 1.0
    names = [name for name in body.joint_segments if name in found.body.joint_segments]
    assert set(names) == set(body.joint_segments)
    for name in names:
        told = motion.joints[:, body.joint_segments.index(name)]
        assert turned_deg(found.joint_quaternions[:, found.body.joint_segments.index(name)], told).max() < 1.0, name
    assert np.abs(np.diff(found.root_position - motion.root, axis=0)).max() < 1e-3
    assert found.body.leg_length_m == pytest.approx(body.leg_length_m, rel=1e-3)


def test_a_body_of_another_kind_keeps_the_places_of_its_segments(tmp_path: Path) -> None:
    body = make_creature(find_creature("ostrich"))
    rng = np.random.default_rng(1)
    root, quats = rng.normal(size=(5, 3)), rng.normal(size=(5, len(body.segments), 4))
    quats /= np.linalg.norm(quats, axis=-1, keepdims=True)
    write_bvh(tmp_path / "bird.bvh", body, 0.02, root, quats[:, 0], quats[:, 1:])
    clip = read_bvh(tmp_path / "bird.bvh")
    places, turns = segment_poses(body, root, quats[:, 0], quats[:, 1:])
    found, found_turns = clip.world()
    rows = [body.index[name] for name in clip.names]
    assert sorted(rows) == list(range(len(body.segments)))
    assert np.allclose(found, places[:, rows], atol=1e-4)
    assert np.allclose(found_turns, matrix_from_quat(turns[:, rows]), atol=1e-4)


def test_a_clip_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    motion = step_motion("ahead", 0.35, 0.0)
    (tmp_path / "none").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_bvh(tmp_path / "none" / "step.bvh", make_body(BodySpec()), 0.1, motion.root, motion.turn, motion.joints)
