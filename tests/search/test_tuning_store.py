# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored displacement maps: read, written, interpolated over gravity, used by a shot."""

from __future__ import annotations

import dataclasses
import json
import os

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.gaits import tuned_maps as store
from lope.addon.gaits.tuned_maps import TunedMap, interpolated, read_maps, shot_points, store_map, stored_at, tuning_file
from lope.addon.locomotion.gait.shot_gait import Controls, map_points
from lope.addon.motions.library import load_gait
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot, World
from shot_kit import gait_shot

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

BETWEEN_G = (0.25, 0.6, 1.7, 2.2)


def tuned(gravity: float, value: float, world: str = "somewhere") -> TunedMap:
    """A map of one value."""
    return TunedMap(world, gravity, ((value,) * 3,) * 6, {"cost": 2.0}, {"cost": 1.0}, {"seed": 0})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of tunings in place of the shipped one."""
    monkeypatch.setattr(store, "TUNING_FOLDER", tmp_path)
    return tmp_path


def test_round_trip_sorted_by_gravity(tmp_path):
    path = tmp_path / "new" / "walk.json"
    for entry in (tuned(9.81, 0.02), tuned(1.62, 0.01), tuned(24.79, 0.03)):
        store_map(path, "walk", entry)
    assert [entry.gravity_m_s2 for entry in read_maps(path)] == [1.62, 9.81, 24.79]
    assert stored_at(path, 9.81).points[0] == (0.02,) * 3
    assert stored_at(path, 3.7) is None and stored_at(tmp_path / "none.json", 9.81) is None


def test_the_same_gravity_is_replaced(tmp_path):
    path = tmp_path / "walk.json"
    store_map(path, "walk", tuned(9.81, 0.02))
    store_map(path, "walk", tuned(9.8101, 0.03, "earth"))
    (entry,) = read_maps(path)
    assert entry.world == "earth" and entry.points[5] == (0.03,) * 3


def test_linear_in_the_logarithm_of_gravity_and_held_beyond_the_ends():
    maps = [tuned(1.0, 0.01), tuned(4.0, 0.03)]
    for gravity, value in ((2.0, 0.02), (1.0, 0.01), (0.5, 0.01), (4.0, 0.03), (20.0, 0.03), (4.0**0.25, 0.015)):
        np.testing.assert_allclose(interpolated(maps, gravity), np.full((6, 3), value))
    assert interpolated([], 9.81) is None


def test_shots_take_their_gaits_map(folder):
    assert shot_points(Shot()) is None
    store_map(tuning_file("walk"), "walk", tuned(9.81, 0.02))
    np.testing.assert_allclose(shot_points(Shot()), 0.02)
    assert shot_points(Shot(motion=Gait(tuned=False))) is None
    assert shot_points(Shot(motion=Gait(file="clip.bvh"))) is None
    store_map(tuning_file("walk"), "walk", tuned(9.81, 0.03))
    os.utime(tuning_file("walk"), ns=(1, 1))
    np.testing.assert_allclose(shot_points(Shot()), 0.03)


def test_a_map_is_of_the_gait_law_that_it_was_tuned_for(folder):
    path, moon = tuning_file("walk"), World("moon", 1.62)
    people = dataclasses.replace(tuned(1.62, 0.04), gait_law="people")
    store_map(path, "walk", tuned(1.62, 0.02))
    assert shot_points(Shot(motion=Gait(law="people"), world=moon), as_similar=False) is None
    store_map(path, "walk", people)
    assert len(read_maps(path)) == 2 and stored_at(path, 1.62, "people") == people
    os.utime(path, ns=(1, 1))
    for law, gravity, as_similar, value in (("similar", 1.62, True, 0.02), ("people", 1.62, False, 0.04),
                                            ("people", 1.62, True, 0.04), ("people", 3.71, True, 0.02)):
        np.testing.assert_allclose(shot_points(Shot(motion=Gait(law=law), world=World("x", gravity)), as_similar), value)
    assert shot_points(Shot(motion=Gait(law="people"), world=World("mars", 3.71)), as_similar=False) is None


def test_simulation_uses_the_stored_map(folder):
    points = np.zeros((6, 3))
    points[4, 2] = 0.04
    entry = tuned(9.81, 0.0)
    store_map(tuning_file("walk"), "walk", TunedMap(entry.world, 9.81, tuple(map(tuple, points.tolist())), {}, {}, {}))
    stored, given, none = (simulate(Shot(motion=Gait(tuned=on), duration_s=0.8), settings=Controls(displacement=p))
                           for on, p in ((True, None), (False, points), (False, None)))
    np.testing.assert_array_equal(stored.joint_quaternions, given.joint_quaternions)
    assert not np.array_equal(stored.joint_quaternions, none.joint_quaternions)


@pytest.mark.parametrize(("text", "words"), [
    ("{", "is no JSON"), ("[]", "must be a table"), ('{"maps": []}', "lack schema, format, gait"),
    ('{"schema": "lope-tuning", "format": 9, "maps": []}', "Update Lope"),
    ('{"schema": "lope-tuning", "format": 1, "gait": "walk", "maps": [{"world": "x"}]}',
     "Map 0 cannot be used: The tuned map fields lack gravity_m_s2")])
def test_bad_files_are_told(tmp_path, text, words):
    path = tmp_path / "walk.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_maps(path)


def test_a_map_out_of_bounds_is_told(tmp_path):
    path = tmp_path / "walk.json"
    store_map(path, "walk", tuned(9.81, 0.1))
    path.write_text(path.read_text(encoding="utf-8").replace("0.1", "7.1"), encoding="utf-8")
    with pytest.raises(InputError, match="Map 0 cannot be used: Points, entry 0, entry 0 must lie between -0.2 and 0.2"):
        read_maps(path)


def test_every_shipped_tuning_is_whole_and_lowered_its_cost():
    for path in tuning_file("walk").parent.glob("*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        assert data["gait"] == path.stem
        for entry in read_maps(path):
            assert entry.after["cost"] <= entry.before["cost"], (path, entry.world)
            assert entry.after["stood"] >= entry.before["stood"], (path, entry.world)


@pytest.mark.parametrize("gravity", [pytest.param(g, marks=MORE if g != 1.7 else ()) for g in BETWEEN_G])
def test_walks_between_the_tuned_gravities(gravity):
    if not tuning_file("walk").is_file():
        pytest.skip("the walk has no stored maps")
    take = simulate(Shot(world=World("between", gravity * EARTH_GRAVITY_M_S2), duration_s=6.0 / np.sqrt(gravity)))
    assert not take.fell


def test_gaits_with_flight_use_their_map_only_where_it_was_tuned(folder):
    """On level ground, under one gravity, already moving; a walk uses its map everywhere."""
    for gait in ("walk", "run"):
        store_map(folder / f"{gait}.json", gait, tuned(EARTH_GRAVITY_M_S2, 0.02))
    slope = World(ground=GroundSpec("slope", slope_deg=5.0))
    ramp = World(gravity_ramp=((1.0, EARTH_GRAVITY_M_S2), (4.0, 3.71)))
    for more in ({"world": slope}, {"world": ramp}, {"start": "standing"}, {"stop": "standing"}):
        assert map_points(gait_shot("walk", **more), load_gait("walk")) is not None
        assert map_points(gait_shot("run", **more), load_gait("run")) is None
    assert map_points(Shot(motion=Gait("run")), load_gait("run")) is not None
