# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait as a machine of key poses (Yin, Loken and van de Panne 2007, SIMBICON; sections of Yin 2007), with curves over its
cycle, steps that catch somebody who was pushed, and feedback-error learning: plain values that travel as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ..errors import InputError
from .settings import FIRST_GUESS, Checked, setting, settings_of

if TYPE_CHECKING:
    import numpy as np

ANGLES = ("torso", "hip_L", "hip_R", "outward_L", "outward_R", "knee_L", "knee_R", "ankle_L", "ankle_R")
"""What a machine of key poses draws to: trunk and thighs against the world, knees and ankles against the segment above."""
UPPER = ("lower_spine", "chest", "neck", "head", *(f"{part}_{side}" for side in "LR"
                                                   for part in ("clavicle", "upper_arm", "forearm", "hand")))
"""Joints of the upper body that a pose may draw to."""
TURNED = ("pelvis", *UPPER)
MOST_HARMONICS = 12
SERIES = Series(Number(-2.0 * math.pi, 2.0 * math.pi, "rad"))
EARLIEST, LATEST = 0.85, 1.25
"""A touch-down counts from the one on, and the curves run on to the other, of the time in which the step was made in the clip
(first guesses): the foot that begins to swing is still down, and one that finds no ground waits for it."""


@dataclass(frozen=True)
class PoseCurves(Checked):
    """Series over the phase of a cycle that lasts `period_s` on Earth on the standard body's legs: mean, cosines and sines of one
    and more times the phase [rad]. The right thigh is farthest forward at phase 0.25. `angles` has a series for each of `ANGLES`,
    with the meaning and the signs of a pose state's; `turns` three for each joint of the upper body that it names, the parts of a
    rotation vector against the segment above, and may have the pelvis' own against the heading, of which the part to the side is
    the torso's already. `touch_left` and `touch_right` are the phases at which the feet came down in the clip: the machine goes
    on from there whenever one comes down. `place` are series [m] of the pelvis' place forward and to the left of one that goes
    evenly, and over the ground, for the standard body: how it starts. `moments` [N m] of the standard body on Earth, for angles
    that it names, act towards more of the angle besides what draws there: what the motion asks for and a spring would give only
    by lagging behind. A thigh's acts while it swings."""

    WHOSE, FIELD = "The curves'", "field of a gait's curves"
    period_s: float = setting(rule=Number(0.1, 20.0, "s"))
    angles: dict[str, tuple[float, ...]] = setting(rule=Table(SERIES, "angle of a pose", ANGLES))
    turns: dict[str, tuple[tuple[float, ...], ...]] = setting(
        rule=Table(Series(SERIES, 3), "joint of the upper body", TURNED), factory=dict)
    touch_left: float = setting(0.0, 0.0, 1.0)
    touch_right: float = setting(0.5, 0.0, 1.0)
    place: tuple[tuple[float, ...], ...] = setting(((0.0,), (0.0,), (0.0,)), rule=Series(Series(Number(-2.0, 2.0, "m")), 3))
    moments: dict[str, tuple[float, ...]] = setting(rule=Table(Series(Number(-1000.0, 1000.0, "N m")), "angle of a pose", ANGLES),
                                                    factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        lacking = [name for name in ANGLES if name not in self.angles]
        if lacking:
            raise InputError(f"The curves of a pose gait lack {', '.join(lacking)}: each of {', '.join(ANGLES)} has a series.")
        for name, series in [*self.angles.items(), *self.moments.items(), *(("the pelvis' place", s) for s in self.place),
                             *((n, s) for n, three in self.turns.items() for s in three)]:
            if len(series) % 2 == 0 or len(series) > 2 * MOST_HARMONICS + 1:
                raise InputError(f"The curve of {name} has {len(series)} coefficients: it has a mean and as many cosines as sines"
                                 f", at most {MOST_HARMONICS} of each.")
        if not 0.1 < (self.touch_right - self.touch_left) % 1.0 < 0.9:
            raise InputError(f"The curves' feet come down at the phases {self.touch_left:g} and {self.touch_right:g}: there must "
                             "be a tenth of a cycle between them at least.")

    def begins(self, swing: str) -> tuple[float, float]:
        """The phase at which a leg's step begins, as the other foot comes down, and how much of the cycle it takes."""
        first, last = (self.touch_left, self.touch_right) if swing == "R" else (self.touch_right, self.touch_left)
        return first, (last - first) % 1.0

    def matrix(self) -> tuple[np.ndarray, tuple[str, ...]]:
        """Coefficients (C, 2 H + 1) of `ANGLES`, of their moments, and then of the turns' parts, as `maths.periodic` has them,
        and the turns' names."""
        import numpy as np

        names = tuple(self.turns)
        rows = [self.angles[name] for name in ANGLES] + [self.moments.get(name, (0.0,)) for name in ANGLES]
        rows += [part for name in names for part in self.turns[name]]
        most = max((len(row) - 1) // 2 for row in rows)
        found = np.zeros((len(rows), 2 * most + 1))
        for row, series in zip(found, rows, strict=True):
            h = (len(series) - 1) // 2
            row[:h + 1], row[most + 1:most + 1 + h] = series[:h + 1], series[h + 1:]
        return found, names


SAMPLE = 4
"""Numbers of a sample before the offsets of a second step."""


@dataclass(frozen=True)
class Catching(Checked):
    """A gait that waits in its first state, standing on both feet, until a push, then goes once through its others. It was pushed
    when its centre of mass goes faster than `from_m_s` on Earth on standard legs; `reaction_s` later it steps, the first foot the
    one that the push unloads. Each of `samples` is a velocity of the centre of mass then, ahead and away from that foot [m/s],
    and what the swinging thigh is turned more, ahead and outward [rad], in the first step, the second, and so on; between samples
    go thin-plate splines."""

    WHOSE, FIELD, SOURCE = "The catching's", "field of a catching", "Yin 2007, section 6.3"
    samples: tuple[tuple[float, ...], ...] = setting(rule=Series(Series(Number(-10.0, 10.0, "m/s and rad"))))
    from_m_s: float = setting(0.3, 0.0, 5.0, "m/s", words="speed of a push", source="found by hand: less is taken in place")
    reaction_s: float = setting(0.2, 0.0, 2.0, "s", words="reaction delay")


TRUNK, UPPER_BODY, LEGS = LEARNING_PARTS = "trunk", "upper", "legs"
"""What may learn: the moment that holds the pelvis, the joints above it, and the legs (for gaits made from clips)."""
THESIS = "Yin 2007, section 7.6"
MOST_BINS = 1000


@dataclass(frozen=True)
class Learning(Checked):
    """Torques are learned while it goes: over the time of each leg's step, in as many even `bins`, a torque grows by `rate` times
    the mean of what feedback had to give there, once a step, to at most what the joint's spring gives at `most_rad`."""

    WHOSE, FIELD, SOURCE = "The learning's", "field of a learning", THESIS
    joints: tuple[str, ...] = setting((TRUNK, UPPER_BODY), rule=Series(Choice("part that learns", LEARNING_PARTS)))
    rate: float = setting(0.1, 0.0, 1.0)
    bins: int = setting(36, rule=Whole(1, MOST_BINS), source="measured: docs/notes/feedback-error-learning.md")
    most_rad: float = setting(0.2, 0.0, 2.0, "rad", words="most torque over the spring")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.joints:
            raise InputError(f"A learning without joints learns nothing: name some of {', '.join(LEARNING_PARTS)}, or leave "
                             "it out.")


@dataclass(frozen=True)
class Learned(Checked):
    """Torques over the steps of a cycle, of a symmetric gait those of its first half: `step_s` is how long each lasts, `bins` in
    how many even parts, and `torque_nm` has the values of all bins of all steps by name: the trunk's and balls' about the axes
    of pelvis and segment (`trunk_y`, `chest_x`), hinges' by their segment (`forearm_L`). On Earth for the standard body."""

    WHOSE, FIELD = "The learned torques'", "field of learned torques"
    step_s: tuple[float, ...] = setting(rule=Series(Number(0.01, 20.0, "s")), words="durations of the steps")
    bins: int = setting(rule=Whole(1, MOST_BINS))
    torque_nm: dict[str, tuple[float, ...]] = setting(rule=Table(Series(Number(-2000.0, 2000.0, "N m"))), words="torque")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, values in self.torque_nm.items():
            if len(values) != self.bins * len(self.step_s):
                raise InputError(f"The learned torque {name} has {len(values)} values: {len(self.step_s)} steps of {self.bins} "
                                 f"bins need {self.bins * len(self.step_s)}.")


@dataclass(frozen=True)
class Reaction(Checked):
    """What is soft tightens when something strikes: as soon as the trunk is `startle_rad` away from where it is drawn, and after
    the `delay_s` that a nerve takes, the springs of trunk and upper body are `firmness` times as strong for `lasts_s`, up to
    full firmness."""

    WHOSE, FIELD, SOURCE = "The reaction's", "field of a reaction", FIRST_GUESS
    delay_s: float = setting(0.15, 0.0, 2.0, "s", words="delay", source=THESIS)
    lasts_s: float = setting(1.0, 0.0, 20.0, "s", words="duration")
    firmness: float = setting(2.0, 0.1, 5.0)
    startle_rad: float = setting(0.1, 0.0, 1.5, "rad", words="startle")


ONE, BOTH, NEITHER = "one", "both", "neither"
STANDS = (ONE, BOTH, NEITHER)
"""Which legs stand, and so carry the trunk: the one that does not swing, both of them, or neither, in a flight."""
TOUCHES = ("swing", "stance", "any")
"""Whose touch-down ends a state that lasts until one."""
ANGLE_RAD = math.pi
MOST_STATES = 16
LANDS = 0.6
"""A foot does not come down on a leg that reaches less than this share of the standing one, wherever its thigh is turned."""
PARTS = "start", "curves", "learning", "learned", "reaction", "catching"
"""Fields of a gait that are tables of their own in its file."""
Value = TypeVar("Value")
MOTION = Series(Number(-100.0, 100.0, "rad and rad/s"), 2)
"""An angle and its rate."""


@dataclass(frozen=True)
class PoseState(Checked):
    """One state: how long it lasts on Earth for the standard body's legs, None until the swinging foot touches the ground, and
    the pose that the body is drawn to meanwhile. Angles [rad]: thighs and trunk against the world, a thigh forward and outward,
    the trunk back positive; knees and ankles against the segment above, a knee bent and an ankle with its toes down negative. The
    balance feedback turns the swinging thigh, and the standing foot, by `cd` times how far the pelvis is ahead of the standing
    ankle [rad/m] and `cv` times its speed beyond the one asked for [rad s/m]; the same to the side. Where neither leg `stands`
    both thighs are drawn, the one that stood before to `stance_hip`, and the feedback turns both; distances are then, and where
    both stand, from the middle of the ankles. `touch` is the foot whose touch-down is waited for: the swinging one, the other
    one, as in a hop, or any. `upper` are rotation vectors [rad] of joints of the upper body against the segment above, in the
    body's neutral axes; those that are not named hang, and arms swing. `swing_ankle_cd` stretches the foot that is about to swing
    by how far the pelvis is ahead of it: it pushes off as much as it has strode, and not at all from a standstill. The pose is
    come to in `comes_s` on Earth, None in the settings' time. A state of some time with `touch_ends` ends where the swinging
    foot, having left the ground, meets it again too soon. Springs of knees and ankles, and their dampings, are those of the
    settings so many times. `upper_share` says of some of them how far they are on the way from hanging to posed; the rest are
    posed."""

    WHOSE, FIELD = "A pose state's", "field of a pose state"
    lasts_s: float | None = setting(None, rule=Maybe(Number(0.0, 10.0, "s")), words="duration")
    swing: str = setting("", rule=Choice("swinging leg", ("", "L", "R")))
    torso: float = setting(0.0, -1.5, 1.5, "rad", words="trunk's lean")
    swing_hip: float = setting(0.0, -2.0, 2.6, "rad", words="swinging thigh's angle")
    swing_hip_outward: float = setting(0.0, -0.8, 0.8, "rad", words="swinging thigh's angle outward")
    swing_knee: float = setting(0.0, -2.7, 0.0, "rad", words="swinging knee's angle")
    swing_ankle: float = setting(0.0, -1.7, 1.7, "rad", words="swinging ankle's angle")
    stance_knee: float = setting(0.0, -2.7, 0.0, "rad", words="standing knee's angle")
    stance_ankle: float = setting(0.0, -1.7, 1.7, "rad", words="standing ankle's angle")
    cd: float = setting(0.5, -5.0, 5.0, "rad/m", words="gain of the distance, forward")
    cv: float = setting(0.2, -5.0, 5.0, "rad s/m", words="gain of the speed, forward")
    cd_outward: float = setting(0.5, -5.0, 5.0, "rad/m", words="gain of the distance, to the side")
    cv_outward: float = setting(0.2, -5.0, 5.0, "rad s/m", words="gain of the speed, to the side")
    ankle_cd: float = setting(0.0, -5.0, 5.0, "rad/m", words="standing ankle's gain of the distance, forward")
    ankle_cv: float = setting(0.0, -5.0, 5.0, "rad s/m", words="standing ankle's gain of the speed, forward")
    ankle_cd_outward: float = setting(0.0, -5.0, 5.0, "rad/m", words="standing ankle's gain of the distance, to the side")
    ankle_cv_outward: float = setting(0.0, -5.0, 5.0, "rad s/m", words="standing ankle's gain of the speed, to the side")
    swing_ankle_cd: float = setting(0.0, -10.0, 10.0, "rad/m", words="swinging ankle's gain of the distance, forward")
    comes_s: float | None = setting(None, rule=Maybe(Number(0.0, 10.0, "s")), words="time in which the pose is come to")
    touch_ends: bool = setting(False)
    swing_knee_spring: float = setting(1.0, 0.0, 5.0, words="swinging knee's spring")
    swing_ankle_spring: float = setting(1.0, 0.0, 5.0, words="swinging ankle's spring")
    stance_knee_spring: float = setting(1.0, 0.0, 5.0, words="standing knee's spring")
    stance_ankle_spring: float = setting(1.0, 0.0, 5.0, words="standing ankle's spring")
    upper: dict[str, tuple[float, float, float]] | None = setting(
        None, rule=Maybe(Table(Series(Number(-ANGLE_RAD, ANGLE_RAD, "rad"), 3), "joint of the upper body", UPPER)),
        words="upper body")
    upper_share: dict[str, float] | None = setting(
        None, rule=Maybe(Table(Number(0.0, 1.0), "joint of the upper body", UPPER)), words="share of the upper body's pose")
    stands: str = setting(ONE, rule=Choice("standing leg", STANDS))
    stance_hip: float = setting(0.0, -2.0, 2.6, "rad", words="other thigh's angle")
    stance_hip_outward: float = setting(0.0, -0.8, 0.8, "rad", words="other thigh's angle outward")
    touch: str = setting("swing", rule=Choice("touch-down", TOUCHES))


@dataclass(frozen=True)
class PlanarStart(Checked):
    """A state of the planar body of 90 kg on Earth in which a gait starts, with the right leg about to swing. Angles [rad] and
    their rates [rad/s] in pairs: the trunk against the world, the joints against the segment above, hips forward and the others
    as in a pose. `height_m` is the hips' over the ground."""

    WHOSE, FIELD = "A start's", "field of a planar start"
    height_m: float = setting(0.94, 0.0, 2.0, "m")
    forward_m_s: float = setting(0.0, -10.0, 10.0, "m/s")
    upward_m_s: float = setting(0.0, -10.0, 10.0, "m/s")
    torso: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)
    hip_L: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)
    knee_L: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)
    ankle_L: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)
    hip_R: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)
    knee_R: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)
    ankle_R: tuple[float, float] = setting((0.0, 0.0), rule=MOTION)


