# SPDX-License-Identifier: GPL-3.0-or-later
"""What a muscled creature is searched for: the measures of Geijtenbeek 2013 (table 2, eq. 32 to 37), each of which counts only
beyond its threshold, and beside them how the gait looks, as the quick law's search has it.

The paper's figures are in m/s and W/kg, of legs of 0.8 m on Earth; here they go with leg and gravity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..creature.felt import Felt
from ..creature.layout import Layout
from ..creature.looks import Look, Looker
from ..creature.objective import Judge, Wish
from ..creature.timing import straight_leg_m, time_unit_s

PAPER_LEG_M = 0.8
PAPER_SPEED_M_S = math.sqrt(EARTH_GRAVITY_M_S2 * PAPER_LEG_M)
"""sqrt(g L) of the paper's human."""
LANDED = 0.1
"""A foot that carries this share of the weight is on the ground."""
SOONEST = 0.5
"""Sooner after a landing [sqrt(L / g)] no other one counts: a foot that bounces, or both that land together."""


@dataclass(frozen=True)
class Measure:
    """Weight and threshold, below which it costs nothing; both in units of leg and gravity."""

    weight: float
    threshold: float


MEASURES: Mapping[str, Measure] = {
    "speed": Measure(100.0, 0.1),
    "head_turn": Measure(10.0, 0.2),
    "head_speed": Measure(10.0 * PAPER_SPEED_M_S, 0.3 / PAPER_SPEED_M_S),
    "slide": Measure(10.0 * PAPER_SPEED_M_S, 0.2 / PAPER_SPEED_M_S),
    "effort": Measure(0.1 * EARTH_GRAVITY_M_S2 * PAPER_SPEED_M_S, 0.0),
}
"""Table 2: the share by which the speed of the feet's middle is off, from landing to landing; the angle of the head off the way
that it shall look [rad]; how fast it goes against the speed wished for; how fast feet on the ground slide; metabolic rate over
m g sqrt(g L)."""
LOOKS = ("peak", "crouch", "width", "clearance", "cross", "unlike", "gait", "pose")
"""Parts of the quick law's cost that are ours and not the paper's."""


