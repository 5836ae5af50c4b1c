# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist sets about baking; part of `object.lope`."""

from __future__ import annotations

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

TARGETS = (
    ("NEW", "New Action", "Keys go to a new action. The action before stays in the file as it is"),
    ("REPLACE", "Replace Range", "Keys of the baked bones in the baked frames are replaced in a copy of the present action; all "
                                 "other keys stay"),
    ("SLOT", "New Slot", "Keys go to a new slot of the present action"),
)
CONTROLS = (
    ("AUTO", "Automatic", "IK controls where the rig has them, else the bones themselves"),
    ("IK", "IK Controls", "Keys on hips, hands' and feet's IK controls: the feet stay planted and are easy to edit"),
    ("FK", "FK Bones", "Keys on the bones themselves: every joint turns exactly as simulated"),
)
ROOTS = (
    ("HIPS", "Hips", "The hips carry the whole way; neither object nor root bone moves"),
    ("BONE", "Root Bone", "A root bone carries the smooth way and heading, the hips sway about it"),
    ("OBJECT", "Object", "The armature object carries the smooth way and heading, the hips sway about it"),
    ("IN_PLACE", "In Place", "The way is left out: the character walks on the spot, as on a treadmill"),
)


class BakeSettings:
    """Mixed into `object.lope`."""

    bake_when_done: BoolProperty(name="Bake When Done", default=True,
                                 description="Write the keys as soon as the simulation has ended. Off: look at the numbers first")
    bake_target: EnumProperty(name="Write To", description="Where the keys go", items=TARGETS, default="NEW")
    bake_controls: EnumProperty(name="Keys On", description="Which of the rig's bones get the keys", items=CONTROLS,
                                default="AUTO")
    bake_root: EnumProperty(name="Root Motion", description="What carries the character along its way", items=ROOTS,
                            default="HIPS")
    bake_use_range: BoolProperty(name="Frame Range", default=False,
                                 description="Bake only a part of the take. Off: all of it, from the scene's first frame on")
    bake_start: IntProperty(name="First Frame", description="First frame that gets keys", default=1)
    bake_end: IntProperty(name="Last Frame", description="Last frame that gets keys", default=250)
    bake_loop: BoolProperty(name="Loop", default=False,
                            description="Bake whole strides that join end to start, and let the action repeat")
    bake_reduce: BoolProperty(name="Fewer Keys", default=False,
                              description="Leave out keys that the curves do not need, and keep within the error below")
    bake_error_mm: FloatProperty(name="Error (mm)", description="Farthest that any joint may leave its simulated place by leaving "
                                                                "keys out", default=0.5, min=0.01, max=100.0, soft_max=10.0)
    bake_push_down: BoolProperty(name="Push Down to NLA", default=False,
                                 description="Put the new action on an NLA track, so that hand animation can go on top")
    bake_markers: BoolProperty(name="Contact Markers", default=True,
                               description="Mark in the action where each foot strikes and leaves the ground")


NAMES = tuple(BakeSettings.__annotations__)