@dataclass(frozen=True)
class PoseGait(Checked):
    """The states of half a cycle, in which the right leg swings; the other half mirrors them. A gait that is not `symmetric` has
    all of its states, each of which says which leg swings. `speed_m_s` is its own speed on Earth on the standard body's legs,
    forward, and `sideways_m_s` to the left; the feedback asks for `ahead_m_s` more than is wished for, where a gait stays behind.
    Arms swing against the thighs by `arm_swing`, with elbows bent by `elbow` [rad]. A gait that goes before it slows down or
    speeds up until it is between the two of `enter_m_s`, then becomes this one. It starts standing, or going at `start_m_s` with
    the right thigh back and the left one forward by `start_spread` [rad]; on the planar body it may have a `start` of its own. It
    starts in the state `begins_in`, counted from 1. It turns by itself at `turn_rad_s` on Earth, to the left positive. Where the
    ground rises ahead, the swinging thigh and knee, both ankles and the trunk turn by their shares of the slope's angle;
    `slope_deg` is the slope that it was made for. With a `pace_s` it finds out by itself how much more speed to ask for so that
    it goes as fast as is wished for, about in that time on Earth. Dampings of knees and ankles are the settings' so many times.
    With `curves` the body is drawn along them, and a state is the whole step of its leg: its angles are added to the curves', and
    an upper body that it names takes the place of theirs. The springs that hold trunk and upper body are `firmness` times the
    controller's; `learning` learns torques on the way, `learned` are those that it starts with, and a `reaction` tightens what is
    soft when something strikes. One with a `catching` stands until it is pushed."""

    FIELD = "field of a pose gait"
    name: str = setting(rule=Text())
    summary: str = setting(rule=Text())
    source: str = setting(rule=Text())
    states: tuple[PoseState, ...] = setting(rule=Series(Part(PoseState), each="State {n} of the pose gait"))
    format: int = setting(1, rule=Whole(1))
    symmetric: bool = setting(True)
    speed_m_s: float = setting(0.0, -5.0, 10.0, "m/s")
    sideways_m_s: float = setting(0.0, -3.0, 3.0, "m/s")
    ahead_m_s: float = setting(0.0, -5.0, 5.0, "m/s")
    start_m_s: float = setting(0.0, -5.0, 10.0, "m/s", words="speed at the start")
    start_spread: float = setting(0.0, -0.6, 0.6, "rad", words="thighs' spread at the start")
    begins_in: int = setting(1, rule=Whole(1, MOST_STATES), words="state that it begins in")
    pace_s: float = setting(0.0, 0.0, 60.0, "s", words="time in which it corrects its speed")
    knee_damping: float = setting(1.0, 0.05, 5.0, words="knees' damping")
    ankle_damping: float = setting(1.0, 0.05, 5.0, words="ankles' damping")
    arm_swing: float = setting(0.4, -2.0, 2.0)
    elbow: float = setting(0.3, 0.0, 2.6, "rad")
    curves: PoseCurves | None = setting(None, rule=Maybe(Part(PoseCurves)))
    start: PlanarStart | None = setting(None, rule=Maybe(Part(PlanarStart)))
    enter_m_s: tuple[float, float] | None = setting(None, rule=Maybe(Series(Number(-10.0, 10.0, "m/s"), 2)),
                                                    words="speeds at which it can be changed to")
    turn_rad_s: float = setting(0.0, -2.0, 2.0, "rad/s", words="rate of turning")
    slope_deg: float = setting(0.0, -30.0, 30.0, "degrees", words="slope that it is made for")
    slope_hip: float = setting(0.0, -3.0, 3.0, words="swinging thigh's share of the slope")
    slope_knee: float = setting(0.0, -3.0, 3.0, words="swinging knee's share of the slope")
    slope_ankle: float = setting(0.0, -3.0, 3.0, words="ankles' share of the slope")
    slope_torso: float = setting(0.0, -3.0, 3.0, words="trunk's share of the slope")
    firmness: float = setting(1.0, 0.1, 3.0)
    learning: Learning | None = setting(None, rule=Maybe(Part(Learning)))
    learned: Learned | None = setting(None, rule=Maybe(Part(Learned)))
    reaction: Reaction | None = setting(None, rule=Maybe(Part(Reaction)))
    catching: Catching | None = setting(None, rule=Maybe(Part(Catching)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= len(self.states) <= MOST_STATES:
            raise InputError(f"The pose gait {self.name} has {len(self.states)} states: it needs 1 to {MOST_STATES}.")
        if all(state.lasts_s == 0.0 for state in self.states):
            raise InputError(f"The pose gait {self.name} never rests in a state, as each lasts 0 s: give one a time, or the "
                             "swinging foot's touch-down.")
        if self.begins_in > len(self.states):
            raise InputError(f"The pose gait {self.name} begins in state {self.begins_in}, but has {len(self.states)}: choose "
                             "one that there is.")
        if self.curves is not None and (len(self.states) != (1 if self.symmetric else 2)
                                        or any(state.lasts_s is not None for state in self.states)):
            raise InputError(f"The pose gait {self.name} has curves: then a state is the whole step of a leg, until its foot "
                             "touches the ground, so there is one of them, or one for each leg where it is not symmetric.")
        if self.catching is not None:
            check_catching(self, self.catching)
        low, high = self.enter_m_s or (0.0, 1.0)
        if low >= high:
            raise InputError(f"The pose gait {self.name} can be changed to between {low:g} and {high:g} m/s, which is no range: "
                             "give the slower speed first.")
        for i, state in enumerate(self.states):
            if self.curves is None and state.lasts_s is None and _reach(state.swing_knee) < LANDS * _reach(state.stance_knee):
                raise InputError(f"State {i + 1} of the pose gait {self.name} can never be left: it waits for the touch-down of "
                                 f"a foot that the swinging knee, bent by {-math.degrees(state.swing_knee):.0f} degrees, holds "
                                 "off the ground; straighten the knee, or give the state a time.")
            if self.symmetric and state.swing:
                raise InputError(f"State {i + 1} of the pose gait {self.name} says that the leg {state.swing} swings, but the "
                                 "gait is symmetric: leave that out, or list all of its states and say that it is not symmetric.")
            if not self.symmetric and not state.swing:
                raise InputError(f"State {i + 1} of the pose gait {self.name} does not say which leg swings: a gait that is not "
                                 "symmetric says it in every state, L or R.")

    @property
    def cycle(self) -> tuple[PoseState, ...]:
        if not self.symmetric:
            return self.states
        return (*(replace(state, swing="R") for state in self.states),
                *(replace(state, swing="L", upper=mirrored(state.upper), upper_share=_other_side(state.upper_share))
                  for state in self.states))


def check_catching(gait: PoseGait, catching: Catching) -> None:
    """Raises InputError for a gait that cannot wait for pushes, or whose samples are no steps."""
    first, *steps = gait.states
    if gait.symmetric or gait.begins_in != 1 or first.stands != BOTH or not steps or steps[0].swing != "R":
        raise InputError(f"The pose gait {gait.name} catches pushes: then it is not symmetric, begins in its first state, which "
                         "stands on both feet, and the right leg swings in its second.")
    sizes = {len(sample) for sample in catching.samples}
    if len(sizes) != 1 or min(sizes) < SAMPLE or min(sizes) % 2:
        raise InputError(f"The pose gait {gait.name} catches pushes by samples of 4, 6, 8 ... numbers each, all of one length: "
                         "two of a velocity [m/s], and two angles [rad] a step.")


def _reach(knee: float) -> float:
    """How far a leg reaches whose knee has an angle [rad], over its length; thigh and shank are alike."""
    return math.cos(0.5 * knee)


def mirrored(upper: Mapping[str, tuple[float, float, float]] | None) -> dict[str, tuple[float, float, float]] | None:
    other = _other_side(upper)
    return None if other is None else {name: (-x, y, -z) for name, (x, y, z) in other.items()}


def _other_side(values: Mapping[str, Value] | None) -> dict[str, Value] | None:
    if values is None:
        return None
    other = {"_L": "_R", "_R": "_L"}
    return {name[:-2] + other[name[-2:]] if name[-2:] in other else name: value for name, value in values.items()}


def pose_gait_file(gait: PoseGait) -> dict[str, Any]:
    """What a pose gait's file holds: all that is not as it is where nothing is said, and the poses."""
    def told(made: PoseGait | PoseState, always: tuple[str, ...]) -> dict[str, Any]:
        kind: type = type(made)
        return {name: getattr(made, name) for name, rule in settings_of(kind).items()
                if name not in ("states", *PARTS) and (name in always or getattr(made, name) != rule.default)}

    angles = ("lasts_s", "swing_hip", "swing_knee", "swing_ankle", "stance_knee", "stance_ankle")
    parts = {name: asdict(part) for name in PARTS if (part := getattr(gait, name)) is not None}
    return {**told(gait, ("format", "speed_m_s")), "states": [told(state, angles) for state in gait.states], **parts}
