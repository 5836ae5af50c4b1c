# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts, strides and the reasons for refusing a clip."""

from pathlib import Path

import numpy as np
import pytest

from bvh_writer import Style, standing_poses, walk_poses, write_bvh
from lope.addon.errors import ClipError
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.cycle import layout
from lope.addon.motions.fitting import find_steps, fit_steps
from lope.addon.motions.followable import inspect_clip
from lope.addon.motions.library import cycle_from_file, load_gait
from lope.addon.motions.retarget import retarget
from lope.addon.motions.strides import find_contacts, find_strides

CLIPS = Path(__file__).resolve().parents[2].parent / "shared" / "motion" / "bvh"
needs_clips = pytest.mark.skipif(not CLIPS.is_dir(), reason=f"the reference clips are not at {CLIPS}")


def written(path: Path, fps: float = 60.0, seconds: float = 4.0, **more) -> Path:
    return write_bvh(path, *walk_poses(load_gait("walk"), seconds, fps, **more), Style(frame_time=1.0 / fps))


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("slope", [0.0, 0.03])
def test_contacts_of_a_known_walk(tmp_path, fps, slope):
    """Strikes and toe offs come out where the gait has them, at every frame rate, on level and on drifting floors."""
    gait = load_gait("walk")
    contacts = find_contacts(retarget(read_bvh(written(tmp_path / "walk.bvh", fps, slope=slope))))
    period = 1.0 / gait.stride_frequency_hz
    for side in "LR":
        phases = gait.contact_phases[side]
        own = [c for c in contacts if c.side == side and np.isfinite(c.strike_s) and np.isfinite(c.toe_off_s)]
        assert len(own) >= 2
        for contact in own:
            late = (contact.strike_s / period + 0.3 - phases.strike + 0.5) % 1.0 - 0.5  # the clip begins at phase 0.3
            assert abs(late) < 0.045
            assert (contact.toe_off_s - contact.strike_s) / period == pytest.approx(phases.stance, abs=0.05)
            assert contact.strike_s <= contact.flat_s <= contact.heel_off_s <= contact.toe_off_s
            assert (contact.heel_off_s - contact.strike_s) / period == pytest.approx(phases.since_strike()[1], abs=0.06)


def test_stances_cut_by_the_clip_have_no_times_there(tmp_path):
    contacts = find_contacts(retarget(read_bvh(written(tmp_path / "walk.bvh"))))
    assert np.isnan(contacts[0].strike_s) and np.isfinite(contacts[0].toe_off_s)  # at phase 0.3 the left foot stands
    assert np.isnan(contacts[-1].toe_off_s) and np.isfinite(contacts[-1].strike_s)


def test_strides_alternate_and_last_one_period(tmp_path):
    gait = load_gait("walk")
    strides = find_strides(retarget(read_bvh(written(tmp_path / "walk.bvh", seconds=5.0))))
    assert len(strides) >= 5 and {s.side for s in strides} == {"L", "R"}
    for stride in strides:
        assert stride.duration_s == pytest.approx(1.0 / gait.stride_frequency_hz, rel=0.01)
        assert stride.opposite == pytest.approx(0.5, abs=0.02)


def test_standing_still_has_no_steps(tmp_path):
    path = write_bvh(tmp_path / "stand.bvh", *standing_poses(3.0, 30.0), Style(frame_time=1 / 30))
    with pytest.raises(ClipError, match="has no steps: the left foot lands 0 times"):
        cycle_from_file(path)


def test_less_than_a_stride_is_too_short(tmp_path):
    with pytest.raises(ClipError, match="too short"):
        cycle_from_file(written(tmp_path / "short.bvh", seconds=1.2))


def test_a_handful_of_frames_is_refused(tmp_path):
    with pytest.raises(ClipError, match="only 4 frames"):
        cycle_from_file(written(tmp_path / "few.bvh", seconds=0.05))


def test_walking_backward_is_refused(tmp_path):
    body, root, orientations = walk_poses(load_gait("walk"), 4.0, 60.0)
    path = write_bvh(tmp_path / "back.bvh", body, root[::-1], orientations[::-1], Style())
    with pytest.raises(ClipError, match="walks backward"):
        cycle_from_file(path)


def test_walking_on_the_spot_is_a_walk_again(tmp_path):
    """A treadmill's feet slide back evenly: the way is put back."""
    walk = load_gait("walk")
    body, root, orientations = walk_poses(walk, 4.0, 60.0)
    root[:, 0] = 0.0
    cycle = cycle_from_file(write_bvh(tmp_path / "treadmill.bvh", body, root, orientations, Style()))
    assert cycle.speed_m_s == pytest.approx(walk.speed_m_s, rel=0.1)


