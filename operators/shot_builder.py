# SPDX-License-Identifier: GPL-3.0-or-later
"""The Shot that the settings of an armature and its scene ask for."""

from __future__ import annotations

import dataclasses
import zlib
from pathlib import Path
from typing import Any

import bpy

from ..addon.errors import InputError
from ..addon.gaits.froude import froude_speed
from ..addon.locomotion.registry import check_settings
from ..addon.rigs.read.actions import frame_rate
from ..addon.specs.creature import CREATURE
from ..addon.specs.motion import Motion
from ..addon.specs.motions import Clip, Creature, Gait, KeyPoses, Reflex
from ..addon.specs.path import Footprint, PathSpec
from ..addon.specs.shot import BodySpec, Push, Shot, World
from ..addon.specs.steering import Key
from ..addon.worlds.planets import CUSTOM, load_world, world_from_gravity
from .condition_settings import condition_of
from .context import found_file
from .creature import QUICK, by_what, creature_figure_of, is_creature, own_gait
from .figures import Placement, figure_of, plain
from .follow import controller_of, drives, follow_of, values_of, with_pushes
from .gait_settings import DRAWN, by_nearest, by_reflexes, style_of, walker_of, way_of
from .hit_settings import arrow_at, hits_of, reaction_of
from .muscles import actuation_of
from .pose_gait_settings import body_in_plane, by_poses, in_plane, pose_gait_of, steering_of
from .stand import stand_of, stands

MOST_SEED = 100_000
FAST_FROUDE = 1.0
"""Froude number by which the length of the way is estimated where no speed is set, so that a mesh is measured far enough."""


def make_shot(armature: bpy.types.Object, scene: bpy.types.Scene, fresh: bool = True, given: Clip | None = None) -> Shot:
    """The Shot of an armature's and a scene's settings. Raises LopeError where they cannot be met.

    Unless it shall be `fresh`, what takes long to read (an action, a mesh) may be as it was read last. A motion that is
    `given` is followed to its end, whatever the settings would have the character do.
    """
    from .surroundings import ground_of, load_of

    if is_creature(armature, scene):
        return _of_creature(armature, scene, fresh)
    settings, around = armature.lope, scene.lope
    figure = figure_of(armature, scene)
    placement = Placement.of(armature, figure)
    first = settings.after_frame if settings.after_path else scene.frame_start
    world = make_world(scene, first)
    flat = given is None and in_plane(settings)
    motion = given or _motion(armature, scene, placement, fresh)
    speed = plain(settings.speed_m_s) if settings.use_speed else None
    pace = speed or froude_speed(FAST_FROUDE, world.gravity_m_s2, figure.leg_length_m)
    body = figure.body_spec(plain(settings.mass_kg))
    shot = Shot(
        body=body_in_plane(body, settings.suit) if flat else body,
        world=dataclasses.replace(world, ground=ground_of(around, placement, motion.path, pace * around.duration_s, fresh)),
        motion=motion,
        engine=settings.planar_engine if flat else settings.engine,
        suit=settings.suit,
        carry=load_of(settings, placement),
        gains=_settings(settings) if given is None or controller_of(settings) == given.controller else None,
        hits=hits_of(settings, figure, placement, lambda frame: _time_s(frame, scene, first), scene),
        reaction=reaction_of(settings),
        actuation=actuation_of(settings),
        condition=condition_of(settings),
        **_common(armature, scene, placement, first),
    )
    return with_pushes(shot, settings) if given is None and isinstance(motion, Clip) else shot


def seed_of(armature: bpy.types.Object) -> int:
    """The seed of a character: its own, or one that goes with its name."""
    settings = armature.lope
    return zlib.crc32(armature.name.encode()) % MOST_SEED if settings.seed == 0 and settings.seed_by_name else settings.seed


def _common(armature: bpy.types.Object, scene: bpy.types.Scene, placement: Placement, first: float) -> dict[str, Any]:
    """Fields of any Shot."""
    from .surroundings import objects_of

    settings, around = armature.lope, scene.lope
    return {"duration_s": plain(around.duration_s), "seed": seed_of(armature), "after_fall": settings.after_fall,
            "noise": plain(settings.noise), "objects": objects_of(around, armature, placement),
            "pushes": tuple(_push(push, placement, scene, first) for push in settings.pushes)}


def _motion(armature: bpy.types.Object, scene: bpy.types.Scene, placement: Placement, fresh: bool) -> Motion:
    """The motion that the settings of a person ask for. Raises LopeError where it cannot be had."""
    from ..addon.sim.sequence import after_take
    from .surroundings import path_of

    settings = armature.lope
    after = after_take(found_file(settings.after_path, armature) or settings.after_path) if settings.after_path else None
    followed = follow_of(armature, scene, fresh)
    if followed is not None:
        if after is not None:  # refused in a sentence
            return type(followed).of({"file": followed.file, "after": after})
        return followed
    if stands(settings):
        return dataclasses.replace(stand_of(settings), after=after)
    speed = plain(settings.speed_m_s) if settings.use_speed else None
    if by_reflexes(settings):
        return Reflex.of({"walker": walker_of(settings), "speed_m_s": speed if by_nearest(settings) else None,
                          "path": way_of(settings), "force": settings.force, "after": after})
    if by_poses(settings):
        first = settings.after_frame if settings.after_path else scene.frame_start
        return KeyPoses(pose_gait_of(settings), speed, PathSpec() if in_plane(settings) else path_of(settings, placement),
                        steering_of(settings, lambda frame: _time_s(frame, scene, first)), start="standing", after=after)
    return dataclasses.replace(_gait(armature, scene, placement, fresh), speed_m_s=speed, after=after)


