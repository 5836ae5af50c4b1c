# SPDX-License-Identifier: GPL-3.0-or-later
"""The upper panels of the tab Lope, what is asked for: character, world, gait, path, pushes."""

from __future__ import annotations

import bpy

from ..addon.worlds.planets import CUSTOM
from ..operators import plan_board
from ..operators.context import active_armature, said, words
from ..operators.creature import by_creature, findings_of_any
from ..operators.follow import by_moves, controller_of, drives, follows, found
from ..operators.gait_settings import NAMES as STYLE
from ..operators.gait_settings import by_reflexes
from ..operators.muscles import has_own_muscles
from ..operators.pose_gait_settings import by_poses, in_plane
from ..operators.stand import stands
from ..operators.surroundings import DRAWN
from .base import ArmaturePanel, LopePanel, lines, sentence, split, switched
from .creature import draw_creature
from .lists import draw_footprints, draw_list
from .motions import draw_dial, draw_drive, draw_follow, draw_more, draw_reflex, draw_stand
from .pose_gait import draw_gait_from_poses, draw_pose_gait


class LOPE_PT_character(LopePanel, bpy.types.Panel):
    """Who goes"""

    bl_label = "Character"
    bl_idname = "LOPE_PT_character"
    page = "your-rig"
    presets = "LOPE_PT_character_presets"

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.prop(context.scene.lope, "armature", text="")
        row.operator("lope.add_astronaut", text="", icon="OUTLINER_OB_ARMATURE")
        row.operator("lope.add_stage", text="", icon="WORLD")
        armature = active_armature(context)
        if armature is None:
            layout.label(text="Pick an armature, or add the astronaut", icon="INFO")
            layout.operator("lope.add_astronaut", icon="OUTLINER_OB_ARMATURE")
            return
        row = layout.row(align=True)
        row.label(text=armature.name, icon="ARMATURE_DATA", translate=False)
        row.operator("lope.detect_rig", icon="VIEWZOOM")
        if armature.lope.figure:
            lines(layout, context, armature.lope.figure)
        _doctor(layout, context, armature)
        column = split(layout.column())
        row = column.row(align=True)
        row.use_property_split = False  # beside its name there is no room for three words
        row.prop(armature.lope, "body_kind", expand=True)
        if by_creature(armature.lope):
            return
        column.prop(armature.lope, "mass_kg")
        column.prop(armature.lope, "suit")
        if not has_own_muscles(armature.lope):
            column.row().prop(armature.lope, "actuation", expand=True)


