# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: footprints and dust of the last take, from where and when its feet come down and leave."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from .baked import baked_action
from .context import active_armature, poll_take, reports_errors
from .texts import words

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
        if not poll_take(cls, context):
            return False
        if baked_action(active_armature(context)) is None:
            cls.poll_message_set(words("Bake first: prints lie where the baked feet come down"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.dust.marks import add_marks
        from ..addon.take import Take
        from ..addon.worlds.dust import AIRS as KNOWN

        armature = active_armature(context)
        air = {"WORLD": "world", "NONE": None}.get(self.air, KNOWN.get(self.air))
        collection = add_marks(context.scene, armature, Take.load(armature.lope.take_path), dust=self.dust,
                               with_prints=self.prints, air=air)
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}
