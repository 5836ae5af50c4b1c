# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake may be asked for: one frozen, validated description. No Blender."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..checks import check_number
from ..errors import InputError, unknown_name

TARGETS = ("new", "replace", "slot")
"""Where the keys go: a new action; a copy of the present one with the baked channels replaced in the frame range; a copy of
the present one with a slot of its own for the bake."""

CONTROLS = ("auto", "fk", "ik")
"""Which controls of a rig that has both get the legs: IK where there are IK controls ("auto"), FK, or only IK."""

ROOT_MOTIONS = ("hips", "in_place", "root_bone", "object")
"""What carries the travel: the hips; nothing (a treadmill); the rig's root bone; the armature object."""

FRAME_LIMIT = 1_000_000
"""Largest frame number Blender's timeline has (its MAXFRAME is 1048574)."""

FINEST_ERROR_M, COARSEST_ERROR_M = 1e-5, 0.1

STAGE = "stage"
"""true (the default): ground, sun and sky of the world where the rig's file has no lamp; false: the file as it is."""


@dataclass(frozen=True)
class BakeOptions:
    """How a take is written on a rig. Every field has the plain choice as its default.

    `start_frame`: the frame of the take's first sample. `frame_range`: first and last frame to write, None for all of the
    take (with "replace" also the range that is replaced). `frame_step`: one key every so many frames. `controls`: one of
    `CONTROLS`. `root_motion`: one of `ROOT_MOTIONS`. `loop`: one whole stride, made seamless. `lock_feet`: keep the sole's
    points still while they carry weight. `reduce_error_m`: largest error [m] at hands, feet and head that leaving keys out
    may make; None keeps every key. `push_down`: put the action in an NLA track of its own and leave the active slot empty.
    `markers`: pose markers at strikes and offs. `subframe_events`: extra keys at the exact times of strikes and offs,
    between frames. `locked_frames`: first and last frame whose keys stay as they are, with "replace" only.
    """

    target: str = "new"
    start_frame: int = 1
    frame_range: tuple[int, int] | None = None
    frame_step: int = 1
    controls: str = "auto"
    root_motion: str = "hips"
    loop: bool = False
    lock_feet: bool = True
    reduce_error_m: float | None = None
    push_down: bool = False
    markers: bool = True
    subframe_events: bool = False
    name: str | None = None
    locked_frames: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for kind, value, known in (("bake target", self.target, TARGETS), ("kind of controls", self.controls, CONTROLS),
                                   ("root motion", self.root_motion, ROOT_MOTIONS)):
            if value not in known:
                raise unknown_name(kind, value, known)
        _check_whole("The start frame", self.start_frame, -FRAME_LIMIT, FRAME_LIMIT)
        _check_whole("The frame step", self.frame_step, 1, 1000)
        if self.frame_range is not None:
            if len(self.frame_range) != 2:
                raise InputError(f"A frame range is a first and a last frame, got {self.frame_range!r}.")
            for frame in self.frame_range:
                _check_whole("Each end of the frame range", frame, -FRAME_LIMIT, FRAME_LIMIT)
            if self.frame_range[0] >= self.frame_range[1]:
                raise InputError(f"The frame range ends at {self.frame_range[1]}, not after its start at "
                                 f"{self.frame_range[0]}; give a later last frame.")
        if self.locked_frames is not None:
            if len(self.locked_frames) != 2 or self.locked_frames[0] > self.locked_frames[1]:
                raise InputError(f"Locked frames are a first and a last frame, got {self.locked_frames!r}.")
            for frame in self.locked_frames:
                _check_whole("Each end of the locked frames", frame, -FRAME_LIMIT, FRAME_LIMIT)
            if self.target != "replace":
                raise InputError("Frames can be locked only where keys are replaced: choose Replace Range as what is written "
                                 "to, or unlock them.")
        if self.reduce_error_m is not None:
            check_number("The error of key reduction", self.reduce_error_m, FINEST_ERROR_M, COARSEST_ERROR_M, "m")
        if self.loop and self.frame_range is not None:
            raise InputError("A loop has the length of one stride, so it takes no frame range; switch off one of the two.")


def bake_options(table: Mapping[str, Any]) -> BakeOptions:
    """The options that a `bake` table describes. Raises InputError."""
    values = {name: value for name, value in table.items() if name != STAGE}
    if isinstance(values.get("frame_range"), list):
        values["frame_range"] = tuple(values["frame_range"])
    return BakeOptions(**values)


def _check_whole(what: str, value: object, low: int, high: int) -> None:
    """Raises InputError unless `value` is a whole number in [low, high]."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{what} must be a whole number between {low} and {high}, got {value!r}.")
