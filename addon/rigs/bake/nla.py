# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked actions as strips in a row: each plays when it is its turn, and none stands still over another that still moves."""

from __future__ import annotations

import math

import bpy

from .ownership import all_lopes
from .provenance import SHOT_KEY

TRACK = "Lope"
"""Name of a track of baked actions; one on which an action of the artist's is put is called like that."""


def push_down(item: bpy.types.Object, action: bpy.types.Action, slot: bpy.types.ActionSlot) -> bpy.types.NlaStrip:
    """Put an action on the NLA where its keys are: behind the strips of the topmost track if that is Lope's and has room, else
    on a new track above all. The object's own action is left as it is."""
    data = item.animation_data or item.animation_data_create()
    first, last = math.floor(action.frame_range[0]), action.frame_range[1]
    track = next(iter(reversed(data.nla_tracks)), None)
    if track is None or not _has_room(track, first):
        name = _free_name(data, TRACK if SHOT_KEY in action else action.name)
        track = data.nla_tracks.new()
        track.name = name
    strip = track.strips.new(action.name, first, action)
    strip.action_slot = slot
    _settle(data, strip, first, last)
    return strip


def lope_strips(item: bpy.types.Object) -> list[bpy.types.NlaStrip]:
    """The strips of baked actions, the one that ends last at the end."""
    data = item.animation_data
    tracks = [] if data is None else [track for track in data.nla_tracks if not track.mute]
    found = [strip for track in tracks for strip in track.strips if strip.action is not None and SHOT_KEY in strip.action]
    return sorted(found, key=lambda strip: strip.frame_end)


def drop_strips(item: bpy.types.Object, first: float) -> None:
    """Take away strips that begin at a frame and whose actions are Lope's alone and untouched: a new bake takes their place."""
    for strip in lope_strips(item):
        action = strip.action
        if abs(strip.frame_start - first) < 0.5 and all_lopes(action):
            track = next(one for one in item.animation_data.nla_tracks if strip in list(one.strips))
            track.strips.remove(strip)
            if not len(track.strips):
                item.animation_data.nla_tracks.remove(track)
            if not action.users:
                bpy.data.actions.remove(action)


def _free_name(data: bpy.types.AnimData, wanted: str) -> str:
    """A name for a track that no other has, numbered as Blender numbers."""
    taken = {track.name for track in data.nla_tracks}
    numbered = (f"{wanted}.{number:03d}" for number in range(1, len(taken) + 1))
    return next(name for name in (wanted, *numbered) if name not in taken)


def _has_room(track: bpy.types.NlaTrack, first: float) -> bool:
    """Whether a track holds baked actions alone, and all of them end before."""
    return bool(len(track.strips)) and not track.lock and all(
        strip.action is not None and SHOT_KEY in strip.action and strip.frame_end <= first for strip in track.strips)


def _settle(data: bpy.types.AnimData, strip: bpy.types.NlaStrip, first: float, last: float) -> None:
    """How far the pose of a new strip holds: before it only where no other strip comes earlier, after it only where none lasts
    longer. An earlier bake's pose no longer holds backwards over what now comes before it."""
    others = [other for track in data.nla_tracks if not track.mute for other in track.strips if other != strip]
    if any(other.frame_end > last for other in others):
        strip.extrapolation = "NOTHING"
    else:
        strip.extrapolation = "HOLD_FORWARD" if any(other.frame_start < first for other in others) else "HOLD"
    for other in others:
        if other.extrapolation == "HOLD" and other.frame_start > first and other.action is not None and SHOT_KEY in other.action:
            other.extrapolation = "HOLD_FORWARD"
