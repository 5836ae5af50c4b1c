# SPDX-License-Identifier: GPL-3.0-or-later
"""From a list to a plan: for every shot its Shot, its stages, and for every stage a key of all that its result depends on. A
stage whose key is the same as when it was last done need not be done again. Keys are made of contents, not of times: the rig's
and the clip's bytes, the gait's and its tuning's, the options, and Lope's version."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from .. import VERSION
from ..errors import InputError, LopeError, unknown_name
from ..gaits.tuned_maps import tuning_file
from ..motions.followable import files_of
from ..motions.library import GAITS_FOLDER, gait_names
from ..options.outputs import check_apart, read_by
from ..options.shot_options import shot_fields
from ..specs.creature import CREATURE, Creature
from ..specs.motions import AUTO, Followed
from ..specs.settings import named_file
from ..specs.shot import Shot
from ..specs.steering import gait_changes
from .shot_list import RIGS, ListedShot, RigSpec, ShotList, safe

RIG, SIMULATE, REPORT, BAKE, RENDER = "rig", "simulate", "report", "bake", "render"
STAGES = (SIMULATE, REPORT, BAKE, RENDER)
"""Stages of a shot in their order. A rig is a stage of its own, shared by the shots that use it."""
FRAMES = "frames"
RESULTS = ("take.npz", "report.json", "card.txt", "baked.blend", "film.mp4", "sheet.png", FRAMES)
"""What the stages of a shot leave in its folder."""
SHORT = 8
"""Digits of a key in a file's name."""


@dataclass(frozen=True)
class PlannedRig:
    """A rig to be made ready once: `height_m` overrides its own, `blend` is the prepared file. Of a rig for a `creature`, which
    this is as a dict, nobody is sought in its bones; without a file a figure is made of it."""

    spec: RigSpec
    height_m: float | None
    key: str
    blend: Path
    creature: Mapping[str, Any] | None = None

    @property
    def unit(self) -> str:
        return f"{RIG}:{self.spec.name}:{self.key[:SHORT]}"


@dataclass(frozen=True)
class PlannedShot:
    """A shot to be worked off. Where it cannot even be planned `problem` says why, and `shot` is None. The body of `shot` is a
    rig's only once the rig has been read: see `with_body`. `keys` are by stage, in order."""

    listed: ListedShot
    folder: Path
    shot: Shot | None = None
    rig: PlannedRig | None = None
    keys: dict[str, str] = dataclasses.field(default_factory=dict)
    problem: str | None = None

    @property
    def name(self) -> str:
        return self.listed.name

    @property
    def whole(self) -> Shot:
        """The shot. Raises InputError with the problem where there is none."""
        if self.shot is None:
            raise InputError(self.problem or f"{self.name} is not planned.")
        return self.shot

    @property
    def own_rig(self) -> PlannedRig:
        """The rig. Raises InputError where the shot needs none."""
        if self.rig is None:
            raise InputError(f"{self.name} has no rig.")
        return self.rig

    def with_body(self, body: dict[str, Any]) -> Shot:
        """The Shot with the body of its rig, `BodySpec` as a dict, and its own mass and kind."""
        own, asked = Shot.from_dict({"body": body}).body, self.whole.body
        return dataclasses.replace(self.whole, body=dataclasses.replace(own, mass_kg=asked.mass_kg, kind=asked.kind))


@dataclass(frozen=True)
class Plan:
    list: ShotList
    shots: tuple[PlannedShot, ...]

    @property
    def rigs(self) -> dict[str, PlannedRig]:
        return {shot.rig.unit: shot.rig for shot in self.shots if shot.rig is not None}


def plan_list(shots: ShotList, only: list[str] | None = None) -> Plan:
    """Plan a list, or the shots of it named in `only`. Raises InputError for a name that the list does not have."""
    wanted = shots.shots
    if only:
        known = {shot.name: shot for shot in shots.shots}
        for name in only:
            if name not in known:
                raise unknown_name("shot", name, known)
        wanted = tuple(known[name] for name in dict.fromkeys(only))
    digest = _Digests()
    return Plan(shots, tuple(_plan_shot(shot, shots, digest) for shot in wanted))


def _plan_shot(listed: ListedShot, shots: ShotList, digest: _Digests) -> PlannedShot:
    blank = PlannedShot(listed, shots.out / listed.name)
    try:
        shot = shot_from_values(listed.values)
        rig = _plan_rig(listed, shots.out, digest, shot.body.creature)
        if shot.hits and isinstance(shot.motion, Followed) and (rig is None or rig.spec.file is None):
            from ..sim.simulation import resolved

            resolved(shot)  # a hit after the clip's end; on a rig's body, not known yet, that is found as it is simulated
        _check_apart(shots.path, blank.folder, shot, rig)
        return dataclasses.replace(blank, shot=shot, rig=rig, keys=_keys(listed, shot, rig, digest))
    except LopeError as error:
        return dataclasses.replace(blank, problem=str(error))


