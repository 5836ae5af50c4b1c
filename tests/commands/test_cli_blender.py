# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line inside Blender, as far as the bpy module shows it: registration, and which process does what."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")

from lope.addon.batch.station import station_command  # noqa: E402
from lope.addon.children import child as launch  # noqa: E402
from lope.addon.cli import main, parse  # noqa: E402
from lope.addon.commands import IN_BLENDER, VERBS, station_child  # noqa: E402
from lope.addon.options.body_options import read_body  # noqa: E402
from lope.addon.rigs.astronaut.astronaut import add_astronaut  # noqa: E402
from lope.addon.sim.take import Take  # noqa: E402
from lope.addon.specs.settings import TUNED_FOLDER  # noqa: E402
from lope.operators import command_line  # noqa: E402


@pytest.fixture
def handed_over(monkeypatch):
    """What would take this process' place; its temporary folder stays."""
    seen = []
    monkeypatch.setattr(command_line, "_hand_over", lambda command: seen.append(command) or 7)
    monkeypatch.setattr(command_line.signal, "signal", lambda *_: None)
    monkeypatch.setenv(TUNED_FOLDER, "somewhere")
    return seen


@pytest.fixture
def rig_file(tmp_path):
    """A Blender file with the astronaut; another file is open then."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    name = add_astronaut(bpy.context.scene).name
    path = tmp_path / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return path, name


def test_the_command_is_registered_and_taken_away_again():
    command_line.register()
    command_line.register()
    command_line.unregister()
    command_line.unregister()
    assert command_line._registered == []


def test_verbs_without_blender_leave_it(handed_over):
    assert command_line.run(["simulate", "--seconds", "2"]) == 7
    assert handed_over == [launch.verb_command(["simulate", "--seconds", "2"])]


def test_verbs_that_need_blender_stay(handed_over, capfd):
    for verb in IN_BLENDER:
        assert command_line.run([verb, "--help"]) == 0
    assert command_line.run([]) == 2
    assert command_line.run(["--version"]) == 0
    assert not handed_over
    assert set(IN_BLENDER) < set(VERBS)


def test_a_batchs_station_stays(handed_over, monkeypatch):
    served = []
    monkeypatch.setattr(station_child, "serve", served.append)
    monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(app=SimpleNamespace(binary_path="/blender")))
    program, *words = station_command(True)
    assert program == "/blender" and words[:3] == ["--background", "--command", "lope"]
    assert command_line.run(words[3:]) == 0 and len(served) == 1 and not handed_over


@pytest.mark.slow
def test_the_proportions_of_a_rig_go_along_as_a_body(handed_over, rig_file):
    path, name = rig_file
    assert command_line.run(["plan", "--blend", str(path), "--armature", name, "--mass", "90"]) == 7
    words = handed_over[0][len(launch.verb_command([])):]
    assert words[:4] == ["plan", "--mass", "90", "--body"]
    body = read_body(words[4])
    assert body.mass_kg == 90.0 and {"hip_L", "knee_R", "head"} <= set(body.landmarks)


@pytest.mark.slow
def test_a_rig_that_is_not_there_is_told(handed_over, rig_file, capfd):
    assert command_line.run(["plan", "--blend", str(rig_file[0]), "--armature", "Nobody"]) == 2
    assert "There is no armature named 'Nobody'" in capfd.readouterr().err and not handed_over
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert command_line.run(["plan", "--armature", "Rig"]) == 2
    assert "No Blender file is given: add --blend" in capfd.readouterr().err


@pytest.mark.slow
def test_the_open_file_is_the_one_meant(rig_file, tmp_path, capfd):
    bpy.ops.wm.open_mainfile(filepath=str(rig_file[0]))
    capfd.readouterr()
    assert main(["plan", "--armature", rig_file[1], "--json"]) == 0
    assert len(json.loads(capfd.readouterr().out)["footsteps"]) > 5
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.mark.slow
def test_the_command_that_is_handed_over_runs(tmp_path):
    """In an isolated Python, from a folder that knows nothing of Lope, with processes of its own."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    run = subprocess.run(launch.verb_command(["plan", "--world", "moon", "--json"]), capture_output=True, text=True,
                         cwd=tmp_path, env=environment)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["gravity_m_s2"] == 1.62
    run = subprocess.run(launch.verb_command(["plan", "--world", "mon"]), capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2 and "Did you mean 'moon'" in run.stderr


@pytest.mark.acceptance
@pytest.mark.slow
def test_processes_of_its_own_find_lope(tmp_path):
    """Tuning starts workers, which have to import Lope although its folder need not be called `lope`."""
    pytest.importorskip("cma", reason="the package cma is not installed")
    out = tmp_path / "map.json"
    words = f"tune --iterations 1 --population 4 --strides 3 --workers 2 --out {out} --json"
    run = subprocess.run(launch.verb_command(words.split()), capture_output=True, text=True, cwd=tmp_path,
                         env=os.environ | {"PYTHONPATH": ""})
    assert run.returncode == 0, run.stderr
    assert json.loads(out.read_text())["gait"] == "walk"


@pytest.fixture
def script():
    """scripts/tools/render_batch.py as a module."""
    return importlib.import_module("lope.scripts.tools.render_batch")


@pytest.mark.parametrize(("arguments", "words"), [
    ("blender -b f.blend --python x.py -- bake --out y.blend", ["bake", "--out", "y.blend"]),
    ("blender -b --python x.py -- night.toml --workers 2", ["batch", "night.toml", "--workers", "2"]),
    ("blender -b --python x.py -- NIGHT.JSON", ["batch", "NIGHT.JSON"]), ("blender -b --python x.py", []),
    ("blender -b --python x.py --", []), ("blender -- presets check a.json", ["presets", "check", "a.json"]),
])
def test_the_classic_script_takes_the_words_after_the_dashes(script, arguments, words):
    assert script.lope_words(arguments.split()) == words


def test_the_classic_script_prefers_the_installed_extension(script, monkeypatch):
    installed = ModuleType("bl_ext.user_default.lope")
    monkeypatch.setitem(sys.modules, installed.__name__, installed)
    assert script.package() is installed


@pytest.mark.slow
def test_the_classic_script_runs_without_an_extension(tmp_path):
    """With Blender as a module in a Python that does not know the package."""
    place = Path(__file__).resolve().parents[2] / "scripts" / "tools" / "render_batch.py"
    script = ("import bpy, runpy, sys\nsys.argv[1:] = ['--', 'doctor', '--blend', 'no.blend']\n"
              f"runpy.run_path({str(place)!r}, run_name='__main__')")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2 and "The Blender file no.blend is not there" in run.stderr


@pytest.fixture
def acted_file(tmp_path):
    """See `acted`: it stands for a second."""
    return acted(tmp_path, 25)


def acted(tmp_path, last):
    """A Blender file with the astronaut and an action in which it stands to that frame; another file is open then."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = add_astronaut(bpy.context.scene)
    bone = armature.pose.bones["pelvis"]
    for frame in (1, last):
        bone.keyframe_insert("location", frame=frame)
    armature.animation_data.action.name = "Stand Still"
    path = tmp_path / "acted.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return path, "Astronaut"


@pytest.mark.slow
def test_an_action_of_a_file_is_followed(acted_file, tmp_path, capfd):
    path, name = acted_file
    words = ["follow", "--blend", str(path), "--armature", name, "--action", "Stand Still", "--seconds", "0.5",
             "--out", str(tmp_path / "take.npz"), "--json"]
    assert main(words) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["joint_error_rms_deg"] < 5.0
    (clip,) = tmp_path.glob("actions/*/Stand_Still.bvh")
    assert Take.load(tmp_path / "take.npz").shot.motion.file == str(clip)
    words[words.index("Stand Still")] = "Stand Stil"
    assert main(words) == 2 and "Did you mean 'Stand Still'" in capfd.readouterr().err


@pytest.mark.slow
def test_a_refused_action_leaves_nothing_behind(tmp_path, capfd):
    path, name = acted(tmp_path, 12)
    before = sorted(tmp_path.rglob("*"))
    assert main(["follow", "--blend", str(path), "--armature", name, "--action", "Stand Still",
                 "--out", str(tmp_path / "take.npz")]) == 2
    said = capfd.readouterr().err
    assert "lope: The action 'Stand Still' cannot be followed: " in said and "less than a step" in said
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_a_gait_along_an_action_names_the_action_and_leaves_no_clip_beside_it(acted_file, tmp_path, monkeypatch, capfd):
    path, name = acted_file
    before = sorted(tmp_path.rglob("*"))
    elsewhere = tmp_path / "temporary"
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    assert main(["poses", "--blend", str(path), "--armature", name, "--action", "Stand Still", "--cycles",
                 "--out", str(tmp_path / "along.json")]) == 2
    assert "lope: The action 'Stand Still' has no steps: " in capfd.readouterr().err
    assert [one for one in sorted(tmp_path.rglob("*")) if elsewhere not in (one, *one.parents)] == before
    assert list(elsewhere.glob("lope-*/takes/actions/*/Stand_Still.bvh"))


@pytest.mark.slow
def test_an_action_goes_along_as_a_clip(handed_over, acted_file, tmp_path, monkeypatch):
    path, name = acted_file
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    where = ["--blend", str(path), "--armature", name]
    for verb in ("follow", "simulate"):
        assert command_line.run([verb, *where, "--action", "Stand Still", "--world", "mars"]) == 7
        words = handed_over.pop()[len(launch.verb_command([])):]
        args = parse(words)
        assert (args.verb, args.action, args.blend, args.world) == (verb, None, None, "mars") and args.body
        assert args.follow.startswith(str(tmp_path / "lope-")) and "/takes/" in args.follow and args.follow.endswith(".bvh")
