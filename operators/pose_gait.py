# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: the gait from key poses opened as the character's own, its states added, removed, moved; reverted.

Buttons: keep the character's own gait from key poses as a preset; remove one.
"""

from __future__ import annotations

import json
from dataclasses import replace

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.errors import InputError
from ..addon.gaits.pose_gaits import pose_gait_names
from ..addon.specs.pose_gait import MOST_STATES, PoseGait, pose_gait_file
from ..addon.specs.settings import named_file, names_in
from .choices import title
from .context import active_armature, allows, poll_own_armature, poll_unposed, pose_gaits_folder, reports_errors, words
from .pose_gait_settings import (
    KEPT,
    OWN,
    chosen_gait,
    edited,
    fill,
    fill_state,
    gait_in,
    in_plane,
    remove_state,
    state_in,
    text_of,
)
from .properties import changed

WAYS = (("UP", "Up", "Earlier"), ("DOWN", "Down", "Later"))
MINE = "My {0}"


class _OnArmature:
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_unposed(cls, context)


class _OnState(_OnArmature):
    """Of the chosen state of the character's own gait."""

    bl_options = {"REGISTER", "UNDO", "INTERNAL"}
    most = MOST_STATES

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_unposed(cls, context):
            return False
        states = active_armature(context).lope.own_gait.states
        return (allows(cls, states, words("This character has no key poses of its own"))
                and allows(cls, len(states) < cls.most, words("A gait has 16 states at most")))


