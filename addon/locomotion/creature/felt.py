# SPDX-License-Identifier: GPL-3.0-or-later
"""What the law feels of N walkers of one body: arrays as MuJoCo has them, of one state or of a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...bodies.body import COORDINATES, FREEDOM, Body
from ...bodies.state import BodyState
from ...errors import BodyError
from ...maths.rotations import cross, length

SIDES = ("L", "R")


class Layout:
    """Rows of segments in the body's order, columns of joints among torques (velocities behind the root), left leg first. `legs`
    (2, K) are the rows of the segments of each leg from the thigh to the foot, `hip` (2, 3) the columns of the hips, `hinge` (2,
    K - 2) those of the joints between thigh and foot and `hinge_at` their places in the coordinates, `foot` (2, F) the columns of
    the feet. `others` (B,) are the rows of the segments of ball joints in no leg, `other_parent` (B,) those that they hang on,
    `other` (B, 3) their columns; `bend`, `bend_at` the same of hinges in no leg. `mass_kg` (S,), `subtree_kg` (S,). `sole_m` (2,
    P, 3) and `sole_radius_m` (2, P) are the feet's contact spheres in their frames. Raises BodyError for a body without two legs
    of a ball and one or more hinges each, built alike."""

    def __init__(self, body: Body) -> None:
        self.body = body
        feet = sorted(body.feet, key=lambda foot: foot.side)
        if [foot.side for foot in feet] != list(SIDES):
            raise BodyError(f"A creature walks on one left and one right leg; this body's feet are of the sides "
                            f"{', '.join(foot.side or 'none' for foot in feet) or 'none'}.")
        if len(feet[0].leg) != len(feet[1].leg) or len(feet[0].leg) < 3:
            raise BodyError("A creature's legs have the same number of segments each, a thigh, one more or several, and a foot; "
                            f"these have {len(feet[0].leg)} and {len(feet[1].leg)}.")
        root = body.root_freedom
        column, at, columns, places = 0, body.root_coordinates, {}, {}
        for segment in body.segments[1:]:
            columns[segment.name] = list(range(column, column + FREEDOM[segment.joint]))
            places[segment.name] = at
            column, at = column + FREEDOM[segment.joint], at + COORDINATES[segment.joint]
        self.torques = body.degrees_of_freedom - root
        index, in_leg = body.index, {name for foot in feet for name in foot.leg}
        self.legs = np.array([[index[name] for name in foot.leg] for foot in feet])
        self.trunk = index[body.role("trunk")]
        self._check_joints(feet[0].leg)
        self.hip = np.array([columns[foot.leg[0]] for foot in feet])
        self.hinge = np.array([[columns[name][0] for name in foot.leg[1:-1]] for foot in feet])
        self.hinge_at = np.array([[places[name] for name in foot.leg[1:-1]] for foot in feet])
        self.foot = np.array([columns[foot.leg[-1]] for foot in feet])
        rest = [s for s in body.segments[1:] if s.name not in in_leg]
        balls, hinges = [s for s in rest if s.joint == "ball"], [s for s in rest if s.joint == "hinge"]
        self.others = np.array([index[s.name] for s in balls], dtype=int)
        self.other_parent = np.array([index[s.hangs_on] for s in balls], dtype=int)
        self.other = np.array([columns[s.name] for s in balls], dtype=int).reshape(len(balls), 3)
        self.bends = np.array([index[s.name] for s in hinges], dtype=int)
        self.bend = np.array([columns[s.name][0] for s in hinges], dtype=int)
        self.bend_at = np.array([places[s.name] for s in hinges], dtype=int)
        self.bend_axis = np.array([s.axis for s in hinges], dtype=float).reshape(len(hinges), 3)
        self.hinge_axis = np.array([[body.segment(name).axis for name in foot.leg[1:-1]] for foot in feet], dtype=float)
        self.of_foot = np.zeros((2, len(body.contact_points)))
        for row, foot in enumerate(feet):
            self.of_foot[row, list(foot.points)] = 1.0
        points = [[body.contact_points[i] for i in foot.points] for foot in feet]
        self.sole_m = np.array([[p.position for p in own] for own in points])
        self.sole_radius_m = np.array([[p.radius_m for p in own] for own in points])
        self.mass_kg = np.array([s.mass_kg for s in body.segments])
        self.subtree_kg = self.mass_kg.copy()
        for segment in reversed(body.segments[1:]):
            self.subtree_kg[index[segment.hangs_on]] += self.subtree_kg[index[segment.name]]

    def _check_joints(self, leg: tuple[str, ...]) -> None:
        joints = [self.body.segment(name).joint for name in leg]
        if joints[0] != "ball" or set(joints[1:-1]) != {"hinge"}:
            raise BodyError("A creature's hip is a ball and its leg bends at hinges; the joints of this leg are "
                            f"{', '.join(f'{name}: {joint}' for name, joint in zip(leg, joints, strict=True))}.")


FIELDS = ("qpos", "qvel", "xpos", "xmat", "xipos", "subtree_com", "cvel")
"""What is read of `MjData`; of a batch these are to be bound, with `sensordata`."""


@dataclass(frozen=True)
class Felt:
    """N walkers at one instant, world axes; S segments in the body's order. `qpos` (N, nq), `qvel` (N, nv); `place` (N, S, 3) of
    the segments' joints [m], `turn` (N, S, 3, 3), `below` (N, S, 3) the centres of mass of each segment with all that hangs on
    it; `com`, `com_velocity` (N, 3); `spin` (N, S, 3) the segments' angular velocities [rad/s]; `load` (N, 2) what each foot
    carries [N]."""

    qpos: np.ndarray
    qvel: np.ndarray
    place: np.ndarray
    turn: np.ndarray
    below: np.ndarray
    com: np.ndarray
    com_velocity: np.ndarray
    spin: np.ndarray
    load: np.ndarray


class Senses:
    """Reads `Felt` of one body in a model made by `build_model`."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._count = len(layout.mass_kg)
        self._share = layout.mass_kg / layout.mass_kg.sum()

    def read(self, array: Callable[[str], np.ndarray], contact_force_n: np.ndarray) -> Felt:
        """`array(name)` is a field of MjData (N, ...); `contact_force_n` (N, P, 3) [N] the ground's force on the points."""
        own, layout = slice(1, 1 + self._count), self.layout
        turn = array("xmat")[:, own]
        below, motion = array("subtree_com")[:, own], array("cvel")[:, own]
        com, spin = below[:, 0], motion[..., :3]
        arm = array("xipos")[:, own] - com[:, None]
        velocity = motion[..., 3:] + cross(spin, arm)
        return Felt(array("qpos"), array("qvel"), array("xpos")[:, own], turn.reshape(len(turn), self._count, 3, 3), below, com,
                    np.einsum("s,nsi->ni", self._share, velocity), spin,
                    contact_force_n[..., 2] @ layout.of_foot.T)

    def moved(self, felt: Felt, array: Callable[[str], np.ndarray]) -> Felt:
        """What was felt, with joints and segments where they have come to: all that muscles feel between two ticks."""
        own = slice(1, 1 + self._count)
        return replace(felt, qpos=array("qpos"), qvel=array("qvel"), place=array("xpos")[:, own],
                       turn=array("xmat")[:, own].reshape(felt.turn.shape))


