# SPDX-License-Identifier: GPL-3.0-or-later
"""Who falls gets up: key poses within people's ranges and off the ground, and whole falls that end standing."""

import math

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.get_up.inverse import Ranges, right_jacobians
from lope.addon.locomotion.get_up.motion import Motion, natural_slopes
from lope.addon.locomotion.get_up.phases import Build, prone
from lope.addon.locomotion.get_up.planner import PhasePlanner
from lope.addon.locomotion.get_up.support import Support
from lope.addon.locomotion.limp.joints import to_torque
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Stand
from lope.addon.specs.muscles import Actuation
from lope.addon.specs.shot import BodySpec, Push, Shot, World
from lope.addon.worlds.ground import Plane

ADULT, CHILD = (make_body(BodySpec(height_m=height)) for height in (1.80, 1.20))


def lying(body):
    """A planner of a body that lies on its front, arms beside it."""
    world, ground = World(), Plane()
    support = Support(body, world, ground)
    planner = PhasePlanner(support, world, ground)
    qpos = planner._rest.copy()
    qpos[2] = 0.12 * body.leg_length_m
    qpos[3:7] = quat_from_rotvec(np.array([0.0, math.radians(90.0), 0.0]))
    support.state.update(qpos, planner.poser.still)
    return planner


@pytest.mark.parametrize("body", [ADULT, CHILD], ids=["adult", "child"])
def test_key_poses_keep_to_the_ranges_and_stay_off_the_ground(body):
    planner = lying(body)
    ranges = Ranges(planner.support.body)
    assert planner.begin() < 0.1 and planner.heading == pytest.approx(0.0, abs=1e-6)
    for phase in prone(planner.build):
        motion = planner.plan(phase)
        angles = ranges.angles(motion.end)
        assert (angles > ranges.low - 1e-6).all() and (angles < ranges.high + 1e-6).all(), phase.name
        planner.support.state.update(motion.end, planner.poser.still)
        assert planner.support.state.contact_height_m.min() > -0.035 * body.leg_length_m, phase.name
    assert planner.support.state.com[2] > 0.85 * body.leg_length_m, "it ends nearly upright"


def test_lengths_go_with_the_body():
    adult, child = Build.of(ADULT), Build.of(CHILD)
    assert child.arm / adult.arm == pytest.approx(1.2 / 1.8, rel=1e-6) == child.size / adult.size


def test_jacobians_of_rotation_vectors_are_the_inverses_of_the_limp_joints():
    vectors = np.random.default_rng(3).normal(0.0, 0.8, (5, 3))
    slopes = np.random.default_rng(4).normal(0.0, 1.0, (5, 3))
    back = np.linalg.inv(right_jacobians(vectors)).transpose(0, 2, 1)
    assert np.allclose(np.einsum("kij,kj->ki", back, slopes), to_torque(vectors, slopes), atol=1e-9)


def test_a_motion_goes_through_its_poses_from_rest_to_rest():
    planner = lying(ADULT)
    model, start = planner.support.state.model, planner.support.state.qpos.copy()
    middle, end = start.copy(), start.copy()
    middle[0], end[0] = start[0] + 0.3, start[0] + 0.4
    motion = Motion(model, (0.0, 0.5, 1.0), [start, middle, end], 2.0)
    assert motion.pose(1.0)[0] == pytest.approx(middle[0])
    first, last = motion.at(0.0), motion.at(2.0)
    assert abs(first.velocity[0]) < 1e-4 and last.com[0, 0] - first.com[0, 0] == pytest.approx(0.4, abs=1e-6)
    knots = np.array([0.0, 0.4, 1.0])
    assert np.allclose(natural_slopes(knots, 3.0 * knots[:, None]), 3.0)


@pytest.mark.slow
@pytest.mark.parametrize("force, most_s", [((500.0, 0.0, 0.0), 12.0),
                                           pytest.param((-500.0, 0.0, 0.0), 20.0, marks=pytest.mark.acceptance)],
                         ids=["front", "back"])
def test_who_is_pushed_over_gets_up_and_stands(force, most_s):
    take = simulate(Shot(motion=Stand(), duration_s=4.0, pushes=(Push(0.5, 0.3, force),), after_fall="get_up"))
    assert take.stats["got_up"] and take.stats["retries"] == 0 and take.lost is None and not take.broken_off
    assert 6.0 < take.stats["time_up_s"] < most_s
    assert take.com_m[-1, 2] > 0.95 * take.com_m[0, 2]
    assert float(np.linalg.norm(take.com_velocity_m_s[-1])) < 0.1
    feet = [take.segment_poses[0][-1, take.body.index[f"foot_{side}"]] for side in "LR"]
    assert 0.1 < float(np.linalg.norm(feet[0] - feet[1])) < 0.4, "the feet are side by side"


def test_nobody_gets_up_by_muscles():
    with pytest.raises(InputError, match="get_up cannot move a shot's muscles"):
        simulate(Shot(motion=Stand(), actuation=Actuation(), after_fall="get_up"))
