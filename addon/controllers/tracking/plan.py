# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a whole shot, made in milliseconds by the planner that its gait will be simulated with."""

from __future__ import annotations

from dataclasses import replace

from ...bodies.body import Body
from ...gaits.running_variables import BounceVariables
from ...specs.shot import Shot
from ...worlds.ground import Ground, make_ground
from ..controller import Plan
from .gains import Controls
from .planners.preview import plan_preview
from .planners.running.preview import plan_running
from .shot_gait import body_cycle, gait_variables, walkable_path


def plan_shot(shot: Shot, body: Body, controls: Controls) -> Plan:
    """The plan of a shot. Raises LopeError for a shot that cannot be planned."""
    cycle = body_cycle(shot, body)
    gait = gait_variables(shot, cycle, body)
    path, points, gravity = walkable_path(shot, gait), controls.points(shot, cycle), shot.world.gravity_m_s2
    ground = make_ground(shot.world.ground)
    if isinstance(gait, BounceVariables):
        plan = plan_running(body, cycle, gait, gravity, shot.duration_s, points, path, controls.bounce, ground)
    else:
        plan = plan_preview(body, cycle, gait, gravity, shot.duration_s, shot.scaling, points, path, shot.footprints,
                            controls.steps)
    return plan if ground.level else _laid(plan, ground)


def _laid(plan: Plan, ground: Ground) -> Plan:
    """A plan over level ground laid on ground that is not."""
    rise = {name: places + ground.height(places[:, 0], places[:, 1])[:, None] * (0.0, 0.0, 1.0)
            for name in ("com_m", "cart_m", "footstep_m") if (places := getattr(plan, name)).size}
    return replace(plan, **rise)
