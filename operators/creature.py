# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an armature is a person or a creature, and what a creature goes by; and what the Shot has of it.

Whether an armature is read as a person or as a creature, and its figure as either.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import bpy

from ..addon.errors import InputError, RigError
from ..addon.specs.motions import Creature, CreatureGait
from ..addon.specs.shot import Shot
from .context import active_armature, poll_own_armature, said, unhindered, words
from .figures import figure_of, findings_of, key_of, remembered
from .properties import EnumProperty, FloatProperty, StringProperty, changed

if TYPE_CHECKING:
    from ..addon.rigs.read.creature import CreatureFigure, CreatureRead
    from ..addon.rigs.read.doctor import Finding
    from ..addon.rigs.read.figure import Figure

AUTO, HUMAN, CREATURE = "AUTO", "HUMAN", "CREATURE"
KINDS = (
    (AUTO, "As Drawn", "A creature where its bones are no person's but two legs carry them"),
    (HUMAN, "Human", "A person, whatever its proportions"),
    (CREATURE, "Creature", "Two legs of any make, with a neck, a tail and arms or without"),
)
BEST, QUICK, OWN_FILE = "BEST", "QUICK", "FILE"
BY = (
    (BEST, "Muscles", "By the muscles that a search found for such a creature; where none did, by motors at its joints"),
    (QUICK, "Motors", "By motors at its joints: quick to search and quick to simulate"),
    (OWN_FILE, "My File", "A creature's gait in a file of your own, as a search writes them"),
)
MINUTES = 5.0
"""What a search takes at most where nothing else is asked: a walk of most creatures is found in less."""


class CreatureSettings:
    """Who the character is and what it goes by, for a property group to inherit."""

    body_kind: EnumProperty(name="Read As", update=changed, items=KINDS, default=AUTO,
                            description="What the armature is read as")
    creature_by: EnumProperty(name="Goes By", update=changed, items=BY, default=BEST,
                              description="What moves the creature")
    creature_gait_path: StringProperty(name="Gait File", update=changed, subtype="FILE_PATH",
                                       description="A creature's gait (JSON)")
    seek_minutes: FloatProperty(name="Search (minutes)", default=MINUTES, min=0.1, max=1e4, soft_max=60.0,
                                description="How long a gait is sought at most, in minutes of the processor's work: of several "
                                            "cores together it takes less by the clock, on a busy machine more. It ends sooner "
                                            "where one keeps its feet, and when you keep what you see")


def by_what(settings: bpy.types.PropertyGroup) -> str:
    """The controller that moves a creature as far as its settings tell: which gaits are stored is another matter."""
    from ..addon.locomotion.creature.stored import BY_MUSCLES, BY_TORQUES

    return BY_MUSCLES if settings.creature_by == BEST else BY_TORQUES


def own_gait(settings: bpy.types.PropertyGroup) -> CreatureGait | None:
    """The gait of the file that was chosen; None where none is to be. Raises InputError where it is not there, or none."""
    from ..addon.locomotion.creature.stored import read_gait

    if settings.creature_by != OWN_FILE:
        return None
    path = Path(bpy.path.abspath(settings.creature_gait_path)) if settings.creature_gait_path else None
    if path is None or not path.is_file():
        raise InputError("There is no creature's gait; choose its file under Creature.")
    return read_gait(path)


def how_it_goes(settings: bpy.types.PropertyGroup, shot: Shot) -> str:
    """In sentences, each on a line, what a creature's shot goes by where that was left to be chosen; empty of whoever is none."""
    from ..addon.locomotion.creature.stored import UNTUNED, chosen

    if shot.controller not in Creature.CONTROLLERS or settings.creature_by == OWN_FILE:
        return ""
    told = chosen(shot.with_motion(gait=None), settings.creature_by == QUICK)[1]
    search = words("No stored gait is near to this creature and speed, and it may fall: Find a Gait searches one")
    return told.replace(UNTUNED, search)


_read: dict[tuple, CreatureRead] = {}
_figures: dict[tuple, CreatureFigure] = {}
_kinds: dict[tuple, bool] = {}


def is_creature(armature: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether an armature goes as a creature: as it is told, or as it is drawn."""
    from ..addon.rigs.read.creature import drawn_as_creature

    kind = armature.lope.body_kind
    if kind in (HUMAN, CREATURE):
        return kind == CREATURE
    return remembered(_kinds, key_of(armature, scene), lambda: drawn_as_creature(armature))


def by_creature(settings: bpy.types.PropertyGroup) -> bool:
    """The same of the armature that has these settings."""
    return is_creature(settings.id_data, bpy.context.scene)


def creature_read_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> CreatureRead:
    """What is found in an armature at rest, read as a creature. Raises RigError for one that cannot be read."""
    from ..addon.rigs.read.creature import read_creature

    return remembered(_read, key_of(armature, scene), lambda: read_creature(armature, scene))


def creature_figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> CreatureFigure:
    """The creature of an armature at rest. Raises RigError where it is none that walks."""
    return remembered(_figures, key_of(armature, scene), lambda: _figure_of(armature, scene))


def _figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> CreatureFigure:
    from ..addon.rigs.read.creature import creature_figure
    from ..addon.rigs.read.doctor import ERROR

    found = creature_read_of(armature, scene)
    wrong = next((finding.sentence for finding in found.findings if finding.severity == ERROR), "")
    if found.creature is None or wrong:
        raise RigError(wrong or f"Armature {armature.name!r} is no creature on two legs.")
    return creature_figure(armature, found.creature, scene)


def any_figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Figure:
    """The figure of an armature as what it is. Raises RigError where it is neither."""
    return creature_figure_of(armature, scene) if is_creature(armature, scene) else figure_of(armature, scene)


def findings_of_any(armature: bpy.types.Object, scene: bpy.types.Scene, *, ask: bool = False) -> Sequence[Finding]:
    """What the doctor says of an armature as what it is; of a person's figure where that was read before, or with `ask`."""
    from ..addon.rigs.read.doctor import ERROR, Finding

    if not is_creature(armature, scene):
        return findings_of(armature, scene, ask=ask or bool(armature.lope.figure))
    try:
        return creature_read_of(armature, scene).findings
    except RigError as error:
        return (Finding("unread", ERROR, str(error)),)


def unread(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Why a creature's armature cannot go, as the doctor says it; "" where it can, and of a person's."""
    from ..addon.rigs.read.doctor import ERROR

    if not is_creature(armature, scene):
        return ""
    return next((finding.sentence for finding in findings_of_any(armature, scene) if finding.severity == ERROR), "")


def poll_read(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that lets an armature go can run; says in the tooltip what keeps a creature from it."""
    return poll_own_armature(cls, context) and unhindered(cls, said(unread(active_armature(context), context.scene)))


def shape_words(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """What was found in a creature's bones, in two lines. Raises RigError where it is none."""
    from ..addon.bodies.creature.feet import mass_of

    found = creature_read_of(armature, scene)
    creature = creature_figure_of(armature, scene).creature
    legs = max(len(leg) for leg in creature.legs)
    chains = {kind: len(creature.of_kind(kind)) for kind in ("neck", "tail", "arm")}
    return "\n".join((
        words("Creature: {height:.2f} m tall, {mass:.3g} kg", height=found.height_m, mass=sum(map(mass_of, creature.parts))),
        words("Parts: {leg} a leg, neck {neck}, tail {tail}, arms {arm}", leg=legs, **chains)))
