# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion with its root on rails: it is played exactly, yields where it is hit, and comes back."""

from dataclasses import replace

import numpy as np
import pytest

from bvh_writer import Style, walk_poses, write_bvh
from follow_kit import walk_clip
from lope.addon.bodies.capsules import depths_along
from lope.addon.errors import BodyError, ClipError, InputError
from lope.addon.locomotion.registry import find_controller
from lope.addon.motions.library import load_gait
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.disturbances import PUNCH, Hit, Reaction
from lope.addon.specs.motions import Clip
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

pytestmark = pytest.mark.slow

OFF = "hit_off_motion_deg"
ARM = Hit(0.6, "forearm_L", speed_m_s=6.0, direction=(-1.0, 0.0, 0.0))


def rails_shot(*hits, seconds=2.0, **more):
    """The built-in walk on rails, in its own time."""
    return Shot(
        motion=Clip(str(walk_clip()), time="clip", controller="hit"),
        reaction=Reaction(law="rails"),
        duration_s=seconds,
        hits=hits,
        **more,
    )


@pytest.mark.parametrize(("world", "engine"), [("earth", "mujoco"), ("moon", "mujoco"), ("earth", "pybullet")])
def test_a_motion_that_nobody_hits_is_played_as_it_is(world, engine):
    if engine == "pybullet":
        pytest.importorskip("pybullet")
    take = simulate(rails_shot(world=load_world(world), engine=engine))
    assert take.channels[OFF].values.max() < 0.001, "the simulation runs all the time"
    assert not take.fell and take.time_s[-1] == pytest.approx(2.0)


@pytest.mark.parametrize(("hit", "least_deg"), [(ARM, 20.0), (Hit(0.6, "head", speed_m_s=6.0), 15.0),
                                                (replace(ARM, kind=PUNCH, mass_kg=1.0), 8.0)])
def test_what_is_hit_yields_and_comes_back(hit, least_deg):
    take = simulate(rails_shot(hit))
    off, time = take.channels[OFF].values, take.time_s
    assert off[time < 0.59].max() < 0.001
    assert least_deg < off.max() < 120.0
    assert off[time > 1.7].max() < 8.0
    free = simulate(rails_shot())
    np.testing.assert_allclose(take.root_position_m, free.root_position_m, atol=1e-4)


def test_both_engines_yield_alike():
    pytest.importorskip("pybullet")
    head = Hit(0.4, "head", speed_m_s=6.0)
    one, other = (simulate(rails_shot(head, seconds=0.8, engine=engine)).channels[OFF].values
                  for engine in ("mujoco", "pybullet"))
    assert other.max() == pytest.approx(one.max(), rel=0.15) and np.abs(one - other).max() < 4.0


def test_gains_are_the_motions_own_and_no_hit_changes_them():
    gains = []
    for hits in ((), (ARM,)):
        simulation = Simulation(rails_shot(*hits))
        found = []
        while not simulation.over:
            found.append(simulation.controller.act().damping)  # of the springs too: damping + step times stiffness
            simulation.step()
        simulation.close()
        gains.append(np.array(found))
    np.testing.assert_array_equal(*gains)
    assert np.ptp(gains[0], axis=0).max() > 0.0, "they go along with the motion"


def test_begun_at_the_hit_it_goes_as_if_it_had_run_all_the_time():
    whole, late = (Simulation(rails_shot(ARM)) for _ in range(2))
    for _ in range(110):
        whole.step()
    at = whole.controller.motion.at(550)
    late.engine.reset(at.qpos, at.qvel)
    late.engine.data.time = late.time_s = whole.time_s
    late.tick = whole.tick
    late._sense()
    for _ in range(60):
        for simulation in (whole, late):
            simulation.step()
    assert np.degrees(np.abs(whole.controller.law.off_rad(850, whole.engine.qpos)).max()) > 5.0
    np.testing.assert_allclose(late.engine.qpos, whole.engine.qpos, atol=np.radians(0.2))


def test_who_is_less_loose_yields_less():
    shot = rails_shot(ARM, seconds=1.0)
    off = [simulate(replace(shot, reaction=Reaction(law="rails", looseness=loose))).channels[OFF].values.max()
           for loose in (0.0, 1.0)]
    assert off[0] < 0.8 * off[1]


def test_an_arm_goes_no_deeper_into_the_body_than_the_motion_has_it_and_a_foot_not_into_the_ground():
    simulation = Simulation(rails_shot(Hit(0.6, "forearm_L", speed_m_s=9.0, direction=(0.0, -1.0, 0.0)),
                                       Hit(0.6, "shank_R", speed_m_s=6.0, direction=(0.0, 0.0, -1.0)), seconds=1.2))
    engine, bars = simulation.engine, find_controller("hit").physics(simulation.shot).rails.bars
    pairs = [pair for pair in bars if "forearm_L" in pair[1] or pair[0] == "ground"]
    deepest = 0.0
    while not simulation.over:
        simulation.step()
        poses = engine.data.qpos[None]
        deepest = max(deepest, *(depth - bars[pair] for pair, depth in depths_along(engine.model, pairs, poses).items()))
    simulation.close()
    assert simulation.take().channels[OFF].values.max() > 10.0
    assert 0.0 < deepest < 0.02, "they touch, and stop each other"


def test_without_the_weights_share_heads_fall():
    """The law as printed, feedback that goes with torque alone: what is hit does not come back."""
    printed = {"rails": {"stiffness_rad_s": 0.0, "held": 0.0, "held_up": 0.0}}
    take = simulate(rails_shot(Hit(0.3, "head", speed_m_s=3.0), gains=printed))
    assert take.channels[OFF].values[take.time_s > 1.7].max() > 15.0


def test_limits_give_way_to_a_motion_that_goes_beyond_them(tmp_path):
    poses = walk_poses(load_gait("walk"), 1.0, 60.0)
    clip = write_bvh(tmp_path / "walk.bvh", *poses, Style())
    shot = rails_shot(seconds=0.8).with_motion(file=str(clip))
    rails = find_controller("hit").physics(shot).rails
    assert rails is not None and rails.reach_rad["forearm_L"][1] < 2.0
    body = Simulation(shot).body
    wide = replace(rails, reach_rad={"head": (0.0, 3.0), "forearm_L": (-1.0, 0.1)}).reaching(body)
    assert wide.segment("head").range_rad == (0.0, 3.0)
    assert wide.segment("forearm_L").range_rad == (-1.0, body.segment("forearm_L").range_rad[1])


def test_what_cannot_be_played_on_rails_is_told(tmp_path):
    with pytest.raises(InputError, match="comes after the end of the motion, which lasts 4.00 s"):
        simulate(replace(rails_shot().with_motion(until_end=True), hits=(replace(ARM, time_s=9.0),)))
    with pytest.raises(BodyError, match="no segment 'tail'"):
        simulate(rails_shot(replace(ARM, segment="tail")))
    short = write_bvh(tmp_path / "short.bvh", *walk_poses(load_gait("walk"), 0.15, 120.0), Style(frame_time=1.0 / 120.0))
    with pytest.raises(ClipError, match="too short to be hit"):
        simulate(rails_shot().with_motion(file=str(short)))
    with pytest.raises(InputError, match="On rails a motion is played once"):
        simulate(rails_shot().with_motion(file=str(walk_clip()), repeat=True, until_end=False))
    with pytest.raises(InputError, match="engine mujoco"):
        simulate(rails_shot(engine="ideal"))
    with pytest.raises(InputError, match="names none: give it one"):
        Shot.from_dict({"controller": "hit"})
