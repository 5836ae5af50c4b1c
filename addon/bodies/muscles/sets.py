# SPDX-License-Identifier: GPL-3.0-or-later
"""The sets of muscles that ship, one JSON file each in `presets/muscles`, put on any human body.

A file has the left side's muscles on its reference body; the right side mirrors them exactly. Points go where `scaling` says;
optimal fibre and tendon slack length grow as the path's length in the neutral pose does (OpenSim's rule). A muscle's volume,
force times fibre length, goes with the body's mass times its height, as measured on people (Handsfield, Meyer, Hart, Abel and
Blemker 2014, J. Biomechanics 47(3)); so strength over what a leg has to carry stays what it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ...checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ...errors import BodyError
from ...specs.presets import PRESETS, known_file, names_in
from ...specs.presets import read_preset as read_file
from ...specs.settings import Checked, setting
from ..body import Body
from ..human.body import KIND, Human
from .muscle import STRESS_PA, Muscle, MuscleSet, PathPoint, Wrap
from .paths import PathKinematics
from .scaling import ABOVE, TRUNK, Placing
from .slow_twitch import slow_share

FORMAT = 1
FOLDER = PRESETS / "muscles"
SEGMENTS = ("pelvis", *ABOVE)
CLEAR = 0.95
"""Of the way to the nearest point beside it: a wrap's radius at most (first guess)."""
Path = tuple[PathPoint | Wrap, ...]
_VECTOR = Series(Number(-2.0, 2.0, "m"), 3)


@dataclass(frozen=True)
class PathPart(Checked):
    """A point of a path, or with `wrap` what it winds around: see `PathPoint` and `Wrap`. `segment` is a kind: "thigh"."""

    WHOSE, FIELD = "The path's", "path field"
    segment: str = setting(rule=Choice("segment", SEGMENTS))
    position: tuple[float, float, float] = setting(rule=_VECTOR)
    wrap: str | None = setting(None, rule=Maybe(Choice("wrap", ("cylinder", "sphere"))))
    radius_m: float | None = setting(None, rule=Maybe(Number(0.001, 0.3, "m")))
    axis: tuple[float, float, float] | None = setting(None, rule=Maybe(Series(Number(-1.0, 1.0), 3)))
    beside: tuple[float, float, float] | None = setting(None, rule=Maybe(_VECTOR))


@dataclass(frozen=True)
class MuscleEntry(Checked):
    """A left muscle of the reference body: see `Muscle`."""

    WHOSE, FIELD = "The muscle's", "muscle field"
    name: str = setting(rule=Text())
    groups: tuple[str, ...] = setting(rule=Series(Text()))
    max_force_n: float = setting(rule=Number(1.0, 20000.0, "N"))
    optimal_fibre_m: float = setting(rule=Number(0.005, 1.0, "m"))
    tendon_slack_m: float = setting(rule=Number(0.0, 1.0, "m"))
    path: tuple[PathPart, ...] = setting(rule=Series(Part(PathPart)))
    pennation_deg: float = setting(0.0, 0.0, 60.0, "degrees")
    max_velocity: float = setting(10.0, 1.0, 30.0, "l_opt/s")
    slow_share: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)))
    stress_pa: float | None = setting(None, rule=Maybe(Number(0.1e6, 1.5e6, "Pa")))
    give: float = setting(1.0, 1.0, 5.0)


@dataclass(frozen=True)
class Preset(Checked):
    """A set as its file has it: the reference body by its landmarks in the neutral pose and its mass, the left muscles, and the
    greatest stress with which the forces were found of those that have none of their own."""

    WHOSE, FIELD = "The set's", "field of the set"
    format: int = setting(rule=Whole(1, FORMAT))
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    source: str = setting(rule=Text())
    mass_kg: float = setting(rule=Number(10.0, 300.0, "kg"))
    landmarks: dict[str, tuple[float, float, float]] = setting(rule=Table(Series(Number(-3.0, 3.0, "m"), 3)))
    muscles: tuple[MuscleEntry, ...] = setting(rule=Series(Part(MuscleEntry)))
    stress_pa: float = setting(STRESS_PA, 0.1e6, 1.5e6, "Pa")


@dataclass(frozen=True)
class Reference:
    """A set on its own reference body, and the paths' lengths there in the neutral pose (M,) [m]."""

    body: Human
    muscles: MuscleSet
    length_m: np.ndarray


def set_names() -> list[str]:
    """Names of the sets there are."""
    return names_in(FOLDER)


@cache
def reference_set(name: str) -> Reference:
    """The set of that name on its reference body. Raises InputError listing the known ones, or naming the file's fault."""
    preset = read_file(known_file(FOLDER, "set of muscles", name), Preset, "set of muscles", newest=FORMAT)
    body = Human.from_landmarks(preset.landmarks, preset.mass_kg)
    muscles = MuscleSet(tuple(replace(muscle_from(entry, side), stress_pa=entry.stress_pa or preset.stress_pa)
                              for entry in preset.muscles for side in "LR"))
    return Reference(body, muscles, neutral_lengths(body, muscles))


