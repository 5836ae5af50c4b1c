# SPDX-License-Identifier: GPL-3.0-or-later
"""What an armature follows: a clip or an action, in whose time; and what the Shot has of it.

Actions that were made into motion clips: kept while nothing has changed.

Settings of the controller that the artist changes: whole names and values, from what the registry knows of them.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import bpy

from ..addon.errors import InputError
from ..addon.locomotion.registry import BUILT_IN, find_controller
from ..addon.locomotion.settings import Row
from ..addon.rigs.read.actions import curves_of, frame_rate
from ..addon.specs.motions import Clip, KeyPoses, Moves, Reflex, Stand
from ..addon.specs.settings import settings_of
from ..addon.specs.shot import Shot
from .choices import flight_items, follow_time_items, follower_items
from .context import takes_folder
from .creature import by_creature, by_what
from .figures import figure_of, fingerprint, plain
from .gait_settings import by_reflexes
from .properties import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
    changed,
    of_type,
)
from .stand import stands

MOTIONS = (
    ("GAIT", "Gait", "A gait that goes on as long as the shot, along a path, at a speed"),
    ("FOLLOW", "Follow", "A captured clip or an action, step by step from its first frame to its last, as this body would go "
                         "there"),
    ("STAND", "Stand", "It stands, and stays up when it is pushed"),
    ("DRIVE", "Drive", "You steer while it goes, in the viewport, at the speed of the clock"),
)
DRIVEN_BY = (
    ("MOVES", "Library", "Lope's moves: it stands, walks, turns, marches, runs, goes backward and to the side, as you steer"),
    ("GAIT", "Gait", "The gait below, straight on: you steer its speed"),
)
SOURCES = (
    ("FILE", "Clip", "A captured clip (BVH) is followed"),
    ("ACTION", "Action", "An action in this file is followed, keyed by hand or captured"),
)
_STRETCH = settings_of(Clip)["stretch"]


class FollowSettings:
    """What is followed, for a property group to inherit."""

    motion: EnumProperty(name="Motion", update=changed, items=MOTIONS, default="GAIT",
                         description="Whether the character goes in a gait, follows a motion, stands, or is driven")
    follow_source: EnumProperty(name="Follow From", update=changed, items=SOURCES, default="FILE",
                                description="Where the motion that is followed comes from")
    follow_path: StringProperty(name="Clip", update=changed, subtype="FILE_PATH",
                                description="A BVH clip of somebody who stands, walks, turns, runs or jumps")
    follow_action: PointerProperty(name="Action", update=changed, type=bpy.types.Action,
                                   description="The action that is followed; it stays as it is")
    follow_armature: PointerProperty(name="Action Of", update=changed, type=bpy.types.Object, poll=of_type("ARMATURE"),
                                     description="The armature that the action moves, of any proportions. Empty: this one")
    follow_time: EnumProperty(name="Time", update=changed, items=follow_time_items(), default=Clip.time,
                              description="In whose time the motion is followed")
    follow_stretch: FloatProperty(name="Stretch", update=changed, default=_STRETCH.default, min=_STRETCH.low,
                                  max=_STRETCH.high, description="How many times longer everything lasts than that time has it")
    follow_flight: EnumProperty(name="Jumps Keep", update=changed, items=flight_items(), default=Clip.flight,
                                description="What becomes of jumps, hops and leaps under another gravity than the Earth's")
    follow_use_range: BoolProperty(name="First and Last Frame", update=changed, default=False,
                                   description="Follow a part of the motion only. Off: all of it, but for a T-pose at its start "
                                               "and the way out of it")
    follow_first: IntProperty(name="First Frame", update=changed, default=1,
                              description="The first frame that is followed: a clip's counted from 1, an action's as it has them")
    follow_last: IntProperty(name="Last Frame", update=changed, default=250, description="The last frame that is followed")
    follow_repeat: BoolProperty(name="Repeat", update=changed, default=False,
                                description="The motion goes round, between its two most alike touch-downs of one foot, for as "
                                            "long as the shot's duration")
    follow_catch: BoolProperty(name="Catch Itself", update=changed, default=False,
                               description="Where a push is more than the motion's own steps can bear, the character steps as "
                                           "who stands does, and goes on with the motion from there; of itself where something "
                                           "hits")
    drive_by: EnumProperty(name="Goes By", update=changed, items=DRIVEN_BY, default="MOVES",
                           description="What the character goes by while it is driven")
    drive_target: PointerProperty(name="Goes To", type=bpy.types.Object,
                                  description="An object that the character goes to while it is driven, also while that moves. "
                                              "Empty: the keys steer")
    drive_faster_m_s2: FloatProperty(name="Acceleration (m/s²)", default=0.8, min=0.02, max=10.0, soft_max=3.0,
                                     description="How fast a held key changes the speed that is wished for, on every planet; the "
                                                 "character comes after it as fast as its feet hold there")
    drive_push_n: FloatProperty(name="Push (N)", default=80.0, min=1.0, max=5000.0, soft_max=400.0,
                                description="How hard a click pushes the character, for 0.2 s")
    follow_pushed: BoolProperty(name="Pushed as in the Clip", update=changed, default=False,
                                description="Push the chest where the motion moves as its own feet could not move it, with the "
                                            "least force that explains it: for captured people who were pushed")
    follow_controller: EnumProperty(name="Controller", update=changed, items=follower_items(), default=Clip.CONTROLLERS[0],
                                    description="What moves the character along the motion")
    follow_whole: BoolProperty(name="To Its End", update=changed, default=True,
                               description="The shot is as long as the motion lasts there. Off: the shot's duration cuts it "
                                           "short")


def follows(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character follows a motion instead of going in a gait."""
    return settings.motion == "FOLLOW" and not by_creature(settings)


