# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine of key poses: which state it is in, and what every joint is drawn to there, along curves where a gait has some; one
may stand until it is pushed, and step to where searches found that it is caught (Yin 2007, chapter 6)."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...gaits.pose_gaits import check_alike, interpolated
from ...maths.curves import basis_at, derivative_of
from ...specs.pose_gait import ANGLES, EARLIEST, LATEST, ONE, PoseCurves, PoseGait, PoseState, mirrored
from .strength import Scale

OTHER = {"L": "R", "R": "L"}
ROW = {name: i for i, name in enumerate(ANGLES)}
SPRUNG = ("knee_L", "knee_R", "ankle_L", "ankle_R")
"""Joints of which a state says how strong their springs are."""


def targets_of(state: PoseState) -> np.ndarray:
    """What a state draws each of `ANGLES` to [rad]; nan where it draws to nothing: a hip that carries the trunk alone."""
    swing, stance = state.swing, OTHER[state.swing]
    found = np.full(len(ANGLES), np.nan)
    for name, value in ((f"hip_{swing}", state.swing_hip), (f"outward_{swing}", state.swing_hip_outward),
                        (f"knee_{swing}", state.swing_knee), (f"ankle_{swing}", state.swing_ankle),
                        (f"knee_{stance}", state.stance_knee), (f"ankle_{stance}", state.stance_ankle), ("torso", state.torso)):
        found[ROW[name]] = value
    if state.stands != ONE:
        found[ROW[f"hip_{stance}"]], found[ROW[f"outward_{stance}"]] = state.stance_hip, state.stance_hip_outward
    return found


def springs_of(state: PoseState, gait: PoseGait) -> np.ndarray:
    """What a state of a gait makes of the springs and of the dampings of `SPRUNG`, as factors (2, 4)."""
    left = state.swing == "L"
    knees, ankles = ((swing, stance) if left else (stance, swing) for swing, stance in (
        (state.swing_knee_spring, state.stance_knee_spring), (state.swing_ankle_spring, state.stance_ankle_spring)))
    springs = np.array([*knees, *ankles])
    return np.array([springs, springs * np.repeat([gait.knee_damping, gait.ankle_damping], 2)])


def on_slope(targets: np.ndarray, gait: PoseGait, swing: str, rise: float) -> np.ndarray:
    """Targets (9,) on ground that rises ahead by an angle [rad]."""
    if not rise:
        return targets
    found = targets.copy()
    for name, share in ((f"hip_{swing}", gait.slope_hip), (f"knee_{swing}", gait.slope_knee), ("torso", gait.slope_torso),
                        ("ankle_L", gait.slope_ankle), ("ankle_R", gait.slope_ankle)):
        found[ROW[name]] += share * rise
    return found


def touched(state: PoseState, touches: Mapping[str, bool]) -> bool:
    if state.touch == "any":
        return any(touches.values())
    return touches[state.swing if state.touch == "swing" else OTHER[state.swing]]


def alike(states: Sequence[PoseState], at: int, others: Sequence[PoseState]) -> int:
    """Which of another gait's states is the one at a place of a cycle: of the same swinging leg, as far through its states; where
    that leg never swings there, as far through the cycle."""
    ours, theirs = _run(states, at), [i for i, state in enumerate(others) if state.swing == states[at].swing]
    if not theirs:
        return round(at / len(states) * len(others)) % len(others)
    first = next((i for i in theirs if others[i - 1].swing != others[i].swing), theirs[0])
    run = _run(others, first)
    return run[min(round(ours.index(at) / len(ours) * len(run)), len(run) - 1)]


def _run(states: Sequence[PoseState], at: int) -> list[int]:
    """The places, in their order, of the states about one in which its leg swings without a break."""
    def one_leg(i: int) -> bool:
        return states[i % len(states)].swing == states[at].swing

    first = at
    while one_leg(first - 1) and first > at - len(states) + 1:
        first -= 1
    last = at
    while one_leg(last + 1) and last < first + len(states) - 1:
        last += 1
    return [i % len(states) for i in range(first, last + 1)]


TURNS = 2 * len(ANGLES)
"""Where the turns begin, behind angles and moments."""


@dataclass(frozen=True)
class Rates:
    """How fast targets move: `angles` (9,) [rad/s] and `turns`, (3,) [rad/s] of each joint that the curves turn; and the
    `moments` (9,) [N m] of the standard body on Earth that go with them."""

    angles: np.ndarray
    turns: dict[str, np.ndarray]
    moments: np.ndarray


