# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Motion from Pressure: what a mat has felt, the motions that are known by theirs, and what was found."""

from __future__ import annotations

import bpy

from ..operators import context as notes
from ..operators import desk, driving
from ..operators import pressure_outcome as live_offer
from ..operators.context import active_armature, said, words
from ..operators.pressure_outcome import INDEX, READ, SHOW, database_line, found_of, pressure_line
from ..operators.pressure_settings import WRITTEN, is_mended, path_of, pressure_of
from ..operators.show_plots import frame_at
from .base import TALL, PersonPanel, lines, split
from .motions import draw_live

BUTTONS = ("LOPE_OT_read_pressure", "LOPE_OT_live_pressure", "LOPE_OT_live_keep", "LOPE_OT_index_clips", "LOPE_OT_index_again",
           "LOPE_OT_motions_read", "LOPE_OT_motion_split")
"""Operators of this panel: why one could not do its work is said here, too."""


class LOPE_UL_pressure_motions(bpy.types.UIList):
    """Motions of a database: name, begin, end, and whether it is quiet stance"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop, _index=0, _flags=0) -> None:
        row = layout.split(factor=0.52, align=True)
        row.prop(item, "called", text="", emboss=False)
        times = row.row(align=True)
        times.label(text=f"{item.begin_s:.1f}\u2013{item.end_s:.1f}", translate=False)  # fields of that width show a digit
        times.prop(item, "quiet", text="", icon="PAUSE" if item.quiet else "PLAY", emboss=False)

    def filter_items(self, _context, data, name) -> tuple[list[int], list[int]]:
        """By the motions' own names."""
        items = getattr(data, name)
        wanted = self.filter_name.casefold()
        shown = [self.bitflag_filter_item if wanted in item.called.casefold() else 0 for item in items] if wanted else []
        order = bpy.types.UI_UL_list.sort_items_by_name(items, "called") if self.use_filter_sort_alpha else []
        return shown, order


class LOPE_PT_pressure(PersonPanel, bpy.types.Panel):
    """What it was seen to do by the pressure under somebody's feet"""

    bl_label = "Motion from Pressure"
    bl_idname = "LOPE_PT_pressure"
    bl_options = {"DEFAULT_CLOSED"}
    page = "pressure"

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        armature = active_armature(context)
        settings = armature.lope
        live = driving.live()
        column = layout.column()
        column.enabled = live is None
        _asked(column, context, settings)
        if live is not None:  # its button lies where the other one was
            draw_live(layout, context, live)
        else:
            row = layout.row()
            row.scale_y = TALL
            row.operator("lope.live_pressure", icon="PLAY")
        _on_its_way(layout, context, armature)
        if live is None:  # what waits is of another show
            _offered(layout, context, armature)
        _found(layout, context, armature)
        _motions(layout, context, settings)


def _asked(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """What is to be read by what, and the buttons that do it."""
    layout.prop(settings, "pressure_path")
    pressure, database = pressure_of(settings), path_of(settings.pressure_database)
    if pressure is not None and settings.pressure_live != WRITTEN:  # nobody knows what will be written to it
        lines(layout, context, *pressure_line(pressure))
    layout.prop(settings, "pressure_database")
    if database is not None:
        lines(layout, context, *database_line(database))
    else:
        lines(layout, context, words("Index a Folder makes a database of clips of yours"), "INFO")
    layout.prop(settings, "pressure_physical")
    row = layout.row()
    row.scale_y = TALL
    row.operator("lope.read_pressure", icon="IMPORT")
    layout.prop(settings, "pressure_live")


def _on_its_way(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """This armature's jobs with pressure, or why a button could not do its work."""
    kinds = (READ, INDEX) if driving.live() is not None else (READ, INDEX, SHOW)  # after it what came is written
    jobs = [order.job for order in desk.orders.values()
            if order.object_uid == armature.session_uid and order.job.task.kind in kinds]
    for job in jobs:
        lines(layout, context, said(job.text), "SORTTIME")
        row = layout.row(align=True)
        row.progress(factor=job.share, type="BAR", text=f"{100.0 * job.share:.0f} %")
        row.operator("lope.cancel", text="", icon="CANCEL")
    note = notes.of(armature)
    if not jobs and note is not None and note.button in BUTTONS:
        lines(layout, context, note.text, note.icon)


def _offered(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What came live and waits to be kept."""
    offer = live_offer.of(armature.session_uid)
    if offer is None:
        return
    if offer.wrong:
        lines(layout, context, offer.wrong, "ERROR")
    lines(layout, context, offer.text, "QUESTION")
    row = layout.row(align=True)
    row.operator("lope.live_keep", icon="CHECKMARK")
    row.operator("lope.live_discard", icon="TRASH")


def _found(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What the last take was read as, each line a button to its frame."""
    found = found_of(armature)
    if not found:
        return
    header, body = layout.panel("LOPE_PT_pressure_found", default_closed=False)
    header.label(text=words("Found: {count}", count=len(found)), translate=False)
    if body is None:
        return
    column = body.column(align=True)
    for one in found:
        frame = frame_at(one.at_s, armature, context.scene)
        column.operator("lope.go_to_frame", icon="FRAME_NEXT", text=one.text, translate=False).frame = frame
    if any(one.doubted for one in found):
        lines(body, context, words("? Doubtful: little like the motion, as like another, or a pace nobody goes at"), "QUESTION")


def _motions(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The database's clips, the list of their motions, and what makes it anew."""
    header, body = layout.panel("LOPE_PT_pressure_motions", default_closed=True)
    header.label(text="Motions of the Database")
    if body is None:
        return
    body.operator("lope.index_clips", icon="FILE_FOLDER")
    if not settings.pressure_database:
        return
    body.prop(settings, "pressure_clips")
    row = body.row()
    row.template_list("LOPE_UL_pressure_motions", "", settings, "pressure_motions", settings, "pressure_motion_index", rows=5)
    column = row.column(align=True)
    column.operator("lope.motion_split", text="", icon="SPLIT_VERTICAL")
    column.operator("lope.list_remove", text="", icon="REMOVE").name = "pressure_motions"
    column.operator("lope.motions_read", text="", icon="FILE_REFRESH")
    if 0 <= settings.pressure_motion_index < len(settings.pressure_motions):
        _chosen(body, context, settings, settings.pressure_motions[settings.pressure_motion_index])
    if is_mended(settings):
        lines(body, context, words("The list is changed: Index Again makes the database so"), "INFO")
    body.operator("lope.index_again", icon="FILE_REFRESH")


def _chosen(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup,
            motion: bpy.types.PropertyGroup) -> None:
    """The motion that is chosen in the list: all of it, and what else is of its clip and its name."""
    for name in ("called", "begin_s", "end_s", "quiet"):
        layout.prop(motion, name)
    alike = sum(one.called == motion.called for one in settings.pressure_motions)
    of_clip = sum(one.clip == motion.clip for one in settings.pressure_motions)
    lines(layout, context, words("{seconds:.2f} s of {clip}, which has {count} in all; {alike} of this name",
                                 seconds=motion.end_s - motion.begin_s, clip=motion.clip, count=of_clip, alike=alike), "ACTION")


PANELS = (LOPE_PT_pressure,)
