# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: make a gait of the picked poses, in the background."""

from __future__ import annotations

import dataclasses

import bpy

from ..addon.children.protocol import Task
from ..addon.gaits.pose_gaits import pose_gait_names
from ..addon.motions.key_poses import gait_of
from ..addon.rigs.bake.bake import frame_rate
from ..addon.rigs.shots.drawn_poses import read_poses
from ..addon.specs.pose_gait import pose_gait_file
from ..addon.specs.presets import named_file, names_in
from .context import active_armature, poll_own_armature, pose_gaits_folder, reports_errors
from .figures import figure_of, plain
from .pose_picks import drawn_of
from .simulate import run_task
from .texts import words


class LOPE_OT_gait_from_poses(bpy.types.Operator):
    """Search, in the background, for the gait that comes nearest to these poses and walks. Takes some minutes; finish any time"""

    bl_idname = "lope.gait_from_poses"
    bl_label = "Make Gait from Poses"
    bl_options = {"REGISTER"}

    evaluations: bpy.props.IntProperty(name="Trials", default=100, min=0, max=100000, soft_max=1000,
                                       description="How many gaits are tried; more of them come nearer to the poses")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        if len(active_armature(context).lope.pose_picks) < 2:
            cls.poll_message_set(words("Pick two poses or more first"))
            return False
        return True

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature, scene = active_armature(context), context.scene
        settings = armature.lope
        figure = figure_of(armature, scene)
        poses = read_poses(armature, figure, drawn_of(settings), frame_rate(scene), plain(settings.poses_apart_s))
        name = free_name(settings.poses_name.strip() or "my gait")
        source = f"poses of {', '.join(dict.fromkeys(pick.action.name for pick in settings.pose_picks))}"
        gait = gait_of(poses, name, source)
        if settings.poses_use_speed:
            gait = dataclasses.replace(gait, speed_m_s=plain(settings.poses_speed_m_s))
        options = {"poses": pose_gait_file(gait), "evaluations": self.evaluations, "seed": settings.seed,
                   "body": dataclasses.asdict(figure.body_spec(plain(settings.mass_kg)))}
        return run_task(self, context, Task("poses", {}, str(named_file(pose_gaits_folder(), "gait", name)), options))


def free_name(name: str) -> str:
    """The name, with a number where a gait is called so already."""
    taken = {one.casefold() for one in (*pose_gait_names(), *names_in(pose_gaits_folder()))}
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name} {number}", number + 1
    return found
