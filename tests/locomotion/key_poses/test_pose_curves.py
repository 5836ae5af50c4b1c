# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of a pose gait: what they may hold, and what the machine makes of them."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import interpolated, load_pose_gait
from lope.addon.locomotion.key_poses.machine import ROW, Along, Machine
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.pose_gait import ANGLES, PoseCurves, PoseGait, PoseState, pose_gait_file
from lope.addon.specs.shot import Shot

FLAT = dict.fromkeys(ANGLES, (0.0,))


def curves(**changes):
    angles = {**FLAT, "hip_R": (0.1, 0.0, 0.4), "hip_L": (0.1, 0.0, -0.4), "knee_L": (-0.2,)}
    return PoseCurves(**{"period_s": 1.2, "angles": angles, "turns": {"chest": ((0.0,), (0.1, 0.05, 0.0), (0.0,))},
                         "touch_left": 0.9, "touch_right": 0.4, **changes})


def gait(**changes):
    values = {"name": "hers", "summary": "s", "source": "t", "symmetric": False, "curves": curves(),
              "states": (PoseState(swing="R"), PoseState(swing="L"))}
    return PoseGait(**{**values, **changes})


def machine(made, slow=1.0):
    it = Machine(made, slow, 0.0, 0.02)
    it.begin(np.zeros(9))
    return it


def go(it, seconds, right=False):
    for _ in range(round(seconds / 0.005)):
        it.advance(0.005, {"L": False, "R": right}, lambda: np.zeros(9))


def test_targets_go_along_the_curves_from_where_the_other_foot_came_down():
    it = machine(gait())
    phase = 0.9 + 0.12 / 1.2
    go(it, 0.12)
    assert it.targets()[ROW["hip_R"]] == pytest.approx(0.1 + 0.4 * np.sin(2 * np.pi * phase))
    assert np.isclose(it.upper()["chest"][0][1], 0.1 + 0.05 * np.cos(2 * np.pi * phase))
    slow = machine(gait(), 2.0)
    go(slow, 0.24)
    assert np.allclose(slow.targets(), it.targets(), equal_nan=True) and np.allclose(2.0 * slow.rates().angles, it.rates().angles)


def test_rates_are_the_curves_own_slopes():
    along = Along(curves())
    apart = (along.angles("R", 0.201) - along.angles("R", 0.199)) / 0.002
    assert np.allclose(along.rates("R", 0.2, 1.0).angles, apart, atol=1e-4)
    assert along.rates("R", 0.9, 1.0).angles.any() == np.False_  # the step has run out


def test_a_foot_that_has_not_left_yet_ends_no_step_and_the_phase_is_set_anew():
    it = machine(gait())
    go(it, 0.45, right=True)
    assert it.at == 0  # most of the half cycle's 0.6 s has not passed
    go(it, 0.1, right=True)
    assert it.at == 1
    assert it.targets()[ROW["hip_L"]] == pytest.approx(0.1 - 0.4 * np.sin(2 * np.pi * (0.4 + it._entered.since_s / 1.2)))


def test_a_states_angles_are_added_to_the_curves_and_its_upper_body_takes_their_place():
    state = PoseState(swing="R", swing_hip=0.08, stance_knee=-0.1, upper={"chest": (0.0, 0.7, 0.0)})
    plain, changed = machine(gait()), machine(gait(states=(state, PoseState(swing="L"))))
    added = changed.targets() - plain.targets()
    assert added[ROW["hip_R"]] == pytest.approx(0.08) and added[ROW["knee_L"]] == pytest.approx(-0.1)
    assert changed.upper()["chest"][0][1] == 0.7 and "chest" not in changed.rates().turns


def test_curves_travel_with_shots_and_files(tmp_path):
    made = gait()
    path = tmp_path / "hers.json"
    path.write_text(json.dumps(pose_gait_file(made)), encoding="utf-8")
    assert load_pose_gait(str(path)) == made
    shot = Shot(motion=KeyPoses(made, start="standing"))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot


@pytest.mark.parametrize("changes, words", [
    ({"angles": {"torso": (0.0,)}}, "lack hip_L"), ({"angles": {**FLAT, "torso": (0.0, 1.0)}}, "torso has 2 coefficients"),
    ({"touch_left": 0.45}, "at the phases 0.45 and 0.4"), ({"turns": {"toe": ((0.0,),) * 3}}, "toe"),
    ({"angles": {**FLAT, "torso": (float("nan"),)}}, "torso"),
])
def test_curves_that_make_no_sense_are_told(changes, words):
    with pytest.raises(InputError, match=words):
        curves(**changes)


def test_with_curves_a_state_is_a_whole_step():
    with pytest.raises(InputError, match="hers has curves"):
        gait(states=(PoseState(swing="R", lasts_s=0.3), PoseState(swing="L")))
    with pytest.raises(InputError, match="along other curves"):
        interpolated(gait(), replace(gait(), curves=curves(period_s=1.3)), 0.5)
