# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that opened a Blender file end, with their exit code: a driver in Python kept the interpreter waiting for ever."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lope.addon.children import child
from take_factory import Walk, make_take

pytest.importorskip("bpy")

ENDS_S = 100.0
MAKE = """import os, sys
import bpy
from lope.addon.rigs.astronaut.astronaut import add_astronaut
bpy.ops.wm.read_factory_settings(use_empty=True)
curve = add_astronaut(bpy.context.scene).driver_add("location", 0)
curve.driver.type, curve.driver.expression = "SCRIPTED", "max([0.0, 0.0])"
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
os._exit(0)
"""


@pytest.fixture(scope="module")
def driven(tmp_path_factory) -> Path:
    """A folder with a file whose armature has a driver in Python, and a take."""
    folder = tmp_path_factory.mktemp("driven")
    subprocess.run([sys.executable, "-c", MAKE, str(folder / "rig.blend")], check=True, capture_output=True, timeout=ENDS_S)
    make_take(Walk(seconds=2.0)).save(folder / "take.npz")
    return folder


def ended(folder: Path, arguments: list[str], **more) -> subprocess.CompletedProcess:
    """A process in that folder, with a folder for temporary files that is empty."""
    (folder / "temporary").mkdir(exist_ok=True)
    return subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=ENDS_S,
                          env={**os.environ, "TMPDIR": str(folder / "temporary")}, **more)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "code"), [
    ("doctor --blend rig.blend --json", 0), ("plan --blend rig.blend --json", 0),
    ("bake --blend rig.blend --take take.npz --out baked.blend --json", 0),
    ("doctor --blend rig.blend --armature Nobody --json", 2)])
def test_a_verb_ends_and_leaves_nothing_behind(driven, words, code):
    done = ended(driven, [sys.executable, "-m", "lope", *words.split()])
    assert done.returncode == code, done.stderr
    assert (code == 2) != bool(done.stdout.strip() and json.loads(done.stdout))
    assert not os.listdir(driven / "temporary")


@pytest.mark.slow
def test_so_does_a_child(driven):
    """As Blender, and a batch, start one."""
    blender = Path(importlib.util.find_spec("bpy").origin).parents[1]
    command = child.command("addon.cli", ["doctor", "--blend", "rig.blend", "--json"], also=[str(blender)])
    done = ended(driven, command)
    assert done.returncode == 0 and json.loads(done.stdout)["armature"] == "Astronaut"


@pytest.mark.slow
def test_what_is_registered_for_the_end_is_done(driven):
    words = ("import atexit, sys\nfrom pathlib import Path\nfrom lope.addon.cli import main\n"
             "atexit.register(Path('registered').touch)\nsys.argv[1:] = ['doctor', '--blend', 'rig.blend']\nsys.exit(main())\n")
    assert ended(driven, [sys.executable, "-c", words]).returncode == 0 and (driven / "registered").exists()