def _check_apart(path: Path, folder: Path, shot: Shot, rig: PlannedRig | None) -> None:
    """Raises InputError where a shot of the list at `path` reads what it, or its rig, would leave in its `folder`."""
    reads = [path, *read_by(shot), *([] if rig is None else rig.spec.inputs.values())]
    for made in (*(folder / name for name in RESULTS), *([] if rig is None else [rig.blend])):
        check_apart(made, reads)
    check_apart(folder / FRAMES, [one.parent for one in reads])


def shot_from_values(values: dict[str, Any]) -> Shot:
    """The Shot that a list's entries describe, as the command line would read them. Raises InputError."""
    from ..options.shot_options import shot_from

    args = shot_fields().parse(values)
    args.blend = args.armature = None
    return shot_from(args)


def _plan_rig(listed: ListedShot, out: Path, digest: _Digests, creature: Creature | None) -> PlannedRig | None:
    if listed.rig.file is None and listed.bake is None:
        return None
    spec = listed.rig
    if creature is not None and spec.file is None:
        spec = dataclasses.replace(spec, name=creature.name)
    height = listed.values.get("height")
    contents = {what: digest.file(path, what) for what, path in listed.rig.inputs.items()}
    shape = None if creature is None else creature.to_dict()
    key = digest.of(RIG, contents, spec.armature, height, *([] if shape is None else [shape]))
    return PlannedRig(spec, height, key, out / RIGS / f"{safe(spec.name)}-{key[:SHORT]}.blend", shape)


def _keys(listed: ListedShot, shot: Shot, rig: PlannedRig | None, digest: _Digests) -> dict[str, str]:
    """The keys of the stages that a shot asks for, each made of the one before."""
    data = shot.to_dict()
    motion = shot.motion
    for name, path, what in (("file", motion.file, "motion file"), ("database", motion.database, "database of pressure")):
        if path is not None:
            data["motion"][name] = digest.file(Path(path), what)
    if motion.after is not None:
        data["motion"]["after"] = motion.after.sha256
    body = rig.key if rig is not None and rig.spec.file is not None else None
    keys = {SIMULATE: digest.of(SIMULATE, data, body, _presets(shot, digest))}
    if listed.report:
        keys[REPORT] = digest.of(REPORT, keys[SIMULATE])
    if listed.bake is not None and rig is not None:  # `_plan_rig` gives one where a bake is wanted
        keys[BAKE] = digest.of(BAKE, keys[SIMULATE], rig.key, listed.bake)
    if listed.render is not None:
        keys[RENDER] = digest.of(RENDER, keys[BAKE], listed.render)
    return keys


def _presets(shot: Shot, digest: _Digests) -> list[str]:
    """What the gait's own files hold: the preset, and its tuned maps where the shot uses them."""
    if shot.motion.source_file is not None or shot.body.kind == CREATURE:
        return []
    named = {shot.motion.name, *(gait for _, gait in gait_changes(shot.motion.keys))}
    gaits = gait_names() if AUTO in named else sorted(named)
    files = [named_file(GAITS_FOLDER, "gait", gait) for gait in gaits]
    files += [tuning_file(gait) for gait in gaits] if shot.motion.tuned else []
    return [digest.file(path, "preset") for path in files if path.is_file()]


class _Digests:
    """Keys, and contents of files read once."""

    def __init__(self) -> None:
        self._files: dict[Path, str] = {}

    def of(self, *inputs: Any) -> str:
        """A key of plain values and of Lope's version."""
        text = json.dumps([VERSION, *inputs], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def file(self, path: Path, what: str) -> str:
        """A key of a file's bytes, of a folder of those of all its files. Raises InputError where it cannot be read."""
        if path.is_dir():
            return self.of([[one.name, self.file(one, what)] for one in files_of(path)])
        if path not in self._files:
            try:
                with path.open("rb") as stream:
                    digest = hashlib.sha256()
                    for block in iter(partial(stream.read, 1 << 20), b""):
                        digest.update(block)
            except FileNotFoundError:
                raise InputError(f"The {what} {path} is not there; check its path in the list.") from None
            except OSError as error:
                raise InputError(f"The {what} {path} cannot be read: {error.strerror or error}.") from error
            self._files[path] = digest.hexdigest()
        return self._files[path]
