# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for tests of buttons and jobs: import `scene` and `astronaut`, and pytest finds them."""

from importlib import import_module

import pytest

import lope
from astronaut_kit import copied_astronaut
from blender_scene import bpy, empty_file


@pytest.fixture
def scene(tmp_path, monkeypatch):
    """An empty scene with Lope registered; takes go to a folder of the test."""
    empty_file()
    lope.register()
    monkeypatch.setattr(import_module("lope.addon.rigs.astronaut.astronaut"), "add_astronaut", copied_astronaut)
    monkeypatch.setattr("lope.operators.simulate.takes_folder", lambda: tmp_path)
    yield bpy.context.scene
    lope.unregister()


@pytest.fixture
def astronaut(scene):
    """The astronaut, added by its button."""
    assert bpy.ops.lope.add_astronaut() == {"FINISHED"}
    return bpy.context.object


def shot():
    """The shot that the settings of the character in hand ask for."""
    from lope.operators.context import active_armature
    from lope.operators.shot_builder import make_shot

    return make_shot(active_armature(bpy.context), bpy.context.scene)
