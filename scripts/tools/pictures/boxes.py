# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk through a wall of boxes, baked and rendered by the command line itself; needs Blender's module, and a minute."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from lope.addon.errors import JobError

SHOT = ("--seconds", "5", "--boxes", "3x4,0.35,1,2,0")
FRAMES = "28,103,15"
FILM_FRAMES = "24,108,2"
LOOK = ("--size", "280x210", "--samples", "8")


def boxes() -> bytes:
    """The sheet as a PNG: from the side and from the front. Raises JobError where a command fails."""
    return _baked(lambda file, out: ("render", "--blend", file, "--camera", "follow:side,three_quarter", "--frames", FRAMES,
                                     "--sheet-frames", "6", "--sheet", out, *LOOK), "sheet.png")


def film() -> bytes:
    """The film."""
    return _baked(lambda file, out: ("render", "--blend", file, "--camera", "follow:three_quarter", "--frames", FILM_FRAMES,
                                     "--out", out, "--size", "480x270", "--samples", "6"), "boxes.mp4")


def _baked(render: Callable[[str, str], tuple[str, ...]], name: str) -> bytes:
    """What a rendering of the baked shot writes."""
    with tempfile.TemporaryDirectory(prefix="lope-boxes-") as folder:
        take, file, out = (str(Path(folder) / one) for one in ("take.npz", "walked.blend", name))
        for words in (("simulate", *SHOT, "--out", take),
                      ("bake", "--blend", "astronaut", "--take", take, "--stage", "auto", "--out", file), render(file, out)):
            run = subprocess.run([sys.executable, "-m", "lope", *words], stdout=subprocess.PIPE, text=True)
            if run.returncode != 0:
                raise JobError(f"lope {words[0]} ended with {run.returncode}:\n{run.stdout}")
        return Path(out).read_bytes()
