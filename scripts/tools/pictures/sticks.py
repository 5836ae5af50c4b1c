# SPDX-License-Identifier: GPL-3.0-or-later
"""Stick figures seen from their right side: moments of a stride beside one another, on one ground line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.maths.quaternions import quat_rotate
from lope.addon.motions.channels import pose
from lope.addon.motions.cycle import Cycle
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.take import Take

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
