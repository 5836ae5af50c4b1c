# SPDX-License-Identifier: GPL-3.0-or-later
"""The way back: from bone channels to where the bones are, as Blender poses them. Plain numpy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...maths.quaternions import matrix_from_quat, quat_conjugate, quat_multiply, quat_rotate
from .controls import Chain
from .pose import BoneChannels


def replay(chain: Chain, channels: Mapping[str, BoneChannels], frames: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Turn away from rest (T, 4) and head (T, 3), armature space, of every bone of a chain."""
    bones, found = chain.bone, {}
    identity = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (frames, 4))
    for bone in chain.bones:
        if bone.parent is None:
            base = axes_turn = identity
            head = np.broadcast_to(bone.head, (frames, 3))
        else:
            axes_turn, above = found[bone.parent]
            base = axes_turn if bone.inherits_rotation else identity
            head = above + quat_rotate(axes_turn, np.broadcast_to(bone.head - bones[bone.parent].head, (frames, 3)))
        own = channels.get(bone.name)
        turn = base
        if own is not None and own.rotation is not None:
            rest = chain.rest_turn[bone.name]
            turn = quat_multiply(quat_multiply(base, quat_multiply(rest, own.rotation)), quat_conjugate(rest))
        if own is not None and own.location is not None:
            axes = bone.rotation if bone.location_axes is None else bone.location_axes
            head = head + np.einsum("tij,tj->ti", matrix_from_quat(axes_turn) @ axes, own.location)
        found[bone.name] = turn, head
    return found


def end_points(chain: Chain, poses: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Heads and tails (T, N, 3), armature space, of the bones at the ends of the limbs and of the head."""
    points, bones = [], chain.bone
    for name, segment in chain.segment_of.items():
        if segment in chain.ends:
            bone, (turn, head) = bones[name], poses[name]
            points += [head, head + quat_rotate(turn, np.broadcast_to(bone.tail - bone.head, head.shape))]
    return np.stack(points, axis=1)
