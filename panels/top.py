# SPDX-License-Identifier: GPL-3.0-or-later
"""The head of the tab Lope, as high whatever happens: who, where, the button that makes it go, what is to be said, the verbs."""

from __future__ import annotations

import bpy

from ..addon.worlds.planets import CUSTOM
from ..operators import beside, desk, driving, plan_board
from ..operators.context import active_armature
from ..operators.hit import action_to_hit
from ..operators.verbs import DRIVE, HIT, PRESSURE, VERBS, verb_of
from .base import TALL, LopePanel, Popover, split, status
from .lists import draw_list
from .status import refused, told, too_short

VERB_COLUMNS = 3


class LOPE_PT_top(LopePanel, bpy.types.Panel):
    """Who goes, where, and go"""

    bl_label = ""
    bl_idname = "LOPE_PT_top"
    page = "panel"

    def draw_header(self, _context: bpy.types.Context) -> None:
        self.layout.label(text=self.bl_category, translate=False)

    def draw(self, context: bpy.types.Context) -> None:
        armature = active_armature(context)
        if not desk.queue.busy:
            beside.warm()
        stale = plan_board.of(armature) is None if plan_board.wanted(context) else plan_board.plan is not None
        if stale and driving.going is None:
            plan_board.request()
        column = self.layout.column()
        _who(column, context, armature)
        _where(column, context)
        _go(column, context, armature)
        _said(column, context)
        grid = self.layout.grid_flow(row_major=True, columns=VERB_COLUMNS, even_columns=True, align=True)
        for name, *_ in VERBS:
            grid.prop_enum(context.scene.lope, "verb", name)


def _who(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object | None) -> None:
    """The character in hand."""
    row = layout.row(align=True)
    row.prop(context.scene.lope, "armature", text="", placeholder="" if armature is None else armature.name)
    row.menu("LOPE_MT_add", text="", icon="ADD")


def _where(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The world, and what else there is to it."""
    world = context.scene.lope
    row = layout.row(align=True)
    row.prop(world, "world", text="")
    if world.world == CUSTOM:
        row.prop(world, "gravity_m_s2", text="")
    row.popover("LOPE_PT_world", text="", icon="GRID")


def _go(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object | None) -> None:
    """The one big button."""
    row = layout.row()
    row.scale_y = TALL
    name, icon = go_button(context, armature)
    row.enabled = armature is not None and not (
        name in ("lope.simulate", "lope.drive") and (refused(armature) or too_short(armature)))
    row.operator(name, icon=icon)


def go_button(context: bpy.types.Context, armature: bpy.types.Object | None) -> tuple[str, str]:
    """The operator that the page is about, and its icon."""
    verb = None if armature is None else verb_of(armature.lope)
    if verb == DRIVE:
        return "lope.drive", "PLAY"
    if verb == PRESSURE:
        return "lope.read_pressure", "IMPORT"
    if verb == HIT and len(armature.lope.hits) and action_to_hit(armature) is not None:
        return "lope.simulate_hit", "FORCE_FORCE"
    return "lope.simulate", "PHYSICS"


def _said(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The status: what is most pressing in lines of one number, all of it in a popover, and a row for what can be done. A job's
    progress and Cancel have that row, whatever is said meanwhile."""
    everything = list(told(context))
    row = layout.row()
    status(row, context, everything[0].text, everything[0].icon)
    row.popover("LOPE_PT_said", text="", icon="DOWNARROW_HLT")
    row = layout.row(align=True)
    job = next((one for one in everything if one.icon == "SORTTIME" and one.buttons is not None), None)
    buttons = (everything[0] if job is None else job).buttons
    if buttons is None:
        row.label(text="")
    else:
        buttons(row)


class LOPE_PT_world(Popover, bpy.types.Panel):
    """What is walked on, how gravity changes, and what is drawn of the plan"""

    bl_label = "Ground and Gravity"
    bl_idname = "LOPE_PT_world"

    def draw(self, context: bpy.types.Context) -> None:
        from .menus import LOPE_PT_world_presets

        layout, world = self.layout, context.scene.lope
        row = layout.row()
        row.label(text="Ground and Gravity")
        LOPE_PT_world_presets.draw_panel_header(row)
        layout = split(layout)
        layout.prop(world, "ground")
        for name in {"slope": ("slope_deg", "direction_deg"), "steps": ("rise_m", "run_m", "direction_deg"),
                     "MESH": ("ground_object", "ground_spacing_m")}.get(world.ground, ()):
            layout.prop(world, name)
        if world.ground == "MESH" and world.ground_object is None:
            layout.operator_menu_enum("lope.add_ground", "sample", icon="MESH_GRID")
        layout.prop(world, "friction")
        layout.prop(world, "objects")
        if world.objects is not None:
            layout.prop(world, "objects_density")
        layout.prop(world, "use_gravity_ramp")
        if world.use_gravity_ramp:
            draw_list(layout, world, "gravity_ramp")
        row = layout.row(align=True)
        row.prop(world, "show_preview", toggle=True, icon="HIDE_OFF")
        row.operator("lope.preview", text="", icon="FILE_REFRESH")
