# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's frame range: it follows the bakes as long as nobody else has set it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import bpy

from ..read.curves import curves_of
from .provenance import SHOT_KEY, written_frames

RANGE_KEY = "lope_range"
"""Property of a scene: first and last frame of its range as Lope's last bake set them."""

UNTOUCHED = (1, 250)
"""The range of a new scene in Blender."""

_SIMULATED = ("CLOTH", "SOFT_BODY", "FLUID", "PARTICLE_SYSTEM", "DYNAMIC_PAINT", "OCEAN")


def fit_range(scene: bpy.types.Scene, action: bpy.types.Action, *, whole: bool) -> bool:
    """Let a scene end where a fresh bake does, if its range is a new scene's or that of the last bake; whether the bake lies
    within it. It is made longer for any bake, shorter only for a `whole` take, and never so that it cuts off what else moves. A
    range that somebody set stays."""
    now, last = (scene.frame_start, scene.frame_end), round(written_frames(action)[1])
    if tuple(scene.get(RANGE_KEY, UNTOUCHED)) == now:
        short = whole and not action.use_cyclic and last > scene.frame_start
        scene.frame_end = max(last, moving_until(scene) if short else now[1])
        scene[RANGE_KEY] = [scene.frame_start, scene.frame_end]
    return last <= scene.frame_end


def moving_until(scene: bpy.types.Scene) -> int:
    """The last frame of a scene's range at which something in it moves; its end where Lope baked nothing."""
    ends = list(_moving(scene))
    if not any(lopes for _, lopes in ends):
        return scene.frame_end
    last = max(end for end, _ in ends)
    return round(last) if scene.frame_start < last < scene.frame_end else scene.frame_end


def _moving(scene: bpy.types.Scene) -> Iterator[tuple[float, bool]]:
    """Where each motion in a scene ends, of objects, their data and shapes, the scene itself and its world, and whether Lope
    baked it. What repeats or is simulated has no end; what drivers move is not seen."""
    for item in scene.objects:
        for owner in (item, item.data, getattr(item.data, "shape_keys", None)):
            yield from _ends(getattr(owner, "animation_data", None))
        if item.rigid_body is not None or any(modifier.type in _SIMULATED for modifier in item.modifiers):
            yield math.inf, False
    for owner in (scene, scene.world):
        yield from _ends(getattr(owner, "animation_data", None))


def _ends(data: bpy.types.AnimData | None) -> Iterator[tuple[float, bool]]:
    """Where the action and the strips of an owner end."""
    if data is None:
        return
    if data.action is not None:
        goes_on = data.action.use_cyclic or any(len(curve.modifiers) for curve in curves_of(data.action, data.action_slot))
        yield math.inf if goes_on else float(data.action.frame_range[1]), SHOT_KEY in data.action
    for track in data.nla_tracks:
        for strip in () if track.mute else track.strips:
            yield float(strip.frame_end), strip.action is not None and SHOT_KEY in strip.action
