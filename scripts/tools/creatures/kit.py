# SPDX-License-Identifier: GPL-3.0-or-later
"""What the drawings share: a leg folded in its plane, bones along joints, both sides of what is drawn on the left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lope.addon.maths.curves import smoothstep
from lope.addon.rigs.astronaut.mesh_kit import Cover, Patch, rigid, tube
from lope.addon.rigs.creatures.figure import Colour, Drawn, DrawnBone, Paint, mixed

Place = tuple[float, float, float]


@dataclass(frozen=True)
class PartOf:
    """What a bone truly is: its part's name and kind, the part that it hangs on, how thick; the bone that the part ends with, if
    that is another one; how far a foot's sole reaches back, and how wide it is [m]."""

    bone: str
    part: str
    kind: str
    parent: str | None
    radius_m: float
    ends_with: str | None = None
    heel_m: float | None = None
    width_m: float | None = None


@dataclass(frozen=True)
class Animal:
    """A drawing, and which of its bones truly are the parts of a creature; the others ride."""

    drawn: Drawn
    parts: Sequence[PartOf]


def at(x: float, y: float, z: float) -> Place:
    """A place as plain floats."""
    return float(x), float(y), float(z)


def folded(hip: Sequence[float], lengths: Sequence[float], degrees: Sequence[float]) -> list[Place]:
    """Joints of a leg from the hip down: each bone's length [m], and how far ahead of straight down it points [degrees]."""
    joints = [at(*hip)]
    for length, angle in zip(lengths, np.radians(degrees), strict=True):
        x, y, z = joints[-1]
        joints.append(at(x + length * np.sin(angle), y, z - length * np.cos(angle)))
    return joints


def along(names: Sequence[str], joints: Sequence[Sequence[float]], parent: str | None,
          z_axis: Place = (1.0, 0.0, 0.0)) -> list[DrawnBone]:
    """A chain of bones from joint to joint."""
    bones = []
    for name, head, tail in zip(names, joints[:-1], joints[1:], strict=True):
        bones.append(DrawnBone(name, at(*head), at(*tail), parent, z_axis))
        parent = name
    return bones


def row_of(start: Sequence[float], ends: Sequence[Sequence[float]], count: int) -> list[Place]:
    """Joints (count + 1) spaced evenly on straight lines from `start` through `ends`."""
    line = np.array([start, *ends], float)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    even = np.linspace(0.0, way[-1], count + 1)
    return [at(*(np.interp(s, way, line[:, k]) for k in range(3))) for s in even]


def both(bones: Iterable[DrawnBone]) -> list[DrawnBone]:
    """Bones of the left, and their mirror images: names that end on _L get one on _R."""
    bones = list(bones)
    return bones + [mirrored(bone) for bone in bones]


def mirrored(bone: DrawnBone) -> DrawnBone:
    """The bone on the other side."""
    return DrawnBone(_other(bone.name), *(at(x, -y, z) for x, y, z in (bone.head, bone.tail)),
                     None if bone.parent is None else _other(bone.parent), at(bone.z_axis[0], -bone.z_axis[1], bone.z_axis[2]))


def both_sides(patches: Iterable[Patch]) -> list[Patch]:
    """Patches of the left, and their mirror images."""
    patches = list(patches)
    return patches + [patch.mirrored() for patch in patches]


def parts_along(kind: str, parent: str | None, *rows: tuple[str, str, float]) -> list[PartOf]:
    """A chain of parts: bone, name and radius [m] of each, the first one hanging on `parent`."""
    found = []
    for bone, part, radius in rows:
        found.append(PartOf(bone, part, kind, parent, radius))
        parent = part
    return found


def sided(parts: Iterable[PartOf]) -> list[PartOf]:
    """Parts of the left, and those of the right."""
    parts = list(parts)
    return parts + [replace(p, bone=_other(p.bone), part=_other(p.part), parent=p.parent and _other(p.parent),
                            ends_with=p.ends_with and _other(p.ends_with)) for p in parts]


def renamed(animal: Animal, name_of: Callable[[str], str]) -> Animal:
    """The same with other bone names, as another artist would give them."""
    drawn = animal.drawn
    bones = [replace(b, name=name_of(b.name), parent=b.parent and name_of(b.parent)) for b in drawn.bones]
    patch = replace(drawn.patch, weights={name_of(name): w for name, w in drawn.patch.weights.items()})
    parts = [replace(p, bone=name_of(p.bone), ends_with=p.ends_with and name_of(p.ends_with)) for p in animal.parts]
    return Animal(replace(drawn, bones=bones, patch=patch), parts)


def _other(name: str) -> str:
    return name[:-2] + "_R" if name.endswith("_L") else name


def spike(base: Sequence[float], tip: Sequence[float], radius: float, bone: str, material: str, bow: float = 0.0,
          flat: float = 1.0) -> Patch:
    """A claw, tooth or beak from a base to a tip, bowed upwards by a share of its length; `flat` scales its width."""
    base, tip = np.asarray(base, float), np.asarray(tip, float)
    u = np.linspace(0.0, 1.0, 8)[:, None]
    path = base + u * (tip - base) + bow * np.linalg.norm(tip - base) * u * (1.0 - u) * 4.0 * np.array([0.0, 0.0, 1.0])
    thick = radius * np.sqrt(np.maximum(1.0 - u[:, 0], 0.02))
    return tube(path, thick, flat * thick,
                Cover(material, lambda p: rigid(p, bone), 12, reference=(0.1, 0.0, 1.0), caps=(True, True)))


def legs_in(paint: Paint, colour: Colour, below_m: float, fade_m: float) -> Paint:
    """The paint, but for what is lower than a height."""
    def painted(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return mixed(colour, paint(points, normals), smoothstep((points[:, 2] - below_m) / fade_m + 0.5))

    return painted