def test_inspection_tells_what_was_found(tmp_path):
    found = inspect_clip(written(tmp_path / "walk.bvh", slope=0.03))
    assert found["family"] == "cgspeed" and found["unit"] == "centimetre" and found["metres_per_unit"] == 0.01
    assert found["frames"] == 241 and found["frame_rate_hz"] == pytest.approx(60.0, rel=1e-5)
    assert found["floor"]["kind"] == "drift" and found["floor"]["rise_m"] == pytest.approx(0.15, abs=0.03)
    assert any("floor rises" in fault for fault in found["faults"])
    assert found["gait"]["stride_frequency_hz"] == pytest.approx(load_gait("walk").stride_frequency_hz, rel=0.01)


def test_inspection_of_a_clip_without_a_gait_gives_the_reason(tmp_path):
    path = write_bvh(tmp_path / "stand.bvh", *standing_poses(3.0, 30.0), Style(frame_time=1 / 30))
    found = inspect_clip(path)
    assert found["gait"] is None and found["strides"] == []
    assert any("no steps" in fault for fault in found["faults"])


@pytest.mark.slow
@needs_clips
@pytest.mark.parametrize(
    ("name", "speed", "rate"),
    [("07_01_walk_normal", 1.38, 0.92), ("16_15_walk_normal", 1.10, 0.85), ("35_02_walk_normal", 1.25, 0.88),
     ("08_06_walk_fast", 1.75, 1.09), ("08_04_walk_slow", 1.05, 0.77), ("07_05_walk_slow", 0.97, 0.64),
     ("12_01_walk_slow_cgspeed", 0.90, 0.78), ("09_06_run", 3.63, 1.36), ("snu_walk_circle_left", 0.80, 0.76),
     ("snu_walk_uphill", 0.68, 0.73)],
)
def test_reference_walks(name, speed, rate):
    """Speeds and stride frequencies measured independently stand in the clips' index."""
    cycle = cycle_from_file(CLIPS / f"{name}.bvh")
    assert cycle.speed_m_s == pytest.approx(speed, rel=0.04)
    assert cycle.stride_frequency_hz == pytest.approx(rate, rel=0.04)
    if "run" in name:
        assert cycle.duty_factor < 0.4
    else:
        assert 0.54 < cycle.duty_factor < 0.68
    assert abs(cycle.contact_phases["R"].strike - 0.5) < 0.06


@pytest.mark.slow
@needs_clips
@pytest.mark.parametrize(
    ("name", "said"),
    [("49_18_stand_balance_one_leg", "no steps"), ("snu_stand_idle", "no steps"), ("snu_hop_two_feet", "no walk or run"),
     ("snu_jump_vertical", "no walk or run"), ("snu_jump_broad_long", "too short"),
     ("131_03_hop_spin_stylised_3dsmax", "not cyclic"),
     ("snu_run_cancan_uturn", "not cyclic"), ("snu_walk_backward", "walks backward")],
)
def test_reference_clips_without_a_forward_gait(name, said):
    with pytest.raises(ClipError, match=said):
        cycle_from_file(CLIPS / f"{name}.bvh")


@pytest.mark.slow
def test_a_walk_too_short_for_a_stride_is_made_of_a_step(tmp_path):
    """Where no stride ends as it began, one step and its mirror image give the gait's speed, rhythm and legs back."""
    gait = load_gait("walk").symmetrised()
    motion = retarget(read_bvh(written(tmp_path / "walk.bvh", seconds=5.0)))
    contacts = find_contacts(motion)
    steps = find_steps(motion, contacts)
    assert len(steps) >= 3 and all(np.degrees(s.mismatch_rad) < 6.0 for s in steps)
    cycle = fit_steps(motion, contacts, steps[1:2])
    assert cycle.speed_m_s == pytest.approx(gait.speed_m_s, rel=0.08)  # one step is known as well as its two strikes
    assert cycle.stride_frequency_hz == pytest.approx(gait.stride_frequency_hz, rel=0.05)
    assert cycle.duty_factor == pytest.approx(gait.duty_factor, abs=0.04)
    phases = np.linspace(0.0, 1.0, 40, endpoint=False)
    knee = layout().slices["shank_L"]
    apart = cycle.evaluate(phases)[:, knee] - gait.evaluate(phases)[:, knee]
    assert np.degrees(np.sqrt(np.mean(apart**2))) < 5.0


@pytest.mark.slow
@needs_clips
def test_a_clip_that_turns_walks_and_stops_gives_its_one_step_of_walking():
    path = CLIPS / "snu_stand_turn180_walk_stop.bvh"
    cycle = cycle_from_file(path)
    assert "1 steps and their mirror images" in cycle.source and cycle.speed_m_s == pytest.approx(1.02, rel=0.05)
    found = inspect_clip(path)
    assert not found["strides"] and len(found["steps"]) == 1 and any("mirror images" in fault for fault in found["faults"])


@needs_clips
def test_standing_at_the_ends_is_left_out():
    """A clip that stands, walks, turns and stops gives the speed of its walking."""
    assert cycle_from_file(CLIPS / "snu_walk_left_90.bvh").speed_m_s == pytest.approx(1.19, rel=0.04)
