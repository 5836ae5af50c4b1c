# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope's own moves: as an asset library and an asset shelf, one of them for a character, or to be followed."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path

import bpy
from bpy.props import EnumProperty, StringProperty

from ..addon.errors import LopeError
from .choices import EnumItem, item
from .context import active_armature, reports_errors, words
from .figures import Placement, figure_of, plain
from .pressure import poll_person
from .properties import changed
from .simulate import run_shot
from .verbs import FOLLOW, choose

LIBRARY = "Lope"
"""What the asset library is called in the preferences."""
USED, FOLLOWED = "Normal walk", "Posed sneak"
"""The move that is used, and that is followed, where none is chosen."""


@lru_cache(maxsize=1)
def _named() -> tuple[EnumItem, ...]:
    from ..addon.rigs.shots.library import move_names

    return tuple(item(name, name, "") for name in move_names())


def move_items(_self: object = None, _context: bpy.types.Context | None = None) -> tuple[EnumItem, ...]:
    """The moves of the library; none where it is not there, which the button then says."""
    try:
        return _named()
    except LopeError:
        return ()


def walk_in(world: str) -> str:
    """The library's walk in a world, the normal one where it has none."""
    name = f"Gait walk {world}"
    return name if any(name == one[0] for one in move_items()) else USED


class LOPE_OT_register_library(bpy.types.Operator):
    """Show Lope's moves in Blender's Asset Browser, under the library Lope"""

    bl_idname = "lope.register_library"
    bl_label = "Register Asset Library"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.shots.library import FOLDER, move_names

        count, libraries = len(move_names()), context.preferences.filepaths.asset_libraries
        library = library_of(context) or libraries.get(LIBRARY)
        if library is None:
            library = libraries.new(name=LIBRARY, directory=str(FOLDER))
        library.path, library.import_method = str(FOLDER), "APPEND"
        context.preferences.is_dirty = True
        self.report({"INFO"}, words("{count} moves are in the Asset Browser now, under {name}", count=count, name=library.name))
        return {"FINISHED"}


class LOPE_OT_use_move(bpy.types.Operator):
    """Let this character do one of Lope's moves: it is simulated for its own body, in the background, and baked"""

    bl_idname = "lope.use_move"
    bl_label = "Use Move"
    bl_options = {"REGISTER"}

    move: EnumProperty(name="Move", items=move_items, description="Which move", options={"SKIP_SAVE"})
    # What Blender tells of the asset that is clicked in a shelf.
    asset_library_type: EnumProperty(options={"HIDDEN", "SKIP_SAVE"}, items=(
        ("ALL", "All", "", 2), ("LOCAL", "Local", "", 1), ("ESSENTIALS", "Essentials", "", 3), ("CUSTOM", "Custom", "", 100)))
    asset_library_identifier: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    relative_asset_identifier: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_person(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.bodies.makers import make_body
        from ..addon.rigs.shots.library import recipe_of
        from .surroundings import load_of

        clicked = self.relative_asset_identifier.rpartition("/Action/")[2]
        name = self.move if self.properties.is_property_set("move") else clicked or chosen_asset(context) or USED
        armature, recipe = active_armature(context), recipe_of(name)
        figure = figure_of(armature, context.scene)
        body = figure.body_spec(plain(armature.lope.mass_kg))
        ratio = figure.leg_length_m / make_body(recipe.body).leg_length_m
        carry = load_of(armature.lope, Placement.of(armature, figure))
        shot = dataclasses.replace(recipe.on_legs(ratio), body=body, suit=armature.lope.suit, carry=carry)
        return run_shot(self, context, shot)


class LOPE_OT_add_sample_clip(bpy.types.Operator):
    """Let this character follow one of Lope's moves as it would an action of yours, under any gravity"""

    bl_idname = "lope.add_sample_clip"
    bl_label = "Follow a Sample"
    bl_options = {"REGISTER", "UNDO"}

    move: EnumProperty(name="Move", items=move_items, description="Which move")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_person(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.shots.library import bring_in

        name = self.move if self.properties.is_property_set("move") else FOLLOWED
        settings = active_armature(context).lope
        settings.follow_action, settings.follow_armature = bring_in(name)
        settings.follow_source = "ACTION"
        choose(settings, FOLLOW)
        changed()
        self.report({"INFO"}, words("{name} is followed now: Simulate", name=name))
        return {"FINISHED"}


class VIEW3D_AST_lope_moves(bpy.types.AssetShelf):
    """Lope's moves below the view: a click lets the character do one"""

    bl_space_type = "VIEW_3D"
    bl_activate_operator = "LOPE_OT_use_move"
    bl_default_preview_size = 64
    filter_action = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.mode == "OBJECT" and library_of(context) is not None

    @classmethod
    def asset_poll(cls, asset: bpy.types.AssetRepresentation) -> bool:
        return is_move(asset)

    @classmethod
    def draw_context_menu(cls, _context: bpy.types.Context, _asset: bpy.types.AssetRepresentation,
                          layout: bpy.types.UILayout) -> None:
        layout.operator("lope.use_move", icon="PLAY")


def library_of(context: bpy.types.Context) -> bpy.types.UserAssetLibrary | None:
    """Lope's library in the preferences; None before it was registered."""
    from ..addon.rigs.shots.library import FOLDER

    return next((one for one in context.preferences.filepaths.asset_libraries if Path(one.path) == FOLDER), None)


def is_move(asset: bpy.types.AssetRepresentation) -> bool:
    """Whether an asset is a move of Lope's."""
    from ..addon.rigs.shots.library import FILE, FOLDER

    return asset.id_type == "ACTION" and Path(asset.full_library_path) == FOLDER / FILE


def chosen_asset(context: bpy.types.Context) -> str | None:
    """The move of Lope's that is chosen in the Asset Browser or in the shelf; None for anything else."""
    asset = getattr(context, "asset", None)
    return asset.name if asset is not None and is_move(asset) else None


def _in_browser(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    """In the Asset Browser's menus: what Lope does with a move."""
    if chosen_asset(context) is not None:
        self.layout.separator()
        self.layout.operator("lope.use_move", icon="PLAY")


MENUS = ("ASSETBROWSER_MT_context_menu", "ASSETBROWSER_MT_asset")


def register() -> None:
    """Put the button in the Asset Browser's menus."""
    for name in MENUS:
        getattr(bpy.types, name).append(_in_browser)


def unregister() -> None:
    """Take it out again, where Blender, at its end, has not taken the menus themselves."""
    for name in MENUS:
        if hasattr(bpy.types, name):
            getattr(bpy.types, name).remove(_in_browser)
