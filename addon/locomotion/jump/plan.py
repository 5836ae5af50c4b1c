# SPDX-License-Identifier: GPL-3.0-or-later
"""A jump before it is jumped, from standing to landing. The centre of mass sinks and is pushed up to a take-off's
speed, v^2 = 2 g h. It goes ahead as c'' = l (c - p) has it, p the pressure and l = (g + z'') / z. At the landing it comes to
rest over soles that are c' / d ahead, with d' = d^2 - l: of who stands d is sqrt(g / z), and the more the harder the ground
pushes (a capture point while the height changes). How the trunk leans meanwhile: `turning.py`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import lsq_linear

from ...bodies.human.landmarks import SIDES
from ...maths.curves import bump, smooth
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..legged.foot_geometry import FootGeometry, FootPose, Footstep, pitched
from ..legged.targets import FeetPose
from ..stand.feet import HEEL_UP_RAD
from ..stand.stance import Stance
from ..stand.taking_over import HIGH_RATE, falls_for
from .pose import LEAN_RAD, JumpPose

STEP_S = 0.005
"""Time from row to row of a plan."""
OFF_STRAIGHT, LANDS_STRAIGHT = 0.95, 0.95
"""Length of the legs at take-off and landing over that of straight ones: knees that come to their end brake the body with all
their strength (measured), and straight legs cannot give."""
OFF_PITCH, LANDS_PITCH = 0.95, 0.25
"""Pitch of the feet [rad] at a take-off with all that the ankles have, and at the landing, on the balls."""
HEELS = 0.25
"""Heels rise when the centre of mass is so much lower than at take-off, over the leg's length (first guess)."""
UP_SHARE = 0.5
"""Of a small hop no more than this share comes from the ankles alone."""
HANDY_M_S2 = 6.0
"""Mean acceleration that a squat is chosen deep enough for, within these depths over the leg's length (people's, first guess)."""
SQUATS = (0.1, 0.4)
SINKS, BOTTOM = 0.6, 0.8
"""Gravity's share that it sinks with at most, and is slowed with at the bottom."""
PUSHES = np.linspace(0.8, 2.6, 37)
"""Times of a push-off that are tried, over its way and its last speed."""
DEEP = 0.33
"""How deep it goes after a landing at most, over the leg's length."""
LEANS_S = 0.1
"""Steps in which the time is made longer for leaning ahead before the squat [s on Earth], and how many there may be."""
MOST_LEANS = 15
MOST_OVER = 0.35
"""Nobody takes off with the centre of mass so far ahead of the soles, over the leg: feet would slip, legs be too
short (first guess)."""
FLAT_KNOTS, TOE_KNOTS, SHIFT_S = 10, 3, 0.04
"""Knots of the pressure's way on flat feet and on the balls, and the time in which it goes from these to those."""
INSIDE_M, ON_TOES = 0.02, 0.7
"""How far it stays inside the heels' end, and how far it goes from the balls to the toes' end."""
TUCKS = (0.06, 0.12, 0.18, 0.24, 0.3)
"""How far feet are drawn up in the air, over the leg's length: the least that clears the ground (first guess)."""
GIVE, GIVES = 0.5, 0.04
"""Share of the body's speed that the feet have lost when they land, and on what way, over the leg's length."""
UP_RAD, BACK_RAD, AHEAD_RAD, ELBOW_RAD = 1.9, 0.7, 0.7, 0.4
"""How far arms swing back in the squat and up at take-off, where they are at the landing, and how much more elbows bend, in a
jump whose take-off is as fast as `VIGOROUS` (first guess)."""
VIGOROUS = 0.8
"""Speed of such a take-off over the root of Earth's gravity times the leg's length."""
OFF_LEAN_RAD = 0.15
"""Lean of the trunk at the take-off straight up (people's, first guess)."""
RAMP_S = 0.15
"""The flight's angular momentum is gained within so long before the heels rise."""


