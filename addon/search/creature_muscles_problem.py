# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a muscled creature's gait as a problem: the quick law's numbers and the muscles' together, seeded by a quick
gait. Its measures are those of Geijtenbeek 2013 (table 2, eq. 32 to 37), each of which counts only beyond its threshold, and
beside them how the gait looks, as the quick law's search has it. The paper's figures are in m/s and W/kg, of legs of 0.8 m on
Earth; here they go with leg and gravity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..bodies.creature.body import CreatureBody
from ..bodies.creature.muscles import creature_muscles
from ..bodies.muscles.mechanics import basal_w
from ..locomotion.creature import parameters as quick
from ..locomotion.creature.felt import Felt, Layout
from ..locomotion.creature.law import CreatureLaw
from ..locomotion.creature.muscle_law import PULLS, ROUTING, WHOLE, CreatureMuscleLaw, Kind, MuscleNumbers, muscle_physics
from ..locomotion.creature.parameters import ORDER, time_unit_s
from ..specs.shot import EARTH_GRAVITY_M_S2, World
from .creature_objective import EVERY, Judge, Look, Wish
from .creature_problem import CURRENT, QUICK, CreaturePopulation, GaitProblem, Trials, Watch
from .search import Plan

BY_MUSCLES = replace(QUICK, population=20, sigma=0.05, minutes=120.0)
"""How a gait by muscles is searched: the population as Geijtenbeek 2013 has it; of larger first steps most walkers are lost."""


class MusclePopulation(CreaturePopulation):
    """N walkers of one body in one world; their numbers (N, K + Q) are the quick law's and then the muscles'. While they walk
    `spent_w` (N,) is what muscles spend [W], the mean of the last tick."""

    def __init__(self, body: CreatureBody, world: World, n: int, threads: int = 1, kind: Kind = WHOLE) -> None:
        physics = muscle_physics(body, world.gravity_m_s2)
        super().__init__(body, world, n, threads, physics)
        self.creature, self.kind, self.step_s = body, kind, physics.step_s
        self.spent_w = np.zeros(n)

    def _law_of(self, parameters: np.ndarray) -> CreatureLaw:
        count = len(ORDER)
        self.muscled = CreatureMuscleLaw(self.creature, parameters[:, :count], parameters[:, count:], self.n,
                                         self.world.gravity_m_s2, self.step_s, self.kind)
        return self.muscled.quick

    def _reset(self, felt: Felt) -> None:
        self.muscled.reset(felt)

    def _act(self, felt: Felt, time_s: float, ids: np.ndarray) -> np.ndarray:
        root, bound, law = self.body.root_freedom, self._bound, self.muscled
        law.decide(felt, time_s)
        for _ in range(PULLS):
            torque, damping = law.pull(felt)
            bound["qfrc_applied"][:, root:], self._damping[:, root:] = torque, damping
            self._batch.step(ids, 1, CURRENT)
            felt = self._senses.moved(felt, bound.__getitem__)
        self.spent_w = law.metabolic_w.sum(axis=1)
        return torque


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
"""Table 2: the share by which the speed of the feet's middle is off, from landing to landing; the angle of the head off its way
[rad]; how fast it goes against the speed wished for; how fast feet on the ground slide; metabolic rate over m g sqrt(g L)."""
LOOKS = ("peak", "crouch", "width", "clearance", "lap", "unlike", "gait", "pose")
"""Parts of the quick law's cost that are ours and not the paper's."""


class MuscleJudge:
    """Sums up one run of N walkers, look by look; then `parts`, `means`, `passes`, `figures`. Judging begins at `settled_t`, the
    trial ends at `end_t` [sqrt(L / g)]."""

    def __init__(self, wish: Wish, layout: Layout, body: Body, gravity_m_s2: float, n: int, settled_t: float,
                 end_t: float) -> None:
        self.wish, self._settled, self._whole = wish, settled_t, end_t - settled_t
        self.looks = Judge(wish, layout, body, gravity_m_s2, n, settled_t)
        leg = body.leg_length_m
        self._rate_w = body.mass_kg * gravity_m_s2 * leg / time_unit_s(leg, gravity_m_s2)
        self._head = body.index[body.roles.get("head", body.role("trunk"))]
        self._sums = {name: np.zeros(n) for name in MEASURES}
        self._time, self._slid_time = np.zeros(n), np.zeros(n)
        self._base, self._base_at, self._base_speed = np.zeros((n, 2)), np.zeros(n), np.full(n, np.nan)
        self._down = np.ones((n, 2), dtype=bool)
        self._k = 0
        self._last: Look | None = None

    def watch(self, felt: Felt, torque: np.ndarray, metabolic_w: np.ndarray, time_s: float, alive: np.ndarray) -> None:
        """See N walkers at one tick: moved by torques (N, nv - 6) [N m], their muscles at rates (N,) [W]."""
        look = self.looks.looker.look(felt, torque, time_s)
        self._k += 1
        if self._k % EVERY == 0:
            self.looks.see(look.part(None), alive[None])
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
        for foot, rows in enumerate(self.looks.looker.points_of):
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
        middle = np.stack([look.points[:, rows, :2].mean(axis=1) for rows in self.looks.looker.points_of], axis=1).mean(axis=1)
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


