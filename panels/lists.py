# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel's lists: pushes, targets of a path, gravities of a ramp, takes."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..addon.specs.muscles import BOTH
from ..operators.choices import title
from ..operators.condition_settings import MUSCLE, TARGETS, VALUES
from ..operators.context import found_file
from ..operators.lists import LISTS
from ..operators.pose_gait_settings import change_menu
from ..operators.show_plots import has_ghost
from ..operators.takes import is_present
from .base import switched


class LOPE_UL_pushes(bpy.types.UIList):
    """Pushes: frame, force and body part"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.row(align=True)
        row.prop(item, "frame", text="", emboss=False)
        row.prop(item, "force_n", text="", emboss=False)
        row.prop(item, "segment", text="", emboss=False)


class LOPE_UL_targets(bpy.types.UIList):
    """Targets of a path"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        layout.prop(item, "target", text="")


class LOPE_UL_gravities(bpy.types.UIList):
    """Gravities of a ramp: frame and value"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.row(align=True)
        row.prop(item, "frame", text="", emboss=False)
        row.prop(item, "gravity_m_s2", text="", emboss=False)


class LOPE_UL_footprints(bpy.types.UIList):
    """Locked footprints: number and place"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.row(align=True)
        row.label(text=f"{'LR'[item.number % 2]} {item.number}", icon="LOCKED", translate=False)
        row.prop(item, "x_m", text="", emboss=False)
        row.prop(item, "y_m", text="", emboss=False)


class LOPE_UL_settings(bpy.types.UIList):
    """Changed settings of the controller"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.split(factor=0.72, align=True)
        row.prop(item, "setting", text="", emboss=False)
        row.prop(item, "value", text="", emboss=False)


class LOPE_UL_keys(bpy.types.UIList):
    """Keys of gait and speed"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.row(align=True)
        row.prop(item, "frame", text="", emboss=False)
        if item.use_gait:
            row.prop(item, "gait", text="", emboss=False)
        if item.use_speed:
            row.prop(item, "speed_m_s", text="", emboss=False)


class LOPE_UL_pose_changes(bpy.types.UIList):
    """Changes of a gait from key poses"""

    def draw_item(self, _context, layout, data, item, _icon, _active, _prop) -> None:
        row = layout.row(align=True)
        row.prop(item, "frame", text="", emboss=False)
        if item.use_gait:
            row.prop(item, change_menu(data), text="", emboss=False)
        if item.use_speed:
            row.prop(item, "speed_m_s", text="", emboss=False)


class LOPE_UL_hits(bpy.types.UIList):
    """Hits: frame, what, and bone"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.row(align=True)
        row.prop(item, "frame", text="", emboss=False)
        row.prop(item, "kind", text="", emboss=False)
        row.label(text=item.bone or "-", translate=False)


class LOPE_UL_takes(bpy.types.UIList):
    """Takes: verdict, name, world and length; those whose file is gone are grey"""

    def draw_item(self, _context, layout, data, item, _icon, _active, _prop, index=0) -> None:
        row = layout.split(factor=TAKE_TEXT, align=True)
        row.active = found_file(item.path, data.id_data) is not None
        name = row.row(align=True)
        name.label(text="", icon=VERDICTS.get("fell" if item.fall else item.verdict, "DOT"))
        name.prop(item, "label", text="", emboss=False, icon="PLAY" if is_present(data.id_data, item) else "NONE")
        row = row.row(align=True)
        row.label(text=f"{item.length_s:.1f} s", translate=False)
        ghost = has_ghost(data.id_data, item)
        row.operator("lope.take_ghost", text="", icon="GHOST_ENABLED" if ghost else "GHOST_DISABLED", depress=ghost,
                     emboss=False).index = index


TAKE_TEXT = 0.72
"""Share of a row that a take's name has."""
VERDICTS = {"green": "CHECKMARK", "amber": "ERROR", "red": "CANCEL", "fell": "CANCEL"}
CHANGE_TEXT = 0.78
"""Share of a row that a change's words have; less would cut them off in a narrow sidebar."""


class LOPE_UL_changes(bpy.types.UIList):
    """Changes of a condition: what is the matter, with what, on which side, how much"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
        row = layout.split(factor=CHANGE_TEXT, align=True)
        row.label(text=_change_text(item), translate=False)
        row.prop(item, VALUES[item.kind], text="", emboss=False)


def _change_text(item: bpy.types.PropertyGroup) -> str:
    """A change in a few words, such as "Weak: Plantar Flexors L"."""
    target = TARGETS[item.kind]
    names = [bpy.types.UILayout.enum_item_name(item, name, getattr(item, name)) for name in ("kind", target)]
    kind, where = (pgettext_iface(name) for name in names)
    if getattr(item, target) == MUSCLE:
        where = title(item.muscle)
    return f"{kind}: {where}" + ("" if item.side == BOTH else f" {item.side}")


OF = {"changed_settings": "LOPE_UL_settings", "keys": "LOPE_UL_keys", "pushes": "LOPE_UL_pushes", "targets": "LOPE_UL_targets",
      "gravity_ramp": "LOPE_UL_gravities", "pose_changes": "LOPE_UL_pose_changes", "hits": "LOPE_UL_hits",
      "condition_changes": "LOPE_UL_changes"}


def draw_list(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup, name: str) -> bpy.types.PropertyGroup | None:
    """A list with its buttons; gives the chosen entry, None in an empty list."""
    row = layout.row()
    row.template_list(OF[name], "", settings, name, settings, LISTS[name], rows=2)
    column = row.column(align=True)
    column.operator("lope.list_add", text="", icon="ADD").name = name
    column.operator("lope.list_remove", text="", icon="REMOVE").name = name
    entries, at = getattr(settings, name), getattr(settings, LISTS[name])
    return entries[at] if 0 <= at < len(entries) else None


def draw_footprints(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The locked footprints with their buttons, and the chosen one's direction."""
    row = layout.row(align=True)
    row.operator("lope.move_footprints", icon="VIEW_PAN")
    row.operator("lope.reset_footprints", text="", icon="LOOP_BACK")
    if not len(settings.footprints):
        return
    row = layout.row()
    row.template_list("LOPE_UL_footprints", "", settings, "footprints", settings, "footprint_index", rows=2)
    chosen = settings.footprints[min(settings.footprint_index, len(settings.footprints) - 1)]
    row.operator("lope.lock_footprint", text="", icon="UNLOCKED").number = chosen.number
    switched(layout, chosen, "use_yaw", "yaw_deg")


CLASSES = (LOPE_UL_settings, LOPE_UL_keys, LOPE_UL_pose_changes, LOPE_UL_pushes, LOPE_UL_hits, LOPE_UL_changes, LOPE_UL_targets,
           LOPE_UL_gravities, LOPE_UL_footprints, LOPE_UL_takes)
