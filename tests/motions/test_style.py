# SPDX-License-Identifier: GPL-3.0-or-later
"""Style sliders: what each does to a gait's pose, what it leaves alone, and that the walk stands at their ends."""

import dataclasses
import json
import math

import numpy as np
import pytest

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.legged.foot_path import FootPath
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.cycle import layout, pose
from lope.addon.motions.library import load_gait
from lope.addon.motions.style import in_one_piece, styled
from lope.addon.options.motion_options import style_from
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motion import SLIDERS, Style
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Shot

BODY = make_body(BodySpec())
WALK = load_gait("walk").symmetrised()
PHASES = np.arange(40) / 40


def matrices(cycle, name):
    """Orientations (T, 3, 3) of a segment over a cycle."""
    _, orientations = segment_poses(BODY, *pose(cycle.evaluate(PHASES), BODY))
    return matrix_from_quat(orientations[:, BODY.index[name]])


def spread_deg(cycle, name):
    """Largest angle [deg] of a segment away from its orientation at the start of the cycle."""
    turned = matrices(cycle, name)
    cosines = 0.5 * (np.einsum("ij,tij->t", turned[0], turned) - 1.0)
    return math.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)).max())


def test_the_default_style_is_the_cycle_itself():
    assert styled(WALK, BODY, Style()) is WALK
    assert Style().changed == ()


def test_a_trunk_in_one_piece_goes_as_the_chest_and_legs_and_head_as_they_did():
    points = {name: point for name, point in standing_landmarks(1.8).items() if name not in ("lower_spine", "chest", "neck")}
    body = Human.from_landmarks(points, 75.0)
    whole = in_one_piece(WALK, body)
    assert in_one_piece(WALK, BODY) is WALK

    def turns(cycle, name, of):
        return matrix_from_quat(segment_poses(of, *pose(cycle.evaluate(PHASES), of))[1][:, of.index[name]])

    for name, was in (("pelvis", "chest"), ("thigh_L", "thigh_L"), ("thigh_R", "thigh_R"), ("head", "head")):
        np.testing.assert_allclose(turns(whole, name, body), turns(WALK, was, BODY), atol=0.01)
    assert np.abs(turns(WALK, "pelvis", body) - turns(WALK, "chest", BODY)).max() > 0.1


def test_arm_swing_scales_the_arms_alone():
    swung = styled(WALK, BODY, Style(arm_swing=0.0))
    assert spread_deg(swung, "hand_L") == pytest.approx(spread_deg(swung, "chest"), abs=0.5)
    assert spread_deg(WALK, "hand_L") > 20.0
    rows = layout().slices["thigh_L"]
    assert np.array_equal(swung.coefficients[rows], WALK.coefficients[rows])


def test_trunk_lean_bends_the_chest_and_keeps_the_head_upright():
    bent = styled(WALK, BODY, Style(trunk_lean_deg=15.0))
    lean = {name: math.degrees(np.mean(np.arcsin(matrices(c, name)[:, 0, 2])))
            for name, c in (("chest", bent), ("head", bent))}
    before = {name: math.degrees(np.mean(np.arcsin(matrices(WALK, name)[:, 0, 2]))) for name in lean}
    assert lean["chest"] - before["chest"] == pytest.approx(15.0, abs=1.0)
    assert lean["head"] - before["head"] == pytest.approx(0.0, abs=1.0)


@pytest.mark.parametrize("scale", [0.0, 2.0])
def test_hip_sway_turns_the_pelvis_and_neither_trunk_nor_legs(scale):
    swayed = styled(WALK, BODY, Style(hip_sway=scale))
    lists = [np.ptp(np.arcsin(matrices(c, "pelvis")[:, 2, 1])) for c in (WALK, swayed)]
    assert lists[1] == pytest.approx(scale * lists[0], rel=0.15, abs=math.radians(1.0))
    for name in ("chest", "foot_L", "thigh_R"):
        difference = matrices(WALK, name).transpose(0, 2, 1) @ matrices(swayed, name)
        cosines = 0.5 * (np.trace(difference, axis1=1, axis2=2) - 1.0)
        assert math.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)).max()) < 0.5


def test_a_steady_head_is_still_while_the_chest_turns():
    steady = styled(WALK, BODY, Style(head_steadiness=1.0))
    assert spread_deg(steady, "head") < 0.3 < 1.0 < spread_deg(WALK, "head")
    assert spread_deg(steady, "chest") == pytest.approx(spread_deg(WALK, "chest"), abs=1e-6)
    half = styled(WALK, BODY, Style(head_steadiness=0.5))
    assert spread_deg(half, "head") == pytest.approx(0.5 * spread_deg(WALK, "head"), rel=0.1)


