# SPDX-License-Identifier: GPL-3.0-or-later
"""The lower panels of the tab Lope, what comes of it: simulate, bake, take."""

from __future__ import annotations

import bpy

from ..operators import desk, outcomes, plan_board, show_plots
from ..operators.context import active_armature
from ..operators.rerun import baked_action
from ..operators.texts import said, words
from .base import ArmaturePanel, lines, split, switched

GRADES = {"green": "CHECKMARK", "amber": "ERROR", "red": "CANCEL"}
LEVELS = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL"}


class LOPE_PT_simulate(ArmaturePanel, bpy.types.Panel):
    """Make it go"""

    bl_label = "Simulate"
    bl_idname = "LOPE_PT_simulate"
    page = "troubleshooting"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        plan = plan_board.of(armature)
        if plan is None and context.scene.lope.show_preview:
            plan_board.request()
        split(layout.column()).prop(context.scene.lope, "duration_s")
        row = layout.row(align=True)
        row.prop(context.scene.lope, "show_preview", toggle=True, icon="HIDE_OFF")
        row.operator("lope.preview", text="", icon="FILE_REFRESH")
        if plan is not None and plan.error:
            lines(layout, context, said(plan.error), "ERROR")
        column = layout.column(align=True)
        column.scale_y = 1.4
        button = column.row(align=True)
        button.enabled = plan is None or not plan.out_of_range or armature.lope.force
        button.operator("lope.simulate", icon="PHYSICS")
        if not button.enabled:
            lines(layout, context, words("This gait does not stand at that speed; change it, or tick Try Any Speed"),
                  "ERROR")
        _jobs(layout)
        row = layout.row(align=True)
        row.prop(armature.lope, "bake_when_done")
        row.operator("lope.tune", icon="MODIFIER")
        note = desk.notes.get(armature.session_uid)
        if note is not None:
            lines(layout, context, note[1], LEVELS[note[0]])


def _jobs(layout: bpy.types.UILayout) -> None:
    """Every job that runs or waits, with its progress and time left; beside the first what ends it."""
    for place, job in enumerate(desk.queue.jobs):
        left = job.left_s()
        text = job.label if left is None else words("{label}  {left} left", label=job.label, left=clock(left))
        row = layout.row(align=True)
        row.progress(factor=job.share, text=text, type="BAR")
        if place == 0:
            row.operator("lope.finish_now", text="", icon="CHECKMARK")
            row.operator("lope.cancel", text="", icon="CANCEL")


def clock(seconds: float) -> str:
    """A time as minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


class LOPE_PT_bake(ArmaturePanel, bpy.types.Panel):
    """Make keys of it"""

    bl_label = "Bake"
    bl_idname = "LOPE_PT_bake"
    presets = "LOPE_PT_bake_presets"
    bl_options = {"DEFAULT_CLOSED"}
    page = "rigs"

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        for name in ("bake_parts", "bake_target", "bake_controls", "bake_root"):
            layout.prop(settings, name)
        layout.prop(settings, "bake_loop")
        part = layout.column()
        part.active = not settings.bake_loop
        part.prop(settings, "bake_use_range")
        if settings.bake_use_range:
            part.prop(settings, "bake_start")
            part.prop(settings, "bake_end")
        if settings.bake_target == "replace":
            layout.prop(settings, "bake_use_lock")
            if settings.bake_use_lock:
                layout.prop(settings, "bake_lock_start")
                layout.prop(settings, "bake_lock_end")
        layout.prop(settings, "bake_step")
        switched(layout, settings, "bake_reduce", "bake_error_mm")
        for name in ("bake_lock_feet", "bake_markers", "bake_subframes", "bake_go_on", "bake_push_down", "bake_keep_old"):
            layout.prop(settings, name)
        row = layout.row()
        row.scale_y = 1.4
        row.operator("lope.bake", icon="KEYFRAME_HLT")
        if settings.bake_report:
            lines(layout, context, settings.bake_report, "KEYTYPE_GENERATED_VEC")


class LOPE_PT_take(ArmaturePanel, bpy.types.Panel):
    """What came of it"""

    bl_label = "Take"
    bl_idname = "LOPE_PT_take"
    page = "measures"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        if armature.lope.take_summary:
            lines(layout, context, armature.lope.take_summary, "ANIM_DATA")
        _card(layout, context, armature)
        layout.operator("lope.show_plots", icon="GRAPH", depress=show_plots.shows(armature))
        column = layout.column(align=True)
        column.operator("lope.export_csv", icon="EXPORT")
        column.operator("lope.export_events", icon="EXPORT")
        action = baked_action(armature)
        row = layout.row(align=True)
        row.operator("lope.rerun", icon="FILE_REFRESH")
        if action is not None:
            layout.label(text=action.name, icon="ACTION", translate=False)
            made = words("Lope {version}, seed {seed}, body {body}", version=action.get("lope_version", "?"),
                         seed=action.get("lope_seed", "?"), body=str(action.get("lope_body_hash", "?"))[:8])
            lines(layout, context, made)


def _card(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The physics card of the take: one line a measure, with its grade as a sign."""
    card = [line for line in outcomes.card_of(armature) if line[0] in GRADES]
    if not card:
        return
    header, body = layout.panel("LOPE_PT_take_card", default_closed=False)
    worst = max((grade for grade, *_ in card), key=list(GRADES).index)
    header.label(text="Physics", icon=GRADES[worst])
    if body is not None:
        for grade, _name, sentence in card:
            lines(body, context, said(sentence), GRADES[grade])


PANELS = (LOPE_PT_simulate, LOPE_PT_bake, LOPE_PT_take)
