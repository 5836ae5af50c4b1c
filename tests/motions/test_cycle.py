# SPDX-License-Identifier: GPL-3.0-or-later
"""The Cycle: Fourier series, symmetry, JSON, presets, and fitting from clips."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bvh_writer import Style, walk_poses, write_bvh
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import ClipError, InputError
from lope.addon.motions.cycle import ContactPhases, Cycle, layout, pose
from lope.addon.motions.fitting import cycle_from_clip
from lope.addon.motions.library import cycle_from_file, gait_names, load_gait
from lope.addon.specs.shot import BodySpec
from lope.scripts.tools.gait_making import mean_cycle, save_gait, straightened_cycle, with_level_head

ROOT = Path(__file__).resolve().parents[2]
CLIPS = ROOT.parent / "shared" / "motion" / "bvh"
FIT = (sys.executable, ROOT / "scripts" / "tools" / "fit_gait.py")
needs_clips = pytest.mark.skipif(not CLIPS.is_dir(), reason=f"the reference clips are not at {CLIPS}")


@pytest.fixture(scope="module")
def walk() -> Cycle:
    return load_gait("walk")


def lopsided(walk: Cycle) -> Cycle:
    """A cycle whose sides differ in angles, timing and contacts."""
    noise = np.random.default_rng(3).normal(scale=0.02, size=walk.coefficients.shape)
    contacts = {"L": walk.contact_phases["L"], "R": ContactPhases(0.47, 0.53, 0.94, 0.08)}
    return dataclasses.replace(walk, coefficients=walk.coefficients + noise, contact_phases=contacts)


def test_channels_follow_the_standard_body():
    body, places = make_body(BodySpec()), layout()
    assert len(places.names) == 54 and tuple(places.slices) == body.joint_segments
    assert [s.stop - s.start for s in places.slices.values()] == [1 if s.joint == "hinge" else 3 for s in body.segments[1:]]
    assert places.names[places.slices["shank_L"].start] == "shank_L"


def test_derivatives_are_exact_and_periodic(walk):
    cycle, phases, h = lopsided(walk), np.linspace(0.0, 1.0, 37), 1e-5
    for order in (0, 1):
        slope = (cycle.evaluate(phases + h, order) - cycle.evaluate(phases - h, order)) / (2 * h)
        np.testing.assert_allclose(slope, cycle.evaluate(phases, order + 1), atol=1e-5 * (20.0 if order else 1.0))
    for order in (0, 1, 2):
        np.testing.assert_allclose(cycle.evaluate(0.3 + 5.0, order), cycle.evaluate(0.3, order), atol=1e-9)


def test_evaluation_takes_any_shape(walk):
    phases = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    values = walk.evaluate(phases)
    assert values.shape == (2, 3, 54) and walk.evaluate(0.1).shape == (54,)
    np.testing.assert_allclose(values[1, 2], walk.evaluate(0.6), atol=1e-12)


def test_coefficients_cannot_be_changed(walk):
    with pytest.raises(ValueError):
        walk.coefficients[0, 0] = 1.0


def test_mirroring_twice_gives_the_cycle_back(walk):
    cycle = lopsided(walk)
    back = cycle.mirrored().mirrored()
    np.testing.assert_allclose(back.coefficients, cycle.coefficients, atol=1e-12)
    for side in "LR":
        np.testing.assert_allclose(dataclasses.astuple(back.contact_phases[side]),
                                   dataclasses.astuple(cycle.contact_phases[side]), atol=1e-12)


def test_the_mirror_image_is_the_reflected_body(walk):
    """Points of the mirrored cycle are the original's other side reflected in the plane y = 0, from the right strike on."""
    cycle, body = lopsided(walk), make_body(BodySpec())
    own, _ = segment_poses(body, *pose(cycle.evaluate(0.2 + cycle.contact_phases["R"].strike), body))
    seen, _ = segment_poses(body, *pose(cycle.mirrored().evaluate(0.2), body))
    for i, segment in enumerate(body.segments):
        end = segment.name[-2:]
        other = segment.name[:-2] + {"_L": "_R", "_R": "_L"}.get(end, end)
        np.testing.assert_allclose(seen[body.index[other]], own[i] * [1, -1, 1], atol=1e-9)


