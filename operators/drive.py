# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: take the wheel in the viewport; bring back a drive that was cut short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from ..addon.errors import InputError
from . import driving
from .context import active_armature, allows, poll_own_armature, reports_errors, said, words
from .watched import Sitting

if TYPE_CHECKING:
    from .drive_session import Drive

TALL = 1.0
"""Height over the hips [Blender units of the view] by which a click's place beside the body is judged."""
SLOW = 0.95
"""Below this share of the clock's speed it is said that the clock is slowed down."""


class LOPE_OT_drive(Sitting, bpy.types.Operator):
    """Take the wheel: the character goes in the viewport at the speed of the clock, under the world you have chosen. Nothing in \
the scene is changed until you keep what you drove"""

    bl_idname = "lope.drive"
    bl_label = "Drive"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from .watched import poll_idle

        return poll_idle(cls, context, words("A character is driven in a 3D viewport"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        self._region = next(r for r in context.area.regions if r.type == "WINDOW")
        self._drive = driving.begin(active_armature(context), context.scene, context.area)
        return self.sit(context, self._drive)

    def left(self) -> None:
        """Nobody holds a key any more."""
        self._drive.held.clear()

    def take(self, event: bpy.types.Event) -> bool:
        """Let a key or a click steer; whether it was one of ours."""
        from ..addon.jobs.wheel import DRIVING
        from .watched import is_views_own
        from .wheel import KEYS, NUMBERS

        drive = self._drive
        if event.type in KEYS or event.type in NUMBERS:
            if event.value == "PRESS":
                drive.press(event.type)
            elif event.value == "RELEASE":
                drive.release(event.type)
        elif event.type == "SPACE" and event.value == "PRESS" and not event.is_repeat:
            drive.space()
        elif event.type in ("RET", "NUMPAD_ENTER") and event.value == "PRESS":
            drive.keep()
        elif event.type == "ESC" and event.value == "PRESS":
            drive.give_up()
        elif event.type == "LEFTMOUSE" and self._in_view(event):
            if event.value == "PRESS" and drive.state == DRIVING:
                self._push(event)
        else:
            return not is_views_own(event)
        return True

    def _push(self, event: bpy.types.Event) -> None:
        """Push the character away from who looks, or from the side where the click was."""
        import numpy as np

        from .wheel import push_way

        view, trunk = self._area.spaces.active.region_3d, self._drive.trunk()
        at = location_3d_to_region_2d(self._region, view, trunk)
        over = location_3d_to_region_2d(self._region, view, trunk + Vector((0.0, 0.0, TALL)))
        right, ahead = (view.view_rotation @ Vector(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0)))
        seen = at is not None and over is not None  # else it is behind who looks
        beside, tall = (event.mouse_x - self._region.x - at.x, (over - at).length) if seen else (0.0, 1.0)
        way = push_way(beside, tall, (right.x, right.y), (ahead.x, ahead.y))
        self._drive.push(np.array([*way, 0.0]))

    def _in_view(self, event: bpy.types.Event) -> bool:
        """Whether the mouse is over the view that is driven in, and over nothing that lies on it."""
        def over(region: bpy.types.Region) -> bool:
            x, y = event.mouse_x - region.x, event.mouse_y - region.y
            return 0 <= x < region.width and 0 <= y < region.height

        return over(self._region) and not any(over(r) for r in self._area.regions if r.type != "WINDOW" and r.width > 1)

    def keys_now(self) -> str:
        """What the keys do now."""
        return keys_now(self._drive)

    def how_it_goes(self) -> str:
        """How the drive goes."""
        return how_it_goes(self._drive)


def keys_now(drive: Drive) -> str:
    """What the keys do now."""
    from ..addon.jobs.wheel import DRIVING, FELL, READY

    if drive.state == READY:
        return words("Space: go and record   |   Esc: give up")
    if drive.state == FELL:
        return words("Space: start anew   |   Enter: keep the fall   |   Esc: give up")
    if drive.state != DRIVING:
        return words("Esc: give up")
    return "   |   ".join([*steering_words(drive.reach.takes, [name for name, _ in drive.reach.gaits], drive.target is not None),
                           words("Click: push"), words("Space: stop and keep"), words("Esc: give up")])


def steering_words(takes: Sequence[str], gaits: Sequence[str], target: bool) -> list[str]:
    """What the keys that steer do, of what the controller takes; `gaits` in the order of the number keys."""
    if target:
        return [words("It goes to the target")]
    told = []
    if "speed_m_s" in takes:
        told.append(words("Up, Down or W, S: speed"))
    if "turn_rad_s" in takes:
        told.append(words("Left, Right or A, D: turn"))
    told += [", ".join(f"{number} {name.replace('_', ' ')}" for number, name in enumerate(gaits[:9], start=1))] if gaits else []
    return told


def how_it_goes(drive: Drive) -> str:
    """How the drive goes: the record mark, its time, the speed, and whether the clock is slowed down."""
    from ..addon.jobs.wheel import DRIVING, FELL, READY

    view = drive.view
    if drive.state == DRIVING:
        parts = [f"● {view['time_s']:.1f} s", f"{view['speed_m_s']:.1f} m/s", drive.wheel_words()]
        if view["rate"] < SLOW:
            parts.append(words("clock at {rate:.2f} x: this machine is slower than the motion", rate=view["rate"]))
        parts += [said(text) for text in (view["refused"], drive.unfit) if text]
        return "   ".join(part for part in parts if part)
    if drive.state == FELL:
        return words("It fell after {seconds:.1f} s", seconds=view["time_s"])
    return words("Ready: press Space") if drive.state == READY else words("Getting ready")


class LOPE_OT_drive_recover(bpy.types.Operator):
    """Put the last drive together again, whose Blender or process ended before it was kept"""

    bl_idname = "lope.drive_recover"
    bl_label = "Recover the Last Drive"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, driving.cut_short(active_armature(context)) is not None, words("No drive of this armature was cut short"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from .drive_session import recover

        armature = active_armature(context)
        script = driving.cut_short(armature)
        if script is None:
            raise InputError("No drive of this armature was cut short.")
        recover(armature, context.scene, script)
        return {"FINISHED"}
