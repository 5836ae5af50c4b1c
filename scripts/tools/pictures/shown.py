# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles in the moving figure, as `lope render` has them: simulated, baked and rendered by Lope's own commands."""

from __future__ import annotations

import tempfile
from pathlib import Path

from lope.addon.cli import main
from lope.addon.errors import LopeError

SECONDS = 4.0
FROM, TO, EVERY = 30, 56, 6
"""Frames of a stride on its way, at 24 a second."""


def muscles_shown() -> bytes:
    """A healthy walk by muscles on the astronaut, from the side and from ahead: the sheet as a JPEG."""
    return sheet("--gait", "walk", "--world", "earth", "--actuation", "muscles")


def sheet(*shot: str) -> bytes:
    """The JPEG of a sheet of a shot's muscles. Raises LopeError where a command fails, or the character falls."""
    with tempfile.TemporaryDirectory() as folder:
        take, blend, picture = (str(Path(folder) / name) for name in ("take.npz", "baked.blend", "sheet.png"))
        for words in (
            ("simulate", *shot, "--seconds", str(SECONDS), "--out", take),
            ("bake", "--blend", "astronaut", "--take", take, "--out", blend),
            ("render", "--blend", blend, "--show-muscles", take, "--sheet", picture, "--frames", f"{FROM},{TO},{EVERY}",
             "--sheet-frames", str((TO - FROM) // EVERY + 1), "--size", "300x480", "--camera", "follow:side,front"),
        ):
            if main(words) != 0:
                raise LopeError(f"lope {words[0]} did not do its work.")
        return jpeg_of(picture)


def jpeg_of(picture: str | Path) -> bytes:
    """A picture file as a JPEG. Starts Blender."""
    from lope.addon.rigs.render.pictures import write_jpeg

    out = Path(picture).with_suffix(".jpg")
    write_jpeg(picture, out)
    return out.read_bytes()
