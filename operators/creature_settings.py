# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an armature is a person or a creature, and what a creature goes by; and what the Shot has of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy

from ..addon.controllers.creature.choice import BY_MUSCLES, BY_TORQUES, chosen
from ..addon.controllers.creature.stored import UNTUNED, read_gait
from ..addon.errors import InputError
from ..addon.specs.creature_gait import CONTROLLERS, CreatureGait
from ..addon.specs.shot import Shot
from .changes import changed
from .overridable import EnumProperty, FloatProperty, StringProperty
from .texts import words

AUTO, HUMAN, CREATURE = "AUTO", "HUMAN", "CREATURE"
KINDS = (
    (AUTO, "As Drawn", "A creature where its bones are no person's but two legs carry them"),
    (HUMAN, "Human", "A person, whatever its proportions"),
    (CREATURE, "Creature", "Two legs of any make, with a neck, a tail and arms or without"),
)
BEST, QUICK, OWN_FILE = "BEST", "QUICK", "FILE"
BY = (
    (BEST, "Muscles", "By the muscles that a search found for such a creature; where none did, by torques at its joints"),
    (QUICK, "Torques", "By torques at its joints: quick to search and quick to simulate"),
    (OWN_FILE, "My File", "A creature's gait in a file of your own, as a search writes them"),
)
MINUTES = 5.0
"""What a search takes at most where nothing else is asked: a walk of most creatures is found in less."""


class CreatureSettings:
    """Who the character is and what it goes by, for a property group to inherit."""

    body_kind: EnumProperty(name="Body", update=changed, items=KINDS, default=AUTO,
                            description="What the armature is read as")
    creature_by: EnumProperty(name="Goes By", update=changed, items=BY, default=BEST,
                              description="What moves the creature")
    creature_gait_path: StringProperty(name="Gait File", update=changed, subtype="FILE_PATH",
                                       description="A creature's gait (JSON)")
    seek_minutes: FloatProperty(name="Minutes", default=MINUTES, min=0.1, max=1e4, soft_max=60.0,
                                description="How long a gait is sought at most. It ends sooner where one stands, and when you "
                                            "keep what you see")


def by_what(settings: bpy.types.PropertyGroup) -> str:
    """The controller that moves a creature as far as its settings tell: which gaits are stored is another matter."""
    return BY_MUSCLES if settings.creature_by == BEST else BY_TORQUES


def own_gait(settings: bpy.types.PropertyGroup) -> CreatureGait | None:
    """The gait of the file that was chosen; None where none is to be. Raises InputError where it is not there, or none."""
    if settings.creature_by != OWN_FILE:
        return None
    path = Path(bpy.path.abspath(settings.creature_gait_path)) if settings.creature_gait_path else None
    if path is None or not path.is_file():
        raise InputError("There is no creature's gait; choose its file under Gait.")
    return read_gait(path)


def how_it_goes(settings: bpy.types.PropertyGroup, shot: Shot) -> str:
    """In sentences, each on a line, what a creature's shot goes by where that was left to be chosen; empty of whoever is none."""
    if shot.controller not in CONTROLLERS or settings.creature_by == OWN_FILE:
        return ""
    told = chosen(replace(shot, creature=None), settings.creature_by == QUICK)[1]
    search = words("No stored gait is near to this creature and speed, and it may fall: Find a Gait searches one")
    return told.replace(UNTUNED, search)
