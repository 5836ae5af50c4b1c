# SPDX-License-Identifier: GPL-3.0-or-later
"""Shot lists on Flamenco: the job type script in a JavaScript runtime with the documented objects, and the jobs for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lope.addon import VERSION
from lope.addon.cli import main, parse
from lope.addon.commands.batch import STAGES
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/tools/flamenco/lope-shot-list.js"
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
    ({"shots": '[{"name": "a", "stages": ["simulate"]}, {"name": "A", "stages": ["simulate"]}]'},
     "Two shots are called 'A'"),
    ({"shots": '[{"name": "a", "stages": ["simulate", "dance"]}]'}, "unknown stage 'dance'"),
    ({"shots": '[{"name": "a", "stages": ["simulate", "render"]}]'}, "'render' without 'bake'"),
    ({"shots": '[{"name": "a", "stages": ["bake"]}]'}, "'bake' without 'simulate'"),
    ({"shots": '[{"name": "a", "stages": []}]'}, "not simulated"), ({"shots": '[{"name": "a"}]'}, "not simulated")])
def test_settings_that_cannot_work_are_refused(settings, words):
    assert words in refused(**settings)


def test_shots_may_be_called_like_javascripts_own_words():
    shots = [{"name": name, "rig": name, "stages": ["simulate"]} for name in ("constructor", "toString", "hasOwnProperty")]
    assert len(compiled(shots=json.dumps(shots), sheet=False)) == 6


def listed(folder: Path, text: str) -> Path:
    """A shot list's file."""
    path = folder / "night.toml"
    path.write_text(text, encoding="utf-8")
    return path


def job_of(path: Path, capfd) -> dict:
    """The job that the command line prints for a list."""
    assert main(["batch", str(path), "--flamenco"]) == 0
    return json.loads(capfd.readouterr().out)


GRID = """sheet = true
[defaults]
seconds = 2.0
render = { size = "64x36" }
[[grids]]
name = "g"
gait = ["walk", "run"]
world = ["moon", "mars"]
[[shots]]
name = "plain"
bake = false
render = false
"""


def test_a_list_becomes_a_job_whose_tasks_are_words_that_lope_knows(tmp_path, capfd):
    path = listed(tmp_path, GRID)
    job = job_of(path, capfd)
    assert (job["type"], job["name"], job["priority"]) == (SCRIPT.stem, "night", 50)
    assert job["submitter_platform"] in ("linux", "windows", "darwin") and job["metadata"] == {"lope.version": VERSION}
    assert set(job["settings"]) == {setting["key"] for setting in javascript("JOB_TYPE")["settings"]}
    tasks = javascript("compiled(dukpy.settings)", settings=job["settings"])
    kinds = [task["name"].split()[0] for task in tasks]
    assert {kind: kinds.count(kind) for kind in kinds} == {"rig": 1, "simulate": 5, "bake": 4, "render": 4, "sheet": 1}
    for command in sum((task["commands"] for task in tasks), []):
        args = parse(command["parameters"]["args"][3:])
        assert args.verb == "batch" and args.list == str(path) and args.stage in STAGES


def test_shots_that_cannot_be_planned_are_left_out_with_their_sentence(tmp_path, capfd):
    path = listed(tmp_path, '[[shots]]\nname = "good"\n[[shots]]\nname = "bad"\nrig = "nobody.blend"\n')
    assert main(["batch", str(path), "--flamenco"]) == 0
    out, said = capfd.readouterr()
    assert [shot["name"] for shot in json.loads(json.loads(out)["settings"]["shots"])] == ["good"]
    assert "bad is left out: The rig" in said and "nobody.blend is not there" in said
    assert main(["batch", str(path), "--flamenco", "--only", "bad"]) == 2
    assert "No shot of" in capfd.readouterr().err


@pytest.mark.acceptance
@pytest.mark.slow
def test_the_tasks_of_a_job_done_in_their_order_make_the_same_take(tmp_path, capfd):
    path = listed(tmp_path, '[[shots]]\nname = "a"\nseconds = 0.5\nbake = false\n')
    tasks = javascript("compiled(dukpy.settings)", settings=job_of(path, capfd)["settings"])
    words = [command["parameters"]["args"][3:] for task in tasks for command in task["commands"]]
    assert [w[3] for w in words] == ["simulate", "report"]
    assert main(words[1]) == 2
    assert "comes after its simulate stage, which was not done yet" in capfd.readouterr().err
    assert [main(w) for w in words] == [0, 0]
    folder = tmp_path / "night-out/a"
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["name"] == "a"
    simulate(Shot(motion=Gait(law="people", retry=True), duration_s=0.5)).save(tmp_path / "here.npz")
    take = (folder / "take.npz").read_bytes()
    assert take == (tmp_path / "here.npz").read_bytes()
    whole = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert set(whole) == {"take.npz", "report.json", "card.txt", ".simulate.json", ".report.json"}
    assert [main(w) for w in words] == [0, 0]
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == whole, "what is done is not done again"
    path.write_text(path.read_text(encoding="utf-8") + "seed = 3\nnoise = 0.05\n", encoding="utf-8")
    assert main(words[1]) == 2, "the take is of another shot now"
    assert main(words[0]) == 0 and (folder / "take.npz").read_bytes() != take


@pytest.mark.parametrize(("words", "said"), [
    (["--stage", "simulate"], "name the shot with --only"), (["--stage", "dance"], "dance"),
    (["--stage", "bake", "--only", "a"], "has no stage 'bake'; it has simulate, report"),
    (["--stage", "rig", "--only", "a"], "has no stage 'rig'"), (["--stage", "simulate", "--only", "b"], "There is no shot"),
    (["--stage", "sheet"], "nothing to put on the sheet"), (["--stage", "simulate", "--only", "far"], "m/s")])
def test_stages_that_cannot_be_done_are_told(words, said, tmp_path, capfd):
    path = listed(tmp_path, '[defaults]\nseconds = 0.5\nbake = false\n[[shots]]\nname = "a"\n[[shots]]\nname = "far"\n'
                            'speed = 90\n')
    assert main(["batch", str(path), *words]) == 2
    assert said in capfd.readouterr().err
    assert not list(tmp_path.rglob("*.npz")) and not list(tmp_path.rglob(".work-*"))