def felt_of(senses: Senses, state: BodyState, contact_force_n: np.ndarray) -> Felt:
    """One walker (N = 1) in a state that is up to date; its force (P, 3) [N]."""
    data = state.data
    return senses.read(lambda name: getattr(data, name)[None], contact_force_n[None])


_AFTER, _BEFORE = np.array([7, 2, 3]), np.array([5, 6, 1])
"""Of a matrix laid in a row: what is below the diagonal, and what mirrors it."""


def off(wanted: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The least turn (..., 3) from `turn` to `wanted` (..., 3, 3), world axes: the sine of its angle along its axis."""
    between = wanted @ turn.swapaxes(-1, -2)
    between = between.reshape(*between.shape[:-2], 9)
    return 0.5 * (between.take(_AFTER, -1) - between.take(_BEFORE, -1))


class Seen(NamedTuple):
    """N walkers, the left leg first. `turn` (N, 3, 3) leads from the world to the frame of the heading, `back` from there to the
    world. `joints` (N, 2, K, 3) and `frames` (N, 2, K, 3, 3) are those of the legs' segments in the world. `feet` and `hips`
    (N, 2, 3) are the feet's joints and the hips from the centre of mass, `ways` (N, 2, 3) lead from hip to foot, `reach` (N, 2)
    is how far; `velocity` (N, 3) is the centre of mass's; `share` (N, 2) of the weight is what the feet carry, `soles` (N, 2)
    how high the lowest places of the feet are, from the centre of mass."""

    turn: np.ndarray
    back: np.ndarray
    joints: np.ndarray
    frames: np.ndarray
    feet: np.ndarray
    hips: np.ndarray
    ways: np.ndarray
    reach: np.ndarray
    velocity: np.ndarray
    share: np.ndarray
    soles: np.ndarray


def see(felt: Felt, layout: Layout, heading: np.ndarray, weight_n: float) -> Seen:
    """At headings (N,) [rad]."""
    turn = np.zeros((len(heading), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = np.cos(heading)
    turn[:, 0, 1] = np.sin(heading)
    turn[:, 1, 0], turn[:, 2, 2] = -turn[:, 0, 1], 1.0
    back = turn.swapaxes(-1, -2)
    joints, frames, com = felt.place.take(layout.legs, 1), felt.turn.take(layout.legs, 1), felt.com[:, None]
    feet, hips = (joints[:, :, -1] - com) @ back, (joints[:, :, 0] - com) @ back
    balls = np.add.reduce(frames[:, :, -1, None, 2] * layout.sole_m, axis=-1) - layout.sole_radius_m
    ways = feet - hips
    return Seen(turn, back, joints, frames, feet, hips, ways, length(ways), (turn @ felt.com_velocity[..., None])[..., 0],
                felt.load / weight_n, feet[..., 2] + balls.min(axis=-1))
