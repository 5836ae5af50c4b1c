# SPDX-License-Identifier: GPL-3.0-or-later
"""One case of the matrix: a shot, what is done with it, and the key under which its result is kept."""

from __future__ import annotations

from lope.scripts.tools.common import ROOT

# isort: split
import hashlib
import json
import platform
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from lope.addon.worlds.planets import load_world

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
        return hashlib.sha256(what.encode() + gait_files(self.shot.motion.name)).hexdigest()[:16]


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


PLANETS = ("moon", "mars", "earth", "neptune", "jupiter")

BUMP_HEIGHT_M, BUMP_LENGTH_M = 0.05, 1.0
BUMP_SPACING_M = 0.1
BUMP_TURN = np.radians(27.0)
"""The bumps' rows are turned against the way, so that the feet meet every part of them."""
BUMP_AHEAD_M, BUMP_BEHIND_M, BUMP_ASIDE_M = 60.0, 1.0, 6.0
BUMP_FADE_M = 1.0
"""The bumps rise to their height over this way from the start, which is level."""

THESIS_HEIGHT_M, THESIS_LEG_M, THESIS_MASS_KG = 1.60, 0.82, 62.0
"""The walking model of Kim 2017, Table 1."""


def sloped(name: str, slope_deg: float) -> World:
    """That world, the ground rising straight ahead."""
    return replace(load_world(name), ground=GroundSpec(kind="slope", slope_deg=slope_deg))


def bumpy(name: str) -> World:
    """That world, its ground an egg crate of bumps `BUMP_HEIGHT_M` high and `BUMP_LENGTH_M` long."""
    x = np.arange(-BUMP_BEHIND_M, BUMP_AHEAD_M + 1e-9, BUMP_SPACING_M)[:, None]
    y = np.arange(-BUMP_ASIDE_M, BUMP_ASIDE_M + 1e-9, BUMP_SPACING_M)[None, :]
    along, across = x * np.cos(BUMP_TURN) + y * np.sin(BUMP_TURN), y * np.cos(BUMP_TURN) - x * np.sin(BUMP_TURN)
    wave = [0.5 - 0.5 * np.cos(2.0 * np.pi * part / BUMP_LENGTH_M) for part in (along, across)]
    fade = np.clip(np.hypot(x, y) / BUMP_FADE_M, 0.0, 1.0)
    heights = np.round(BUMP_HEIGHT_M * fade * wave[0] * wave[1], 4)
    rows = tuple(tuple(row) for row in heights.tolist())
    ground = GroundSpec(kind="field", heights_m=rows, spacing_m=BUMP_SPACING_M, origin_m=(-BUMP_BEHIND_M, -BUMP_ASIDE_M))
    return replace(load_world(name), ground=ground)


def spread_gravities(count: int) -> list[float]:
    """Gravities [m/s^2] from 0.05 to 3 g, each the same multiple of the one before."""
    inner = np.geomspace(0.05, 3.0, count) * EARTH_GRAVITY_M_S2
    return [round(float(g), 6) for g in inner]


def thesis_body() -> BodySpec:
    """The thesis's walking body: our proportions, legs stretched to its leg length, trunk kept within its height."""
    points = standing_landmarks(THESIS_HEIGHT_M)
    ankle, hip = points["ankle_L"][2], points["hip_L"][2]
    new_hip = ankle + THESIS_LEG_M
    out = {}
    for name, (x, y, z) in points.items():
        out[name] = (float(x), float(y), float(np.interp(z, [0.0, ankle, hip, THESIS_HEIGHT_M],
                                                         [0.0, ankle, new_hip, THESIS_HEIGHT_M])))
    for side in "LR":
        drop = points[f"shoulder_{side}"][2] - out[f"shoulder_{side}"][2]
        for part in ("elbow", "wrist", "hand_tip"):
            x, y, z = points[f"{part}_{side}"]
            out[f"{part}_{side}"] = (float(x), float(y), float(z - drop))
    return BodySpec(THESIS_HEIGHT_M, THESIS_MASS_KG, out)


def results_in(path: Path) -> dict[str, dict[str, Any]]:
    """Results of a file by key, the last of each; a line cut short by a stop is passed over."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            result = json.loads(line)
        except ValueError:
            continue
        found[result["key"]] = result
    return found
