# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: the artist's own bone map. Which bone is which, kept on the armature, saved to a file, loaded, forgotten.

Button: find out which bones of an armature are which.

Button: put right one of the things that the doctor found on an armature.

Buttons: the artist's own word on a creature's bones: at which bone a part begins, kept on the armature, or forgotten again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.errors import LopeError
from ..addon.rigs.read.maps import PLACES, REQUIRED, SEGMENTS
from .context import (
    OnArmature,
    OnOwnArmature,
    active_armature,
    allows,
    poll_armature,
    poll_own_armature,
    reports_errors,
    said,
    words,
)
from .creature import creature_read_of, is_creature, shape_words
from .figures import findings_of

if TYPE_CHECKING:
    from ..addon.rigs.read.detect import Guess
    from ..addon.rigs.read.figure import Figure

PARTS = (*SEGMENTS, "root")
_NAMES = {"pelvis": "Hips", "root": "Root Bone", "shank": "Shin"}
_SIDES = {"_L": "Left ", "_R": "Right "}


def name_of(part: str) -> str:
    """A part of the body as artists call it: "Left Upper Arm"."""
    side = _SIDES.get(part[-2:], "")
    kind = part[:-2] if side else part
    return side + _NAMES.get(kind, kind.replace("_", " ").title())


_ITEMS = tuple((part, name_of(part), "") for part in PARTS)


REQUIRED_PARTS = frozenset(REQUIRED)
"""Parts that must have a bone."""


def other_side(part: str) -> str | None:
    """The same part on the other side; None for one in the middle."""
    return part[:-1] + {"L": "R", "R": "L"}[part[-1]] if part[-2:] in _SIDES else None


def map_of(armature: bpy.types.Object) -> Guess:
    """The armature's map as it is now (kept, or the best guess by names and structure), what in it is unsure, and what is
    wrong with it, or ""."""
    from ..addon.rigs.read.armature import guess_of
    from ..addon.rigs.read.detect import Guess

    try:
        return guess_of(armature)
    except LopeError as error:
        return Guess({}, frozenset(), str(error))


class _MapButton(OnOwnArmature):
    bl_options = {"REGISTER", "UNDO"}


class LOPE_OT_map_bone(_MapButton, bpy.types.Operator):
    """Say which bone this part of the body is; the map is kept on the armature, in the file"""

    bl_idname = "lope.map_bone"
    bl_label = "Set Bone"

    segment: EnumProperty(name="Part", description="The part of the body", items=_ITEMS)
    bone: StringProperty(name="Bone", description="The bone that moves this part. Empty: none does")
    both: BoolProperty(name="Other Side Too", default=True,
                       description="Give the same part on the other side the bone that is the mirror image of this one")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        active = context.active_pose_bone
        self.bone = active.name if active is not None else map_of(active_armature(context)).bone_of.get(self.segment, "")
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "segment")
        self.layout.prop_search(self, "bone", active_armature(context).data, "bones", text="")
        if other_side(self.segment) is not None:
            self.layout.prop(self, "both")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.armature import mirror_of
        from ..addon.rigs.read.own_map import store_map

        armature = active_armature(context)
        found = map_of(armature)
        given = {self.segment: self.bone}
        other = other_side(self.segment) if self.both else None
        if other is not None:
            image = mirror_of(armature, self.bone) if self.bone else ""
            if image is not None:
                given[other] = image
        bones = {part: bone for part, bone in found.bone_of.items() if part not in given and bone not in given.values()}
        bones |= {part: bone for part, bone in given.items() if bone}
        store_map(armature, bones, whole=False, unsure=found.unsure - given.keys())
        return {"FINISHED"}


