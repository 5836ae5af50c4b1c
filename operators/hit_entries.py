# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of the list of hits: what strikes which bone at which frame, from where and how hard."""

from __future__ import annotations

import bpy

from ..addon.specs.hit import WATER_KG_M3
from .changes import changed
from .overridable import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

KINDS = (
    ("BALL", "Ball", "A ball flies at the bone, strikes it and falls"),
    ("PUNCH", "Punch", "A fist, which nobody sees: an impulse within three hundredths of a second"),
    ("OBJECT", "Object", "An object of the scene is thrown, as a ball of its mass and volume"),
)
M_S_PER_M, NS_PER_M = 10.0, 30.0
"""Speed and impulse of an arrow that is a metre long."""


def _may_fly(_self, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


class LopeHit(bpy.types.PropertyGroup):
    """One hit."""

    frame: IntProperty(name="Frame", update=changed, default=25, description="Frame at which the bone is struck")
    kind: EnumProperty(name="Hit By", update=changed, items=KINDS, default="BALL", description="What strikes")
    bone: StringProperty(name="Bone", update=changed, description="The bone that is struck; its part of the body yields")
    speed_m_s: FloatProperty(name="Speed (m/s)", update=changed, default=6.0, min=0.1, max=200.0, soft_max=20.0,
                             description="How fast it comes")
    radius_m: FloatProperty(name="Radius (m)", update=changed, default=0.1, min=0.01, max=2.0, soft_max=0.5,
                            description="Of the ball: with its density it says what the ball weighs")
    density: FloatProperty(name="Density (kg/m³)", update=changed, default=WATER_KG_M3, min=1.0, max=25000.0, soft_max=8000.0,
                           description="What it weighs for its size: 1000 water, 80 a football. An active rigid body has its "
                                       "own mass")
    impulse_ns: FloatProperty(name="Impulse (N s)", update=changed, default=20.0, min=0.3, max=500.0, soft_max=60.0,
                              description="How hard the punch is: a boxer's has 10 to 30")
    thrown: PointerProperty(name="Object", update=changed, type=bpy.types.Object, poll=_may_fly,
                            description="The mesh that is thrown; the bake keys it")
    arrow: PointerProperty(name="Arrow", type=bpy.types.Object, update=changed,
                           description="An object whose local Z axis is the way it flies, such as an Empty of type Single Arrow. "
                                       "None: the numbers count")
    by_length: BoolProperty(name="Speed by Length", update=changed, default=False,
                            description="The arrow's length says how fast it comes: 10 m/s for a metre, a punch 30 N s")
    direction: FloatVectorProperty(name="Direction", update=changed, size=3, default=(-1.0, 0.0, 0.0), subtype="DIRECTION",
                                   description="The way it flies, as the character stands at the start: x forward, y to its "
                                               "left, z up; -1, 0, 0 comes from ahead")


CLASSES = (LopeHit,)
