# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves an armature's joints, torques or muscles; and what the Shot has of it."""

from __future__ import annotations

import bpy

from ..addon.specs.actuation import Actuation
from ..addon.specs.condition import WITH_MUSCLES
from ..addon.specs.settings import settings_of
from .changes import changed
from .creature_figures import by_creature
from .figures import plain
from .follow_settings import controller_of
from .overridable import EnumProperty, FloatProperty

TORQUE, MUSCLES = "TORQUE", "MUSCLES"
ACTUATIONS = (
    (TORQUE, "Torque", "Motors at the joints: quick to simulate, and as strong as they need to be"),
    (MUSCLES, "Muscles", "Muscles on the bones, as strong as a person's of this size: they can be weak, tight and painful"),
)
SETS = (
    ("legs", "Legs and Trunk", "Muscles of legs and trunk; shoulders and arms keep their torques"),
    ("full", "Whole Body", "Muscles of shoulders and arms too; slower to simulate"),
)
TENDONS = (
    ("rigid", "Rigid", "Tendons do not stretch"),
    ("elastic", "Elastic", "Tendons stretch and spring back, as in the ankle's push-off; slower to simulate"),
)
_STRENGTH = settings_of(Actuation)["strength"]


class MuscleSettings:
    """What moves the joints, for a property group to inherit."""

    actuation: EnumProperty(name="Actuation", update=changed, items=ACTUATIONS, default=TORQUE,
                            description="What moves the character's joints")
    muscle_set: EnumProperty(name="Muscles", update=changed, items=SETS, default=Actuation.muscles,
                             description="Which muscles the character has")
    muscle_tendon: EnumProperty(name="Tendons", update=changed, items=TENDONS, default=Actuation.tendon,
                                description="Whether tendons stretch")
    muscle_strength: FloatProperty(name="Strength", update=changed, default=_STRENGTH.default, min=_STRENGTH.low,
                                   max=_STRENGTH.high, soft_max=2.0,
                                   description="How strong every muscle is, over that of a person of this size: runs ask for 2")


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
    return Actuation(settings.muscle_set, settings.muscle_tendon, plain(settings.muscle_strength))