def follows_nothing(settings: bpy.types.PropertyGroup) -> bool:
    """Whether what is to be followed has yet to be chosen."""
    return not (settings.follow_action if settings.follow_source == "ACTION" else settings.follow_path)


def drives(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character is driven."""
    return settings.motion == "DRIVE" and not by_creature(settings)


def by_moves(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character is driven by the library of moves."""
    return drives(settings) and settings.drive_by == "MOVES"


def controller_of(settings: bpy.types.PropertyGroup) -> str:
    """The name of the controller that moves the body."""
    if by_creature(settings):
        return by_what(settings)
    if follows(settings):
        return settings.follow_controller
    if by_moves(settings):
        return Clip.CONTROLLERS[0]
    if stands(settings):
        return Stand.CONTROLLERS[0]
    if by_reflexes(settings):
        return Reflex.CONTROLLERS[0]
    return KeyPoses.CONTROLLERS[0] if settings.gait_source == "POSES" else settings.controller


def follow_of(armature: bpy.types.Object, scene: bpy.types.Scene, fresh: bool = True) -> Clip | Moves | None:
    """What a Shot follows; None where it goes otherwise. Raises LopeError where there is no clip, and none can be made."""
    settings = armature.lope
    if by_moves(settings):
        return Moves()
    if not follows(settings):
        return None
    return Clip(_clip(armature, scene, fresh), settings.follow_time, plain(settings.follow_stretch), settings.follow_flight,
                settings.follow_repeat, catch=settings.follow_catch and not settings.follow_repeat
                and settings.follow_controller == Clip.CONTROLLERS[0],
                until_end=settings.follow_whole and not settings.follow_repeat, controller=settings.follow_controller,
                **_part(settings))


def _part(settings: bpy.types.PropertyGroup) -> dict[str, int]:
    """First and last frame of what is followed, counted from 1, where they are asked for. Raises InputError for those that are
    none."""
    if not settings.follow_use_range:
        return {}
    by_action = settings.follow_source == "ACTION" and settings.follow_action is not None
    before = round(settings.follow_action.frame_range[0]) - 1 if by_action else 0
    first, last = settings.follow_first - before, settings.follow_last - before
    if last <= max(first, 1):
        raise InputError(f"Nothing lies between the first frame, {settings.follow_first}, and the last, {settings.follow_last}: "
                         "choose a first frame before the last one, within the motion.")
    return {"first_frame": max(first, 1), "last_frame": last}


def with_pushes(shot: Shot, settings: bpy.types.PropertyGroup) -> Shot:
    """A shot with the pushes of its clip where they are asked for. Raises LopeError where it shows none."""
    if not settings.follow_pushed:
        return shot
    from ..addon.locomotion.clip.pushes import with_clip_pushes

    return with_clip_pushes(shot)


def _clip(armature: bpy.types.Object, scene: bpy.types.Scene, fresh: bool) -> str:
    """Path of the clip."""
    settings = armature.lope
    if settings.follow_source == "ACTION":

        if settings.follow_action is None:
            raise InputError("There is no action to follow yet: choose one, or press Follow a Sample.")
        return str(clip_of(settings.follow_armature or armature, settings.follow_action, scene, fresh))
    path = Path(bpy.path.abspath(settings.follow_path)) if settings.follow_path else None
    if path is None or not path.is_file():
        raise InputError("There is no clip to follow yet: choose a BVH file, or press Follow a Sample.")
    return str(path)


_made: dict[tuple[int, int, int, float], Path] = {}


def clip_of(armature: bpy.types.Object, action: bpy.types.Action | None, scene: bpy.types.Scene, fresh: bool = True) -> Path:
    """The BVH file of an action on an armature; equal motions give the same file. Raises LopeError.

    Unless it shall be `fresh`, a file that was made in this session of that action with these keys will do.
    """
    from ..addon.rigs.shots.action_clip import write_clip

    if action is None:
        raise InputError("There is no action to take the style from; choose one under Walk, or choose a preset.")
    key = action.session_uid, _keys_of(action), fingerprint(armature, scene), frame_rate(scene)
    if fresh or key not in _made or not _made[key].is_file():
        _made[key] = write_clip(armature, action, figure_of(armature, scene), frame_rate(scene), takes_folder())
    return _made[key]


def _keys_of(action: bpy.types.Action) -> int:
    """A number that changes with the keys of an action."""
    import numpy as np

    number = 0
    for curve in curves_of(action):
        places = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", places)
        number = zlib.crc32(places.tobytes(), zlib.crc32(curve.data_path.encode(), number))
    return number


MOST_SHOWN = 40
"""Names that a search offers at a time."""


def known(controller: str) -> dict[str, Row]:
    """The settings of a controller by whole name."""
    return find_controller(controller).setting_rows() if controller in BUILT_IN else {}


def found(controller: str, setting: str) -> Row | None:
    """A setting by its whole name, or one it had when the file was saved; None where there is none."""
    return find_controller(controller).find_setting(setting) if controller in BUILT_IN else None


def _offered(self: LopeSetting, _context: bpy.types.Context, text: str) -> list[tuple[str, str]]:
    """Names that hold what was typed, with their values."""
    rows = known(controller_of(self.id_data.lope)).values()
    return [(row.name, f"{row.value:g} {row.setting.unit}") for row in rows if text.lower() in row.name][:MOST_SHOWN]


def _chosen(self: LopeSetting, _context: bpy.types.Context) -> None:
    """Another setting starts at its own value."""
    row = found(controller_of(self.id_data.lope), self.setting)
    if row is not None:
        self["value"] = row.value
    changed()


class LopeSetting(bpy.types.PropertyGroup):
    """One changed setting."""

    setting: StringProperty(name="Setting", update=_chosen, search=_offered, search_options={"SORT"},
                            description="Which of the controller's settings is changed; type to find one")
    value: FloatProperty(name="Value", update=changed, precision=4, description="What it is for this character")


def values_of(settings: bpy.types.PropertyGroup) -> dict[str, dict[str, float]] | None:
    """The changed settings as a Shot has them; None where there are none. Entries without a name are left out, and where a motion
    is followed those of the gait's controller alone."""
    values: dict[str, dict[str, float]] = {}
    for entry in settings.changed_settings:
        group, _, name = entry.setting.partition(".")
        if name and (found(controller_of(settings), entry.setting) or not found(settings.controller, entry.setting)):
            values.setdefault(group, {})[name] = float(f"{entry.value:.6g}")
    return values or None
