# SPDX-License-Identifier: GPL-3.0-or-later
"""Any body's poses as a BVH clip, which Lope and Blender read again: metres, x forward, y left, z up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from ..bodies.body import Body
from ..bodies.human.body import Human
from ..errors import InputError

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
    path = Path(path)
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_text(bvh_text(body, step_s, root_m, root_quats, joint_quats), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise InputError(f"The clip cannot be written to {path}: {error.strerror or error}.") from error


def bvh_text(body: Body, step_s: float, root_m: np.ndarray, root_quats: np.ndarray, joint_quats: np.ndarray) -> str:
    """The same as text, which `bvh.parse_bvh` reads."""
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
    """A segment's name in the clip."""
    if not isinstance(body, Human):
        return name
    stem, side = _parts(name)
    return "Hips" if stem == "pelvis" else SIDES.get(side, "") + NAMES[stem]


def _parts(name: str) -> tuple[str, str]:
    """A segment's name without its side, and the side with its underscore."""
    return (name[:-2], name[-2:]) if name.endswith(tuple(SIDES)) else (name, "")


def _row(values: np.ndarray) -> str:
    return " ".join(f"{value:.6f}" for value in values)
