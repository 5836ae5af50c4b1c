# SPDX-License-Identifier: GPL-3.0-or-later
"""The figure of a rig: landmarks, facing and ground, read off its rest bones and the skin of its feet and head; how thick it is,
and the fingers below a hand, by structure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import RigError
from ...maths.rotations import rotation_between
from .detect import Match
from .figure import Figure, RestBone, SkinPoints

_LINES = {"pelvis": ("pelvis", "lower_spine", "chest", "neck", "head"), "lower_spine": ("lower_spine", "chest", "neck", "head"),
          "chest": ("chest", "neck", "head"), "neck": ("neck", "head"), "head": ("head", "head_top"),
          "clavicle": ("clavicle", "shoulder"), "upper_arm": ("shoulder", "elbow"), "forearm": ("elbow", "wrist"),
          "hand": ("wrist", "hand_tip"), "thigh": ("hip", "knee"), "shank": ("knee", "ankle"), "foot": ("ankle", "toe_tip")}
"""The landmark at which each segment begins, and those at which it may end, the nearest first."""
_TRUNK = ("pelvis", "lower_spine", "chest")
_MEASURED = (*_TRUNK, "neck", "head", "upper_arm", "forearm", "thigh", "shank")
"""Feet stand on their soles, shoulders lie within arms and chest, and hands are flat."""
_DEEP, _STRIP = (*_TRUNK, "head"), 0.4
"""Segments that are measured by their depth, within this share of their median radius from the middle."""
_MIDDLE = (0.2, 0.8)
"""Part of a line over which it is measured: towards its ends skin belongs to others as well."""
_LEAST_POINTS = 8


def skin_thickness(skin: np.ndarray, landmarks: Mapping[str, np.ndarray]) -> dict[str, tuple[float, float]]:
    """Segment (without its side) -> radius of the skin (N, 3) nearest to its line, and how far ahead of that its middle lies [m],
    in the body frame at rest. A limb's radius is the median distance (a skirt or a strap does not count); trunk and head, wider
    than deep and their joints nearer to the back, have half their depth in the middle."""
    lines = _lines(landmarks)
    if not len(skin) or not lines:
        return {}
    along, away = zip(*(_about(skin, start, end) for start, end in lines.values()), strict=True)
    nearest = np.linalg.norm(np.array(away), axis=2).argmin(axis=0)
    found: dict[str, list[np.ndarray]] = {kind: [] for kind in _MEASURED}
    for i, name in enumerate(lines):
        kind = name.removesuffix("_L").removesuffix("_R")
        if kind in found:
            found[kind].append(away[i][(nearest == i) & (along[i] > _MIDDLE[0]) & (along[i] < _MIDDLE[1])])
    sizes = {kind: _thickness(np.concatenate(parts), kind in _DEEP) for kind, parts in found.items() if parts}
    return {kind: size for kind, size in sizes.items() if size is not None}


def _thickness(away: np.ndarray, deep: bool) -> tuple[float, float] | None:
    """Radius of skin `away` (N, 3) from its line, and how far ahead its middle lies [m]; None where there is too little."""
    if len(away) < _LEAST_POINTS:
        return None
    radius = float(np.median(np.linalg.norm(away, axis=1)))
    if not deep:
        return round(radius, 4), 0.0
    depths = away[np.abs(away[:, 1]) < _STRIP * radius, 0]
    fore, back = depths[depths > 0.0], depths[depths < 0.0]
    if min(len(fore), len(back)) < _LEAST_POINTS:
        return round(radius, 4), 0.0
    front, rear = float(np.median(fore)), -float(np.median(back))
    return round(0.5 * (front + rear), 4), round(0.5 * (front - rear), 4)


def _lines(landmarks: Mapping[str, np.ndarray]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Start and end (3,) of each segment that the figure has."""
    found = {}
    for kind, (start, *ends) in _LINES.items():
        for side in ("",) if start in landmarks or kind in (*_TRUNK, "neck", "head") else tuple(f"_{s}" for s in SIDES):
            end = next((mark + side for mark in ends if mark + side in landmarks), None)
            if start + side in landmarks and end is not None:
                found[kind + side] = landmarks[start + side], landmarks[end]
    return found


