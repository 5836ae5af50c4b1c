# SPDX-License-Identifier: GPL-3.0-or-later
"""What is other than healthy about an armature's body, what the Shot has of it, and its buttons: add a condition, be healthy.

Entries of the list of a condition's changes: what of a body is other than healthy, where, and how much.
"""

from __future__ import annotations

from functools import lru_cache

import bpy

from ..addon.specs.muscles import (
    BODY,
    BOTH,
    DISPLACED,
    FOOT,
    GROUPS,
    HEALTHY,
    JOINTS,
    LEFT,
    PAIN,
    RIGHT,
    RULES,
    TIGHT,
    UNLOADED,
    WEAK,
    Change,
    Condition,
    ConditionPreset,
    condition_preset,
    presets_in,
)
from .choices import condition_items, item, title
from .context import OnOwnArmature, active_armature, words
from .figures import plain
from .muscles import by_muscles
from .properties import CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty, changed

KINDS = (
    (WEAK, "Weak", "Muscles have less force than a healthy person's"),
    (TIGHT, "Tight", "Tendons are short: they pull where they should be slack"),
    (PAIN, "Painful", "Muscles, or a foot that bears weight, hurt: the character spares them"),
    (DISPLACED, "Displaced", "A joint lies further out than it should"),
)
MUSCLE = "MUSCLE"
DOES = {
    "plantar_flexors": "Calf: they push off", "dorsiflexors": "Shin: they lift the toes",
    "ankle_evertors": "Outer side of the shin: they turn the sole outward",
    "ankle_invertors": "Inner side of the shin: they turn the sole inward",
    "knee_extensors": "Front of the thigh: they straighten the knee", "knee_flexors": "They bend the knee",
    "hamstrings": "Back of the thigh: they bend the knee and straighten the hip",
    "hip_flexors": "They lift the thigh", "hip_extensors": "Seat and back of the thigh: they straighten the hip",
    "hip_abductors": "Side of the hip: they keep the pelvis level over one leg",
    "hip_adductors": "Inner side of the thigh: they draw the legs together",
    "hip_rotators": "Deep in the seat: they turn the thigh outward", "trunk_extensors": "Back: they hold the trunk upright",
    "trunk_flexors": "Belly: they bend the trunk forward", "trunk_benders": "Flanks: they bend the trunk to the side",
    "shoulder_flexors": "They lift the arm ahead", "shoulder_extensors": "They draw the arm back",
    "shoulder_abductors": "They lift the arm to the side", "shoulder_adductors": "They draw the arm to the body",
    "elbow_flexors": "Upper arm: they bend the elbow", "elbow_extensors": "Upper arm: they straighten the elbow",
}
_GROUPS = (*(item(name, title(name), DOES[name]) for name in GROUPS),
           item(MUSCLE, "One Muscle", "A muscle by its name, or several by its beginning"))
_SORE = (item(FOOT, "Foot", "The foot, as it bears weight"), *_GROUPS)
_JOINTS = tuple(item(name, title(name), f"The {name} joint") for name in JOINTS)
SIDES = ((BOTH, "Both", "On both sides"), (LEFT, "Left", "On the left"), (RIGHT, "Right", "On the right"))
CM = 0.01


@lru_cache(maxsize=1)
def muscle_names() -> tuple[str, ...]:
    """Names of the muscles of all shipped sets, without their side."""
    from ..addon.bodies.muscles.sets import reference_set, set_names

    muscles = (muscle for name in set_names() for muscle in reference_set(name).muscles)
    return tuple(sorted({muscle.name.removesuffix(f"_{muscle.side}") for muscle in muscles}))


def _offered(_self, _context: bpy.types.Context, text: str) -> list[str]:
    return [title(name) for name in muscle_names() if _named(text) in name]


def _named(text: str) -> str:
    """A muscle's name as the engine has it, of one that is written as panels write."""
    return text.strip().lower().replace(" ", "_")


def _range(kind: str, scale: float = 1.0) -> dict[str, float]:
    return {"min": RULES[kind].low * scale, "max": RULES[kind].high * scale}


class LopeChange(bpy.types.PropertyGroup):
    """One change of a condition."""

    kind: EnumProperty(name="Is", update=changed, items=KINDS, default=WEAK, description="What is other than healthy")
    group: EnumProperty(name="Muscles", update=changed, items=_GROUPS, default="plantar_flexors",
                        description="Which muscles it is in")
    sore: EnumProperty(name="Hurts", update=changed, items=_SORE, default=FOOT, description="What hurts")
    joint: EnumProperty(name="Joint", update=changed, items=_JOINTS, default="hip", description="Which joint is out of its place")
    muscle: StringProperty(name="Muscle", update=changed, search=_offered, search_options={"SORT", "SUGGESTION"},
                           description="The muscle's name, without a side; type to find one")
    side: EnumProperty(name="Side", update=changed, items=SIDES, default=BOTH, description="On which side it is")
    force: FloatProperty(name="Force", update=changed, default=0.5, soft_max=1.0, subtype="FACTOR", **_range(WEAK),
                         description="What is left of their force: 1 healthy, 0 none")
    slack: FloatProperty(name="Tendon Length", update=changed, default=0.8, soft_max=1.0, subtype="FACTOR", **_range(TIGHT),
                         description="How long their tendons are: 1 healthy, less is tight")
    spared: FloatProperty(name="Pain", update=changed, default=100.0, precision=0, soft_max=200.0, **_range(PAIN),
                          description="How much it is spared: what force on it weighs beside effort. 0 healthy")
    out_cm: FloatProperty(name="Outward (cm)", update=changed, default=3.0, precision=1, soft_min=-5.0, soft_max=5.0,
                          **_range(DISPLACED, 1.0 / CM), description="How far the joint lies out of its place")


