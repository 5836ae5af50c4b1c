# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of the lists in the settings: one push, one target of a path, one key of a gravity ramp."""

from __future__ import annotations

import bpy

from ..addon.locale import GAIT_CONTEXT
from ..addon.specs.footprints import MOST_NUMBER
from ..addon.specs.shot import EARTH_GRAVITY_M_S2, GRAVITY_RANGE_M_S2
from . import condition_entries, hit_entries, pose_gait_entries
from .changes import changed
from .choices import gait_items
from .controller_settings import LopeSetting
from .overridable import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty
from .pose_gait_changes import LopePoseChange
from .pose_pick_settings import LopePosePick
from .pressure_settings import LopePressedMotion

PUSHED = (
    ("chest", "Chest", "Pushed at the chest: the trunk turns and the next steps catch it"),
    ("pelvis", "Pelvis", "Pushed at the hips: the whole body is shifted"),
    ("head", "Head", "Pushed at the head"),
    ("upper_arm_L", "Left Arm", "Pushed at the left upper arm"),
    ("upper_arm_R", "Right Arm", "Pushed at the right upper arm"),
    ("thigh_L", "Left Thigh", "Pushed at the left thigh"),
    ("thigh_R", "Right Thigh", "Pushed at the right thigh"),
    ("foot_L", "Left Foot", "Pushed at the left foot: makes it stumble"),
    ("foot_R", "Right Foot", "Pushed at the right foot: makes it stumble"),
)


class LopePush(bpy.types.PropertyGroup):
    """One push."""

    frame: IntProperty(name="Frame", description="Frame at which the push begins", default=50)
    duration_s: FloatProperty(name="Duration (s)",
                              description="How long the push lasts; force times duration is what it gives",
                              default=0.2, min=0.01, max=60.0, soft_max=1.0)
    force_n: FloatProperty(name="Force (N)", description="How hard the push is; 100 N for 0.2 s is a firm shove on Earth",
                           default=100.0, min=0.0, max=1e5, soft_max=500.0)
    arrow: PointerProperty(name="Arrow", type=bpy.types.Object,
                           description="An object whose local Z axis is the push's direction, such as an Empty of "
                                       "type Single "
                                       "Arrow. None: the numbers count")
    direction: FloatVectorProperty(name="Direction", size=3, default=(0.0, 1.0, 0.0), subtype="DIRECTION",
                                   description="Where the push goes, as the character stands at the start: x forward, "
                                               "y to its "
                                               "left, z up")
    segment: EnumProperty(name="Body Part", description="What is pushed", items=PUSHED, default="chest")


def _has_place(_self, candidate: bpy.types.Object) -> bool:
    """Any object has a place; a target may be all but an armature."""
    return candidate.type != "ARMATURE"


class LopeTarget(bpy.types.PropertyGroup):
    """One place on the way."""

    target: PointerProperty(name="Target", type=bpy.types.Object, poll=_has_place,
                            description="The character walks through the place of this object, such as an Empty")


class LopeGravityKey(bpy.types.PropertyGroup):
    """One key of a gravity that changes."""

    frame: IntProperty(name="Frame", description="Frame by which gravity has changed to this value", default=100)
    gravity_m_s2: FloatProperty(name="Gravity (m/s²)",
                                description="Gravity from this frame on, reached evenly from the one before",
                                default=EARTH_GRAVITY_M_S2, min=GRAVITY_RANGE_M_S2[0], max=GRAVITY_RANGE_M_S2[1])


class LopeKey(bpy.types.PropertyGroup):
    """One key of gait and speed."""

    frame: IntProperty(name="Frame", update=changed, default=72,
                       description="Frame from which on the character goes in this gait, and by which it has this speed")
    use_gait: BoolProperty(name="Set Gait", update=changed, default=True,
                           description="Change the gait here, on the next step that allows it. Off: it stays")
    gait: EnumProperty(name="Gait", update=changed, items=gait_items(), default="run", translation_context=GAIT_CONTEXT,
                       description="The gait from this frame on")
    use_speed: BoolProperty(name="Set Speed", update=changed, default=False,
                            description="Ask for a speed by this frame, reached evenly from the one before. "
                                        "Off: what suits the gait")
    speed_m_s: FloatProperty(name="Speed (m/s)", update=changed, default=2.0, min=0.05, max=15.0, soft_max=4.0,
                             description="The speed by this frame")


class LopeFootprint(bpy.types.PropertyGroup):
    """One locked footprint, in a take's places."""

    number: IntProperty(name="Number", update=changed, default=1, min=1, max=MOST_NUMBER,
                        description="Which landing it is, counted from the shot's start: odd ones are the right foot's")
    x_m: FloatProperty(name="Ahead (m)", update=changed, precision=3, step=1,
                       description="How far ahead of where the character stands at the start")
    y_m: FloatProperty(name="Left (m)", update=changed, precision=3, step=1,
                       description="How far to the left of where the character stands at the start")
    use_yaw: BoolProperty(name="Set Direction", update=changed, default=False,
                          description="Turn this foot. Off: it goes along the way")
    yaw_deg: FloatProperty(name="Direction (°)", update=changed, default=0.0, min=-360.0, max=360.0, soft_min=-90.0,
                           soft_max=90.0,
                           description="Where the foot faces: 0 where the character faces at the start, 90 to its left")


CLASSES = (LopeSetting, LopeKey, LopePush, LopeTarget, LopeGravityKey, LopeFootprint, LopePoseChange, LopePosePick,
           LopePressedMotion, *condition_entries.CLASSES, *hit_entries.CLASSES, *pose_gait_entries.CLASSES)
