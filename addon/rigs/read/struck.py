# SPDX-License-Identifier: GPL-3.0-or-later
"""Which part of the body is meant where somebody points at a bone of a rig: itself, what carries it, or what lies nearest."""

from __future__ import annotations

import numpy as np

from ...errors import RigError, unknown_name
from .figure import Figure, RestBone


def segment_of_bone(figure: Figure, name: str) -> str:
    """The segment that a bone of a figure belongs to. A bone of the map is its own part, an IK control the limb's end that it
    moves; a finger or a helper belongs to the mapped bone that carries it; any other control or bone to the mapped bone that it
    lies nearest to at rest. Raises InputError for a bone that there is not."""
    if name not in figure.bone:
        raise unknown_name(f"bone of {figure.name!r}, nor a part of the body,", name, figure.bone)
    segments = {bone: segment for segment, bone in figure.bone_of.items()}
    if figure.controls is not None:
        segments = {bone: of for of, bone in figure.controls.ik.items() if of in figure.bone_of} | segments
    above: str | None = name
    while above is not None:
        if above in segments:
            return segments[above]
        above = figure.bone[above].parent
    return nearest_segment(figure, figure.bone[name])


def nearest_segment(figure: Figure, bone: RestBone) -> str:
    """The segment whose mapped bone a bone lies nearest to at rest."""
    middle = 0.5 * (bone.head + bone.tail)
    found = {segment: _distance(middle, figure.bone[mapped]) for segment, mapped in figure.bone_of.items()}
    if not found:
        raise RigError(f"The rig {figure.name!r} has no part of the body that could be struck; map its bones.")
    return min(found, key=lambda segment: found[segment])


def _distance(place: np.ndarray, bone: RestBone) -> float:
    """From a place (3,) to a bone's line."""
    along = bone.tail - bone.head
    share = float(np.clip((place - bone.head) @ along / max(float(along @ along), 1e-12), 0.0, 1.0))
    return float(np.linalg.norm(place - bone.head - share * along))
