# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of settings, the Blender way: shipped ones are listed and untouched, the user's own are kept and brought back."""

import os
import tempfile
from pathlib import Path

import pytest

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="lope_blender_"))
bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
import lope_scene  # noqa: E402
from lope import panels  # noqa: E402

pytestmark = pytest.mark.slow

SHIPPED = Path(lope.__file__).resolve().parent / "presets" / "lope"


scene, added = lope_scene.scene, lope_scene.astronaut


@pytest.fixture
def astronaut(added):
    popovers = [cls for cls in panels._classes() if hasattr(cls, "preset_add_operator")]
    labels = [cls.bl_label for cls in popovers]  # Blender writes the chosen preset's name there
    yield added
    for cls, label in zip(popovers, labels, strict=True):
        cls.bl_label = label


def listed(kind):
    return {Path(folder) / name for folder in bpy.utils.preset_paths(f"lope/{kind}") for name in os.listdir(folder)
            if name.endswith(".py")}


def test_shipped_presets_are_listed_and_can_be_taken(astronaut):
    shipped = sorted(SHIPPED.rglob("*.py"))
    assert len(shipped) >= 4
    for path in shipped:
        assert path in listed(path.parent.name)
        assert bpy.ops.script.execute_preset(filepath=str(path), menu_idname=f"LOPE_PT_{path.parent.name}_presets") == {
            "FINISHED"}
    assert astronaut.lope.suit == "apollo-a7lb" and astronaut.lope.bake_root == "in_place"
    assert bpy.context.scene.lope.world == "europa"


@pytest.mark.parametrize("kind", ["gait", "world", "character", "bake"])
def test_own_presets_bring_settings_back(astronaut, kind):
    settings = bpy.context.scene.lope if kind == "world" else astronaut.lope
    name, value, other = {"gait": ("speed_m_s", 0.75, 2.0), "world": ("friction", 0.25, 1.0),
                          "character": ("mass_kg", 111.0, 80.0), "bake": ("bake_error_mm", 3.0, 1.0)}[kind]
    before = {path: path.read_bytes() for path in SHIPPED.rglob("*.py")}
    add = getattr(bpy.ops.lope, f"{kind}_preset_add")
    setattr(settings, name, value)
    assert add(name="Mine") == {"FINISHED"}
    (own,) = (path for path in listed(kind) if path.name == "Mine.py")
    assert SHIPPED not in own.parents
    setattr(settings, name, other)
    bpy.ops.script.execute_preset(filepath=str(own), menu_idname=f"LOPE_PT_{kind}_presets")
    assert getattr(settings, name) == pytest.approx(value)
    own.unlink()
    assert {path: path.read_bytes() for path in SHIPPED.rglob("*.py")} == before


def test_presets_name_settings_that_there_are(astronaut):
    from lope.panels import menus

    for owner, names in ((astronaut.lope, (*menus.GAIT, *menus.CHARACTER, *menus.BAKE)), (bpy.context.scene.lope,
                                                                                          menus.WORLD)):
        assert [name for name in names if not hasattr(owner, name)] == []
