# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: add the built-in astronaut.

Button: footprints and dust of the last take, from where and when its feet come down and leave.

Button: the pressure under the last take as objects on the ground, which render.

Button: add a stage to walk on, as the world in the panel asks.
"""

from __future__ import annotations

import math

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from .bake import baked_action
from .context import active_armature, allows, poll_take, reports_errors, words
from .figures import figure_of

SUIT = "apollo-a7lb"
"""What the figure looks like it wears."""


class LOPE_OT_add_astronaut(bpy.types.Operator):
    """Add a suited astronaut with an armature that Lope can walk"""

    bl_idname = "lope.add_astronaut"
    bl_label = "Add Astronaut"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return allows(cls, context.mode == "OBJECT", words("Leave Edit or Pose mode first"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.astronaut.astronaut import add_astronaut

        armature = add_astronaut(context)
        armature.lope.suit = SUIT
        armature.location = context.scene.cursor.location
        for selected in context.selected_objects:
            selected.select_set(False)
        armature.select_set(True)
        context.view_layer.objects.active = armature
        if context.scene.lope.armature is not None:
            context.scene.lope.armature = armature
        context.view_layer.update()
        figure_of(armature, context.scene)  # reading it takes a moment: now, not at the first press of Simulate
        return {"FINISHED"}


AIRS = (
    ("WORLD", "As the World", "Air where the world has some at its ground; a world of your own by its gravity"),
    ("NONE", "No Air", "Every grain flies its parabola and falls down again: sheets, and no cloud stays"),
    ("mars", "Thin, as on Mars", "Coarse grains fly on, fine dust is braked and hangs in the air for a while"),
    ("earth", "As on Earth", "Dust is braked at once, drifts and sinks slowly"),
)


class LOPE_OT_add_dust(bpy.types.Operator):
    """Add this take's footprints, and the dust that its feet throw up. Pressed again it replaces them and nothing of yours"""

    bl_idname = "lope.add_dust"
    bl_label = "Add Prints and Dust"
    bl_options = {"REGISTER", "UNDO"}

    prints: BoolProperty(name="Prints", default=True,
                         description="Footprints in the ground, each there from its foot's landing on")
    dust: FloatProperty(name="Dust", description="How much dust there is: 0 for none, 1 as usual", default=1.0, min=0.0,
                        max=10.0, soft_max=3.0)
    air: EnumProperty(name="Air", description="What the dust flies through", items=AIRS, default="WORLD")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context) and allows(
            cls, baked_action(active_armature(context)) is not None,
            words("Bake first: prints lie where the baked feet come down"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.dust.marks import add_marks
        from ..addon.sim.take import Take
        from ..addon.worlds.dust import AIRS as KNOWN

        armature = active_armature(context)
        air = {"WORLD": "world", "NONE": None}.get(self.air, KNOWN.get(self.air))
        collection = add_marks(context.scene, armature, Take.load(armature.lope.take_path), dust=self.dust,
                               with_prints=self.prints, air=air)
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}


class LOPE_OT_add_pressure(bpy.types.Operator):
    """Add this take's pressure on the ground as objects that render. Pressed again it replaces them and nothing of yours"""

    bl_idname = "lope.add_pressure"
    bl_label = "Add Pressure"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context) and allows(
            cls, baked_action(active_armature(context)) is not None,
            words("Bake first: pressure lies where the baked feet come down"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.dust.pressed import add_pressure
        from ..addon.sim.take import Take

        armature = active_armature(context)
        collection = add_pressure(context.scene, armature, Take.load(armature.lope.take_path))
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}


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
        return allows(cls, context.mode == "OBJECT", words("Leave Edit or Pose mode first"))

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
    from .creature import any_figure_of
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
