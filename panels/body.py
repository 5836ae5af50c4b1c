# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Body: who the character is, and what is wrong with its rig; in it what is other than healthy, and the bone map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_iface

from ..addon.errors import InputError
from ..addon.specs.muscles import DISPLACED, PAIN, TIGHT, WEAK
from ..operators import bone_map as creature_map
from ..operators.bone_map import PARTS, REQUIRED_PARTS, map_of, name_of
from ..operators.choices import NOTHING
from ..operators.condition_settings import MUSCLE, TARGETS, VALUES, known_in
from ..operators.context import active_armature, said, words
from ..operators.creature import by_creature, findings_of_any
from ..operators.muscles import by_muscles, has_own_muscles
from .base import ArmaturePanel, asking, fold, lines, split
from .lists import draw_list

if TYPE_CHECKING:
    from ..addon.rigs.read.detect import Guess


class LOPE_PT_body(ArmaturePanel, bpy.types.Panel):
    """Who goes"""

    bl_label = "Body"
    bl_idname = "LOPE_PT_body"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        armature = active_armature(context)
        row = layout.row()
        row.prop(armature.lope, "body_kind")
        bpy.types.LOPE_PT_character_presets.draw_panel_header(row)
        if not by_creature(armature.lope):
            layout.prop(armature.lope, "mass_kg")
            layout.prop(armature.lope, "suit")
            layout.prop(armature.lope, "carry")
            if armature.lope.carry != NOTHING:
                layout.prop(armature.lope, "carry_kg")
                layout.prop(armature.lope, "carry_object")
            if not has_own_muscles(armature.lope):
                layout.row(align=True).prop(armature.lope, "actuation", expand=True)
        asking(layout, context, "lope.detect_rig", "VIEWZOOM")
        if armature.lope.figure:
            lines(layout, context, armature.lope.figure)
        _doctor(layout, context, armature)


def _doctor(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What is wrong with the rig, each with a button where there is a cure."""
    from ..addon.rigs.read.doctor import ERROR

    for finding in findings_of_any(armature, context.scene):
        column = layout.column(align=True)
        lines(column, context, said(finding.sentence), "CANCEL" if finding.severity == ERROR else "ERROR")
        if finding.fix is not None:
            column.operator("lope.doctor_fix", text=finding.fix).key = finding.key


class LOPE_PT_condition(ArmaturePanel, bpy.types.Panel):
    """What is other than healthy"""

    bl_label = "Condition"
    bl_idname = "LOPE_PT_condition"
    bl_parent_id = "LOPE_PT_body"
    bl_options = {"DEFAULT_CLOSED"}
    page = "muscles"
    presets = "LOPE_PT_condition_presets"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        return armature is not None and by_muscles(armature.lope)

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        row = layout.row(align=True)
        row.operator_menu_enum("lope.condition_add", "name", icon="ADD")
        row.operator("lope.condition_clear", text="", icon="LOOP_BACK")
        _told(layout, context, settings)
        row = layout.row()
        row.use_property_split = False  # its name is too long to stand beside it
        row.prop(settings, "unloaded_months", slider=True)
        entry = draw_list(layout, settings, "condition_changes")
        if entry is not None:
            _change(layout, context, entry)
        if has_own_muscles(settings):
            return
        body = fold(layout, "muscles", words("Muscles"))
        if body is not None:
            for name in ("muscle_set", "muscle_tendon", "muscle_strength"):
                body.prop(settings, name)


def _told(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """What the condition looks like, as far as it is known."""
    try:
        known = known_in(settings)
    except InputError as error:
        lines(layout, context, said(str(error)), "ERROR")
        return
    for preset in known:
        lines(layout, context, f"{pgettext_iface(preset.label)}: {pgettext_iface(preset.sign)}", "INFO")
    if not len(settings.condition_changes) and not settings.unloaded_months:
        lines(layout, context, words("Healthy: nothing is changed"), "CHECKMARK")


def _change(layout: bpy.types.UILayout, context: bpy.types.Context, entry: bpy.types.PropertyGroup) -> None:
    """The chosen change, and what it does."""
    target = TARGETS[entry.kind]
    row = layout.row(align=True)  # a line each, and the slider lies below a small window's edge
    row.prop(entry, "kind")
    row.prop(entry, "side", text="")
    layout.prop(entry, target)
    if getattr(entry, target) == MUSCLE:
        layout.prop(entry, "muscle")
    layout.prop(entry, VALUES[entry.kind], slider=True)
    lines(layout, context, {
        WEAK: words("They pull with {share:.0f} % of their force", share=100.0 * entry.force),
        TIGHT: words("Their tendons are taut from {share:.0f} % of their length on", share=100.0 * entry.slack),
        PAIN: words("It is spared: force there weighs {weight:.0f} times as much as effort", weight=entry.spared),
        DISPLACED: words("The joint lies {distance:.1f} cm further out", distance=entry.out_cm),
    }[entry.kind], "INFO")


class LOPE_PT_bone_map(ArmaturePanel, bpy.types.Panel):
    """Which bone is which"""

    bl_label = "Bone Map"
    bl_idname = "LOPE_PT_bone_map"
    bl_parent_id = "LOPE_PT_body"
    bl_options = {"DEFAULT_CLOSED"}
    page = "your-rig"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        if by_creature(armature.lope):
            _of_creature(layout, context, armature)
            return
        found = map_of(armature)
        if found.wrong:
            lines(layout, context, said(found.wrong), "ERROR")
        elif found.unsure:
            lines(layout, context, words("Rows with a question mark are a guess: look at them"), "QUESTION")
        else:
            lines(layout, context, words("Every part of the body has its bone"), "CHECKMARK")
        column = layout.column(align=True)
        for part in PARTS:
            row = column.split(factor=0.4, align=True)
            row.alert = part in REQUIRED_PARTS and part not in found.bone_of
            row.label(text=name_of(part))
            row.operator("lope.map_bone", text=found.bone_of.get(part, "-"), translate=False,
                         icon=_icon(part, found)).segment = part
        row = layout.row(align=True)
        row.operator("lope.map_load", icon="IMPORT")
        row.operator("lope.map_save", icon="EXPORT")
        row.operator("lope.map_forget", text="", icon="X")


def _of_creature(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """At which bone each part of a creature begins."""
    lines(layout, context, words("At which bone each part begins; what hangs below goes with it"), "INFO")
    found = creature_map.bones_of(armature, context.scene)
    column = layout.column(align=True)
    for part, name, _ in creature_map.ITEMS:
        row = column.split(factor=0.4, align=True)
        row.label(text=name)
        row.operator("lope.creature_bone", text=found.get(part, "-"), translate=False).part = part
    layout.operator("lope.creature_map_forget", icon="X")


def _icon(part: str, found: Guess) -> str:
    """A row's icon: a part that must have a bone and has none, one whose bone is a guess, or none."""
    if part not in found.bone_of:
        return "ERROR" if part in REQUIRED_PARTS else "NONE"
    return "QUESTION" if part in found.unsure else "NONE"
