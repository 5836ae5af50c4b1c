# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators share: the armature they act on, where takes are kept, and how errors reach the artist."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path

import bpy

from ..addon.errors import LopeError
from . import notes, screen
from .texts import said, words

EXTENSION = __package__.rpartition(".")[0]
"""Package of the extension: `bl_ext.<repository>.lope` when installed, `lope` in development."""


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The armature picked in the panel, else the active one, or that of the active mesh; None when there is none."""
    picked = context.scene.lope.armature if context.scene is not None else None
    if picked is not None and picked.name in context.scene.objects:
        return picked
    active = context.object
    if active is None or active.type == "ARMATURE":
        return active
    return active.find_armature() if active.type == "MESH" else None


def poll_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator on an armature can run; says in the tooltip why not."""
    if active_armature(context) is None:
        cls.poll_message_set(words("Select an armature, or a mesh that an armature moves"))
        return False
    return True


def poll_own_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that writes on an armature can run: not where it is linked, as nothing of that would be kept."""
    if not poll_armature(cls, context):
        return False
    why = not_own(active_armature(context))
    if why:
        cls.poll_message_set(why)
    return not why


def poll_unposed(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator can run that an armature must not show a key pose for; says in the tooltip why not."""
    if not poll_own_armature(cls, context):
        return False
    if active_armature(context).lope.pose_kept:
        cls.poll_message_set(words("The armature shows a key pose; take it or leave it first"))
        return False
    return True


def not_own(armature: bpy.types.Object) -> str:
    """Why nothing can be written on an armature: it is linked, or an override that is not editable; "" where it can."""
    from ..addon.rigs.read.doctor import of_ownership

    return next((said(finding.sentence) for finding in of_ownership(armature)), "")


def poll_take(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator on an armature's last take can run; says in the tooltip why not."""
    if not poll_armature(cls, context):
        return False
    path = active_armature(context).lope.take_path
    if not path or not Path(path).is_file():
        cls.poll_message_set(words("Simulate first: this armature has no take"))
        return False
    return True


def poll_view(cls: type[bpy.types.Operator], context: bpy.types.Context, why: str) -> bool:
    """Whether an operator that needs a 3D viewport has one; the tooltip says `why` where it has not."""
    seen = context.area is not None and context.area.type == "VIEW_3D"
    if not seen:
        cls.poll_message_set(why)
    return seen


def poll_own_take(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that writes on an armature what its last take tells can run; says in the tooltip why not."""
    return poll_own_armature(cls, context) and poll_take(cls, context)


def takes_folder() -> Path:
    """Folder that keeps takes over updates of the extension; a temporary one where Lope is not an extension."""
    return _folder("takes")


def tuning_folder() -> Path:
    """Folder that keeps the gaits tuned by the user."""
    return _folder("tuning")


def pose_gaits_folder() -> Path:
    """Folder that keeps the gaits from key poses that the user kept."""
    return _folder("pose_gaits")


def creature_gaits_folder() -> Path:
    """Folder that keeps the gaits that the user's searches have found for creatures."""
    return _folder("creature_gaits")


def _folder(name: str) -> Path:
    if EXTENSION.startswith("bl_ext."):
        return Path(bpy.utils.extension_path_user(EXTENSION, path=name, create=True))
    folder = Path(tempfile.gettempdir()) / f"lope-{name}"
    folder.mkdir(exist_ok=True)
    return folder


def reports_errors(execute: Callable[[bpy.types.Operator, bpy.types.Context], set[str]]) -> Callable:
    """Let an operator's `execute` say a LopeError, or an absent package: at the top of the tab and in the status bar where a
    button was pressed, as Blender's own error where it was called from Python."""

    @functools.wraps(execute)
    def guarded(self: bpy.types.Operator, context: bpy.types.Context) -> set[str]:
        try:
            result = execute(self, context)
            notes.drop_refusals()
            return result
        except LopeError as error:
            _say(self, context, said(str(error)), getattr(error, "needs_s", None))
        except ModuleNotFoundError as error:
            if error.name.startswith(EXTENSION):
                raise
            _say(self, context, words("This Blender's Python has no package {name}, which Lope's zip brings for Blender 4.5 "
                                      "and 5.2; install the zip made for this platform", name=error.name))
        return {"CANCELLED"}

    return guarded


def _say(operator: bpy.types.Operator, context: bpy.types.Context, text: str, needs_s: float | None = None) -> None:
    """Tell why an operator did nothing. Blender's popup for errors of buttons is one line, cut at the window's edge."""
    armature = active_armature(context)
    if armature is not None:
        notes.tell(armature.session_uid, armature.name, notes.Note(notes.FAILED, text, needs_s, operator.bl_idname))
        screen.redraw()
        screen.redraw_status_bar()
    operator.report({"WARNING" if operator.options.is_invoke and armature is not None else "ERROR"}, text)
