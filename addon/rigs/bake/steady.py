# SPDX-License-Identifier: GPL-3.0-or-later
"""The trunk over hips and legs that are baked alone: it would rock with the hips, as a walk's trunk does not."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...specs.bake_options import BakeOptions
from .controls import Chain
from .own_motion import OwnMotion
from .ownership import not_the_artists

TRUNK = ("lower_spine", "chest")
"""Segments over the hips, the lowest first."""


def steady_bone(armature: bpy.types.Object, chain: Chain, options: BakeOptions) -> str | None:
    """The trunk's lowest bone, where a bake of hips and legs is to keep it upright: not one that the artist has posed or keyed,
    and not in a part of an action, at whose ends it would snap. None where there is none."""
    if options.parts != "legs" or options.target == "replace":
        return None
    bone_of = {segment: bone for bone, segment in chain.segment_of.items()}
    bone = next((bone_of[segment] for segment in TRUNK if segment in bone_of), None)
    return bone if bone in not_the_artists(armature) else None


def held_upright(motion: OwnMotion, segment: str, heading: np.ndarray) -> OwnMotion:
    """The motion with a segment that stands as in the neutral pose, and faces where the body heads (T,) [rad]."""
    turns, zero = motion.turns.copy(), np.zeros_like(heading)
    turns[:, motion.body.index[segment]] = np.stack([np.cos(0.5 * heading), zero, zero, np.sin(0.5 * heading)], axis=1)
    return replace(motion, turns=turns)
