# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets: known gravities, schema of the files, errors for names and numbers that cannot be used."""

import dataclasses
import json

import pytest

from lope.addon.errors import InputError
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, WORLD_GRAVITY_RANGE_M_S2, World
from lope.addon.worlds import planets

THESIS_GRAVITIES = {"moon": 1.62, "mars": 3.71, "earth": 9.81, "neptune": 11.15, "jupiter": 24.79}


@pytest.mark.parametrize("name, gravity", THESIS_GRAVITIES.items())
def test_gravities_of_the_published_worlds(name, gravity):
    assert planets.load_world(name) == World(name=name, gravity_m_s2=gravity, friction=World().friction)


def test_every_preset_loads_and_has_a_source():
    names = planets.world_names()
    assert set(THESIS_GRAVITIES) < set(names)
    assert len(names) == len(list(planets.FOLDER.glob("*.json")))
    for name in names:
        assert WORLD_GRAVITY_RANGE_M_S2[0] <= planets.load_world(name).gravity_m_s2 <= WORLD_GRAVITY_RANGE_M_S2[1]
        assert len(planets.read_preset(planets.FOLDER / f"{name}.json").source) > 10


def test_names_are_sorted_by_gravity():
    gravities = [planets.load_world(name).gravity_m_s2 for name in planets.world_names()]
    assert gravities == sorted(gravities)


def test_case_does_not_matter():
    assert planets.load_world(" Moon") == planets.load_world("moon")


def test_unknown_world_lists_and_suggests():
    with pytest.raises(InputError, match="no world named 'mooon'.*Did you mean 'moon'.*jupiter"):
        planets.load_world("mooon")


@pytest.mark.parametrize("name", ["../gaits/walk", "..", "", "moon.json", str(planets.FOLDER / "moon"), "../worlds/moon",
                                  "./moon"])
def test_a_world_name_is_not_a_path(name):
    with pytest.raises(InputError, match="no world named"):
        planets.load_world(name)


def test_station_spins_as_fast_as_asked():
    assert planets.load_world("orbit-station").gravity_m_s2 == 3.71
    station = planets.load_world("Orbit-Station:0.3")
    assert (station.name, station.gravity_m_s2) == ("orbit-station", pytest.approx(0.3 * EARTH_GRAVITY_M_S2))
    assert World.from_dict(dataclasses.asdict(station)) == station


@pytest.mark.parametrize(("name", "told"), [
    ("moon:0.3", "cannot be set"), ("orbit-station:half", "orbit-station:0.3"), ("orbit-station:", "FRACTION"),
    ("orbit-station:4", "between 0.05 and 3 g"), ("orbit-station:nan", "between 0.05"), ("orbit-sation:1", "orbit-station"),
])
def test_gravity_that_cannot_be_set(name, told):
    with pytest.raises(InputError, match=told):
        planets.load_world(name)


def test_numbers_stay_above_a_twentieth_of_gravity_where_ceres_does_not():
    assert planets.load_world("ceres").gravity_m_s2 == 0.28
    with pytest.raises(InputError, match="0.4905"):
        planets.world_from_gravity(0.28)


@pytest.mark.parametrize("gravity", [0.0, -9.81, float("nan"), float("inf"), 981.0, "heavy", None])
def test_impossible_gravity(gravity):
    with pytest.raises(InputError, match="Gravity must"):
        planets.world_from_gravity(gravity)


def test_custom_gravity():
    assert planets.world_from_gravity(5.0) == World(name="custom", gravity_m_s2=5.0)


GOOD = {"format": 1, "name": "toy", "label": "Toy", "gravity_m_s2": 2.0, "source": "made up for this test"}


@pytest.mark.parametrize("change, message", [
    ({"gravity_m_s2": 0.113}, "must lie between"),
    ({"gravity_m_s2": "2"}, "Gravity must be a number in m/s.2, got '2'"),
    ({"gravity_m_s2": True}, "Gravity must be a number"),
    ({"format": 2}, "Update Lope"),
    ({"name": "other"}, "calls itself"),
    ({"colour": "grey"}, "no world preset field named 'colour'"), ({"settable": 1}, "true or false"), ({"label": 5}, "Label"),
])
def test_schema(tmp_path, change, message):
    path = tmp_path / "toy.json"
    path.write_text(json.dumps(GOOD))
    assert planets.read_preset(path) == planets.WorldPreset(**GOOD)
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(InputError, match=message):
        planets.read_preset(path)


def test_a_world_brings_its_ground_s_friction(tmp_path, monkeypatch):
    (tmp_path / "toy.json").write_text(json.dumps(GOOD | {"friction": 0.3}))
    monkeypatch.setattr(planets, "FOLDER", tmp_path)
    assert planets.load_world("toy") == World(name="toy", gravity_m_s2=2.0, friction=0.3)


def test_a_broken_file_is_named(tmp_path):
    path = tmp_path / "toy.json"
    path.write_text("{")
    with pytest.raises(InputError, match="toy.json is no JSON: .* at line 1, column 2"):
        planets.read_preset(path)
