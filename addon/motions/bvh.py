# SPDX-License-Identifier: GPL-3.0-or-later
"""Biovision Hierarchy (.bvh) files: reading, and forward kinematics in the file's own axes and units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import dropwhile, islice
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from ..archives import MOST_NUMBER
from ..bodies.body import Body
from ..bodies.human.body import Human
from ..errors import ClipError
from ..files import read_text, reading, write_whole

_AXES = {"xrotation": "X", "yrotation": "Y", "zrotation": "Z"}
_PLACES = {"xposition": 0, "yposition": 1, "zposition": 2}
_FRAMES = re.compile(r"\s*Frames\s*:\s*(\S+)\s*Frame\s+Time\s*:\s*(\S+)(.*)", re.IGNORECASE | re.DOTALL)
MOST_HEAD_LINES = 10
"""After MOTION, within which the number of frames and their time stand."""
MAX_FRAME_TIME_S = 1.0
TRAVELS_SHARE = 0.02
"""A joint below the root whose place changes by more than this share of all bones' lengths travels; less is a soft bone."""


@dataclass(frozen=True)
class BvhClip:
    """A motion as it stands in the file: its axes, its units. `names`, `parents` (-1 for the root) and `offsets` (J, 3) describe
    the joints, parents first; `ends` maps a joint's index to the offset (3,) of its end site. `rotations` (T, J, 3, 3) turn each
    joint relative to its parent, `root_positions` (T, 3) place the root. `path` names the file in messages. `travels` holds the
    offsets (T, 3) of joints below the root that travel: where a root stays on the floor, it is the hips that do. `first_frame` is
    the number in the file, counted from 1, of the first frame here. `told` is what else is known of where it is from, name by
    name."""

    path: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: np.ndarray
    ends: dict[int, np.ndarray]
    frame_time_s: float
    rotations: np.ndarray
    root_positions: np.ndarray
    travels: dict[int, np.ndarray] = field(default_factory=dict)
    first_frame: int = 1
    told: tuple[tuple[str, str], ...] = ()

    @property
    def frames(self) -> int:
        return len(self.root_positions)

    @property
    def duration_s(self) -> float:
        return (self.frames - 1) * self.frame_time_s

    def changed(self, sentence: str) -> BvhClip:
        """This clip, told that it was changed in one more way."""
        told = dict(self.told)
        before = told.get("changed", "")
        told["changed"] = before if sentence in before else f"{before} {sentence}".strip()
        return replace(self, told=tuple(told.items()))

    def children(self, joint: int) -> list[int]:
        """Indices of the joints that hang on `joint`, in the file's order."""
        return [i for i, parent in enumerate(self.parents) if parent == joint]

    def world(self) -> tuple[np.ndarray, np.ndarray]:
        """Joint positions (T, J, 3) and rotations away from rest (T, J, 3, 3), file axes and units."""
        positions = np.empty((self.frames, len(self.names), 3))
        turns = np.empty_like(self.rotations)
        for i, parent in enumerate(self.parents):
            if parent < 0:
                positions[:, i], turns[:, i] = self.root_positions, self.rotations[:, i]
            else:
                positions[:, i] = positions[:, parent] + self._carried(i, turns[:, parent])
                turns[:, i] = turns[:, parent] @ self.rotations[:, i]
        return positions, turns

    def _carried(self, joint: int, turns: np.ndarray) -> np.ndarray:
        """A joint's place from its parent's (T, 3), the parent turned by `turns` (T, 3, 3)."""
        if joint in self.travels:
            return np.einsum("tij,tj->ti", turns, self.travels[joint])
        return turns @ self.offsets[joint]

    def rest(self) -> np.ndarray:
        """Joint positions (J, 3) of the rest pose, the root at the origin."""
        places = np.zeros((len(self.names), 3))
        for i, parent in enumerate(self.parents):
            if parent >= 0:
                places[i] = places[parent] + self.offsets[i]
        return places


@dataclass
class _Joint:
    name: str
    parent: int
    offset: list[float] | None = None
    channels: list[str] = field(default_factory=list)
    end: list[float] | None = None


