# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles whose routing is free within ranges, for N bodies at once, each with a routing of its own: lengths, rates, moment arms.
An engine's model has one place for every site, so many walkers of one model cannot have their own there. Here paths are followed
in numpy, from where segments are: a muscle is a polyline through points that ride on segments (Geijtenbeek 2013, section 3.3, eq.
8 and 9), and only spans between two segments can change their length or turn a joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..body import FREEDOM, Body

LETTERS = "xyz"
"""Of a point's free ways, in the names of its parameters."""
SHORTEST_M = 1e-6
"""Of a span, where two points meet."""


@dataclass(frozen=True)
class FreePoint:
    """Where a path passes `segment`: at `centre` (3,) [m] in its frame, or as far as (3,) [m] along each of `ways`."""

    segment: str
    centre: np.ndarray
    ways: tuple[np.ndarray, ...] = ()


@dataclass(frozen=True)
class FreeMuscle:
    """A muscle with free routing. Those of one `kind` (both sides, a neck's along it) share their parameters. `torque_nm` is what
    it makes at its greatest force, at rest, in its `reference` pose: joints turned from the neutral pose by angles [rad] about
    their axes (of a ball leftward), in which its fibres have their optimal length. `delay_s` is that of what it is told, `joints`
    are the segments whose joints it spans, `extends` of those the ones that it stretches, `hip` whether it moves a leg against
    the trunk, `ahead` whether it lies ahead of the joint nearest to the root."""

    name: str
    kind: str
    side: str
    points: tuple[FreePoint, ...]
    torque_nm: float
    reference: Mapping[str, float]
    delay_s: float
    joints: tuple[str, ...]
    extends: tuple[str, ...] = ()
    hip: bool = False
    ahead: bool = False


def routing_names(muscles: Sequence[FreeMuscle]) -> tuple[str, ...]:
    """Names of the free routing's parameters: kind, point, way."""
    return tuple(dict.fromkeys(f"{muscle.kind}_{i}{LETTERS[w]}" for muscle in muscles for i, point in enumerate(muscle.points)
                               for w in range(len(point.ways))))


