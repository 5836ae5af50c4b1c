# SPDX-License-Identifier: GPL-3.0-or-later
"""Which gait from key poses an armature goes in; and what the Shot has of it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import bpy

from ..addon.errors import InputError
from ..addon.gaits.pose_gaits import HUMAN, PLANAR, load_pose_gait, pose_gait_names, read_pose_gait
from ..addon.specs.pose_gait import PoseGait
from ..addon.specs.pose_learning import Learning
from ..addon.specs.presets import names_in
from ..addon.specs.shot import NO_SUIT, PLANAR_MASS_KG, BodySpec
from .changes import changed
from .choices import EnumItem, item, number, planar_engine_items, title
from .context import pose_gaits_folder
from .creature_figures import by_creature
from .overridable import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from .pose_gait_entries import LopePoseGait, gait_in

OWN, OWN_FILE = "OWN", "FILE"
KEPT = "KEPT:"
"""Before the name of a preset of the user's."""


FILE_ITEM = item(OWN_FILE, "My File", "A gait from key poses in a file of your own, as lope poses and lope tune write them")


@lru_cache(maxsize=2)
def shipped_items(kind: str = HUMAN) -> tuple[EnumItem, ...]:
    """The gaits of `presets/pose_gaits` for a kind of body, by name."""
    return tuple(item(name, title(name), load_pose_gait(name, kind).summary) for name in pose_gait_names(kind))


@lru_cache(maxsize=8)
def items_with(kept: tuple[str, ...]) -> list[EnumItem]:
    """All items, with the user's presets of these names; kept, as Blender keeps no text of a menu that is made anew."""
    return [*shipped_items(), *(item(KEPT + name, name, "A gait that you kept") for name in kept),
            item(OWN, "This Character's Own", "The gait that is edited here, and kept in this file"),
            FILE_ITEM]


def pose_gait_items(_settings: Any = None, _context: Any = None) -> list[EnumItem]:
    """The shipped gaits, those that the user kept, the character's own, and a file."""
    return items_with(tuple(names_in(pose_gaits_folder())))


class PoseGaitSettings:
    """The gait from key poses, for a property group to inherit."""

    pose_gait: EnumProperty(name="Key Poses", update=changed, items=pose_gait_items, default=number(shipped_items(), "walk"),
                            description="The gait that is made of key poses and balance alone")
    pose_gait_path: StringProperty(name="File", update=changed, subtype="FILE_PATH",
                                   description="A gait from key poses (JSON)")
    planar: BoolProperty(name="Planar (2-D)", default=False, update=changed,
                         description="Simulate a flat body that goes ahead and back and cannot fall sideways, with the thesis's "
                                     "own gaits; legs are baked as simulated, arms hang and swing")
    planar_gait: EnumProperty(name="Key Poses", update=changed, items=(*shipped_items(PLANAR), FILE_ITEM), default="walk",
                              description="The gait that is made of key poses, for the planar body")
    planar_engine: EnumProperty(name="Engine", update=changed, items=planar_engine_items(), default="springs",
                                description="What computes the physics of the planar body")
    learns: BoolProperty(name="Learn", default=False, update=changed,
                         description="Learn on the way to hold trunk and upper body steadier; it takes half a minute")
    firmness: FloatProperty(name="Firmness", default=1.0, min=0.1, max=3.0, update=changed,
                            description="How firmly trunk and upper body are held; half of it looks easy, once it has learned")
    own_gait: PointerProperty(name="Own Gait", type=LopePoseGait, description="The character's own gait from key poses")
    edits_gait: BoolProperty(name="Edit Key Poses", default=False,
                             description="Show the states of the gait at the top of the tab")
    pose_state: IntProperty(options={"HIDDEN"}, description="The state whose pose the armature shows, counted from 0")
    pose_kept: StringProperty(options={"HIDDEN"}, description="How the armature stood before it showed a pose, as JSON")
    pose_shown: StringProperty(options={"HIDDEN"}, description="The pose as it was shown, as JSON")
    drive_kept: StringProperty(options={"HIDDEN"}, description="How the armature stood before it was driven, as JSON")


def by_poses(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character's gait is one from key poses."""
    return settings.motion not in ("FOLLOW", "STAND") and settings.gait_source == "POSES" and not by_creature(settings)


def in_plane(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character goes as a planar body: nobody drives one."""
    return settings.planar and settings.motion == "GAIT" and by_poses(settings)


def body_in_plane(spec: BodySpec, suit: str) -> BodySpec:
    """The planar body with legs as long as those of a human. Raises InputError for one in a suit."""
    if suit != NO_SUIT:
        raise InputError("In the plane no suit is worn: choose No Suit under Character, or switch Planar (2-D) off under Gait.")
    return replace(spec, kind=PLANAR, mass_kg=PLANAR_MASS_KG, skin_m=None)


def pose_gait_of(settings: bpy.types.PropertyGroup) -> PoseGait | None:
    """The Shot's gait from key poses; None where it goes in another. Raises InputError for one that will not do."""
    if not by_poses(settings):
        return None
    gait = chosen_gait(settings)
    firmness = round(min(max(gait.firmness * settings.firmness, 0.1), 3.0), 3)
    return replace(gait, learning=gait.learning or (Learning() if settings.learns else None), firmness=firmness)


def chosen_gait(settings: bpy.types.PropertyGroup) -> PoseGait:
    """The gait from key poses that is chosen. Raises InputError for one that is not there, or will not do."""
    flat = in_plane(settings)
    chosen = settings.planar_gait if flat else settings.pose_gait
    if chosen == OWN:
        if not settings.own_gait.states:
            raise InputError("This character has no key poses of its own yet; choose a gait under Key Poses and press Edit.")
        return gait_in(settings.own_gait)
    if chosen.startswith(KEPT):
        return read_pose_gait(pose_gaits_folder() / f"{chosen.removeprefix(KEPT)}.json")
    if chosen != OWN_FILE:
        if not chosen:
            raise InputError("The gait from key poses that was chosen is not among yours on this machine; choose another one.")
        return load_pose_gait(chosen, PLANAR if flat else HUMAN)
    path = Path(bpy.path.abspath(settings.pose_gait_path)) if settings.pose_gait_path else None
    if path is None or not path.is_file():
        raise InputError("There is no gait from key poses; choose its file under Gait.")
    return read_pose_gait(path)
