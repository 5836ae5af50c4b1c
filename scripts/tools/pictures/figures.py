# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures as sticks and capsules, and strips of them: what the pictures of motions are drawn with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.capsules import body_capsules
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.files import written_whole
from lope.addon.maths.rotations import quat_rotate
from lope.addon.motions.cycle import Cycle, pose
from lope.addon.motions.pressure.synthesis import Synthesis
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.sim.take import Take

LEFT_COLOUR, RIGHT_COLOUR, TRUNK_COLOUR = "#c1440e", "#2166ac", "#333333"
APART_M = 0.85
"""Distance from figure to figure; the real one would let slow gaits overlap and fast ones leave the page."""
SETTLED_STRIDES = 3
"""Strides left out at a take's start."""


class Moment(NamedTuple):
    """One figure: joints (S, 3) [m], orientations (S, 4), and what stands over it."""

    positions: np.ndarray
    orientations: np.ndarray
    caption: str


def of_take(take: Take, count: int, strides: float = 1.0, start_s: float | None = None) -> list[Moment]:
    """Moments of a take at even times over some strides, from a left strike when it has settled or from a time on."""
    period = 1.0 / take.stats["planned_stride_frequency_hz"]
    if start_s is None:
        strikes = strikes_s(take, LEFT)
        start_s = float(strikes[min(SETTLED_STRIDES, len(strikes) - 2)])
    times = start_s + strides * period * np.arange(count) / (count - 1)
    rows = np.searchsorted(take.time_s, times).clip(max=len(take.time_s) - 1)
    positions, orientations = take.segment_poses
    return [Moment(positions[i], orientations[i], f"{time - start_s:.2f} s") for i, time in zip(rows, times, strict=True)]


def of_cycle(cycle: Cycle, body: Body, count: int) -> list[Moment]:
    """Moments of a cycle at even phases, on a body."""
    phases = np.linspace(0.0, 1.0, count)
    positions, orientations = segment_poses(body, *pose(cycle.evaluate(phases), body))
    low = contact_point_positions(body, positions, orientations)[..., 2].min()
    positions = positions - (0.0, 0.0, low)
    return [Moment(positions[i], orientations[i], f"{phase / cycle.stride_frequency_hz:.2f} s")
            for i, phase in enumerate(phases)]


def draw_row(axis, body: Body, moments: Sequence[Moment], label: str) -> None:
    """One row of figures, each over its own place on a ground line, with what is said about the row to its left."""
    axis.axhline(0.0, color="0.6", linewidth=1.0)
    for k, moment in enumerate(moments):
        draw_figure(axis, body, moment, k * APART_M)
        axis.text(k * APART_M, -0.08, moment.caption, ha="center", va="top", fontsize=8, color="0.35")
    axis.text(-0.75 * APART_M, 1.0, label, ha="right", va="center", fontsize=10)
    axis.set(aspect="equal", xlim=(-2.6 * APART_M, (len(moments) - 0.1) * APART_M), ylim=(-0.28, 1.95))
    axis.set_axis_off()


def draw_figure(axis, body: Body, moment: Moment, place_m: float) -> None:
    """One figure with its hips over a place; the left side behind, the right side in front."""
    shift = place_m - moment.positions[body.index["pelvis"], 0]
    tips = moment.positions + quat_rotate(moment.orientations, np.array([s.tip for s in body.segments]))
    points = contact_point_positions(body, moment.positions[None], moment.orientations[None])[0]
    for side, colour, order in (("_L", LEFT_COLOUR, 1), ("", TRUNK_COLOUR, 2), ("_R", RIGHT_COLOUR, 3)):
        for i, segment in enumerate(body.segments):
            own = segment.name[-2:] if segment.name.endswith(("_L", "_R")) else ""
            if own != side or segment.name.startswith(("toes", "foot", "head", "clavicle")):
                continue
            _line(axis, [moment.positions[i], tips[i]], shift, colour, order, 3.4 if not side else 2.6)
        if side:
            _line(axis, _sole(body, moment, points, side), shift, colour, order, 2.2)
    head = 0.5 * (moment.positions[body.index["head"]] + tips[body.index["head"]])
    size = np.linalg.norm(tips[body.index["head"]] - moment.positions[body.index["head"]])
    axis.add_patch(_circle(head[0] + shift, head[2], 0.62 * size))


