# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an armature is read as a person or as a creature, and its figure as either."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..addon.bodies.creature.sizes import mass_of
from ..addon.errors import RigError
from ..addon.rigs.read.creature import CreatureRead, read_creature
from ..addon.rigs.read.creature_figure import CreatureFigure, creature_figure
from ..addon.rigs.read.creature_legs import drawn_as_creature
from ..addon.rigs.read.figure import Figure
from ..addon.rigs.read.finding import ERROR, Finding
from .context import active_armature, poll_own_armature
from .creature_settings import CREATURE, HUMAN
from .figures import figure_of, findings_of, key_of, remembered
from .texts import said, words

_read: dict[tuple, CreatureRead] = {}
_figures: dict[tuple, CreatureFigure] = {}
_kinds: dict[tuple, bool] = {}


def is_creature(armature: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether an armature goes as a creature: as it is told, or as it is drawn."""
    kind = armature.lope.body_kind
    if kind in (HUMAN, CREATURE):
        return kind == CREATURE
    return remembered(_kinds, key_of(armature, scene), lambda: drawn_as_creature(armature))


def by_creature(settings: bpy.types.PropertyGroup) -> bool:
    """The same of the armature that has these settings."""
    return is_creature(settings.id_data, bpy.context.scene)


def creature_read_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> CreatureRead:
    """What is found in an armature at rest, read as a creature. Raises RigError for one that cannot be read."""
    return remembered(_read, key_of(armature, scene), lambda: read_creature(armature, scene))


def creature_figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> CreatureFigure:
    """The creature of an armature at rest. Raises RigError where it is none that walks."""
    return remembered(_figures, key_of(armature, scene), lambda: _figure_of(armature, scene))


def _figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> CreatureFigure:
    found = creature_read_of(armature, scene)
    wrong = next((finding.sentence for finding in found.findings if finding.severity == ERROR), "")
    if found.creature is None or wrong:
        raise RigError(wrong or f"Armature {armature.name!r} is no creature on two legs.")
    return creature_figure(armature, found.creature, scene)


def any_figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Figure:
    """The figure of an armature as what it is. Raises RigError where it is neither."""
    return creature_figure_of(armature, scene) if is_creature(armature, scene) else figure_of(armature, scene)


def findings_of_any(armature: bpy.types.Object, scene: bpy.types.Scene) -> Sequence[Finding]:
    """What the doctor says of an armature as what it is."""
    if not is_creature(armature, scene):
        return findings_of(armature, scene, ask=bool(armature.lope.figure))
    try:
        return creature_read_of(armature, scene).findings
    except RigError as error:
        return (Finding("unread", ERROR, str(error)),)


def unread(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Why a creature's armature cannot go, as the doctor says it; "" where it can, and of a person's."""
    if not is_creature(armature, scene):
        return ""
    return next((finding.sentence for finding in findings_of_any(armature, scene) if finding.severity == ERROR), "")


def poll_read(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that lets an armature go can run; says in the tooltip what keeps a creature from it."""
    if not poll_own_armature(cls, context):
        return False
    why = unread(active_armature(context), context.scene)
    if why:
        cls.poll_message_set(said(why))
    return not why


def shape_words(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """What was found in a creature's bones, in two lines. Raises RigError where it is none."""
    found = creature_read_of(armature, scene)
    creature = creature_figure_of(armature, scene).creature
    legs = max(len(leg) for leg in creature.legs)
    chains = {kind: len(creature.of_kind(kind)) for kind in ("neck", "tail", "arm")}
    return "\n".join((
        words("Creature: {height:.2f} m tall, {mass:.3g} kg", height=found.height_m, mass=sum(map(mass_of, creature.parts))),
        words("Parts: {leg} a leg, neck {neck}, tail {tail}, arms {arm}", leg=legs, **chains)))
