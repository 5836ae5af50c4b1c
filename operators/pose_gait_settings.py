# SPDX-License-Identifier: GPL-3.0-or-later
"""Which gait from key poses an armature goes in; and what the Shot has of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import bpy

from ..addon.errors import InputError
from ..addon.gaits.pose_gaits import load_pose_gait, pose_gait_names, read_pose_gait
from ..addon.specs.pose_gait import PoseGait
from .changes import changed
from .choices import EnumItem, item, title
from .overridable import EnumProperty, StringProperty

OWN_FILE = "FILE"


@lru_cache(maxsize=1)
def pose_gait_items() -> tuple[EnumItem, ...]:
    """The gaits of `presets/pose_gaits` by name, and a file of one's own."""
    return (*(item(name, title(name), load_pose_gait(name).summary) for name in pose_gait_names()),
            item(OWN_FILE, "My File", "A gait from key poses in a file of your own, as lope poses and lope tune write them"))


class PoseGaitSettings:
    """The gait from key poses, for a property group to inherit."""

    pose_gait: EnumProperty(name="Key Poses", update=changed, items=pose_gait_items(), default="walk",
                            description="The gait that is made of key poses and balance alone")
    pose_gait_path: StringProperty(name="File", update=changed, subtype="FILE_PATH",
                                   description="A gait from key poses (JSON)")


def by_poses(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character's gait is one from key poses."""
    return settings.motion != "FOLLOW" and settings.gait_source == "POSES"


def pose_gait_of(settings: bpy.types.PropertyGroup) -> PoseGait | None:
    """The Shot's gait from key poses; None where it goes in another. Raises InputError for a file that will not do."""
    if not by_poses(settings):
        return None
    if settings.pose_gait != OWN_FILE:
        return load_pose_gait(settings.pose_gait)
    path = Path(bpy.path.abspath(settings.pose_gait_path)) if settings.pose_gait_path else None
    if path is None or not path.is_file():
        raise InputError("There is no gait from key poses; choose its file under Gait.")
    return read_pose_gait(path)
