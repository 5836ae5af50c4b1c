# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: add the built-in astronaut, or a shipped creature; also in the view's menu Add > Armature.

Button: footprints and dust of the last take, from where and when its feet come down and leave.

Button: the pressure under the last take as objects on the ground, which render.

Buttons: add a stage to walk on, as the world in the panel asks; and a stair or rubble as the ground.

Button: sample pressure with a database that knows it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ..addon.specs.settings import PRESETS, names_in
from .bake import baked_action
from .choices import item, title
from .context import active_armature, allows, armatures, poll_armature, poll_take, reports_errors, take_of, words
from .creature import CREATURE, any_figure_of
from .pressure import poll_person
from .verbs import PRESSURE, choose, take_up

if TYPE_CHECKING:
    from ..addon.rigs.read.figure import Figure

APART_M = 1.5
"""Two who were added one after the other stand so far apart."""
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
        return _taken_up(context, armature)


CREATURES = tuple(item(name, title(name), "A creature out of Lope's templates, on two legs")
                  for name in names_in(PRESETS / "creatures"))


class LOPE_OT_add_creature(bpy.types.Operator):
    """Add a creature on two legs, with an armature that Lope can walk and a skin"""

    bl_idname = "lope.add_creature"
    bl_label = "Add Creature"
    bl_options = {"REGISTER", "UNDO"}

    creature: EnumProperty(name="Creature", description="Which creature is added", items=CREATURES)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return allows(cls, context.mode == "OBJECT", words("Leave Edit or Pose mode first"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.bodies.creature.template import find_creature
        from ..addon.rigs.creatures.figure import add_creature

        armature = add_creature(context.scene, find_creature(self.creature))
        armature.lope.body_kind = CREATURE
        return _taken_up(context, armature)


def _taken_up(context: bpy.types.Context, armature: bpy.types.Object) -> set[str]:
    """An armature that was added stands at the cursor, beside who is there already, alone selected, is the one in hand, and the
    view shows all of it."""
    from ..addon.rigs.read.armature import metres_per_unit

    place, apart = context.scene.cursor.location.copy(), APART_M / metres_per_unit(context.scene)
    others = [item.matrix_world.translation.xy for item in armatures(context.scene) if item != armature]
    while any((place.xy - other).length < apart for other in others):
        place.x += apart
    armature.location = place
    for selected in context.selected_objects:
        selected.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature
    if context.scene.lope.armature is not None:
        context.scene.lope.armature = armature
    take_up(armature, context.scene)
    context.view_layer.update()
    any_figure_of(armature, context.scene)  # reading it takes a moment: now, not at the first press of Simulate
    show(context)
    return {"FINISHED"}


def show(context: bpy.types.Context) -> None:
    """Turn the 3D view that a button was pressed in to what is selected; a view through a camera stays."""
    region = next((one for one in context.area.regions if one.type == "WINDOW"), None) if (
        context.area is not None and context.area.type == "VIEW_3D") else None
    if region is None or context.space_data.region_3d.view_perspective == "CAMERA":
        return
    with context.temp_override(region=region):
        bpy.ops.view3d.view_selected()


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
        from ..addon.worlds.planets import AIRS as KNOWN

        armature = active_armature(context)
        air = {"WORLD": "world", "NONE": None}.get(self.air, KNOWN.get(self.air))
        collection = add_marks(context.scene, armature, Take.load(take_of(armature)), dust=self.dust,
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
        collection = add_pressure(context.scene, armature, Take.load(take_of(armature)))
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
GROUND_DETAIL_M = 0.05
"""How finely the ground that a button adds is measured: edges are as wide as that."""
MARS_FROM_M_S2, EARTH_FROM_M_S2 = 2.7, 6.0
"""Gravities from which another world looks like Mars and like the Earth: halfway between the three."""


class LOPE_OT_add_stage(bpy.types.Operator):
    """Add ground, rocks, sun and sky to walk in. The ground is level where the character goes; the scene gets a new sky"""

    bl_idname = "lope.add_stage"
    bl_label = "Add Stage"
    bl_options = {"REGISTER", "UNDO"}

    stage: EnumProperty(name="Stage", description="Which world it looks like", items=STAGES, default="WORLD")
    camera: BoolProperty(name="Camera", default=True,
                         description="A camera that frames the character and goes along with it becomes the scene's")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return allows(cls, context.mode == "OBJECT", words("Leave Edit or Pose mode first"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.render.views import stage_camera
        from ..addon.rigs.stage.stage import add_stage
        from .shot_builder import make_world

        stage = self.stage
        if stage == "WORLD":
            world = make_world(context.scene)
            lighter = "moon" if world.gravity_m_s2 < MARS_FROM_M_S2 else "mars"
            like = lighter if world.gravity_m_s2 < EARTH_FROM_M_S2 else "earth"
            stage = world.name if world.name in {name for name, *_ in STAGES} else like
        armature, figure = active_armature(context), _figure(context)
        origin, heading, ground_z = _way(armature, figure)
        collection = add_stage(context.scene, stage, origin=origin, heading_rad=heading, ground_z=ground_z)
        if self.camera and figure is not None:
            shown = context.scene.render
            aspect = shown.resolution_x * shown.pixel_aspect_x / (shown.resolution_y * shown.pixel_aspect_y)
            context.scene.camera = stage_camera(context.scene, armature, figure, aspect=aspect)
            collection.objects.link(context.scene.camera)
        self.report({"INFO"}, words("Added the collection {name}", name=collection.name))
        return {"FINISHED"}


GROUNDS = (
    ("stair", "Stair", "Treads up, 15 cm high and 32 cm deep"),
    ("rubble", "Rubble", "Flat stones, up to 6 cm high, each where it fell"),
)


class LOPE_OT_add_ground(bpy.types.Operator):
    """Add a stair or rubble before the character, and let it walk on that"""

    bl_idname = "lope.add_ground"
    bl_label = "Add Ground"
    bl_options = {"REGISTER", "UNDO"}

    sample: EnumProperty(name="Ground", description="What lies in the way", items=GROUNDS, default="stair")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return allows(cls, context.mode == "OBJECT", words("Leave Edit or Pose mode first")) and poll_armature(
            cls, context) and allows(cls, _figure(context) is not None, words("This armature is no figure that Lope can find"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.stage.stage import add_sample_ground
        from ..addon.rigs.stage.terrain import STAIR
        from .figures import Placement

        placement, settings = Placement.of(active_armature(context), _figure(context)), context.scene.lope
        ground = add_sample_ground(context.scene, self.sample, placement.matrix)
        if self.sample == "stair":  # by its numbers: a step is as long as a tread then
            settings.ground, settings.direction_deg = "steps", 0.0
            _, settings.rise_m, settings.run_m = STAIR
        else:
            settings.ground, settings.ground_object, settings.ground_spacing_m = "MESH", ground, GROUND_DETAIL_M
        self.report({"INFO"}, words("{name} is the ground now: Simulate", name=ground.name))
        return {"FINISHED"}


def _figure(context: bpy.types.Context) -> Figure | None:
    """The figure of the armature in hand; None where there is none, or it is no figure."""
    from ..addon.errors import RigError

    armature = active_armature(context)
    try:
        return None if armature is None else any_figure_of(armature, context.scene)
    except RigError:
        return None


def _way(armature: bpy.types.Object | None, figure: Figure | None) -> tuple[tuple[float, float], float, float]:
    """Where the character in hand stands and faces, and how high its soles stand; with none the origin and -Y."""
    import numpy as np

    from .figures import Placement

    if armature is None or figure is None:
        return (0.0, 0.0), -math.pi / 2, 0.0
    start, ahead = Placement.of(armature, figure).to_scene(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]))
    forward = ahead - start
    return (float(start[0]), float(start[1])), math.atan2(forward[1], forward[0]), float(start[2])


class LOPE_OT_add_pressure_sample(bpy.types.Operator):
    """Choose a recording of a mat, and a database that knows the steps in it: both are of Lope's own motion"""

    bl_idname = "lope.add_pressure_sample"
    bl_label = "Use Sample Pressure"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_person(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.shots.library import DATABASE, MAT

        settings = active_armature(context).lope
        settings.pressure_path, settings.pressure_database = str(MAT), str(DATABASE)
        choose(settings, PRESSURE)
        self.report({"INFO"}, words("Sample pressure is chosen now: Read Pressure"))
        return {"FINISHED"}


def _in_menu(self: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """What Lope adds, in the menu Add > Armature."""
    self.layout.separator()
    self.layout.operator("lope.add_astronaut", icon="OUTLINER_OB_ARMATURE")
    self.layout.operator_menu_enum("lope.add_creature", "creature", icon="OUTLINER_OB_ARMATURE")


def register() -> None:
    """Put the buttons in Blender's own menu."""
    bpy.types.VIEW3D_MT_armature_add.append(_in_menu)


def unregister() -> None:
    """Take them out again, where Blender, at its end, has not taken the menu itself."""
    if hasattr(bpy.types, "VIEW3D_MT_armature_add"):
        bpy.types.VIEW3D_MT_armature_add.remove(_in_menu)
