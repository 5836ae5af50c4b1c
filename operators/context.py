# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators share: the armature they act on, where takes are kept, and how errors reach the artist.

Sentences in the user's language.

Drawing again what has changed: sidebars, views, the status bar.

The last word about each armature's jobs, for the top of the tab and for the status bar.

A job on the desk: whom it is for, and what shall become of its result.
"""

from __future__ import annotations

import functools
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import bpy
from bpy.app.translations import pgettext_rpt

from ..addon.errors import InputError, LopeError
from ..addon.files import temporary_folder
from ..addon.jobs.job import Job
from ..addon.locale import sentences


def words(text: str, /, **values: object) -> str:
    """A sentence of the dictionary in `locale`, in the user's language, with its values filled in."""
    return pgettext_rpt(text).format(**values)


def said(sentence: str) -> str:
    """What the engine, the doctor or a worker said in English, in the user's language; as it is where it is not known. A clip
    that was written of an action is called by its name: the artist knows of no such file."""
    if ".bvh" in sentence:
        written = re.escape(str(takes_folder() / "actions")) + r"[/\\]\w+[/\\](.+?)\.bvh"
        sentence = re.sub(written, lambda found: f"The action {_action_called(found[1])!r}", sentence)
    return sentences().translated(sentence, pgettext_rpt)


def _action_called(file: str) -> str:
    """The name of the action that was written to a file of that name."""
    return next((action.name for action in bpy.data.actions if bpy.path.clean_name(action.name) == file), file)


AGAIN_S = 0.1


def drawn(name: str) -> ModuleType | None:
    """The module of `addon.viewport` that draws something, once it is loaded: what was never shown need not be hidden."""
    return sys.modules.get(f"{__package__.rpartition('.')[0]}.addon.viewport.{name}")


def redraw(region_type: str = "UI") -> None:
    """Draw the sidebars of the 3D viewports again; with "WINDOW" their views. Sidebars twice: a panel that has grown lies under
    the next one until Blender draws them once more."""
    _tag(region_type)
    if region_type == "UI" and not bpy.app.background and not bpy.app.timers.is_registered(_again):
        bpy.app.timers.register(_again, first_interval=AGAIN_S)


def _again() -> None:
    _tag("UI")


def _tag(region_type: str) -> None:
    """Mark the regions of a type."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == region_type:
                        region.tag_redraw()


def redraw_status_bar() -> None:
    """Draw the status bar again, which is no area of a screen; not while a tool has its own words there."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None and not bpy.app.background else ():
        if not window.modal_operators:
            window.workspace.status_text_set(None)


DONE, CANCELLED, FELL, WARNED, FAILED = "done", "cancelled", "fell", "warned", "failed"
LEVELS = {DONE: "INFO", CANCELLED: "INFO", FELL: "WARNING", WARNED: "WARNING", FAILED: "ERROR"}
ICONS = {DONE: "CHECKMARK", CANCELLED: "X", FELL: "ERROR", WARNED: "ERROR", FAILED: "CANCEL"}
FRESH_S = 120.0
"""How long the status bar holds a word."""


@dataclass(frozen=True)
class Note:
    """What happened, in a sentence; `needs_s` is the length that a shot wants which was too short for what it asks, `button` the
    operator that could not do its work."""

    kind: str
    text: str
    needs_s: float | None = None
    button: str = ""
    at_s: float = field(default_factory=time.monotonic)

    @property
    def level(self) -> str:
        """The kind as Blender's reports have it."""
        return LEVELS[self.kind]

    @property
    def icon(self) -> str:
        """The sign in front of it."""
        return ICONS[self.kind]


_notes: dict[int, tuple[str, Note]] = {}


def tell(uid: int, name: str, note: Note) -> None:
    """Keep the last word about the armature of this number (session_uid) and name."""
    _notes.pop(uid, None)
    _notes[uid] = name, note


def drop(uid: int) -> None:
    """Nothing is to be said about that armature any more."""
    _notes.pop(uid, None)


def drop_stale() -> None:
    """A setting has changed: what a button could not do may be possible now, and what became of the shot before, which the panel
    Result tells, is no news."""
    _drop(lambda note: bool(note.button) or note.kind == DONE)


def _drop(stale: Callable[[Note], bool]) -> None:
    for uid in [uid for uid, (_, note) in _notes.items() if stale(note)]:
        del _notes[uid]


def of(armature: bpy.types.Object) -> Note | None:
    """The last word about an armature; None where there is none."""
    return _notes.get(armature.session_uid, ("", None))[1]


def last() -> tuple[str, Note] | None:
    """The youngest word and its armature's name, while it is fresh."""
    found = next(reversed(_notes.values()), None)
    return found if found is not None and time.monotonic() - found[1].at_s < FRESH_S else None


def forget() -> None:
    """Drop everything: another file is coming."""
    _notes.clear()


EXTENSION = __package__.rpartition(".")[0]
"""Package of the extension: `bl_ext.<repository>.lope` when installed, `lope` in development."""