def quintic(start: tuple[float, ...], end: tuple[float, ...], time_s: float, rows: np.ndarray) -> np.ndarray:
    """Place, rate and acceleration (3, N) at times (N,) of the curve between two such triples."""
    a, b, c, t = start[0], start[1], 0.5 * start[2], time_s
    d, e, f = end[0] - a - b * t - c * t * t, end[1] - b - 2.0 * c * t, end[2] - 2.0 * c
    curve = np.array([(6.0 * d - 3.0 * e * t + 0.5 * f * t * t) / t**5, (-15.0 * d + 7.0 * e * t - f * t * t) / t**4,
                      (10.0 * d - 4.0 * e * t + 0.5 * f * t * t) / t**3, c, b, a])
    first = np.polyder(curve)
    return np.stack([np.polyval(one, rows) for one in (curve, first, np.polyder(first))])


class Landing:
    """How a centre of mass comes to rest at `rest_m` that lands `high_m` over that and falls: as a critically damped spring of a
    `rate` [1/s] lets it."""

    def __init__(self, rest_m: float, high_m: float, falls_m_s: float, gravity_m_s2: float, leg_m: float) -> None:
        slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
        self.rate = rate = max(HIGH_RATE / slow, falls_m_s / (math.e * DEEP * leg_m))
        times = np.arange(0.0, 8.0 / rate, STEP_S)
        pull = rate * high_m - falls_m_s
        off = (high_m + pull * times) * np.exp(-rate * times)
        second = rate * rate * (off - 2.0 * pull / rate * np.exp(-rate * times))
        self._lift = np.maximum(gravity_m_s2 + second, 0.05 * gravity_m_s2) / (rest_m + off)
        self._lead = np.empty(len(times))
        self._lead[-1] = math.sqrt(gravity_m_s2 / rest_m)
        for i in range(len(times) - 1, 0, -1):
            self._lead[i - 1] = self._lead[i] - STEP_S * (self._lead[i] ** 2 - self._lift[i])

    @property
    def lasts_s(self) -> float:
        return STEP_S * (len(self._lead) - 1)

    def at(self, since_s: float) -> tuple[float, float]:
        """d [1/s] and l [1/s^2] so long after the landing."""
        i = min(max(int(since_s / STEP_S), 0), len(self._lead) - 1)
        return float(self._lead[i]), float(self._lift[i])


@dataclass
class JumpPlan:
    """Rows every `STEP_S`, N until the take-off at `off_s` and M in the flight: `height_m` (3, N + M) of the centre of mass over
    the ground that it stands on, its rate and acceleration; `ahead_m` (3, N + M) the same ahead of where it rests; `pressure_m`
    (N,); `pitch` (N,) of the feet [rad]; `lean` (N + M,) of the trunk [rad] and `root` (3, N + M) from the centre of mass. The
    squat begins at `leans_s` and is deepest at `low_s`; the feet land with the body at `lands_m` over ground that is `level_m`
    higher, the soles `lead_m` ahead of it. `missed_m` is how much farther than it goes was asked for."""

    leans_s: float
    low_s: float
    height_m: np.ndarray
    ahead_m: np.ndarray
    pressure_m: np.ndarray
    pitch: np.ndarray
    flight_s: float
    landing: Landing
    lands_m: float
    lead_m: float
    level_m: float
    vigour: float
    missed_m: float
    tuck_m: float
    swing: float = 0.0
    momentum: float = 0.0
    lean: np.ndarray = field(default_factory=lambda: np.zeros(2))
    root: np.ndarray = field(default_factory=lambda: np.zeros((3, 2)))

    @property
    def off_s(self) -> float:
        return STEP_S * (len(self.pitch) - 1)

    @property
    def speed_m_s(self) -> float:
        """Upward at take-off."""
        return float(self.height_m[1, len(self.pitch) - 1])

    def at(self, rows: np.ndarray, time_s: float) -> np.ndarray:
        """One of its rows (..., N) at a time, going on as it ends."""
        i = max(time_s / STEP_S, 0.0)
        low = min(int(i), rows.shape[-1] - 2)
        return rows[..., low] + (i - low) * (rows[..., low + 1] - rows[..., low])

    def turning(self, time_s: float) -> tuple[float, float]:
        """Angular momentum, nose down [kg m^2/s], and its rate [N m]: while feet are flat so much as rights the trunk, then
        the flight's."""
        start, end = 0.5 * (self.leans_s + self.low_s), STEP_S * int((self.pitch > HEEL_UP_RAD).argmax())
        small = 1e-3

        def at(time_s: float) -> float:
            return (self.swing * bump((time_s - start) / (end - start))
                    + self.momentum * smooth(1.0 - (end - time_s) / RAMP_S))

        return at(time_s), (at(time_s + small) - at(time_s)) / small

    def arms(self, time_s: float) -> tuple[float, float]:
        """Where shoulders and elbows are [rad], as `JumpPose.swing` has them."""
        turn, off, v = self.low_s - 0.1 * (self.low_s - self.leans_s), self.off_s, self.vigour
        elbow = ELBOW_RAD * v * smooth((time_s - self.leans_s) / max(turn - self.leans_s, STEP_S))
        if time_s < turn:
            return -BACK_RAD * v * smooth((time_s - self.leans_s) / (turn - self.leans_s)), elbow
        if time_s < off:
            return v * ((UP_RAD + BACK_RAD) * smooth((time_s - turn) / (0.95 * (off - turn))) - BACK_RAD), elbow
        return v * (UP_RAD + (AHEAD_RAD - UP_RAD) * smooth((time_s - off) / self.flight_s)), elbow