def read_bvh(path: str | Path) -> BvhClip:
    """Read a BVH file: any channel order, root offset with or without position channels, any frame rate. Position channels
    replace the joint's offset. Raises ClipError where the file is missing, is not a BVH, is cut short, has several roots, or
    holds numbers that are not finite."""
    path = Path(path)
    if not path.is_file():
        raise ClipError(f"There is no motion file at {path}.")
    with reading(f"The motion file {path} cannot be read", ClipError):
        text = read_text(path, "utf-8-sig", "replace")
    return parse_bvh(text, path)


def parse_bvh(text: str, path: str | Path) -> BvhClip:
    """The clip of a BVH file's text; `path` names the file in messages. Raises ClipError as `read_bvh` does."""
    path = Path(path)
    if not text.lstrip().upper().startswith("HIERARCHY"):
        raise ClipError(f"{path} is not a BVH file: it does not begin with HIERARCHY. Of another file import the figure "
                        "into Blender; an action there is followed with `lope follow --blend FILE.blend --action NAME`.")
    parts = re.split(r"^\s*MOTION\s*$", text, maxsplit=1, flags=re.MULTILINE | re.IGNORECASE)
    if len(parts) < 2:
        raise ClipError(f"{path} has no MOTION section: the file is cut short or holds only a skeleton. Export it again.")
    try:
        joints = _parse_hierarchy(parts[0], path)
    except IndexError:
        raise ClipError(f"{path} has a damaged HIERARCHY: an OFFSET or CHANNELS line stands outside a joint.") from None
    frame_time, values = _parse_motion(parts[1], sum(len(j.channels) for j in joints), path)
    return _assemble(path, joints, frame_time, values)


def told_length_s(path: str | Path) -> float | None:
    """How long a BVH file says that it lasts [s], frames and all, by its head alone; None of what is no such file."""
    try:
        with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
            lines = dropwhile(lambda line: line.strip().upper() != "MOTION", file)
            head = _FRAMES.match("".join(islice(lines, 1, 1 + MOST_HEAD_LINES)))
            return None if head is None else int(head[1]) * float(head[2])
    except (OSError, ValueError):
        return None


def _open_joint(joints: list[_Joint], stack: list[int | None], level: int = 1) -> _Joint:
    """The joint whose braces are open, at a level from inside. Raises IndexError where none is, as within an End Site."""
    number = stack[-level]
    if number is None:
        raise IndexError("an End Site has no channels")
    return joints[number]


def _parse_hierarchy(text: str, path: Path) -> list[_Joint]:
    joints: list[_Joint] = []
    stack: list[int | None] = []
    pending: int | None = None
    in_end = False
    for line in re.sub(r"([{}])", r"\n\1\n", text).splitlines()[1:]:
        words = line.split()
        if not words:
            continue
        key = words[0].upper()
        if key in ("ROOT", "JOINT"):
            if key == "ROOT" and joints:
                raise ClipError(f"{path} has several roots ({joints[0].name}, {' '.join(words[1:])}); expected one figure a "
                                "file. Export each figure to a file of its own.")
            parent = next((j for j in reversed(stack) if j is not None), -1) if stack else -1
            joints.append(_Joint(" ".join(words[1:]) or f"joint{len(joints)}", parent))
            pending = len(joints) - 1
        elif key == "END":
            in_end, pending = True, None
        elif key == "{":
            stack.append(None if in_end else pending)
        elif key == "}":
            if not stack:
                raise ClipError(f"{path} has a closing brace too many in its HIERARCHY.")
            if stack.pop() is None:
                in_end = False
        elif key == "OFFSET":
            offset = _floats(words[1:], 3, "OFFSET", path)
            if not joints:
                raise ClipError(f"{path} has an OFFSET before its ROOT.")
            if in_end:
                _open_joint(joints, stack, 2).end = offset
            else:
                _open_joint(joints, stack).offset = offset
        elif key == "CHANNELS":
            joint = _open_joint(joints, stack)
            joint.channels = _channels(words, joint.name, path)
        elif key != "HIERARCHY":
            raise ClipError(f"{path} has the unknown word {words[0]!r} in its HIERARCHY; expected JOINT, OFFSET, CHANNELS.")
    if stack or not joints or any(j.offset is None for j in joints):
        raise ClipError(f"{path} has an incomplete HIERARCHY ({len(joints)} joints, {len(stack)} braces left open): "
                        "the file is cut short. Export it again.")
    return joints