_last = ""
"""Name of the armature that was last in hand."""


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The armature in hand: the one picked in the tab, else the active one or that of the active mesh, else the one that was last
    in hand, else the only one of the scene; None where there is none, or several and none was in hand."""
    global _last
    scene = context.scene
    if scene is None:
        return None
    found = scene.lope.armature
    if found is None or found.name not in scene.objects:
        found = _of_active(context.object)
    if found is None:
        found = scene.objects.get(_last) if _last else None
        if found is None or found.type != "ARMATURE":
            found = only_armature(scene)
    if found is not None:
        _last = found.name
    return found


def _of_active(active: bpy.types.Object | None) -> bpy.types.Object | None:
    if active is None or active.type == "ARMATURE":
        return active
    return active.find_armature() if active.type == "MESH" else None


def only_armature(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The scene's one armature; None where it has none, or several."""
    found = armatures(scene) if len(bpy.data.armatures) else []
    return found[0] if len(found) == 1 else None


def armatures(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The armatures of a scene."""
    return [item for item in scene.objects if item.type == "ARMATURE"]


def allows(cls: type[bpy.types.Operator], given: object, why: str) -> bool:
    """Whether what an operator needs is `given`; its tooltip says `why` where it is not."""
    if not given:
        cls.poll_message_set(why)
    return bool(given)


def unhindered(cls: type[bpy.types.Operator], why: str) -> bool:
    """Whether nothing hinders an operator; its tooltip says `why` where something does."""
    return allows(cls, not why, why)


def poll_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator on an armature can run; says in the tooltip why not."""
    return allows(cls, active_armature(context) is not None, words("Pick a character at the top of the tab, or add one"))


def poll_own_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that writes on an armature can run: not where it is linked, as nothing of that would be kept."""
    return poll_armature(cls, context) and unhindered(cls, not_own(active_armature(context)))


class OnArmature:
    """An operator on an armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)


class OnOwnArmature:
    """An operator that writes on an armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context)


def poll_unposed(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator can run that an armature must not show a key pose for; says in the tooltip why not."""
    return poll_own_armature(cls, context) and allows(
        cls, not active_armature(context).lope.pose_kept, words("The armature shows a key pose; take it or leave it first"))


def not_own(armature: bpy.types.Object) -> str:
    """Why nothing can be written on an armature: it is linked, or an override that is not editable; "" where it can."""
    from ..addon.rigs.read.doctor import of_ownership

    return next((said(finding.sentence) for finding in of_ownership(armature)), "")


def poll_take(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator on an armature's last take can run; says in the tooltip why not."""
    return poll_armature(cls, context) and unhindered(cls, without_take(active_armature(context)))


TAKES = "lope"
"""The folder of takes beside a .blend."""


def found_file(path: str, item: bpy.types.Object) -> Path | None:
    """The file of that path, relative to the .blend of its object perhaps, or the one of its name among the takes beside that
    .blend; None where there is neither. An override's may be that of the file it is linked from."""
    libraries = [item.library]
    if item.override_library is not None and item.override_library.reference is not None:
        libraries.append(item.override_library.reference.library)
    for library in libraries:
        home = bpy.data.filepath if library is None else bpy.path.abspath(library.filepath)
        beside = Path(home).parent / TAKES / re.split(r"[\\/]", path)[-1]
        for file in (Path(bpy.path.abspath(path, library=library)), *((beside,) if home else ())):
            if file.is_file():
                return file
    return None


def take_of(armature: bpy.types.Object) -> Path:
    """The file of an armature's present take. Raises InputError where it is gone."""
    found = found_file(armature.lope.take_path, armature)
    if found is None:
        raise InputError(f"The take {armature.lope.take_path} is gone: simulate again.")
    return found


def without_take(armature: bpy.types.Object) -> str:
    """Why an armature has no take for a button to use; "" where it has one."""
    from ..addon.rigs.bake.provenance import baked_actions

    path = armature.lope.take_path
    if path and found_file(path, armature) is not None:
        return ""
    if next(baked_actions(armature), None) is not None:
        return words("The take of these keys is gone: press Run Again, which makes it anew from the recipe in the action")
    if path:
        return words("The take is gone: simulate again")
    return words("Simulate first: this armature has no take")


def poll_view(cls: type[bpy.types.Operator], context: bpy.types.Context, why: str) -> bool:
    """Whether an operator that needs a 3D viewport has one; the tooltip says `why` where it has not."""
    return allows(cls, context.area is not None and context.area.type == "VIEW_3D", why)


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
    return temporary_folder(name)


def reports_errors(execute: Callable[[bpy.types.Operator, bpy.types.Context], set[str]]) -> Callable:
    """Let an operator's `execute` say a LopeError, or an absent package: at the top of the tab and in the status bar where a
    button was pressed, as Blender's own error where it was called from Python."""

    @functools.wraps(execute)
    def guarded(self: bpy.types.Operator, context: bpy.types.Context) -> set[str]:
        try:
            result = execute(self, context)
            _drop(lambda note: bool(note.button))  # what another button could not do may be possible now
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
        tell(armature.session_uid, armature.name, Note(FAILED, text, needs_s, operator.bl_idname))
        redraw()
        redraw_status_bar()
    operator.report({"WARNING" if operator.options.is_invoke and armature is not None else "ERROR"}, text)


@dataclass
class Order:
    """A job, whom it is for, what shall happen with its result, and the settings that it was made by (`takes.settings_of`)."""

    job: Job
    object_uid: int
    object_name: str
    scene_name: str
    rig: int
    bake: bool
    made_by: str = ""
