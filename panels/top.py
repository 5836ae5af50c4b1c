# SPDX-License-Identifier: GPL-3.0-or-later
"""The top of the tab Lope, seen without scrolling: the button that makes it go, jobs on their way, and what happened."""

from __future__ import annotations

import bpy

from ..operators import beside, desk, outcomes, plan_board
from ..operators import context as notes
from ..operators.again import offered_s
from ..operators.context import active_armature, said, words
from ..operators.creature import by_creature, unread
from ..operators.follow import drives
from ..operators.gait_settings import by_reflexes
from ..operators.outcomes import fall_label_of, fall_of
from ..operators.pose_gait_settings import by_poses
from ..operators.show_plots import frame_at
from ..operators.stand import stands
from .base import TALL, ArmaturePanel, lines
from .motions import draw_recovery, draw_watched, is_watched


class LOPE_PT_top(ArmaturePanel, bpy.types.Panel):
    """Go, and what came of it"""

    bl_label = "Simulate"  # shown: a panel without a header has no ground, and words over a bright figure cannot be read
    bl_idname = "LOPE_PT_top"
    page = "troubleshooting"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        armature = active_armature(context)
        plan = plan_board.of(armature)
        if not desk.queue.busy:
            beside.warm()
        if plan is None and context.scene.lope.show_preview and not is_watched():
            plan_board.request()
        row = layout.row(align=True)
        row.scale_y = TALL
        button = row.row(align=True)
        refused = plan is not None and plan.out_of_range and not armature.lope.force
        needs_s = None if plan is None else plan.needs_s
        if drives(armature.lope):
            button.enabled = not refused
            button.operator("lope.drive", icon="PLAY")
            needs_s = None
        else:
            button.enabled = not refused and needs_s is None
            button.operator("lope.simulate", icon="PHYSICS")
        if refused:
            lines(layout, context, words("This gait does not stand at that speed; change it, or tick Try Any Speed"), "ERROR")
        asked = armature.lope
        planless = by_poses(asked) or stands(asked) or by_reflexes(asked) or by_creature(asked)
        doctor_says = plan is not None and plan.error == unread(armature, context.scene)  # under Character
        if plan is not None and plan.error and not (plan.unplanned and planless) and not doctor_says:
            lines(layout, context, said(plan.error), "ERROR")
            _length(layout, needs_s)
        if is_watched():
            draw_watched(layout, context)
            return
        _jobs(layout, context)
        draw_recovery(layout, context)
        if not desk.queue.busy:
            _happened(layout, context, armature, said(plan.error) if plan is not None else "")


def _jobs(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Every job that runs or waits, with its progress and time left; beside the first what ends it."""
    for place, job in enumerate(desk.queue.jobs):
        lines(layout, context, f"{job.label}: {said(job.text)}")
        left, share = job.left_s(), f"{100.0 * job.share:.0f} %"
        row = layout.row(align=True)
        row.progress(factor=job.share, type="BAR",
                     text=share if left is None else words("{share}, {left} left", share=share, left=clock(left)))
        if place == 0:
            row.operator("lope.finish_now", text="", icon="CHECKMARK")
            row.operator("lope.cancel", text="", icon="CANCEL")


def clock(seconds: float) -> str:
    """A time as minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def _happened(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object, told: str) -> None:
    """The last word about this armature's jobs, unless it is `told` already, and after a fall what can be done about it."""
    note, fall = notes.of(armature), fall_of(armature)
    if note is not None and note.text != told:
        lines(layout, context, note.text, note.icon)
        _length(layout, None if told else note.needs_s)
    elif note is None and fall is not None:
        lines(layout, context, armature.lope.take_summary, notes.ICONS[notes.FELL])
    if fall is not None and (note is None or note.kind == notes.FELL):
        column = layout.column(align=True)
        column.operator("lope.show_fall", icon="FRAME_NEXT", translate=False,
                        text=words("Show the Fall, Frame {frame}", frame=frame_at(fall.fell_s, armature, context.scene)))
        if fall.remedy is not None:
            column.operator("lope.try_again", icon="FILE_REFRESH", text=fall_label_of(fall.remedy), translate=False)
    elif note is not None and note.kind == notes.DONE:
        worst = outcomes.worst_of(armature)
        if worst is not None:
            lines(layout, context, words("Look at the Take panel: {what}", what=said(worst.sentence)), "INFO")


def _length(layout: bpy.types.UILayout, needs_s: float | None) -> None:
    """A button that gives the shot the length that it needs."""
    if needs_s is not None:
        seconds = offered_s(needs_s)
        layout.operator("lope.set_duration", icon="TIME", text=words("Make It {seconds:g} s Long", seconds=seconds),
                        translate=False).seconds = seconds
