# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: choose the bone that is struck, and simulate what hits an action in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..addon.errors import InputError
from ..addon.rigs.read.actions import frame_rate
from ..addon.specs.motions import Clip, follower_of
from ..addon.specs.shot import Shot
from .context import OnOwnArmature, active_armature, poll_own_armature, poll_unposed, poll_view, reports_errors, words
from .figures import Placement, figure_of, plain
from .follow import clip_of
from .hit_settings import hits_of, reaction_of, thrown_of
from .outcomes import HIT_TASK
from .shot_builder import make_world, seed_of
from .simulate import run_task, take_file

if TYPE_CHECKING:
    import numpy as np

NEAR_PX = 60.0
"""A bone is meant by a click that is no farther from it, in pixels of the user interface's size."""


def action_to_hit(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The action that is hit: the chosen one, or the armature's own, before it was hit. One that was simulated with hits is none:
    that is simulated anew."""
    from ..addon.rigs.bake.hit_bake import action_of
    from ..addon.rigs.bake.provenance import was_hit

    chosen, data = armature.lope.hit_action, armature.animation_data
    if chosen is not None:
        return action_of(chosen)
    own = action_of(None if data is None else data.action)
    return None if own is not None and was_hit(own) else own


def hit_shot(armature: bpy.types.Object, scene: bpy.types.Scene) -> tuple[Shot, dict]:
    """The Shot of an armature's action and hits, and what the bake has to know besides. Raises LopeError."""
    from ..addon.motions.bvh import read_bvh
    from ..addon.rigs.bake.hit_bake import facing_of

    settings, action = armature.lope, action_to_hit(armature)
    if action is None:
        raise InputError(f"{armature.name} has no action that could be hit: choose one under Hit, or let the character stand.")
    if not len(settings.hits):
        raise InputError("Nothing hits the character: add a hit.")
    figure, rate = figure_of(armature, scene), frame_rate(scene)
    clip = clip_of(armature, action, scene)
    skipped = read_bvh(clip).first_frame - 1
    first, last = float(action.frame_range[0]) + skipped, float(action.frame_range[1])
    for entry in settings.hits:
        if not first <= entry.frame <= last:
            raise InputError(f"The hit at frame {entry.frame} is outside of the action {action.name!r}, which goes from frame "
                             f"{first:g} to {last:g}: move it there.")
    hits = hits_of(settings, figure, Placement.of(armature, figure), lambda frame: (frame - first) / rate, scene,
                   facing_of(armature, action, figure, round(first)))
    reaction = reaction_of(settings)
    shot = Shot(body=figure.body_spec(plain(settings.mass_kg)), world=make_world(scene, first),
                motion=Clip(str(clip), time="clip", until_end=True, controller=follower_of(reaction.law)), engine=settings.engine,
                seed=seed_of(armature), suit=settings.suit, after_fall=settings.after_fall, hits=hits, reaction=reaction)
    return shot, {"action": action.name, "first_frame": first, "thrown": thrown_of(settings)}


class LOPE_OT_simulate_hit(bpy.types.Operator):
    """Simulate what the hits do to this action, in the background, and bake the frames around them on a copy of it"""

    bl_idname = "lope.simulate_hit"
    bl_label = "Simulate Hit"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_unposed(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.children.protocol import Task

        armature = active_armature(context)
        shot, options = hit_shot(armature, context.scene)
        data = shot.to_dict()
        return run_task(self, context, Task(HIT_TASK, data, take_file(armature, data), options))


class LOPE_OT_hit_bone(OnOwnArmature, bpy.types.Operator):
    """Let the hit strike the bone that is active in Pose mode"""

    bl_idname = "lope.hit_bone"
    bl_label = "Active Bone"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        bone = armature.data.bones.active
        if bone is None:
            raise InputError("No bone is active: click one in Pose mode.")
        entry_of(armature).bone = bone.name
        return {"FINISHED"}


class LOPE_OT_hit_pick(bpy.types.Operator):
    """Click on the character where it is to be struck. With Shift it is struck along your view"""

    bl_idname = "lope.hit_pick"
    bl_label = "Click a Bone"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and poll_view(cls, context, words("A bone is clicked in a 3D viewport"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        self._region = next(region for region in context.area.regions if region.type == "WINDOW")
        self._view = context.space_data.region_3d
        context.window.cursor_modal_set("CROSSHAIR")
        context.workspace.status_text_set(words("Click where it is struck. Shift: along the view. Esc: leave it"))
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        import numpy as np

        if event.type in ("ESC", "RIGHTMOUSE"):
            return self._end(context, {"CANCELLED"})
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"}
        armature = active_armature(context)
        mouse = np.array([event.mouse_x - self._region.x, event.mouse_y - self._region.y], float)
        name = None if armature is None else self._nearest(context, armature, mouse)
        if name is None:
            self.report({"WARNING"}, words("There is no bone here"))
            return {"RUNNING_MODAL"}
        entry = entry_of(armature)
        entry.bone = name
        if event.shift:
            figure = figure_of(armature, context.scene)
            away = np.array(self._view.view_rotation.to_matrix().col[2], float)
            entry.arrow, entry.direction = None, Placement.of(armature, figure).direction_to_take(-away)
        return self._end(context, {"FINISHED"})

    def _nearest(self, context: bpy.types.Context, armature: bpy.types.Object, mouse: np.ndarray) -> str | None:
        """The bone of the body next to a place in the region."""
        import numpy as np
        from bpy_extras.view3d_utils import location_3d_to_region_2d

        best, found = NEAR_PX * context.preferences.system.ui_scale, None
        for name in figure_of(armature, context.scene).bone_of.values():
            bone = armature.pose.bones[name]
            ends = [location_3d_to_region_2d(self._region, self._view, armature.matrix_world @ place)
                    for place in (bone.head, bone.tail)]
            if None in ends:
                continue
            head, tail = (np.array(end, float) for end in ends)
            along = tail - head
            share = np.clip((mouse - head) @ along / max(float(along @ along), 1e-9), 0.0, 1.0)
            off = float(np.linalg.norm(mouse - head - share * along))
            if off < best:
                best, found = off, name
        return found

    def _end(self, context: bpy.types.Context, result: set[str]) -> set[str]:
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)
        context.area.tag_redraw()
        return result


def entry_of(armature: bpy.types.Object) -> bpy.types.PropertyGroup:
    """The chosen hit; a new one where there is none."""
    hits = armature.lope.hits
    return hits[min(armature.lope.hit_index, len(hits) - 1)] if len(hits) else hits.add()