def _floats(words: list[str], count: int, what: str, path: Path) -> list[float]:
    try:
        numbers = [float(w) for w in words]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(abs(number) <= MOST_NUMBER for number in numbers):
        raise ClipError(f"{path} has a damaged {what} line ({' '.join(words) or 'empty'}); expected {count} numbers, "
                        "none beyond 1e9.")
    return numbers


def _channels(words: list[str], joint: str, path: Path) -> list[str]:
    names = [w.lower() for w in words[2:]]
    unknown = [w for w in names if w not in _AXES and w not in _PLACES]
    if not words[1:] or words[1] != str(len(names)) or unknown or len(set(names)) != len(names):
        raise ClipError(f"{path} has a damaged CHANNELS line at joint {joint} ({' '.join(words[1:])}); expected a count "
                        "and as many of Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation.")
    return names


def _parse_motion(text: str, width: int, path: Path) -> tuple[float, np.ndarray]:
    """Frame time [s] and the channel values (T, width)."""
    head = _FRAMES.match(text)
    if head is None:
        raise ClipError(f"{path} lacks the lines 'Frames:' and 'Frame Time:' after MOTION; it is cut short or damaged.")
    try:
        frames, frame_time = int(head[1]), float(head[2])
    except ValueError:
        raise ClipError(f"{path} gives {head[1]!r} frames of {head[2]!r} s; expected two numbers.") from None
    if not (np.isfinite(frame_time) and 0.0 < frame_time <= MAX_FRAME_TIME_S):
        raise ClipError(f"{path} has a frame time of {head[2]} s; expected more than 0 and at most {MAX_FRAME_TIME_S:g} s.")
    if frames < 1:
        raise ClipError(f"{path} promises {frames} frames; expected at least one.")
    words = head[3].split()
    if len(words) < frames * width:
        raise ClipError(f"{path} is cut short: it promises {frames} frames of {width} numbers but holds "
                        f"{len(words)} numbers, enough for {len(words) // max(width, 1)} frames. Export it again.")
    if len(words) % max(width, 1):
        raise ClipError(f"{path} holds {len(words)} numbers, which is no whole number of frames of {width} channels.")
    try:
        values = np.array(words[: frames * width], dtype=float).reshape(frames, width)
    except ValueError as error:
        raise ClipError(f"{path} has something that is not a number among its frames: {error}.") from None
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        raise ClipError(f"{path} has a value that is not finite in frame {bad[0][0] + 1}, channel {bad[0][1] + 1} "
                        f"({len(bad)} in all). Repair or export the clip again.")
    return frame_time, values


def _assemble(path: Path, joints: list[_Joint], frame_time: float, values: np.ndarray) -> BvhClip:
    frames = len(values)
    offsets = np.array([j.offset for j in joints])
    rotations = np.broadcast_to(np.eye(3), (frames, len(joints), 3, 3)).copy()
    root = np.broadcast_to(offsets[0], (frames, 3)).copy()
    own: dict[int, np.ndarray] = {}
    column = 0
    for i, joint in enumerate(joints):
        part = values[:, column:column + len(joint.channels)]
        column += len(joint.channels)
        turns = [(k, _AXES[c]) for k, c in enumerate(joint.channels) if c in _AXES]
        if turns:
            order = "".join(axis for _, axis in turns)
            rotations[:, i] = Rotation.from_euler(order, part[:, [k for k, _ in turns]], degrees=True).as_matrix()
        for k, channel in enumerate(joint.channels):
            if channel in _PLACES:
                if i == 0:
                    root[:, _PLACES[channel]] = part[:, k]
                else:  # bones are rigid here: a joint that carries its own place keeps the usual one
                    own.setdefault(i, np.tile(offsets[i], (frames, 1)))[:, _PLACES[channel]] = part[:, k]
                    offsets[i, _PLACES[channel]] = np.median(part[:, k])
    ends = {i: np.array(j.end) for i, j in enumerate(joints) if j.end is not None}
    size = np.linalg.norm(offsets[1:], axis=1).sum()
    travels = {i: way for i, way in own.items() if np.ptp(way, axis=0).max() > TRAVELS_SHARE * size}
    return BvhClip(str(path), tuple(j.name for j in joints), tuple(j.parent for j in joints), offsets, ends, frame_time,
                   rotations, root, travels)


