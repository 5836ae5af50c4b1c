# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature of a Blender scene as a creature on two legs: read by structure, by what the artist says of its bones (part -> the
bone at which it begins, "" for a part that it has not) and by its skin; or placed as a shape that is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ...bodies.body import Body
from ...bodies.creature.anatomy.find import find_creature
from ...bodies.creature.anatomy.parts import CreatureAnatomy, Skin
from ...bodies.creature.anatomy.shape import room_in, shape_of
from ...bodies.creature.body import make_creature
from ...bodies.creature.feet import leg_length_m, mass_of
from ...bodies.creature.findings import HEAVY_M, creature_findings
from ...bodies.human.anatomy.skeleton import Skeleton
from ...errors import RigError, unknown_name
from ...specs.creature import Creature
from .armature import LOOKED_AT, check_armature, match_of, meshes_of, metres_per_unit, rest_bones, skin_shares, world_places
from .detect import Rest, skeleton_of
from .doctor import ERROR, WARNING, Finding
from .figure import Figure, RestBone, bones_above
from .maps import PLACES
from .own_map import KeptMap
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
        return self.creature.parts[0].name

    @cached_property
    def hung_on(self) -> Mapping[str, str | None]:
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
        part = self.creature.part(segment)
        return (part.kind, part.side) if part.kind in ("leg", "arm") else None

    def is_end(self, segment: str) -> bool:
        return not self.creature.children(segment)

    def own_body(self, mass_kg: float) -> Body:
        return make_creature(self.creature)

    @property
    def height_m(self) -> float:
        return max(max(part.joint_m[2], part.tip_m[2]) + part.radius_m for part in self.creature.parts)

    @property
    def reach_m(self) -> tuple[float, float]:
        ends = [end[0] for part in self.creature.parts for end in (part.joint_m, part.tip_m)]
        return min(ends), max(ends)

    @property
    def leg_length_m(self) -> float:
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
    return next((above for above in bones_above(bone, hips) if bone[above].parent is None), None)


CREATURE_MAP = KeptMap("creature map")
save_said, load_said = CREATURE_MAP.save, CREATURE_MAP.load

MAY_LACK = ("neck", "head", "tail", "arm_L", "arm_R")


def check_said(bones: Mapping[str, str], names: Iterable[str], rig: str) -> dict[str, str]:
    """What is said of a rig's bones. Raises RigError, or InputError for a part that there is not."""
    known = set(names)
    for part, bone in bones.items():
        if part not in PLACES:
            raise unknown_name("part of a creature", part, PLACES)
        if not bone and part not in MAY_LACK:
            raise RigError(f"The creature map for {rig!r} says that there is no {part}: no creature walks without; name its "
                           "bone.")
        if bone and bone not in known:
            raise RigError(f"The creature map for {rig!r} names the bone {bone!r} for {part}, which the armature does not "
                           "have.")
    taken = [bone for bone in bones.values() if bone]
    twice = sorted({bone for bone in taken if taken.count(bone) > 1})
    if twice:
        raise RigError(f"The creature map for {rig!r} gives two parts the same bone: {', '.join(twice)}.")
    return dict(bones)


def store_said(armature: bpy.types.Object, bones: Mapping[str, str]) -> None:
    """Keep what is said on the armature, in the file. Raises RigError for what does not fit it."""
    CREATURE_MAP.check_writable(armature)
    CREATURE_MAP.keep(armature, check_said(bones, [bone.name for bone in armature.data.bones], armature.name))


def stored_said(armature: bpy.types.Object) -> dict[str, str]:
    """What is kept on the armature, empty where nothing is. Raises RigError for what is damaged or names bones that are gone."""
    said = CREATURE_MAP.kept(armature)
    return {} if said is None else check_said(said, [bone.name for bone in armature.data.bones], armature.name)


def forget_said(armature: bpy.types.Object) -> None:
    """Take away what is said; all is found by structure again. Raises RigError where that cannot be."""
    CREATURE_MAP.check_writable(armature)
    CREATURE_MAP.forget(armature)


@dataclass(frozen=True)
class Shell:
    """One mesh at rest: vertices (V, 3) [m] in the world, triangles (T, 3), and of the vertices `rows` that were looked at
    the bone `owners` that moves each most, by its number."""

    vertices: np.ndarray
    triangles: np.ndarray
    rows: np.ndarray
    owners: np.ndarray


