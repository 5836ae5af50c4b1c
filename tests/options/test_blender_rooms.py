# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of rooms that need Blender, by their names: no import says whether it is there."""

import re
from pathlib import Path

import pytest

from lope.addon.options.outputs import blender_room

ADDON = Path(__file__).resolve().parents[2] / "addon"
ASKED = re.compile(r'blender_room\("([\w.]+)"\)\.(\w+)')
NAMES = sorted({found for path in ADDON.rglob("*.py") for found in ASKED.findall(path.read_text(encoding="utf-8"))})


@pytest.mark.parametrize("module, name", NAMES)
def test_what_is_asked_of_a_room_is_there(module, name):
    assert hasattr(blender_room(module), name)
