# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: add a stage to walk on, as the world in the panel asks."""

from __future__ import annotations

import math

import bpy
import numpy as np
from bpy.props import EnumProperty

from .context import active_armature, reports_errors
from .texts import words

STAGES = (
    ("WORLD", "As the World",
     "The Moon, Mars or the Earth, as the panel's world is; another world gets the one most like it"),
    ("moon", "Moon", "Grey dust under a black sky"),
    ("mars", "Mars", "Red rocks under a dusty sky"),
    ("earth", "Earth", "A path across a meadow"),
    ("test", "Test Floor", "Bare grey tiles of a metre, for worlds without a ground"),
)
MARS_FROM_M_S2, EARTH_FROM_M_S2 = 2.7, 6.0
"""Gravities from which another world looks like Mars and like the Earth: halfway between the three."""


class LOPE_OT_add_stage(bpy.types.Operator):
    """Add ground, rocks, sun and sky to walk in. The ground is level where the character goes; the scene gets a new sky"""

    bl_idname = "lope.add_stage"
    bl_label = "Add Stage"
    bl_options = {"REGISTER", "UNDO"}

    stage: EnumProperty(name="Stage", description="Which world it looks like", items=STAGES, default="WORLD")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if context.mode != "OBJECT":
            cls.poll_message_set(words("Leave Edit or Pose mode first"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.stage.stage import add_stage
        from .shot_builder import make_world

        stage = self.stage
        if stage == "WORLD":
            world = make_world(context.scene)
            lighter = "moon" if world.gravity_m_s2 < MARS_FROM_M_S2 else "mars"
            like = lighter if world.gravity_m_s2 < EARTH_FROM_M_S2 else "earth"
            stage = world.name if world.name in {name for name, *_ in STAGES} else like
        origin, heading, ground_z = _way(context)
        collection = add_stage(context.scene, stage, origin=origin, heading_rad=heading, ground_z=ground_z)
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}


def _way(context: bpy.types.Context) -> tuple[tuple[float, float], float, float]:
    """Where the character in hand stands and faces, and how high its soles stand; with none the origin and -Y."""
    from ..addon.errors import RigError
    from .creature_figures import any_figure_of
    from .figures import Placement

    armature = active_armature(context)
    if armature is not None:
        try:
            placement = Placement.of(armature, any_figure_of(armature, context.scene))
        except RigError:
            return (0.0, 0.0), -math.pi / 2, 0.0
        start, ahead = placement.to_scene(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
        forward = ahead - start
        return (float(start[0]), float(start[1])), math.atan2(forward[1], forward[0]), float(start[2])
    return (0.0, 0.0), -math.pi / 2, 0.0