class LOPE_OT_map_save(_MapButton, bpy.types.Operator):
    """Save which bone is which to a JSON file, to use it on other rigs of the kind and to share it"""

    bl_idname = "lope.map_save"
    bl_label = "Save Bone Map"
    bl_options = {"REGISTER"}  # nothing is written on the armature

    filepath: StringProperty(name="File", description="The JSON file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})
    check_existing: BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not self.filepath:
            self.filepath = f"{bpy.path.clean_name(active_armature(context).name)} bones.json"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.own_map import save_map

        armature = active_armature(context)
        path = Path(bpy.path.abspath(self.filepath)).with_suffix(".json")
        bones = map_of(armature).bone_of
        save_map(path, bones, armature.name)
        self.report({"INFO"}, words("{count} bones written to {path}", count=len(bones), path=path))
        return {"FINISHED"}


class LOPE_OT_map_load(_MapButton, bpy.types.Operator):
    """Load which bone is which from a JSON file, and keep it on this armature"""

    bl_idname = "lope.map_load"
    bl_label = "Load Bone Map"

    filepath: StringProperty(name="File", description="The JSON file to read", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.own_map import load_map, store_map

        store_map(active_armature(context), load_map(bpy.path.abspath(self.filepath)))
        return {"FINISHED"}


class LOPE_OT_map_forget(_MapButton, bpy.types.Operator):
    """Forget the bone map kept on this armature; its bones are then found by names and structure again"""

    bl_idname = "lope.map_forget"
    bl_label = "Forget Bone Map"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from ..addon.rigs.read.own_map import kept_text

        return poll_own_armature(cls, context) and allows(
            cls, kept_text(active_armature(context)) is not None,
            words("No bone map is kept on this armature; its bones are found by names and structure"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.own_map import forget_map

        forget_map(active_armature(context))
        return {"FINISHED"}


class LOPE_OT_detect_rig(OnOwnArmature, bpy.types.Operator):
    """Find hips, knees, feet and the rest in this armature, and say what was found"""

    bl_idname = "lope.detect_rig"
    bl_label = "Detect Bones"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.bodies.makers import make_body
        from ..addon.errors import RigError
        from ..addon.rigs.read.armature import match_of, read_figure
        from ..addon.rigs.read.doctor import ERROR, some
        from ..addon.rigs.read.hanging import hanging_of
        from ..addon.rigs.read.maps import SEGMENTS

        armature = active_armature(context)
        settings = armature.lope
        settings.figure = ""
        if is_creature(armature, context.scene):
            settings.figure = shape_words(armature, context.scene)
            self.report({"INFO"}, f"{armature.name}: {settings.figure.replace(chr(10), ', ')}")
            return {"FINISHED"}
        found = findings_of(armature, context.scene, ask=True)  # the panel shows them from now on
        figure = read_figure(armature, scene=context.scene)
        settings.figure = "\n".join((
            words("Bones: {family}, {height:.2f} m tall", family=_family(figure), height=figure.height_m),
            words("{count} of {all} parts have a bone", count=len(figure.bone_of), all=len(SEGMENTS))))
        hanging = [one.bones[0].name for one in hanging_of(armature, figure)[0]]
        if hanging:
            settings.figure += "\n" + words("{count} chains hang on it: {bones}", count=len(hanging), bones=some(hanging))
        try:
            body = make_body(figure.body_spec(settings.mass_kg))
        except RigError as error:  # a figure all right, but not of a size to simulate
            self.report({"WARNING"}, said(str(error)))
            return {"FINISHED"}
        settings.figure += "\n" + words("{segments} segments, {freedom} degrees of freedom", segments=len(body.segments),
                                        freedom=body.degrees_of_freedom)
        unsure = match_of(armature).unsure
        if unsure:
            settings.figure += "\n" + words("{count} of them are a guess: see Bone Map", count=len(unsure))
        broken = [finding for finding in found if finding.severity == ERROR]
        for finding in broken:
            self.report({"WARNING"}, said(finding.sentence))
        self.report({"WARNING" if unsure or broken else "INFO"}, f"{armature.name}: {settings.figure.replace(chr(10), ', ')}")
        return {"FINISHED"}


def _family(figure: Figure) -> str:
    """How the bones were told, in words."""
    from ..addon.rigs.read.detect import OWN, STRUCTURE

    if figure.family == STRUCTURE:
        return words("found by structure")
    return words("own map") if figure.family == OWN else figure.label or figure.family


class LOPE_OT_doctor_fix(OnArmature, bpy.types.Operator):
    """Put this right on the armature, in one undo step"""

    bl_idname = "lope.doctor_fix"
    bl_label = "Fix"
    bl_options = {"REGISTER", "UNDO"}

    key: StringProperty(name="Finding", description="Which of the doctor's findings to put right")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.doctor import fix

        self.report({"INFO"}, said(fix(active_armature(context), self.key, context.scene)))
        return {"FINISHED"}


_CREATURE_NAMES = {"trunk": "Trunk", "leg_L": "Left Leg", "leg_R": "Right Leg", "arm_L": "Left Arm", "arm_R": "Right Arm",
                   "tail": "Tail"}
ITEMS = tuple((part, _CREATURE_NAMES.get(part, name_of(part)), "") for part in PLACES)


def bones_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> dict[str, str]:
    """At which bones the parts of a creature begin, as far as they were found."""
    try:
        return dict(creature_read_of(armature, scene).bones)
    except LopeError:
        return {}


class LOPE_OT_creature_bone(OnOwnArmature, bpy.types.Operator):
    """Say at which bone this part of the creature begins; what is not said is found by the bones' structure"""

    bl_idname = "lope.creature_bone"
    bl_label = "Set Bone"
    bl_options = {"REGISTER", "UNDO"}

    part: EnumProperty(name="Part", description="The part of the body", items=ITEMS)
    bone: StringProperty(name="Bone", description="The bone at which this part begins. Empty: it has none")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        active = context.active_pose_bone
        found = bones_of(active_armature(context), context.scene)
        self.bone = active.name if active is not None else found.get(self.part, "")
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.prop(self, "part")
        self.layout.prop_search(self, "bone", active_armature(context).data, "bones", text="")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.creature import store_said, stored_said

        armature = active_armature(context)
        said = {part: bone for part, bone in stored_said(armature).items() if not bone or bone != self.bone}
        store_said(armature, {**said, self.part: self.bone})
        return {"FINISHED"}


class LOPE_OT_creature_map_forget(bpy.types.Operator):
    """Forget what was said of this creature's bones; they are found by structure again"""

    bl_idname = "lope.creature_map_forget"
    bl_label = "Forget Bone Map"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from ..addon.rigs.read.creature import CREATURE_MAP

        return poll_own_armature(cls, context) and allows(
            cls, CREATURE_MAP.kept_text(active_armature(context)) is not None,
            words("Nothing was said of this creature's bones; they are found by structure"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.read.creature import forget_said

        forget_said(active_armature(context))
        return {"FINISHED"}
