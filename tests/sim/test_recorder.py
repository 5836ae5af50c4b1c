# SPDX-License-Identifier: GPL-3.0-or-later
"""What the recorder makes of the samples it is handed."""

import numpy as np
import pytest

from body_kit import creature
from engine_kit import EARTH
from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.locomotion.controller import Reading
from lope.addon.locomotion.legged.targets import FootLoads
from lope.addon.sim.recorder import Recorder
from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import ARRAYS, OPTIONAL, Take
from lope.addon.specs.shot import Shot
from planner_kit import BODY

pytestmark = pytest.mark.slow


def test_the_recorder_takes_means_and_notes_events():
    """A sample's forces are the means since the one before; a change of load is an event."""
    state, readings = Simulation(Shot()).state, {"plan_heading_rad": Reading("rad", 0.0), "height": Reading("m", 1.0)}
    recorder = Recorder(BODY, 9.81, 2)
    points = len(BODY.contact_points)
    left = np.array([p.side == "L" for p in BODY.contact_points])
    forces, torque = np.zeros((points, 3)), np.ones(BODY.degrees_of_freedom - 6)
    recorder.sample(0.0, state, readings)
    for push in (100.0, 300.0):
        forces[left] = 0.0, 0.0, push
        recorder.gather(forces, push * torque)
    recorder.sample(0.01, state, readings)
    recorder.gather(np.zeros_like(forces), torque)
    recorder.sample(0.02, state, readings)
    arrays, channels = recorder.series([])
    assert channels["height"].unit == "m" and channels["height"].values.tolist() == [1.0, 1.0, 1.0]
    np.testing.assert_allclose(arrays["grf_n"][:, 0, 2], [0.0, 200.0 * left.sum(), 0.0])
    np.testing.assert_allclose(arrays["grf_n"][:, 1], 0.0)
    np.testing.assert_allclose(arrays["torque_nm"][:, 0], [0.0, 200.0, 1.0])
    np.testing.assert_array_equal(arrays["contact"], [[False, False], [True, False], [False, False]])
    np.testing.assert_allclose(arrays["event_time_s"], [0.01, 0.02])
    assert arrays["event_kind"].tolist() == [0, 1] and arrays["event_side"].tolist() == [0, 0]
    assert arrays["plan_footstep_m"].shape == (0, 3)
    full, loads = BODY.mass_kg * 9.81, FootLoads(BODY, 9.81)
    for share, loaded in ((0.019, False), (0.021, True)):
        forces[:], forces[np.argmax(left), 2] = 0.0, share * full
        assert loads.loaded(forces, state) == {"L": loaded, "R": False}


def test_joint_quaternions_of_hinges_turn_about_their_axes():
    qpos = Simulation(Shot()).state.qpos.copy()
    quats = joint_quaternions(BODY, np.stack([qpos, qpos]))
    knee = BODY.joint_segments.index("shank_L")
    at = 7 + sum(4 if BODY.segment(n).joint == "ball" else 1 for n in BODY.joint_segments[:knee])
    np.testing.assert_allclose(quats[1, knee], [np.cos(0.5 * qpos[at]), 0.0, np.sin(0.5 * qpos[at]), 0.0], atol=1e-12)


@pytest.mark.parametrize("body", [creature(0), creature(1, "planar"), creature(2, "planar", "ball"), creature(3)],
                         ids=["no feet", "planar", "planar with balls", "three feet"])
def test_any_body_is_recorded_without_a_plan(body):
    """One foot after the other is loaded; what a controller changes in place does not change what was read before."""
    state, recorder = BodyState(body, build_model(body, EARTH)), Recorder(body, 9.81, 1)
    qpos, value = np.array(state.model.qpos0), np.zeros(2)
    qpos[-1] = 0.3
    state.update(qpos, np.zeros(body.degrees_of_freedom))
    torque, readings = np.ones(body.degrees_of_freedom - body.root_freedom), {"target": Reading("m", value)}
    for i in range(len(body.feet) + 1):
        recorder.sample(0.01 * i, state, readings if i < 2 else {})
        forces = np.zeros((len(body.contact_points), 3))
        forces[i:i + 1, 2] = 100.0
        recorder.gather(forces, torque)
        value += 1.0
    arrays, channels = recorder.series(None)
    take = Take(Shot(), body, arrays, {"time_fell_s": None}, channels)
    assert set(take.arrays) == set(ARRAYS) - set(OPTIONAL)
    expected = np.vstack([np.zeros((1, len(body.feet))), 100.0 * np.eye(len(body.feet))])
    np.testing.assert_allclose(take.grf_n[..., 2], expected)
    np.testing.assert_array_equal(take.contact, expected > 0.0)
    np.testing.assert_array_equal(take.event_side[take.event_kind == 0], np.arange(len(body.feet)))
    np.testing.assert_allclose(take.root_position_m[0], root_pose(body, qpos[None])[0][0])
    target = channels["target"].values
    np.testing.assert_array_equal(target[:2], [[i, i] for i in range(len(target[:2]))])
    assert np.isnan(target[2:]).all(), "nobody said anything of it there"