class MuscleJudge:
    """Sums up one run of N walkers, look by look; then `parts`, `means`, `passes`, `figures`. Judging begins at `settled_t`, the
    trial ends at `end_t` [sqrt(L / g)]."""

    def __init__(self, wish: Wish, layout: Layout, body: Body, gravity_m_s2: float, n: int, settled_t: float,
                 end_t: float) -> None:
        self.wish, self._n, self._settled, self._whole = wish, n, settled_t, end_t - settled_t
        self.looks = Judge(wish, layout, body, gravity_m_s2, n, settled_t)
        self._looker = Looker(layout, body, gravity_m_s2)
        leg = straight_leg_m(body)
        self._rate_w = body.mass_kg * gravity_m_s2 * leg / time_unit_s(leg, gravity_m_s2)
        self._head = body.index[body.roles.get("head", body.role("trunk"))]
        self._sums = {name: np.zeros(n) for name in MEASURES}
        self._time, self._slid_time = np.zeros(n), np.zeros(n)
        self._base, self._base_at, self._base_speed = np.zeros((n, 2)), np.zeros(n), np.full(n, np.nan)
        self._down = np.ones((n, 2), dtype=bool)
        self._last: Look | None = None

    def watch(self, felt: Felt, torque: np.ndarray, metabolic_w: np.ndarray, time_s: float, alive: np.ndarray) -> None:
        """See N walkers at one tick: moved by torques (N, nv - 6) [N m], their muscles at rates (N,) [W]."""
        self.looks.watch(felt, torque, time_s, alive)
        look = self._looker.look(felt, torque, time_s)
        last, self._last = self._last, look
        if last is None:
            return
        self._feet(look)
        if look.time < self._settled:
            return
        between = look.time - last.time
        passed = alive * between
        self._time += passed
        heading = self.wish.turn * look.time
        head = (look.head - last.head) / between
        wanted = self.wish.speed * np.array([math.cos(heading), math.sin(heading), 0.0])
        speed = np.where(np.isfinite(self._base_speed), np.abs(1.0 - self._base_speed / max(self.wish.speed, 0.05)), 1.0)
        now = {"speed": np.minimum(speed, 1.0), "head_turn": _off_way(felt.turn[:, self._head], heading),
               "head_speed": np.linalg.norm(head - wanted, axis=1), "effort": metabolic_w / self._rate_w}
        for name, value in now.items():
            self._sums[name] += passed * np.where(np.isfinite(value), value, 1.0)
        moved = np.linalg.norm((look.points - last.points)[..., :2], axis=2) / between
        for foot, rows in enumerate(self._looker.points_of):
            on = passed * (look.load[:, foot] > LANDED)
            self._sums["slide"] += on * np.where(np.isfinite(moved), moved, 1.0)[:, rows].min(axis=1)
            self._slid_time += on

    def _feet(self, look: Look) -> None:
        """The speed of the feet's middle along the way, from landing to landing."""
        down = look.load > LANDED
        landed = (down & ~self._down).any(axis=1) & (look.time - self._base_at > SOONEST)
        self._down = down
        if not landed.any():
            return
        middle = np.stack([look.points[:, rows, :2].mean(axis=1) for rows in self._looker.points_of], axis=1).mean(axis=1)
        heading = self.wish.turn * look.time
        way = (middle - self._base) @ np.array([math.cos(heading), math.sin(heading)])
        speed = way / np.maximum(look.time - self._base_at, 1e-6)
        self._base_speed = np.where(landed, speed, self._base_speed)
        self._base = np.where(landed[:, None], middle, self._base)
        self._base_at = np.where(landed, look.time, self._base_at)

    def means(self) -> dict[str, np.ndarray]:
        """The paper's measures (N,), means over the time that was judged: of a walker that was stopped early the speed is off by
        all for the rest, and the others are nothing."""
        found = {name: total / self._whole for name, total in self._sums.items()}
        found["speed"] = found["speed"] + np.maximum(1.0 - self._time / self._whole, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found["slide"] = np.where(self._slid_time > 0.0, self._sums["slide"] / self._slid_time, 0.0)
        return found

    def passes(self) -> np.ndarray:
        """Who (N,) passes all thresholds but the effort's, which is none."""
        means = self.means()
        return np.all([means[name] <= one.threshold for name, one in MEASURES.items() if one.threshold > 0.0], axis=0)

    def parts(self, stood: np.ndarray) -> dict[str, np.ndarray]:
        """The cost (N,) of each part, of walkers that stood for these shares (N,) of their trial."""
        means = self.means()
        found = {"fall": 100.0 * (1.0 - stood)} | {
            name: one.weight * np.where(means[name] > one.threshold, means[name], 0.0) for name, one in MEASURES.items()}
        looks = self.looks.parts(stood)
        return found | {name: looks[name] for name in LOOKS if name in looks}

    def figures(self) -> dict[str, np.ndarray]:
        """What is told of each walker (N,), as of the quick law's; the paper's measures beside them: `speed_off`, and `metabolic`
        over m g sqrt(g L)."""
        names = {"speed": "speed_off", "effort": "metabolic"}
        return {**self.looks.figures(), **{names.get(name, name): value for name, value in self.means().items()}}


def _off_way(turn: np.ndarray, heading: float) -> np.ndarray:
    """Angle (N,) [rad] of orientations (N, 3, 3) off the neutral one that looks along the heading."""
    c, s = math.cos(heading), math.sin(heading)
    trace = c * (turn[:, 0, 0] + turn[:, 1, 1]) + s * (turn[:, 1, 0] - turn[:, 0, 1]) + turn[:, 2, 2]
    return np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0))
