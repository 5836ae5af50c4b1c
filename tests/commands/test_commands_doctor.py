# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope doctor`: of an installation, whole and broken, and of armatures in Blender files."""

import json
import sys

import pytest

from lope.addon.cli import main
from lope.addon.commands import installation
from lope.addon.commands.installation import BROKEN, NOTE, OK, WELCOME, check_installation

pytestmark = pytest.mark.slow


def quiet(share, text):
    """Progress that nobody watches."""


def checks_of(monkeypatch, engines=False):
    """The checks by name; without trial simulations unless they are asked for."""
    if not engines:
        monkeypatch.setattr(installation, "_engine", lambda name: installation.Check(f"engine {name}", OK, "tried"))
    return {check.name: check for check in check_installation(quiet)}


def test_this_installation_works(monkeypatch):
    checks = checks_of(monkeypatch, engines=True)
    assert {name for name, check in checks.items() if check.state == BROKEN} == set()
    assert "simulates" in checks["engine mujoco"].words and "simulates" in checks["engine ideal"].words
    assert ("engine pybullet" in checks) == (checks["pybullet"].state == OK)


def test_a_missing_package_is_broken_or_a_note(monkeypatch):
    find = installation.importlib.util.find_spec
    monkeypatch.setattr(installation.importlib.util, "find_spec",
                        lambda name, *rest: None if name in ("daqp", "cma") else find(name, *rest))
    checks = checks_of(monkeypatch)
    assert checks["daqp"].state == BROKEN and "scripts/setup" in checks["daqp"].words
    assert checks["cma"].state == NOTE and "`lope tune`" in checks["cma"].words
    assert not any(name.startswith("engine") for name in checks), "nothing is simulated without its packages"


def test_a_package_that_cannot_be_loaded(monkeypatch):
    monkeypatch.setitem(sys.modules, "quadprog", None)
    monkeypatch.setattr(installation.importlib.util, "find_spec", lambda name, *_: object())
    assert "cannot be loaded" in checks_of(monkeypatch)["quadprog"].words


def test_a_package_that_is_too_old(monkeypatch):
    monkeypatch.setattr(installation, "_version", lambda name: "1.25.2" if name == "numpy" else "99.0")
    assert "needs 1.26 or newer" in checks_of(monkeypatch)["numpy"].words


def test_an_engine_that_fails_says_why(monkeypatch):
    monkeypatch.setattr(installation.launch, "verb_command",
                        lambda words: [sys.executable, "-c", "import sys; print('lope: No.', file=sys.stderr); sys.exit(3)"])
    check = installation._engine("mujoco")
    assert (check.state, check.words) == (BROKEN, "does not simulate, exit code 3: lope: No.")
    monkeypatch.setattr(installation.launch, "verb_command", lambda words: [sys.executable, "-c", "print('nonsense')"])
    assert installation._engine("mujoco").state == BROKEN


def test_a_damaged_preset_is_found(monkeypatch, tmp_path):
    from lope.addon.commands import presets as preset_kinds

    (tmp_path / "pluto.json").write_text("{}")
    monkeypatch.setitem(preset_kinds.FOLDERS, "world", tmp_path)
    assert checks_of(monkeypatch)["world presets"].state == BROKEN


def test_the_verb_prints_every_check_and_its_verdict(monkeypatch, capfd):
    some = [installation.Check("python", OK, "3"), installation.Check("scipy", BROKEN, "is missing.")]
    monkeypatch.setattr(installation, "check_installation", lambda progress: some)
    monkeypatch.setattr("lope.addon.commands.doctor._asks_for_rig", lambda args: False)
    assert main(["doctor"]) == 2
    out = capfd.readouterr().out
    assert "broken  scipy   is missing." in out and "1 of 2 things are broken." in out
    assert main(["doctor", "--json"]) == 2
    assert json.loads(capfd.readouterr().out) == {"works": False, "checks": [
        {"name": "python", "state": "ok", "words": "3"}, {"name": "scipy", "state": "broken", "words": "is missing."}]}
    some.pop()
    assert main(["doctor"]) == 0
    assert "Lope works here." in capfd.readouterr().out


def test_every_optional_package_says_what_needs_it():
    assert all(WELCOME.values()) and "numpy" not in WELCOME


@pytest.fixture
def sick_file(tmp_path):
    """An astronaut that is hidden, of an unapplied scale and with a muted constraint; gives path and name."""
    bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    from lope.addon.rigs.astronaut.astronaut import add_astronaut

    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = add_astronaut(bpy.context.scene)
    armature.hide_viewport = True
    armature.data.pose_position = "REST"
    path = tmp_path / "sick.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    name = armature.name
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return path, name


def test_a_sick_rig_is_looked_at_and_put_right(sick_file, tmp_path, capfd):
    path, name = sick_file
    capfd.readouterr()
    assert main(["doctor", "--blend", str(path), "--json"]) == 2
    report = json.loads(capfd.readouterr().out)
    assert (report["armature"], report["rig"], report["usable"]) == (name, "Lope astronaut", False)
    assert [f["key"] for f in report["findings"]] == ["hidden", "rest_position"]

    before, repaired = path.read_bytes(), tmp_path / "out" / "repaired.blend"
    words = ["doctor", "--blend", str(path), "--armature", name, "--fix", str(repaired), "--json"]
    assert main([*words, "--only", "rest_position"]) == 2
    assert [f["key"] for f in json.loads(capfd.readouterr().out)["findings"]] == ["hidden"]
    assert main(words) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["findings"] == [] and len(report["fixed"]) == 2 and path.read_bytes() == before
    assert main(["doctor", "--blend", str(repaired)]) == 0
    assert "Nothing is wrong with it." in capfd.readouterr().out
    none = tmp_path / "none.blend"
    assert main(["doctor", "--blend", str(repaired), "--fix", str(none)]) == 0
    assert "no file was written" in capfd.readouterr().out and not none.exists()


def test_a_body_written_down_walks_without_blender(sick_file, tmp_path, capfd):
    path, _ = sick_file
    body = tmp_path / "body.json"
    main(["doctor", "--blend", str(path), "--body", str(body)])
    capfd.readouterr()
    assert main(["plan", "--body", str(body), "--mass", "80", "--json"]) == 0
    of_file = json.loads(capfd.readouterr().out)
    assert main(["plan", "--blend", str(path), "--mass", "80", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == of_file


def test_what_cannot_be_is_told(sick_file, tmp_path, capfd):
    path, _ = sick_file
    for words, told in ((["--fix", str(tmp_path / "x.blend")], "No Blender file is given"),
                        (["--blend", "nowhere.blend"], "is not there"), (["--only", "hidden"], "give both"),
                        (["--blend", str(path), "--armature", "Nobody"], "no armature named 'Nobody'")):
        assert main(["doctor", *words]) == 2
        assert told in capfd.readouterr().err
