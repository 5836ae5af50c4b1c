# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope as a library: what `import lope` costs, what it offers, and the handbook's examples, each of them run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lope

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "library.md").read_text(encoding="utf-8"), re.M | re.S)
IMPORT = """
import json, sys, time
began = time.process_time()
import lope
took = time.process_time() - began
print(json.dumps([took, sorted(sys.modules)]))
"""


def fresh(source: str, **more) -> str:
    """What a Python of its own prints."""
    return subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120, check=True, **more).stdout


def test_importing_lope_loads_nothing_heavy():
    took, loaded = min(json.loads(fresh(IMPORT)) for _ in range(3))
    assert took < 0.05
    assert [name for name in loaded if name.split(".")[0] in ("numpy", "scipy", "mujoco", "daqp", "quadprog", "bpy")] == []
    assert [name for name in loaded if name.startswith("lope.")] == []


def test_a_shot_needs_no_physics():
    told = fresh("import sys, lope; lope.Shot(); print('mujoco' in sys.modules, 'scipy' in sys.modules)")
    assert told.split() == ["False", "False"]


def test_names_are_few_and_all_there():
    assert len(lope.__all__) <= 26 and len(set(lope.__all__)) == len(lope.__all__)
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8").split("## All names")[1]
    for name in lope.__all__:
        assert getattr(lope, name) is not None and f"`{name}`" in page and name in dir(lope)
    with pytest.raises(AttributeError, match="has no attribute 'Shott'"):
        lope.Shott  # noqa: B018


@pytest.mark.slow
def test_every_example_of_the_handbook_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for example in EXAMPLES:
        if "import bpy" in example and not _has_blender():
            continue
        exec(compile(example, "docs/library.md", "exec"), names)
    said = capsys.readouterr().out
    assert "Did you mean 'moon'?" in said and "simulating" in said
    assert not names["take"].fell and len(names["sim"].shot.pushes) == 1 and (tmp_path / "moon.npz").is_file()
    assert isinstance(names["again"], lope.Take)
    assert not _has_blender() or names["armature"].animation_data.action == names["action"]


def _has_blender() -> bool:
    try:
        import bpy  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: lope.shot(wrld="moon"), "There is no shot field named 'wrld'. Did you mean 'world'"),
    (lambda: lope.shot(world="mon"), "There is no world named 'mon'"),
    (lambda: lope.shot(world=99.0), "Gravity must lie between"),
    (lambda: lope.bake(None, None, start=1), "There is no option of a bake named 'start'"),
])
def test_bad_input_ends_in_a_sentence(call, sentence):
    with pytest.raises(lope.InputError, match=re.escape(sentence)):
        call()


@pytest.mark.slow
def test_a_simulation_pushed_and_steered_repeats_as_a_shot():
    with lope.Simulation(lope.shot(duration_s=1.5)) as sim:
        sim.step(0.5)
        sim.push("chest", (0, 40, 0))
        sim.step(10.0)
        assert sim.over and not sim.fell
        first = sim.take()
    again = lope.simulate(sim.shot)
    assert (first.com_m == again.com_m).all()


@pytest.mark.slow
def test_a_wheel_works_in_an_empty_folder(tmp_path):
    """Built without what else is installed here, and run where no repository is."""
    pytest.importorskip("setuptools")
    source = tmp_path / "source"  # a build leaves files beside its sources
    for room in ("addon", "operators", "panels", "presets"):
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (path for path in ROOT.iterdir() if path.is_file()):
        shutil.copy(path, source)
    built = subprocess.run([sys.executable, "-m", "pip", "wheel", str(source), "--no-deps", "--no-build-isolation", "-q", "-w",
                            str(tmp_path / "dist")], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (wheel,) = (tmp_path / "dist").glob("lope-*.whl")
    target, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(target)], check=True)
    assert (target / "lope" / "py.typed").is_file() and (target / "lope" / "addon" / "locale" / "ko.po").is_file()
    path = os.pathsep.join([str(target), *(entry for entry in sys.path if entry.endswith("site-packages"))])
    # -S: no editable install, which would find the repository
    done = subprocess.run([sys.executable, "-S", "-c", "import sys, lope; from lope.addon.cli import main; print(lope.__file__);"
                           "sys.exit(main(['simulate', '--world', 'moon', '--seconds', '1', '--out', 'a.npz']))"], cwd=empty,
                          env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert str(target) in done.stdout and (empty / "a.npz").is_file()