def muscles_for(body: Body, name: str) -> MuscleSet:
    """The set of that name on the segments of a human body. Muscles that cross no joint of it are left out.

    Raises BodyError for a body that is no human, InputError for a set that is not there.
    """
    if body.kind != KIND:
        raise BodyError(f"Muscles are for humans, and this body is of kind {body.kind!r}: move it by torques.")
    reference = reference_set(name)
    placing = Placing(reference.body, body)
    kept, lengths = [], []
    for muscle, length in zip(reference.muscles, reference.length_m, strict=True):
        moved = replace(muscle, path=_outside(muscle.path, tuple(_moved(part, placing) for part in muscle.path), placing))
        if len({part.segment for part in moved.path}) > 1:
            kept.append(moved)
            lengths.append(length)
    growth = neutral_lengths(body, MuscleSet(tuple(kept))) / np.array(lengths)
    volume = body.bare_mass_kg / reference.body.bare_mass_kg * placing.leg
    return MuscleSet(tuple(_grown(muscle, float(g), volume) for muscle, g in zip(kept, growth, strict=True)))


def neutral_lengths(body: Body, muscles: MuscleSet) -> np.ndarray:
    """Lengths (M,) [m] of the paths in the neutral pose."""
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    return paths.length_m.copy()


def muscle_from(entry: MuscleEntry, side: str) -> Muscle:
    """A muscle of one side on the reference body."""
    return Muscle(f"{entry.name}_{side}", side, tuple(entry.groups), entry.max_force_n, entry.optimal_fibre_m,
                  entry.tendon_slack_m, math.radians(entry.pennation_deg), entry.max_velocity,
                  slow_share(entry.name) if entry.slow_share is None else entry.slow_share,
                  tuple(_parts(entry, side)), give=entry.give)


def _parts(entry: MuscleEntry, side: str) -> Iterator[PathPoint | Wrap]:
    mirror = np.array([1.0, 1.0 if side == "L" else -1.0, 1.0])
    for part in entry.path:
        segment = part.segment if part.segment in TRUNK else f"{part.segment}_{side}"
        position = _vector(mirror * part.position)
        if part.wrap is None:
            yield PathPoint(segment, position)
        else:
            yield Wrap(segment, part.wrap, position, part.radius_m or 0.0, _vector(mirror * (part.axis or (0.0, 1.0, 0.0))),
                       beside=None if part.beside is None else _vector(mirror * part.beside))


def _moved(part: PathPoint | Wrap, placing: Placing) -> PathPoint | Wrap:
    """A part of a path on the other body. A wrap's radius grows as what is across its axis does."""
    place = placing.place(part.segment, np.array(part.position))
    if isinstance(part, PathPoint):
        return PathPoint(place.segment, _vector(place.position))
    growth = float(np.exp(np.log(place.scale).mean()))
    if part.kind == "cylinder":
        across = 1.0 - np.square(part.axis)
        growth = float(np.exp(across @ np.log(place.scale) / across.sum()))
    beside = None if part.beside is None else _vector(placing.place(part.segment, np.array(part.beside)).position)
    return replace(part, segment=place.segment, position=_vector(place.position), radius_m=part.radius_m * growth, beside=beside)


def _outside(path: Path, moved: Path, placing: Placing) -> Path:
    """The moved path with wraps so thin that the points beside them stay outside, as they are on the reference: around what
    a point is in, MuJoCo does not wrap, and the path would jump as the point goes in."""
    parts = list(moved)
    for i, (part, was) in enumerate(zip(moved, path, strict=True)):
        if isinstance(part, Wrap) and isinstance(was, Wrap):
            sides = [j for j in (i - 1, i + 1) if _distance(was, path[j], placing.reference_centres) > was.radius_m]
            reach = [CLEAR * _distance(part, moved[j], placing.centres) for j in sides]
            parts[i] = replace(part, radius_m=min([part.radius_m, *reach]))
    return tuple(parts)


def _distance(wrap: Wrap, point: PathPoint | Wrap, centres: Mapping[str, np.ndarray]) -> float:
    """From a wrap's middle or axis to a point in the neutral pose [m]."""
    away = centres[point.segment] + point.position - centres[wrap.segment] - np.array(wrap.position)
    if wrap.kind == "cylinder":
        axis = np.array(wrap.axis) / np.linalg.norm(wrap.axis)
        away = away - (away @ axis) * axis
    return float(np.linalg.norm(away))


def _grown(muscle: Muscle, growth: float, volume: float) -> Muscle:
    return replace(muscle, optimal_fibre_m=muscle.optimal_fibre_m * growth, tendon_slack_m=muscle.tendon_slack_m * growth,
                   max_force_n=muscle.max_force_n * volume / growth)


def _vector(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in values)
    return x, y, z