class LOPE_OT_pose_gait_edit(_OnArmature, bpy.types.Operator):
    """Open this gait as the character's own: its states can be changed, and are kept in this file"""

    bl_idname = "lope.pose_gait_edit"
    bl_label = "Edit"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_unposed(cls, context) and allows(
            cls, not in_plane(active_armature(context).lope),
            words("A gait of the planar body cannot be posed on a rig; change its file, or a gait of the whole body"))

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        settings = active_armature(context).lope
        if settings.pose_gait != OWN and edited(settings.own_gait):
            return context.window_manager.invoke_confirm(
                self, event, title=words("Put this gait in the place of the character's own?"),
                message=words("{name} has not been saved as a preset", name=settings.own_gait.title),
                confirm_text=words("Replace"))
        return self.execute(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        if settings.pose_gait != OWN or not settings.own_gait.states:
            open_gait(settings, chosen_gait(settings))
        settings.edits_gait = True
        return {"FINISHED"}


def open_gait(settings: bpy.types.PropertyGroup, gait: PoseGait) -> None:
    """Let a gait be the character's own from now on, under a name that is not that of a shipped one."""
    fill(settings.own_gait, gait)
    settings.own_gait.title = MINE.format(title(gait.name))
    settings.own_gait.state_index = 0
    settings.own_gait.opened = text_of(gait_in(settings.own_gait))
    settings.pose_gait, settings.edits_gait, settings.planar = OWN, True, False
    changed()


class LOPE_OT_pose_gait_done(_OnArmature, bpy.types.Operator):
    """Close the key poses; the character keeps its gait"""

    bl_idname = "lope.pose_gait_done"
    bl_label = "Done"

    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.edits_gait = False
        return {"FINISHED"}


class LOPE_OT_pose_gait_revert(_OnArmature, bpy.types.Operator):
    """Bring the gait back as it was opened, or saved last"""

    bl_idname = "lope.pose_gait_revert"
    bl_label = "Revert"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_unposed(cls, context) and allows(
            cls, edited(active_armature(context).lope.own_gait), words("Nothing has been changed"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        own = active_armature(context).lope.own_gait
        fill(own, PoseGait.from_dict(json.loads(own.opened)))
        changed()
        return {"FINISHED"}


class LOPE_OT_pose_state_add(_OnState, bpy.types.Operator):
    """Add a copy of the chosen state after it, to be changed from there"""

    bl_idname = "lope.pose_state_add"
    bl_label = "Add State"

    def execute(self, context: bpy.types.Context) -> set[str]:
        own = active_armature(context).lope.own_gait
        at = min(own.state_index, len(own.states) - 1)
        state = state_in(own.states[at], False)
        fill_state(own.states.add(), state)
        own.states.move(len(own.states) - 1, at + 1)
        own.state_index = at + 1
        changed()
        return {"FINISHED"}


class LOPE_OT_pose_state_remove(_OnState, bpy.types.Operator):
    """Remove the chosen state"""

    bl_idname = "lope.pose_state_remove"
    bl_label = "Remove State"
    most = MOST_STATES + 1

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        own = active_armature(context).lope.own_gait
        if len(own.states) == 1:
            raise InputError("This is the gait's only state, and a gait has one at least: change it instead.")
        at = min(own.state_index, len(own.states) - 1)
        remove_state(own, at)
        own.begins_in = min(own.begins_in, len(own.states))
        own.state_index = max(at - 1, 0)
        changed()
        return {"FINISHED"}


class LOPE_OT_pose_state_move(_OnState, bpy.types.Operator):
    """Move the chosen state to another place in the list"""

    bl_idname = "lope.pose_state_move"
    bl_label = "Move State"
    most = MOST_STATES + 1

    way: EnumProperty(name="Way", description="Where to", items=WAYS)

    def execute(self, context: bpy.types.Context) -> set[str]:
        own = active_armature(context).lope.own_gait
        to = own.state_index + (1 if self.way == "DOWN" else -1)
        if not 0 <= to < len(own.states):
            return {"CANCELLED"}
        own.states.move(own.state_index, to)
        own.state_index = to
        changed()
        return {"FINISHED"}


class LOPE_OT_pose_gait_mirror(_OnArmature, bpy.types.Operator):
    """List both legs' states, each to be changed by itself; or one leg's, which the other leg mirrors"""

    bl_idname = "lope.pose_gait_mirror"
    bl_label = "Mirror the Legs"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    mirror: BoolProperty(name="Mirror", description="Whether one leg's states are mirrored", options={"HIDDEN"})

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        own = active_armature(context).lope.own_gait
        gait = gait_in(own)
        fill(own, one_leg(gait) if self.mirror else replace(gait, symmetric=False, states=gait.cycle))
        changed()
        return {"FINISHED"}


def one_leg(gait: PoseGait) -> PoseGait:
    """A gait of both legs with the first swinging leg's states alone, as the right leg's, mirrored."""
    first = gait.states[0].swing
    states = tuple(replace(state, swing="") for state in gait.states if state.swing == first)
    one = replace(gait, symmetric=True, states=states, begins_in=min(gait.begins_in, len(states)))
    if first == "R":
        return one
    return replace(one, states=tuple(replace(state, swing="") for state in one.cycle[len(states):]))


def named_alike(name: str, names: list[str]) -> str | None:
    """The one of some names that a file system may take for this one; None where there is none."""
    return next((one for one in names if one.casefold() == name.casefold()), None)


class LOPE_OT_pose_gait_save(bpy.types.Operator):
    """Save this gait as a preset of yours, for all your files"""

    bl_idname = "lope.pose_gait_save"
    bl_label = "Save as Preset"
    bl_options = {"REGISTER", "UNDO"}

    name: StringProperty(name="Name", description="What the preset is called", options={"SKIP_SAVE"})
    replace: BoolProperty(name="Replace It", description="Put this gait in the place of the preset of that name",
                          options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, active_armature(context).lope.own_gait.states, words("This character has no key poses of its own"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        self.name = active_armature(context).lope.own_gait.title
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.prop(self, "name")
        if named_alike(self.name.strip(), names_in(pose_gaits_folder())):
            self.layout.label(text="You have a gait of that name", icon="ERROR")
            self.layout.prop(self, "replace")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.gaits.tuned_maps import write_json

        own, folder = active_armature(context).lope.own_gait, pose_gaits_folder()
        name = self.name.strip() or own.title.strip()
        shipped, mine = named_alike(name, pose_gait_names()), named_alike(name, names_in(folder))
        if shipped is not None:
            raise InputError(f"{shipped} is a gait that comes with Lope, and stays as it is: save yours under another name.")
        if mine is not None and not self.replace:
            raise InputError(f"You have a gait called {mine} already: tick Replace It, or save this one under another name.")
        gait = replace(gait_in(own), name=mine or name)
        path = named_file(folder, "gait", gait.name)
        write_json(path, pose_gait_file(gait))
        own.title, own.opened = gait.name, text_of(gait)
        changed()
        self.report({"INFO"}, words("Saved in {path}", path=path))
        return {"FINISHED"}


class LOPE_OT_pose_gait_forget(bpy.types.Operator):
    """Remove this preset of yours; characters that go in it keep nothing of it"""

    bl_idname = "lope.pose_gait_forget"
    bl_label = "Remove Preset"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and active_armature(context).lope.pose_gait.startswith(KEPT)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        return context.window_manager.invoke_confirm(self, event)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        named_file(pose_gaits_folder(), "gait", settings.pose_gait.removeprefix(KEPT)).unlink(missing_ok=True)
        settings.property_unset("pose_gait")
        changed()
        return {"FINISHED"}
