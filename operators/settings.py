# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist sets: typed properties on each armature (`object.lope`) and on the scene (`scene.lope`).

Entries of the lists in the settings: one push, one target of a path, one key of a gravity ramp.
"""

from __future__ import annotations

import bpy

from ..addon.locale import GAIT_CONTEXT
from ..addon.specs.disturbances import DENSITY_KG_M3
from ..addon.specs.load import LOAD_RANGE_KG
from ..addon.specs.motions import AUTO, PEOPLE, Gait
from ..addon.specs.path import MOST_NUMBER, SLOPE_RANGE_DEG
from ..addon.specs.shot import DURATION_RANGE_S, EARTH_GRAVITY_M_S2, GRAVITY_RANGE_M_S2, MASS_RANGE_KG, Shot
from ..addon.worlds.planets import preset_of
from . import condition_settings as condition_entries
from . import hit_settings as hit_entries
from . import pose_gait_settings as pose_gait_entries
from .bake_settings import BakeSettings
from .choices import (
    CARRIES,
    NOTHING,
    after_fall_items,
    controller_items,
    engine_items,
    gait_items,
    gait_law_items,
    scaling_items,
    suit_items,
    world_items,
)
from .condition_settings import ConditionSettings
from .context import active_armature
from .creature import CreatureSettings
from .follow import FollowSettings, LopeSetting
from .gait_settings import SOURCE, ReflexSettings, StyleSettings
from .hit_settings import WAYS, HitSettings, set_way, way_of
from .muscles import MuscleSettings
from .pose_gait_settings import LopePoseChange, LopePosePick, PoseGaitSettings, PosePickSettings
from .pressure_settings import LopePressedMotion, PressureSettings
from .properties import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
    changed,
    of_type,
)
from .stand import StandSettings
from .takes import LopeTake, TakeSettings
from .verbs import PageSettings, VerbSettings

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
    force_n: FloatProperty(name="Force (N)", description="How hard the push is; 150 N for 0.2 s is a firm shove for a person",
                           default=100.0, min=0.0, max=1e5, soft_max=500.0)
    arrow: PointerProperty(name="Arrow", type=bpy.types.Object,
                           description="An object whose local Z axis is the push's direction, such as an Empty of "
                                       "type Single "
                                       "Arrow. None: the numbers count")
    way: EnumProperty(name="Comes From", items=WAYS, get=way_of, set=set_way,
                      description="From which side of the character, as it stands at the start, it is pushed")
    direction: FloatVectorProperty(name="Direction", size=3, default=(0.0, 1.0, 0.0), subtype="DIRECTION",
                                   description="Where the push goes, as the character stands at the start: x forward, "
                                               "y to its "
                                               "left, z up")
    segment: EnumProperty(name="Body Part", description="What is pushed", items=PUSHED, default="chest")


def given_by(push: bpy.types.PropertyGroup, settings: bpy.types.PropertyGroup) -> dict[str, float]:
    """What a push gives to the character of these settings: its mass [kg], with its suit's, and the speed [m/s]."""
    from ..addon.bodies.human.suit import load_suit

    mass_kg = settings.mass_kg + load_suit(settings.suit).mass_kg
    return {"mass": mass_kg, "speed": push.force_n * push.duration_s / mass_kg}


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
           LopePressedMotion, LopeTake, *condition_entries.CLASSES, *hit_entries.CLASSES, *pose_gait_entries.CLASSES)


SOURCES = (
    ("PRESET", "Preset", "A built-in gait gives the style"),
    ("FILE", "Motion File", "A captured clip (BVH), or a gait saved as JSON, gives the style"),
    ("ACTION", "Action", "An action of this armature gives the style: at least two strides of it walking or running"),
    ("POSES", "Key Poses", "No motion at all: two to eight key poses and the body's balance make the gait"),
    (SOURCE, "Muscle Reflexes", "No motion and no plan: muscles, each by what it feels, make a walk"),
)
STARTS = (("moving", "Moving", "Already under way at the first frame"), ("standing", "Standing", "Stands, then sets off"))
STOPS = (("moving", "Moving", "Still under way at the last frame"), ("standing", "Standing",
                                                                     "Slows down and stands at the end"))
PATHS = (
    ("straight", "Straight", "Straight on"),
    ("circle", "Circle", "Round in a circle"),
    ("CURVE", "Curve", "Along a curve object"),
    ("TARGETS", "Targets", "Through the places of objects, one after the other"),
)
GROUNDS = (
    ("plane", "Level", "A level plane"),
    ("slope", "Slope", "A plane that rises or falls"),
    ("steps", "Steps", "Stairs, up or down"),
    ("MESH", "Mesh", "The surface of a mesh object"),
)


