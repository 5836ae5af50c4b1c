# SPDX-License-Identifier: GPL-3.0-or-later
"""What hangs on a rig: chains of bones that no part of the map moves (hoses, straps, antennas, capes, hair, tails), and the body
that they lie on as capsules, both at rest. A chain is found by how it hangs, never by its name: two bones or more that turn with
what carries them, that move skin, and whose end lies outside of the body. What a VRM file calls a spring bone hangs in any
case."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import RigError
from .actions import animation_of
from .armature import match_of, meshes_of, rest_bones, skin_shares
from .detect import Match
from .figure import PARENTS, Figure, RestBone, bones_above

HANGS_KEY = "lope_hangs"
"""Property of a bone: whether it hangs, for those that are not found by themselves or are found and should not."""
END_KEY = "lope_end_on"
"""Property of a chain's last bone: name of the bone that holds its end."""
SPRING_KEY = "lope_spring"
"""Property of a bone: stiffness, drag, gravity and radius [m] of the VRM spring bone that it is, four numbers."""
TOUCHES = 1e-3
"""A chain ends on a bone whose joint lies no farther from its end than this share of the chain."""
MOST_BONES = 40
"""Longer chains are cut there: nobody skins so many by hand, and a step takes the third power of them."""
AT_WRIST = 0.6
"""Fingers begin nearer to the hand than this share of the forearm."""
TRUNK, FLAT = ("pelvis", "lower_spine", "chest", "trunk"), 1.3
"""A part of the trunk that is so much wider than deep is three capsules side by side."""
FEWEST = 12
"""Vertices that tell how thick a part of the body is; one with fewer is as thick as its bone is long, times this."""
THICK_OF_LENGTH = {"chest": 0.5, "pelvis": 0.5, "lower_spine": 0.5, "head": 0.4, "neck": 0.3}
THIN = 0.16
_ENDS = ("hand", "foot", "toes")


@dataclass(frozen=True)
class Hanging:
    """A chain: its bones from the body on, the bone that carries it, the one that holds its end or None, and of each bone what a
    VRM file says of it, (stiffness, drag, gravity, radius [m]), or None."""

    bones: tuple[RestBone, ...]
    carrier: str
    end_on: str | None
    springs: tuple[tuple[float, float, float, float] | None, ...]

    @property
    def joints(self) -> np.ndarray:
        """Joints and end (n + 1, 3) at rest, armature space."""
        return np.array([*(bone.head for bone in self.bones), self.bones[-1].tail])


@dataclass(frozen=True)
class Capsules:
    """The body at rest: `bones` that carry each capsule, `heads`, `tails` (K, 3) and `radii` (K,), armature space."""

    bones: tuple[str, ...]
    heads: np.ndarray
    tails: np.ndarray
    radii: np.ndarray

    def distances(self, points: np.ndarray) -> np.ndarray:
        """Distances (..., K) of points (..., 3) from the capsules' lines."""
        along = self.tails - self.heads
        away = points[..., None, :] - self.heads
        share = np.clip(np.sum(away * along, -1) / np.maximum(np.sum(along**2, -1), 1e-12), 0.0, 1.0)
        return np.linalg.norm(away - share[..., None] * along, axis=-1)


def hanging_of(armature: bpy.types.Object, figure: Figure) -> tuple[list[Hanging], Capsules]:
    """The chains that hang on an armature, those first that carry others, and its body; `figure`: what it is. Raises RigError."""
    bones = {bone.name: bone for bone in rest_bones(armature)}
    match = _match(armature, figure)
    joint_of = dict(figure.bone_of if match is None else match.joint_of)
    used = _used(match, joint_of, bones)
    loose = _loose(armature, bones, used)
    if not loose:
        return [], Capsules((), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))
    body = _body(armature, bones, joint_of, loose)
    skin = skin_shares(armature)
    springs = {bone.name: tuple(bone[SPRING_KEY]) for bone in armature.data.bones if SPRING_KEY in bone} | _of_add_on(armature)
    marked = {bone.name: bool(bone[HANGS_KEY]) for bone in armature.data.bones if HANGS_KEY in bone}
    found = [(tuple(bones[name] for name in line), carrier) for line, carrier in _lines(bones, loose)
             if any(name in springs or marked.get(name) for name in line) or _swings(line, bones, skin, body, bool(springs))]
    swinging = {bone.name for chain, _ in found for bone in chain}
    fixed = [bone for bone in bones.values() if bone.name not in swinging]
    return [Hanging(chain, carrier, _end_on(armature, chain, carrier, fixed), tuple(springs.get(bone.name) for bone in chain))
            for chain, carrier in found], body