def test_step_width_is_in_metres_of_the_body():
    small = make_body(BodySpec(1.2, 40.0))
    wide = styled(WALK, small, Style(step_width_m=0.1))
    scale = small.leg_length_m / WALK.leg_length_m
    assert (wide.step_width_m - WALK.step_width_m) * scale == pytest.approx(0.1)


def test_the_preview_shows_the_width():
    plan = [preview(Shot(motion=Gait(style=Style(step_width_m=w)), duration_s=3.0)) for w in (0.0, 0.1)]
    widths = [np.abs(np.diff(p.footstep_m[:, 1])).mean() for p in plan]
    assert widths[1] - widths[0] == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("name, value, message", [
    ("arm_swing", 3.0, "style's arm swing must lie between 0 and 2"), ("trunk_lean_deg", math.nan, "trunk lean"),
    ("step_width_m", "wide", "step width must be a number in m"), ("bounce", -0.1, "bounce"),
])
def test_a_style_refuses(name, value, message):
    with pytest.raises(InputError, match=message):
        Style(**{name: value})


@pytest.mark.slow
def test_gaits_that_leave_the_ground_take_the_pose_only():
    with pytest.raises(InputError, match="Only walking gaits take the style's step width and bounce"):
        preview(Shot(motion=Gait("lope", style=Style(step_width_m=0.05, bounce=0.5))))
    assert preview(Shot(motion=Gait("lope", style=Style(arm_swing=0.5)))).speed_m_s > 0.0


def test_the_style_travels_with_the_shot():
    shot = Shot(motion=Gait(style=Style(arm_swing=1.5, foot_lift_m=0.05)))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    old = {k: v for k, v in Shot().to_dict().items() if k != "style"}
    assert Shot.from_dict(old) == Shot()
    with pytest.raises(InputError, match="no style slider named 'arms'"):
        Shot.from_dict({"style": {"arms": 1.0}})


def test_the_style_on_the_command_line():
    assert style_from(["arm-swing=1.5,trunk-lean=10", "step-width=0.05"]) == Style(1.5, 10.0, step_width_m=0.05)
    assert style_from([]) == Style()
    with pytest.raises(InputError, match="no style slider named 'arm'.*Did you mean 'arm-swing'"):
        style_from(["arm=1"])
    with pytest.raises(InputError, match="A style is written NAME=VALUE"):
        style_from(["bounce"])


@pytest.mark.slow
def test_a_walk_with_several_sliders_at_once_stands_and_shows_them():
    style = Style(arm_swing=0.0, step_width_m=0.1, foot_lift_m=0.1, bounce=0.3)
    plain, bent = (simulate(Shot(motion=Gait(tuned=False, style=s), duration_s=4.0)) for s in (Style(), style))
    assert not bent.fell
    late = bent.time_s > 2.0
    ankle = [t.segment_poses[0][late][:, t.body.index["foot_L"], 2].max() for t in (plain, bent)]
    assert 0.05 < ankle[1] - ankle[0] < 0.12
    bob = [np.ptp(t.com_m[late, 2]) for t in (plain, bent)]
    assert bob[1] < 0.7 * bob[0]
    width = [np.abs(np.diff(t.plan_footstep_m[2:, 1])).mean() for t in (plain, bent)]
    assert 0.07 < width[1] - width[0] < 0.15


def test_every_slider_of_the_style_has_a_range():
    assert set(SLIDERS) == {f.name for f in dataclasses.fields(Style)}


def test_arms_are_held_out_to_both_sides_alike():
    out = styled(WALK, BODY, Style(arm_spread_deg=20.0))
    for side, sign in (("L", 1.0), ("R", -1.0)):
        hang = [np.degrees(np.arcsin(-sign * matrices(c, f"upper_arm_{side}")[:, 1, 2])).mean() for c in (WALK, out)]
        assert hang[1] - hang[0] == pytest.approx(20.0, abs=2.0)
    assert spread_deg(out, "chest") == pytest.approx(spread_deg(WALK, "chest"), abs=1e-6)


def test_a_foot_is_set_down_as_flat_as_the_slider_says():
    tables = GaitTables(WALK, BODY)
    own, half, flat = (FootPath(tables, "L", 0.0, heel_strike=share).strike_pitch() for share in (1.0, 0.5, 0.0))
    assert own < -0.1 and half == pytest.approx(0.5 * own) and flat == 0.0
