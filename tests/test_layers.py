# SPDX-License-Identifier: GPL-3.0-or-later
"""The line between the rooms: the engine side never needs Blender, by its text and by importing it without Blender."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ADDON = Path(__file__).resolve().parents[1] / "addon"
BLENDER = {"bpy", "mathutils", "bmesh", "gpu", "blf", "bpy_extras", "bl_ui", "idprop", "imbuf", "aud", "freestyle"}
BLENDER_ROOMS = ("rigs", "viewport")

ENGINE_SIDE = sorted(p for p in ADDON.rglob("*.py") if p.relative_to(ADDON).parts[0] not in BLENDER_ROOMS)

IMPORT_ALL = """
import importlib, sys
for name in {blocked!r}:
    sys.modules[name] = None
for module in {modules!r}:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "pybullet":
            raise
print(sum(name.startswith("lope.") for name in sys.modules))
"""


def imported_names(path: Path) -> set[str]:
    """Top-level names of all absolute imports in a file, those inside functions too."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


RIG_ROOMS = ("node_tree", "read", "bake", "astronaut", "creatures", "stage", "dust", "muscles", "render", "shots")
"""A module and the rooms of `addon/rigs`; each uses those before it."""
ABOVE_RIGS = ("batch", "commands", "cli", "farm", "jobs", "options", "children")


def imported_modules(path: Path) -> set[str]:
    """Dotted places, from `addon` on, of all that a module imports relatively; the names imported are their ends."""
    here = path.relative_to(ADDON).parts[:-1]
    return {".".join([*here[:len(here) - node.level + 1], *([node.module] if node.module else []), alias.name])
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.level for alias in node.names}


def module_name(path: Path) -> str:
    """Dotted name of a file under addon."""
    parts = path.relative_to(ADDON.parent).with_suffix("").parts
    return ".".join(("lope", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def test_engine_side_names_neither_blender_nor_the_package_itself():
    """Imports inside the package are relative."""
    wrong = {module_name(path): imported_names(path) & (BLENDER | {"lope"}) for path in ENGINE_SIDE}
    assert {module: names for module, names in wrong.items() if names} == {}


@pytest.mark.slow
def test_engine_side_imports_where_blender_is_blocked():
    modules = ["lope", *map(module_name, ENGINE_SIDE)]
    script = IMPORT_ALL.format(blocked=sorted(BLENDER), modules=modules)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) >= len(modules) - 2


MOST_OF_A_WALK = 155
"""Of lope's own modules; 142 when this was written."""


@pytest.mark.slow
def test_a_simulation_loads_nothing_that_few_shots_need():
    """Of scipy a walk needs linear algebra alone: the rest takes as long to load as all else until its first step."""
    script = ("import json, sys; from lope.addon.cli import main; main(['simulate', '--gait', 'walk', '--seconds', '0.5']); "
              "print(json.dumps(sorted(sys.modules)))")
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = json.loads(run.stdout.splitlines()[-1])
    assert [name for name in loaded if name in {f"scipy.{room}" for room in (
        "interpolate", "ndimage", "optimize", "signal", "spatial", "special", "sparse")}] == []
    own = [name for name in loaded if name.startswith("lope.")]
    assert len(own) <= MOST_OF_A_WALK, f"{len(own)} modules of lope are loaded for a walk"


def test_rooms_of_rigs_use_those_before_them():
    wrong = []
    for path in sorted((ADDON / "rigs").glob("*/*.py")):
        allowed = RIG_ROOMS[: RIG_ROOMS.index(path.parent.name) + 1]
        for place in imported_modules(path):
            top, room = place.split(".")[:2] if "." in place else (place, "")
            if top in ABOVE_RIGS or (top == "rigs" and room not in allowed):
                wrong.append(f"{module_name(path)} imports {place}")
    assert wrong == []


def test_the_check_itself_sees_an_import(tmp_path):
    guilty = tmp_path / "guilty.py"
    guilty.write_text("def f():\n    from bpy.props import IntProperty\n    import mathutils.noise\n", encoding="utf-8")
    assert imported_names(guilty) == {"bpy", "mathutils"}
