# SPDX-License-Identifier: GPL-3.0-or-later
"""From what was found in a rig to a creature's shape: places in its frame, radii, masses, and the bone of each part."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....specs.creature import Creature, CreaturePart
from ...human.anatomy.skeleton import Skeleton
from ..feet import DENSITY_KG_M3
from ..template import LEG_NAMES
from .parts import LEAST_POINTS, SIDES, Chain, CreatureAnatomy, FoundLeg, Skin, off_line

CELLS = 90
"""Cells along the longest side of the box about the meshes: a thousandth part of the volume is seen."""
LEAST_CLOSED = 0.7
"""Share of the columns of cells that must go in and out of the meshes as often: of less, the meshes are no closed skin."""
_WELD = 1e-5
"""Of the box: vertices nearer than this are one; importers part them at the seams of textures."""


@dataclass(frozen=True)
class Room:
    """Points inside of meshes: `inside` is whose part each is, as a Skin, `cell_m3` the volume [m^3] that each stands for."""

    inside: Skin
    cell_m3: float


def room_in(meshes: Sequence[tuple[np.ndarray, np.ndarray]], skin: Skin) -> Room | None:
    """The room inside of some meshes, vertices (V, 3) [m] and triangles (T, 3), by the nearest skin; None of open ones."""
    meshes = [(vertices, triangles) for vertices, triangles in meshes if len(triangles)]
    if not meshes or not len(skin.places):
        return None
    places = np.concatenate([vertices for vertices, _ in meshes])
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = np.concatenate([triangles + offset for (_, triangles), offset in zip(meshes, offsets, strict=False)])
    low, high = places[faces].min(axis=(0, 1)), places[faces].max(axis=(0, 1))
    cell = float((high - low).max()) / CELLS
    if cell <= 0.0:
        return None
    corners = places[outward(places, faces, _WELD * cell * CELLS)]
    columns, heights, signs = _crossings(corners, low, cell)
    points, closed = _between(columns, heights, signs, low, cell)
    if closed < LEAST_CLOSED or not len(points):
        return None
    from scipy.spatial import cKDTree  # loads for a fifth of a second, and this module is asked of every armature

    owners = skin.owners[cKDTree(skin.places).query(points)[1]]
    return Room(Skin(points, owners), cell**3 / closed)


def outward(places: np.ndarray, faces: np.ndarray, near: float) -> np.ndarray:
    """The faces (T, 3), those of each connected piece turned so that it has a volume above zero."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    welded = np.unique(np.round(places / max(near, 1e-12)).astype(np.int64), axis=0, return_inverse=True)[1].reshape(-1)
    corner = welded[faces]
    count = int(welded.max()) + 1
    edges = np.concatenate([corner[:, [0, 1]], corner[:, [1, 2]]])
    joined = coo_matrix((np.ones(len(edges)), edges.T), shape=(count, count))
    piece = connected_components(joined, directed=False)[1][corner[:, 0]]
    a, b, c = (places[faces[:, i]] - places.mean(axis=0) for i in range(3))
    volumes = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c)))
    return np.where((volumes[piece] < 0.0)[:, None], faces[:, ::-1], faces)


