# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions with the pressure that they leave, on disk: one `.npz` for a folder of clips (Yin 2007, section 3.3). Where motions
begin and end in clips: found by activity, kept in a list that people mend (Yin 2007, section 3.3.2: somebody marks the begin and
the end of each)."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...archives import check_array, opened_archive, read_head, read_member, write_archive
from ...errors import InputError
from ...files import DAMAGED, read_json, reading, why, write_whole
from ..responses.response import reference_body
from .features import LEAST_SIGMA_SHARE, NAMES, Quiet, active_spans, quiet_of
from .images import MAT_RATE_HZ, Counts, Pressure
from .recognition import Known, Recogniser

FORMAT = 3
MOTION_HZ = 60.0
"""Poses a second; five go with a frame of pressure (Yin 2007, section 3.3)."""
PER_FRAME = round(MOTION_HZ / MAT_RATE_HZ)
STILLEST = 3
LEAST_NORM = 0.5
"""Of a quaternion in a file: what is less is no turn."""
FIGURES = 5
"""Decimals of what is stored: hundredths of a millimetre, thousandths of a degree."""


@dataclass(frozen=True, eq=False)
class PressedMotion:
    """One occurrence of a motion on the reference body, `MOTION_HZ` poses a second: root (N, 3) [m] and (N, 4), joints
    (N, S-1, 4), and which parts of the feet stand, (N, 2, 2) heel and ball of the left and the right. `counts` are what a mat
    felt of it, T frames at `MAT_RATE_HZ`, and `features` (T, 10) what is seen in them, `sole_features` (T, 10) what is in
    insoles. What is `quiet` is a stance that nothing happens in, and no motion. `source` names the clip."""

    name: str
    source: str
    root: np.ndarray
    turn: np.ndarray
    joints: np.ndarray
    planted: np.ndarray
    features: np.ndarray
    counts: Counts
    sole_features: np.ndarray
    quiet: bool = False

    def __len__(self) -> int:
        return len(self.root)

    @property
    def pressure(self) -> Pressure:
        """What a mat felt of it, T frames."""
        return self.counts.pressure

    def seen(self, soles: bool = False) -> np.ndarray:
        """The numbers (T, 10) that it is known by on a mat, or in insoles."""
        return self.sole_features if soles else self.features


