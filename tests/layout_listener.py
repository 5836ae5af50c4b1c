# SPDX-License-Identifier: GPL-3.0-or-later
"""A layout that draws nothing but checks what is drawn: settings, operators, icons and lists must be there."""

from __future__ import annotations

from types import SimpleNamespace

import bpy

ICONS = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())


class Listener:
    """Stands for a panel's layout, and for every layout inside it; `drawn` names the settings and buttons that were drawn, `said`
    holds the words of labels and buttons."""

    def __init__(self, context: bpy.types.Context) -> None:
        self.drawn: list[str] = []
        self.said: list[str] = []
        self._context = SimpleNamespace(
            scene=context.scene, object=context.object, preferences=context.preferences,
            region=SimpleNamespace(width=300), selected_objects=context.selected_objects)

    def draw(self, cls: type[bpy.types.Panel]) -> None:
        """Draw a panel and its header."""
        names = ("page", "presets", "bl_category", "bl_ui_units_x")
        panel = SimpleNamespace(layout=self, **{name: getattr(cls, name) for name in names if hasattr(cls, name)})
        cls.draw(panel, self._context)
        for name in ("draw_header", "draw_header_preset"):
            if hasattr(cls, name) and (name == "draw_header" or hasattr(cls, "page")):
                getattr(cls, name)(panel, self._context)

    def _inner(self, *_arguments: object, **_options: object) -> Listener:
        return self

    row = column = box = split = grid_flow = _inner

    def panel(self, _name: str, default_closed: bool = False) -> tuple[Listener, Listener]:
        return self, self

    def _check_icon(self, icon: str) -> None:
        assert icon in ICONS, icon

    def label(self, text: str = "", icon: str = "NONE", **_options: object) -> None:
        self._check_icon(icon)
        self.said.append(text)

    def prop(self, data: bpy.types.bpy_struct, name: str, icon: str = "NONE", **_options: object) -> None:
        assert name in data.bl_rna.properties, name
        self._check_icon(icon)
        self.drawn.append(name)

    def prop_search(self, data: bpy.types.bpy_struct, name: str, where: bpy.types.bpy_struct, among: str,
                    **options: object) -> None:
        assert among in where.bl_rna.properties, among
        self.prop(data, name)

    def operator(self, name: str, text: str = "", icon: str = "NONE", **_options: object) -> SimpleNamespace:
        room, _, called = name.partition(".")
        getattr(getattr(bpy.ops, room), called).get_rna_type()
        self._check_icon(icon)
        self.said.append(text)
        self.drawn.append(name)
        return SimpleNamespace()

    def popover(self, panel: str, icon: str = "NONE", **_options: object) -> None:
        assert hasattr(bpy.types, panel), panel
        self._check_icon(icon)
        self.drawn.append(panel)

    def prop_enum(self, data: bpy.types.bpy_struct, name: str, value: str, **_options: object) -> None:
        assert value in data.bl_rna.properties[name].enum_items, value
        if name not in self.drawn:
            self.drawn.append(name)

    def menu(self, name: str, icon: str = "NONE", **_options: object) -> None:
        assert hasattr(bpy.types, name), name
        self._check_icon(icon)
        self.drawn.append(name)

    def progress(self, **_options: object) -> None:
        pass

    def template_list(self, kind: str, _id: str, data, name: str, active, active_name: str, **_options: object) -> None:
        assert hasattr(bpy.types, kind) and name in data.bl_rna.properties and active_name in active.bl_rna.properties
        self.drawn.append(name)

    def operator_menu_enum(self, name: str, prop: str, icon: str = "NONE", **_options: object) -> None:
        assert prop in getattr(bpy.ops.lope, name.removeprefix("lope.")).get_rna_type().properties, prop
        self.operator(name, icon=icon)