def test_symmetrised_does_left_what_it_does_right_half_a_cycle_later(walk):
    cycle, places = lopsided(walk).symmetrised(), layout()
    phases = np.linspace(0.0, 1.0, 21)
    reflected = cycle.evaluate(phases + 0.5)[:, places.mirror_order] * places.mirror_sign
    np.testing.assert_allclose(cycle.evaluate(phases), reflected, atol=1e-12)
    assert cycle.contact_phases["R"].strike == pytest.approx(0.5)
    np.testing.assert_allclose(cycle.contact_phases["R"].since_strike(), cycle.contact_phases["L"].since_strike())
    np.testing.assert_allclose(cycle.symmetrised().coefficients, cycle.coefficients, atol=1e-12)


def test_json_round_trip(walk, tmp_path):
    path = tmp_path / "gait.json"
    save_gait(lopsided(walk), path)
    back = cycle_from_file(path)
    np.testing.assert_allclose(back.coefficients, lopsided(walk).coefficients, atol=1e-6)
    assert back.to_dict() == lopsided(walk).to_dict()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.pop("schema"), "is not a gait"),
        (lambda d: d.update(format=99), "gait format 99"),
        (lambda d: d.pop("speed_m_s"), "gait fields lack speed_m_s"),
        (lambda d: d.update(speed_m_s=-1.0), "Speed must lie between"),
        (lambda d: d.update(leg_length_m="long"), "Leg length must be a number"),
        (lambda d: d["channels"].pop("shank_L"), "missing: shank_L"),
        (lambda d: d["channels"].update(tail=d["channels"]["shank_L"]), "unknown: tail"),
        (lambda d: d["channels"]["shank_L"]["cos"].pop(), "different numbers of harmonics"),
        (lambda d: d["channels"]["shank_L"].update(mean=float("nan")), "A channel's mean must lie between"),
        (lambda d: d["contact_phases"]["L"].update(toe_off=1.7), "The contact phase toe off must lie between"),
    ],
)
def test_damaged_gaits_are_named_with_their_fault(walk, tmp_path, change, said):
    data = walk.to_dict()
    change(data)
    path = tmp_path / "gait.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ClipError, match=said) as caught:
        cycle_from_file(path)
    if said != "not finite":
        assert str(path) in str(caught.value)


def test_files_that_are_no_gaits(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ClipError, match="cannot be read as JSON"):
        cycle_from_file(tmp_path / "broken.json")
    with pytest.raises(ClipError, match="no gait file at"):
        cycle_from_file(tmp_path / "absent.json")


def test_unknown_gaits_are_refused_with_the_known_ones():
    assert "walk" in gait_names()
    with pytest.raises(InputError, match="Did you mean 'walk'.*Known: .*walk"):
        load_gait("walc")


def test_every_preset_loads_and_names_its_source():
    for name in gait_names():
        cycle = load_gait(name)
        assert cycle.name == name and len(cycle.source) > 20


def test_the_built_in_walk_is_a_human_walk(walk):
    assert walk.speed_m_s == pytest.approx(1.25, abs=0.1) and walk.stride_frequency_hz == pytest.approx(0.9, abs=0.05)
    assert 0.57 < walk.duty_factor < 0.64 and 0.05 < walk.step_width_m < 0.16
    assert walk.froude == pytest.approx(walk.speed_m_s**2 / (9.81 * walk.leg_length_m))
    knee = np.degrees(walk.evaluate(np.linspace(0, 1, 100))[:, layout().slices["shank_L"].start])
    assert 50 < knee.max() < 75 and 0 < knee.min() < 12 and 0.65 < np.argmax(knee) / 99 < 0.80


def test_the_built_in_walk_stands_on_flat_feet_and_swings_its_arms_against_its_legs(walk):
    body, phases = make_body(BodySpec()), np.linspace(0.0, 1.0, 100, endpoint=False)
    positions, orientations = segment_poses(body, *pose(walk.evaluate(phases), body))
    soles = contact_point_positions(body, positions, orientations)[..., 2]
    left = [i for i, p in enumerate(body.contact_points) if p.side == "L" and p.kind != "toe"]
    assert np.abs(soles[15:38][:, left]).max() < 0.01  # mid-stance
    strike = {p.name: soles[0, i] for i, p in enumerate(body.contact_points)}
    assert strike["toe_L"] > strike["heel_in_L"] + 0.05  # heel first
    assert soles[15:38][:, [i for i, p in enumerate(body.contact_points) if p.side == "R"]].min() > -0.02
    hand, ankle = (positions[:, body.index[s], 0] - positions[:, 0, 0] for s in ("hand_L", "foot_L"))
    assert np.corrcoef(hand, ankle)[0, 1] < -0.8
    gap = positions[:, body.index["foot_L"], 1] - positions[:, body.index["foot_R"], 1]
    assert gap.min() > 0.03  # the legs do not cross


