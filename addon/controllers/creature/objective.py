# SPDX-License-Identifier: GPL-3.0-or-later
"""What a creature's gait is searched for: tasks first (not falling, speed, upright, head, straight on), then how it looks (no
crouch, no dragging toes, soft landings, both sides alike, feet neither wide nor crossing), then effort. All without units.

Tasks after Geijtenbeek 2013, table 2; weights as a prototype's searches had them, those of looks first guesses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...checks import Choice, Maybe, Number
from ...specs.settings import Checked, setting
from .felt import Felt
from .law import USUAL_SPEED
from .layout import Layout
from .looks import Look, Looker
from .steps import Steps

WALK, RUN, ANY = "walk", "run", "any"
"""Never in the air; in the air at every step; as it comes."""
WALKS_UP_TO = 0.6
"""Speed over sqrt(g L) up to which a walk is asked for where nothing is said: people change to a run at 0.7."""
DRAWN_SHARE = 0.93
"""Who is drawn crouching may stand with legs of this share of their drawn length."""
EVERY = 2
"""Ticks from look to look."""


@dataclass(frozen=True)
class Wish(Checked):
    """What is asked for; see each field. Speeds over sqrt(g L), lengths over the leg, forces over the weight."""

    FIELD = "wish of a creature's gait"
    speed: float = setting(USUAL_SPEED, 0.0, 3.0, help="speed over the root of gravity and leg")
    turn: float = setting(0.0, -0.5, 0.5, help="radians to the left in sqrt(L / g)")
    gait: str = setting(WALK, rule=Choice("gait of a creature", (WALK, RUN, ANY)))
    stance_leg: float = setting(0.88, 0.4, 1.0, help="least length of the standing leg")
    trunk_pitch: float = setting(0.0, -1.0, 1.0, "rad", "lean of the trunk ahead of how it is drawn")
    step_width: float = setting(0.2, 0.0, 1.0, help="greatest width of steps")
    step: float | None = setting(None, rule=Maybe(Number(0.0, 3.0)), help="length of a step (default: as animals' go with speed)")
    double_support: float = setting(0.08, 0.0, 0.8, help="least share on both feet of a walk")
    clearance: float = setting(0.03, 0.0, 0.5, help="least height of the toes as the feet pass each other")
    force_peak: float = setting(3.5, 1.0, 20.0, help="greatest force of landing")
    flight: float = setting(0.1, 0.0, 0.8, help="least share in the air of a run")
    pose: float = setting(0.0, 0.0, 100.0, help="weight of staying near the drawn pose")
    effort: float = setting(3.0, 0.0, 100.0, help="weight of the cost of transport")

    @property
    def step_length(self) -> float:
        """The step that is asked for, over the leg: half the stride that animals take at that speed on two or four legs, 2.3
        times the hip's height times the Froude number to the power of 0.3 (Alexander 1976)."""
        return 1.15 * self.speed**0.6 if self.step is None else self.step


def usual_gait(speed: float) -> str:
    """The gait that is asked for at a speed over sqrt(g L) where nothing is said."""
    return WALK if speed <= WALKS_UP_TO else ANY