@dataclass(frozen=True, eq=False)
class Database:
    name: str
    licence: str
    motions: tuple[PressedMotion, ...]

    @cached_property
    def active(self) -> tuple[PressedMotion, ...]:
        """Those that are no quiet stance: the rows of matches."""
        return tuple(one for one in self.motions if not one.quiet)

    @cached_property
    def stance(self) -> PressedMotion | None:
        """A quiet stance, None in a database without any."""
        return next((one for one in self.motions if one.quiet), None)

    def scale(self, soles: bool = False) -> np.ndarray:
        """Each feature's deviation (F,) over all motions, of a mat or of insoles."""
        spread = np.concatenate([one.seen(soles) for one in self.motions]).std(axis=0)
        return np.where(spread > 0.0, spread, 1.0)

    def quiet(self, soles: bool = False) -> Quiet:
        """Quiet stance as it is here, on a mat or in insoles. Raises InputError where nobody stands."""
        still = [one.seen(soles) for one in self.motions if one.quiet]
        if not still:
            raise self.no_stance
        frames = np.concatenate(still)
        return Quiet(frames.mean(axis=0), np.maximum(frames.std(axis=0), LEAST_SIGMA_SHARE * self.scale(soles)))

    @property
    def no_stance(self) -> InputError:
        return InputError(f"The database {self.name} has no quiet stance, from which motions are told: mark a clip in which "
                          "somebody only stands, or such a part of one, as `quiet` in its list of motions, and index again. "
                          f"The stillest: {', '.join(self.stillest)}.")

    @property
    def stillest(self) -> tuple[str, ...]:
        """The clips in which least happens, `STILLEST` of them at most: by how far their frames leave the middle one."""
        scale, moved = self.scale(), dict[str, float]()
        for one in self.motions:
            away = float(np.sqrt(np.mean(((one.features - np.median(one.features, axis=0)) / scale) ** 2, axis=1)).max())
            moved[one.source] = min(away, moved.get(one.source, math.inf))
        return tuple(sorted(moved, key=moved.__getitem__)[:STILLEST])

    def recogniser(self, soles: bool = False) -> Recogniser:
        """What tells these motions from their pressure on a mat, or in insoles. Raises InputError where motion or stance lack."""
        if not self.active:
            raise InputError(f"The database {self.name} holds no motion but quiet stance: index clips with motions.")
        return Recogniser([Known(one.name, one.seen(soles)) for one in self.active], self.quiet(soles), self.scale(soles))

    def without(self, names: Iterable[str]) -> Database:
        left = set(names)
        return Database(self.name, self.licence, tuple(one for one in self.motions if one.name not in left))

    def save(self, path: str | Path) -> None:
        """Write one `.npz`; equal databases give equal files. Raises InputError where it cannot be written."""
        path = Path(path)
        head = {"format": FORMAT, "name": self.name, "licence": self.licence, "motions": [
            {"name": one.name, "source": one.source, "quiet": one.quiet, "count": one.counts.count, "pressure": one.counts.head}
            for one in self.motions]}
        arrays = {}
        for i, one in enumerate(self.motions):
            poses = np.concatenate([one.root, one.turn, one.joints.reshape(len(one), -1)], axis=1)
            arrays[f"poses_{i}"] = np.round(poses, FIGURES).astype(np.float32)
            arrays[f"planted_{i}"] = np.packbits(one.planted.reshape(len(one), -1), axis=1)
            arrays[f"features_{i}"], arrays[f"sole_features_{i}"] = one.features, one.sole_features
            arrays[f"counts_{i}"] = one.counts.images
        write_archive(path, "database", head, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Database:
        """Read what `save` wrote. Raises InputError naming the file and what is wrong with it."""
        with opened(path) as (archive, head):
            motions = tuple(_read(archive, i, row) for i, row in enumerate(head["motions"]))
            return cls(str(head["name"]), str(head["licence"]), motions)


@contextmanager
def opened(path: str | Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    """A database's archive and its head. Raises InputError naming the file and its fault, also of what is read meanwhile."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no database of pressure at {path}: make one of a folder of clips.")
    with reading(f"{path} is no database of pressure, or it is damaged"), opened_archive(path) as archive:
        if "take.json" in archive.namelist():
            raise InputError(f"{path} is a take, and no database of pressure: that is made of a folder of clips.")
        if "head.npy" in archive.namelist():
            raise InputError(f"{path} is pressure, and no database of it: that is made of a folder of clips.")
        head = read_head(archive, "database")
        if head["format"] > FORMAT:
            raise InputError(f"{path} is of a later Lope (database format {head['format']}): update Lope.")
        if head["format"] < FORMAT:
            raise InputError(f"{path} is of a former Lope, which knew motions by other numbers: index its clips again.")
        yield archive, head


def _read(archive: zipfile.ZipFile, row: int, head: dict[str, Any]) -> PressedMotion:
    poses, features, soles = (read_member(archive, f"{kind}_{row}") for kind in ("poses", "features", "sole_features"))
    planted, images = (read_member(archive, f"{kind}_{row}", "u") for kind in ("planted", "counts"))
    check_array(poses, "poses", (None, 3 + 4 * (1 + len(reference_body().joint_segments))))
    check_array(planted, "planted", (len(poses), 1))
    check_array(images, "counts", (None, None, None))
    for array, name in ((features, "features"), (soles, "sole_features")):
        check_array(array, name, (len(images), len(NAMES)))
    if not len(images) or len(poses) < PER_FRAME * (len(images) - 1) + 1:
        raise ValueError(f"its motion {row} has {len(poses)} poses and {len(images)} frames of pressure")
    quats = poses[:, 3:].astype(float).reshape(len(poses), -1, 4)
    norms = np.linalg.norm(quats, axis=-1, keepdims=True)
    if not (norms > LEAST_NORM).all():
        raise ValueError(f"its motion {row} has turns that are none")
    quats /= norms
    parts = np.unpackbits(planted, axis=1)[:, :4].astype(bool).reshape(-1, 2, 2)
    counts = Counts(images, float(head["count"]), dict(head["pressure"]))
    try:
        counts.check()
    except InputError as error:
        raise ValueError(str(error)) from error
    return PressedMotion(str(head["name"]), str(head["source"]), poses[:, :3].astype(float), quats[:, 0], quats[:, 1:], parts,
                         features, counts, soles, bool(head["quiet"]))


Told = TypeVar("Told")
SPANS_FORMAT = 2
LEAD_S = 1.0
"""Of the stance before and after a motion that is kept with it: what it begins out of tells much of it (first guess)."""
PAUSE_S = 2.5
"""Activity with a shorter pause between is one motion (first guess)."""
STILL = 1.5
"""A clip whose frames never leave its own stillest ones by more deviations than those of all clips' is quiet stance: one that
stands comes to 0.8 to 1.1, kicks and walks to 30 and more."""


@dataclass(frozen=True)
class Span:
    """A motion of a clip from `begin_s` to `end_s`, in a list in the clip's own time; what is `quiet` is only a stance."""

    name: str
    begin_s: float
    end_s: float
    quiet: bool = False


def found_spans(names: Sequence[str], features: Sequence[np.ndarray], rate_hz: float) -> list[list[Span]]:
    """The motions of each clip (T, F), called as it is; one that only moves slowly is a motion as a whole, one that only stands
    is quiet. Raises InputError where the pressure is too short to tell."""
    quiet = quiet_of(np.concatenate(features), rate_hz)
    found = []
    for name, frames in zip(names, features, strict=True):
        whole = round(len(frames) / rate_hz, 3)
        away = np.abs(frames - np.median(frames, axis=0)) / quiet.sigma
        if float(np.sqrt(np.mean(away**2, axis=1)).max()) < STILL:
            found.append([Span(name, 0.0, whole, True)])
            continue
        parts = _joined(active_spans(quiet.score(frames), rate_hz), len(frames), rate_hz) or [(0.0, whole)]
        found.append([Span(name if len(parts) == 1 else f"{name}-{i}", begin, end) for i, (begin, end) in enumerate(parts, 1)])
    return found


def _joined(spans: Sequence[tuple[int, int]], count: int, rate_hz: float) -> list[tuple[float, float]]:
    """Active frames as times, with what leads in and out, and without short pauses."""
    found: list[tuple[float, float]] = []
    for begin, end in spans:
        first, last = max(begin / rate_hz - LEAD_S, 0.0), min(end / rate_hz + LEAD_S, count / rate_hz)
        if found and first - found[-1][1] < PAUSE_S - 2.0 * LEAD_S:
            first = found.pop()[0]
        found.append((round(first, 3), round(last, 3)))
    return found


def write_spans(path: Path, spans: dict[str, list[Span]], starts_s: dict[str, float] | None = None) -> None:
    """Write the list of each clip's motions, a line a motion, and when in it measured pressure begins. Raises InputError."""
    lines = []
    for clip, motions in spans.items():
        rows = ",\n".join(f"   {json.dumps(asdict(one), ensure_ascii=False)}" for one in motions)
        lines.append(f"  {json.dumps(clip, ensure_ascii=False)}: [\n{rows}\n  ]")
    starts = f' "starts_s": {json.dumps(starts_s, ensure_ascii=False)},' if starts_s else ""
    write_whole(path, f'{{"format": {SPANS_FORMAT},{starts} "clips": {{\n' + ",\n".join(lines) + "\n}}\n", "list of motions")


@dataclass(frozen=True)
class Listed:
    """What a list of motions tells: those of each clip, and when in each its measured pressure begins [s]. One of a `former` Lope
    has is in the reference body's time: longer than a clip's by the root of its legs over the clip's."""

    spans: dict[str, list[Span]] = field(default_factory=dict)
    starts: dict[str, float] = field(default_factory=dict)
    former: bool = False

    def and_then(self, spans: dict[str, list[Span]]) -> dict[str, list[Span]]:
        """Motions of clips of which `spans` tells nothing, and then those."""
        return {**{clip: own for clip, own in self.spans.items() if clip not in spans}, **spans}


def read_list(path: Path) -> Listed:
    """A list of motions; an empty one where there is none. Raises InputError naming what is wrong."""
    if not path.is_file():
        return Listed()
    try:
        told = read_json(path, finite=False)
        if told["format"] > SPANS_FORMAT:
            raise InputError(f"{path} is of a later Lope (format {told['format']} of the list of motions): update Lope.")
        return Listed({str(clip): [_span(clip, row, path) for row in rows] for clip, rows in told["clips"].items()},
                      {str(clip): _number(start, f"starts_s of {clip} in {path}")
                       for clip, start in told.get("starts_s", {}).items()},
                      told["format"] < SPANS_FORMAT)
    except InputError:
        raise
    except DAMAGED as error:
        raise InputError(f"{path} is no list of motions, or it is damaged: {why(error)}.") from error


def _number(value: Any, called: str) -> float:
    """A number of a list. Raises InputError for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{called} must be a number [s], without quotes; got {json.dumps(value, ensure_ascii=False)}.")
    return float(value)


def _span(clip: str, row: Any, path: Path) -> Span:
    if not isinstance(row, dict):
        raise InputError(f"A motion of {clip} in {path} must have name, begin_s and end_s in braces; got "
                         f"{json.dumps(row, ensure_ascii=False)}.")
    unknown = sorted(set(row) - {"name", "begin_s", "end_s", "quiet"})
    if unknown:
        raise InputError(f"A motion of {clip} in {path} has {unknown[0]!r}, and may have name, begin_s, end_s and quiet.")
    lacks = [key for key in ("name", "begin_s", "end_s") if key not in row]
    if lacks:
        raise InputError(f"A motion of {clip} in {path} has no {lacks[0]}: it must have name, begin_s and end_s.")
    name, quiet = str(row["name"]), row.get("quiet", False)
    begin, end = (_number(row[key], f"{key} of the motion {name} of {clip} in {path}") for key in ("begin_s", "end_s"))
    if not isinstance(quiet, bool):
        raise InputError(f"quiet of the motion {name} of {clip} in {path} must be true or false, without quotes; got "
                         f"{json.dumps(quiet, ensure_ascii=False)}.")
    one = Span(name, begin, end, quiet)
    if not 0.0 <= one.begin_s < one.end_s:
        raise InputError(f"The motion {one.name} of {clip} in {path} is to go from {one.begin_s:g} s to {one.end_s:g} s: "
                         "it must begin at 0 or later and end after that.")
    return one
