# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots of somebody who carries something: they stand, the ground bears it all, and hands stay together."""

from dataclasses import replace

import numpy as np
import pytest

from engine_kit import needs_pybullet
from lope.addon.errors import InputError
from lope.addon.maths.rotations import quat_rotate
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import resolved, simulate
from lope.addon.specs.load import Load
from lope.addon.specs.motions import Gait, Jump, KeyPoses, Moves, Stand
from lope.addon.specs.shot import Shot
from lope.addon.specs.steering import Steering
from lope.addon.worlds.planets import load_world

MOON = {"world": load_world("moon"), "suit": "apollo-a7lb"}


def apart_m(take):
    """Distance (T,) of the middles of both hands [m]."""
    body, (places, turns) = take.body, take.segment_poses
    grips = [places[:, i] + quat_rotate(turns[:, i], 0.5 * body.segment(name).tip)
             for name in ("hand_L", "hand_R") for i in (body.index[name],)]
    return np.linalg.norm(grips[0] - grips[1], axis=1)


@pytest.mark.parametrize("shot", [
    Shot(carry=Load(10.0), motion=Gait(law="people")), Shot(carry=Load(40.0), motion=Gait("lope", law="people"), **MOON),
    Shot(carry=Load(15.0), motion=Stand()), Shot(carry=Load(20.0, "back"), motion=Gait("run", law="people")),
    pytest.param(Shot(carry=Load(10.0, "arms"), engine="pybullet"), marks=needs_pybullet),
    Shot(carry=Load(10.0), motion=Moves((Steering(0.5, speed_m_s=1.2),))),
    Shot(carry=Load(6.0), motion=Jump(0.2))], ids=["walk", "moon", "stand", "run", "pybullet", "moves", "jump"])
def test_it_stands_and_hands_stay_together(shot):
    take = simulate(replace(shot, duration_s=5.0))
    assert take.stats["time_fell_s"] is None
    half = len(take.time_s) // 3
    found = measure(take)
    assert found["load_kg"] == shot.carry.mass_kg
    if shot.carry.place in ("hands", "arms"):
        assert found["hands_apart_mm_max"] < 2.0 and np.ptp(apart_m(take)) < 2e-3
    else:
        assert found["hands_apart_mm_max"] is None
    weight = take.body.mass_kg * shot.world.gravity_m_s2
    assert take.grf_n[half:, :, 2].sum(axis=1).mean() == pytest.approx(weight, rel=0.06)


def test_a_walk_nobody_gave_a_speed_is_slower():
    bare, loaded = (simulate(replace(Shot(motion=Gait(law="people")), carry=load, duration_s=0.5)).stats["planned_speed_m_s"]
                    for load in (None, Load(30.0, "back")))
    assert 0.75 * bare < loaded < 0.95 * bare


def test_the_shot_is_written_with_it_and_reads_back():
    shot = Shot(carry=Load(8.0, "hand", "L", (0.3, 0.2, 0.3)))
    assert Shot.from_dict(shot.to_dict()) == shot and "carry" not in Shot().to_dict()


def test_what_cannot_carry_or_hold_it_says_so():
    with pytest.raises(InputError, match="slips"):
        resolved(Shot(carry=Load(70.0, "hand")))
    with pytest.raises(InputError, match="needs its hands"):
        resolved(Shot(carry=Load(5.0), after_fall="get_up"))
    with pytest.raises(InputError, match="leave the load out"):
        from lope.addon.gaits.pose_gaits import load_pose_gait

        Shot(carry=Load(5.0), motion=KeyPoses(gait=load_pose_gait("walk", "human")))