class FreePaths:
    """The paths of M muscles on N bodies of nv degrees of freedom, r of them the root's. `routing` (N, R) are shares from 0 to 1
    of each way's range, in the order of `routing_names`, 0.5 the middle. After `update`: `length_m` (N, M) and the moment arms
    `arms_m` (N, K) [m] of the K pairs of a muscle and a coordinate that it turns, which are `muscle` (K,) and `column` (K,),
    counted behind the root: R = -dL/dq, a muscle's force F gives R F."""

    def __init__(self, body: Body, muscles: Sequence[FreeMuscle], routing: np.ndarray) -> None:
        self.body, self.muscles, self.n = body, tuple(muscles), len(routing)
        self.columns = columns_of(body)
        self.count, self.freedom = len(self.muscles), body.degrees_of_freedom - body.root_freedom
        self._place(np.asarray(routing, dtype=float))
        self._cross()
        self.length_m, self.arms_m = np.zeros((self.n, self.count)), np.zeros((self.n, len(self.muscle)))

    def _place(self, routing: np.ndarray) -> None:
        """Points in their segments, and the lengths of the spans that never change."""
        index = {name: i for i, name in enumerate(routing_names(self.muscles))}
        if routing.shape != (self.n, len(index)):
            raise ValueError(f"The routing is {routing.shape}, and not {(self.n, len(index))}.")
        ways = 2.0 * routing - 1.0
        points: list[tuple[int, np.ndarray]] = []
        spans: list[tuple[int, int, int]] = []
        still = np.zeros((self.n, self.count))
        for m, muscle in enumerate(self.muscles):
            places = []
            for i, point in enumerate(muscle.points):
                place = np.broadcast_to(point.centre, (self.n, 3)).copy()
                for w, way in enumerate(point.ways):
                    place += ways[:, index[f"{muscle.kind}_{i}{LETTERS[w]}"], None] * way
                places.append(place)
            for (a, one), (b, other) in zip(zip(muscle.points, places, strict=True),
                                            list(zip(muscle.points, places, strict=True))[1:], strict=False):
                if a.segment == b.segment:
                    still[:, m] += np.linalg.norm(other - one, axis=1)
                    continue
                spans.append((m, len(points), len(points) + 1))
                points += [(self.body.index[a.segment], one), (self.body.index[b.segment], other)]
        self._still_m = still
        self._segment = np.array([row for row, _ in points])
        self._local = np.moveaxis(np.array([place for _, place in points]), (0, 1, 2), (2, 1, 0)).copy()  # (3, N, P)
        self._spans = spans
        self._starts, self._ends = np.array([[a, b] for _, a, b in spans]).T
        self._sum_spans = np.zeros((len(spans), self.count))
        self._sum_spans[np.arange(len(spans)), [m for m, _, _ in spans]] = 1.0

    def _cross(self) -> None:
        """Which joints each span crosses, and which coordinates they have."""
        body = self.body
        ways = {segment.name: body.way_to(segment.name) for segment in body.segments}
        crossings: list[tuple[int, int, float]] = []
        pairs: list[tuple[int, int, int]] = []
        for c, (m, a, b) in enumerate(self._spans):
            one, other = (ways[body.segments[self._segment[row]].name] for row in (a, b))
            for name in (*one, *other):
                if (name in one) != (name in other):
                    pairs += [(m, column, len(crossings)) for column in self.columns[name]]
                    crossings.append((c, body.index[name], 1.0 if name in one else -1.0))
        self.muscle, self.column, crossing = (np.array(one) for one in zip(*pairs, strict=True))
        span, joint, sign = (np.array(one) for one in zip(*crossings, strict=True))
        self._crossing, self._span, self._joint, self._sign = crossing, span, joint, sign
        self.joint = joint[crossing]
        # world axes of all coordinates, as one product with the segments' matrices
        self._axes = np.zeros((3, len(body.segments), self.freedom))
        for segment in body.segments[1:]:
            axes = np.eye(3) if segment.joint == "ball" else np.asarray(segment.axis, dtype=float)[None]
            for column, axis in zip(self.columns[segment.name], axes, strict=True):
                self._axes[:, body.index[segment.name], column] = axis
        self._axes = self._axes.reshape(-1, self.freedom)
        self.of_muscle = np.zeros((len(self.muscle), self.count))
        self.of_muscle[np.arange(len(self.muscle)), self.muscle] = 1.0
        self.of_column = np.zeros((len(self.muscle), self.freedom))
        self.of_column[np.arange(len(self.muscle)), self.column] = 1.0

    def update(self, position: np.ndarray, matrix: np.ndarray) -> None:
        """Take over joint centres (N, S, 3) [m] and orientations (N, S, 3, 3) of all segments."""
        place = np.ascontiguousarray(position.transpose(2, 0, 1))  # (3, N, S)
        turn = np.ascontiguousarray(matrix.transpose(2, 3, 0, 1))  # (3, 3, N, S)
        at_points = place.take(self._segment, axis=2)
        of_points = turn.take(self._segment, axis=3)
        for k in range(3):
            at_points += of_points[:, k] * self._local[k]
        start = at_points.take(self._starts, axis=2)
        way = at_points.take(self._ends, axis=2) - start
        length = np.sqrt((way * way).sum(axis=0))
        self.length_m = self._still_m + length @ self._sum_spans
        way *= 1.0 / np.maximum(length, SHORTEST_M)
        way, off = way.take(self._span, axis=2), start.take(self._span, axis=2) - place.take(self._joint, axis=2)
        way *= self._sign
        moment = np.empty_like(off)
        for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
            np.subtract(off[i] * way[j], off[j] * way[i], out=moment[k])
        n = position.shape[0]
        axes = turn.transpose(0, 2, 1, 3).reshape(3 * n, -1) @ self._axes  # world axes (3 N, nv - r)
        axes = axes.reshape(3, n, -1)
        self.arms_m = (moment.take(self._crossing, axis=2) * axes.take(self.column, axis=2)).sum(axis=0)

    def rate_m_s(self, rates: np.ndarray) -> np.ndarray:
        """How fast paths lengthen (N, M) [m/s] at the joints' rates (N, nv - r)."""
        return -(self.arms_m * rates.take(self.column, axis=1)) @ self.of_muscle

    def torque_nm(self, force_n: np.ndarray) -> np.ndarray:
        """The joints' torque (N, nv - r) [N m] of forces (N, M)."""
        return (self.arms_m * force_n.take(self.muscle, axis=1)) @ self.of_column

    def damping_nms(self, drag_n_s_m: np.ndarray) -> np.ndarray:
        """How much each joint's torque falls with its rate (N, nv - r), of muscles that pull so much more for faster paths."""
        return (self.arms_m**2 * drag_n_s_m.take(self.muscle, axis=1)) @ self.of_column


def columns_of(body: Body) -> dict[str, list[int]]:
    """The coordinates of each joint, by the segment below it, counted behind the root."""
    found: dict[str, list[int]] = {}
    at = 0
    for segment in body.segments[1:]:
        found[segment.name] = list(range(at, at + FREEDOM[segment.joint]))
        at += FREEDOM[segment.joint]
    return found


def posed(body: Body, angles: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Joint centres (1, S, 3) [m] and orientations (1, S, 3, 3) of the neutral pose with some joints turned: hinges about their
    axes, balls about the leftward axis [rad]."""
    position, matrix = np.zeros((len(body.segments), 3)), np.tile(np.eye(3), (len(body.segments), 1, 1))
    for i, segment in enumerate(body.segments[1:], start=1):
        above = body.index[segment.hangs_on]
        position[i] = position[above] + matrix[above] @ segment.offset
        axis = np.array([0.0, 1.0, 0.0]) if segment.axis is None else np.asarray(segment.axis, dtype=float)
        matrix[i] = matrix[above] @ _about(axis, angles.get(segment.name, 0.0))
    return position[None], matrix[None]


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
