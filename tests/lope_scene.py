# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for tests of buttons and jobs: import `scene` and `astronaut`, and pytest finds them."""

import bpy
import pytest

import lope


@pytest.fixture
def scene(tmp_path, monkeypatch):
    """An empty scene with Lope registered; takes go to a folder of the test."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    lope.register()
    monkeypatch.setattr("lope.operators.simulate.takes_folder", lambda: tmp_path)
    yield bpy.context.scene
    lope.unregister()


@pytest.fixture
def astronaut(scene):
    """The astronaut, added by its button."""
    assert bpy.ops.lope.add_astronaut() == {"FINISHED"}
    return bpy.context.object
