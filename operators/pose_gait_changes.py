# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes on the way of a gait from key poses: other gaits and speeds from a frame on."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from ..addon.gaits.pose_gaits import PLANAR
from ..addon.specs.steering import Steering
from .changes import changed
from .figures import plain
from .overridable import BoolProperty, EnumProperty, FloatProperty, IntProperty
from .pose_gait_settings import in_plane, shipped_items


class LopePoseChange(bpy.types.PropertyGroup):
    """One change of a gait from key poses."""

    frame: IntProperty(name="Frame", update=changed, default=72, description="Frame from which on this is wished for")
    use_gait: BoolProperty(name="Set Gait", update=changed, default=True,
                           description="Go over to another gait from key poses. Off: it stays")
    pose_gait: EnumProperty(name="Key Poses", update=changed, items=shipped_items(), default="march",
                            description="The gait that is gone over to, with the next change of state")
    planar_gait: EnumProperty(name="Key Poses", update=changed, items=shipped_items(PLANAR), default="in_place",
                              description="The gait that the planar body goes over to, with the next change of state")
    use_over: BoolProperty(name="Little by Little", update=changed, default=False,
                           description="Go over evenly, so that the character bows while it walks. Both gaits need the same "
                                       "states. Off: with the next change of state")
    over_s: FloatProperty(name="Within (s)", update=changed, default=2.0, min=0.0, max=60.0, soft_max=5.0,
                          description="Time in which the gait is gone over to")
    use_speed: BoolProperty(name="Set Speed", update=changed, default=False, description="Ask for a speed. Off: the gait's own")
    speed_m_s: FloatProperty(name="Speed (m/s)", update=changed, default=1.0, min=0.0, max=15.0, soft_max=3.0,
                             description="The speed that is asked for from this frame on")


def change_menu(settings: bpy.types.PropertyGroup) -> str:
    """Name of the setting of a change that holds the gait: each kind of body has gaits of its own."""
    return "planar_gait" if in_plane(settings) else "pose_gait"


def steering_of(settings: bpy.types.PropertyGroup, time_of: Callable[[int], float]) -> tuple[Steering, ...]:
    """What is wished for on the way, in its order; `time_of` gives a frame's time in the shot [s]. What comes before the shot,
    or wishes for nothing, is left out. Raises InputError for a change that cannot be."""
    found, menu = [], change_menu(settings)
    for one in sorted(settings.pose_changes, key=lambda one: one.frame):
        time_s = time_of(one.frame)
        if time_s >= 0.0 and (one.use_gait or one.use_speed):
            found.append(Steering(time_s, speed_m_s=plain(one.speed_m_s) if one.use_speed else None,
                                  gait=getattr(one, menu) if one.use_gait else None,
                                  over_s=plain(one.over_s) if one.use_gait and one.use_over else None))
    return tuple(found)
