# SPDX-License-Identifier: GPL-3.0-or-later
"""The takes of a matrix: read one after the other, and brought to what the page shows of each."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import LopeError, TakeError, unknown_name
from ..files import write_whole
from ..motions.library import gait_names
from ..sim.take import Take
from ..specs.motions import Gait
from ..specs.path import PathSpec
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..worlds.planets import load_world
from .card import Card, physics_card
from .measures import study
from .norms import WORLDS
from .strides import com_height_m, whole_strides

SHOWN_STRIDES = 3
"""Strides of a take that the figures show."""
GAIT_ORDER = ("walk", "run", "turn", "lope", "skip", "hop")


@dataclass(frozen=True)
class Trace:
    """A few strides from a strike of the first foot: way (T,) [m], COM height (T,) [m] and contacts (T, F) of the `feet`."""

    time_s: np.ndarray
    way_m: np.ndarray
    height_m: np.ndarray
    contact: np.ndarray
    feet: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """One take of the page. `reasons` say why measures are None; `trace` is None for a take without strides to measure."""

    path: Path
    shot: Shot
    measures: dict[str, Any]
    reasons: dict[str, str]
    card: Card
    trace: Trace | None

    @property
    def gait(self) -> str:
        return self.shot.called

    @property
    def world(self) -> str:
        return self.shot.world.name

    @property
    def walked(self) -> bool:
        return self.trace is not None

    @property
    def straight(self) -> bool:
        return self.shot.motion.path.kind == "straight"

    @property
    def automatic(self) -> bool:
        """Whether nothing but gait, world, path and engine was chosen: speed and frequency are Lope's own."""
        shot = self.shot
        world = replace(shot.world, ground=Shot().world.ground)
        plain = Shot(motion=Gait(shot.motion.name, path=shot.motion.path), world=world, engine=shot.engine,
                     duration_s=shot.duration_s, seed=shot.seed)
        return shot == plain and not shot.world.gravity_ramp

    @property
    def order(self) -> tuple:
        known = GAIT_ORDER.index(self.gait) if self.gait in GAIT_ORDER else len(GAIT_ORDER)
        return known, self.gait, self.measures["gravity_m_s2"], self.shot.engine, str(self.path)


def find_takes(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.npz"))


def read_entries(paths: Iterable[Path], progress: Callable[[float, str], None] | None = None) -> tuple[list[Entry], list[str]]:
    """Entries in order, and a sentence for each file that is no take."""
    paths = list(paths)
    entries, refused = [], []
    for i, path in enumerate(paths):
        if progress:
            progress(i / len(paths), f"measuring {path.name}")
        try:
            entries.append(read_entry(path))
        except TakeError as error:
            refused.append(str(error))
    return sorted(entries, key=lambda entry: entry.order), refused


def read_entry(path: Path) -> Entry:
    """One take, measured. Raises TakeError."""
    take = Take.load(path)
    found = study(take)
    return Entry(path, take.shot, found.values, found.reasons, physics_card(take, found),
                 None if found.values["strides"] is None else trace_of(take))


def trace_of(take: Take) -> Trace | None:
    """The first strides after the skipped ones."""
    strides = whole_strides(take)
    if strides is None:
        return None
    start, end = strides.time_s[0], strides.time_s[min(SHOWN_STRIDES, strides.count)]
    rows = (take.time_s >= start) & (take.time_s <= end)
    place = take.com_m[rows]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(place[:, :2], axis=0), axis=1))])
    return Trace(take.time_s[rows] - start, way, com_height_m(take)[rows], take.contact[rows],
                 tuple(foot.name for foot in take.body.feet))


def chosen(entries: list[Entry], gait: str) -> list[Entry]:
    """Automatic takes of a gait that walked, on the thesis's worlds: the longest of each world and engine."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        if entry.gait == gait and entry.automatic and entry.walked and entry.world in WORLDS:
            key = entry.world, entry.shot.engine
            if key not in found or entry.measures["duration_s"] > found[key].measures["duration_s"]:
                found[key] = entry
    return list(found.values())


def on_planets(entries: list[Entry], gait: str) -> dict[str, Entry]:
    """World -> its chosen take by the engine that figures show, in order of gravity."""
    found = {entry.world: entry for entry in chosen(entries, gait) if entry.shot.engine == engine_of(entries)}
    return {world: found[world] for world in WORLDS if world in found}


def engine_of(entries: list[Entry]) -> str:
    """The engine whose takes the figures show: MuJoCo where there are any."""
    engines = {entry.shot.engine for entry in entries}
    return "mujoco" if "mujoco" in engines or not engines else sorted(engines)[0]


def gaits_in(entries: list[Entry]) -> list[str]:
    found = {entry.gait for entry in entries if entry.automatic}
    return [gait for gait in GAIT_ORDER if gait in found] + sorted(found - set(GAIT_ORDER))


PLAN, TAKES = "matrix.json", "takes"
"""The list of what a begun matrix holds, so that a stopped one is finished by the next call."""
CIRCLING = "turn"
"""The gait that goes round a circle of its own radius."""


def fill(folder: Path, gaits: tuple[str, ...] | None, worlds: tuple[str, ...] | None, seconds: float,
         progress: Callable[[float, str], None]) -> list[str]:
    """Simulate what is missing; gives a sentence for each refused shot. Other folders stay. Raises InputError for names."""
    plan = folder / PLAN
    if not plan.is_file() and find_takes(folder):
        return []
    wanted = {"gaits": gaits, "worlds": worlds, "seconds": seconds}
    shots = matrix_shots(gaits=gaits, worlds=worlds, seconds=seconds)
    (folder / TAKES).mkdir(parents=True, exist_ok=True)
    write_whole(plan, json.dumps(wanted), "list of the matrix")
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
            shots[f"{gait}-{world.name}"] = Shot(motion=Gait(gait, path=path), world=world, duration_s=length)
    return shots


def is_take_of(path: Path, shot: Shot) -> bool:
    """Whether a take of that very shot lies there."""
    try:
        return Take.load(path).shot == shot
    except LopeError:
        return False


def simulate_to(path: Path, shot: Shot, progress: Callable[[float, str], None]) -> None:
    """Simulate a shot and write its take. Raises LopeError for a shot that is refused."""
    from ..sim.simulation import simulate

    simulate(shot, progress=progress).save(path)
