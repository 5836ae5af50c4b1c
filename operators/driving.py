# SPDX-License-Identifier: GPL-3.0-or-later
"""The drive that goes on in this Blender, if there is one: begun, moved on by a timer, and tidied up behind."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import bpy

from ..addon.children.protocol import Task
from ..addon.drive_script import ENDING, read_script
from ..addon.jobs.job import CANCELLED, FAILED
from ..addon.specs.shot import DURATION_RANGE_S
from . import desk, plan_board
from .context import takes_folder
from .drive_session import Drive, tidied
from .handlers import ignore, listen

going: Drive | None = None
"""There is one at most."""
LOOK_S = 1.0 / 60.0


def begin(armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None) -> Drive:
    """Drive what the settings ask for. Raises LopeError for a shot or an armature that cannot be driven."""
    global going
    name = f"{bpy.path.clean_name(armature.name)}-{time.strftime('%Y%m%d-%H%M%S')}.npz"
    going = Drive(armature, scene, area, takes_folder() / name)
    plan_board.clear()
    if not bpy.app.timers.is_registered(_step):
        bpy.app.timers.register(_step, first_interval=LOOK_S)
    return going


def _step() -> float | None:
    """The timer: move the drive on, and tidy up behind it."""
    global going
    if going is None:
        return None
    going.step()
    if not going.order.job.ended:
        return LOOK_S
    going.close()
    tidy(going)
    going = None
    return None


def tidy(drive: Drive) -> None:
    """A drive's job has ended: of one that was given up nothing stays; one whose process was ended is put together again."""
    state, armature = drive.order.job.state, desk.find(drive.uid, drive.name)
    if state == CANCELLED:
        drive.script.unlink(missing_ok=True)
    elif state == FAILED and armature is not None and drive.view.get("time_s", 0.0) >= DURATION_RANGE_S[0]:
        recover(armature, bpy.context.scene, drive.script)


def recover(armature: bpy.types.Object, scene: bpy.types.Scene, script: Path) -> None:
    """Simulate again what a script holds of a drive that was cut short. Raises InputError for a script that cannot be read."""
    task = Task("simulate", read_script(script).to_dict(), str(script.with_suffix(".npz")))
    desk.submit(task, armature, scene, bake=False)


def cut_short(armature: bpy.types.Object) -> Path | None:
    """The script of an armature's last drive that left no take; None where there is none."""
    if going is not None:
        return None
    scripts = sorted(takes_folder().glob(f"{bpy.path.clean_name(armature.name)}-*{ENDING}"))
    return scripts[-1] if scripts and not scripts[-1].with_suffix(".npz").exists() else None


def close() -> None:
    """End the drive that goes on, and leave no timer."""
    global going
    if going is not None:
        going.give_up()
        going = None
    if bpy.app.timers.is_registered(_step):
        bpy.app.timers.unregister(_step)


@bpy.app.handlers.persistent
def _before_save(*_arguments: Any) -> None:
    """The file that is written shall be as it is without the drive."""
    if going is not None and not going.ended:
        going.pose.restore()
        going.objects.restore()


@bpy.app.handlers.persistent
def _after_save(*_arguments: Any) -> None:
    if going is not None and not going.ended:
        going.pose.make_ready()


@bpy.app.handlers.persistent
def _before_undo(*_arguments: Any) -> None:
    """Undo, and another file, put other objects in the place of those that are posed."""
    if going is not None:
        going.give_up()


@bpy.app.handlers.persistent
def _after_undo(*_arguments: Any) -> None:
    """A step that was noted while somebody drove, as those of a gait that was edited meanwhile, holds the pose of that moment."""
    for item in bpy.data.objects if going is None or going.ended else ():
        if item.type == "ARMATURE" and item.library is None:
            tidied(item)


_HANDLERS = {"save_pre": _before_save, "save_post": _after_save, "undo_pre": _before_undo, "redo_pre": _before_undo,
             "load_pre": _before_undo, "undo_post": _after_undo, "redo_post": _after_undo, "load_post": _after_undo}


def register() -> None:
    """Listen for what must not find the armature posed."""
    listen(**_HANDLERS)


def unregister() -> None:
    """End the drive that goes on, and stop listening."""
    close()
    ignore(**_HANDLERS)