NAMES = {"lower_spine": "LowerBack", "chest": "Spine1", "neck": "Neck", "head": "Head", "clavicle": "Shoulder",
         "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand", "thigh": "UpLeg", "shank": "Leg", "foot": "Foot",
         "toes": "ToeBase"}
"""What each of a person's segments is called in a clip, after its side; the pelvis is the hips."""
SIDES = {"_L": "Left", "_R": "Right"}
ORDER = "ZXY"


def write_bvh(
    path: str | Path, body: Body, step_s: float, root_m: np.ndarray, root_quats: np.ndarray, joint_quats: np.ndarray,
) -> None:
    """Write poses `step_s` [s] apart: root (T, 3) [m] and (T, 4), joints (T, S-1, 4) in the order of `Body.joint_segments`. The
    rest pose is the neutral one. Raises InputError where the file cannot be written."""
    write_whole(path, bvh_text(body, step_s, root_m, root_quats, joint_quats), "clip")


def bvh_text(body: Body, step_s: float, root_m: np.ndarray, root_quats: np.ndarray, joint_quats: np.ndarray) -> str:
    return "\n".join(_lines(body, step_s, root_m, root_quats, joint_quats)) + "\n"


def _lines(body: Body, step_s: float, root_m: np.ndarray, root_quats: np.ndarray, joint_quats: np.ndarray) -> Iterator[str]:
    order = [body.segments[0].name]
    yield "HIERARCHY"
    yield from _joint(body, order[0], order, "")
    yield from ("MOTION", f"Frames: {len(root_m)}", f"Frame Time: {step_s:.9f}")
    column = {name: i for i, name in enumerate(body.joint_segments)}
    turns = [root_quats, *(joint_quats[:, column[name]] for name in order[1:])]
    angles = [Rotation.from_quat(np.roll(quats, -1, axis=-1)).as_euler(ORDER, degrees=True) for quats in turns]
    for row in np.concatenate([root_m, *angles], axis=1):
        yield " ".join(f"{value:.6f}" for value in row)


def _joint(body: Body, name: str, order: list[str], indent: str) -> Iterator[str]:
    """The lines of a joint and all below it; `order` takes the names below in the file's order."""
    root = not indent
    offset = np.zeros(3) if root else body.segment(name).offset
    yield from (f"{indent}{'ROOT' if root else 'JOINT'} {_title(body, name)}", f"{indent}{{", f"{indent}  OFFSET {_row(offset)}",
                f"{indent}  CHANNELS {'6 Xposition Yposition Zposition' if root else '3'} Zrotation Xrotation Yrotation")
    children = body.children(name)
    for child in children:
        order.append(child)
        yield from _joint(body, child, order, indent + "  ")
    if not children:
        yield from (f"{indent}  End Site", f"{indent}  {{", f"{indent}    OFFSET {_row(body.segment(name).tip)}", f"{indent}  }}")
    yield f"{indent}}}"


def _title(body: Body, name: str) -> str:
    if not isinstance(body, Human):
        return name
    stem, side = (name[:-2], name[-2:]) if name.endswith(tuple(SIDES)) else (name, "")
    return "Hips" if stem == "pelvis" else SIDES.get(side, "") + NAMES[stem]


def _row(values: np.ndarray) -> str:
    return " ".join(f"{value:.6f}" for value in values)
