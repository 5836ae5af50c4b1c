# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves an armature's joints, torques or muscles; and what the Shot has of it.

Buttons: show the muscles of the last take on its armature, and take them away again.
"""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty

from ..addon.specs.muscles import WITH_MUSCLES, Actuation
from .bake import baked_action
from .context import active_armature, allows, poll_armature, poll_take, reports_errors, take_of, words
from .creature import by_creature
from .figures import plain
from .follow import controller_of
from .properties import EnumProperty, FloatProperty, changed

TORQUE, MUSCLES = "TORQUE", "MUSCLES"
ACTUATIONS = (
    (TORQUE, "Motors", "Motors at the joints: quick to simulate, and as strong as they need to be"),
    (MUSCLES, "Muscles", "Muscles on the bones, as strong as a person's of this size: they can be weak, tight and painful"),
)
SETS = (
    ("legs", "Legs and Trunk", "Muscles of legs and trunk; shoulders and arms keep their motors"),
    ("full", "Whole Body", "Muscles of shoulders and arms too; slower to simulate"),
)
TENDONS = (
    ("rigid", "Rigid", "Tendons do not stretch"),
    ("elastic", "Elastic", "Tendons stretch and spring back, as in the ankle's push-off; slower to simulate"),
)


class MuscleSettings:
    """What moves the joints, for a property group to inherit."""

    actuation: EnumProperty(name="Moved By", update=changed, items=ACTUATIONS, default=TORQUE,
                            description="What moves the character's joints")
    muscle_set: EnumProperty(name="Muscles", update=changed, items=SETS, default=Actuation.muscles,
                             description="Which muscles the character has")
    muscle_tendon: EnumProperty(name="Tendons", update=changed, items=TENDONS, default=Actuation.tendon,
                                description="Whether tendons stretch")
    muscle_strength: FloatProperty(name="Strength", update=changed, default=1.0, min=0.1, max=5.0, soft_max=2.0,
                                   description="How strong every muscle is, over that of a person of this size. Left as it is, "
                                               "a run gets 2")


def has_own_muscles(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the controller brings muscles of its own."""
    return controller_of(settings) in WITH_MUSCLES


def by_muscles(settings: bpy.types.PropertyGroup) -> bool:
    """Whether muscles of a person move the character."""
    return not by_creature(settings) and (settings.actuation == MUSCLES or has_own_muscles(settings))


def actuation_of(settings: bpy.types.PropertyGroup) -> Actuation | None:
    """The muscles that a Shot asks for; None for torques, and where the controller has its own."""
    if settings.actuation != MUSCLES or has_own_muscles(settings):
        return None
    strength = plain(settings.muscle_strength) if settings.is_property_set("muscle_strength") else None
    return Actuation(settings.muscle_set, settings.muscle_tendon, strength)


COLOURS_KEY = "lope_colours"
"""Property of the collection: the colours that solid view had before the muscles were shown in it."""


class LOPE_OT_show_muscles(bpy.types.Operator):
    """Show this take's muscles as tubes on the bones, blue at rest, red at work. Pressed again it replaces nothing of yours"""

    bl_idname = "lope.show_muscles"
    bl_label = "Show Muscles"
    bl_options = {"REGISTER", "UNDO"}

    bones: BoolProperty(name="Bones", default=True, description="Plain bones for the muscles to lie on")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context) and allows(
            cls, baked_action(active_armature(context)) is not None, words("Bake first: muscles go with the baked bones"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.muscles.shown import show_muscles
        from ..addon.sim.take import Take

        armature = active_armature(context)
        collection = show_muscles(context.scene, armature, Take.load(take_of(armature)), with_bones=self.bones)
        shading = _shading(context)
        if shading is not None and shading.color_type == "MATERIAL":  # one colour for all of them
            collection[COLOURS_KEY], shading.color_type = shading.color_type, "OBJECT"
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}


class LOPE_OT_hide_muscles(bpy.types.Operator):
    """Take the muscles of this armature away again, and nothing of yours"""

    bl_idname = "lope.hide_muscles"
    bl_label = "Remove Muscles"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from ..addon.rigs.muscles.shown import shown_muscles

        return poll_armature(cls, context) and allows(
            cls, shown_muscles(active_armature(context)) is not None, words("This armature shows no muscles"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.muscles.shown import hide_muscles, shown_muscles

        armature = active_armature(context)
        before = shown_muscles(armature).get(COLOURS_KEY)
        hide_muscles(armature)
        shading = _shading(context)
        if before is not None and shading is not None and shading.color_type == "OBJECT":
            shading.color_type = before
        return {"FINISHED"}


def _shading(context: bpy.types.Context) -> bpy.types.View3DShading | None:
    """How the view in which the button is draws solid things; None where it is in none."""
    space = context.space_data
    return space.shading if space is not None and space.type == "VIEW_3D" else None