HEIGHT_ROUNDS = 4
"""Times that a height with legs so long is sought: the longer they are, the less the trunk is off them."""


@dataclass(frozen=True)
class Legs:
    """The legs of a body that stands: its poses, feet and stance, the height of its centre of mass at rest [m]. All is as seen by
    who rests over 0 and faces ahead."""

    poses: JumpPose
    feet: dict[str, FootGeometry]
    stance: Stance
    rest_m: float
    gravity_m_s2: float
    mass_kg: float

    @property
    def leg_m(self) -> float:
        return self.stance.leg_m

    def place(self, side: str, ahead: float) -> Footstep:
        """Where a foot stands with the soles' middle so far ahead."""
        return self.stance.at(side, complex(ahead, 0.0), 0.0)

    def on_ground(self, pitch: float, ahead: float = 0.0) -> FeetPose:
        return {side: self.feet[side].rolled(self.place(side, ahead), pitch, 0.0) for side in SIDES}

    def highest(self, pitch: float, ahead: float, reach: float, arms_rad: float, lean_rad: float) -> float:
        """Height of a centre of mass so far ahead of the soles' middle with legs so long, over straight ones, arms and trunk
        held so: arms that are up raise it."""
        feet, high = self.on_ground(pitch), self.rest_m
        self.poses.swing(arms_rad, 0.0)
        for _ in range(HEIGHT_ROUNDS):
            self.poses.placed((ahead, 0.0, high), lean_rad, feet)
            above = high + self.leg_m
            hips = self.poses.hips((ahead, 0.0, above), 0.0, 0j)
            high = above - self.poses.shortfall(hips, feet, SIDES, reach)
        return high

    def squats(self, high_m: float) -> float:
        """Lean of a trunk in the squat with its centre of mass there [rad]."""
        return LEAN_RAD * max(self.rest_m - high_m, 0.0) / self.leg_m

    def sole(self) -> tuple[float, float, float]:
        """How far heel, ball and tip are ahead of the soles' middle."""
        foot, middle = self.feet["L"], self.stance.sole_m
        return foot.heel_x - middle, foot.ball_x - middle, foot.tip_x - middle

    def flying(self, side: str, plan: JumpPlan, share: float, lead_m: float, heading: float = 0.0) -> FootPose:
        """A foot from the centre of mass at a share of the flight, to land with the soles `lead_m` ahead."""
        last, (off, lands) = len(plan.pitch) - 1, (self.on_ground(float(plan.pitch[-1]))[side],
                                                    self.on_ground(LANDS_PITCH, lead_m)[side])
        begin = off.ankle - [plan.ahead_m[0, last], 0.0, plan.height_m[0, last]]
        end, done = lands.ankle - [0.0, 0.0, plan.lands_m], smooth(share)
        place = begin + done * (end - begin)
        gives = min(2.0 * GIVES * self.leg_m / (GIVE * -float(plan.height_m[1, -1]) * plan.flight_s), 0.2)
        slowed = -0.5 * gives * smooth((share - 0.4) / max(0.6 - gives, 0.1)) if share > 0.4 else 0.0
        if share > 1.0 - gives:
            slowed = 0.5 * (share - 1.0 + gives) ** 2 / gives - 0.5 * gives
        place[0] -= float(plan.ahead_m[1, last]) * plan.flight_s * slowed
        place[2] += plan.tuck_m * bump(share) - GIVE * float(plan.height_m[1, -1]) * plan.flight_s * slowed
        pitch = float(plan.pitch[-1]) + (LANDS_PITCH - float(plan.pitch[-1])) * smooth(1.6 * share - 0.6)
        c, s = math.cos(heading), math.sin(heading)
        ankle = np.array([c * place[0] - s * place[1], s * place[0] + c * place[1], place[2]])
        return FootPose(ankle, pitched(heading + self.stance.yaw(side), pitch), off.toe + done * (lands.toe - off.toe))


