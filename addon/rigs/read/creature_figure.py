# SPDX-License-Identifier: GPL-3.0-or-later
"""A rig that is a creature: where its drawn shape lies in the armature, by the bones that its parts are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ...bodies.body import Body
from ...bodies.creature.body import make_creature
from ...errors import RigError
from ...specs.creature import Creature
from .armature import check_armature, metres_per_unit, rest_bones
from .figure import Figure, RestBone
from .rest_pose import similarity

FAMILY = "creature"
_OFF = 0.02
"""Of the leg: bones that rest farther than this from where the shape has them are another creature's."""
_UPRIGHT = np.cos(np.radians(10.0))


@dataclass(frozen=True, kw_only=True)
class CreatureFigure(Figure):
    """A rig that walks as a creature; `creature` is its shape at its own size [m]. `landmarks` are its parts' joints, `bone_of`
    the bones of those parts that have one, `origin` and `ground` the place under the drawn shape's origin."""

    creature: Creature

    @property
    def hips(self) -> str:
        """The part that all others hang on."""
        return self.creature.parts[0].name

    @cached_property
    def hung_on(self) -> Mapping[str, str | None]:
        """Part -> the part that it hangs on."""
        return {part.name: part.parent for part in self.creature.parts}

    @property
    def has_hands(self) -> bool:
        """See `Figure`: what ends a creature's arm is no hand."""
        return False

    @cached_property
    def alignments(self) -> dict[str, np.ndarray]:
        """None turns: the drawn pose is the neutral one."""
        return {part.name: np.eye(3) for part in self.creature.parts}

    def joint(self, segment: str) -> np.ndarray:
        """A part's joint at rest (3,) [m] in the creature's frame."""
        return self.points[segment]

    def limb_of(self, segment: str) -> tuple[str, str] | None:
        """The leg or arm that a part belongs to, and its side."""
        part = self.creature.part(segment)
        return (part.kind, part.side) if part.kind in ("leg", "arm") else None

    def is_end(self, segment: str) -> bool:
        """Whether no other part hangs on that one."""
        return not self.creature.children(segment)

    def own_body(self, mass_kg: float) -> Body:
        """The body of the shape; it has its own mass."""
        return make_creature(self.creature)

    @property
    def height_m(self) -> float:
        """How high the highest part reaches over the ground."""
        return max(max(part.joint_m[2], part.tip_m[2]) + part.radius_m for part in self.creature.parts)

    @property
    def reach_m(self) -> tuple[float, float]:
        """From the tail's end to the head's."""
        ends = [end[0] for part in self.creature.parts for end in (part.joint_m, part.tip_m)]
        return min(ends), max(ends)

    @property
    def leg_length_m(self) -> float:
        """From the hip to the foot's joint along the leg."""
        return self.own_body(0.0).leg_length_m


def creature_figure(armature: bpy.types.Object, creature: Creature, scene: bpy.types.Scene | None = None) -> CreatureFigure:
    """The figure of an armature whose bones are the parts of a shape, wherever it stands and however large it is. A part that
    names no bone is the bone of its own name. Raises RigError where they are not there, or rest otherwise than drawn."""
    check_armature(armature)
    bpy.context.view_layer.update()
    to_world = np.array(armature.matrix_world, dtype=float)
    to_world[:3] *= metres_per_unit(scene or bpy.context.scene)
    return placed(armature.name, creature, rest_bones(armature), to_world)


def placed(name: str, creature: Creature, bones: tuple[RestBone, ...], to_world: np.ndarray) -> CreatureFigure:
    """The same of bones at rest; `to_world` (4, 4) takes armature space to world metres."""
    turn, units_per_m = similarity(name, to_world)
    bone = {one.name: one for one in bones}
    name_of = {part.name: part.bone or part.name for part in creature.parts}
    for leg in creature.legs:
        for part in leg:
            if name_of[part.name] not in bone:
                raise RigError(f"Armature {name!r} has no bone {name_of[part.name]!r}, which is the part {part.name} of the "
                               f"creature {creature.name}; choose the armature that it was read from, or read the creature from "
                               "this one.")
    legs = [part for leg in creature.legs for part in leg]
    drawn = np.array([part.joint_m for part in legs], dtype=float)
    heads = np.array([bone[name_of[part.name]].head for part in legs])
    axes, scale, origin = fitted(drawn, heads)
    off = np.linalg.norm(origin + scale * drawn @ axes.T - heads, axis=1) / scale
    worst = int(off.argmax())
    if off[worst] > _OFF * float(np.ptp(drawn[:, 2])):
        raise RigError(f"Bone {name_of[legs[worst].name]!r} of armature {name!r} rests {off[worst]:.2g} m from where the "
                       f"creature {creature.name} is drawn to have it; read the creature from this armature anew.")
    if (turn @ axes)[2, 2] < _UPRIGHT:
        raise RigError(f"Armature {name!r} does not stand as the creature {creature.name} is drawn, with the world's z up; turn "
                       "the armature object upright.")
    own = resized(creature, scale / units_per_m)
    parts = {part: one for part, one in name_of.items() if one in bone}
    return CreatureFigure(name, FAMILY, bones, parts, {part.name: part.joint_m for part in own.parts}, axes, units_per_m, origin,
                          origin, _root(bone, parts[own.parts[0].name]) if own.parts[0].name in parts else None,
                          label=creature.name, creature=own)


def fitted(drawn: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """Rotation (3, 3), scale and shift (3,) that bring points (N, 3) to others, by least squares (Umeyama, 1991)."""
    a, b = drawn - drawn.mean(axis=0), heads - heads.mean(axis=0)
    u, stretch, vt = np.linalg.svd(b.T @ a)
    signs = np.array([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
    turn = (u * signs) @ vt
    scale = float((stretch * signs).sum() / (a**2).sum())
    return turn, scale, heads.mean(axis=0) - scale * turn @ drawn.mean(axis=0)


def resized(creature: Creature, scale: float) -> Creature:
    """A shape that is so many times as large, of the same stuff; the same one where that is no change."""
    if abs(scale - 1.0) < 1e-4:
        return creature
    return replace(creature, parts=tuple(replace(
        part, joint_m=_times(part.joint_m, scale), tip_m=_times(part.tip_m, scale), radius_m=part.radius_m * scale,
        mass_kg=None if part.mass_kg is None else part.mass_kg * scale**3,
        heel_m=None if part.heel_m is None else part.heel_m * scale,
        width_m=None if part.width_m is None else part.width_m * scale) for part in creature.parts))


def _times(place: tuple[float, float, float], scale: float) -> tuple[float, float, float]:
    return place[0] * scale, place[1] * scale, place[2] * scale


def _root(bone: Mapping[str, RestBone], hips: str) -> str | None:
    """The topmost bone over the hips; None where nothing is over them."""
    above = bone[hips].parent
    while above is not None and bone[above].parent is not None:
        above = bone[above].parent
    return above
