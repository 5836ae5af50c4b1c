# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of pressure: what a mat has felt, the motions that are known by theirs, and what was found."""

from __future__ import annotations

import bpy

from ..operators import driving
from ..operators.context import words
from ..operators.pressure_outcome import database_line, found_of, pressure_line
from ..operators.pressure_settings import WRITTEN, is_mended, path_of, pressure_of
from ..operators.show_plots import frame_at
from .base import asking, fold, lines


class LOPE_UL_pressure_motions(bpy.types.UIList):
    """Motions of a database: name, begin, end, and whether it is quiet stance"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
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


def draw_pressure(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What is to be read by what; and what was found."""
    settings, live = armature.lope, driving.live()
    column = layout.column()
    column.enabled = live is None
    _asked(column, context, settings)
    if live is None:
        asking(layout, context, "lope.live_pressure", "PLAY")
    else:
        layout.operator("lope.live_stop", icon="CANCEL")
    _found(layout, context, armature)
    _motions(layout, context, settings)


def _asked(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """What is to be read by what, and how."""
    layout.prop(settings, "pressure_path")
    pressure, database = pressure_of(settings), path_of(settings.pressure_database)
    if pressure is not None and settings.pressure_live != WRITTEN:  # nobody knows what will be written to it
        lines(layout, context, *pressure_line(pressure))
    if pressure is None:
        asking(layout, context, "lope.add_pressure_sample", "IMPORT")
    layout.prop(settings, "pressure_database")
    if database is not None:
        lines(layout, context, *database_line(database))
    else:
        lines(layout, context, words("Index a Folder makes a database of clips of yours"), "INFO")
    layout.prop(settings, "pressure_physical")
    layout.prop(settings, "pressure_live")


def _found(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What the last take was read as, each line a button to its frame."""
    found = found_of(armature)
    if not found:
        return
    body = fold(layout, "pressure_found", words("Found: {count}", count=len(found)), closed=False)
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
    body = fold(layout, "pressure_motions", words("Motions of the Database"))
    if body is None:
        return
    asking(body, context, "lope.index_clips", "FILE_FOLDER")
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
    asking(body, context, "lope.index_again", "FILE_REFRESH")


def _chosen(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup,
            motion: bpy.types.PropertyGroup) -> None:
    """The motion that is chosen in the list: all of it, and what else is of its clip and its name."""
    for name in ("called", "begin_s", "end_s", "quiet"):
        layout.prop(motion, name)
    alike = sum(one.called == motion.called for one in settings.pressure_motions)
    of_clip = sum(one.clip == motion.clip for one in settings.pressure_motions)
    lines(layout, context, words("{seconds:.2f} s of {clip}, which has {count} in all; {alike} of this name",
                                 seconds=motion.end_s - motion.begin_s, clip=motion.clip, count=of_clip, alike=alike), "ACTION")
