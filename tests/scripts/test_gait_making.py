# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits made from other gaits: retimed, re-phased, both sides at once; contacts from the soles; hops from a clip."""

from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.kinematics import segment_poses, specific_angular_momentum
from lope.addon.bodies.makers import make_body
from lope.addon.errors import ClipError
from lope.addon.motions.cycle import Cycle, layout, pose
from lope.addon.motions.library import load_gait
from lope.addon.specs.shot import BodySpec
from lope.scripts.tools.gait_making import (
    MID_STANCE,
    cycle_from_hops,
    foot_pitch,
    held,
    in_phase,
    on_the_ground,
    rephased,
    retimed,
    sides_shifted,
    swung,
    with_legs,
    with_sharp_contacts,
    with_touch_down_pitch,
    with_trunk_lean,
)

CLIPS = Path(__file__).resolve().parents[2].parent / "shared" / "motion" / "bvh"
PHASES = np.linspace(0.0, 1.0, 50, endpoint=False)


def channel(cycle, name, phases=PHASES):
    return cycle.evaluate(phases)[:, layout().names.index(name)]


def test_retimed_poses_are_the_old_ones_at_other_phases():
    run = load_gait("run")
    old = run.contact_phases["L"].stance
    slow = retimed(run, [(0.0, 0.0), (0.2, old), (0.5, 0.5), (0.7, 0.5 + old)])
    assert slow.contact_phases["L"].stance == pytest.approx(0.2, abs=2e-3)
    for new, before in ((0.0, 0.0), (0.2, old), (0.5, 0.5)):
        here, there = channel(slow, "thigh_L.ry", np.array([new])), channel(run, "thigh_L.ry", np.array([before]))
        assert here == pytest.approx(there, abs=0.06)


def test_a_shifted_leg_does_the_same_later_and_the_trunk_is_still():
    run = load_gait("run")
    skip = sides_shifted(run, {"leg_R": -0.3})
    np.testing.assert_allclose(channel(skip, "shank_R", PHASES - 0.3), channel(run, "shank_R"), atol=1e-9)
    np.testing.assert_allclose(channel(skip, "shank_L"), channel(run, "shank_L"), atol=1e-12)
    assert np.ptp(channel(skip, "lower_spine.rz")) == 0.0 and skip.sided
    assert skip.contact_phases["R"].strike == pytest.approx((run.contact_phases["R"].strike - 0.3) % 1.0)


def test_legs_of_two_cycles_and_the_rest_of_a_third():
    run = load_gait("run")
    left, right = rephased(run, 0.1), rephased(run, 0.3)
    cycle = with_legs(run, left, right)
    for name, source in (("shank_L", left), ("thigh_R.ry", right), ("forearm_L", run), ("root.z", run)):
        np.testing.assert_array_equal(channel(cycle, name), channel(source, name))
    assert cycle.contact_phases == {"L": left.contact_phases["L"], "R": right.contact_phases["R"]}


def test_a_skipping_body_in_the_air_has_next_to_no_angular_momentum_of_its_own():
    skip, body = load_gait("skip"), make_body(BodySpec())
    phases = np.arange(240) / 240
    angular_momentum = specific_angular_momentum(body, *segment_poses(body, *pose(skip.evaluate(phases), body)))[:, 1]
    leaves, lands = skip.contact_phases["R"].toe_off + 0.02, 0.98
    flight = angular_momentum[(phases > leaves) & (phases < lands)] * skip.stride_frequency_hz * body.mass_kg
    trunk_inertia = 8.0  # kg m^2, trunk, head and arms about the hips
    turned = np.cumsum(flight) / 240 / skip.stride_frequency_hz / trunk_inertia
    assert np.degrees(np.abs(turned).max()) < 10.0


def test_swung_limbs_are_farthest_forward_at_their_phase():
    cycle = swung(load_gait("hop"), "upper_arm", 0.5, 0.4, 0.1)
    for name in ("upper_arm_L.ry", "upper_arm_R.ry"):
        angle = channel(cycle, name)
        assert PHASES[angle.argmin()] == pytest.approx(0.4, abs=0.011)
        assert (angle.min(), angle.max()) == pytest.approx((-0.4, 0.6), abs=2e-3)