def _match(armature: bpy.types.Object, figure: Figure) -> Match | None:
    """Which bones are which; None of a creature, and of a rig known only by a map that was given, which its figure holds."""
    try:
        return match_of(armature) if figure.has_hands else None
    except RigError:
        return None


def _used(match: Match | None, joint_of: Mapping[str, str], bones: Mapping[str, RestBone]) -> set[str]:
    """Bones that the body's motion moves, those above them, and all below hands and feet."""
    moved = set(joint_of.values())
    if match is not None:
        moved |= {*match.bone_of.values(), *match.skin_of.values()} | ({match.root} - {None})
        if match.controls is not None:
            moved |= set(match.controls.ik.values()) | set(match.controls.helpers)
    ends = {name for segment, name in joint_of.items() if segment.split("_")[0] in _ENDS or
            (segment.startswith("forearm") and segment.replace("forearm", "hand") not in joint_of)}
    ends |= {name for side in SIDES for name in _fingers(bones, joint_of.get(f"forearm_{side}"), joint_of.get(f"hand_{side}"))}
    below = ends | {name for name in bones if not ends.isdisjoint(bones_above(bones, name))}
    return moved | below | {above for name in moved if name in bones for above in bones_above(bones, name)}


def _fingers(bones: Mapping[str, RestBone], forearm: str | None, hand: str | None) -> Iterator[str]:
    """Bones on a forearm that begin at the wrist and lead on: some rigs have fingers there, and a finger for a hand."""
    if forearm not in bones or hand not in bones:
        return
    way = bones[hand].head - bones[forearm].head
    length = float(np.linalg.norm(way))
    for bone in bones.values():
        along = bone.tail - bone.head
        if bone.parent == forearm and np.linalg.norm(bone.head - bones[hand].head) < AT_WRIST * length and (
                along @ way > 0.0):
            yield bone.name


def _loose(armature: bpy.types.Object, bones: Mapping[str, RestBone], used: set[str]) -> set[str]:
    """Bones that could hang: nothing moves them, they turn with what carries them, and all the way up to the body is like
    that."""
    driven = [driver.data_path for driver in animation_of(armature).drivers if not driver.mute]
    held = {bone.name for bone in armature.pose.bones if any(not one.mute for one in bone.constraints)
            or any(path.startswith(bone.path_from_id() + ".") for path in driven)}
    held |= {bone.name for bone in armature.data.bones if HANGS_KEY in bone and not bone[HANGS_KEY]}
    loose: set[str] = set()
    for name, bone in bones.items():  # parents first
        if name not in used and name not in held and bone.inherits_rotation and bone.parent is not None and (
                bone.parent in used or bone.parent in loose):
            loose.add(name)
    return loose


def _lines(bones: Mapping[str, RestBone], loose: set[str]) -> Iterator[tuple[list[str], str]]:
    """Lines of loose bones, each with its carrier, carriers first. One that branches at its start only holds the others."""
    below: dict[str, list[str]] = {}
    for name in bones:
        if name in loose:
            below.setdefault(bones[name].parent, []).append(name)
    deep: dict[str, int] = {}
    for name in reversed(list(bones)):
        deep[name] = 1 + max((deep[one] for one in below.get(name, ())), default=0)
    waiting = [name for name in bones if name in loose and bones[name].parent not in loose]
    while waiting:
        name = waiting.pop(0)
        children = below.get(name, [])
        if len(children) > 1:
            waiting += children
            continue
        line = [name]
        while children and len(line) < MOST_BONES:
            on = max(children, key=lambda one: deep[one])
            waiting += [one for one in children if one != on]
            line.append(on)
            children = below.get(on, [])
        yield line, bones[name].parent


