# SPDX-License-Identifier: GPL-3.0-or-later
"""What the character shall do, a word for each page of the tab: chosen by the scene's `verb`, kept in what an armature goes by.

The extension's preferences.
"""

from __future__ import annotations

import bpy

from .context import EXTENSION, active_armature, redraw
from .creature import by_creature
from .properties import EnumProperty, changed

WALK, FOLLOW, STAND, DRIVE, POSES, PUSH, HIT, CREATURE, PRESSURE = (
    "WALK", "FOLLOW", "STAND", "DRIVE", "POSES", "PUSH", "HIT", "CREATURE", "PRESSURE")
VERBS = (
    (WALK, "Walk", "It walks, lopes, runs or skips along a path, as people go there"),
    (FOLLOW, "Follow", "It does what a captured clip or an action shows, as far as its body and the gravity there allow"),
    (STAND, "Stand", "It stands, breathes, and catches itself when it is pushed"),
    (DRIVE, "Drive", "You steer it with the keys while it goes, and what you did becomes keys"),
    (POSES, "Poses", "It goes in a gait made of a few key poses and balance"),
    (PUSH, "Push", "Pushes that it gets while it walks or stands, and how it takes them"),
    (HIT, "Hit", "A ball, a punch or a thrown object hits an action, and the body gives way and comes back"),
    (CREATURE, "Creature", "Two legs of any make walk: a bird, a raptor, what you draw"),
    (PRESSURE, "Pressure", "What a mat felt under somebody's feet becomes motion"),
)
MOTION = "MOTION"
OF_MOTION = {"GAIT": WALK, "FOLLOW": FOLLOW, "STAND": STAND, "DRIVE": DRIVE}
"""The page of each motion."""


class PageSettings:
    """Which page was chosen, for a property group to inherit."""

    page: EnumProperty(name="Page", items=((MOTION, "Its Motion", "The page of what the character does"), *VERBS), default=MOTION,
                       description="The page that the tab shows of this character")


def verb_of(settings: bpy.types.PropertyGroup) -> str:
    """The page of the armature that has these settings."""
    own, page = by_creature(settings), settings.page
    if page != MOTION and (own or page not in (*OF_MOTION.values(), POSES)):
        return page
    if own:
        return CREATURE
    return POSES if settings.motion == "GAIT" and settings.gait_source == "POSES" else OF_MOTION[settings.motion]


def choose(settings: bpy.types.PropertyGroup, verb: str) -> None:
    """Show a page, and let the character do what it is about."""
    if by_creature(settings) or verb not in (*OF_MOTION.values(), POSES):
        settings.page = verb
        return
    settings.page = MOTION
    if verb == POSES:
        settings.motion, settings.gait_source = "GAIT", "POSES"
        return
    if settings.gait_source == "POSES" and verb == WALK:
        settings.gait_source = "PRESET"
    settings.motion = next(motion for motion, of_it in OF_MOTION.items() if of_it == verb)


def take_up(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """A character that is new: it does what was chosen while there was none."""
    verb = scene.lope.first_verb
    if verb in ((PUSH, CREATURE) if by_creature(armature.lope) else tuple(name for name, *_ in VERBS if name != CREATURE)):
        choose(armature.lope, verb)


def _number(settings: bpy.types.PropertyGroup) -> int:
    armature = active_armature(bpy.context)
    verb = settings.first_verb if armature is None else verb_of(armature.lope)
    return next(at for at, one in enumerate(VERBS) if one[0] == verb)


def _choose(settings: bpy.types.PropertyGroup, number: int) -> None:
    armature = active_armature(bpy.context)
    settings.first_verb = VERBS[number][0]
    if armature is not None:
        choose(armature.lope, VERBS[number][0])
    changed()
    redraw()  # twice, as a page is not as high as the one before


class VerbSettings:
    """The chosen page, for the scene's settings to inherit."""

    first_verb: EnumProperty(name="First Page", items=VERBS, default=WALK,
                             description="The page that the tab shows while there is no character")
    verb: EnumProperty(name="What It Does", items=VERBS, get=_number, set=_choose,
                       description="What this character shall do; another one that you click has a page of its own")


class LopePreferences(bpy.types.AddonPreferences):
    """What counts in all files."""

    bl_idname = EXTENSION

    show_advanced: bpy.props.BoolProperty(
        name="Show Advanced", default=False,
        description="Add a panel to the tab with what is behind the motion: what drives the body and its numbers, the physics, "
                    "how gaits change with gravity")

    def draw(self, _context: bpy.types.Context) -> None:
        self.layout.prop(self, "show_advanced")
        self.layout.operator("lope.register_library", icon="ASSET_MANAGER")


def shows_advanced(context: bpy.types.Context) -> bool:
    """Whether the panel Advanced is wanted."""
    entry = context.preferences.addons.get(EXTENSION)
    return entry is not None and entry.preferences is not None and entry.preferences.show_advanced
