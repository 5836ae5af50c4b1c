# SPDX-License-Identifier: GPL-3.0-or-later
"""The sets of muscles that ship, one JSON file each in `presets/muscles`, put on any human body. A file has the left side's
muscles on its reference body; the right side mirrors them exactly. As OpenSim scales models, each segment's points go with that
segment's own size: limbs with their length; feet with how far ahead of and below the ankle the toes are; the pelvis's with the
distance of the hips between them and with the pelvis's size outside of them; along the trunk with the height between its joints.
What belongs to a segment that a body lacks is put on the segment above it. Optimal fibre and tendon slack length grow as the
path's length in the neutral pose does (OpenSim's rule). A muscle's volume, force times fibre length, goes with the body's mass
times its height (Handsfield, Meyer, Hart, Abel and Blemker 2014, J. Biomechanics 47(3)); so strength over what a leg has to carry
stays what it is. Groups are by moment arms in the neutral pose, and one by anatomy alone. Shares of slow fibres are as Uchida et
al. 2016 (PLoS One 11:e0150378) gathered them, of Johnson et al. 1973 and Garrett et al. 1984 in the main."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from weakref import WeakKeyDictionary

import numpy as np

from ...checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ...errors import BodyError
from ...specs.settings import PRESETS, Checked, known_file, names_in, setting
from ...specs.settings import read_preset as read_file
from ..body import Body, kind_of
from ..human.body import KIND, Human
from ..muscle import SLOW_SHARE, STRESS_PA, Muscle, MuscleSet, PathPoint, Wrap
from .paths import PathKinematics

TRUNK = ("pelvis", "lower_spine", "chest", "neck", "head")
ABOVE = {"lower_spine": "pelvis", "chest": "lower_spine", "neck": "chest", "head": "neck", "clavicle": "chest",
         "upper_arm": "clavicle", "forearm": "upper_arm", "hand": "forearm", "thigh": "pelvis", "shank": "thigh", "foot": "shank",
         "toes": "foot"}
"""Kinds of segments, and what carries them."""


def joint_centres(body: Body) -> dict[str, np.ndarray]:
    """Where the joint of each segment is in the neutral pose (3,) [m], from the root's on."""
    centres: dict[str, np.ndarray] = {}
    for segment in body.segments:
        centres[segment.name] = np.zeros(3) if segment.parent is None else centres[segment.parent] + segment.offset
    return centres


def carrier(body: Body, segment: str) -> str:
    """The segment itself, or the nearest one above it that the body has."""
    while segment not in body.index:
        above = ABOVE[kind_of(segment)]
        segment = above if above in TRUNK else above + segment[-2:]
    return segment


@dataclass(frozen=True)
class Place:
    """What a point was mapped to: the body's `segment`, the point in its frame (3,) [m], and by how much lengths along the three
    axes grew there (3,)."""

    segment: str
    position: np.ndarray
    scale: np.ndarray