@pytest.mark.parametrize(("fps", "heading"), [(60.0, 0.0), (30.0, 2.5)])
def test_a_cycle_written_to_a_clip_comes_back(walk, tmp_path, fps, heading):
    path = write_bvh(tmp_path / "walk.bvh", *walk_poses(walk, 4.0, fps, heading=heading), Style(frame_time=1.0 / fps))
    back = cycle_from_file(path)
    scale = back.leg_length_m / walk.leg_length_m
    assert back.speed_m_s == pytest.approx(walk.speed_m_s * scale, rel=0.005)
    assert back.stride_frequency_hz == pytest.approx(walk.stride_frequency_hz, rel=0.005)
    assert back.step_width_m == pytest.approx(walk.step_width_m * scale, abs=0.035)
    late = np.linspace(-0.05, 0.05, 101)
    phases = np.linspace(0.0, 1.0, 50)
    legs = np.r_[[layout().slices[f"shank_{s}"].start for s in "LR"], 2]  # knees, and the pelvis' height
    error = [np.abs(back.evaluate(phases)[:, legs] - walk.evaluate(phases + shift)[:, legs]).max() for shift in late]
    assert min(error) < 0.05 and abs(late[int(np.argmin(error))]) < 0.04


def test_means_are_taken_without_dimension(walk):
    """A figure twice as tall that walks alike at the same Froude number changes neither angles nor Froude number."""
    giant = dataclasses.replace(walk, leg_length_m=2 * walk.leg_length_m, speed_m_s=np.sqrt(2) * walk.speed_m_s,
                                stride_frequency_hz=walk.stride_frequency_hz / np.sqrt(2))
    mean = mean_cycle([walk, giant], "mean", "two figures")
    assert mean.froude == pytest.approx(walk.froude) and mean.leg_length_m == pytest.approx(1.5 * walk.leg_length_m)
    np.testing.assert_allclose(mean.coefficients, walk.coefficients, atol=1e-12)


def test_level_head_looks_at_the_horizon(walk):
    nodding = dataclasses.replace(walk, coefficients=walk.coefficients + 0.1)
    body, phases = make_body(BodySpec()), np.linspace(0.0, 1.0, 40, endpoint=False)
    level = with_level_head(dataclasses.replace(nodding, coefficients=np.where(np.arange(walk.coefficients.shape[1]) == 0,
                                                                               nodding.coefficients, walk.coefficients)))
    names = layout().names
    parts = [names.index(f"{p}.ry") for p in ("root", "lower_spine", "chest", "neck", "head")]
    assert level.coefficients[parts, 0].sum() == pytest.approx(0.0, abs=1e-12)
    _, orientations = segment_poses(body, *pose(with_level_head(walk).evaluate(phases), body))
    w, x, y, z = orientations[:, body.index["head"]].T
    assert abs(np.degrees(np.mean(2 * (x * z - w * y)))) < 1.5


@pytest.mark.slow
def test_clips_with_straight_knees(walk, tmp_path):
    """Leg bones set right move only the knees: hips and feet stay, and the straightest knee is as asked."""
    path = write_bvh(tmp_path / "walk.bvh", *walk_poses(walk, 4.0, 60.0), Style())
    plain, straight = cycle_from_clip(path), straightened_cycle(path, np.radians(1.0))
    phases, knee = np.linspace(0.0, 1.0, 100), layout().slices["shank_L"].start
    assert np.degrees(straight.evaluate(phases)[:, knee].min()) == pytest.approx(1.0, abs=2.0)
    assert straight.leg_length_m < plain.leg_length_m
    assert straight.root_height_m == pytest.approx(plain.root_height_m, abs=1e-3)
    assert straight.stride_length_m == pytest.approx(plain.stride_length_m, rel=1e-6)
    with pytest.raises(ClipError, match="never comes near 70 degrees"):
        straightened_cycle(path, np.radians(70.0))