def _swings(line: list[str], bones: Mapping[str, RestBone], skin: Mapping[str, float] | None, body: Capsules, told: bool) -> bool:
    """Whether a line of loose bones hangs, of which nobody says so; where a file tells which do, the others do not."""
    if told or len(line) < 2 or (skin is not None and sum(name in skin for name in line) < 0.5 * len(line)):
        return False
    return bool(np.all(body.distances(bones[line[-1]].tail) > body.radii))


def _end_on(armature: bpy.types.Object, chain: tuple[RestBone, ...], carrier: str, fixed: list[RestBone]) -> str | None:
    """The bone that holds a chain's end: the one that its last bone names, or of those that do not swing one with a joint
    there."""
    last = armature.data.bones[chain[-1].name]
    if END_KEY in last:
        if last[END_KEY] not in [bone.name for bone in fixed]:
            raise RigError(f"Bone {last.name!r} of {armature.name!r} says in its property {END_KEY!r} that its end hangs on "
                           f"{last[END_KEY]!r}, and no bone of that name holds still; name another one.")
        return str(last[END_KEY])
    end = chain[-1].tail
    reach = TOUCHES * sum(float(np.linalg.norm(b.tail - b.head)) for b in chain)
    for bone in fixed:
        if bone.name != carrier and np.linalg.norm(bone.head - end) < reach:
            return bone.name
    return None


def _of_add_on(armature: bpy.types.Object) -> dict[str, tuple[float, float, float, float]]:
    """Spring bones as the VRM add-on keeps them, by bone, where it is installed."""
    kept = getattr(armature.data, "vrm_addon_extension", None)
    found: dict[str, tuple[float, float, float, float]] = {}
    if kept is None:
        return found
    for group in kept.vrm0.secondary_animation.bone_groups:
        for root in group.bones:
            for name in _with_below(armature, root.bone_name):
                found[name] = group.stiffness, group.drag_force, group.gravity_power, group.hit_radius
    for spring in kept.spring_bone1.springs:
        for joint in list(spring.joints)[:-1] or list(spring.joints):
            found[joint.node.bone_name] = joint.stiffness, joint.drag_force, joint.gravity_power, joint.hit_radius
    return {name: spring for name, spring in found.items() if name in armature.data.bones}


def _with_below(armature: bpy.types.Object, name: str) -> Iterator[str]:
    bone = armature.data.bones.get(name)
    if bone is not None:
        yield from (name, *(one.name for one in bone.children_recursive))


def note_springs(path: Path, armatures: Iterable[bpy.types.Object]) -> None:
    """Keep on the bones of imported armatures what a glTF file says of its VRM spring bones, which Blender's importer leaves
    behind; a file without any changes nothing."""
    raw = path.read_bytes()
    if raw[:4] != b"glTF":
        return
    told = json.loads(raw[20:20 + struct.unpack("<I", raw[12:16])[0]])
    names, extensions = [node.get("name", "") for node in told.get("nodes", ())], told.get("extensions", {})
    for armature in armatures:
        for group in extensions.get("VRM", {}).get("secondaryAnimation", {}).get("boneGroups", ()):
            values = [float(group.get(key, other)) for key, other in (
                ("stiffiness", 1.0), ("dragForce", 0.4), ("gravityPower", 0.0), ("hitRadius", 0.02))]  # so is it spelt there
            for root in group.get("bones", ()):
                for name in _with_below(armature, names[root]):
                    armature.data.bones[name][SPRING_KEY] = values
        for spring in extensions.get("VRMC_springBone", {}).get("springs", ()):
            for joint in spring["joints"][:-1] or spring["joints"]:
                if names[joint["node"]] in armature.data.bones:
                    armature.data.bones[names[joint["node"]]][SPRING_KEY] = [float(joint.get(key, other)) for key, other in (
                        ("stiffness", 1.0), ("dragForce", 0.5), ("gravityPower", 0.0), ("hitRadius", 0.0))]


