# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of settings, the Blender way: a popover each for gait, world, suit, condition and bake; the user's own lie in
the user's folder."""

from __future__ import annotations

from pathlib import Path

import bpy
from bl_operators.presets import AddPresetBase
from bl_ui.utils import PresetPanel

from ..operators.bake_settings import BakeSettings
from ..operators.context import poll_armature
from ..operators.gait_settings import NAMES as STYLE

PACKAGE = Path(__file__).resolve().parents[1]
GAIT = (*STYLE, "motion", "follow_time", "follow_stretch", "follow_flight", "gait_source", "pose_gait",
        "pose_gait_path", "planar", "planar_gait", "planar_engine", "learns", "firmness", "gait", "gait_law", "motion_path",
        "use_speed", "speed_m_s",
        "use_stride_frequency", "stride_frequency_hz", "stand_on", "use_stand_apart", "stand_apart_m",
        "stand_ahead_m", "stand_pose", "stand_hips", "use_stand_steps", "stand_steps", "stand_reaction_s", "stand_swing_m_s",
        "stand_sway", "walker", "walker_path", "start", "stop", "after_fall", "force", "retry", "tuned", "noise", "scaling")
WORLD = ("world", "gravity_m_s2", "friction", "ground", "slope_deg", "direction_deg", "rise_m", "run_m", "ground_spacing_m")
CHARACTER = ("mass_kg", "suit", "carry", "carry_kg", "actuation", "muscle_set", "muscle_tendon", "muscle_strength")
CONDITION = ("condition_changes", "unloaded_months")
BAKE = tuple(name for name in BakeSettings.__annotations__ if name not in ("bake_report", "bake_before"))
OF_ARMATURE = ["settings = bpy.context.scene.lope.character.lope"]
"""Lines of a preset."""
OF_SCENE = ["settings = bpy.context.scene.lope"]


class _Presets(PresetPanel):
    """A popover in a panel's header that lists kept settings."""

    preset_operator = "script.execute_preset"


class LOPE_PT_gait_presets(_Presets, bpy.types.Panel):
    """Kept gait settings"""

    bl_label = "Gait Presets"
    preset_subdir = "lope/gait"
    preset_add_operator = "lope.gait_preset_add"


class LOPE_PT_world_presets(_Presets, bpy.types.Panel):
    """Kept world settings"""

    bl_label = "World Presets"
    preset_subdir = "lope/world"
    preset_add_operator = "lope.world_preset_add"


class LOPE_PT_character_presets(_Presets, bpy.types.Panel):
    """Kept masses and suits"""

    bl_label = "Character Presets"
    preset_subdir = "lope/character"
    preset_add_operator = "lope.character_preset_add"


class LOPE_PT_condition_presets(_Presets, bpy.types.Panel):
    """Kept conditions"""

    bl_label = "Condition Presets"
    preset_subdir = "lope/condition"
    preset_add_operator = "lope.condition_preset_add"


class LOPE_PT_bake_presets(_Presets, bpy.types.Panel):
    """Kept bake settings"""

    bl_label = "Bake Presets"
    preset_subdir = "lope/bake"
    preset_add_operator = "lope.bake_preset_add"


class _Add(AddPresetBase):
    """Keeps settings in a file of the user's presets; shipped ones are not touched."""

    bl_options = {"REGISTER", "INTERNAL"}


class _AddOfArmature(_Add):
    """Keeps settings that stand on the armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)


def _values(names: tuple[str, ...]) -> list[str]:
    return [f"settings.{name}" for name in names]


class LOPE_OT_gait_preset_add(_AddOfArmature, bpy.types.Operator):
    """Keep the gait's settings as a preset of yours, or remove one"""

    bl_idname = "lope.gait_preset_add"
    bl_label = "Add Gait Preset"
    preset_menu = "LOPE_PT_gait_presets"
    preset_subdir = "lope/gait"
    preset_defines = OF_ARMATURE
    preset_values = _values(GAIT)


class LOPE_OT_character_preset_add(_AddOfArmature, bpy.types.Operator):
    """Keep the character's mass and suit as a preset of yours, or remove one"""

    bl_idname = "lope.character_preset_add"
    bl_label = "Add Character Preset"
    preset_menu = "LOPE_PT_character_presets"
    preset_subdir = "lope/character"
    preset_defines = OF_ARMATURE
    preset_values = _values(CHARACTER)


class LOPE_OT_condition_preset_add(_AddOfArmature, bpy.types.Operator):
    """Keep the condition as a preset of yours, or remove one"""

    bl_idname = "lope.condition_preset_add"
    bl_label = "Add Condition Preset"
    preset_menu = "LOPE_PT_condition_presets"
    preset_subdir = "lope/condition"
    preset_defines = OF_ARMATURE
    preset_values = _values(CONDITION)


class LOPE_OT_bake_preset_add(_AddOfArmature, bpy.types.Operator):
    """Keep the settings of baking as a preset of yours, or remove one"""

    bl_idname = "lope.bake_preset_add"
    bl_label = "Add Bake Preset"
    preset_menu = "LOPE_PT_bake_presets"
    preset_subdir = "lope/bake"
    preset_defines = OF_ARMATURE
    preset_values = _values(BAKE)


class LOPE_OT_world_preset_add(_Add, bpy.types.Operator):
    """Keep the world's settings as a preset of yours, or remove one"""

    bl_idname = "lope.world_preset_add"
    bl_label = "Add World Preset"
    preset_menu = "LOPE_PT_world_presets"
    preset_subdir = "lope/world"
    preset_defines = OF_SCENE
    preset_values = _values(WORLD)


def register_presets() -> None:
    """Let the menus also list the presets that ship in `presets/lope`; the user's own folder comes first."""
    bpy.utils.register_preset_path(str(PACKAGE))


def unregister_presets() -> None:
    """Forget them."""
    bpy.utils.unregister_preset_path(str(PACKAGE))


class LOPE_MT_add(bpy.types.Menu):
    """Add a character, or a stage to walk on"""

    bl_idname = "LOPE_MT_add"
    bl_label = "Add"

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.operator("lope.add_astronaut", icon="OUTLINER_OB_ARMATURE")
        self.layout.operator_menu_enum("lope.add_creature", "creature", icon="ARMATURE_DATA")
        self.layout.operator("lope.add_stage", icon="WORLD")
        self.layout.operator_menu_enum("lope.add_ground", "sample", icon="MESH_GRID")


CLASSES = (LOPE_MT_add, LOPE_PT_gait_presets, LOPE_PT_world_presets, LOPE_PT_character_presets, LOPE_PT_condition_presets,
           LOPE_PT_bake_presets, LOPE_OT_gait_preset_add, LOPE_OT_character_preset_add, LOPE_OT_condition_preset_add,
           LOPE_OT_bake_preset_add, LOPE_OT_world_preset_add)
