# SPDX-License-Identifier: GPL-3.0-or-later
"""One case of the matrix: a shot, what is done with it, and the key under which its result is kept."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

from lope.addon.specs.shot import Shot

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("charts", "events", "findings", "html", "literature", "make_matrix", "matrix", "page", "plots", "tables", "thesis",
         "trace_plots")
"""Modules of `addon/reports` that only show what was measured: a change of theirs makes no case run anew."""
OUTSIDE = ("batch", "children", "commands", "farm", "jobs", "locale", "options", "rigs", "viewport")
"""Rooms of `addon` and folders of `presets` that no simulation reads."""
OF_ONE_GAIT = ("ranges", "tuning")
"""Folders of `presets` with a file a gait: only a gait's own file bears on its results."""
LIBRARIES = ("mujoco-core", "numpy", "scipy", "daqp", "quadprog")


@dataclass(frozen=True)
class Case:
    """What is run once. `kind` names its function in `kinds.py`, `options` are that function's plain numbers.

    `keep` keeps the take for `lope report --matrix`. Two cases of one shot, kind and options are one: see `key`.
    """

    name: str
    shot: Shot
    kind: str = "walk"
    options: dict = field(default_factory=dict)
    keep: bool = False

    @property
    def key(self) -> str:
        """Sixteen hexadecimal digits of the shot, what is done with it, and the code that does it."""
        what = json.dumps([self.shot.to_dict(), self.kind, self.options, code_version()], sort_keys=True)
        return hashlib.sha256(what.encode() + gait_files(self.shot.gait)).hexdigest()[:16]


@cache
def code_version() -> str:
    """Twelve hexadecimal digits of everything that a result depends on, whatever its gait: code, presets and libraries."""
    digest = hashlib.sha256(platform.python_version().encode())
    for name in LIBRARIES:
        digest.update(f"{name} {metadata.version(name)}".encode())
    for path in sorted([*(ROOT / "addon").rglob("*.py"), *(ROOT / "presets").rglob("*.json")]):
        parts = path.relative_to(ROOT).parts
        apart = parts[1] in OUTSIDE or (parts[0] == "presets" and parts[1] in OF_ONE_GAIT)
        if not apart and not (parts[1] == "reports" and path.stem in PAGES):
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def gait_files(gait: str) -> bytes:
    """What is stored of a gait's feasible speeds and tuned maps."""
    paths = [ROOT / "presets" / folder / f"{gait}.json" for folder in OF_ONE_GAIT]
    return b"".join(path.read_bytes() for path in paths if path.is_file())