def _sole(body: Body, moment: Moment, points: np.ndarray, side: str) -> list[np.ndarray]:
    """Ankle, heel, ball, tip of the toes, and back to the ankle."""
    ankle = moment.positions[body.index[f"foot{side}"]]
    rows = {kind: [i for i, p in enumerate(body.contact_points) if p.side == side[-1] and p.kind == kind]
            for kind in ("heel", "ball", "toe")}
    heel, ball, toe = (points[some].mean(axis=0) if some else None for some in rows.values())
    return [ankle, heel, ball, *([] if toe is None else [toe, ball]), ankle]


def _line(axis, places: Sequence[np.ndarray], shift: float, colour: str, order: int, width: float) -> None:
    x, z = np.array(places)[:, 0] + shift, np.array(places)[:, 2]
    axis.plot(x, z, color=colour, linewidth=width, solid_capstyle="round", solid_joinstyle="round", zorder=order)


def _circle(x: float, z: float, radius: float):
    from matplotlib.patches import Circle

    return Circle((x, z), radius, facecolor="white", edgecolor=TRUNK_COLOUR, linewidth=2.4, zorder=4)


GREY = "#777777"
LYING_APART_M = 1.75
"""Distance from figure to figure: that of someone who lies."""


def capsule_ends(take: Take) -> list[tuple[str, float, np.ndarray, np.ndarray]]:
    """Segment, radius [m] and world ends (T, 3) [m] of every capsule of a take's body."""
    places, turns = take.segment_poses
    out = []
    for shape in body_capsules(take.body):
        i = take.body.index[shape.segment]
        start, end = (places[:, i] + quat_rotate(turns[:, i], point) for point in (shape.start, shape.end))
        out.append((shape.segment, shape.radius_m, start, end))
    return out


def draw_lying(axis, take: Take, rows: Sequence[int], across: int, zero_s: float) -> None:
    """Samples of a take beside one another on a level ground: seen along y (`across` 0, +x to the right) or along x (1)."""
    ends = capsule_ends(take)
    axis.axhline(0.0, color="0.6", linewidth=1.0)
    for k, row in enumerate(rows):
        shift = k * LYING_APART_M - take.root_position_m[row, across]
        depth = 1 - across
        nearness = [(1.0 if depth == 0 else -1.0) * (start[row, depth] + end[row, depth]) for _, _, start, end in ends]
        for i in np.argsort(nearness, kind="stable"):
            segment, radius, start, end = ends[i]
            _capsule(axis, start[row, [across, 2]] + (shift, 0.0), end[row, [across, 2]] + (shift, 0.0), radius, _colour(segment))
        axis.text(k * LYING_APART_M, -0.1, f"{take.time_s[row] - zero_s:+.2f}", ha="center", va="top", fontsize=8, color="0.35")
    axis.set(aspect="equal", xlim=(-1.1, (len(rows) - 0.35) * LYING_APART_M), ylim=(-0.3, 1.9))
    axis.set_axis_off()


def _colour(segment: str) -> str:
    return LEFT_COLOUR if segment.endswith("_L") else RIGHT_COLOUR if segment.endswith("_R") else GREY


def _capsule(axis, start: np.ndarray, end: np.ndarray, radius: float, colour: str) -> None:
    """The outline of a capsule, filled."""
    from matplotlib.patches import Polygon

    along = end - start
    angle = np.arctan2(along[1], along[0]) if along.any() else 0.0
    half = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 12)
    caps = [end + radius * np.column_stack([np.cos(angle + half), np.sin(angle + half)]),
            start + radius * np.column_stack([np.cos(angle + half + np.pi), np.sin(angle + half + np.pi)])]
    axis.add_patch(Polygon(np.concatenate(caps), facecolor=colour, edgecolor="black", linewidth=0.4))


