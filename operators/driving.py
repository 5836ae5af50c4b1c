# SPDX-License-Identifier: GPL-3.0-or-later
"""The drive, or the show of pressure, that goes on in this Blender, if there is one: begun, moved on by a timer, and tidied up
behind."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import bpy

from . import plan_board
from .context import takes_folder
from .properties import ignore, listen

if TYPE_CHECKING:
    from .drive_session import Drive
    from .live_session import Live
    from .watched import Watched

Going = TypeVar("Going", bound="Watched")

going: Watched | None = None
"""There is one at most."""
LOOK_S = 1.0 / 60.0


def begin(armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None) -> Drive:
    """Drive what the settings ask for. Raises LopeError for a shot or an armature that cannot be driven."""
    from .drive_session import Drive

    return start(Drive(armature, scene, area, new_take(armature)))


def begin_live(armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None) -> Live:
    """Show the pressure that the settings ask for while it comes. Raises LopeError for what cannot be shown."""
    from .live_session import Live

    return start(Live(armature, scene, area, new_take(armature)))


def new_take(armature: bpy.types.Object) -> Path:
    """Where the take of what begins now is written."""
    return takes_folder() / f"{bpy.path.clean_name(armature.name)}-{time.strftime('%Y%m%d-%H%M%S')}.npz"


def start(watched: Going) -> Going:
    """Let it go on."""
    global going
    going = watched
    plan_board.clear()
    if not bpy.app.timers.is_registered(_step):
        bpy.app.timers.register(_step, first_interval=LOOK_S)
    return watched


def drive() -> Drive | None:
    """The drive that goes on."""
    if going is None:
        return None
    from .drive_session import Drive

    return going if isinstance(going, Drive) and not going.ended else None


def live() -> Live | None:
    """The pressure that is shown while it comes."""
    if going is None:
        return None
    from .live_session import Live

    return going if isinstance(going, Live) and not going.ended else None


def _step() -> float | None:
    """The timer: move the drive on, and tidy up behind it."""
    global going
    if going is None:
        return None
    going.step()
    if not going.order.job.ended:
        return LOOK_S
    going.close()
    going.tidy()
    going = None
    return None


def cut_short(armature: bpy.types.Object) -> Path | None:
    """The script of an armature's last drive that left no take; None where there is none."""
    from ..addon.sim.drive_script import ENDING

    if going is not None:
        return None
    scripts = sorted(takes_folder().glob(f"{bpy.path.clean_name(armature.name)}-*{ENDING}"))
    return scripts[-1] if scripts and not scripts[-1].with_suffix(".npz").exists() else None


def close() -> None:
    """End what goes on, and leave no timer."""
    global going
    if going is not None:
        going.give_up()
        going = None
    if bpy.app.timers.is_registered(_step):
        bpy.app.timers.unregister(_step)


@bpy.app.handlers.persistent
def _before_save(*_arguments: Any) -> None:
    """The file that is written shall be as it is without it."""
    if going is not None and not going.ended:
        going.hide()


@bpy.app.handlers.persistent
def _after_save(*_arguments: Any) -> None:
    if going is not None and not going.ended:
        going.show_again()


@bpy.app.handlers.persistent
def _before_undo(*_arguments: Any) -> None:
    """Undo, and another file, put other objects in the place of those that are posed."""
    if going is not None:
        going.give_up()


@bpy.app.handlers.persistent
def _after_undo(*_arguments: Any) -> None:
    """A step that was noted while somebody drove, as those of a gait that was edited meanwhile, holds the pose of that moment."""
    from .watched import tidied

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