def test_feet_land_at_the_pitch_asked_for_and_stand_as_before():
    hop = load_gait("hop")
    for pitch in (-0.1, 0.0, 0.2):
        changed = with_touch_down_pitch(hop, pitch)
        for side in "LR":
            middle = hop.contact_phases[side].strike + MID_STANCE * hop.contact_phases[side].stance
            flat = foot_pitch(hop, side, middle)
            assert foot_pitch(changed, side, middle) == pytest.approx(flat, abs=0.02)
            assert foot_pitch(changed, side, hop.contact_phases[side].strike) - flat == pytest.approx(pitch, abs=0.03)


def test_in_phase_both_sides_do_the_same():
    both = in_phase(sides_shifted(load_gait("run"), {"leg_R": -0.5, "arm_R": -0.5}))
    np.testing.assert_allclose(channel(both, "shank_L"), channel(both, "shank_R"), atol=1e-9)
    np.testing.assert_allclose(channel(both, "thigh_L.rx"), -channel(both, "thigh_R.rx"), atol=1e-9)
    assert both.contact_phases["L"] == both.contact_phases["R"]


def test_held_scales_swings_and_mirrors_means():
    cycle = held(load_gait("run"), {"upper_arm": 0.5}, {"upper_arm.rx": 0.4})
    before = np.ptp(channel(load_gait("run"), "upper_arm_L.ry"))
    assert np.ptp(channel(cycle, "upper_arm_L.ry")) == pytest.approx(0.5 * before)
    assert channel(cycle, "upper_arm_L.rx").mean() == pytest.approx(0.4)
    assert channel(cycle, "upper_arm_R.rx").mean() == pytest.approx(-0.4)


def test_trunk_lean_is_the_chests():
    cycle = with_trunk_lean(load_gait("run"), 0.1)
    assert sum(channel(cycle, f"{part}.ry").mean() for part in ("root", "lower_spine", "chest")) == pytest.approx(0.1)


def test_rephased_moves_phase_0_only():
    run = load_gait("run")
    moved = rephased(run, 0.2)
    np.testing.assert_allclose(moved.evaluate(PHASES), run.evaluate(PHASES + 0.2), atol=1e-9)
    assert moved.contact_phases["L"].strike == pytest.approx(0.8)


def test_sharp_contacts_of_sharp_contacts_stay():
    run = load_gait("run")
    again = with_sharp_contacts(run)
    assert again.contact_phases["L"].stance == pytest.approx(run.contact_phases["L"].stance, abs=0.03)


def test_on_the_ground_gives_a_smooth_height():
    cycle = on_the_ground(sides_shifted(load_gait("run"), {"leg_R": -0.3}))
    height = channel(cycle, "root.z")
    assert 0.7 < height.min() < height.max() < 1.3 and np.abs(np.diff(height)).max() < 0.05


@pytest.mark.parametrize(("gait", "sided"), [("run", False), ("lope", False), ("skip", True), ("hop", True)])
def test_presets_say_whether_they_keep_their_sides(gait, sided):
    cycle = load_gait(gait)
    assert cycle.sided is sided and len(cycle.source) > 40
    again = Cycle.from_dict(cycle.to_dict())
    assert again.sided is sided
    np.testing.assert_allclose(again.coefficients, cycle.coefficients, atol=1e-6)


@pytest.mark.skipif(not CLIPS.is_dir(), reason="the reference clips are not here")
def test_hops_come_from_a_clip_of_hops_only():
    hop = cycle_from_hops(CLIPS / "snu_hop_two_feet.bvh")
    assert hop.contact_phases["L"] == hop.contact_phases["R"] and 0.8 < hop.stride_frequency_hz < 1.2
    with pytest.raises(ClipError, match="holds no hops"):
        cycle_from_hops(CLIPS / "35_02_walk_normal.bvh")
