# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written on the pictures of a shot: the gait, the world and its gravity, the speed and the strides a second."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import bpy
import numpy as np

from ...errors import RigError
from ...reports.measures import measure
from ...specs.shot import Shot, World
from ...specs.stand import CONTROLLERS as STANDING
from ...take import Take
from ...worlds.planets import label_of
from ..bake.figure_of import hips_of, shown_figure
from ..bake.provenance import CALLED_KEY, FELL_KEY, START_KEY, provenance
from ..bake.sampling import FootEvent
from ..read.armature import metres_per_unit
from .camera import bone_path
from .shot_camera import character_of

GAP = "    "


def world_label(world: World) -> str:
    """A world as people write it: "Moon"."""
    return label_of(world.name)


def take_numbers(take: Take) -> list[str]:
    """Gravity, speed and strides a second of a take, as measured; those that it is too short to tell are left out."""
    measures = measure(take)
    numbers = [_gravity(take.shot.world)]
    if measures["mean_speed_m_s"] is not None:
        numbers.append(f"{measures['mean_speed_m_s']:.2f} m/s")
    if measures["stride_frequency_hz"] is not None:
        numbers.append(f"{measures['stride_frequency_hz']:.2f} strides/s")
    return numbers


def shown_range(scene: bpy.types.Scene) -> tuple[int, int]:
    """First and last frame of the scene's range at which the motion that Lope baked in it goes on; the whole range where it baked
    nothing, or none of it lies in the range."""
    first, last = scene.frame_start, scene.frame_end
    try:
        action = character_of(scene).animation_data.action
        provenance(action)
    except (AttributeError, RigError):  # no animation, no action, or not Lope's
        return first, last
    low, high = (round(frame) for frame in action.frame_range)
    low, high = max(first, low), min(last, high)
    return (low, high) if low < high and not action.use_cyclic else (first, last)


def scene_title(scene: bpy.types.Scene, frames: tuple[int, int]) -> str:
    """What a scene shows over those frames; its name where Lope baked nothing in it. Speed is that until a fall; who stands has
    neither a speed nor strides."""
    try:
        armature = character_of(scene)
        action = armature.animation_data.action
        baked = provenance(action)
    except (AttributeError, RigError):  # no animation, no action, or not Lope's
        return scene.name
    shot: Shot = baked.shot
    facts = [f"{action.get(CALLED_KEY, shot.called)}, {world_label(shot.world)}", _gravity(shot.world)]
    low, high = shown_range(scene)
    fell = action.get(FELL_KEY)
    gone = max(frames[0], low), min(frames[1], high if fell is None else max(low, int(fell)))
    goes = shot.controller not in STANDING
    if goes and gone[1] > gone[0]:
        facts.append(_speed(scene, armature, gone))
    landed = landings(baked.events, "L")
    if goes and len(landed) > 2:
        facts.append(f"{_rate(scene) / float(np.median(np.diff(landed))):.2f} strides/s")
    if fell is not None:
        facts.append(f"falls after {(fell - action.get(START_KEY, low)) / _rate(scene):.1f} s")
    return GAP.join(facts)


def landings(events: Iterable[FootEvent], side: str) -> list[float]:
    """Frames at which a foot strikes after a swing: after at least half as long off the ground as it ever was.

    A foot that strikes may leave the ground for a moment more.
    """
    own = sorted((event for event in events if event.side == side), key=lambda event: event.frame)
    swings = [(after.frame - before.frame, after.frame) for before, after in pairwise(own)
              if (before.kind, after.kind) == ("off", "strike")]
    longest = max((length for length, _ in swings), default=0.0)
    return [frame for length, frame in swings if length >= 0.5 * longest]


def _gravity(world: World) -> str:
    return f"{world.gravity_m_s2:.2f} m/s²"


def _speed(scene: bpy.types.Scene, armature: bpy.types.Object, frames: tuple[int, int]) -> str:
    """Mean speed of the hips over the ground."""
    times, path = bone_path(scene, armature, hips_of(armature, shown_figure(armature, scene=scene)), frames)
    way = float(np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1).sum()) * metres_per_unit(scene)
    seconds = (times[-1] - times[0]) / _rate(scene)
    return f"{way / seconds:.2f} m/s"


def _rate(scene: bpy.types.Scene) -> float:
    return scene.render.fps / scene.render.fps_base