class Placing:
    """Maps points in the segments' frames of a reference human to those of another body; both as `Body`s in the neutral pose."""

    def __init__(self, reference: Body, body: Body) -> None:
        self.reference, self.body = reference, body
        self.reference_centres, self.centres = self._from, self._to = joint_centres(reference), joint_centres(body)
        self.leg = body.leg_length_m / reference.leg_length_m
        self.width = self._across("thigh") / self._across("thigh", reference)
        self.pelvis = float(np.sqrt(self.width * self.leg))
        """Of the pelvis ahead of and above the hips: between its breadth and the legs' length."""
        knots = [name for name in TRUNK if name in self._from and name in self._to]
        ends = [(c[knots[-1]] + b.segment(knots[-1]).tip) for c, b in ((self._from, reference), (self._to, body))]
        self._knots = np.array([*(self._from[n] for n in knots), ends[0]]), np.array([*(self._to[n] for n in knots), ends[1]])
        shoulders = self._across("upper_arm") / self._across("upper_arm", reference)
        neck = max(i for i, name in enumerate(knots) if name != "head")
        heights = [line[max(neck, 1), 2] for line in self._knots]
        self.trunk = float(np.sqrt(shoulders * heights[1] / heights[0]))
        """Of the trunk across: between the shoulders' breadth and its height."""

    def _across(self, kind: str, body: Body | None = None) -> float:
        """Half the distance between a pair of joints [m]."""
        centres = self._to if body is None else self._from
        return max(0.5 * float(centres[f"{kind}_L"][1] - centres[f"{kind}_R"][1]), 1e-3)

    def place(self, segment: str, position: np.ndarray) -> Place:
        """Where a point in the frame of the reference's `segment` is on the body."""
        kind = kind_of(segment)
        if kind == "pelvis":
            return self._pelvis(position)
        if kind in TRUNK:
            return self._spine(segment, position)
        if kind == "clavicle":  # its muscles are the shoulder blade's, which goes with the shoulder
            return self._about(segment, f"upper_arm{segment[-2:]}", position, np.full(3, self.trunk))
        if kind in ("foot", "toes"):
            return self._about(segment, segment if segment in self.body.index else f"foot{segment[-2:]}", position,
                               self._foot(segment[-2:]))
        length = self.leg
        if segment in self.body.index:
            length = self._length(self.body, segment) / self._length(self.reference, segment)
        return self._about(segment, segment, position, np.full(3, length))

    def _about(self, segment: str, joint: str, position: np.ndarray, scale: np.ndarray) -> Place:
        """A point scaled about a joint that both bodies have, on whatever carries its segment."""
        while joint not in self._to:
            joint = carrier(self.body, joint)
        on = carrier(self.body, segment)
        away = self._from[segment] + position - self._from[joint]
        return Place(on, self._to[joint] + scale * away - self._to[on], scale)

    def _length(self, body: Body, segment: str) -> float:
        return max(float(np.linalg.norm(body.segment(segment).tip)), 1e-3)

    def _pelvis(self, position: np.ndarray) -> Place:
        hip = self._across("thigh", self.reference)
        out = max(abs(position[1]) - hip, 0.0)
        y = np.sign(position[1]) * (min(abs(position[1]), hip) * self.width + out * self.pelvis)
        middle = 0.5 * (self._to["thigh_L"] + self._to["thigh_R"]) - 0.5 * (self._from["thigh_L"] + self._from["thigh_R"])
        place = np.array([self.pelvis * position[0] + middle[0], y, self.pelvis * position[2] + middle[2]])
        return Place("pelvis", place, np.array([self.pelvis, self.pelvis if out else self.width, self.pelvis]))

    def _spine(self, segment: str, position: np.ndarray) -> Place:
        """Along the line of the trunk's joints, which it is beside by as much as the trunk is larger."""
        one, other = self._knots
        point = self._from[segment] + position
        i = int(np.clip(np.searchsorted(one[:, 2], point[2]) - 1, 0, len(one) - 2))
        share = (point[2] - one[i, 2]) / max(one[i + 1, 2] - one[i, 2], 1e-3)
        off = point - (one[i] + share * (one[i + 1] - one[i]))
        on = carrier(self.body, segment)
        along = (other[i + 1, 2] - other[i, 2]) / max(one[i + 1, 2] - one[i, 2], 1e-3)
        place = other[i] + share * (other[i + 1] - other[i]) + self.trunk * off
        return Place(on, place - self._to[on], np.array([self.trunk, self.trunk, along]))

    def _foot(self, side: str) -> np.ndarray:
        """How much longer, wider and higher than the reference's a foot is: by its toe joint, by its end where it has none."""
        toes, foot = f"toes{side}", f"foot{side}"
        if toes in self.body.index:
            mine, theirs = self.body.segment(toes).offset, self.reference.segment(toes).offset
        else:
            mine, theirs = self.body.segment(foot).tip, self.reference.segment(foot).tip
        along = max(mine[0] / theirs[0], 0.1)
        down = max(mine[2] / theirs[2], 0.1)
        return np.array([along, along, down])


SHARES = {
    "gluteus": 0.55, "semimembranosus": 0.4925, "semitendinosus": 0.425, "biceps_femoris_long": 0.5425,
    "biceps_femoris_short": 0.529, "hamstrings": 0.487, "adductor_magnus": 0.552, "rectus_femoris": 0.3865,
    "vastus_medialis": 0.503, "vastus_intermedius": 0.543, "vastus_lateralis": 0.455, "vasti": 0.5,
    "gastrocnemius_medial": 0.566, "gastrocnemius_lateral": 0.507, "gastrocnemius": 0.537, "soleus": 0.803,
    "tibialis_posterior": 0.6, "flexor_digitorum": 0.6, "flexor_hallucis": 0.6, "tibialis_anterior": 0.7,
    "peroneus_tertius": 0.75, "peroneus": 0.6, "fibularis_tertius": 0.75, "fibularis": 0.6, "extensor_digitorum": 0.75,
    "extensor_hallucis": 0.75, "erector_spinae": 0.6, "internal_oblique": 0.56, "external_oblique": 0.58,
}
"""By how names begin, the longest that fits; of muscles in one piece the mean of their parts."""


def slow_share(name: str) -> float:
    """The share of a muscle's slow fibres by its name ("soleus_L", "gluteus_medius_anterior_R"); a half where none is known."""
    fitting = [stem for stem in SHARES if name == stem or name.startswith(f"{stem}_")]
    return SHARES[max(fitting, key=len)] if fitting else SLOW_SHARE


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
    return names_in(FOLDER)


@cache
def reference_set(name: str) -> Reference:
    """The set of that name on its reference body. Raises InputError listing the known ones, or naming the file's fault."""
    preset = read_file(known_file(FOLDER, "set of muscles", name), Preset, "set of muscles", newest=FORMAT)
    body = Human.from_landmarks(preset.landmarks, preset.mass_kg)
    muscles = MuscleSet(tuple(replace(muscle_from(entry, side), stress_pa=entry.stress_pa or preset.stress_pa)
                              for entry in preset.muscles for side in "LR"))
    return Reference(body, muscles, neutral_lengths(body, muscles))


_KNOWN: WeakKeyDictionary[Body, dict[str, MuscleSet]] = WeakKeyDictionary()
"""What was laid on a body already: engine and controller ask for the same set."""


def muscles_for(body: Body, name: str) -> MuscleSet:
    """The set of that name on the segments of a human body. Muscles that cross no joint of it are left out. Raises BodyError for
    a body that is no human, InputError for a set that is not there."""
    known = _KNOWN.setdefault(body, {})
    if name not in known:
        known[name] = _laid_on(body, name)
    return known[name]


def _laid_on(body: Body, name: str) -> MuscleSet:
    """The same, worked out."""
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