class Vertical:
    """Squat and push-off: `low_m`, `off_m`, the `speed` there, how long each lasts."""

    def __init__(self, legs: Legs, up_m: float, over_m: float, vigour: float) -> None:
        rest, leg, g = legs.rest_m, legs.leg_m, legs.gravity_m_s2
        self.pitch, most = OFF_PITCH, rest + UP_SHARE * up_m
        arms_rad = UP_RAD * vigour
        while (off := legs.highest(self.pitch, over_m, OFF_STRAIGHT, arms_rad, OFF_LEAN_RAD)) > most and self.pitch > 0.05:
            self.pitch *= 0.9
        self.off_m = off = min(off, most)
        self.speed = math.sqrt(2.0 * g * (rest + up_m - off))
        deep = min(max(self.speed**2 / (2.0 * HANDY_M_S2) - (off - rest), SQUATS[0] * leg), SQUATS[1] * leg)
        self.low_m = low = rest - deep
        self._bottom = bottom = min(BOTTOM * g, self.speed**2 / (2.0 * (off - low)))
        tries = []
        for time_s in (PUSHES * (off - low) / self.speed).tolist():
            found = quintic((low, 0.0, bottom), (off, self.speed, -g), time_s, np.linspace(0.0, time_s, 30))
            if found[1][1:].min() > 0.0:
                tries.append((float(found[2].max()), time_s))
        self.push_s, self.sink_s, least = min(tries)[1], 0.1, -1.0
        while least < 0.0:
            self.sink_s *= 1.04
            least = float(quintic((rest, 0.0, 0.0), (low, 0.0, bottom), self.sink_s,
                                  np.linspace(0.0, self.sink_s, 40))[2].min()) + SINKS * g
        self._rest_m, self._g = rest, g

    def rows(self, leans_s: float) -> np.ndarray:
        """Height, rate and acceleration (3, N) of who first leans ahead for so long."""
        count = round((leans_s + self.sink_s + self.push_s) / STEP_S) + 1
        times = np.arange(count) * STEP_S - leans_s
        low = (self.low_m, 0.0, self._bottom)
        down = quintic((self._rest_m, 0.0, 0.0), low, self.sink_s, np.clip(times, 0.0, self.sink_s))
        up = quintic(low, (self.off_m, self.speed, -self._g), self.push_s, np.clip(times - self.sink_s, 0.0, self.push_s))
        return np.where(times < 0.0, [[self._rest_m], [0.0], [0.0]], np.where(times < self.sink_s, down, up))


def pressed(lift: np.ndarray, sole: tuple[float, float, float], raised: np.ndarray, goal: float, lead_s: float,
            ) -> tuple[np.ndarray, np.ndarray, float]:
    """The pressure (N,) of somebody at rest at 0 and the way (3, N) that it gives, for x + `lead_s` x' to be the goal at the end;
    third, what is missed of that [m]. `lift` (N,) is l above, the `sole` its heel, ball and tip; from a `raised` (N,) heel on the
    pressure is on the toes. Of all such ways the one whose pressure goes least far and most evenly."""
    count, (heel, ball, tip) = len(lift), sole
    heels = int((raised > 0.0).argmax())
    knots = np.concatenate([np.linspace(0.0, heels - SHIFT_S / STEP_S, FLAT_KNOTS), np.linspace(heels, count - 1.0, TOE_KNOTS)])
    hats = np.array([np.interp(np.arange(count), knots, row) for row in np.eye(len(knots))])[1:]
    states = np.zeros((2, count, len(hats)))
    for i in range(count - 1):
        x, v = states[:, i]
        second = lift[i] * (x - hats[:, i])
        states[:, i + 1] = x + STEP_S * v + 0.5 * STEP_S**2 * second, v + STEP_S * second
    up = knots[1:] >= heels
    low, high = np.where(up, ball - 0.005, heel + INSIDE_M), np.where(up, ball + ON_TOES * (tip - ball), ball)
    end = states[0, -1] + lead_s * states[1, -1]
    scale = 300.0 / max(float(np.abs(end).max()), 1e-9)
    even = 0.6 * np.diff(np.eye(len(hats)), axis=0)
    matrix = np.vstack([np.eye(len(hats)), even, scale * end])
    value = np.concatenate([np.where(up, ball + 0.2 * (tip - ball), 0.0), np.zeros(len(even)), [scale * goal]])
    weights = lsq_linear(matrix, value, (low, high)).x
    pressure, x, v = weights @ hats, states[0] @ weights, states[1] @ weights
    return pressure, np.stack([x, v, lift * (x - pressure)]), goal - float(end @ weights)


