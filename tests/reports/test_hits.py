# SPDX-License-Identifier: GPL-3.0-or-later
"""What strikes a body: balls that come to where a segment is at their time, punches, and what a take tells of them."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from lope.addon.errors import BodyError, InputError
from lope.addon.reports.hits import hit_rows, hit_sentences, missed_of
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import PUNCH, Hit, LooseObject, Reaction
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import Shot, World

CHEST = Hit(0.6, "chest", speed_m_s=6.0)


def standing(*hits: Hit, seconds: float = 0.9, **values) -> Shot:
    return Shot(motion=Stand(), duration_s=seconds, hits=hits, **values)


def first(take: Take) -> dict:
    return take.stats["strikes"][0]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mujoco", "pybullet"])
def test_a_ball_touches_its_segment_at_its_time_and_speed(engine):
    if engine == "pybullet":
        pytest.importorskip("pybullet")
    take = simulate(standing(CHEST, engine=engine))
    strike = first(take)
    assert (strike["segment"], strike["by"]) == ("chest", "Ball")
    assert strike["time_s"] == pytest.approx(0.6, abs=0.0051)
    assert 20.0 < np.linalg.norm(strike["impulse_ns"]) < 1.3 * CHEST.impulse_ns and strike["impulse_ns"][0] < 0.0
    at = int(np.searchsorted(take.time_s, 0.6 - 1e-9))
    before = take.object_pose[at - 4:at, 0, :3]
    assert np.diff(before, axis=0)[:, 0] == pytest.approx(-0.06, abs=1e-3)  # 6 m/s, 10 ms from sample to sample
    assert take.object_pose[-1, 0, 0] > before[-1, 0] - 0.5, "it does not go through"


@pytest.mark.slow
@pytest.mark.parametrize("time_s", [1.0, 1.37])
def test_a_ball_meets_an_arm_that_swings(time_s):
    take = simulate(Shot(duration_s=1.6, hits=(Hit(time_s, "forearm_L", speed_m_s=9.0, direction=(-1.0, -1.0, 0.0)),)))
    assert first(take)["segment"] == "forearm_L" and first(take)["time_s"] == pytest.approx(time_s, abs=0.011)


@pytest.mark.slow
def test_a_flight_is_shown_as_it_must_have_come():
    """Under gravity, from the ground on, where it waits."""
    take = simulate(standing(CHEST))
    at = int(np.searchsorted(take.time_s, 0.6 - 1e-9))
    place, radius = take.object_pose[:at, 0, :3], CHEST.radius_m
    flying = np.diff(place[:, 0]) < -1e-6
    fall = np.diff(place[:, 2], 2)[flying[1:] & flying[:-1]] / 0.01**2
    assert flying.sum() > 30 and fall == pytest.approx(-World().gravity_m_s2, abs=0.6)  # the first 1 ms step of the engine
    assert place[:, 2].min() > radius - 1e-6 and not flying[0]


@pytest.mark.slow
def test_what_is_not_hit_goes_as_it_did():
    """Until the ball touches, but for control every 5 ms beside a ball, and every 10 without."""
    hit, free = simulate(standing(CHEST)), simulate(standing())
    before = hit.time_s < 0.59
    assert np.abs(hit.root_position_m[before] - free.root_position_m[before]).max() < 5e-5
    assert np.abs(hit.com_velocity_m_s - free.com_velocity_m_s).max() > 0.1


@pytest.mark.slow
def test_the_same_shot_gives_the_same_take(tmp_path):
    for name in ("one", "other"):
        simulate(standing(CHEST, Hit(0.6, "head", kind=PUNCH, mass_kg=1.0))).save(tmp_path / f"{name}.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "other.npz").read_bytes()
    loaded = Take.load(tmp_path / "one.npz")
    assert loaded.shot.hits[1].kind == PUNCH and loaded.object_pose.shape[1] == 1


@pytest.mark.parametrize("engine", ["mujoco", "ideal"])
def test_a_punch_gives_its_impulse(engine):
    take = simulate(standing(Hit(0.301, "chest", kind=PUNCH, mass_kg=2.0, speed_m_s=5.0, direction=(0.0, 3.0, 0.0)),
                             seconds=0.5, engine=engine))
    strike = first(take)
    assert (strike["segment"], strike["by"]) == ("chest", PUNCH)
    assert strike["impulse_ns"] == pytest.approx([0.0, 10.0, 0.0], abs=1e-6)
    after = int(np.searchsorted(take.time_s, 0.34))
    assert take.com_velocity_m_s[after, 1] == pytest.approx(10.0 / take.body.mass_kg, rel=0.3)


@pytest.mark.slow
def test_a_ball_waits_until_its_start_is_clear():
    """One that comes through the arm that hangs there hits at its time all the same, or the arm on its way."""
    take = simulate(standing(Hit(0.5, "thigh_L", speed_m_s=3.0, direction=(0.0, -1.0, 0.0), along=0.3)))
    assert first(take)["time_s"] == pytest.approx(0.5, abs=0.06) and first(take)["segment"].endswith("_L")
    assert np.abs(take.com_velocity_m_s).max() < 1.0, "nothing was flung away"


@pytest.mark.slow
def test_a_ball_that_another_part_is_in_the_way_of_strikes_that():
    """From the right at the left arm: it would begin within the trunk, and tear the body apart."""
    hit = Hit(0.6, "upper_arm_L", speed_m_s=6.0, direction=(0.0, 1.0, 0.0))
    take = simulate(standing(hit))
    strikes = take.stats["strikes"]
    assert strikes and sum(np.linalg.norm(strike["impulse_ns"]) for strike in strikes) < 3.0 * hit.impulse_ns
    assert first(take)["segment"] != "upper_arm_L" and not take.fell and take.lost is None
    told = [f"The ball at 0.6 s did not touch upper_arm_L: {first(take)['segment']} was in its way."]
    assert hit_sentences(take)[-1:] == [one.sentence() for one in missed_of(take)] == told


@pytest.mark.slow
@pytest.mark.parametrize(("struck", "told"), [
    ([], ["The ball at 0.6 s did not touch chest: it touched nothing."]),
    ([("head", 1, 0.6)], ["The ball at 0.6 s did not touch chest: it touched nothing."]),
    ([("thigh_L", 0, 0.61), ("head", 0, 0.6)], ["The ball at 0.6 s did not touch chest: head was in its way."]),
    ([("toes_L", 0, 0.9)], ["The ball at 0.6 s did not touch chest: it flew past and struck toes_L."]),
    ([("head", 0, 0.6), ("chest", 0, 0.7)], []),
])
def test_balls_that_missed_are_told(struck, told):
    take = simulate(standing(CHEST, Hit(0.6, "head"), Hit(0.88, "hand_L"), Hit(0.7, "head", kind=PUNCH)))
    strikes = [{"time_s": at, "segment": segment, "by": take.shot.loose[ball].name, "impulse_ns": [1.0, 0.0, 0.0]}
               for segment, ball, at in [*struck, ("head", 1, 0.6)]]
    take = replace(take, stats=take.stats | {"strikes": strikes})
    assert [one.sentence() for one in missed_of(take)] == told, "who knows of one that comes as the take ends"
    assert hit_rows(take)["missed"] == [asdict(one) for one in missed_of(take)] and len(hit_rows(take)["missed"]) == len(told)


@pytest.mark.slow
def test_thrown_objects_strike_too():
    ball = LooseObject("Stone", "sphere", (0.2, 0.2, 0.2), mass_kg=4.0, place_m=(1.5, 0.0, 1.3), velocity_m_s=(-6.0, 0.0, 1.0))
    take = simulate(standing(objects=(ball,), reaction=Reaction()))
    assert (first(take)["by"], first(take)["segment"]) == ("Stone", "chest")
    assert "strikes" not in simulate(standing(objects=(ball,), seconds=0.5)).stats, "nobody notices"


def test_balls_have_names_of_their_own():
    taken = LooseObject("Ball", place_m=(9.0, 0.0, 0.2))
    shot = standing(CHEST, Hit(0.6, "head"), Hit(0.7, "head", kind=PUNCH), objects=(taken,))
    assert [item.name for item in shot.loose] == ["Ball", "Ball 2", "Ball 3"]
    assert shot.loose[1].weighs_kg == CHEST.mass_kg and Shot.from_dict(shot.to_dict()) == shot


@pytest.mark.parametrize(("values", "said"), [
    ({"hits": (Hit(2.0),)}, "comes after the end"),
    ({"hits": (Hit(0.5),), "engine": "ideal"}, "knows no contact"),
    ({"hits": (Hit(0.5),) * 201}, "at most 200 balls"),
])
def test_shots_with_bad_hits_are_refused(values, said):
    with pytest.raises(InputError, match=said):
        standing(*values.pop("hits"), **values)


def test_bad_hits_are_refused():
    with pytest.raises(InputError, match="in no direction"):
        Hit(direction=(0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="radius"):
        Hit(mass_kg=0.01, density_kg_m3=25000.0)
    with pytest.raises(BodyError, match="no segment 'tail'"):
        simulate(standing(Hit(0.5, "tail")))