def shells(armature: bpy.types.Object, bones: Sequence[str], metres: float) -> list[Shell]:
    """Every mesh that an armature moves; `bones` are the names of its bones in the order of their numbers."""
    number = {name: i for i, name in enumerate(bones)}
    found = []
    for mesh, to_world, bone in meshes_of(armature):
        data = mesh.data
        world = world_places(mesh, to_world)
        data.calc_loop_triangles()
        triangles = np.empty(3 * len(data.loop_triangles), dtype=np.int32)
        data.loop_triangles.foreach_get("vertices", triangles)
        rows, owners = _owners(mesh, number) if bone is None else (np.arange(len(world)), np.full(len(world), number[bone]))
        if len(rows):
            found.append(Shell(metres * world, triangles.reshape(-1, 3), rows, owners))
    return found


def _owners(mesh: bpy.types.Object, number: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Vertices that bones move, and the bone that moves each most."""
    groups = {group.index: number[group.name] for group in mesh.vertex_groups if group.name in number}
    vertices = mesh.data.vertices
    rows, owners = [], []
    for i in range(0, len(vertices), max(1, len(vertices) // LOOKED_AT)):
        best = max(((entry.weight, entry.group) for entry in vertices[i].groups if entry.group in groups), default=(0.0, -1))
        if best[0] > 0.0:
            rows.append(i)
            owners.append(groups[best[1]])
    return np.array(rows, dtype=int), np.array(owners, dtype=int)


MOST_M = 0.5 * HEAVY_M[1]
"""Mass over the leg's cube [kg/m^3] above which a creature is taken for hollow."""
HEIGHT_M = 0.2, 10.0
"""Least and most height [m] of a creature that can be simulated."""


@dataclass(frozen=True)
class CreatureRead:
    """The `creature` or None; `bones`, which begins which part (`maps.PLACES`); what is `said` of them; its height [m];
    `findings`, the gravest first; and whether its masses are those of its meshes' room."""

    creature: Creature | None
    bones: Mapping[str, str]
    said: Mapping[str, str]
    height_m: float
    findings: tuple[Finding, ...]
    weighed: bool = False


def read_creature(armature: bpy.types.Object, scene: bpy.types.Scene | None = None, said: Mapping[str, str] | None = None,
                  height_m: float | None = None) -> CreatureRead:
    """The creature of an armature at rest, as `read_figure` has it. `said` (part -> bone) goes before what is kept, that before
    structure; `height_m` is what it stands for (default: its own). Raises RigError, also for uneven scale."""
    check_armature(armature)
    bpy.context.view_layer.update()
    world = np.array(armature.matrix_world, dtype=float)
    similarity(armature.name, world)  # refuses uneven scale
    names = [bone.name for bone in armature.data.bones]
    told = stored_said(armature) if said is None else check_said(said, names, armature.name)
    metres = metres_per_unit(scene or bpy.context.scene)
    bones = rest_bones(armature)
    if not bones:
        raise RigError(f"Armature {armature.name!r} has no bones; choose the armature of the creature.")
    world[:3] *= metres
    skeleton = skeleton_of(Rest(bones, world, skin_shares(armature) or _deforming(armature)))
    meshes = shells(armature, skeleton.names, metres)
    places = np.concatenate([mesh.vertices[mesh.rows] for mesh in meshes]) if meshes else skeleton.heads
    own = float(np.ptp(places[:, 2]))
    if height_m is not None and own > 0.0:
        skeleton, meshes = _scaled(skeleton, meshes, height_m / own)
    skin = _skin(meshes)
    number = {name: i for i, name in enumerate(skeleton.names)}
    found = find_creature(skeleton, skin, {part: number.get(bone, -1) for part, bone in told.items()}, armature.name)
    tall = own if height_m is None else height_m
    findings = [Finding(fault.key, ERROR if fault.stops else WARNING, fault.sentence) for fault in found.faults]
    findings += [*_of_size(armature.name, tall)]
    if found.creature is None or any(finding.key == "size" for finding in findings):
        bones_told = {} if found.creature is None else _begins(skeleton.names, found.creature)
        return CreatureRead(None, bones_told, told, tall, tuple(findings))
    room = None if skin is None else room_in([(mesh.vertices, mesh.triangles) for mesh in meshes], skin)
    creature = shape_of(armature.name, skeleton, found.creature, skin, room)
    if len(creature.legs) == 2:
        creature, hollow = _not_too_heavy(creature)
        findings += hollow
    if not any(finding.severity == ERROR for finding in findings):
        findings += [Finding("shape", ERROR, sentence) for sentence in creature_findings(creature)]
    if room is None and meshes:
        findings.append(Finding("not_closed", WARNING, f"The meshes of armature {armature.name!r} are not closed, so its "
                                                       "masses are those of capsules as thick as its skin."))
    findings.sort(key=lambda finding: finding.severity != ERROR)
    return CreatureRead(creature, _begins(skeleton.names, found.creature), told, tall, tuple(findings), room is not None)


def _scaled(skeleton: Skeleton, meshes: list[Shell], factor: float) -> tuple[Skeleton, list[Shell]]:
    bigger = replace(skeleton, heads=factor * skeleton.heads, tails=factor * skeleton.tails)
    return bigger, [replace(mesh, vertices=factor * mesh.vertices) for mesh in meshes]


def _deforming(armature: bpy.types.Object) -> dict[str, float] | None:
    """Where no mesh is bound: which bones are meant to move skin; None where that tells them not apart."""
    found = {bone.name: 1.0 for bone in armature.data.bones if bone.use_deform}
    return found if found and len(found) < len(armature.data.bones) else None


def _skin(meshes: list[Shell]) -> Skin | None:
    if not meshes:
        return None
    return Skin(np.concatenate([mesh.vertices[mesh.rows] for mesh in meshes]), np.concatenate([mesh.owners for mesh in meshes]))


def _of_size(name: str, tall: float) -> list[Finding]:
    low, high = HEIGHT_M
    if low <= tall <= high:
        return []
    return [Finding("size", ERROR, f"Armature {name!r} stands {tall:.3g} m tall, expected {low:g} to {high:g} m of a creature; "
                                   "scale the object to its real size, or give the height it stands for (--height on the command "
                                   "line).")]


def _not_too_heavy(creature: Creature) -> tuple[Creature, list[Finding]]:
    """The creature, lighter in all its parts where its legs could not be of flesh: comic figures have heads as large as bodies.
    What it does is the same at any mass, as long as the parts' shares are."""
    masses = [mass_of(part) for part in creature.parts]
    most = MOST_M * leg_length_m(creature) ** 3
    if sum(masses) <= most:
        return creature, []
    share = most / sum(masses)
    parts = tuple(replace(part, mass_kg=float(f"{share * mass:.4g}")) for part, mass in zip(creature.parts, masses, strict=True))
    return replace(creature, parts=parts), [Finding(
        "hollow", WARNING, f"Armature {creature.name!r} would weigh {sum(masses):.3g} kg as dense as water, on legs of "
        f"{leg_length_m(creature):.2f} m: it is taken for hollow, {most:.3g} kg in all.")]


def _begins(names: tuple[str, ...], found: CreatureAnatomy) -> dict[str, str]:
    """Which bone begins which part, of those that can be said."""
    told = {"trunk": found.trunk}
    for side, leg in found.legs.items():
        told[f"leg_{side}"] = leg.joints[0]
        if leg.has_foot:
            told[f"foot_{side}"] = leg.joints[-1]
    for part, chain in (("neck", found.neck), ("head", found.head), ("tail", found.tail)):
        if chain is not None:
            told[part] = chain.joints[0]
    told |= {f"arm_{side}": chains[0].joints[0] for side, chains in found.arms.items() if chains}
    return {part: names[joint] for part, joint in told.items() if joint >= 0}


def leg_bones(armature: bpy.types.Object) -> tuple[tuple[str, ...], ...]:
    """The bones of both legs of an armature read as a creature, from the hip down; none without two. Raises RigError."""
    check_armature(armature)
    skeleton = skeleton_of(Rest(rest_bones(armature), np.array(armature.matrix_world, dtype=float), skin_shares(armature)))
    found = find_creature(skeleton, None, {}, armature.name).creature
    return () if found is None else tuple(
        tuple(skeleton.names[joint] for joint in leg.joints if joint >= 0) for leg in found.legs.values())


def drawn_as_creature(armature: bpy.types.Object) -> bool:
    """Whether an armature has two legs and is no person's: none is found in its bones, or one whose thighs are not the first
    bones of its legs, as where a bird's shanks are taken for them."""
    try:
        legs = leg_bones(armature)
    except RigError:
        return False
    try:
        person = match_of(armature).bone_of
    except RigError:
        return bool(legs)
    return any(leg[0] not in (person.get("thigh_L"), person.get("thigh_R")) for leg in legs)
