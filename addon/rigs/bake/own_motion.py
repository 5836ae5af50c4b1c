# SPDX-License-Identifier: GPL-3.0-or-later
"""A take's motion on a figure's own body: its limbs turn as simulated, its path scales by leg length. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...bodies.body import Body
from ...bodies.creature.body import CreatureBody
from ...bodies.human.body import KIND as HUMAN
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.planar import KIND as PLANAR
from ...errors import RigError
from ...maths.quaternions import quat_rotate
from ..read.figure import Figure
from .blocks import blocks, in_blocks
from .planar_motion import human_turns
from .rotation import lerp, slerp


@dataclass(frozen=True)
class Motion:
    """A body's motion at chosen times: pelvis place (T, 3) [m], pelvis orientation (T, 4), joint rotations (T, S-1, 4)."""

    root_position: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray


@dataclass(frozen=True)
class OwnMotion:
    """The motion of a figure's own `body`, in a take's axes: joints (T, S, 3) [m] and orientations (T, S, 4).

    `moved` are the segments that the take's body has too; `scale` is that of the path. `pronation`: side -> turn (T,) [rad] of
    the hand about the forearm, of which the forearm has taken the share `forearm_share`, once it is spread (`pronation.spread`).
    """

    body: Body
    places: np.ndarray
    turns: np.ndarray
    moved: frozenset[str]
    scale: float
    pronation: dict[str, np.ndarray] = field(default_factory=dict)
    forearm_share: dict[str, float] = field(default_factory=dict)

    @property
    def sole_points(self) -> np.ndarray:
        """Lowest points (T, P, 3) [m] of the body's contact spheres."""
        return in_blocks(lambda rows: contact_point_positions(self.body, self.places[rows], self.turns[rows]), len(self.places))

    def part(self, rows: slice) -> OwnMotion:
        """Some of its frames."""
        return replace(self, places=self.places[rows], turns=self.turns[rows],
                       pronation={side: angle[rows] for side, angle in self.pronation.items()})


def resampled(time_s: np.ndarray, motion: Motion, wanted_s: np.ndarray) -> Motion:
    """The motion at `wanted_s`: orientations by slerp, places by straight lines."""
    if len(time_s) < 2:
        raise RigError(f"This take holds {len(time_s)} samples; two are needed to bake a motion.")
    return Motion(lerp(time_s, motion.root_position, wanted_s), slerp(time_s, motion.root_quaternion, wanted_s),
                  slerp(time_s, motion.joint_quaternions, wanted_s))


def fitted_root(root_position: np.ndarray, body: Body, own: Body) -> np.ndarray:
    """Pelvis places (T, 3) [m] for a body of another size: paths scale by leg length, standing height is its own.

    For the body itself this changes nothing.
    """
    scale = own.leg_length_m / body.leg_length_m
    fitted = scale * np.asarray(root_position)
    fitted[..., 2] += own.pelvis_height_m - scale * body.pelvis_height_m
    return fitted


def own_motion(figure: Figure, body: Body, motion: Motion, own: Body | None = None) -> OwnMotion:
    """The motion of `body` carried over to the figure's `own` body, which is made where it is not given; the same motion where
    they are the same body. Raises RigError for a body that is neither a human, a creature nor planar."""
    if body.kind not in (HUMAN, PLANAR) and not isinstance(body, CreatureBody):
        raise RigError(f"This take is of a body of the kind {body.kind}; an armature is keyed by takes of humans, of "
                       "creatures and of planar bodies.")
    own = own or figure.own_body(body.mass_kg)
    frames = len(motion.root_position)
    places, turns = np.empty((frames, len(own.segments), 3)), np.empty((frames, len(own.segments), 4))
    places[:, 0] = fitted_root(motion.root_position, body, own)
    for rows in blocks(frames):
        poses = segment_poses(body, motion.root_position[rows], motion.root_quaternion[rows], motion.joint_quaternions[rows])
        turns[rows] = _planar_turns(own, body, *poses) if body.kind == PLANAR else _turns(own, body, poses[1])
        _follow(own, places[rows], turns[rows])
    moved = frozenset(own.index) if body.kind == PLANAR else frozenset(own.index) & frozenset(body.index)
    return OwnMotion(own, places, turns, moved, own.leg_length_m / body.leg_length_m)


def _turns(own: Body, body: Body, taken: np.ndarray) -> np.ndarray:
    """Orientations (T, S, 4) of the segments of `own`: as those of `body` are `taken`, or else as their parents'."""
    turns = np.empty((len(taken), len(own.segments), 4))
    turns[:, 0] = taken[:, 0]
    for i, segment in enumerate(own.segments[1:], start=1):
        turns[:, i] = taken[:, body.index[segment.name]] if segment.name in body.index else turns[:, own.index[segment.hangs_on]]
    return turns


def _planar_turns(own: Body, body: Body, places: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """The same of a planar body. How high the balls of its feet are is told by its lowest contact point meanwhile."""
    points = contact_point_positions(body, places, taken)[..., 2]
    front = {p.side: i for i, p in enumerate(body.contact_points) if p.kind == "ball"}
    return human_turns(own, body, taken, {side: points[:, i] - points.min(axis=1) for side, i in front.items()})


def _follow(own: Body, places: np.ndarray, turns: np.ndarray) -> None:
    """Place the joints of `own` after its pelvis, its segments being turned."""
    for i, segment in enumerate(own.segments[1:], start=1):
        parent = own.index[segment.hangs_on]
        offset = np.broadcast_to(segment.offset, (len(turns), 3))
        places[:, i] = places[:, parent] + quat_rotate(turns[:, parent], offset)