@pytest.mark.slow
def test_fit_gait_makes_a_preset_from_clips(walk, tmp_path):
    clips = [write_bvh(tmp_path / f"{k}.bvh", *walk_poses(walk, 4.0, 60.0, phase=k / 5), Style()) for k in (1, 2)]
    out = tmp_path / "mine.json"
    done = subprocess.run([*FIT, *clips, "--name", "mine", "--out", out],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    mine = cycle_from_file(out)
    assert mine.name == "mine" and "1.bvh" in mine.source and "2.bvh" in mine.source
    assert mine.stride_frequency_hz == pytest.approx(walk.stride_frequency_hz, rel=0.01)
    np.testing.assert_allclose(mine.symmetrised().coefficients, mine.coefficients, atol=2e-6)


@pytest.mark.slow
def test_fit_gait_says_what_is_wrong(tmp_path):
    words = [tmp_path / "no.bvh", "--name", "x", "--out", tmp_path / "x.json"]
    done = subprocess.run([*FIT, *words], capture_output=True, text=True)
    assert done.returncode == 2 and "no motion file" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
@needs_clips
@pytest.mark.parametrize("clip", ["07_01_walk_normal", "12_01_walk_slow_cgspeed", "09_06_run", "snu_walk_circle_left",
                                  "snu_walk_uphill"])
def test_cycles_of_reference_clips_stand_on_the_ground(clip):
    """On the standard body, each clip's cycle keeps the standing foot's sole near the ground and free of jumps."""
    cycle, body = cycle_from_file(CLIPS / f"{clip}.bvh"), make_body(BodySpec())
    phases = np.linspace(0.0, 1.0, 80, endpoint=False)
    positions, orientations = segment_poses(body, *pose(cycle.evaluate(phases), body))
    soles = contact_point_positions(body, positions, orientations)[..., 2]
    for side in "LR":
        contact = cycle.contact_phases[side]
        since = (phases - contact.strike) % 1.0
        flat = (since > contact.since_strike()[0] + 0.05) & (since < contact.since_strike()[1] - 0.05)
        own = [i for i, p in enumerate(body.contact_points) if p.side == side]
        assert np.abs(soles[flat][:, own].min(axis=1)).max() < (0.04 if "uphill" in clip else 0.02)
    steps = np.abs(np.diff(cycle.evaluate(np.linspace(0, 1, 200))[:, 6:], axis=0)).max()
    assert steps < 0.2


@needs_clips
@pytest.mark.parametrize("clip", ["snu_walk_right_90", "snu_walk_stop_turn180", "snu_walk_left_90"])
def test_cycles_of_clips_that_turn_stay_upright(clip):
    """A heading that runs on for turns beyond its stride does not tilt the mean pelvis."""
    cycle = cycle_from_file(CLIPS / f"{clip}.bvh")
    assert np.abs(cycle.evaluate(np.linspace(0.0, 1.0, 50))[:, 3:6]).max() < np.radians(35.0)
    assert cycle.circle_radius_legs == 0.0


@pytest.mark.slow
@needs_clips
def test_fit_gait_keeps_the_circle_of_a_clip(tmp_path):
    out, words = tmp_path / "round.json", ["--name", "round", "--circle", "--out"]
    done = subprocess.run([*FIT, CLIPS / "snu_walk_circle_left.bvh", *words, out],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 1.0 < cycle_from_file(out).circle_radius_legs < 1.6
    done = subprocess.run([*FIT, CLIPS / "07_01_walk_normal.bvh", *words, out],
                          capture_output=True, text=True)
    assert done.returncode == 2 and "goes straight" in done.stderr


def test_symmetrised_and_pose_work_on_a_body_without_toes(walk):
    """Joints that a body lacks simply go unused."""
    points = {k: v for k, v in make_body(BodySpec()).landmarks.items() if not k.startswith(("toes", "clavicle"))}
    body = Human.from_landmarks(points, 70.0)
    root, turn, joints = pose(walk.evaluate(np.array([0.0, 0.5])), body)
    assert joints.shape == (2, len(body.joint_segments), 4) and root.shape == (2, 3) and turn.shape == (2, 4)