def _doctor(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What is wrong with the rig, each with a button where there is a cure."""
    from ..addon.rigs.read.doctor import ERROR

    for finding in findings_of_any(armature, context.scene):
        column = layout.column(align=True)
        lines(column, context, said(finding.sentence), "CANCEL" if finding.severity == ERROR else "ERROR")
        if finding.fix is not None:
            column.operator("lope.doctor_fix", text=finding.fix).key = finding.key


class LOPE_PT_world(ArmaturePanel, bpy.types.Panel):
    """Where it goes"""

    bl_label = "World"
    bl_idname = "LOPE_PT_world"
    page = "planets"
    presets = "LOPE_PT_world_presets"

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        world = context.scene.lope
        layout.prop(world, "world")
        if world.world == CUSTOM:
            layout.prop(world, "gravity_m_s2")
        header, body = layout.panel("LOPE_PT_world_more", default_closed=True)
        header.label(text="Ground and Gravity")
        if body is not None:
            self._more(body, world)

    @staticmethod
    def _more(layout: bpy.types.UILayout, world: bpy.types.PropertyGroup) -> None:
        """What is walked on, and how gravity changes."""
        layout.prop(world, "ground")
        for name in {"slope": ("slope_deg", "direction_deg"), "steps": ("rise_m", "run_m", "direction_deg"),
                     "MESH": ("ground_object", "ground_spacing_m")}.get(world.ground, ()):
            layout.prop(world, name)
        layout.prop(world, "friction")
        layout.prop(world, "objects")
        if world.objects is not None:
            layout.prop(world, "objects_density")
        layout.prop(world, "use_gravity_ramp")
        if world.use_gravity_ramp:
            draw_list(layout, world, "gravity_ramp")


class LOPE_PT_gait(ArmaturePanel, bpy.types.Panel):
    """How it goes"""

    bl_label = "Gait"
    bl_idname = "LOPE_PT_gait"
    page = "your-gait"
    presets = "LOPE_PT_gait_presets"

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        if by_creature(settings):
            draw_creature(layout, context, settings)
            return
        row = layout.row(align=True)
        row.use_property_split = False  # beside its name there is no room for four words
        row.prop(settings, "motion", expand=True)
        if follows(settings):
            LOPE_PT_gait._follow(context, layout, settings)
        elif stands(settings):
            draw_stand(layout, settings)
        else:
            if drives(settings):
                draw_drive(layout, context)
            if not by_moves(settings):
                LOPE_PT_gait._gait(context, layout, settings)
        header, body = layout.panel("LOPE_PT_gait_controller", default_closed=True)
        header.label(text="Controller")
        if body is not None:
            self._controller(context, body, settings)

    @staticmethod
    def _follow(context: bpy.types.Context, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """A motion that is followed."""
        draw_follow(layout, context)
        header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
        header.label(text="More")
        if body is not None:
            draw_more(body, settings)

    @staticmethod
    def _gait(context: bpy.types.Context, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """A gait with its style, its speed, and its changes on the way."""
        layout.prop(settings, "gait_source")
        if by_poses(settings):
            draw_pose_gait(layout, context, settings)
            if not in_plane(settings):
                draw_gait_from_poses(layout, context, settings)
            return
        if by_reflexes(settings):
            draw_reflex(layout, context, settings)
            return
        layout.prop(settings, {"PRESET": "gait", "FILE": "motion_path", "ACTION": "motion_action"}[settings.gait_source])
        switched(layout, settings, "use_speed", "speed_m_s")
        LOPE_PT_gait._speed(context, layout)
        switched(layout, settings, "use_stride_frequency", "stride_frequency_hz")
        header, body = layout.panel("LOPE_PT_gait_style", default_closed=True)
        header.label(text="Style")
        header.operator("lope.reset_style", text="", icon="LOOP_BACK", emboss=False)
        if body is not None:
            for name in STYLE:
                body.prop(settings, name, slider=True)
        header, body = layout.panel("LOPE_PT_gait_keys", default_closed=True)
        header.label(text="Changes on the Way")
        if body is not None:
            key = draw_list(body, settings, "keys")
            if key is not None:
                switched(body, key, "use_gait", "gait")
                switched(body, key, "use_speed", "speed_m_s")
        header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
        header.label(text="More")
        if body is not None:
            for end in ("start", "stop"):
                body.row(align=True).prop(settings, end, expand=True)
            for name in ("gait_law", "after_fall", "noise", "seed", "tuned", "force", "retry", "engine", "scaling"):
                body.prop(settings, name)

    @staticmethod
    def _controller(context: bpy.types.Context, layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
        """What moves the body, the settings that are changed, and what is known of the chosen one."""
        if not (follows(settings) or by_poses(settings) or by_moves(settings) or stands(settings) or by_reflexes(settings)):
            layout.prop(settings, "controller")
        entry = draw_list(layout, settings, "changed_settings")
        if entry is None:
            layout.label(text="All settings are as shipped", icon="CHECKMARK")
            return
        row = found(controller_of(settings), entry.setting)
        if row is None:
            lines(layout, context, words("Choose a setting: type a part of its name"), "INFO")
            return
        number = row.setting.number
        layout.label(text=row.name, translate=False)
        lines(layout, context, f"{row.setting.help}.", "INFO")
        lines(layout, context, words("{value:g} {unit} as shipped, {low:g} to {high:g}: {source}", value=row.value,
                                     unit=row.setting.unit, low=number.low, high=number.high, source=row.source), "BLANK1")

    @staticmethod
    def _speed(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Which speeds the gait can do here, and what people would do at this one."""
        plan = plan_board.of(active_armature(context))
        if plan is None:
            return
        if plan.choice is not None:
            lines(layout, context, sentence(said(plan.choice.words)), "INFO")
        if plan.feasible is not None:
            low, high = plan.feasible
            text = words("Stands from {low:.2f} to {high:.2f} m/s here", low=low, high=high)
            lines(layout, context, text, "ERROR" if plan.out_of_range else "CHECKMARK")
        if plan.unlike:
            lines(layout, context, sentence(said(plan.unlike)), "ERROR")
        if plan.advice is not None and plan.choice is None:  # else it says the same once more
            lines(layout, context, said(plan.advice), "INFO")


class LOPE_PT_path(ArmaturePanel, bpy.types.Panel):
    """Which way it goes"""

    bl_label = "Path"
    bl_idname = "LOPE_PT_path"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        if armature is None:
            return False
        settings = armature.lope
        return not (follows(settings) or by_moves(settings) or stands(settings) or in_plane(settings))

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        if by_reflexes(settings):
            layout.prop(settings, "heading_deg")
            return
        layout.prop(settings, "path")
        for name in {"straight": ("heading_deg",), "circle": ("heading_deg", "radius_m"), "CURVE": ("curve",)}.get(
                settings.path, ()):
            layout.prop(settings, name)
        if settings.path == "TARGETS":
            draw_list(layout, settings, "targets")
        if settings.path in DRAWN:
            layout.prop(settings, "reverse")
            if not by_creature(settings):
                layout.prop(settings, "until_end")
        if by_creature(settings):
            return
        self._along(context, layout)
        draw_footprints(layout.column(), settings)

    @staticmethod
    def _along(context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """How long the way is, and how it is slowed down by its bends."""
        plan = plan_board.of(active_armature(context))
        bends = None if plan is None or plan.preview is None else plan.preview.along
        if plan is not None and plan.shot is not None and plan.shot.until_end and plan.duration_s:
            lines(layout, context, words("{time:.1f} s to the end of the path", time=plan.duration_s), "TIME")
        if bends is not None:
            lines(layout, context, words("Slows down to {speed:.2f} m/s where the path bends", speed=bends.slowest_m_s), "INFO")


class LOPE_PT_pushes(ArmaturePanel, bpy.types.Panel):
    """What pushes it"""

    bl_label = "Pushes"
    bl_idname = "LOPE_PT_pushes"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        if stands(settings):
            draw_dial(layout, settings)
        push = draw_list(layout, settings, "pushes")
        if push is None:
            return
        for name in ("frame", "duration_s", "force_n", "segment", "arrow"):
            layout.prop(push, name)
        if push.arrow is None:
            layout.prop(push, "direction")


PANELS = (LOPE_PT_character, LOPE_PT_world, LOPE_PT_gait, LOPE_PT_path, LOPE_PT_pushes)
