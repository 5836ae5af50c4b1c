# SPDX-License-Identifier: GPL-3.0-or-later
"""Shot lists on Flamenco: the job type script in a JavaScript runtime with the documented objects, and the jobs for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts/flamenco/lope-shot-list.js"
MANAGER = Path(__file__).with_name("flamenco_manager.js")
ALL = ["simulate", "report", "bake", "render"]
SHOTS = [{"name": "walk-moon", "rig": "astronaut-1f", "stages": ALL},
         {"name": "walk-mars", "rig": "astronaut-1f", "stages": ALL},
         {"name": "run", "rig": "hero-2a", "stages": ["simulate", "bake"]},
         {"name": "numbers-only", "rig": None, "stages": ["simulate"]}]
LIST = "/shared/film 3/list.toml"
SETTING_KEYS = {"key", "type", "subtype", "choices", "propargs", "description", "default", "eval", "evalInfo", "visible",
                "required", "editable", "label"}
"""What Flamenco's `AvailableJobSetting` can hold."""


def javascript(text: str, **values):
    """The value of an expression where the script is loaded, Flamenco's objects around it."""
    dukpy = pytest.importorskip("dukpy", reason="running JavaScript needs the package dukpy")
    source = f"{MANAGER.read_text(encoding='utf-8')}\n{SCRIPT.read_text(encoding='utf-8')}\n{text}"
    return dukpy.evaljs(source, **values)


def compiled(**settings) -> list[dict]:
    """The tasks that Flamenco would make."""
    given = {"list": LIST, "sheet": True, "shots": json.dumps(SHOTS), **settings}
    return javascript("compiled(dukpy.settings)", settings={key: value for key, value in given.items() if value is not None})


def refused(**settings) -> str:
    """What the script says against settings."""
    given = {"list": LIST, "shots": json.dumps(SHOTS), **settings}
    return javascript("let said = ''; try { compiled(dukpy.settings) } catch (error) { said = error.message } said",
                      settings={key: value for key, value in given.items() if value is not None})


def test_the_job_type_is_one_that_flamenco_takes():
    found = javascript("JOB_TYPE")
    assert set(found) == {"label", "description", "settings"} and found["label"]
    keys = [setting["key"] for setting in found["settings"]]
    assert len(set(keys)) == len(keys)
    for setting in found["settings"]:
        assert set(setting) <= SETTING_KEYS and setting["type"] in ("string", "int32", "float", "bool")
        assert setting.get("subtype", "file_path") in ("file_path", "dir_path", "file_name", "hashed_file_path")
        assert setting.get("visible", "visible") in ("visible", "hidden", "submission", "web") and setting["description"]


def test_every_stage_waits_for_the_one_before():
    tasks = compiled()
    by_name = {task["name"]: task for task in tasks}
    assert len(by_name) == len(tasks), "names are unique"
    names = {task["id"]: task["name"] for task in tasks}
    after = {task["name"]: [names[id] for id in task["dependencies"]] for task in tasks}
    assert after == {
        "rig astronaut-1f": [], "rig hero-2a": [],
        "simulate walk-moon": ["rig astronaut-1f"], "bake walk-moon": ["simulate walk-moon"],
        "render walk-moon": ["bake walk-moon"],
        "simulate walk-mars": ["rig astronaut-1f"], "bake walk-mars": ["simulate walk-mars"],
        "render walk-mars": ["bake walk-mars"],
        "simulate run": ["rig hero-2a"], "bake run": ["simulate run"],
        "simulate numbers-only": [],
        "sheet": ["render walk-moon", "render walk-mars", "bake run", "simulate numbers-only"]}
    order = [task["name"] for task in tasks]
    assert all(order.index(other) < order.index(name) for name, others in after.items() for other in others)
    assert {task["type"] for task in tasks} == {"blender"}


def test_without_a_sheet_there_is_no_such_task():
    assert "sheet" not in [task["name"] for task in compiled(sheet=False)]
    assert "sheet" not in [task["name"] for task in compiled(sheet=None)]


def test_commands_are_the_words_of_lope():
    commands = {task["name"]: task["commands"] for task in compiled()}
    for command in sum(commands.values(), []):
        assert command["name"] == "exec" and set(command["parameters"]) == {"exe", "args"}
        assert command["parameters"]["exe"] == "{blender}"
        assert command["parameters"]["args"][:6] == ["--background", "--command", "lope", "batch", LIST, "--stage"]

    def stages(name: str) -> list[list[str]]:
        return [command["parameters"]["args"][6:] for command in commands[name]]

    assert stages("rig astronaut-1f") == [["rig", "--only", "walk-moon"]]
    assert stages("simulate walk-moon") == [["simulate", "--only", "walk-moon"], ["report", "--only", "walk-moon"]]
    assert stages("simulate run") == [["simulate", "--only", "run"]]
    assert stages("bake run") == [["bake", "--only", "run"]]
    assert stages("render walk-mars") == [["render", "--only", "walk-mars"]]
    assert stages("sheet") == [["sheet"]]


@pytest.mark.parametrize(("settings", "words"), [
    ({"list": None}, "'list' is missing"), ({"list": "  "}, "'list' is missing"), ({"list": 3}, "'list' is missing"),
    ({"shots": None}, "'shots' is missing: submit what `lope batch LIST --flamenco` writes"),
    ({"shots": "[{"}, "is no JSON"), ({"shots": "{}"}, "a list with at least one shot"),
    ({"shots": "[]"}, "a list with at least one shot"), ({"shots": "[null]"}, "A shot's name"),
    ({"shots": '[{"stages": ["simulate"]}]'}, "A shot's name"),
    ({"shots": '[{"name": "--redo", "stages": ["simulate"]}]'}, "A shot's name"),
    ({"shots": '[{"name": "a/b", "stages": ["simulate"]}]'}, 'got "a/b"'),
    ({"shots": '[{"name": "a", "stages": ["simulate"]}, {"name": "A", "stages": ["simulate"]}]'}, "Two shots are called 'A'"),
    ({"shots": '[{"name": "a", "stages": ["simulate", "dance"]}]'}, "unknown stage 'dance'"),
    ({"shots": '[{"name": "a", "stages": ["simulate", "render"]}]'}, "'render' without 'bake'"),
    ({"shots": '[{"name": "a", "stages": ["bake"]}]'}, "'bake' without 'simulate'"),
    ({"shots": '[{"name": "a", "stages": []}]'}, "not simulated"), ({"shots": '[{"name": "a"}]'}, "not simulated")])
def test_settings_that_cannot_work_are_refused(settings, words):
    assert words in refused(**settings)


def test_shots_may_be_called_like_javascripts_own_words():
    shots = [{"name": name, "rig": name, "stages": ["simulate"]} for name in ("constructor", "toString", "hasOwnProperty")]
    assert len(compiled(shots=json.dumps(shots), sheet=False)) == 6