def plan_jump(legs: Legs, up_m: float, ahead_m: float, level_m: float) -> JumpPlan:
    """A jump in which the centre of mass rises by `up_m` over its height at rest and the feet land `ahead_m` farther on, on
    ground that is `level_m` higher; the trunk's lean is not yet in it. What legs and soles cannot give is `missed_m`."""
    g, rest, leg, slow = legs.gravity_m_s2, legs.rest_m, legs.leg_m, math.sqrt(EARTH_GRAVITY_M_S2 / legs.gravity_m_s2)
    lead, over, leans_s, vigour, lands = 0.0, legs.sole()[1], 0.0, 0.5, rest
    for turn in range(3 + MOST_LEANS):
        up = Vertical(legs, up_m, over, vigour)
        vigour = min(up.speed / math.sqrt(EARTH_GRAVITY_M_S2 * leg) / VIGOROUS, 1.0)
        lands = legs.highest(LANDS_PITCH, -lead, LANDS_STRAIGHT, AHEAD_RAD * vigour, legs.squats(lands))
        flight_s = falls_for(up.off_m - lands - level_m, up.speed, g)
        landing = Landing(rest, lands - rest, g * flight_s - up.speed, g, leg)
        height = up.rows(leans_s)
        rising = np.clip((height[0] - up.off_m) / min(HEELS * leg, up.off_m - up.low_m) + 1.0, 0.0, 1.0)
        rising[:round((leans_s + up.sink_s) / STEP_S)] = 0.0
        pitch = up.pitch * rising * rising * (1.5 - 0.5 * rising)
        lift, d = np.maximum(g + height[2], 0.0) / height[0], landing.at(0.0)[0]
        pressure, ahead, missed = pressed(lift, legs.sole(), pitch, ahead_m, flight_s + 1.0 / d)
        over, lead = float(ahead[0, -1]), min(float(ahead[1, -1]) / d, leg)
        if over > MOST_OVER * leg:
            missed = max(missed, over - MOST_OVER * leg)
            break
        if turn > 1 and abs(missed) < 0.01 * leg:
            break
        leans_s += LEANS_S * slow if turn > 1 else 0.0
    times = STEP_S * np.arange(1, round(flight_s / STEP_S) + 2)
    falls = np.stack([up.off_m + up.speed * times - 0.5 * g * times**2, up.speed - g * times, np.full(len(times), -g)])
    on = np.stack([ahead[0, -1] + ahead[1, -1] * times, np.full(len(times), ahead[1, -1]), np.zeros(len(times))])
    return JumpPlan(leans_s, leans_s + up.sink_s, np.hstack([height, falls]), np.hstack([ahead, on]), pressure, pitch, flight_s,
                    landing, lands, lead, level_m, vigour, missed, TUCKS[0] * leg)


def feet_at(plan: JumpPlan, legs: Legs, time_s: float, com: tuple[float, float, float]) -> FeetPose:
    """Both feet at a time of a plan that has the centre of mass there."""
    if time_s <= plan.off_s:
        return legs.on_ground(float(plan.at(plan.pitch, time_s)))
    feet = {side: legs.flying(side, plan, (time_s - plan.off_s) / plan.flight_s, plan.lead_m) for side in SIDES}
    for foot in feet.values():
        foot.ankle += com
    return feet
