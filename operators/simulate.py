# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: simulate the walk. The take is on disk before anything in the scene changes."""

from __future__ import annotations

import bpy

from ..addon.shot import Shot, World
from .context import active_armature, poll_armature, reports_errors, takes_folder


def make_world(scene: bpy.types.Scene) -> World:
    """The World that the scene's settings ask for."""
    from ..addon.worlds.planets import CUSTOM, load_world, world_from_gravity

    settings = scene.lope
    return world_from_gravity(settings.gravity_m_s2) if settings.world == CUSTOM else load_world(settings.world)


def make_shot(armature: bpy.types.Object, scene: bpy.types.Scene) -> Shot:
    """The Shot that the settings of an armature and its scene ask for. Raises RigError where bones are missing."""
    from ..addon.rigs.read import read_figure

    settings = armature.lope
    return Shot(
        body=read_figure(armature, scene=scene).body_spec(settings.mass_kg),
        world=make_world(scene),
        gait=settings.gait,
        speed_m_s=settings.speed_m_s if settings.use_speed else None,
        duration_s=scene.lope.duration_s,
        seed=settings.seed,
    )


class LOPE_OT_simulate(bpy.types.Operator):
    """Simulate the walk of this armature. Nothing in the scene moves until you bake"""

    bl_idname = "lope.simulate"
    bl_label = "Simulate"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.simulate import simulate

        armature = active_armature(context)
        shot = make_shot(armature, context.scene)
        manager = context.window_manager
        manager.progress_begin(0.0, 100.0)
        try:
            take = simulate(shot, progress=lambda fraction, _text: manager.progress_update(100.0 * fraction))
        finally:
            manager.progress_end()
        path = takes_folder() / f"{bpy.path.clean_name(armature.name)}.npz"
        take.save(path)
        settings = armature.lope
        settings.take_path = str(path)
        settings.take_summary = summary(take)
        self.report({"WARNING" if take.fell else "INFO"}, settings.take_summary)
        return {"FINISHED"}


def summary(take) -> str:
    """One line on a take for the panel."""
    if take.fell:
        return f"Fell after {take.stats['time_fell_s']:.1f} s on {take.shot.world.name.title()}; try another speed"
    distance = float(((take.com_m[-1, :2] - take.com_m[0, :2]) ** 2).sum() ** 0.5)
    return f"{take.time_s[-1] - take.time_s[0]:.1f} s on {take.shot.world.name.title()}, {distance:.1f} m walked"