def _crossings(corners: np.ndarray, low: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where upright lines through the cells' middles cross triangles (T, 3, 3): cells (K, 2), heights (K,), +1 going in."""
    flat = (corners[:, :, :2] - low[:2]) / cell - (0.5 + 0.0137, 0.5 + 0.0071)  # no line runs through an edge
    ahead, beside = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    area = ahead[:, 0] * beside[:, 1] - ahead[:, 1] * beside[:, 0]
    first, last = np.ceil(flat.min(axis=1)).astype(int), np.floor(flat.max(axis=1)).astype(int)
    cells, heights, signs = [np.empty((0, 2), int)], [np.empty(0)], [np.empty(0)]
    for i in np.flatnonzero((np.abs(area) > 1e-12) & (first <= last).all(axis=1)):
        grid = np.stack(np.meshgrid(*map(np.arange, first[i], last[i] + 1), indexing="ij"), -1).reshape(-1, 2)
        off = grid - flat[i, 0]
        u = (off[:, 0] * beside[i, 1] - off[:, 1] * beside[i, 0]) / area[i]
        v = (ahead[i, 0] * off[:, 1] - ahead[i, 1] * off[:, 0]) / area[i]
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
        a, b, c = corners[i, :, 2]
        cells.append(grid[hit])
        heights.append(a + u[hit] * (b - a) + v[hit] * (c - a))
        signs.append(np.full(int(hit.sum()), -np.sign(area[i])))
    return np.concatenate(cells), np.concatenate(heights), np.concatenate(signs)


def _between(columns: np.ndarray, heights: np.ndarray, signs: np.ndarray, low: np.ndarray,
             cell: float) -> tuple[np.ndarray, float]:
    """Points (K, 3) a cell apart wherever a line is inside of something, and the share of the lines that come out again."""
    if not len(columns):
        return np.empty((0, 3)), 0.0
    order = np.lexsort((heights, columns[:, 1], columns[:, 0]))
    columns, heights, signs = columns[order], heights[order], signs[order]
    start = np.flatnonzero(np.r_[True, (np.diff(columns, axis=0) != 0).any(axis=1)])
    points, whole = [np.empty((0, 3))], 0
    for a, b in zip(start, np.r_[start[1:], len(columns)], strict=True):
        deep = np.cumsum(signs[a:b])
        if abs(deep[-1]) > 0.5:
            continue
        whole += 1
        inside = np.flatnonzero(deep[:-1] > 0.5)
        level = (heights[a:b] - low[2]) / cell - 0.5
        z = np.concatenate([np.empty(0), *(np.arange(np.ceil(level[i]), level[i + 1]) for i in inside)])
        x, y = columns[a]
        points.append(np.column_stack([np.full(len(z), x), np.full(len(z), y), z]))
    return low + cell * (np.concatenate(points) + 0.5), whole / len(start)


_THICK = {"trunk": 0.25, "leg": 0.11, "neck": 0.2, "head": 0.3, "tail": 0.2, "arm": 0.1}
"""Radius over length of parts about which no skin is known (first guesses, near those of the shipped creatures)."""
_ARMS = {1: ("arm",), 2: ("upper_arm", "forearm"), 3: ("upper_arm", "forearm", "hand")}
_MOST_RADIUS = 0.9
"""Of the hips' height: no part is thicker."""
_LEAST_ANKLE = 0.02
"""Of the hips' height: a foot's joint is at least so high over the sole."""
_FOOT_HEIGHT, _FOOT_LENGTH = 0.08, 0.17
"""Of the hips' height: an ankle and what lies ahead of it where a rig has no foot (people's, Winter 2009, fig. 4.1)."""
_LEAST_M = 1e-3
_MOST_ROOM = 3.0
"""Times its own room: no part's capsule holds more (coats, feathers)."""
_HARDLY = 0.05
"""Of the hips' height: a shorter bone of a neck, a tail or a head is drawn that long, so that it has a direction."""
_MIRRORED = 0.1
"""Of the hips' height: joints of both sides nearer than this to their mirror images are drawn mirrored."""
_LONG_AS_EVEN = 12.0**0.5
"""Length of an even bar over the standard deviation of its points along it."""


@dataclasses.dataclass(frozen=True)
class _Drawn:
    """A part in the rig's own axes, before its thickness is known; `bone` is the joint that begins it."""

    name: str
    kind: str
    side: str
    parent: str | None
    bone: int | None
    joint: np.ndarray
    tip: np.ndarray


def shape_of(name: str, skeleton: Skeleton, found: CreatureAnatomy, skin: Skin | None, room: Room | None) -> Creature:
    """The creature [m] of a skeleton in world metres, as it stands: x forward, its hips over the origin, its soles at z = 0."""
    ground = _ground(skeleton, found, skin)
    drawn = _drawn(skeleton, found, ground)
    part_of = whose(skeleton, {one.bone: one.name for one in drawn if one.bone is not None})
    origin = found.hips - (found.hips @ found.axes[:, 2] - ground) * found.axes[:, 2]
    high = float((found.hips - origin) @ found.axes[:, 2])
    parts, carrying = [], {one.parent for one in drawn}
    for one in drawn:
        own = [i for i, part in enumerate(part_of) if part == one.name]
        around = None if skin is None else skin.of(own)
        inside = None if room is None else room.inside.of(own)
        ends = one.kind in ("head", "tail", "arm") and one.name not in carrying
        joint, tip = _ends(one, found, inside, high, ends)
        heel = width = None
        if one.name.startswith("foot"):
            tip, heel, width = _sole(joint, tip, around, found, ground)
        volume = len(inside) * room.cell_m3 if room is not None and inside is not None else 0.0
        radius = _not_wider(_radius(one.kind, joint, tip, around, high), float(np.linalg.norm(tip - joint)), volume)
        parts.append(CreaturePart(
            one.name, one.kind, _place((joint - origin) @ found.axes), _place((tip - origin) @ found.axes), round(radius, 5),
            one.parent, one.side, mass_kg=float(f"{volume * DENSITY_KG_M3:.4g}") or None,
            bone=None if one.bone is None else skeleton.names[one.bone], heel_m=heel, width_m=width))
    return Creature(name, feet_over_ground(mirrored(parts, high), high), f"read from the rig {name}")


def _with_foot(skeleton: Skeleton, found: CreatureAnatomy, leg: FoundLeg, ground: float) -> FoundLeg:
    """A leg whose rig has no foot, with one as high and as long as people's: its ankle on the last bone."""
    up = found.axes[:, 2]
    start = skeleton.heads[leg.joints[-1]]
    high = float(found.hips @ up) - ground
    way, wanted = leg.ankle - start, ground + _FOOT_HEIGHT * high
    fall = float(start @ up - leg.ankle @ up)
    share = float(np.clip((float(start @ up) - wanted) / fall, 0.5, 1.0)) if fall > 1e-9 else 1.0
    ankle = start + share * way
    ankle = ankle + max(wanted - float(ankle @ up), 0.0) * up
    return dataclasses.replace(leg, ankle=ankle, toes_end=ankle + _FOOT_LENGTH * high * found.axes[:, 0])


def _drawn(skeleton: Skeleton, found: CreatureAnatomy, ground: float) -> list[_Drawn]:
    made = [_Drawn("trunk", "trunk", "", None, found.trunk, found.hips, found.front)]
    neck, head = found.neck, found.head
    made += _row(skeleton, "neck", "trunk", neck)
    if head is not None:
        made.append(_Drawn("head", "head", "", made[-1].name, head.joints[0], skeleton.heads[head.joints[0]], head.end))
    made += _row(skeleton, "tail", "trunk", found.tail)
    for side in SIDES:
        for i, chain in enumerate(found.arms.get(side, ())):
            parent, count = "trunk", len(chain.joints)
            for k, joint in enumerate(chain.joints):
                name = f"{_ARMS[count][k]}{'' if i == 0 else i + 1}_{side}"
                end = skeleton.heads[chain.joints[k + 1]] if k + 1 < count else chain.end
                made.append(_Drawn(name, "arm", side, parent, joint, skeleton.heads[joint], end))
                parent = name
    for side in SIDES:
        leg = found.legs[side] if found.legs[side].has_foot else _with_foot(skeleton, found, found.legs[side], ground)
        above = leg.joints[:-1] if leg.has_foot else leg.joints
        parent = "trunk"
        names = LEG_NAMES.get(len(above), tuple(f"leg_{k + 1}" for k in range(len(above))))
        places = np.vstack([skeleton.heads[list(above)], leg.ankle])
        for k, joint in enumerate(above):
            made.append(_Drawn(f"{names[k]}_{side}", "leg", side, parent, joint, places[k], places[k + 1]))
            parent = made[-1].name
        foot = leg.joints[-1] if leg.has_foot else None
        made.append(_Drawn(f"foot_{side}", "leg", side, parent, foot, leg.ankle, leg.toes_end))
    return made


def _row(skeleton: Skeleton, kind: str, parent: str, chain: Chain | None) -> list[_Drawn]:
    made: list[_Drawn] = []
    if chain is None:
        return made
    joints = chain.joints
    for k, joint in enumerate(joints):
        end = skeleton.heads[joints[k + 1]] if k + 1 < len(joints) else chain.end
        made.append(_Drawn(f"{kind}_{k + 1}", kind, "", made[-1].name if made else parent, joint, skeleton.heads[joint], end))
    return made


def whose(skeleton: Skeleton, begins: dict[int, str]) -> list[str]:
    """Which part each joint rides with: that of the nearest joint above it that begins one, the trunk where none does."""
    found = ["trunk"] * len(skeleton.names)
    for joint in skeleton.order:
        above = int(skeleton.parents[joint])
        found[joint] = begins.get(joint, found[above] if above >= 0 else "trunk")
    return found


def _ground(skeleton: Skeleton, found: CreatureAnatomy, skin: Skin | None) -> float:
    """The height of the soles: the lowest skin of the feet, or their bones' lowest ends."""
    up = found.axes[:, 2]
    feet = [joint for leg in found.legs.values() for joint in skeleton.below(leg.joints[-1]) if leg.joints[-1] >= 0]
    around = None if skin is None else skin.of(feet)
    if around is not None and len(around) >= LEAST_POINTS:
        return float((around @ up).min())
    return float(min((skeleton.heads[feet] @ up).min(), (skeleton.ends[feet] @ up).min()))


def _ends(one: _Drawn, found: CreatureAnatomy, inside: np.ndarray | None, high: float,
          ends: bool) -> tuple[np.ndarray, np.ndarray]:
    """Where a part begins and ends: by its bones; a trunk so that it lies about its own room, as long as an even bar that is as
    hard to turn; what `ends` a head, a tail or an arm about its room's middle."""
    joint, tip = one.joint, one.tip
    if inside is not None and len(inside) >= LEAST_POINTS:
        middle = inside.mean(axis=0)
        if one.kind == "trunk":
            way = tip - joint
            if np.linalg.norm(way) < 0.25 * high:
                values, vectors = np.linalg.eigh(np.cov((inside - middle).T))
                way = vectors[:, int(np.argmax(values))]
                way = way if way @ (found.axes[:, 0] + found.axes[:, 2]) > 0.0 else -way
            way = way - (way @ found.axes[:, 1]) * found.axes[:, 1]
            way = way / max(float(np.linalg.norm(way)), 1e-12)
            half = 0.5 * max(_LONG_AS_EVEN * float(((inside - middle) @ way).std()), _HARDLY * high)
            return middle - half * way, middle + half * way
        if ends:
            return joint, 2.0 * middle - joint if np.linalg.norm(middle - joint) > 0.5 * _HARDLY * high else tip
    if np.linalg.norm(tip - joint) < _HARDLY * high and one.kind != "leg":
        ways = {"head": found.axes[:, 0], "tail": -found.axes[:, 0], "arm": -found.axes[:, 2]}
        return joint, joint + _HARDLY * high * ways.get(one.kind, found.axes[:, 2])
    return joint, tip


def _sole(joint: np.ndarray, tip: np.ndarray, around: np.ndarray | None, found: CreatureAnatomy,
          ground: float) -> tuple[np.ndarray, float | None, float | None]:
    """The end of the toes on the sole, and how far the sole reaches back and how wide it is, where the skin tells."""
    up, forward = found.axes[:, 2], found.axes[:, 0]
    away = tip - joint - ((tip - joint) @ up) * up
    length = float(np.linalg.norm(away))
    way = away / length if length > 1e-9 and away @ forward > 0.3 * length else forward
    reach, heel, width = max(float(away @ way), _LEAST_M), None, None
    if around is not None and len(around) >= LEAST_POINTS:
        low = around[around @ up - ground < max(0.5 * (float(joint @ up) - ground), 0.25 * float(np.ptp(around @ up)))]
        low = low if len(low) >= LEAST_POINTS else around
        along, across = (low - joint) @ way, (low - joint) @ np.cross(up, way)
        reach = max(float(along.max()), _LEAST_M)
        heel = round(max(-float(along.min()), 0.0), 5)
        width = round(max(float(np.ptp(across)), 2.0 * _LEAST_M), 5)
    under = joint + reach * way
    return under - (under @ up - ground) * up + 0.5 * min(max(float(joint @ up) - ground, 0.0), 0.2 * reach) * up, heel, width


def _radius(kind: str, joint: np.ndarray, tip: np.ndarray, around: np.ndarray | None, high: float) -> float:
    """How thick a part is: the median of its skin about it, or by its length."""
    length = float(np.linalg.norm(tip - joint))
    radius = _THICK[kind] * length
    if around is not None and len(around) >= LEAST_POINTS:
        radius = float(np.median(off_line(around, joint, tip)))
    return float(np.clip(radius, _LEAST_M, max(_MOST_RADIUS * high, _LEAST_M)))


def _not_wider(radius: float, length: float, volume: float) -> float:
    """A radius of which the capsule holds no more than so many times the part's own room, where that is known."""
    while volume > 0.0 and radius > _LEAST_M and np.pi * radius**2 * (length + 4.0 / 3.0 * radius) > _MOST_ROOM * volume:
        radius *= 0.95
    return radius


def mirrored(parts: Sequence[CreaturePart], high: float) -> tuple[CreaturePart, ...]:
    """The parts in the middle on y = 0, and those of both sides as mirror images of one another where they nearly are."""
    by_name = {part.name: part for part in parts}
    near = all(np.abs(np.subtract(one.joint_m, _image(by_name[_other(one.name)].joint_m))).max() < _MIRRORED * high
               for one in parts if one.side and _other(one.name) in by_name)
    made = []
    for part in parts:
        other = by_name.get(_other(part.name)) if part.side else None
        if not part.side:
            made.append(dataclasses.replace(part, joint_m=_flat(part.joint_m), tip_m=_flat(part.tip_m)))
        elif other is None or not near:
            made.append(part)
        else:
            made.append(dataclasses.replace(
                part, joint_m=_place(0.5 * np.add(part.joint_m, _image(other.joint_m))),
                tip_m=_place(0.5 * np.add(part.tip_m, _image(other.tip_m))), **{
                    field: round(0.5 * (getattr(part, field) + getattr(other, field)), 5)
                    for field in ("radius_m", "mass_kg", "heel_m", "width_m")
                    if getattr(part, field) is not None and getattr(other, field) is not None}))
    return tuple(made)


def feet_over_ground(parts: Sequence[CreaturePart], high: float) -> tuple[CreaturePart, ...]:
    """The parts with the feet's joints, and what ends there, a little over the ground, where rigs have them on it."""
    least = _LEAST_ANKLE * high
    low = {part.name for part in parts if part.name.startswith("foot") and part.joint_m[2] < least}
    above = {part.parent for part in parts if part.name in low}

    def raised(place: Sequence[float]) -> tuple[float, float, float]:
        return place[0], place[1], max(place[2], least)

    return tuple(dataclasses.replace(part, joint_m=raised(part.joint_m)) if part.name in low else
                 dataclasses.replace(part, tip_m=raised(part.tip_m)) if part.name in above else part for part in parts)


def _other(name: str) -> str:
    return name[:-1] + {"L": "R", "R": "L"}.get(name[-1], name[-1])


def _image(place: Sequence[float]) -> tuple[float, float, float]:
    return place[0], -place[1], place[2]


def _flat(place: Sequence[float]) -> tuple[float, float, float]:
    return place[0], 0.0, place[2]


def _place(numbers: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(float(number), 6) + 0.0 for number in numbers)
    return x, y, z
