# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check norms: gaits and takes against published normal gait."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.motions.cycle import pose
from lope.addon.motions.library import load_gait
from lope.addon.reports.norms import joint_angles, read_table, schwartz
from lope.addon.specs.shot import BodySpec
from take_factory import Walk, make_take

ROOT = Path(__file__).resolve().parents[2]
NORMS = ROOT.parent / "shared" / "motion" / "gait_norms"
needs_norms = pytest.mark.skipif(not NORMS.is_dir(), reason=f"the published gait data are not at {NORMS}")
needs_matplotlib = pytest.mark.skipif(subprocess.run([sys.executable, "-c", "import matplotlib"]).returncode != 0,
                                      reason="matplotlib is not installed")
pytestmark = [pytest.mark.slow, needs_matplotlib]


def compare(*words) -> subprocess.CompletedProcess:
    return subprocess.run([ROOT / "scripts" / "check", "norms", *words], capture_output=True, text=True)


def scores(text: str) -> dict[str, float]:
    """Joint -> mean absolute standard score, as printed."""
    return {joint: float(score) for joint, score in re.findall(r"(hip|knee|ankle)_sd ([\d.]+)", text)}


@needs_norms
def test_the_built_in_walk_is_near_normal_gait(tmp_path):
    done = compare("walk", "--picture", tmp_path / "walk.png")
    assert done.returncode == 0, done.stderr
    found = scores(done.stdout)
    assert set(found) == {"hip", "knee", "ankle"} and max(found.values()) < 1.5
    assert (tmp_path / "walk.png").stat().st_size > 10_000


@pytest.mark.acceptance
@needs_norms
def test_a_take_that_replays_the_walk_gets_the_walk_s_own_scores(tmp_path):
    """The same motion comes to the same distance, whether read from the preset or measured stride by stride on a take."""
    gait = load_gait("walk")
    walk = Walk(speed=1.25, frequency=0.8, duty=0.62)
    take = make_take(walk)
    root, turn, joints = pose(gait.evaluate(take.time_s * walk.frequency), take.body)
    root[:, 0] += walk.speed * take.time_s
    arrays = take.arrays | {"root_position_m": root, "root_quaternion": turn, "joint_quaternions": joints}
    path = tmp_path / "take.npz"
    dataclasses.replace(take, arrays=arrays).save(path)
    done = compare(path, "--picture", tmp_path / "take.png")
    assert done.returncode == 0, done.stderr
    own, preset = scores(done.stdout), scores(compare("walk", "--picture", tmp_path / "walk.png").stdout)
    for joint, score in preset.items():
        assert own[joint] == pytest.approx(score, abs=0.08)  # the speeds differ a little
    assert "1.25 m/s" in done.stdout


@needs_norms
def test_measure_tells_the_scores_and_whose_norm_they_are(tmp_path, capsys):
    path = tmp_path / "take.npz"
    take = make_take(Walk(speed=1.25, frequency=0.8))
    take.save(path)
    assert main(["measure", str(path), "--norms", str(NORMS), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["norms"]
    joints = [rows[f"{joint}_score"] for joint in ("hip", "knee", "ankle")]
    assert rows["mean_score"] == pytest.approx(np.mean(joints)) and rows["strides"] > 5 and "Schwartz" in rows["source"]
    norm = schwartz(NORMS, rows["speed_over_sqrt_gl"])["knee_flexion_deg"]
    assert rows["knee_score"] == pytest.approx(np.mean(np.abs(norm[0]) / norm[1]), rel=1e-6)  # these legs stay straight


@needs_norms
def test_the_norm_s_own_points_are_kept():
    """At a published speed and at every second point the table's own figures come back."""
    mean, sd = schwartz(NORMS, 0.56)["hip_flexion_deg"]
    rows = [r for r in read_table(NORMS / "schwartz2008_children_5speeds.csv") if r["v_star"] == "0.560"]
    assert mean[::2] == pytest.approx([float(r["hip_flexion_deg_mean"]) for r in rows[:50]])
    assert sd[::2] == pytest.approx([float(r["hip_flexion_deg_sd"]) for r in rows[:50]])


def test_a_planar_body_s_angles_are_read_as_a_human_s():
    body = make_body(BodySpec(kind="planar"))
    turns = np.zeros((1, len(body.segments), 4))
    turns[..., 0] = 1.0
    turns[0, body.index["thigh_L"]] = quat_from_rotvec(np.array([0.0, -0.5, 0.0]))
    found = joint_angles(body, turns, "L")
    assert found["hip"][0] == pytest.approx(np.degrees(0.5)) and found["knee"][0] == pytest.approx(np.degrees(0.5))


@needs_norms
def test_a_take_without_strides_is_refused(tmp_path):
    path = tmp_path / "short.npz"
    make_take(Walk(seconds=2.0)).save(path)
    done = compare(path, "--picture", tmp_path / "x.png")
    assert done.returncode == 2 and "simulate for longer" in done.stderr and "Traceback" not in done.stderr


def test_missing_norms_and_unknown_gaits_are_bad_input(tmp_path):
    done = compare("walk", "--norms", tmp_path, "--picture", tmp_path / "x.png")
    assert done.returncode == 2 and "no norm file" in done.stderr
    done = compare("wolk", "--picture", tmp_path / "x.png")
    assert done.returncode == 2 and "Did you mean 'walk'" in done.stderr


def test_the_angles_are_those_of_the_pose():
    """A known pose: thigh 30 degrees forward, knee bent by 40, foot 10 up, read back."""
    body = make_body(BodySpec())
    joints = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(body.joint_segments), 1))
    for name, degrees in (("thigh_L", -30.0), ("shank_L", 40.0), ("foot_L", -10.0)):
        joints[0, body.joint_segments.index(name)] = quat_from_rotvec(np.radians([0.0, degrees, 0.0]))
    tilt = quat_from_rotvec(np.radians([[0.0, 7.0, 0.0]]))
    _, orientations = segment_poses(body, np.zeros((1, 3)), tilt, joints)
    angles = joint_angles(body, orientations, "L")
    found = {k: round(float(v[0]), 6) for k, v in angles.items()}
    assert found == {"hip": 30.0, "knee": 40.0, "ankle": 10.0, "pelvis": 7.0}
