# SPDX-License-Identifier: GPL-3.0-or-later
"""Read an armature of a Blender scene as a creature on two legs: its parts with their bones, masses, and what is wrong with
it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...bodies.creature.anatomy.find import find_creature
from ...bodies.creature.anatomy.parts import CreatureAnatomy, Fault
from ...bodies.creature.anatomy.shape import shape_of
from ...bodies.creature.anatomy.skin import Skin
from ...bodies.creature.anatomy.volume import room_in
from ...bodies.creature.findings import HEAVY_M, creature_findings
from ...bodies.creature.sizes import mass_of
from ...bodies.creature.standing import leg_length_m
from ...bodies.human.anatomy.skeleton import Skeleton
from ...errors import RigError
from ...specs.creature import Creature
from .armature import check_armature, metres_per_unit, rest_bones
from .creature_map import check_said, stored_said
from .creature_skin import Shell, shells
from .finding import ERROR, WARNING, Finding
from .recognise import Rest, skeleton_of
from .skin import skin_shares

MOST_M = 0.5 * HEAVY_M[1]
"""Mass over the leg's cube [kg/m^3] above which a creature is taken for hollow."""
HEIGHT_M = 0.2, 10.0
"""Least and most height [m] of a creature that can be simulated."""


@dataclass(frozen=True)
class CreatureRead:
    """What was read: the `creature`, None where there is none; `bones`, which bone begins which part that can be said
    (`creature_map.PLACES`); what is `said` of them; its height [m]; `findings`, the gravest first; and whether its masses
    are those of its meshes' room."""

    creature: Creature | None
    bones: Mapping[str, str]
    said: Mapping[str, str]
    height_m: float
    findings: tuple[Finding, ...]
    weighed: bool = False


def read_creature(armature: bpy.types.Object, scene: bpy.types.Scene | None = None, said: Mapping[str, str] | None = None,
                  height_m: float | None = None) -> CreatureRead:
    """The creature of an armature at rest, wherever it stands: its scale, rotation and parents count, its pose does not.

    `said` (part -> bone) goes before what is kept on the armature, which goes before structure. `height_m` is the height
    that it stands for; without, its own. Raises RigError when the object is no armature, is being edited, or is scaled
    unevenly.
    """
    check_armature(armature)
    bpy.context.view_layer.update()
    world = np.array(armature.matrix_world, dtype=float)
    _check_even(armature.name, world)
    names = [bone.name for bone in armature.data.bones]
    told = stored_said(armature) if said is None else check_said(said, names, armature.name)
    metres = metres_per_unit(scene or bpy.context.scene)
    bones = rest_bones(armature)
    if not bones:
        raise RigError(f"Armature {armature.name!r} has no bones; choose the armature of the creature.")
    world[:3] *= metres
    skeleton = skeleton_of(Rest(bones, world, skin_shares(armature) or _deforming(armature)))
    meshes = shells(armature, skeleton.names, metres)
    own = float(_top(skeleton.heads, meshes))
    if height_m is not None and own > 0.0:
        skeleton, meshes = _scaled(skeleton, meshes, height_m / own)
    skin = _skin(meshes)
    number = {name: i for i, name in enumerate(skeleton.names)}
    found = find_creature(skeleton, skin, {part: number.get(bone, -1) for part, bone in told.items()}, armature.name)
    tall = own if height_m is None else height_m
    findings = [*map(_finding, found.faults), *_of_size(armature.name, tall)]
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


def _check_even(name: str, world: np.ndarray) -> None:
    """Raises RigError for an armature that is scaled unevenly or mirrored."""
    linear = world[:3, :3]
    scale = float(np.cbrt(abs(np.linalg.det(linear))))
    if scale < 1e-9 or np.abs(linear.T @ linear - scale**2 * np.eye(3)).max() > 1e-3 * scale**2:
        raise RigError(f"Armature {name!r}, or a parent of it, is scaled unevenly; apply the scale (Ctrl+A) first.")
    if np.linalg.det(linear) < 0.0:
        raise RigError(f"Armature {name!r}, or a parent of it, is mirrored by a negative scale; apply the scale (Ctrl+A).")


def _top(heads: np.ndarray, meshes: list[Shell]) -> float:
    """How tall all is: of its skin, or of its bones."""
    places = np.concatenate([mesh.vertices[mesh.rows] for mesh in meshes]) if meshes else heads
    return float(np.ptp(places[:, 2]))


def _scaled(skeleton: Skeleton, meshes: list[Shell], factor: float) -> tuple[Skeleton, list[Shell]]:
    """Skeleton and meshes larger by a factor."""
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


def _finding(fault: Fault) -> Finding:
    return Finding(fault.key, ERROR if fault.stops else WARNING, fault.sentence)


def _of_size(name: str, tall: float) -> list[Finding]:
    low, high = HEIGHT_M
    if low <= tall <= high:
        return []
    return [Finding("size", ERROR, f"Armature {name!r} stands {tall:.3g} m tall, expected {low:g} to {high:g} m of a creature; "
                                   "scale the object to its real size, or give the height it stands for.")]


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
