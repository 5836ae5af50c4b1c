# SPDX-License-Identifier: GPL-3.0-or-later
"""How an armature stands and what it may do to stay up; and what the Shot has of it.

Buttons: the stance taken from the armature's present pose; dropped again.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import bpy

from ..addon.errors import InputError
from ..addon.specs.motions import Jump, StancePose, Stand
from ..addon.specs.settings import settings_of
from .context import OnOwnArmature, active_armature, allows, poll_own_armature, reports_errors, words
from .creature import by_creature
from .figures import figure_of, plain
from .properties import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty, changed

BOTH = "BOTH"
LEGS = ((BOTH, "Both Legs", "It stands on both feet"),
        ("L", "Left Leg", "It stands on its left leg and holds the right foot up"),
        ("R", "Right Leg", "It stands on its right leg and holds the left foot up"))
_FIELDS, _JUMP = settings_of(Stand), settings_of(Jump)


class StandSettings:
    """The stance and the ways of keeping it, for a property group to inherit."""

    stand_on: EnumProperty(name="Stands On", update=changed, items=LEGS, default=BOTH,
                           description="The legs that it stands on while nothing pushes it")
    use_stand_apart: BoolProperty(name="Set Feet Apart", update=changed, default=False,
                                  description="Ask for a distance of the feet. Off: as people stand")
    stand_apart_m: FloatProperty(name="Feet Apart (m)", update=changed, default=0.26, min=0.05, max=2.0, soft_max=0.8,
                                 description="From ankle to ankle, to the side")
    stand_ahead_m: FloatProperty(name="Left Ahead (m)", update=changed, default=0.0, min=-1.0, max=1.0, soft_min=-0.4,
                                 soft_max=0.4, description="How far the left foot stands ahead of the right one")
    stand_hips: BoolProperty(name="Hips May Lunge", update=changed, default=True,
                             description="The trunk may lunge over the edge of the soles. Off: ankles alone, and steps")
    use_stand_steps: BoolProperty(name="Limit Steps", update=changed, default=False,
                                  description="Allow only so many steps, none on a ledge. Off: as many as it needs")
    stand_steps: IntProperty(name="Steps at Most", update=changed, default=0, min=0, max=50, soft_max=5,
                             description="Steps that it may take to catch itself")
    stand_reaction_s: FloatProperty(name="Reaction (s)", update=changed, default=_FIELDS["reaction_s"].default, min=0.0, max=2.0,
                                    soft_max=0.5,
                                    description="No foot is lifted sooner than this after a push is felt. A person's: 0.2")
    stand_swing_m_s: FloatProperty(name="Fastest Foot (m/s)", update=changed, default=_FIELDS["swing_m_s"].default, min=0.5,
                                   max=20.0, soft_max=12.0, description="How fast a foot may go in a step. A person's: 6")
    stand_sway: FloatProperty(name="Sway", update=changed, default=1.0, min=0.0, max=5.0,
                              description="How much it sways while nothing happens, over a person's")
    stand_pose: StringProperty(name="Posed Stance", update=changed,
                               description="The turns of a stance that was posed")
    use_jump: BoolProperty(name="Jump", update=changed, default=False,
                           description="It jumps off both feet and lands standing, as its legs' strength and the gravity have it")
    jump_up_m: FloatProperty(name="Jump Up (m)", update=changed, default=_JUMP["up_m"].default, min=0.02, max=20.0, soft_max=2.0,
                             description="How far its weight rises over where it is in standing")
    jump_ahead_m: FloatProperty(name="Jump Ahead (m)", update=changed, default=0.0, min=0.0, max=20.0, soft_max=3.0,
                                description="How much farther ahead its feet land")
    dial_arrow: BoolProperty(name="As an Arrow", default=False,
                             description="A dialled push gets an empty with an arrow for its direction, to be turned by hand. "
                                         "Off: numbers")


def stands(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character stands instead of going."""
    return settings.motion == "STAND" and not by_creature(settings)


def jumps(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character that stands is to jump."""
    return settings.use_jump and stands(settings)


def stand_of(settings: bpy.types.PropertyGroup) -> Stand | Jump:
    """How the character stands, or jumps from standing. Raises InputError for what will not do."""
    if settings.use_jump:
        return Jump(up_m=plain(settings.jump_up_m), ahead_m=plain(settings.jump_ahead_m), until_end=True)
    pose = _pose(settings.stand_pose) if settings.stand_pose else None
    feet = {} if pose is not None else {
        "apart_m": plain(settings.stand_apart_m) if settings.use_stand_apart else None,
        "ahead_m": plain(settings.stand_ahead_m),
        "one_leg": "" if settings.stand_on == BOTH else settings.stand_on,
    }
    return Stand(
        **feet,
        pose=pose,
        hips=settings.stand_hips,
        steps=settings.stand_steps if settings.use_stand_steps else None,
        reaction_s=plain(settings.stand_reaction_s),
        swing_m_s=plain(settings.stand_swing_m_s),
        sway=plain(settings.stand_sway),
    )


def _pose(text: str) -> StancePose:
    """The pose of a stance that is kept as JSON. Raises InputError where it was spoilt."""
    try:
        return StancePose.from_dict(json.loads(text))
    except (ValueError, TypeError, InputError):
        raise InputError("The stance that was posed cannot be read any more: press From Pose again, or drop it.") from None


MOVED_M = 0.01
"""A weight that has to be moved farther than this to be over the soles is told of."""


def take_stance(armature: bpy.types.Object, context: bpy.types.Context) -> float:
    """Let the armature's shots stand as it is posed now; gives how far [m] its weight was from being over the soles.
    Raises LopeError for an armature that cannot be read, and a pose that does not stand."""
    from ..addon.bodies.makers import make_body
    from ..addon.locomotion.stand.posed import stance_from_pose
    from ..addon.rigs.bake.hands import palm_turns
    from ..addon.rigs.read.poses import pose_now

    figure = figure_of(armature, context.scene)
    body = make_body(figure.body_spec(plain(armature.lope.mass_kg)))
    depsgraph = context.evaluated_depsgraph_get()
    depsgraph.update()
    pose, found = stance_from_pose(body, *pose_now(armature, depsgraph, figure, body, palm_turns(figure)))
    armature.lope.stand_pose = json.dumps(asdict(pose))
    return found.moved_m


class LOPE_OT_stance_from_pose(OnOwnArmature, bpy.types.Operator):
    """Let the character stand as its armature is posed at this frame: feet, weight, trunk and arms. Nothing is keyed"""

    bl_idname = "lope.stance_from_pose"
    bl_label = "From Pose"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        moved_m = take_stance(active_armature(context), context)
        if moved_m > MOVED_M:
            self.report({"INFO"}, words("It stands as posed; its weight, not over its feet, is brought over them by "
                                        "{moved:.0f} cm", moved=100.0 * moved_m))
        else:
            self.report({"INFO"}, words("It stands as posed"))
        return {"FINISHED"}


class LOPE_OT_stance_drop(bpy.types.Operator):
    """Drop the stance that was posed: the character stands upright again, its feet as the settings say"""

    bl_idname = "lope.stance_drop"
    bl_label = "Drop the Stance"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, active_armature(context).lope.stand_pose, words("No stance was posed for this armature"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.stand_pose = ""
        return {"FINISHED"}
