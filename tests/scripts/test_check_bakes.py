# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check bakes: the measures themselves, on motions whose faults are known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lope.addon.motions.library import load_gait
from lope.scripts.suites.baked import Baked, faults, measures, preset_jump, preset_turns, swings

WALK = load_gait("walk")
PHASES = np.arange(96) / 48


@pytest.fixture
def good() -> Baked:
    """Two strides of the walk as it was captured, 48 frames each, its soles where they should be, its wrists straight."""
    turns = preset_turns(WALK, PHASES)
    turns |= {f"hand_{side}": turns[f"forearm_{side}"] for side in "LR"}
    level = {side: np.zeros(len(PHASES)) for side in "LR"}
    return Baked(turns, level, {side: np.ones(len(PHASES)) for side in "LR"}, np.zeros(len(PHASES)))


def turned(baked: Baked, segment: str, axis: str, degrees) -> Baked:
    """With a segment turned about one of its own axes."""
    turn = Rotation.from_euler(axis, np.broadcast_to(degrees, (len(PHASES),))[:, None], degrees=True).as_matrix()
    return replace(baked, turns=baked.turns | {segment: baked.turns[segment] @ turn})


def test_a_gait_as_captured_is_without_fault(good):
    found = measures(good, WALK)
    assert faults(found) == []
    assert found["trunk_swing_deg"] == pytest.approx(found["trunk_preset_deg"], rel=0.06)
    assert found["wrist_bend_deg"] == pytest.approx(0.0, abs=1e-4)


def test_soles(good):
    high = good.soles["L"].copy()
    high[30] = 0.03
    assert faults(measures(replace(good, soles={**good.soles, "L": high}), WALK)) == ["sole_loaded_m"]
    free = good.loaded["L"].copy()
    free[30] = 0.0
    assert faults(measures(replace(good, soles={**good.soles, "L": high}, loaded={**good.loaded, "L": free}), WALK)) == []
    assert faults(measures(replace(good, soles={**good.soles, "L": -high}), WALK)) == ["sole_loaded_m", "sole_deepest_m"]


def test_torn_skin(good):
    assert faults(measures(replace(good, torn=np.linspace(0.0, 0.5, len(PHASES))), WALK)) == ["torn"]


def test_wrists(good):
    found = measures(turned(good, "hand_L", "y", 35.0), WALK)
    assert found["wrist_bend_deg"] == pytest.approx(35.0, abs=0.01) and faults(found) == ["wrist_bend_deg"]
    found = measures(turned(good, "hand_R", "z", -40.0), WALK)
    assert found["wrist_twist_deg"] == pytest.approx(40.0, abs=0.01) and faults(found) == ["wrist_twist_deg"]
    assert found["forearm_twist_deg"] < 1.0


def test_swings_of_trunk_and_head(good):
    nod = 20.0 * np.sin(2.0 * np.pi * PHASES)
    assert swings(turned(good, "head", "y", nod).turns)["head"] > 15.0
    assert faults(measures(turned(good, "head", "y", nod), WALK)) == ["head_swing_deg"]
    heading = Rotation.from_rotvec(np.outer(np.linspace(0.0, 2.0, len(PHASES)), [0.0, 0.0, 1.0])).as_matrix()
    round_a_bend = replace(good, turns={name: heading @ turns for name, turns in good.turns.items()})
    assert swings(round_a_bend.turns)["trunk"] == pytest.approx(swings(good.turns)["trunk"], rel=0.1)


def test_jumps(good):
    snap = np.where(np.arange(len(PHASES)) == 40, 25.0, 0.0)
    found = measures(turned(good, "foot_R", "y", snap), WALK)
    assert found["jump_joint"] in ("foot_R", "toes_R") and found["jump_deg"] > 40.0 and faults(found) == ["jump_deg"]
    even = np.linspace(0.0, 19.0 * len(PHASES), len(PHASES))
    found = measures(turned(good, "head", "x", even), WALK)
    assert found["step_deg"] > 15.0 and found["jump_deg"] < 15.0
    own = preset_jump(WALK, 0.9, 24.0)
    assert own > preset_jump(WALK, 0.9, 60.0) and faults(found | {"jump_deg": own, "preset_jump_deg": own}) == ["head_swing_deg"]
