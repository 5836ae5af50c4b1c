# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Condition: what is other than healthy about a character that muscles move."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..addon.errors import InputError
from ..addon.specs.muscles import DISPLACED, PAIN, TIGHT, WEAK
from ..operators.condition_settings import MUSCLE, TARGETS, VALUES, known_in
from ..operators.context import active_armature, said, words
from ..operators.muscles import by_muscles, has_own_muscles
from .base import ArmaturePanel, fold, lines, split
from .lists import draw_list


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


PANELS = (LOPE_PT_condition,)