class Along:
    """The curves' values and slopes. Times [s] are those since a step began, as they pass on Earth on standard legs."""

    def __init__(self, curves: PoseCurves) -> None:
        self._curves = curves
        matrix, self._names = curves.matrix()
        self._value, self._slope = matrix.T, derivative_of(matrix).T
        self._harmonics = (matrix.shape[1] - 1) // 2
        self._at: tuple[str, float] | None = None
        self._values = np.zeros(len(matrix))

    def step_s(self, swing: str) -> float:
        """How long a leg's step took in the clip [s]."""
        return self._curves.begins(swing)[1] * self._curves.period_s

    def _basis(self, swing: str, since_s: float) -> np.ndarray:
        begins, takes = self._curves.begins(swing)
        return basis_at(begins + min(since_s / self._curves.period_s, LATEST * takes), self._harmonics)

    def _now(self, swing: str, since_s: float) -> np.ndarray:
        if self._at != (swing, since_s):
            self._at, self._values = (swing, since_s), self._basis(swing, since_s) @ self._value
        return self._values

    def angles(self, swing: str, since_s: float) -> np.ndarray:
        """What `ANGLES` are drawn to (9,) [rad]."""
        return self._now(swing, since_s)[:len(ANGLES)]

    def turns(self, swing: str, since_s: float) -> dict[str, np.ndarray]:
        return self._by_name(self._now(swing, since_s))

    def whole(self, since_s: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """All angles (9,) and turns, so long after the left foot came down, however long that is."""
        values = basis_at(self._curves.touch_left + since_s / self._curves.period_s, self._harmonics) @ self._value
        return values[:len(ANGLES)], self._by_name(values)

    def going(self, swing: str) -> list[float]:
        """How much faster than evenly the pelvis goes as a step begins [m/s], forward, to the left and up."""
        begins = self._curves.begins(swing)[0]
        return [float(basis_at(begins, len(one) // 2) @ derivative_of(np.array([one]))[0]) / self._curves.period_s
                for one in self._curves.place]

    def rates(self, swing: str, since_s: float, slow: float) -> Rates:
        """How fast all of that moves where a cycle takes `slow` times as long; a step that has run out stands still."""
        _, takes = self._curves.begins(swing)
        if since_s >= LATEST * takes * self._curves.period_s:
            found = np.zeros(self._slope.shape[1])
        else:
            found = self._basis(swing, since_s) @ self._slope / (self._curves.period_s * slow)
        return Rates(found[:len(ANGLES)], self._by_name(found), self._now(swing, since_s)[len(ANGLES):TURNS])

    def _by_name(self, values: np.ndarray) -> dict[str, np.ndarray]:
        parts = values[TURNS:].reshape(-1, 3)
        return dict(zip(self._names, parts, strict=True))


Posed = tuple[np.ndarray, float]
"""What a joint of the upper body is drawn to: a rotation vector (3,) [rad], and how far on the way there from where it hangs."""
Arms = tuple[float, float]
"""How arms go that hang: their swing against the thighs, and the elbows' bend [rad]."""
HANGING: Arms = PoseGait.arm_swing, PoseGait.elbow


@dataclass(frozen=True)
class Manner:
    """What joints of the `upper` body, maybe the pelvis, are drawn to, how hanging `arms` go, and how fast targets move."""

    upper: Mapping[str, Posed] = field(default_factory=dict)
    arms: Arms = HANGING
    rates: Rates | None = None


PLAIN = Manner()


@dataclass
class _Entered:
    """A state that was entered, and what the targets were then, or when it was revised. `held_s` is how long trunk and upper
    body take from there to this state's: longer than legs do where the gait has changed."""

    at: int
    since_s: float
    from_: np.ndarray
    springs: np.ndarray
    upper: Mapping[str, Posed] = field(default_factory=dict)
    held_s: float = 0.0
    drawn_s: float = 0.0
    """How long after that the targets began to go from those to the state's."""
    in_air: bool = False
    """Whether the swinging foot has left the ground."""

    @property
    def drawn(self) -> float:
        """How long they have been on that way [s]."""
        return self.since_s - self.drawn_s


@dataclass
class _Blend:
    """The way from one gait to another within a time [s], from a time on."""

    before: PoseGait
    after: PoseGait
    began_s: float
    over_s: float


class Machine:
    """The states of a gait one after the other. `slow` is how many times longer they last than on Earth on standard legs. Where
    it becomes another gait, legs are drawn to the other one's poses at once, within `ramp_s`; what carries no weight (arms, what
    is posed of the upper body, the trunk's lean, by how much more speed is asked for) goes over within `change_s`."""

    def __init__(self, gait: PoseGait, slow: float, ramp_s: float, touch_s: float, change_s: float = 0.0) -> None:
        self._own_ramp_s, self._own_touch_s, self._own_change_s = ramp_s, touch_s, change_s
        self.slow_to(slow)
        self.switches = self.steps = self.crossed = 0
        self.waits = False  # stay in the first state, however long it lasts
        self.time_s = 0.0
        self.changed: list[tuple[float, str]] = []
        self._stepped_s: list[float] = []
        self._coming: PoseGait | None = None
        self._blend: _Blend | None = None
        self._curves: PoseCurves | None = None
        self.along: Along | None = None
        self._set(gait)
        self._changed_s, self._manner_before = -np.inf, self._own_manner
        self._entered = _Entered(0, 0.0, self._goals[0].copy(), self._springs[0])

    def slow_to(self, slow: float) -> None:
        """From now on states last so many times longer than on Earth on standard legs."""
        self._slow, self._ramp_s, self._touch_s = slow, self._own_ramp_s * slow, self._own_touch_s * slow
        self._change_s = self._own_change_s * slow

    def _set(self, gait: PoseGait) -> None:
        self.gait, self.states = gait, gait.cycle
        self._goals = [targets_of(state) for state in self.states]
        self._springs = [springs_of(state, gait) for state in self.states]
        self._uppers = [_uppers_of(state) for state in self.states]
        self._own_manner = np.array([gait.arm_swing, gait.elbow, gait.ahead_m_s])
        if gait.curves != self._curves:
            self._curves, self.along = gait.curves, None if gait.curves is None else Along(gait.curves)

    @property
    def at(self) -> int:
        return self._entered.at

    @property
    def state(self) -> PoseState:
        return self.states[self._entered.at]

    def begin(self, now: np.ndarray) -> None:
        """Begin in the gait's state to begin in, with the targets (9,) where the joints are."""
        at = self.gait.begins_in - 1
        self._entered = _Entered(at, 0.0, now.copy(), self._springs[at])

    def change_to(self, gait: PoseGait) -> None:
        """From the next change of state on it is another gait: from state n of one to state n + 1 of the other."""
        self._coming = gait

    def blend_to(self, gait: PoseGait, over_s: float) -> None:
        """From now on, evenly within a time [s], become another gait of the same states. Raises InputError for other states."""
        check_alike(self.gait, gait)
        self._blend, self._coming = _Blend(self.gait, gait, self.time_s, over_s), None

    def revise(self, gait: PoseGait) -> None:
        """It is another gait from now on: at once, where its legs swing as those of this one do, its targets on the way from
        where they are; else from the next change of state on."""
        if [state.swing for state in gait.cycle] != [state.swing for state in self.states]:
            self.change_to(gait)
            return
        before, upper, entered, manner, springs = self.targets(), self.upper(), self._entered, self._manner, self.springs()
        self._set(gait)
        self._coming = self._blend = None
        self._changed_s, self._manner_before = self.time_s, manner
        self._entered = _Entered(entered.at, entered.since_s, before, springs, upper, self._ramp_s, entered.since_s,
                                 entered.in_air)

    def send(self, gait: PoseGait) -> None:
        """Wait no longer in the first state: go through the others, as they are in a gait of as many."""
        before, upper, springs = self.targets(), self.upper(), self.springs()
        self._set(gait)
        self.waits = False
        self._entered = _Entered(0, math.inf, before, springs, upper)

    def hasten(self, seconds: float) -> None:
        """A state that lasts some time is nearer to its end by so much."""
        if self.state.lasts_s is not None:
            self._entered.since_s += seconds

    def advance(self, dt: float, touches: Mapping[str, bool], now: Callable[[], np.ndarray]) -> bool:
        """Let time pass [s]; `touches` says which feet are on the ground, `now` gives where thighs and joints are (9,), from
        which a leg that begins to swing is drawn. Returns whether the state changed."""
        self.time_s += dt
        self._entered.since_s += dt
        if self._blend is not None:
            self._go_over(self._blend)
        changed = False
        for _ in range(len(self.states)):
            state, since, touch = self.state, self._entered.since_s, touched(self.state, touches)
            self._entered.in_air |= not touch
            if state.lasts_s is None:
                over = since > self._least_s(state) and touch
            else:
                over = since >= state.lasts_s * self._slow - 1e-9 or (state.touch_ends and touch and self._entered.in_air)
            if (self.waits and self._entered.at == 0) or not over:
                break
            self._next(now)
            changed = True
        return changed

    def _go_over(self, blend: _Blend) -> None:
        share = 1.0 if blend.over_s <= 0.0 else min((self.time_s - blend.began_s) / blend.over_s, 1.0)
        self._set(interpolated(blend.before, blend.after, share))
        if share >= 1.0:
            self._blend = None
            self.changed.append((self.time_s, self.gait.name))

    def _least_s(self, state: PoseState) -> float:
        """After what time in a state a touch-down counts."""
        return self._touch_s if self.along is None else EARLIEST * self.along.step_s(state.swing) * self._slow

    def _next(self, now: Callable[[], np.ndarray]) -> None:
        before, upper, springs, was = self.targets(), self.upper(), self.springs(), self.state
        at = (self._entered.at + 1) % len(self.states)
        if self._coming is not None:
            manner, states, gait = self._manner, self.states, self._coming
            self._set(gait)
            self._coming = self._blend = None
            at = alike(states, at, self.states)
            self._changed_s, self._manner_before = self.time_s, manner
            self.crossed += 1
            self.changed.append((self.time_s, gait.name))
        held_s = max(self._own_way_s(self.states[at]), self._changed_s + self._change_s - self.time_s)
        self._entered = _Entered(at, 0.0, np.where(np.isnan(before), now(), before), springs, upper, held_s)
        self.switches += 1
        if self.state.swing != was.swing:
            self.steps += 1
            self._stepped_s.append(self.time_s)

    def _own_way_s(self, state: PoseState) -> float:
        """How long legs take to come to a state's pose."""
        return self._ramp_s if state.comes_s is None else state.comes_s * self._slow

    @property
    def _manner(self) -> np.ndarray:
        """Arm swing, elbows [rad] and the speed asked for beyond the wish [m/s], now."""
        since = self.time_s - self._changed_s
        if since >= self._change_s:
            return self._own_manner
        return self._manner_before + since / self._change_s * (self._own_manner - self._manner_before)

    @property
    def arms(self) -> Arms:
        swing, elbow, _ = self._manner.tolist()
        return swing, elbow

    @property
    def ahead_m_s(self) -> float:
        """How much more speed is to be asked for than is wished for, on Earth on standard legs."""
        return float(self._manner[2])

    @property
    def _goal(self) -> np.ndarray:
        """What this state draws to (9,) [rad]."""
        goal, along = self._goals[self._entered.at], self.along
        return goal if along is None else goal + along.angles(self.state.swing, self._entered.since_s / self._slow)

    def upper(self) -> Mapping[str, Posed]:
        """What joints of the upper body are drawn to now, of those that the state names, or that go back to hanging."""
        goal, entered = self._uppers[self._entered.at], self._entered
        if self.along is not None:
            turns = self.along.turns(self.state.swing, entered.since_s / self._slow)
            goal = {**{name: (vector, 1.0) for name, vector in turns.items()}, **goal}
        share = _come(entered.drawn, entered.held_s)
        if share >= 1.0:
            return goal
        found = {}
        for name in goal.keys() | entered.upper.keys():
            vector, posed = goal[name] if name in goal else (entered.upper[name][0], 0.0)
            was, was_posed = entered.upper.get(name, (vector, 0.0))
            found[name] = vector + (1.0 - share) * (was - vector), posed + (1.0 - share) * (was_posed - posed)
        return found

    def manner(self) -> Manner:
        return Manner(self.upper(), self.arms, self.rates())

    def rates(self) -> Rates | None:
        """How fast curves move what is drawn to them; None for a gait of poses, which stand still."""
        if self.along is None:
            return None
        found = self.along.rates(self.state.swing, self._entered.since_s / self._slow, self._slow)
        for name in self._uppers[self._entered.at]:
            found.turns.pop(name, None)  # the state's own pose, which stands still
        return found

    @property
    def step_s(self) -> float | None:
        """How long a step has lasted, the median of all but the first two; None before there are three."""
        return float(np.median(np.diff(self._stepped_s[1:]))) if len(self._stepped_s) > 3 else None

    def springs(self) -> np.ndarray:
        """Springs and dampings of `SPRUNG` over the settings' (2, 4), on their way as targets are."""
        goal, share = self._springs[self._entered.at], _come(self._entered.drawn, self._own_way_s(self.state))
        return goal if share >= 1.0 else self._entered.springs + share * (goal - self._entered.springs)

    def targets(self) -> np.ndarray:
        """What the joints are drawn to now (9,) [rad], on the way from the state before to this one's."""
        goal, entered = self._goal, self._entered
        share, held = _come(entered.drawn, self._own_way_s(self.state)), _come(entered.drawn, entered.held_s)
        if share >= 1.0 and held >= 1.0:
            return goal
        now = entered.from_ + share * (goal - entered.from_) if share < 1.0 else goal.copy()
        if held < share:
            now[ROW["torso"]] = entered.from_[ROW["torso"]] + held * (goal[ROW["torso"]] - entered.from_[ROW["torso"]])
        return now


def _come(since_s: float, over_s: float) -> float:
    """How far something has come on its way that takes a time [s]."""
    return 1.0 if over_s <= 0.0 else min(since_s / over_s, 1.0)


def _uppers_of(state: PoseState) -> dict[str, Posed]:
    shares = state.upper_share or {}
    return {name: (np.array(vector), shares.get(name, 1.0)) for name, vector in (state.upper or {}).items()}


FEWEST = 4
"""Samples that a thin-plate spline over the plane needs; with fewer the nearest one counts."""
STILL = 0.15
"""Below this share of a push's speed nobody was pushed."""
RISE_M_S = 0.1
"""After its steps it steps again only where it has become faster by this since: two feet take out what is left."""


class Catcher:
    """Watches the centre of mass while a machine waits in its first state, and sends it off. The gait's first state stands on
    both feet; its first step is the right foot's, of which the left one's is the mirror image."""

    def __init__(self, gait: PoseGait) -> None:
        if gait.catching is None:
            raise ValueError("A gait that catches nobody needs no catcher.")
        self.gait, self._catching = gait, gait.catching
        samples = np.array(self._catching.samples, dtype=float).reshape(len(self._catching.samples), -1)
        self._at, self._offsets = samples[:, :2], samples[:, 2:]
        self._spline = None
        if len(samples) >= FEWEST and np.linalg.matrix_rank(self._at - self._at[0], tol=1e-6) == 2:
            from scipy.interpolate import RBFInterpolator  # loads for a fifth of a second, and few gaits catch

            self._spline = RBFInterpolator(self._at, self._offsets, kernel="thin_plate_spline")
        self._felt_s: float | None = None
        self._least_m_s = 0.0  # since the last steps

    def go(self, machine: Machine, velocity: complex, heading: float, dt: float, scale: Scale) -> None:
        """Let time pass [s]; where the machine waits and the body's velocity [m/s] was too high for long enough, it steps."""
        machine.waits = machine.at == 0
        velocity *= cmath.rect(1.0 / scale.speed, -heading)
        speed = abs(velocity)
        if not machine.waits:
            self._felt_s, self._least_m_s = None, speed
            return
        self._least_m_s = min(self._least_m_s, speed)
        if self._felt_s is None:
            self._felt_s = 0.0 if speed > STILL * self._catching.from_m_s else None
        else:
            self._felt_s += dt
        if speed < STILL * self._catching.from_m_s:
            self._felt_s, self._least_m_s = None, 0.0
        elif (self._felt_s is not None and self._felt_s >= self._catching.reaction_s and speed > self._catching.from_m_s
              and speed > self._least_m_s + RISE_M_S):
            machine.send(self.gait_for(velocity))

    def gait_for(self, velocity: complex) -> PoseGait:
        """The gait whose steps catch a body of a velocity [m/s], as on Earth on standard legs."""
        first = "R" if velocity.imag >= 0.0 else "L"
        away = np.array([[velocity.real, abs(velocity.imag)]])
        if self._spline is not None:
            offsets = self._spline(away)[0]
        else:
            offsets = self._offsets[int(np.argmin(np.linalg.norm(self._at - away, axis=1)))]
        gait = self.gait if first == "R" else other_side(self.gait)
        states, step = [gait.states[0]], -1
        for before, state in zip(gait.states, gait.states[1:], strict=False):
            step += state.swing != before.swing or step < 0
            ahead, out = offsets[2 * min(step, len(offsets) // 2 - 1):][:2].tolist()
            states.append(replace(state, swing_hip=_within(state.swing_hip + ahead, -0.4, 1.6),
                                  swing_hip_outward=_within(state.swing_hip_outward + out, -0.6, 0.6)))
        return replace(gait, states=tuple(states), catching=None)


def other_side(gait: PoseGait) -> PoseGait:
    states = tuple(replace(state, swing=OTHER[state.swing], upper=mirrored(state.upper)) for state in gait.states)
    return replace(gait, states=states, catching=None)


def _within(angle: float, low: float, high: float) -> float:
    return min(max(angle, low), high)