def _carries(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Who is to carry nothing puts down what the last bake gave it."""
    from ..addon.rigs.bake.loose import put_down

    if settings.carry == NOTHING:
        put_down(settings.id_data)
    changed(settings, context)


def _is_mesh(_self, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


class LopeObjectSettings(BakeSettings, StyleSettings, FollowSettings, PoseGaitSettings, PosePickSettings,
                         StandSettings, HitSettings, MuscleSettings, ConditionSettings, ReflexSettings, CreatureSettings,
                         PressureSettings, TakeSettings, PageSettings, bpy.types.PropertyGroup):
    """How one armature goes: who it is, its gait, its way, what pushes it, how it is baked."""

    mass_kg: FloatProperty(name="Mass (kg)", update=changed, default=75.0, min=MASS_RANGE_KG[0], max=MASS_RANGE_KG[1],
                           soft_min=40.0, soft_max=200.0, precision=1,
                           description="What the character weighs without its suit; heavier swings and falls no slower, but "
                                       "pushes move it less")
    suit: EnumProperty(name="Suit", update=changed, items=suit_items(),
                       description="A space suit's mass, pack and stiff joints; the gait changes as the body does")
    carry: EnumProperty(name="Carries", update=_carries, items=CARRIES, default=NOTHING,
                        description="What the character carries, and how: it knows the load, arms hold it, and the trunk leans")
    carry_kg: FloatProperty(name="Load (kg)", update=changed, default=10.0, min=LOAD_RANGE_KG[0], max=LOAD_RANGE_KG[1],
                            soft_max=60.0, precision=1, description="What the load weighs")
    carry_object: PointerProperty(name="Carried Object", update=changed, type=bpy.types.Object, poll=_is_mesh,
                                  description="A mesh of the scene that is carried, as large as it stands there, its front to "
                                              "-Y; none: a box. The bake hangs it on the bone that bears it")
    figure: StringProperty(name="Figure", description="What was found in this armature")

    gait_source: EnumProperty(name="Style From", update=changed, items=SOURCES, default="PRESET",
                              description="What gives the motion its style")
    gait: EnumProperty(name="Gait", update=changed, items=gait_items(), default=AUTO, translation_context=GAIT_CONTEXT,
                       description="The captured motion that gives the gait its style")
    gait_law: EnumProperty(name="Gait Law", update=changed, items=gait_law_items(), default=PEOPLE,
                           description="How speed, strides, flights and carriage go with gravity")
    motion_path: StringProperty(name="Motion File", update=changed, subtype="FILE_PATH",
                                description="A BVH clip, or a gait saved as JSON, whose style the character takes on")
    motion_action: PointerProperty(name="Action", update=changed, type=bpy.types.Action,
                                   description="An action of this armature whose style the character takes on")
    use_speed: BoolProperty(name="Set Speed", update=changed, default=False,
                            description="Ask for a speed. Off: the speed that suits the legs and the gravity")
    speed_m_s: FloatProperty(name="Speed (m/s)", update=changed, default=1.0, min=0.05, max=15.0, soft_max=3.0,
                             description="Mean speed to go at; strides grow longer and quicker with it")
    use_stride_frequency: BoolProperty(name="Set Stride Frequency", update=changed, default=False,
                                       description="Ask for a number of strides a second. Off: what goes with the speed")
    stride_frequency_hz: FloatProperty(name="Strides/s", update=changed, default=0.8, min=0.05, max=5.0,
                                       soft_max=2.0,
                                       description="Strides, two steps each, in a second; more of them are shorter ones")
    start: EnumProperty(name="Start", update=changed, items=STARTS, default=Gait.start,
                        description="Whether the character is under way when the shot starts")
    stop: EnumProperty(name="End", update=changed, items=STOPS, default=Gait.stop,
                       description="Whether the character is under way when the shot ends")
    after_fall: EnumProperty(name="After a Fall", update=changed, items=after_fall_items(), default=Shot.after_fall,
                             description="What happens when the character has fallen")
    controller: EnumProperty(name="Controller", update=changed, items=controller_items(), default=Gait.controller,
                             description="What moves the body")
    changed_settings: CollectionProperty(name="Settings", type=LopeSetting,
                                         description="Settings of the controller that are not as shipped")
    setting_index: IntProperty(name="Active Setting", description="The setting chosen in the list")
    keys: CollectionProperty(name="Keys", type=LopeKey,
                             description="Where gait and speed change on the way")
    key_index: IntProperty(name="Active Key", description="The key chosen in the list")
    pose_changes: CollectionProperty(name="Changes", type=LopePoseChange,
                                     description="Where the gait from key poses changes on the way")
    pose_change_index: IntProperty(name="Active Change", description="The change chosen in the list")
    after_path: StringProperty(name="Goes On From", update=changed,
                               description="File of the take at whose end the shot starts; empty where it starts by itself")
    after_frame: FloatProperty(name="Goes On at", default=1.0, description="Frame at which that take ends")
    force: BoolProperty(name="Try Any Speed", update=changed, default=False,
                        description="Simulate even a speed at which this gait is not expected to hold; it may fall")
    retry: BoolProperty(name="Try Again after a Fall", update=changed, default=True,
                        description="A shot that falls at a speed that you have not set is simulated again, slower or at another "
                                    "rate, and the panel says what was changed")
    tuned: BoolProperty(name="Tuned Feet", update=changed, default=True,
                        description="Use the foot paths that were tuned for this gait and gravity, where there are any")
    noise: FloatProperty(name="Uneven Start", update=changed, default=0.0, min=0.0, max=1.0, soft_max=0.2,
                         description="Pose and speed of the first frame are so far off the gait's own, otherwise for each seed: "
                                     "the first steps make up for it")
    seed: IntProperty(name="Seed", update=changed, default=0, min=0,
                      description="The same seed and settings give the same motion; 0 is one of the character's own name")
    seed_by_name: BoolProperty(name="Seed by Name", update=changed, default=True,
                               description="A character whose seed is 0 has one of its own, by its name. Off: it has 0, as all "
                                           "did in files of an earlier Lope")
    engine: EnumProperty(name="Engine", update=changed, items=engine_items(), default=Shot.engine,
                         description="What computes the physics")
    scaling: EnumProperty(name="Balance", update=changed, items=scaling_items(), default=Gait.scaling,
                          description="How quick the character's balance is under another gravity")

    path: EnumProperty(name="Path", update=changed, items=PATHS, default="straight",
                       description="The way the character goes")
    heading_deg: FloatProperty(name="Heading (°)", update=changed, default=0.0, min=-360.0, max=360.0,
                               description="Where it first goes, from where the character faces; positive is to its left")
    radius_m: FloatProperty(name="Radius (m)", update=changed, default=0.0, soft_min=-20.0, soft_max=20.0, min=-1e4, max=1e4,
                            description="Radius of the circle: positive turns left, negative right, 0 takes one that "
                                        "suits gait "
                                        "and gravity")
    curve: PointerProperty(name="Curve", update=changed, type=bpy.types.Object, poll=of_type("CURVE"),
                           description="The character walks along this curve, from its first point on, as laid from "
                                       "where it "
                                       "stands")
    reverse: BoolProperty(name="Reverse", update=changed, default=False,
                          description="Go the curve or the targets from the last to the first")
    until_end: BoolProperty(name="Until Its End", update=changed, default=True,
                            description="The shot is as long as the path, and the character stops standing at its end where "
                                        "its gait can. Off: the shot's duration counts, and behind the end it goes straight on")
    targets: CollectionProperty(name="Targets", type=LopeTarget, description="The places to walk through, in order")
    target_index: IntProperty(name="Active Target", description="The target chosen in the list")
    pushes: CollectionProperty(name="Pushes", type=LopePush,
                               description="Pushes that the character has to stand; it does not see them coming")
    footprints: CollectionProperty(name="Footprints", type=LopeFootprint,
                                   description="Footprints that are locked where you laid them; the steps around them "
                                               "give way")
    footprint_index: IntProperty(name="Active Footprint", description="The footprint chosen in the list")
    push_index: IntProperty(name="Active Push", description="The push chosen in the list")

    take_path: StringProperty(name="Take", description="File of the last simulation of this armature")
    take_summary: StringProperty(name="Last Take", description="What the last simulation gave")
    take_card: StringProperty(name="Physics Card", description="Grades of the last take's physics, as JSON")
    take_fall: StringProperty(name="Fall", description="When the last take ended in a fall, and what to change, as JSON")


def world_chosen(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """A world brings the grip of its ground along, unless another one was set by hand."""
    preset = preset_of(settings.world)
    if preset is not None and settings.friction == settings.friction_of_world:
        settings.friction = preset.friction
        settings.friction_of_world = settings.friction
    changed(settings, context)


class LopeSceneSettings(VerbSettings, bpy.types.PropertyGroup):
    """The world of a shot, its length, and the picked character."""

    armature: PointerProperty(name="Character", update=changed, type=bpy.types.Object, poll=of_type("ARMATURE"),
                              description="The armature Lope works on, whatever is selected. Empty: the active one, else the "
                                          "last that was")

    @property
    def character(self) -> bpy.types.Object | None:
        """The armature in hand, for presets."""
        return active_armature(bpy.context)

    world: EnumProperty(name="World", update=world_chosen, items=world_items(), default="moon",
                        description="Planet or moon whose gravity acts: the gait slows down and changes with it")
    gravity_m_s2: FloatProperty(name="Gravity (m/s²)", update=changed, default=EARTH_GRAVITY_M_S2, min=GRAVITY_RANGE_M_S2[0],
                                max=GRAVITY_RANGE_M_S2[1], description="Gravity of the custom world")
    use_gravity_ramp: BoolProperty(name="Gravity Changes", update=changed, default=False,
                                   description="Gravity changes on the way, as in an airlock or a spun-up station")
    gravity_ramp: CollectionProperty(name="Gravities", type=LopeGravityKey,
                                     description="When gravity has changed, and to what")
    gravity_index: IntProperty(name="Active Gravity", description="The gravity chosen in the list")
    friction: FloatProperty(name="Friction", update=changed, default=0.9, min=0.1, max=2.0,
                            description="Grip of the ground: 0.9 dry rock, 0.5 loose dust, 0.2 ice. Feet slip when it "
                                        "is not enough")
    friction_of_world: FloatProperty(name="Friction of the World", default=0.9, options={"HIDDEN"},
                                     description="What the last world brought")
    ground: EnumProperty(name="Ground", update=changed, items=GROUNDS, default="plane", description="What is walked on")
    slope_deg: FloatProperty(name="Slope (°)", update=changed, default=5.0, min=SLOPE_RANGE_DEG[0], max=SLOPE_RANGE_DEG[1],
                             description="How steeply the ground rises; negative falls")
    direction_deg: FloatProperty(name="Towards (°)", update=changed, default=0.0, min=-360.0, max=360.0,
                                 description="Where the ground rises to: 0 where the character faces, 90 to its left")
    rise_m: FloatProperty(name="Rise (m)", update=changed, default=0.15, min=-2.0, max=2.0,
                          description="Height of a step; negative goes down")
    run_m: FloatProperty(name="Run (m)", update=changed, default=0.4, min=0.05, max=10.0, description="Depth of a step")
    ground_object: PointerProperty(name="Mesh", update=changed, type=bpy.types.Object, poll=_is_mesh,
                                   description="The mesh whose surface is walked on; it is measured once, when you simulate")
    ground_spacing_m: FloatProperty(name="Detail (m)", update=changed, default=0.1, min=0.02, max=2.0,
                                    description="Distance between the places at which the mesh is measured")
    objects: PointerProperty(name="Loose Objects", update=changed, type=bpy.types.Collection,
                             description="Meshes of this collection are loose: they stand where they are until the character "
                                         "touches them, then they fall. The bake keys them")
    objects_density: FloatProperty(name="Density (kg/m³)", update=changed, default=DENSITY_KG_M3, min=1.0, max=25000.0,
                                   soft_max=2000.0,
                                   description="What loose objects weigh for their size: 30 a cardboard box with little in it, "
                                               "500 wood. Active rigid bodies have their own mass")
    duration_s: FloatProperty(name="Duration (s)", update=changed, default=10.0, min=DURATION_RANGE_S[0],
                              max=DURATION_RANGE_S[1], soft_max=60.0, description="Length of the simulation")
    settings_format: IntProperty(name="Settings Format", default=0, min=0, options={"HIDDEN"},
                                 description="Which Lope the file's settings are of; 0 before they were numbered")
    show_preview: BoolProperty(name="Preview", update=changed, default=True,
                               description="Draw footprints and the way of the body's weight in the viewport, before anything is "
                                           "simulated")


def register() -> None:
    """Add the settings to objects and scenes."""
    for cls in (*CLASSES, LopeObjectSettings, LopeSceneSettings):
        bpy.utils.register_class(cls)
    bpy.types.Object.lope = PointerProperty(type=LopeObjectSettings)
    bpy.types.Scene.lope = PointerProperty(type=LopeSceneSettings)


def unregister() -> None:
    """Take the settings away."""
    del bpy.types.Scene.lope
    del bpy.types.Object.lope
    for cls in (LopeSceneSettings, LopeObjectSettings, *reversed(CLASSES)):
        bpy.utils.unregister_class(cls)
