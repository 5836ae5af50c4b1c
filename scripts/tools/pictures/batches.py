# SPDX-License-Identifier: GPL-3.0-or-later
"""The sheet of a shot list, made by `lope batch` itself; needs Blender's module, and some minutes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from lope.addon.errors import JobError

LIST = """out = "out"
sheet = true

[defaults]
seconds = 5.0
render = { size = "320x240", samples = 8, frames = "90,90" }

[[grids]]
name = "all"
gait = ["walk", "lope", "hop"]
world = ["moon", "mars", "earth"]
"""


def sheet() -> bytes:
    """The sheet as a PNG. Raises JobError with the batch's last words where it fails."""
    with tempfile.TemporaryDirectory(prefix="lope-sheet-") as folder:
        file = Path(folder) / "night.toml"
        file.write_text(LIST, encoding="utf-8")
        run = subprocess.run([sys.executable, "-m", "lope", "batch", str(file)], stdout=subprocess.PIPE, text=True)
        if run.returncode != 0:
            raise JobError(f"The batch ended with {run.returncode}:\n{run.stdout}")
        return (Path(folder) / "out" / "sheet.png").read_bytes()
