# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a rig's planted feet slide, measured through Blender's evaluated pose: real takes, the sole's points on bones."""

from __future__ import annotations

from functools import cache

import numpy as np

from blender_scene import bpy
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.reports.feet import loaded_points
from lope.addon.rigs.read.armature import match_of
from lope.addon.rigs.read.figure import Figure, joint_landmark
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

ON_GROUND_M = 0.005
"""A point of a stiff foot that is higher than its lowest by this is in the air."""


@cache
def walk(world: str = "earth", seconds: float = 4.0, gait: str = "walk") -> Take:
    """A real walk of the standard body."""
    return simulate(Shot(motion=Gait(gait), body=BodySpec(mass_kg=75.0), world=load_world(world), duration_s=seconds))


def walk_of(figure: Figure, world: str = "earth", seconds: float = 3.0) -> Take:
    """A real walk of a figure's own body."""
    return simulate(Shot(body=figure.body_spec(75.0), world=load_world(world), duration_s=seconds))


def slips_mm(armature, figure: Figure, take: Take, frames: np.ndarray) -> list[float]:
    """The largest slide [mm] of each stance of each foot over whole frames; the take starts at the first frame.

    While the heel carries weight in the take, heel and ball count, as points of the foot's bone; then ball and toes, as
    points of the toes' bone where there is one. A foot without toes rolls from its ball to its tip in one piece: the tip
    counts with the ball, and only what is on the ground counts. A point's slide is how far it comes over the ground in
    those frames at both ends of which it carries weight.
    """
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    own = Human.from_landmarks(figure.landmarks, take.body.mass_kg)
    after = np.clip(np.searchsorted(take.time_s, take.time_s[0] + (frames - frames[0]) / rate), 1, len(take.time_s) - 1)
    samples = loaded_points(take)
    loaded = samples[after - 1] & samples[after]  # between samples, as the bake has it: at one alone it strikes or leaves
    column = {point.name: i for i, point in enumerate(take.body.contact_points)}
    found = []
    for side in ("L", "R"):
        mine = [p for p in own.contact_points if p.side == side and p.name in column]
        down = np.stack([loaded[:, column[p.name]] for p in mine], axis=1)
        heel = down[:, [p.kind == "heel" for p in mine]].any(axis=1)
        toes = f"toes_{side}" in own.index
        spots = [(p.segment, p.position) for p in mine]
        offset = own.segment(f"toes_{side}").offset if toes else np.zeros(3)
        spots += [(f"toes_{side}", p.position - (0.0 if p.segment.startswith("toes") else offset)) if toes
                  else (p.segment, p.position) for p in mine if p.kind != "heel"]
        place = _places(armature, figure, spots, frames)
        late = [i for i, p in enumerate(mine) if p.kind != "heel"]
        if not toes:
            height, kinds = place[:, :len(mine), 2], np.array([p.kind for p in mine])
            down = down | (down[:, kinds == "ball"].any(axis=1, keepdims=True) & (kinds == "toe"))
            down &= height <= height.min(axis=1, keepdims=True) + ON_GROUND_M
        both = down[1:] & down[:-1]
        rolling = (heel[1:] | heel[:-1])[:, None]
        flat = [p.segment.startswith("foot") for p in mine]
        counts = np.concatenate([both & rolling & flat, both[:, late] & ~rolling], axis=1)
        found += _per_stance(np.diff(place[..., :2], axis=0), counts)
    return [1000.0 * slip for slip in found]


def _places(armature, figure: Figure, spots: list, frames: np.ndarray) -> np.ndarray:
    """World places (T, N, 3) of points given as (segment, place in its neutral frame)."""
    match, alignments = match_of(armature), neutral_alignments(figure.points)
    bones, local = [], []
    for segment, position in spots:
        bone = match.joint_of[segment]
        rest = figure.points[joint_landmark(segment)] + alignments[segment].T @ position
        place = figure.origin + figure.units_per_m * (figure.axes @ rest)
        bones.append(bone)
        local.append(np.linalg.inv(np.array(armature.data.bones[bone].matrix_local)) @ np.append(place, 1.0))
    out = np.empty((len(frames), len(spots), 3))
    for k, frame in enumerate(frames):
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(evaluated.matrix_world)
        for i, (bone, point) in enumerate(zip(bones, local, strict=True)):
            out[k, i] = (world @ np.array(evaluated.pose.bones[bone].matrix) @ point)[:3]
    return out


def _per_stance(steps: np.ndarray, counts: np.ndarray) -> list[float]:
    """The farthest that any point comes in each run of steps that count for some point."""
    on = np.concatenate([[False], counts.any(axis=1), [False]]).astype(int)
    edges = np.flatnonzero(np.diff(on))
    return [float(np.linalg.norm(np.cumsum(steps[a:b] * counts[a:b, :, None], axis=0), axis=-1).max())
            for a, b in zip(edges[::2], edges[1::2], strict=True)]