def _gait(armature: bpy.types.Object, scene: bpy.types.Scene, placement: Placement, fresh: bool) -> Gait:
    """The gait that the settings ask for, at its own speed. Raises LopeError where it cannot be had."""
    from .surroundings import path_of

    settings = armature.lope
    return Gait(
        settings.gait,
        file=motion_of(armature, scene, fresh),
        stride_frequency_hz=plain(settings.stride_frequency_hz) if settings.use_stride_frequency else None,
        scaling=settings.scaling,
        law=settings.gait_law,
        path=path_of(settings, placement),
        start=settings.start,
        stop=settings.stop,
        until_end=settings.until_end and settings.path in DRAWN,
        tuned=settings.tuned,
        force=settings.force,
        retry=settings.retry,
        style=style_of(settings),
        footprints=tuple(Footprint(one.number, plain(one.x_m), plain(one.y_m), plain(one.yaw_deg) if one.use_yaw else None)
                         for one in settings.footprints),
        keys=_keys(settings, scene, settings.after_frame if settings.after_path else scene.frame_start),
        controller=settings.controller,
        acceleration_m_s2=plain(settings.drive_faster_m_s2) if drives(settings) else None,
    )


def _of_creature(armature: bpy.types.Object, scene: bpy.types.Scene, fresh: bool) -> Shot:
    """The Shot of a creature, by the gait that is stored for it there. Raises LopeError."""
    from ..addon.locomotion.creature.stored import chosen
    from .surroundings import ground_of, path_of

    settings, around = armature.lope, scene.lope
    figure = creature_figure_of(armature, scene)
    placement, world = Placement.of(armature, figure), make_world(scene)
    speed = plain(settings.speed_m_s) if settings.use_speed else None
    path = path_of(settings, placement)
    pace = speed or froude_speed(FAST_FROUDE, world.gravity_m_s2, figure.leg_length_m)
    ground = ground_of(around, placement, path, pace * plain(around.duration_s), fresh)
    shot = Shot(
        body=BodySpec(kind=CREATURE, creature=figure.creature),
        world=dataclasses.replace(world, ground=ground),
        motion=Creature(own_gait(settings), speed, path, controller=by_what(settings)),
        engine=settings.engine,
        **_common(armature, scene, placement, scene.frame_start),
    )
    return chosen(shot, quick=settings.creature_by == QUICK)[0]


def _settings(settings: bpy.types.PropertyGroup) -> dict[str, dict[str, float]] | None:
    """The controller's changed settings. Raises InputError for unknown ones, and values out of their range."""
    values = values_of(settings)
    if values:
        check_settings(controller_of(settings), settings.after_fall, values)
    return values


def make_world(scene: bpy.types.Scene, first: float | None = None) -> World:
    """The World of a scene's settings, but for its ground; `first` is the shot's first frame, the scene's by default."""
    settings = scene.lope
    world = world_from_gravity(plain(settings.gravity_m_s2)) if settings.world == CUSTOM else load_world(settings.world)
    ramp = ()
    if settings.use_gravity_ramp:
        keys = sorted((_time_s(key.frame, scene, first), plain(key.gravity_m_s2)) for key in settings.gravity_ramp)
        ramp = tuple((time, gravity) for time, gravity in keys if time >= 0.0)
    return dataclasses.replace(world, friction=plain(settings.friction), gravity_ramp=ramp)


def motion_of(armature: bpy.types.Object, scene: bpy.types.Scene, fresh: bool = True) -> str | None:
    """Path of the motion file that gives the style; None where a preset does. Raises InputError where there is none."""
    settings = armature.lope
    if settings.gait_source == "PRESET":
        return None
    if settings.gait_source == "ACTION":
        from .follow import clip_of

        return str(clip_of(armature, settings.motion_action, scene, fresh))
    path = Path(bpy.path.abspath(settings.motion_path)) if settings.motion_path else None
    if path is None or not path.is_file():
        raise InputError("There is no motion file; choose a BVH clip or a gait's JSON file under Walk, or a preset as the style.")
    return str(path)


def _keys(settings: bpy.types.PropertyGroup, scene: bpy.types.Scene, first: float) -> tuple[Key, ...]:
    """Keys of gait and speed in their order; those before the shot are another one's."""
    keys = sorted(settings.keys, key=lambda key: key.frame)
    return tuple(Key(_time_s(key.frame, scene, first), key.gait if key.use_gait else None,
                     plain(key.speed_m_s) if key.use_speed else None) for key in keys if key.frame >= first)


def _push(push: bpy.types.PropertyGroup, placement: Placement, scene: bpy.types.Scene, first: float) -> Push:
    """A Push of an entry of the list. Raises InputError for one before the shot."""
    import numpy as np

    start = _time_s(push.frame, scene, first)
    if start < 0.0:
        raise InputError(f"The push at frame {push.frame} comes before the shot's first frame, {first:.0f}; "
                         "give it a later frame.")
    if push.arrow is not None:
        direction = placement.direction_to_take(arrow_at(push.arrow, push.frame, scene)[0])
    else:
        direction = np.array(push.direction, dtype=float)
        direction = direction / max(np.linalg.norm(direction), 1e-9)
    return Push(start, plain(push.duration_s), tuple(plain(push.force_n * x) for x in direction), push.segment)


def _time_s(frame: float, scene: bpy.types.Scene, first: float | None = None) -> float:
    """Time of a frame in a take that starts at a frame, the scene's first by default."""
    return (frame - (scene.frame_start if first is None else first)) / frame_rate(scene)