STEP_MOMENTS = 7
STEP_APART_M = 1.5
COLOURS = {"L": "#c1440e", "R": "#2166ac", "": "#333333"}
VIEWS = (("side", 0, 2), ("front", 1, 2), ("above", 1, 0))
"""Each view's axes: across and up."""


def draw_strip(path: Path, body: Body, motion: Synthesis, user_m: np.ndarray, swing: np.ndarray, foot: int,
               stance: np.ndarray) -> None:
    """Write a PNG of a step with a `foot` that swings over some poses, and stands in the user from pose to pose (`stance`);
    `user_m` (T, 2, 2) is where the user's feet are: crosses tell the stance at the end."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    last = len(motion.planted) - 1
    begin, end = (int(swing[0]), int(swing[-1])) if len(swing) else (max(int(stance[0]) - 20, 0), int(stance[0]))
    rows = [max(begin - 6, 0), *np.linspace(begin, end, STEP_MOMENTS - 2).round().astype(int),
            min((end + int(stance[1])) // 2, last)]
    positions, orientations = segment_poses(body, motion.figure.root[rows], motion.figure.turn[rows], motion.figure.joints[rows])
    points = contact_point_positions(body, positions, orientations)
    there = user_m[min(int(len(user_m) * rows[-1] / (last + 1)), len(user_m) - 1)]
    there = there if motion.mat_m is None else there + motion.mat_m
    middle = motion.figure.root[begin]
    figure, axes = pyplot.subplots(3, 1, figsize=(14, 13))
    for axis, (name, across, up) in zip(axes, VIEWS, strict=True):
        sign = -1.0 if across == 1 else 1.0  # left is left, seen from behind and from above
        for k, row in enumerate(rows):
            place = k * STEP_APART_M
            _figure(axis, body, sign * (positions[k, :, across] - middle[across]) + place, positions[k, :, up] - (
                middle[up] if up < 2 else 0.0), sign * quat_rotate(orientations[k], _tips(body))[:, across],
                    quat_rotate(orientations[k], _tips(body))[:, up])
            for f, of in enumerate(body.feet):
                at = points[k, list(of.points)]
                colour = COLOURS[of.side] if motion.planted[row, f].any() else "0.7"
                axis.plot(sign * (at[:, across] - middle[across]) + place, at[:, up] - (middle[up] if up < 2 else 0.0), ".",
                          color=colour, markersize=3)
                if up < 2:
                    axis.plot(sign * (there[f, 1] - middle[1]) + place, there[f, 0] - middle[0], "x", color=COLOURS[of.side])
            axis.text(place, 1.85 if up == 2 else 0.9, f"{(row - begin) / 60:.2f} s", ha="center", fontsize=8)
        if up == 2:
            axis.axhline(0.0, color="0.6", linewidth=1.0)
        axis.set(aspect="equal", ylabel=name, ylim=(-0.1, 2.0) if up == 2 else (-1.2, 1.1),
                 xlim=(-STEP_APART_M, STEP_APART_M * len(rows)))
        axis.set_xticks([])
    figure.suptitle(f"{path.stem}: the {'left' if foot == 0 else 'right'} foot steps")
    figure.tight_layout()
    with written_whole(path, "picture") as partial:
        figure.savefig(partial, dpi=60)
    pyplot.close(figure)


def _tips(body: Body) -> np.ndarray:
    return np.array([segment.tip for segment in body.segments])


def _figure(axis, body: Body, x: np.ndarray, y: np.ndarray, tip_x: np.ndarray, tip_y: np.ndarray) -> None:
    for i, segment in enumerate(body.segments):
        side = segment.name[-1] if segment.name.endswith(("_L", "_R")) else ""
        axis.plot([x[i], x[i] + tip_x[i]], [y[i], y[i] + tip_y[i]], color=COLOURS[side], linewidth=2.0)
