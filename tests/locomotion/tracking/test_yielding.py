# SPDX-License-Identifier: GPL-3.0-or-later
"""A struck chain yields and comes back; all else goes on as it did."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.locomotion.tracking.yielding import OFF, chain_at, chains_of, depth_of, drop, strength
from lope.addon.reports.hits import hits_of
from lope.addon.sim.simulation import simulate
from lope.addon.specs.disturbances import Hit, Reaction
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

ARM = Hit(0.6, "upper_arm_L", speed_m_s=6.0)


def standing(*hits, seconds=2.2, **values):
    return Shot(motion=Stand(), duration_s=seconds, hits=hits, **values)


def test_chains_are_read_off_the_tree():
    body = make_body(BodySpec(), None)
    chains = chains_of(body)
    found = {chain.segments[0]: chain for chain in chains}
    assert chains[0].segments == ("lower_spine", "chest") and chains[0].base == body.role("root")
    assert found["neck"].segments == ("neck", "head") and found["neck"].base == "chest"
    assert found["clavicle_R"].segments == ("clavicle_R", "upper_arm_R", "forearm_R", "hand_R")
    assert found["thigh_L"].segments == ("thigh_L", "shank_L", "foot_L", "toes_L") and found["thigh_L"].base == "pelvis"
    assert sorted(np.concatenate([chain.columns for chain in chains])) == list(range(6, body.degrees_of_freedom))
    assert chain_at(chains, "pelvis") == 0 and chains[chain_at(chains, "hand_R")] is found["clavicle_R"]


def test_a_body_whose_trunk_is_its_root_has_limbs_only():
    chains = chains_of(make_body(BodySpec(kind="planar"), None))
    assert {chain.base for chain in chains} == {"trunk"} or all(len(chain.segments) >= 1 for chain in chains)
    assert len(chains) == 2


def test_gains_drop_hold_and_return():
    reaction = Reaction(low=0.2, hold_s=0.1, back_s=0.2)
    assert [drop(t, 1.0, reaction) for t in (0.0, 0.1, 0.2, 0.3, 9.0)] == pytest.approx([0.2, 0.2, 0.2**0.5, 1.0, 1.0])
    assert drop(0.0, 1.0, replace(reaction, looseness=0.0)) == 1.0
    assert drop(0.0, depth_of(1.5, 75.0), reaction) == pytest.approx(0.2**0.25), "a tap hardly loosens"
    assert strength(0.0, 1.0, reaction, 6.0) == pytest.approx(6.0) and strength(9.0, 1.0, reaction, 6.0) == pytest.approx(1.0)
    assert strength(0.0, 1.0, reaction, 0.4) == 1.0, "nobody is weaker than the motion asks for"


def test_a_reaction_without_a_hit_changes_nothing():
    one, other = simulate(standing(seconds=0.6)), simulate(standing(seconds=0.6, reaction=Reaction()))
    for name, values in one.arrays.items():
        assert np.array_equal(values, other.arrays[name]), name


@pytest.mark.parametrize("engine", ["mujoco", pytest.param("pybullet", marks=MORE)])
def test_an_arm_flies_back_and_comes_home(engine):
    if engine == "pybullet":
        pytest.importorskip("pybullet")
    loose = simulate(standing(ARM, engine=engine))
    hit = hits_of(loose)[0]
    assert hit.segment == "upper_arm_L" and 25.0 < hit.peak_deg < 60.0 and hit.back_s < 0.7 and not loose.fell
    stiff = hits_of(simulate(standing(ARM, engine=engine, reaction=Reaction(looseness=0.0), seconds=1.0)))[0]
    assert stiff.peak_deg < 0.7 * hit.peak_deg


def test_only_what_is_struck_yields():
    shot = standing(ARM, seconds=1.0)
    take, chains = simulate(shot), chains_of(make_body(BodySpec(), None))
    off = take.channels[OFF].values[take.time_s > 0.6].max(axis=0)
    arms = [i for i, chain in enumerate(chains) if chain.segments[0].startswith("clavicle")]
    struck = next(i for i in arms if chains[i].segments[0] == "clavicle_L")
    assert off[struck] > 25.0 and off[next(i for i in arms if i != struck)] < 0.4 * off[struck]


def test_angles_against_the_shot_without_the_hit():
    with_hit, without = simulate(standing(ARM, seconds=1.6)), simulate(standing(seconds=1.6))
    (one, *_), (own, *_) = hits_of(with_hit, without), hits_of(with_hit)
    assert one.peak_deg == pytest.approx(own.peak_deg, abs=4.0) and one.time_s == own.time_s == pytest.approx(0.6, abs=0.01)
    assert one.impulse_ns > 5.0 and one.by == "Ball"


def test_on_the_moon_an_arm_comes_home_as_soon():
    hit = hits_of(simulate(standing(replace(ARM, speed_m_s=3.0), world=load_world("moon"))))[0]  # no step follows
    assert 20.0 < hit.peak_deg < 60.0 and hit.back_s < 0.7


def test_a_walk_takes_a_ball_at_its_head():
    shot = Shot(duration_s=3.5, hits=(Hit(2.03, "head", speed_m_s=6.0),))
    take = simulate(shot)
    hit = hits_of(take)[0]
    assert not take.fell and hit.segment == "head" and hit.back_s < 0.7


def test_loose_joints_come_home_slowly():
    loose = hits_of(simulate(standing(ARM, reaction=Reaction(law="loose"), seconds=3.0)))[0]
    assert loose.peak_deg > 30.0 and loose.back_s > 0.8


def test_the_command_line_tells_of_hits(capsys):
    assert main(["simulate", "--gait", "stand", "--seconds", "1.4", "--hit", "0.6,head,4,3,-1/0/0", "--json"]) == 0
    told = capsys.readouterr()
    hit = json.loads(told.out)["hits"][0]
    assert (hit["segment"], hit["by"]) == ("head", "Ball") and hit["peak_deg"] > 15.0 and 0.0 < hit["back_s"] < 0.7
    assert "Ball at 0.60 s: head" in told.err