def _body(armature: bpy.types.Object, bones: Mapping[str, RestBone], joint_of: Mapping[str, str], loose: set[str]) -> Capsules:
    """Capsules of every part of the body, as thick as its skin at rest."""
    of_bone: dict[str, str] = {}
    joints = {name: segment for segment, name in joint_of.items() if name in bones}
    for name in bones:  # parents first
        above = bones[name].parent
        if name in joints:
            of_bone[name] = joints[name]
        elif name not in loose and above in of_bone:
            of_bone[name] = of_bone[above]
    clouds = _clouds(armature, of_bone)
    parts: list[tuple[str, np.ndarray, np.ndarray, float]] = []
    for segment, name in joint_of.items():
        if name in bones and not segment.startswith("clavicle"):
            parts += _capsules_of(segment, name, bones, joint_of, clouds.get(segment, np.empty((0, 3))))
    return Capsules(tuple(part[0] for part in parts), np.array([part[1] for part in parts]).reshape(-1, 3),
                    np.array([part[2] for part in parts]).reshape(-1, 3), np.array([part[3] for part in parts]))


def _clouds(armature: bpy.types.Object, of_bone: Mapping[str, str]) -> dict[str, np.ndarray]:
    """Places (N, 3) in armature space of the skin that each part of the body moves for the most part."""
    into = np.linalg.inv(np.array(armature.matrix_world, dtype=float))
    found: dict[str, list[np.ndarray]] = {}
    for mesh, to_world, bone in meshes_of(armature):
        count = len(mesh.data.vertices)
        places = np.empty(3 * count, np.float32)
        mesh.data.vertices.foreach_get("co", places)
        both = into @ to_world
        places = places.reshape(-1, 3).astype(float) @ both[:3, :3].T + both[:3, 3]
        if bone is not None:
            if bone in of_bone:
                found.setdefault(of_bone[bone], []).append(places)
            continue
        part = {group.index: of_bone.get(group.name) for group in mesh.vertex_groups}
        stride = max(1, count // 20000)
        whose = [max(groups, key=lambda g: g.weight).group if len(groups := mesh.data.vertices[i].groups) else -1
                 for i in range(0, count, stride)]
        segments = np.array([part.get(group) or "" for group in whose])
        for segment in set(segments) - {""}:
            found.setdefault(segment, []).append(places[::stride][segments == segment])
    return {segment: np.concatenate(some) for segment, some in found.items()}


def _capsules_of(segment: str, name: str, bones: Mapping[str, RestBone], joint_of: Mapping[str, str],
                 cloud: np.ndarray) -> Iterator[tuple[str, np.ndarray, np.ndarray, float]]:
    """The capsules of one part: along it to the next joint, or through the middle of its skin."""
    head, kind, side = bones[name].head, segment.removesuffix("_L").removesuffix("_R"), segment[-2:]
    after = [joint_of[one] for one in (*(k + side for k in PARENTS), *PARENTS) if one in joint_of and joint_of[one] in bones
             and kind == next(iter(PARENTS.get(one.removesuffix("_L").removesuffix("_R"), ())), None)
             and one.split("_")[0] not in ("clavicle", "thigh")]
    end = bones[after[0]].head if after else bones[name].tail if len(cloud) < FEWEST else 2.0 * np.median(cloud, 0) - head
    length = float(np.linalg.norm(end - head))
    if length < 1e-9:
        return
    if len(cloud) < FEWEST:
        yield name, head, end, THICK_OF_LENGTH.get(kind, THIN) * length
        return
    axis = (end - head) / length
    along = (cloud - head) @ axis
    across = cloud - head - along[:, None] * axis
    ways = np.linalg.svd(across - across.mean(axis=0), full_matrices=False)[2][:2]
    flat = across @ ways.T
    low, high = np.percentile(flat, (5.0, 95.0), axis=0)
    middle, (wide, deep) = 0.5 * (low + high) @ ways, 0.5 * (high - low)
    first, last = np.percentile(along, (2.0, 98.0))
    first, last = (first + deep, last - deep) if last - first > 2.0 * deep else (0.5 * (first + last),) * 2
    beside = (-1.0, 0.0, 1.0) if wide > FLAT * deep and kind in TRUNK else (0.0,)
    for aside in beside:
        at = head + middle + aside * (wide - deep) * ways[0]
        yield name, at + first * axis, at + last * axis, float(deep)