def _about(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where along a line from `start` (0) to `end` (1) points (N, 3) lie, and their distances (N, 3) from its nearest point."""
    way = end - start
    along = (points - start) @ way / max(float(way @ way), 1e-12)
    return along, points - start - np.clip(along, 0.0, 1.0)[:, None] * way


LEAST_FINGERS = 3
"""A hand of fewer chains of two bones at least is a mitten or holds something."""
KNUCKLE = 0.35
"""Bones nearer to the wrist than this share of the longest finger's reach lie in the palm."""
THUMB, THUMB_OF_MIDDLE = 0.8, 0.72
"""A chain that reaches less far along the hand than the first share of the next one is the thumb, or than the second of the
middle one of all: some little fingers are hardly longer than the thumb (0.63 and 0.80 of the middle one, 0.46 and 0.83 on
another)."""


def finger_lines(bones: Iterable[RestBone], hand: RestBone, along: np.ndarray) -> tuple[list[list[RestBone]], list[RestBone]]:
    """The hand's fingers, each its bones from the knuckle on, and its thumb; `along` (3,) is the hand's direction, of any length.
    Fewer than two fingers are none; a thumb that is not found has no bones."""
    along = along / max(float(np.linalg.norm(along)), 1e-12)
    lines = [line for line in _chains(bones, hand.name) if len(line) > 1]
    if len(lines) < LEAST_FINGERS:
        return [], []
    reach = [float(along @ (line[-1].head - hand.head)) for line in lines]
    order = np.argsort(reach)
    short = reach[order[0]] < max(THUMB * reach[order[1]], THUMB_OF_MIDDLE * float(np.median(reach)))
    thumb = lines.pop(int(order[0])) if short else []
    fingers = [[b for b in line if along @ (b.head - hand.head) > KNUCKLE * max(reach)] for line in lines]
    fingers = [finger for finger in fingers if len(finger) > 1]
    return (fingers, thumb) if len(fingers) > 1 else ([], [])


def middle_knuckle(bones: Iterable[RestBone], hand: RestBone, along: np.ndarray) -> np.ndarray | None:
    """Where (3,) the middle finger's knuckle is, counted from the thumb; without one the middle of all, or None."""
    fingers, thumb = finger_lines(bones, hand, along)
    if not fingers:
        return None
    knuckles = np.array([finger[0].head for finger in fingers])
    if not thumb:
        return knuckles.mean(axis=0)
    off = knuckles - knuckles.mean(axis=0)
    row = np.linalg.svd(off)[2][0]
    thumb_at = np.mean([bone.head for bone in thumb], axis=0) - knuckles.mean(axis=0)
    from_thumb = np.argsort(-(off @ row) * np.sign(thumb_at @ row))
    return knuckles[from_thumb[(len(knuckles) - 1) // 2]]


def _chains(bones: Iterable[RestBone], hand: str) -> list[list[RestBone]]:
    """The bones below a hand as lines, each from the hand to where it ends or branches; tips without length are left out."""
    children: dict[str | None, list[RestBone]] = {}
    for bone in bones:
        children.setdefault(bone.parent, []).append(bone)
    found = []
    stack = [[bone] for bone in children.get(hand, ())]
    while stack:
        line = stack.pop()
        below = children.get(line[-1].name, [])
        if len(below) == 1:
            stack.append([*line, below[0]])
        else:
            found.append(line)
            stack += [[bone] for bone in below]
    return found


_UPRIGHT = 0.7  # least horizontal share of the line from the right to the left joints of a standing figure
_HEAD_OVER_SHOULDERS = 0.067 / 0.288  # head's joint over the shoulders / shoulders over the hips (Winter, fig. 4.1)
_NEAR_AXIS = np.cos(np.radians(6.0))
_LONGEST_HAND = 1.5
"""Over the forearm's length: farther from the wrist a bone's tail is made up. A human's hand has 0.74 (Winter, fig. 4.1)."""
_BALL_WITHIN, _TOES = 0.17, 0.08
"""Over leg length: a foot bone with neither toes nor skin that ends nearer to the ankle than the first, ends at the ball (a
human's is at 0.14, the toes' tip at 0.22); the toes go on by the second (Winter, fig. 4.1, and the body's own estimate)."""
_HIPS_AT_ORIGIN = 0.5  # of the leg: soles at least so far under the object's origin are of a figure that has its hips there
_BALL_AT_LEAST = 0.25
"""Of the way from ankle to toes' tip: a joint nearer than this is no ball to roll over (people's is at 0.64): a stiff foot."""
_ON_GROUND, _NEAR_GROUND = 0.002, 0.2
"""Of the leg: soles nearer to a height than the first lie on it; soles nearer to the ground than the second are meant to (one
character rested 5 cm under it). What is farther off stands on something."""
_BONES_OVER_SOLE = 0.06
"""Of the leg: the lowest bones of feet without skin lie so far over soles that nobody sees (the ball's joint of people 0.03)."""


_TILTED_DEG, LYING_DEG, _STRAIGHT_DEG = 25.0, 45.0, 15.0
"""A figure whose legs and trunk are in one line, within the last, is tilted as a whole from the first on, as nobody stands, leans
or crouches like that; beyond the second any figure lies, and its object has to be stood up."""


def up_of(bones: Iterable[RestBone], match: Match, to_world: np.ndarray) -> tuple[np.ndarray, bool]:
    """Where a figure's up points in the world, a unit vector (3,), from the ankles to the hips to the shoulders, and whether it
    is tilted as a whole."""
    bone = {one.name: one for one in bones}
    feet, hips, shoulders = (sum(bone[match.joint_of[f"{segment}_{side}"]].head for side in SIDES) / 2.0
                             for segment in ("foot", "thigh", "upper_arm"))
    legs, trunk = ((hips - feet) / np.linalg.norm(hips - feet), (shoulders - hips) / np.linalg.norm(shoulders - hips))
    up = to_world[:3, :3] @ (legs + trunk)
    up, least, most = up / np.linalg.norm(up), np.cos(np.radians(LYING_DEG)), np.cos(np.radians(_TILTED_DEG))
    return up, bool(least < up[2] < most and legs @ trunk > np.cos(np.radians(_STRAIGHT_DEG)))


def _stood(bones: tuple[RestBone, ...], skin: SkinPoints, to_world: np.ndarray, turn: np.ndarray,
           up: np.ndarray) -> tuple[tuple[RestBone, ...], SkinPoints]:
    """Bones and skin of a figure as it rests, turned about the armature's origin until `up` is the world's z."""
    way = rotation_between(up, np.array([0.0, 0.0, 1.0]))
    inside = turn.T @ way @ turn
    stood = tuple(replace(bone, head=inside @ bone.head, tail=inside @ bone.tail, rotation=inside @ bone.rotation, stood=inside,
                          location_axes=inside @ (bone.rotation if bone.location_axes is None else bone.location_axes))
                  for bone in bones)

    def turned(places: np.ndarray) -> np.ndarray:
        return (places - to_world[:3, 3]) @ way.T + to_world[:3, 3]

    feet = {side: turned(cloud) for side, cloud in skin.feet.items()}
    return stood, replace(skin, feet=feet, head=turned(skin.head), all=turned(skin.all))


def build_figure(name: str, match: Match, bones: tuple[RestBone, ...], to_world: np.ndarray,
                 skin: SkinPoints | None = None) -> Figure:
    """The figure of a rig at rest. `to_world` (4, 4) takes armature space to world metres; it may turn, move and scale evenly.
    Raises RigError when it does not, or when the rest pose does not stand with its feet forward. One that is tilted as a whole is
    read standing."""
    skin = skin or SkinPoints()
    turn, units_per_m = similarity(name, to_world)
    up, tilted = up_of(bones, match, to_world)
    if tilted:
        bones, skin = _stood(bones, skin, to_world, turn, up)
    reader = _Reader(name, match, bones, to_world)
    forward_axes = reader.body_axes(turn)
    origin = 0.5 * (reader.head("thigh_L") + reader.head("thigh_R"))
    origin[2] = reader.sole_height(skin)
    landmarks = {key: tuple(float(x) for x in (point - origin) @ forward_axes)
                 for key, point in reader.landmarks(skin, forward_axes, origin[2]).items()}
    reader.check_standing(landmarks)
    ground = origin.copy()
    leg = landmarks["hip_L"][2] - landmarks["ankle_L"][2]
    seen = all(len(skin.feet.get(side, ())) for side in SIDES)
    ground[2] = ground_height(float(origin[2]), float(to_world[2, 3]), leg, _ON_GROUND if seen else _BONES_OVER_SOLE)
    if tilted:  # it stands nowhere as it rests: on the ground, or at the object's origin
        ground[2] = min((0.0, float(to_world[2, 3])), key=lambda height: abs(origin[2] - height))
    hips_at_origin = not tilted and to_world[2, 3] - origin[2] > _HIPS_AT_ORIGIN * leg
    into_armature = turn.T * units_per_m
    soles = {side: ((cloud - origin) @ forward_axes, skin.shares[side]) for side, cloud in skin.feet.items()
             if len(cloud) and side in skin.shares}
    return Figure(name, match.family, bones, dict(match.bone_of), landmarks, turn.T @ forward_axes, units_per_m,
                  into_armature @ (origin - to_world[:3, 3]), into_armature @ (ground - to_world[:3, 3]), match.root,
                  match.controls, match.label, 0.0 if hips_at_origin else float(origin[2] - ground[2]), soles,
                  skin_thickness((skin.all - origin) @ forward_axes, {name: np.array(mark) for name, mark in landmarks.items()}))


def ground_height(sole: float, origin: float, leg: float, over: float = _ON_GROUND) -> float:
    """The height [m] of the ground under soles that rest at `sole`, the object's origin at `origin`: that origin where hips rest
    at it (from BVH files), the soles where they lie (up to `over` legs above) at the origin or z = 0, or near neither, else the
    nearer of the two."""
    if origin - sole > _HIPS_AT_ORIGIN * leg:
        return origin
    if any(-_ON_GROUND * leg < sole - height < over * leg for height in (0.0, origin)):
        return sole
    nearer = min((0.0, origin), key=lambda height: abs(sole - height))
    return nearer if abs(sole - nearer) < _NEAR_GROUND * leg else sole


def similarity(name: str, to_world: np.ndarray) -> tuple[np.ndarray, float]:
    """Rotation (3, 3) and inverse scale of `to_world`. Raises RigError for sheared, uneven, mirrored or empty ones."""
    linear = np.asarray(to_world, dtype=float)[:3, :3]
    determinant = float(np.linalg.det(linear))
    scale = np.cbrt(abs(determinant))
    if scale < 1e-9 or np.abs(linear.T @ linear - scale**2 * np.eye(3)).max() > 1e-3 * scale**2:
        raise RigError(f"Armature {name!r}, or a parent of it, is scaled unevenly; apply the scale (Ctrl+A) before baking.")
    if determinant < 0.0:
        raise RigError(f"Armature {name!r}, or a parent of it, is mirrored by a negative scale; apply the scale (Ctrl+A).")
    u, _, vt = np.linalg.svd(linear)
    return u @ vt, 1.0 / scale


class _Reader:
    """Reads landmarks off the rest bones, in world metres."""

    def __init__(self, name: str, match: Match, bones: tuple[RestBone, ...], to_world: np.ndarray) -> None:
        self.name, self.bone_of = name, match.joint_of
        self.bone = {bone.name: bone for bone in bones}
        self.children: dict[str, list[str]] = {bone.name: [] for bone in bones}
        for bone in bones:
            if bone.parent is not None:
                self.children[bone.parent].append(bone.name)
        self._linear, self._offset = to_world[:3, :3], to_world[:3, 3]

    def world(self, place: np.ndarray) -> np.ndarray:
        return place @ self._linear.T + self._offset

    def head(self, segment: str) -> np.ndarray:
        return self.world(self.bone[self.bone_of[segment]].head)

    def below(self, segment: str) -> list[RestBone]:
        found, stack = [], [self.bone_of[segment]]
        while stack:
            found.append(self.bone[stack.pop()])
            stack += self.children[found[-1].name]
        return found

    def ends(self, segment: str) -> np.ndarray:
        """Heads and tails (N, 3) of the bone of a segment and all its descendants."""
        return self.world(np.array([end for bone in self.below(segment) for end in (bone.head, bone.tail)]))

    def leg(self, side: str) -> float:
        hip, knee, ankle = (self.head(f"{s}_{side}") for s in ("thigh", "shank", "foot"))
        return float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))

    def body_axes(self, turn: np.ndarray) -> np.ndarray:
        """Body axes as columns (3, 3) in the world, from lines between left and right joints; within a few degrees of one of the
        armature's own axes (columns of `turn`) that one, as skeletons are never quite symmetric. Raises RigError."""
        left = sum(self.head(f"{s}_L") - self.head(f"{s}_R") for s in ("thigh", "upper_arm"))
        flat = np.array([left[0], left[1], 0.0])
        if np.linalg.norm(flat) < max(_UPRIGHT * np.linalg.norm(left), 1e-9):
            raise RigError(f"Armature {self.name!r} does not stand in its rest pose: expected its left and right joints "
                           "side by side at the same height, with the world's z up; turn the armature object upright.")
        y = flat / np.linalg.norm(flat)
        for axis in (*turn.T, *-turn.T):
            if axis @ y > _NEAR_AXIS and abs(axis[2]) < 1e-3:
                y = np.array([axis[0], axis[1], 0.0]) / np.hypot(axis[0], axis[1])
        return np.column_stack([np.cross(y, [0.0, 0.0, 1.0]), y, [0.0, 0.0, 1.0]])

    def sole_height(self, skin: SkinPoints) -> float:
        """World height of the lowest point of the feet: of their skin, or of their bones where they have none."""
        clouds = [skin.feet[side] if len(skin.feet.get(side, ())) else self.ends(f"foot_{side}") for side in SIDES]
        return float(min(cloud[:, 2].min() for cloud in clouds))

    def landmarks(self, skin: SkinPoints, axes: np.ndarray, sole: float) -> dict[str, np.ndarray]:
        """Landmarks in world metres; those that the rig does not tell are left out."""
        joints = {"lower_spine": "lower_spine", "chest": "chest", "neck": "neck", "head": "head"}
        for side in SIDES:
            joints |= {f"{mark}_{side}": f"{segment}_{side}" for mark, segment in (
                ("clavicle", "clavicle"), ("shoulder", "upper_arm"), ("elbow", "forearm"), ("wrist", "hand"),
                ("hip", "thigh"), ("knee", "shank"), ("ankle", "foot"), ("toes", "toes"))}
        p = {mark: self.head(segment) for mark, segment in joints.items() if segment in self.bone_of}
        p["pelvis"] = 0.5 * (p["hip_L"] + p["hip_R"])
        if "head" not in p:
            shoulders = 0.5 * (p["shoulder_L"] + p["shoulder_R"])
            p["head"] = shoulders + _HEAD_OVER_SHOULDERS * (shoulders - p["pelvis"])
        top = self._head_top(skin, p["head"], sole)
        if top is not None:
            p["head_top"] = top
        for side in SIDES:
            self._add_foot(p, side, skin.feet.get(side, np.empty((0, 3))), axes, sole)
            self._add_hand(p, side)
        return p

    def _head_top(self, skin: SkinPoints, head: np.ndarray, sole: float) -> np.ndarray | None:
        if len(skin.head):
            return np.array([*head[:2], skin.head[:, 2].max()])
        tail = self.world(self.bone[self.bone_of["head"]].tail) if "head" in self.bone_of else head
        return tail if tail[2] - head[2] > 0.04 * (head[2] - sole) else None

    def _add_foot(self, p: dict[str, np.ndarray], side: str, skin: np.ndarray, axes: np.ndarray, sole: float) -> None:
        """Heel and tip of the toes on the sole, along the line from the ankle to the ball."""
        ankle, leg = p[f"ankle_{side}"], self.leg(side)
        last = f"toes_{side}" if f"toes_{side}" in self.bone_of else f"foot_{side}"
        tail = self.world(self.bone[self.bone_of[last]].tail)
        front = p.get(f"toes_{side}", tail) - ankle
        front = np.array([front[0], front[1], 0.0])
        tells = np.linalg.norm(front) > 0.03 * leg
        along = front / np.linalg.norm(front) if tells else axes[:, 0]
        if along @ axes[:, 0] < 0.3:
            raise RigError(f"The {'left' if side == 'L' else 'right'} foot of armature {self.name!r} does not point forward "
                           "in its rest pose; left and right bones may be swapped, or the feet turned out too far.")
        if len(skin):
            reach = (skin - ankle) @ along
            heel, tip = float(reach.min()), float(reach.max())
            p[f"heel_{side}"] = np.array([*(ankle + heel * along)[:2], sole])
            p[f"toe_tip_{side}"] = np.array([*(ankle + tip * along)[:2], sole])
            if f"toes_{side}" in p and (p[f"toes_{side}"] - ankle) @ along < _BALL_AT_LEAST * tip:
                del p[f"toes_{side}"]
            return
        start = p.get(f"toes_{side}", ankle)
        reach = float((tail - start) @ along)
        if reach > 0.03 * leg:
            ends_at_ball = start is ankle and reach < _BALL_WITHIN * leg
            p[f"toe_tip_{side}"] = np.array([*(tail + ends_at_ball * _TOES * leg * along)[:2], sole])

    def _add_hand(self, p: dict[str, np.ndarray], side: str) -> None:
        """The tip of the hand: as far as the end of its bones that reaches farthest on from the forearm; of a hand with fingers
        beyond the middle knuckle, as fingers that are bent at rest do not point where the palm does."""
        if f"hand_{side}" not in self.bone_of:
            return
        wrist, forearm = p[f"wrist_{side}"], p[f"wrist_{side}"] - p[f"elbow_{side}"]
        length = np.linalg.norm(forearm)
        ends = self.ends(f"hand_{side}")
        ends = ends[np.linalg.norm(ends - wrist, axis=1) < _LONGEST_HAND * length]
        reach = (ends - wrist) @ forearm / max(length, 1e-9)
        if reach.max(initial=0.0) > 0.1 * length:
            tip = ends[int(reach.argmax())]
            bones = [self.bone[self.bone_of[f"{segment}_{side}"]] for segment in ("forearm", "hand")]
            knuckle = middle_knuckle(self.bone.values(), bones[1], bones[1].head - bones[0].head)
            if knuckle is not None:
                palm = self.world(knuckle) - wrist
                tip = wrist + np.linalg.norm(tip - wrist) / np.linalg.norm(palm) * palm
            p[f"hand_tip_{side}"] = tip

    def check_standing(self, landmarks: Mapping[str, tuple[float, float, float]]) -> None:
        """Raises RigError unless head, hips, knees and ankles stand above one another."""
        for side in SIDES:
            heights = [landmarks[mark][2] for mark in ("head", f"hip_{side}", f"knee_{side}", f"ankle_{side}")]
            if not all(upper > lower for upper, lower in zip(heights, heights[1:], strict=False)):
                raise RigError(f"Armature {self.name!r} does not stand in its rest pose: expected head, hips, knees and ankles "
                               "one above the other, with the world's z up; turn the armature object upright, or give it a "
                               "standing rest pose.")
