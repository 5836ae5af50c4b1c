# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates the takes of a matrix that are not there yet: every gait on the thesis's five worlds, nothing set by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

from ..errors import LopeError, unknown_name
from ..motions.library import gait_names
from ..specs.path import PathSpec
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..worlds.planets import load_world
from .matrix import GAIT_ORDER, find_takes
from .thesis import WORLDS

PLAN, TAKES = "matrix.json", "takes"
"""The list of what a begun matrix holds, so that a stopped one is finished by the next call."""
CIRCLING = "turn"
"""The gait that goes round a circle of its own radius."""


def fill(
    folder: Path, gaits: tuple[str, ...] | None, worlds: tuple[str, ...] | None, seconds: float,
    progress: Callable[[float, str], None],
) -> list[str]:
    """Simulate what is missing; gives a sentence for each shot that was refused.

    A folder with takes of other origin is left as it is. Raises InputError for unknown names.
    """
    plan = folder / PLAN
    if not plan.is_file() and find_takes(folder):
        return []
    wanted = {"gaits": gaits, "worlds": worlds, "seconds": seconds}
    shots = matrix_shots(gaits=gaits, worlds=worlds, seconds=seconds)
    (folder / TAKES).mkdir(parents=True, exist_ok=True)
    plan.write_text(json.dumps(wanted), encoding="utf-8")
    refused = []
    for i, (name, shot) in enumerate(shots.items()):
        path = folder / TAKES / f"{name}.npz"
        if not is_take_of(path, shot):
            def share(part: float, what: str, i: int = i) -> None:
                progress((i + part) / len(shots), f"{what} ({i + 1} of {len(shots)})")
            try:
                simulate_to(path, shot, share)
            except LopeError as error:
                path.unlink(missing_ok=True)
                refused.append(f"{name.replace('-', ' on ')}: {error}")
    return refused


def matrix_shots(gaits: tuple[str, ...] | None, worlds: tuple[str, ...] | None, seconds: float) -> dict[str, Shot]:
    """Name -> shot of every gait on every world. `seconds` are for the Earth; shots last longer under less gravity."""
    known = gait_names()
    for gait in gaits or ():
        if gait not in known:
            raise unknown_name("gait", gait, known)
    places = [load_world(world) for world in worlds or WORLDS]
    shots = {}
    for gait in gaits or [name for name in GAIT_ORDER if name in known]:
        path = PathSpec(kind="circle") if gait == CIRCLING else PathSpec()
        for world in places:
            length = round(seconds * math.sqrt(EARTH_GRAVITY_M_S2 / world.gravity_m_s2), 2)
            shots[f"{gait}-{world.name}"] = Shot(gait=gait, world=world, path=path, duration_s=length)
    return shots


def is_take_of(path: Path, shot: Shot) -> bool:
    """Whether a take of that very shot lies there."""
    from ..take import Take

    try:
        return Take.load(path).shot == shot
    except LopeError:
        return False


def simulate_to(path: Path, shot: Shot, progress: Callable[[float, str], None]) -> None:
    """Simulate a shot and write its take. Raises LopeError for a shot that is refused."""
    from ..simulate import simulate

    simulate(shot, progress=progress).save(path)
