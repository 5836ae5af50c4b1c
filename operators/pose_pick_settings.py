# SPDX-License-Identifier: GPL-3.0-or-later
"""The poses that a gait is to be made of, as an armature's settings: frames of actions."""

from __future__ import annotations

import bpy

from .overridable import BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty


class LopePosePick(bpy.types.PropertyGroup):
    """One pose."""

    action: PointerProperty(name="Action", type=bpy.types.Action,
                            description="The action that holds the pose: the character's own, or a pose of a library")
    frame: IntProperty(name="Frame", default=1, description="Its frame, as the action itself counts them")


class PosePickSettings:
    """The poses of a gait to be made, for a property group to inherit."""

    pose_picks: CollectionProperty(name="Poses", type=LopePosePick,
                                   description="The poses that a gait is made of, in their order: one in the midst of a step "
                                               "first, the one just before the foot comes down last")
    pose_pick_index: IntProperty(name="Active Pose", description="The pose chosen in the list")
    poses_name: StringProperty(name="Gait's Name", default="my gait", description="What the gait made of the poses is called")
    poses_apart_s: FloatProperty(name="Time Between (s)", default=0.3, min=0.05, max=5.0, precision=2,
                                 description="Time from pose to pose where they are of different actions; poses of one action "
                                             "are as far apart as their frames")
    poses_use_speed: BoolProperty(name="Ask for a Speed", default=False,
                                  description="Look for a gait of this speed. Off: what the poses' steps come to")
    poses_speed_m_s: FloatProperty(name="Speed (m/s)", default=1.0, min=0.0, max=3.0, description="The speed that is looked for")
    poses_said: StringProperty(name="What Gave", description="What was said of the last gait made of poses")
