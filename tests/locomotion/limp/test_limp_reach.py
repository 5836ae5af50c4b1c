# SPDX-License-Identifier: GPL-3.0-or-later
"""Who stood falls with hands out: they are down before the head; who did not lets go of everything."""

import numpy as np
import pytest

from lope.addon.bodies.capsules import body_capsules
from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.bodies.state import BodyState
from lope.addon.engines.engine import Torques
from lope.addon.locomotion.controller import Sensed, Setup
from lope.addon.locomotion.limp.joints import LimpSettings
from lope.addon.locomotion.limp.reach import between, within
from lope.addon.locomotion.registry import find_controller
from lope.addon.maths.rotations import quat_from_rotvec, quat_rotate
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import BodySpec, Push, Shot

pytestmark = pytest.mark.slow

ADULT = make_body(BodySpec())


def touched_s(take, part):
    """When a segment whose name begins so first touches the ground after the fall was told [s]."""
    places, turns = take.segment_poses
    low = np.full(len(take.time_s), np.inf)
    for shape in body_capsules(take.body):
        if shape.segment.startswith(part):
            i = take.body.index[shape.segment]
            for end in (shape.start, shape.end):
                low = np.minimum(low, (places[:, i] + quat_rotate(turns[:, i], end))[:, 2] - shape.radius_m)
    down = take.time_s[(low < 0.01) & (take.time_s > take.stats["time_fell_s"])]
    return float(down[0]) if len(down) else np.inf


def fallen(force_n, **gains):
    """A fall from the plain pose: arms that wander hang otherwise in each, as slack ones do."""
    return simulate(
        Shot(motion=Stand(sway=0.0), duration_s=2.0, pushes=(Push(0.2, 0.2, force_n),), after_fall="limp", gains=gains or None)
    )


@pytest.mark.acceptance
@pytest.mark.parametrize("force_n", [(1000.0, 0.0, 0.0), (-900.0, 0.0, 0.0), (0.0, 900.0, 0.0)], ids=["front", "back", "side"])
def test_a_hand_is_down_before_the_head_and_the_head_later_than_without(force_n):
    take, slack = fallen(force_n), fallen(force_n, limp={"hands": 0.0})
    assert touched_s(take, "hand") < touched_s(take, "head") - 0.05
    assert touched_s(take, "head") > touched_s(slack, "head") + 0.03


def asked(stood, **settings):
    """What an adult who lets go while falling to the front is asked to do in the fall's first tenth of a second."""
    state = BodyState(ADULT, build_model(ADULT, Shot().world, Stepping(capsules=True)))
    limp = find_controller("limp").make(Setup(Shot(), ADULT, state, Torques, LimpSettings(**settings), stood=stood))
    qpos, qvel = limp.start()
    qvel[0] = 1.0
    state.update(qpos, qvel)
    for time_s in (0.0, 0.1):
        limp.sense(Sensed(time_s, qpos, qvel, None))
        command = limp.act()
    return command


def test_who_did_not_stand_does_not_reach():
    plain, off, on = asked(False), asked(True, hands=0.0), asked(True)
    assert np.array_equal(plain.torque, off.torque) and np.array_equal(plain.damping, off.damping)
    moved = on.torque != plain.torque
    columns = {name: int(build_model(ADULT, Shot().world).joint(name).dofadr[0]) - 6 for name in ADULT.joint_segments}
    assert moved[columns["forearm_L"]] and moved[columns["upper_arm_R"] + 1] and moved[columns["head"] + 1]
    assert not moved[columns["thigh_L"]:].any() and not moved[columns["lower_spine"]:columns["neck"]].any()
    assert on.torque[columns["head"] + 1] < plain.torque[columns["head"] + 1], "the head goes back, up from the ground ahead"


def test_an_aim_is_the_shortest_turn_within_the_range():
    one, other = np.array([0.0, 0.0, -1.0]), np.array([0.6, 0.0, 0.8])
    assert quat_rotate(quat_from_rotvec(between(one, other)), one) == pytest.approx(other)
    shoulder = ADULT.passive_joint("upper_arm_L")
    assert within(np.array([0.0, 3.0, 0.0]), shoulder)[1] == pytest.approx(0.9 * shoulder.high[1])
    assert within(np.array([0.0, -0.5, 0.0]), shoulder) == pytest.approx([0.0, -0.5, 0.0])
