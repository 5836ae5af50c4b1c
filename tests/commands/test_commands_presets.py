# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope presets`: lists, single presets, and checks of files; no JSON file, however odd, is a fault in Lope."""

import json

import pytest

from lope.addon.cli import main
from lope.addon.commands.presets import CHECKS, FOLDERS, KINDS, kind_of_file
from lope.addon.errors import InputError

WRONG = (None, "x", [], {}, -1, 1e9, True, [1, 2])


def told(capfd, *words):
    """The JSON of one call that has to go well."""
    assert main(["presets", *words, "--json"]) == 0
    return json.loads(capfd.readouterr().out)


def test_everything_is_listed(capfd):
    report = told(capfd)
    assert set(report) == {"gaits", "worlds", "suits", "controllers", "pose_gaits", "rigs", "moves", "conditions",
                           "reflexes", "muscles", "creatures", "creature_gaits"}
    assert {"walk", "run", "turn", "lope", "skip", "hop"} <= set(report["gaits"])
    assert {"moon", "mars", "earth"} <= set(report["worlds"]) and "mixamo" in report["rigs"]


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_every_preset_can_be_shown(kind, capfd):
    listed = told(capfd, kind.plural)[kind.plural]
    assert [entry["name"] for entry in listed] == kind.names()
    assert told(capfd, kind.name, kind.names()[0]) == listed[0]
    assert main(["presets", kind.name, kind.names()[0]]) == 0
    assert str(listed[0].get("label", listed[0].get("summary", "made_from"))) in capfd.readouterr().out


def test_a_creatures_gait_tells_whose_it_is_and_how_it_did(capfd):
    assert told(capfd, "creature-gaits") == told(capfd, "creature_gait")
    ostrich, muscles = told(capfd, "creature-gait", "ostrich"), told(capfd, "creature-gait", "human_muscles")
    assert ostrich["creature"] == "ostrich" and (ostrich["moved_by"], muscles["moved_by"]) == ("torques", "muscles")
    assert 0 < ostrich["trial"]["stood"] <= ostrich["trial"]["starts"] and "swing_time" in ostrich["parameters"]


def test_a_gait_tells_how_it_was_made_and_what_it_can_do(capfd):
    walk = told(capfd, "gait", "walk")
    assert "CMU" in walk["made_from"] and walk["one_sided"] is False
    moon, earth = walk["worlds"]["moon"], walk["worlds"]["earth"]
    assert moon["speed_m_s"] < earth["speed_m_s"]
    assert earth["feasible_speed_m_s"][0] < earth["speed_m_s"] < earth["feasible_speed_m_s"][1]


def test_a_rig_is_its_bone_map(capfd):
    assert told(capfd, "rig", "mixamo")["bones"]["thigh_L"] == ["LeftUpLeg"]


@pytest.mark.parametrize(("words", "words_told"), [
    ("wrold", "Did you mean 'world'"), ("gait wlak", "Did you mean 'walk'"), ("rig mixmo", "Did you mean 'mixamo'"),
    ("suit mark-ii", "Did you mean 'mark-iii'"), ("world mon", "Did you mean 'moon'"), ("check", "needs the JSON file"),
    ("check nowhere.json", "The preset file nowhere.json is not there"), ("gait --kind suit", "--kind belongs to"),
])
def test_what_cannot_be_is_told(words, words_told, capfd):
    assert main(["presets", *words.split()]) == 2
    out, err = capfd.readouterr()
    assert out == "" and words_told in err


@pytest.mark.parametrize("kind", [kind for kind in FOLDERS if any(FOLDERS[kind].glob("*.json"))])
def test_shipped_files_are_recognised_and_sound(kind, capfd):
    for path in FOLDERS[kind].glob("*.json"):
        assert kind_of_file(path) == kind
        CHECKS[kind](path)


def test_a_file_of_ones_own(tmp_path, capfd):
    file = tmp_path / "my-moon.json"
    world = {"format": 1, "name": "my-moon", "label": "Mine", "gravity_m_s2": 1.0, "source": "none"}
    file.write_text(json.dumps(world))
    assert told(capfd, "check", str(file)) == {"file": str(file), "kind": "world", "sound": True}
    file.write_text(json.dumps({**world, "gravity_m_s2": 400.0}))
    assert main(["presets", "check", str(file)]) == 2
    assert "Gravity must lie between" in capfd.readouterr().err
    assert main(["presets", "check", str(file), "--kind", "siut"]) == 2
    assert "Did you mean 'suit'" in capfd.readouterr().err


def test_an_own_bone_map_is_recognised(tmp_path, capfd):
    file = tmp_path / "map.json"
    file.write_text(json.dumps({"format": "lope bone map", "version": 1, "rig": "R", "bones": {"pelvis": "Hips"}}))
    assert told(capfd, "check", str(file))["kind"] == "bone map"


@pytest.mark.parametrize("text", ["", "[]", "3", "{}", '{"schema": "lope-walk"}', "{not json"])
def test_files_that_are_nothing_of_ours(text, tmp_path):
    file = tmp_path / "x.json"
    file.write_text(text)
    with pytest.raises(InputError):
        CHECKS[kind_of_file(file)](file)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in FOLDERS if any(FOLDERS[kind].glob("*.json"))])
def test_a_damaged_file_is_refused_or_sound_but_never_a_fault(kind, tmp_path):
    source = min(FOLDERS[kind].glob("*.json"))
    fields = json.loads(source.read_text(encoding="utf-8"))
    refused = 0
    for name in fields:
        for k, value in enumerate(WRONG):  # what is read is kept by its path
            file = tmp_path / name / str(k) / source.name
            file.parent.mkdir(parents=True)
            file.write_text(json.dumps({**fields, name: value}))
            try:
                CHECKS[kind](file)
            except InputError as error:
                assert str(file) in str(error) or source.stem in str(error)
                refused += 1
    assert refused > len(fields)
