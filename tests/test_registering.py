# SPDX-License-Identifier: GPL-3.0-or-later
"""What the extension loads when Blender starts, and ends: no more than its buttons and settings need."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")

HEAVY = ("numpy", "scipy", "mujoco", "daqp", "quadprog", "pybullet", "cma", "matplotlib", "multiprocessing")
MOST_MODULES = 110
"""Of lope's own, 105 when this was written; what a button needs is loaded when it is pressed."""
REGISTER = """
import json, os, sys
import bpy
for name in [name for name in sys.modules if name.split(".")[0] == "numpy"]:
    del sys.modules[name]  # Blender as a module brings it along, Blender itself does not
import lope
lope.register()
lope.unregister()
print(json.dumps(sorted(sys.modules)), flush=True)
os._exit(0)
"""


@pytest.mark.slow
def test_registering_loads_neither_physics_nor_solvers():
    done = subprocess.run([sys.executable, "-c", REGISTER], capture_output=True, text=True, timeout=120, check=True)
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert not [name for name in HEAVY if name in loaded]
    own = [name for name in loaded if name == "lope" or name.startswith("lope.")]
    assert len(own) <= MOST_MODULES, f"{len(own)} modules of lope are loaded at the start: load some at their first use"
    assert not [name for name in own if name.startswith(("lope.addon.engines.mujoco", "lope.addon.reports.film"))]


@pytest.mark.slow
def test_blender_as_a_module_ends_cleanly_with_the_extension_on():
    done = subprocess.run([sys.executable, "-c", "import bpy, lope; lope.register()"], capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
