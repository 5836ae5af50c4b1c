# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake may be asked for: one frozen, validated description. No Blender."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..checks import Choice, Maybe, Number, Series, Text, Whole
from ..errors import InputError
from .settings import Checked, setting

TARGETS = ("update", "new", "replace", "slot")
"""Where the keys go: the present action where Lope baked it and nobody has touched its keys since, else a new one; a new action;
a copy of the present one with the baked channels replaced in the frame range; a copy of it with a slot for the bake."""
PARTS = ("all", "legs", "no_arms", "bones")
"""Which bones get keys: all that the take moves; hips and legs, with what carries them; all but arms and hands; those named."""
CONTROLS = ("auto", "fk", "ik")
"""Which controls of a rig that has both get the legs: IK where there are IK controls ("auto"), FK, or only IK."""
ROOT_MOTIONS = ("hips", "in_place", "root_bone", "object")
"""What carries the travel: the hips; nothing (a treadmill); the rig's root bone; the armature object."""
FRAME_LIMIT = 1_000_000
"""Largest frame number Blender's timeline has (its MAXFRAME is 1048574)."""
FINEST_ERROR_M, COARSEST_ERROR_M = 1e-5, 0.1
FRAME = Whole(-FRAME_LIMIT, FRAME_LIMIT)
STAGE, DUST = "stage", "dust"
"""What else a table of a bake may hold. `stage`: true (the default) for ground, sun and sky of the world where the rig's file has
no lamp, false for the file as it is; `dust`: true for footprints and dust, false (the default) for none."""


@dataclass(frozen=True)
class BakeOptions(Checked):
    """How a take is written on a rig. Every field has the plain choice as its default. `start_frame`: the frame of the take's
    first sample. `frame_range`: first and last frame to write, None for all of the take (with "replace" also the range that is
    replaced). `frame_step`: one key every so many frames. `controls`: one of `CONTROLS`. `root_motion`: one of `ROOT_MOTIONS`.
    `loop`: one whole stride, made seamless. `lock_feet`: keep the sole's points still while they carry weight. `reduce_error_m`:
    largest error [m] at hands, feet and head that leaving keys out may make; None keeps every key. `push_down`: put the action in
    an NLA track of its own and leave the active slot empty. `markers`: pose markers at strikes and offs. `subframe_events`: extra
    keys at the exact times of strikes and offs, between frames. `locked_frames`: first and last frame whose keys stay as they
    are, with "replace" only. `hang`: let swing what hangs on the rig, but where frames are locked."""

    FIELD = "bake option"
    target: str = setting("update", rule=Choice("bake target", TARGETS))
    start_frame: int = setting(1, rule=FRAME, words="the start frame")
    frame_range: tuple[int, int] | None = setting(None, rule=Maybe(Series(FRAME, 2, "Each end of the frame range")))
    frame_step: int = setting(1, 1, 1000, words="the frame step")
    controls: str = setting("auto", rule=Choice("kind of controls", CONTROLS))
    root_motion: str = setting("hips", rule=Choice("root motion", ROOT_MOTIONS))
    loop: bool = setting(False)
    lock_feet: bool = setting(True)
    reduce_error_m: float | None = setting(None, rule=Maybe(Number(FINEST_ERROR_M, COARSEST_ERROR_M, "m")),
                                           words="the error of key reduction")
    push_down: bool = setting(False)
    markers: bool = setting(True)
    subframe_events: bool = setting(False)
    name: str | None = setting(None, rule=Maybe(Text()))
    locked_frames: tuple[int, int] | None = setting(None, rule=Maybe(Series(FRAME, 2, "Each end of the locked frames")))
    parts: str = setting("all", rule=Choice("part of the body", PARTS))
    bones: tuple[str, ...] = setting((), rule=Series(Text()))
    keep_old: bool = setting(False)
    go_on: bool = setting(False)
    hang: bool = setting(True)
    after_frame: float | None = setting(None, rule=Maybe(Number(-FRAME_LIMIT, FRAME_LIMIT, "(frames)")),
                                        words="the frame at which the take before ends")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.frame_range is not None and self.frame_range[0] >= self.frame_range[1]:
            raise InputError(f"The frame range ends at {self.frame_range[1]}, not after its start at "
                             f"{self.frame_range[0]}; give a later last frame.")
        if self.locked_frames is not None:
            if self.locked_frames[0] > self.locked_frames[1]:
                raise InputError(f"Locked frames are a first and a last frame, got {self.locked_frames!r}.")
            if self.target != "replace":
                raise InputError("Frames can be locked only where keys are replaced: choose Replace Range as what is written "
                                 "to, or unlock them.")
        if self.loop and self.frame_range is not None:
            raise InputError("A loop has the length of one stride, so it takes no frame range; switch off one of the two.")
        if self.loop and self.go_on:
            raise InputError("A loop repeats for ever, so it goes on from no other motion; switch off one of the two.")
        if (self.parts == "bones") != bool(self.bones):
            raise InputError("To bake some bones only, choose them: select them, or give their names, together with that choice "
                             "of what is baked.")


def bake_options(table: Mapping[str, Any]) -> BakeOptions:
    """The options that a `bake` table describes. Raises InputError."""
    return BakeOptions.from_dict({name: value for name, value in table.items() if name not in (STAGE, DUST)})
