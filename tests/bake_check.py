# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare Blender's evaluated bones with the simulated segments of a synthetic take."""

from __future__ import annotations

import numpy as np

from blender_scene import FACING_MINUS_Y, angle_deg, bpy, pose_in_world, turn_between
from lope.addon.bodies.body import Body
from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.maths.rotations import matrix_from_quat
from synthetic_take import motion

FRAMES = (1, 4, 9, 15, 22, 28, 31)


def body_of(figure) -> Body:
    return make_body(figure.body_spec(70.0))


def check(armature, figure, body: Body, rest: dict, *, ground=None, axes=FACING_MINUS_Y, scale: float = 1.0, seed: int = 0,
          reach: float = 0.3, frames=FRAMES, start: int = 1, degrees: float = 0.1, metres: float = 1e-3) -> None:
    """Compare Blender's evaluated bones with the simulated segments at some frames.

    `ground` (3,) and `axes` (3, 3) say where in the world the take's origin and axes are; `scale` is its path's.
    """
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    if ground is None:
        middle = 0.5 * (rest[figure.bone_of["thigh_L"]][:3, 3] + rest[figure.bone_of["thigh_R"]][:3, 3])
        ground = np.array([middle[0], middle[1], middle[2] - figure.landmarks["pelvis"][2]])
    alignments = neutral_alignments(figure.points)
    for frame in frames:
        places, turns = segment_poses(body, *motion(body, np.array([(frame - start) / rate]), seed, reach))
        pose = pose_in_world(armature, frame)
        for segment, bone in figure.bone_of.items():
            row = body.index[segment]
            wanted = axes @ matrix_from_quat(turns[0, row]) @ alignments[segment] @ axes.T
            found = turn_between(rest[bone], pose[bone])
            if segment.startswith(("forearm", "hand")):  # they turn about their length: palms face the thighs, and see pronation
                wanted = _about_length(wanted, found, axes @ alignments[segment].T @ [0.0, 0.0, -1.0])
            assert angle_deg(found, wanted) < degrees, f"{segment} turned wrongly at frame {frame}"
            if segment != "pelvis":
                place = ground + scale * axes @ places[0, row]
                assert np.abs(pose[bone][:3, 3] - place).max() < metres, f"{segment} misplaced at frame {frame}"
        for side in ("L", "R"):
            chain = [figure.bone_of[f"{s}_{side}"] for s in ("thigh", "shank", "foot")]
            rows = [body.index[f"{s}_{side}"] for s in ("thigh", "shank", "foot")]
            for i in (0, 1):
                bone_way = pose[chain[i + 1]][:3, 3] - pose[chain[i]][:3, 3]
                segment_way = axes @ (places[0, rows[i + 1]] - places[0, rows[i]])
                cross = np.cross(bone_way, segment_way)
                sine = np.linalg.norm(cross) / np.linalg.norm(bone_way) / np.linalg.norm(segment_way)
                assert np.degrees(np.arcsin(min(sine, 1.0))) < degrees


def _about_length(wanted: np.ndarray, found: np.ndarray, along: np.ndarray) -> np.ndarray:
    """`wanted` (3, 3), turned about the length `along` (3,) at rest until it is nearest to `found`."""
    x = np.cross(along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.8 else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    frame = np.column_stack([x, np.cross(along, x), along])
    away = frame.T @ wanted.T @ found @ frame
    angle = np.arctan2(away[1, 0] - away[0, 1], away[0, 0] + away[1, 1])
    c, s = np.cos(angle), np.sin(angle)
    return wanted @ frame @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ frame.T
