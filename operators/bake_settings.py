# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist sets about baking; part of `object.lope`."""

from __future__ import annotations

import bpy

from ..addon.specs.bake_options import BakeOptions
from .properties import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

TARGETS = (
    ("update", "Last Lope Action", "Keys of the last bake are written anew, where you have not touched them. Your own keys stay: "
     "an action that holds some on the same curves is left as it is, and a new one is made"),
    ("new", "New Action", "Keys go to a new action. The action before stays in the file as it is"),
    ("replace", "Replace Range", "Keys of the baked bones in the baked frames are replaced in a copy of the present action"),
    ("slot", "New Slot", "Keys go to a slot of their own in a copy of the present action"),
)
PARTS = (
    ("all", "All", "Every bone that the take moves"),
    ("legs", "Hips and Legs", "Hips, legs and feet, and what carries the hips; the trunk is kept upright, keys of all other "
                              "bones stay"),
    ("no_arms", "All but Arms", "Every bone but shoulders, arms and hands, whose keys stay"),
    ("bones", "Selected Bones", "The bones that are selected in Pose mode when it is baked; keys of all others stay"),
)
CONTROLS = (
    ("auto", "Automatic", "IK controls where the rig has them, else the bones themselves"),
    ("ik", "IK Controls", "Keys on hips and feet's IK controls: the feet stay planted and are easy to edit"),
    ("fk", "FK Bones", "Keys on the bones themselves: every joint turns exactly as simulated"),
)
ROOTS = (
    ("hips", "Hips", "The hips carry the whole way; neither object nor root bone moves"),
    ("root_bone", "Root Bone", "A root bone carries the smooth way and heading, the hips sway about it"),
    ("object", "Object", "The armature object carries the smooth way and heading, the hips sway about it"),
    ("in_place", "In Place", "The way is left out: the character walks on the spot, as on a treadmill"),
)


class BakeSettings:
    """Mixed into `object.lope`."""

    bake_when_done: BoolProperty(
        name="Bake When Done", default=True,
        description="Write the keys as soon as the simulation has ended. Off: look at the numbers first")
    bake_target: EnumProperty(name="Write To", description="Where the keys go", items=TARGETS,
                              default="update")
    bake_parts: EnumProperty(name="Bake", description="Which part of the body gets keys", items=PARTS, default="all")
    bake_controls: EnumProperty(name="Keys On", description="Which of the rig's bones get the keys", items=CONTROLS,
                                default="auto")
    bake_root: EnumProperty(name="Root Motion", description="What carries the character along its way", items=ROOTS,
                            default="hips")
    bake_use_range: BoolProperty(
        name="Frame Range", default=False,
        description="Bake only a part of the take. Off: all of it, from the scene's first frame on")
    bake_start: IntProperty(name="First Frame", description="First frame that gets keys", default=1)
    bake_end: IntProperty(name="Last Frame", description="Last frame that gets keys", default=250)
    bake_use_lock: BoolProperty(
        name="Lock Frames", default=False,
        description="Keep the keys of some frames as they are, such as those you have polished, when the bake replaces the rest")
    bake_lock_start: IntProperty(name="First Locked", description="First frame whose keys are kept", default=1)
    bake_lock_end: IntProperty(name="Last Locked", description="Last frame whose keys are kept", default=24)
    bake_step: IntProperty(name="Step", description="One key every so many frames: fewer keys, but coarser motion",
                           default=1,
                           min=1, max=1000, soft_max=8)
    bake_loop: BoolProperty(name="Loop", default=False,
                            description="Bake one whole stride that joins end to start, and let the action repeat")
    bake_lock_feet: BoolProperty(name="Lock Feet", default=True,
                                 description="Keep the soles still on the ground while they carry weight")
    bake_hang: BoolProperty(name="Hanging Parts", default=True,
                            description="Let hair, hoses, straps and tails swing by the world's gravity and air")
    bake_reduce: BoolProperty(name="Fewer Keys", default=False,
                              description="Leave out keys that the curves do not need, and keep within the error below")
    bake_error_mm: FloatProperty(
        name="Error (mm)", default=0.5, min=0.01, max=100.0, soft_max=10.0,
        description="Farthest that hands, feet and head may leave their simulated places by leaving keys out")
    bake_keep_old: BoolProperty(name="Keep Old Action", default=False,
                                description="Let the file keep the action before, by a fake user. Your own keys are kept anyway")
    bake_go_on: BoolProperty(
        name="Go On from the Last", default=False,
        description="Begin when and where the last baked motion of this character ends, instead of at the scene's first frame")
    bake_push_down: BoolProperty(name="Push Down to NLA", default=False,
                                 description="Put the new action on an NLA track, so that hand animation can go on top")
    bake_markers: BoolProperty(name="Contact Markers", default=True,
                               description="Mark in the action where each foot strikes and leaves the ground")
    bake_subframes: BoolProperty(name="Exact Contacts", default=False,
                                 description="Add keys between frames, at the exact times of strikes and offs")
    bake_before: StringProperty(name="Action Before", description="The action before the last bake, where it holds keys of yours")
    bake_report: StringProperty(name="Changes", description="What the last bake changed: controls, keys and bytes")


def _locked(settings: bpy.types.PropertyGroup) -> tuple[int, int] | None:
    """The locked frames of an armature's settings; only a bake that replaces keys can keep some."""
    asked = settings.bake_use_lock and settings.bake_target == "replace"
    return (settings.bake_lock_start, settings.bake_lock_end) if asked else None


def options_of(settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> BakeOptions:
    """The BakeOptions that an armature's settings ask for. Raises InputError for a range that is none, or no bone selected."""
    return BakeOptions(
        target=settings.bake_target,
        start_frame=scene.frame_start,
        frame_range=(settings.bake_start, settings.bake_end) if settings.bake_use_range and not settings.bake_loop else None,
        locked_frames=_locked(settings),
        frame_step=settings.bake_step,
        controls=settings.bake_controls,
        root_motion=settings.bake_root,
        loop=settings.bake_loop,
        lock_feet=settings.bake_lock_feet,
        hang=settings.bake_hang,
        reduce_error_m=float(f"{1e-3 * settings.bake_error_mm:.6g}") if settings.bake_reduce else None,
        push_down=settings.bake_push_down,
        markers=settings.bake_markers,
        subframe_events=settings.bake_subframes,
        parts=settings.bake_parts,
        bones=tuple(bone.name for bone in settings.id_data.pose.bones
                    if (bone.select if hasattr(bone, "select") else bone.bone.select)  # the pose bone's own since Blender 5
                    ) if settings.bake_parts == "bones" else (),
        keep_old=settings.bake_keep_old,
        go_on=settings.bake_go_on and not settings.bake_loop,
        after_frame=float(settings.after_frame) if settings.after_path and not settings.bake_loop else None,
    )
