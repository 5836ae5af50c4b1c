# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of rendering share: an astronaut that slides along, pictures of one grey, tiny pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from blender_scene import bpy  # noqa: F401  skips where Blender is not installed
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.render.frames import Picture
from lope.addon.rigs.render.pictures import write_picture

TINY = Picture(24, 16, samples=1, denoise=False)


def sliding_astronaut(scene, frames: int = 25, metres: float = 5.0):
    """The astronaut moved along -Y without steps."""
    armature = add_astronaut(scene)
    for frame, place in ((1, 0.0), (frames, -metres)):
        armature.location = (0.0, place, 0.0)
        armature.keyframe_insert("location", frame=frame)
    return armature


def grey(path: Path, value: float, size: tuple[int, int] = (6, 4)) -> Path:
    """A picture of one grey, of that width and height."""
    write_picture(np.full((size[1], size[0], 3), value, dtype=np.float32), path)
    return path
