# SPDX-License-Identifier: GPL-3.0-or-later
"""One bake after another: where the last one ends, and the next one's motion brought there."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

import bpy
import numpy as np

from ...errors import RigError
from ...maths.angles import plane_angle
from ...maths.quaternions import matrix_from_quat, quat_multiply
from .nla import lope_strips
from .own_motion import OwnMotion
from .provenance import SHOT_KEY
from .sampling import Sampled
from .travel import Travel, travel_of

END_KEY = "lope_end"
"""Property of a baked action: JSON of the `End` of its motion."""

MOVED_KEY = "lope_moved"
"""Property of an action whose motion goes on from another's: JSON of how far [m] and by how much about the vertical [rad] the
take was moved, in the figure's own frame."""

_SAME_POSE_RAD = np.radians(2.0)
"""A motion whose hips stand within that of how the last one ended is the same walk taken up again, and joined to the hips
themselves; another one to their heading over a stride, as hips turn to and fro by several degrees."""

ONE_FRAME, NEAR_M = 1.3, 0.02
"""How far apart the hips may be where a motion goes on: over the way of a frame, and beside that [m]."""


@dataclass(frozen=True)
class End:
    """Where a baked motion ends: its frame, the hips' place (x, y) [m] in the figure's own frame, which way they face and which
    way they head over a stride [rad], and their orientation (w, x, y, z). `origin` is where all of it began to travel: place and
    heading. `exact_frame` is where the take itself ends, between two frames perhaps; `moved` how its motion was moved
    (x, y, turn)."""

    frame: float
    place: tuple[float, float]
    facing: float
    heading: float
    hips: tuple[float, float, float, float]
    origin: tuple[float, float, float]
    exact_frame: float
    moved: tuple[float, float, float]

    def travelled(self, travel: Travel) -> Travel:
        """A travel counted from where all of it began."""
        x, y, heading = self.origin
        return Travel(travel.place, np.array([x, y]), travel.heading - heading, heading)


def end_of(motion: OwnMotion, sampled: Sampled, exact_frame: float, before: End | None,
           moved: tuple[float, float, float] | None) -> End:
    """The end of a motion that goes on from another's end, `moved` so, or from none. One of a part of the take ends with it."""
    end = _moment(motion, sampled, -1)
    whole = exact_frame - end.frame < 1.0
    end = replace(end, exact_frame=exact_frame if whole else end.frame, moved=moved or end.moved)
    return end if before is None else replace(end, origin=before.origin)


def last_end(armature: bpy.types.Object) -> End | None:
    """Where the last motion that Lope baked on an armature ends, on the timeline; None where there is none."""
    data = armature.animation_data
    if data is not None and data.action is not None and END_KEY in data.action:
        return read_end(data.action)
    for strip in reversed(lope_strips(armature)):
        if END_KEY in strip.action:
            end = read_end(strip.action)
            return replace(end, **{name: strip.frame_start + (getattr(end, name) - strip.action_frame_start) * strip.scale
                                   for name in ("frame", "exact_frame")})
    return None


def read_end(action: bpy.types.Action) -> End:
    """The end noted on an action."""
    values = json.loads(action[END_KEY])
    return End(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def write_end(action: bpy.types.Action, end: End, moved: tuple[float, float, float] | None) -> None:
    """Note where an action's motion ends, and how the take was moved to go on from another."""
    action[END_KEY] = json.dumps(asdict(end))
    action.pop(MOVED_KEY, None)
    if moved is not None:
        action[MOVED_KEY] = json.dumps(moved)


def start_after(armature: bpy.types.Object) -> End:
    """The end to go on from. Raises RigError where there is none."""
    end = last_end(armature)
    if end is not None:
        return end
    data = armature.animation_data
    if data is not None and data.action is not None and SHOT_KEY in data.action:
        raise RigError(f"The action {data.action.name!r} does not say where its motion ends, as an older Lope baked it; bake it "
                       "anew, then go on from it.")
    raise RigError(f"Armature {armature.name!r} has no motion of Lope's to go on from; bake one first.")


def brought_to(motion: OwnMotion, end: End, sampled: Sampled, continues: bool) -> tuple[OwnMotion, tuple[float, float, float]]:
    """A motion moved and turned about the vertical so that it begins where another ended; and the move (x, y) [m] of the origin
    and the turn [rad]. `continues`: it was simulated on from a take; then it is moved as that one was, if it starts where that
    ends, at most a frame later."""
    x, y, turn = end.moved
    count = len(motion.places)
    as_before = _moved(motion, Travel(np.broadcast_to([x, y], (count, 2)), np.zeros(2), np.full(count, turn)))
    first, second = as_before[0].places[0, 0, :2], as_before[0].places[1, 0, :2]
    if continues and np.linalg.norm(first - end.place) <= ONE_FRAME * np.linalg.norm(second - first) + NEAR_M:
        return as_before
    begin = _moment(motion, sampled, 0)
    turn = end.facing - begin.facing
    if _angle(_turned(np.array(begin.hips), turn), np.array(end.hips)) > _SAME_POSE_RAD:
        turn = end.heading - begin.heading
    return _moved(motion, Travel(np.broadcast_to(np.array(end.place), (count, 2)), np.array(begin.place), np.full(count, turn)))


def _moved(motion: OwnMotion, travel: Travel) -> tuple[OwnMotion, tuple[float, float, float]]:
    """A motion brought to where a travel, the same at every frame, brings it; and the move of the origin and the turn."""
    turns = quat_multiply(np.broadcast_to(travel.turn[:, None], motion.turns.shape), motion.turns)
    x, y, _ = travel.part(slice(0, 1)).apply(np.zeros((1, 3)))[0]
    return replace(motion, places=travel.apply(motion.places), turns=turns), (float(x), float(y), float(travel.yaw[0]))


def _moment(motion: OwnMotion, sampled: Sampled, row: int) -> End:
    """How a motion stands at one of its frames."""
    travel, frame = travel_of(motion, sampled.time_s, sampled.stride_s), float(sampled.frames[row])
    hips = motion.turns[row, 0]
    facing = matrix_from_quat(hips)[:2, 0]
    return End(frame, tuple(map(float, motion.places[row, 0, :2])), float(plane_angle(facing[1], facing[0])),
               float(travel.heading[row]), tuple(map(float, hips)), (*map(float, travel.start), float(travel.heading[0])),
               frame, (0.0, 0.0, 0.0))


def _turned(hips: np.ndarray, yaw: float) -> np.ndarray:
    return quat_multiply(np.array([np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw)]), hips)


def _angle(one: np.ndarray, other: np.ndarray) -> float:
    """Angle between two orientations [rad]."""
    return float(2.0 * np.arccos(min(1.0, abs(float(one @ other)))))