TRIALS = Trials(short_t=16.5, long_t=95.0, long_s=20.0, settled_t=4.0, starts=4, noise=0.5)
"""Those of a generation last 10 s of a leg of 1 m on Earth at the usual speed, those from many starts 30 s: a shot of 20 s and
the time that it takes to get under way."""


class MuscleProblem(GaitProblem[MuscleJudge]):
    """A gait of a muscled body: its numbers are the quick law's and then the muscles'. What `kind` does not let be free is not
    searched: routing that is fixed stays in the middle."""

    def __init__(self, body: CreatureBody, world: World, wish: Wish, plan: Plan | None = None, trials: Trials | None = None,
                 kind: Kind = WHOLE) -> None:
        self.kind, self._muscled = kind, body
        self.numbers = MuscleNumbers(creature_muscles(body, world.gravity_m_s2))
        self._low = np.concatenate([quick.LOW, self.numbers.low])
        self._high = np.concatenate([quick.HIGH, self.numbers.high])
        fixed = () if kind.free else self.numbers.rows([ROUTING])
        self._free = np.setdiff1d(np.arange(len(self._low)), np.asarray(fixed, dtype=int) + len(quick.LOW))
        self._middle = np.concatenate([quick.START, self.numbers.start])
        super().__init__(body, world, wish, plan or BY_MUSCLES, trials or TRIALS)

    @property
    def size(self) -> int:
        return len(self._free)

    @property
    def stamp(self) -> Mapping[str, Any]:
        return {**super().stamp, "kind": asdict(self.kind)}

    def _walkers(self, n: int) -> MusclePopulation:
        return MusclePopulation(self._muscled, self.world, n, self._threads, self.kind)

    def vectors(self, xs: np.ndarray) -> np.ndarray:
        """Numbers (N, K + Q) of points (N, size) of the search."""
        found = np.tile(self._middle, (len(xs), 1))
        low, high = self._low[self._free], self._high[self._free]
        found[:, self._free] = low + (high - low) * np.clip(xs, 0.0, 1.0)
        return found

    def point(self, parameters: np.ndarray, muscles: np.ndarray | None = None) -> np.ndarray:
        """The point (size,) of the quick law's numbers (K,) and the muscles' (Q,), as at the start where none are given."""
        vector = np.concatenate([parameters, self.numbers.start if muscles is None else muscles])
        low, high = self._low[self._free], self._high[self._free]
        return np.clip((vector[self._free] - low) / (high - low), 0.0, 1.0)

    def values(self, x: np.ndarray) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
        """The numbers of a point by name: the quick law's, and the muscles' by group, all of them."""
        vector = self.vectors(np.asarray(x)[None])[0]
        count = len(quick.LOW)
        muscles: dict[str, dict[str, float]] = {}
        for (group, name), value in zip(self.numbers.names, vector[count:], strict=True):
            muscles.setdefault(group, {})[name] = float(value)
        return quick.values_of(vector[:count]), muscles

    def _judge(self, n: int, seconds: float, population: CreaturePopulation) -> tuple[MuscleJudge, Watch]:
        assert isinstance(population, MusclePopulation)
        judge = MuscleJudge(self.wish, self._layout, self.body, self.world.gravity_m_s2, n, self.settled_t,
                            seconds / self.time_unit_s)
        rest_w = basal_w(self.body.mass_kg)

        def watch(felt: Felt, torque: np.ndarray, time_s: float, alive: np.ndarray) -> None:
            judge.watch(felt, torque, population.spent_w + rest_w, time_s, alive)

        return judge, watch

    def _good(self, judge: MuscleJudge, stood: np.ndarray) -> np.ndarray:
        return (stood >= 1.0) & judge.passes()

    def _lacks(self, stands: np.ndarray, told: Mapping[str, np.ndarray], figures: Mapping[str, Any]) -> list[str]:
        return [name for name, one in MEASURES.items() if one.threshold > 0.0
                and not (told["speed_off" if name == "speed" else name][stands] <= one.threshold).all()]