VALUES = {WEAK: "force", TIGHT: "slack", PAIN: "spared", DISPLACED: "out_cm"}
"""The slider of each kind."""
TARGETS = {WEAK: "group", TIGHT: "group", PAIN: "sore", DISPLACED: "joint"}
"""The menu of what each kind is in."""


def change_of(entry: bpy.types.PropertyGroup) -> Change:
    """The change that an entry asks for. Raises InputError for a muscle that is no name."""
    target = getattr(entry, TARGETS[entry.kind])
    value = plain(getattr(entry, VALUES[entry.kind]))
    return Change(entry.kind, _named(entry.muscle) or "?" if target == MUSCLE else target, entry.side,
                  plain(CM * value) if entry.kind == DISPLACED else value)


def fill(entry: bpy.types.PropertyGroup, change: Change) -> None:
    """Let an entry ask for a change."""
    entry.kind, entry.side = change.kind, change.side
    known = {one.identifier for one in entry.bl_rna.properties[TARGETS[change.kind]].enum_items}
    if change.target in known:
        setattr(entry, TARGETS[change.kind], change.target)
    else:
        setattr(entry, TARGETS[change.kind], MUSCLE)
        entry.muscle = title(change.target)
    setattr(entry, VALUES[change.kind], change.value / CM if change.kind == DISPLACED else change.value)


CLASSES = (LopeChange,)


OWN = "own"
_MONTHS = RULES[UNLOADED]


class ConditionSettings:
    """The condition, for a property group to inherit."""

    condition_changes: CollectionProperty(name="Changes", type=LopeChange, description="What is other than healthy")
    condition_index: IntProperty(name="Active Change", description="The change chosen in the list")
    unloaded_months: FloatProperty(name="Months without Gravity", update=changed, default=0.0, min=_MONTHS.low, max=_MONTHS.high,
                                   soft_max=12.0, precision=1,
                                   description="So long the character has lived without gravity: muscles that hold it upright "
                                               "have lost force")


def changes_of(settings: bpy.types.PropertyGroup) -> tuple[Change, ...]:
    """All changes that are asked for. Raises InputError for one that cannot be."""
    months = plain(settings.unloaded_months)
    away = (Change(UNLOADED, BODY, value=months),) if months > 0.0 else ()
    return (*(change_of(entry) for entry in settings.condition_changes), *away)


def condition_of(settings: bpy.types.PropertyGroup) -> Condition | None:
    """The condition of a Shot, called by the shipped ones that are in it; None for a healthy body, and one without muscles.
    Raises InputError for changes that cannot be."""
    if not by_muscles(settings):
        return None
    changes = changes_of(settings)
    if not changes:
        return None
    presets, rest = presets_in(changes)
    return Condition(" + ".join([preset.name for preset in presets] + [OWN] * bool(rest)), changes)


def known_in(settings: bpy.types.PropertyGroup) -> tuple[ConditionPreset, ...]:
    """The shipped conditions that the changes hold. Raises InputError as `changes_of` does."""
    return presets_in(changes_of(settings))[0]


def ease(settings: bpy.types.PropertyGroup, share: float) -> None:
    """Keep a share of all that is other than healthy."""
    for entry in settings.condition_changes:
        healthy, name = HEALTHY[entry.kind], VALUES[entry.kind]
        setattr(entry, name, healthy + share * (getattr(entry, name) - healthy))
    settings.unloaded_months *= share


class LOPE_OT_condition_add(OnOwnArmature, bpy.types.Operator):
    """Add a condition to the list; what is there stays, and both add up"""

    bl_idname = "lope.condition_add"
    bl_label = "Add Condition"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    name: EnumProperty(name="Condition", description="The condition that is added", items=condition_items())

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        for change in condition_preset(self.name).changes:
            if change.kind == UNLOADED:
                settings.unloaded_months = min(settings.unloaded_months + change.value, RULES[UNLOADED].high)
            else:
                fill(settings.condition_changes.add(), change)
        settings.condition_index = max(len(settings.condition_changes) - 1, 0)
        changed()
        return {"FINISHED"}


class LOPE_OT_condition_clear(OnOwnArmature, bpy.types.Operator):
    """Make the body healthy: empty the list, and no months without gravity"""

    bl_idname = "lope.condition_clear"
    bl_label = "Healthy"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        if not len(settings.condition_changes) and not settings.unloaded_months:
            self.report({"ERROR"}, words("The body is healthy already"))
            return {"CANCELLED"}
        settings.condition_changes.clear()
        settings.condition_index, settings.unloaded_months = 0, 0.0
        changed()
        return {"FINISHED"}
