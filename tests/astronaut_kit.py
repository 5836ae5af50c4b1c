# SPDX-License-Identifier: GPL-3.0-or-later
"""The astronaut, built once in a process: to build it takes ten times as long as to copy it from a file."""

import tempfile
from functools import cache
from pathlib import Path

from blender_scene import bpy
from lope.addon.rigs.astronaut.astronaut import add_astronaut


@cache
def _file() -> Path:
    """Where it is kept."""
    return Path(tempfile.mkdtemp(prefix="lope_astronaut_")) / "astronaut.blend"


def copied_astronaut(context_or_scene):
    """What `add_astronaut` of the standard height adds to a scene in metres."""
    scene, path = getattr(context_or_scene, "scene", context_or_scene), _file()
    if not path.is_file():
        armature = add_astronaut(scene)
        bpy.data.libraries.write(str(path), {armature, *armature.children})
        return armature
    with bpy.data.libraries.load(str(path)) as (held, wanted):
        wanted.objects = held.objects
    bpy.data.libraries.remove(bpy.data.libraries[path.name])
    for item in wanted.objects:
        scene.collection.objects.link(item)
    return next(item for item in wanted.objects if item.type == "ARMATURE")
