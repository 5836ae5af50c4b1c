# SPDX-License-Identifier: GPL-3.0-or-later
"""BVH files made by code: a motion of the standard body written with any unit, channel order, rest pose and frame rate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.cycle import Cycle, pose
from lope.addon.specs.shot import BodySpec

FILE_AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # file x = left, y = up, z = forward

CGSPEED = {"lower_spine": "LowerBack", "chest": "Spine1", "neck": "Neck", "head": "Head", "clavicle": "Shoulder",
           "upper_arm": "Arm", "forearm": "ForeArm", "hand": "Hand", "thigh": "UpLeg", "shank": "Leg", "foot": "Foot",
           "toes": "ToeBase"}
MAX = {"lower_spine": "lowerback", "chest": "Chest", "neck": "Neck", "head": "Head", "clavicle": "Collar",
       "upper_arm": "Shoulder", "forearm": "Elbow", "hand": "Wrist", "thigh": "Hip", "shank": "Knee", "foot": "Ankle",
       "toes": "Toe"}
MIXAMO = CGSPEED | {"lower_spine": "Spine"}
LANDMARK = {"upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist", "thigh": "hip", "shank": "knee", "foot": "ankle"}
TIPS = {"head": "head_top", "hand": "hand_tip", "toes": "toe_tip"}


@dataclass
class Style:
    """How a file is written."""

    unit_m: float = 0.01
    order: str = "ZXY"
    names: dict | None = None
    prefix: str = ""
    legs_apart_deg: float = 0.0
    arms_up_deg: float = 0.0
    line_end: str = "\n"
    root_offset: tuple = (0.0, 0.0, 0.0)
    fillers: bool = False
    frame_time: float = 1.0 / 60.0


def walk_poses(cycle: Cycle, seconds: float, fps: float, heading: float = 0.0, slope: float = 0.0, phase: float = 0.3):
    """Body and its root (T, 3), root rotation (T, 3, 3) and segment orientations (T, S, 3, 3) walking straight on.

    `slope` is how much the floor rises along the way (m a metre), as a badly calibrated recording has it.
    """
    body = make_body(BodySpec())
    times = np.arange(round(seconds * fps) + 1) / fps
    root, root_quat, joints = pose(cycle.evaluate(phase + cycle.stride_frequency_hz * times), body)
    speed = cycle.speed_m_s * body.leg_length_m / cycle.leg_length_m
    root[:, 0] += speed * times
    _, quats = segment_poses(body, root, root_quat, joints)
    turn = Rotation.from_euler("z", heading).as_matrix()
    root = root @ turn.T
    root[:, 2] += slope * (root[:, :2] @ turn[:2, 0])
    return body, root, turn @ matrix_from_quat(quats)


def standing_poses(seconds: float, fps: float):
    """The body standing still in the neutral pose."""
    body = make_body(BodySpec())
    frames = round(seconds * fps) + 1
    root = np.tile([0.0, 0.0, body.pelvis_height_m], (frames, 1))
    return body, root, np.broadcast_to(np.eye(3), (frames, len(body.segments), 3, 3))


def write_bvh(path: Path, body: Body, root: np.ndarray, orientations: np.ndarray, style: Style) -> Path:
    """Write a motion as BVH; the rest pose has legs apart and arms raised as the style says."""
    swing = _rest_swing(style)
    rest = _rest_landmarks(body, swing)
    names = style.names or CGSPEED
    children: dict[str, list[str]] = {}
    for segment in body.segments[1:]:
        children.setdefault(segment.parent, []).append(segment.name)
    lines, order = ["HIERARCHY"], []

    def title(segment: str) -> str:
        stem, side = _split(segment)
        word = {"L": "Left", "R": "Right", "": ""}[side]
        return style.prefix + ("Hips" if segment == "pelvis" else word + names[stem])

    def place(segment: str) -> np.ndarray:
        stem, side = _split(segment)
        return rest[LANDMARK.get(stem, stem) + (f"_{side}" if side else "")]

    def vector(v: np.ndarray) -> str:
        return " ".join(f"{x:.6f}" for x in FILE_AXES @ v / style.unit_m)

    def emit(segment: str, parent: str | None, depth: int) -> None:
        pad = "\t" * depth
        at_root = " ".join(f"{x:.6f}" for x in style.root_offset)
        offset = at_root if parent is None else vector(place(segment) - place(parent))
        if style.fillers and _split(segment)[0] == "thigh":
            lines.extend([f"{pad}JOINT {style.prefix}{_split(segment)[1]}HipJoint", pad + "{", f"{pad}\tOFFSET 0 0 0",
                          f"{pad}\tCHANNELS 3 Zrotation Yrotation Xrotation"])
            order.append(None)
            emit_plain(segment, offset, depth + 1)
            lines.append(pad + "}")
            return
        emit_plain(segment, offset, depth)

    def emit_plain(segment: str, offset: str, depth: int) -> None:
        pad = "\t" * depth
        rotations = " ".join(f"{axis}rotation" for axis in style.order)
        word = "ROOT" if segment == "pelvis" else "JOINT"
        lines.extend([f"{pad}{word} {title(segment)}", pad + "{", f"{pad}\tOFFSET {offset}"])
        lines.append(f"{pad}\tCHANNELS 6 Xposition Yposition Zposition {rotations}" if segment == "pelvis"
                     else f"{pad}\tCHANNELS 3 {rotations}")
        order.append(segment)
        for child in children.get(segment, []):
            emit(child, segment, depth + 1)
        stem, side = _split(segment)
        if stem in TIPS:
            tip = rest[TIPS[stem] + (f"_{side}" if side else "")]
            lines.extend([f"{pad}\tEnd Site", pad + "\t{", f"{pad}\t\tOFFSET {vector(tip - place(segment))}", pad + "\t}"])
        lines.append(pad + "}")

    emit("pelvis", None, 0)
    lines += ["MOTION", f"Frames: {len(root)}", f"Frame Time: {style.frame_time:.7f}"]
    turns = {s.name: FILE_AXES @ orientations[:, i] @ swing.get(s.name, np.eye(3)) @ FILE_AXES.T
             for i, s in enumerate(body.segments)}
    columns = [root @ FILE_AXES.T / style.unit_m]
    for segment in order:
        if segment is None:
            columns.append(np.zeros((len(root), 3)))
            continue
        parent = body.segment(segment).parent
        local = turns[segment] if parent is None else np.swapaxes(turns[parent], 1, 2) @ turns[segment]
        columns.append(Rotation.from_matrix(local).as_euler(style.order, degrees=True))
    lines += [" ".join(f"{x:.6f}" for x in row) for row in np.hstack(columns)]
    path.write_bytes((style.line_end.join(lines) + style.line_end).encode())
    return path


def _split(segment: str) -> tuple[str, str]:
    return (segment[:-2], segment[-1]) if segment[-2:] in ("_L", "_R") else (segment, "")


def _rest_swing(style: Style) -> dict[str, np.ndarray]:
    """Segment -> rotation that takes the rest pose to the neutral pose."""
    swing = {}
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for parts, degrees in ((("thigh", "shank", "foot", "toes"), style.legs_apart_deg),
                               (("upper_arm", "forearm", "hand"), style.arms_up_deg)):
            turn = Rotation.from_euler("x", -sign * degrees, degrees=True).as_matrix()
            swing |= {f"{part}_{side}": turn for part in parts}
    return swing


def _rest_landmarks(body: Body, swing: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The body's landmarks with whole limbs swung out of the neutral pose."""
    rest = dict(body.landmarks)
    for side in "LR":
        for joint, segment, below in (("hip", "thigh", ("knee", "ankle", "toes", "toe_tip")),
                                      ("shoulder", "upper_arm", ("elbow", "wrist", "hand_tip"))):
            centre = rest[f"{joint}_{side}"]
            for name in below:
                rest[f"{name}_{side}"] = centre + swing[f"{segment}_{side}"].T @ (rest[f"{name}_{side}"] - centre)
    return rest