class Judge:
    """Sums up one run of N walkers, look by look; then `parts`, `figures`. `settled_t` is when judging begins [sqrt(L / g)]."""

    def __init__(self, wish: Wish, layout: Layout, body: Body, gravity_m_s2: float, n: int, settled_t: float) -> None:
        self.wish, self._n, self._settled = wish, n, settled_t
        self._looker = Looker(layout, body, gravity_m_s2)
        self.stance_leg = min(wish.stance_leg, DRAWN_SHARE * self._looker.drawn_leg)
        self._steps = Steps(n)
        self._sums: dict[str, np.ndarray] = {}
        self.step_width = max(wish.step_width, self._looker.drawn_width)
        self._gone, self._time, self._peak, self._lap = np.zeros((4, n))
        self._k = 0
        self._low, self._high = np.full(n, np.inf), np.full(n, -np.inf)
        self._last: Look | None = None

    def watch(self, felt: Felt, torque: np.ndarray, time_s: float, alive: np.ndarray) -> None:
        """See N walkers at one tick; `torque` (N, nv - 6) [N m] is what moves them."""
        self._k += 1
        if self._k % EVERY:
            return
        look = self._looker.look(felt, torque, time_s)
        last, self._last = self._last, look
        if last is None or look.time < self._settled:
            return
        passed = alive * (look.time - last.time)
        self._time += passed
        self._gone += passed * look.ahead
        self._steps.watch(look, alive)
        load = 0.5 * (look.load + last.load).sum(axis=1)
        self._peak = np.where(alive & (load > self._peak), load, self._peak)
        self._lap = np.where(alive, np.maximum(self._lap, look.lap), self._lap)
        self._low = np.where(alive, np.minimum(self._low, look.head[:, 2]), self._low)
        self._high = np.where(alive, np.maximum(self._high, look.head[:, 2]), self._high)
        for name, value in self._terms(look, last).items():
            self._sums[name] = self._sums.get(name, np.zeros(self._n)) + np.where(alive, passed * value, 0.0)

    def _terms(self, look: Look, last: Look) -> dict[str, np.ndarray]:
        """Rates of what is averaged over time (N,)."""
        wish, stands = self.wish, look.load > 0.05
        between = look.time - last.time
        head = (look.head - last.head) / between
        wanted = wish.speed * np.stack([np.cos(wish.turn * look.time), np.sin(wish.turn * look.time)])
        heading = _wrapped(look.heading - wish.turn * look.time)
        moved = np.linalg.norm((look.points - last.points)[..., :2], axis=2) / between
        slid = np.stack([moved[:, rows].min(axis=1) for rows in self._looker.points_of], axis=1)
        return {
            "pitch": look.pitch, "pitch2": (look.pitch - wish.trunk_pitch) ** 2, "roll2": look.roll**2,
            "head": np.hypot(np.hypot(head[:, 0] - wanted[0], head[:, 1] - wanted[1]), head[:, 2]),
            "straight": np.abs(heading) + np.abs(look.aside),
            "power": look.power, "both": stands.all(axis=1), "air": ~stands.any(axis=1),
            "standing": stands.sum(axis=1), "leg": (stands * look.leg).sum(axis=1),
            "left": look.load[:, 0], "right": look.load[:, 1],
            "slide": (np.minimum(look.load, 2.0) * slid).sum(axis=1), "pose": look.off_pose, "nod2": look.nod2,
        }

    def means(self) -> dict[str, np.ndarray]:
        """Means over the time (N,) that was judged; nan of who fell before."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return {name: np.where(self._time > 0.0, total / self._time, np.nan) for name, total in self._sums.items()}

    def figures(self) -> dict[str, np.ndarray]:
        """What is told of each walker (N,); see `specs.creature_gait.CreatureTrial` for units. Nan where nothing was judged."""
        means, steps = self.means(), self._steps.figures()
        if not means:
            return {}
        with np.errstate(invalid="ignore", divide="ignore"):
            speed = np.where(self._time > 0.0, self._gone / self._time, np.nan)
            return {"speed": speed, "step": steps["time"], "step_width": steps["width"], "clearance": steps["clearance"],
                    "force_peak": np.where(self._time > 0.0, self._peak, np.nan), "double_support": means["both"],
                    "flight": means["air"], "stance_leg": means["leg"] / np.maximum(means["standing"], 1e-6),
                    "pitch": means["pitch"], "head_bob": np.where(self._time > 0.0, self._high - self._low, np.nan),
                    "transport": means["power"] / np.maximum(np.abs(speed), 0.05), "lap": self._lap,
                    "slide": means["slide"], "unlike": steps["unlike"] + np.abs(means["left"] - means["right"])}

    def parts(self, stood: np.ndarray) -> dict[str, np.ndarray]:
        """The cost (N,) of each part, of walkers that stood for these shares (N,) of their trial."""
        wish, told, means = self.wish, self.figures(), self.means()
        parts = {"fall": 100.0 * (1.0 - stood)}
        if not told:
            return parts
        wanted = max(wish.speed, 0.05)

        def over(value: np.ndarray | float, free: np.ndarray | float) -> np.ndarray:
            return np.maximum(value - free, 0.0)

        looks = {
            "steps": 25.0 * over(0.9 * wish.step_length, told["speed"] * told["step"]),
            "speed": 30.0 * over(np.minimum(np.abs(told["speed"] - wish.speed) / wanted, 2.0), 0.05),
            "trunk": 10.0 * over(np.sqrt(means["pitch2"] + means["roll2"]), 0.05),
            "head": 5.0 * means["head"] + 10.0 * over(np.sqrt(means["nod2"]), 0.05), "straight": 5.0 * means["straight"],
            "peak": 1.5 * over(np.minimum(told["force_peak"], 12.0), 2.0) + 6.0 * over(
                np.minimum(told["force_peak"], 12.0), wish.force_peak - 0.3),
            "crouch": 150.0 * over(self.stance_leg + 0.01 - told["stance_leg"], 0.0),
            "width": 60.0 * over(told["step_width"], self.step_width - 0.02),
            "clearance": 150.0 * over(wish.clearance + 0.01 - told["clearance"], 0.0),
            "lap": 100.0 * told["lap"], "slide": 10.0 * over(means["slide"], 0.02), "unlike": 10.0 * told["unlike"],
            "gait": self._gait(told), "pose": wish.pose * means["pose"],
            "effort": wish.effort * np.minimum(told["transport"], 5.0),
        }
        return parts | {name: np.where(np.isfinite(value), value, 20.0 if name == "speed" else 0.0)
                        for name, value in looks.items()}

    def _gait(self, told: dict[str, np.ndarray]) -> np.ndarray:
        """A walk is never in the air and now and then on both feet; a run is in the air as long as it is asked to."""
        wish, flight = self.wish, told["flight"]
        if wish.gait == WALK:
            both = np.maximum(wish.double_support + 0.02 - told["double_support"], 0.0)
            return 60.0 * (np.maximum(flight - 0.01, 0.0) + both)
        return 60.0 * np.maximum(wish.flight - flight, 0.0) if wish.gait == RUN else 0.0 * flight


def _wrapped(angle: np.ndarray) -> np.ndarray:
    """Angles within half a turn."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
