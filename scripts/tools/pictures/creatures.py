# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures that walk, as an artist would make them: rigs drawn by numbers, read, simulated, baked and rendered by commands."""

from __future__ import annotations

import tempfile
from pathlib import Path

from lope.addon.cli import main
from lope.addon.errors import LopeError

from .shown import jpeg_of

WALKERS = ("bird", "alien")
SECONDS = 5.0
FROM, TO, EVERY = 66, 98, 8
"""Frames of a stride on its way, at 24 a second."""
SIZE, SAMPLES = "300x320", 8


def creatures() -> bytes:
    """A bird and an alien, a row each, by the quick law: the sheet as a JPEG."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [_row(Path(folder), name) for name in WALKERS]
        return _stacked(rows, Path(folder) / "creatures.png")


def _row(folder: Path, name: str) -> Path:
    """The sheet of one creature from the side. Raises LopeError where a command fails, or the creature falls."""
    import bpy

    from creatures.animals import make

    endings = (".blend", ".json", ".npz", "-baked.blend", ".png")
    rig, shape, take, blend, sheet = (folder / f"{name}{ending}" for ending in endings)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature, _ = make(name, bpy.context.scene)
    called = armature.name
    bpy.ops.wm.save_as_mainfile(filepath=str(rig))
    for words in (
        ("creature", "from", "--blend", str(rig), "--armature", called, "--out", str(shape)),
        ("simulate", "--creature", str(shape), "--quick", "--seconds", str(SECONDS), "--out", str(take)),
        ("bake", "--blend", str(rig), "--armature", called, "--take", str(take), "--stage", "auto", "--out", str(blend)),
        ("render", "--blend", str(blend), "--sheet", str(sheet), "--frames", f"{FROM},{TO},{EVERY}",
         "--sheet-frames", str((TO - FROM) // EVERY + 1), "--size", SIZE, "--samples", str(SAMPLES),
         "--camera", "follow:side"),
    ):
        if main(words) != 0:
            raise LopeError(f"lope {words[0]} did not do its work.")
    return sheet


def _stacked(sheets: list[Path], out: Path) -> bytes:
    """Pictures of one width, one under the other."""
    import numpy as np

    from lope.addon.rigs.render.pictures import read_picture, write_picture

    write_picture(np.concatenate([read_picture(sheet)[..., :3] for sheet in sheets]), out)
    return jpeg_of(out)
