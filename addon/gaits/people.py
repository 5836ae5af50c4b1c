# SPDX-License-Identifier: GPL-3.0-or-later
"""How people go under other gravities: laws of gravity (and of the leg's length), each with its source, its spread, and a word
where it is a guess (docs/notes/people.md). Gravity is counted in Earth's, x. At x = 1 every law is the similar gait's: so a child
or a giant is scaled by leg length there, and gravity's exponents act on that."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..specs.motion import SLIDERS, Style
from ..specs.shot import EARTH_GRAVITY_M_S2
from .froude import GaitVariables, ReferenceGait, froude_number, predict

LEAST_G = 0.1
"""Below it nobody has measured a gait: from there on down every law goes as dynamic similarity with what it gives here."""
SPEED_EXPONENT = 0.3
"""Of gravity in the speed of a walk, below Earth's. A compromise: 0.94 m/s at 0.4 g, where walking costs least outer work
(Cavagna, Willems and Heglund 1998, on parabolic flights), and some 0.6 m/s in the suits on the Moon ask for 0.3 to 0.5; Abe et
al. saw the chosen speed rise at 0.7 g on springs. Anything from below 0 to 0.5 can be read out of what there is."""
HEAVY_SPEED_EXPONENT = 0.2
"""The same above Earth's gravity: a guess, less than similarity's 0.5, as effort at constant speed grows with gravity."""
SUITED_SPEED = 0.8
"""Share of that speed kept in a space suit: a guess that leads to the 0.6 m/s of the Apollo crews' walk (a secondary source)."""
DUTY_SPEED_EXPONENT = -0.10
"""Of speed in the duty factor of a walk: about 0.68 at 0.5 m/s, 0.62 at 1.3, 0.59 at 2.0 on Earth (a fit of ours)."""
DUTY_GRAVITY_EXPONENT = 0.076
"""Of gravity in it: 10 % less at a quarter of the gravity (Donelan and Kram 1997, harness); above Earth's a guess."""
DUTY_RANGE = (0.53, 0.72)
"""Least and largest duty factor of a walk that is planned: under the first there is hardly a double support left."""
POLET_EXPONENT = 0.3
"""Of gravity in the height of flights over the similar gait's, below Earth's. Runners' flights were lower than on Earth at
every one of five simulated gravities from 0.15 to 1 g, their vertical speed nearly as the root of gravity (Polet et al. 2018, on
a treadmill, the trunk in a harness): the direction is measured, 0.3 a guess; 0 would keep the Earth's height. Above Earth's
gravity flights stay similar, shorter as at 1.3 g (Cavagna et al. 2005)."""
FLIGHT_EXPONENT = -0.2
"""The same of who runs free, from leg to leg: taste. The Apollo crews' films show leaps that those flights are not; with this
one a lope on the Moon rises by 6 cm after its toes have left; at -0.38 it rose by 9, and a figure with a large head fell.
Pushes on both feet keep what was measured: legs that swing forward together for longer would turn the trunk over."""
TUNED_WITHIN = 0.05
"""How far the frequency may be off that with which foot maps were tuned: further off they cost more effort than none."""

LEAN_DEG, MOST_LEAN_DEG = 5.5, 12.0
"""Lean of the trunk [deg] for each factor e of gravity below Earth's, and the most: taste, after pictures of the Apollo crews."""
FLIGHT_LEAN = 0.3
"""Share of it in gaits with flight: taste. A trunk that leans far ahead of the hips leaves no room to push behind them."""
LIGHT_G = (1.0 / 6.0, 0.25, 0.38, 0.5, 1.0)
LIFT_LEGS = (0.023, 0.012, 0.011, 0.0, 0.0)
BOUNCE = (0.5, 0.6, 0.75, 0.85, 1.0)
CROUCH_LEGS = (0.023, 0.017, 0.011, 0.006, 0.0)
ARM_SWING = (0.85, 0.88, 0.92, 0.95, 1.0)
ARM_SPREAD_DEG = (16.0, 13.0, 10.0, 6.0, 0.0)
HEEL_STRIKE = (0.5, 0.6, 0.75, 0.85, 1.0)
SWAY_DEG = (5.5, 4.0, 2.5, 1.5, 0.0)
"""What a walk, and of the arms a gait with flight too, adds by gravity (`LIGHT_G`, linear over its logarithm): lift of the
swinging foot over leg length (foot paths changed by less than 30 % down to 0.05 g: Ivanenko et al. 2002), rise and fall of the
body, crouch over leg length (stretched legs would make so brisk a walk bounce: without it peak forces on the Moon were 4.8 m g
instead of 2.5), swing of the arms and how far they are held out, how far the toes are up at landing (at 0.05 g only the
forefoot was in contact: the same), and how far the trunk leans away from the standing leg: a slow pendulum hardly sways, so the
pelvis goes over that leg by itself. The values are taste; effort hardly tells them apart."""
HEAVY_CROUCH_LEGS, HEAVY_WIDTH_LEGS, HEAVY_LEAN_DEG, HEAVY_ARM_SWING, HEAVY_MOST_G = 0.027, 0.035, 2.5, 0.42, 3.0
"""What a walk adds for each doubling of gravity above Earth's: crouch and step width over leg length, lean, and swing taken off
the arms: taste. At 2.5 g crouch, width and arms cost no effort, 8 degrees of lean 17 %."""

SAG_FROM_G, SAG_DEG, MOST_SAGS = 1.3, {"neck": 7.0, "head": 6.0, "clavicle": 5.0}, 2.0
"""Above how many g head and shoulders sag, by how much [deg] for each doubling beyond it, and for how many doublings: taste."""


def sag_deg(gravity_m_s2: float) -> dict[str, float]:
    """How far neck and head bend forward and the shoulders hang there [deg]; nothing on Earth and below it."""
    doublings = min(max(math.log2(in_g(gravity_m_s2) / SAG_FROM_G), 0.0), MOST_SAGS)
    return {name: doublings * angle for name, angle in SAG_DEG.items()} if doublings else {}


def in_g(gravity_m_s2: float) -> float:
    """Gravity over Earth's, as far down as the laws go."""
    return max(gravity_m_s2 / EARTH_GRAVITY_M_S2, LEAST_G)


def _beyond(gravity_m_s2: float) -> float:
    """Speeds and frequencies under a gravity over those at `LEAST_G`, where it is less than that; 1 elsewhere."""
    return math.sqrt(min(gravity_m_s2 / EARTH_GRAVITY_M_S2 / LEAST_G, 1.0))


def walking_speed(earth_speed_m_s: float, gravity_m_s2: float, suited: bool = False) -> float:
    """Speed [m/s] at which people walk of their own choice whose speed on Earth is `earth_speed_m_s`."""
    x = in_g(gravity_m_s2)
    speed = earth_speed_m_s * x ** (SPEED_EXPONENT if x < 1.0 else HEAVY_SPEED_EXPONENT) * _beyond(gravity_m_s2)
    return SUITED_SPEED * speed if suited else speed


def walking_duty_factor(earth_duty_factor: float, speed_ratio: float, gravity_m_s2: float) -> float:
    """Duty factor of a walk at `speed_ratio` times its own speed on Earth, where it is `earth_duty_factor`."""
    free = earth_duty_factor * speed_ratio**DUTY_SPEED_EXPONENT * in_g(gravity_m_s2) ** DUTY_GRAVITY_EXPONENT
    return min(max(free, DUTY_RANGE[0]), DUTY_RANGE[1])


class ReferenceWalk(ReferenceGait, Protocol):
    """What `predict_walk` needs to know of a walk where it was captured."""

    @property
    def reference_duty_factor(self) -> float: ...


def predict_walk(
    cycle: ReferenceWalk, leg_length_m: float, gravity_m_s2: float, speed_m_s: float | None = None,
    stride_frequency_hz: float | None = None, *, cadence_exponent: float = 0.0, suited: bool = False,
) -> GaitVariables:
    """Variables of a body that walks as `cycle` did on Earth. Below Earth's gravity the frequency is Earth's at that speed times
    x^`cadence_exponent`; above it similarity's: the Earth's makes ever longer strides, 17 % dearer at 2.5 g."""
    own = predict(cycle, leg_length_m, EARTH_GRAVITY_M_S2).speed_m_s
    speed = walking_speed(own, gravity_m_s2, suited) if speed_m_s is None else float(speed_m_s)
    light, beyond = gravity_m_s2 < EARTH_GRAVITY_M_S2, _beyond(gravity_m_s2)
    if stride_frequency_hz is not None:
        frequency = float(stride_frequency_hz)
    elif light:
        frequency = predict(cycle, leg_length_m, EARTH_GRAVITY_M_S2, speed / beyond).stride_frequency_hz
        frequency *= in_g(gravity_m_s2) ** cadence_exponent * beyond
    else:
        frequency = predict(cycle, leg_length_m, gravity_m_s2, speed).stride_frequency_hz
    return GaitVariables(leg_length_m, speed, frequency, froude_number(speed, gravity_m_s2, leg_length_m),
                         duty_factor=walking_duty_factor(cycle.reference_duty_factor, speed / beyond / own, gravity_m_s2))


@dataclass(frozen=True)
class StrideChange:
    """Time and length of a stride over what they are on Earth."""

    time: float
    length: float


def stride_change(gravity_m_s2: float) -> StrideChange:
    """Of whoever walks at the speed that he chooses there."""
    own = _Own()
    here, there = (predict_walk(own, own.leg_length_m, gravity) for gravity in (EARTH_GRAVITY_M_S2, gravity_m_s2))
    return StrideChange(here.stride_frequency_hz / there.stride_frequency_hz, there.stride_length_m / here.stride_length_m)


def flight_height(gravity_m_s2: float, measured: bool = True) -> float:
    """Height of flights over the similar gait's, as `measured` or as seen."""
    return min(in_g(gravity_m_s2), 1.0) ** (POLET_EXPONENT if measured else FLIGHT_EXPONENT)


def goes_as_tuned(gravity_m_s2: float, flies: bool) -> bool:
    """Whether a gait of free choice is near enough to the similar one for foot maps that were tuned with that."""
    if flies:
        return abs(flight_height(gravity_m_s2) - 1.0) <= TUNED_WITHIN
    own = _Own()
    people = predict_walk(own, own.leg_length_m, gravity_m_s2).stride_frequency_hz
    return abs(people / predict(own, own.leg_length_m, gravity_m_s2).stride_frequency_hz - 1.0) <= TUNED_WITHIN


@dataclass(frozen=True)
class _Own:
    """A gait of unit sizes, for ratios."""

    leg_length_m: float = 1.0
    speed_m_s: float = 1.0
    stride_frequency_hz: float = 1.0
    reference_duty_factor: float = 0.6


@dataclass(frozen=True)
class Carriage:
    """What a gravity adds to the style's sliders: lean and spread of the arms [deg], crouch, width and lift over leg length, and
    factors on the arms' swing, on rise and fall, and on the heel strike. The trunk leans off the standing leg by `sway_deg`."""

    lean_deg: float = 0.0
    arm_spread_deg: float = 0.0
    crouch_legs: float = 0.0
    width_legs: float = 0.0
    lift_legs: float = 0.0
    arm_swing: float = 1.0
    bounce: float = 1.0
    heel_strike: float = 1.0
    sway_deg: float = 0.0


def carriage(gravity_m_s2: float, flies: bool) -> Carriage:
    """How people are thought to carry themselves there: taste, not measurement."""
    x = in_g(gravity_m_s2)
    if x >= 1.0:
        if flies:
            return Carriage()
        doublings = math.log2(min(x, HEAVY_MOST_G))
        return Carriage(HEAVY_LEAN_DEG * doublings, crouch_legs=HEAVY_CROUCH_LEGS * doublings,
                        width_legs=HEAVY_WIDTH_LEGS * doublings, arm_swing=1.0 - HEAVY_ARM_SWING * doublings)
    lean = min(-LEAN_DEG * math.log(x), MOST_LEAN_DEG)
    spread, arms = (float(np.interp(math.log(x), np.log(LIGHT_G), row)) for row in (ARM_SPREAD_DEG, ARM_SWING))
    if flies:
        return Carriage(FLIGHT_LEAN * lean, spread, arm_swing=arms)
    rows = (LIFT_LEGS, BOUNCE, CROUCH_LEGS, HEEL_STRIKE, SWAY_DEG)
    lift, bounce, crouch, heel, sway = (float(np.interp(math.log(x), np.log(LIGHT_G), row)) for row in rows)
    return Carriage(lean, spread, crouch, lift_legs=lift, arm_swing=arms, bounce=bounce, heel_strike=heel,
                    sway_deg=sway)


def carried_style(style: Style, gravity_m_s2: float, leg_length_m: float, flies: bool, load_lean_deg: float = 0.0) -> Style:
    """A style whose sliders count from the planet's carriage on, each within its range. The planet's lean is for a body that does
    not lean yet: `load_lean_deg` is what a load on the back has it lean anyway."""
    own, share = carriage(gravity_m_s2, flies), style.carriage

    def factor(value: float) -> float:
        return max(1.0 + share * (value - 1.0), 0.0)

    wishes = {
        "trunk_lean_deg": style.trunk_lean_deg + share * max(own.lean_deg - max(load_lean_deg, 0.0), 0.0),
        "arm_spread_deg": style.arm_spread_deg + share * own.arm_spread_deg,
        "step_width_m": style.step_width_m + share * own.width_legs * leg_length_m,
        "crouch_m": style.crouch_m + share * own.crouch_legs * leg_length_m,
        "foot_lift_m": style.foot_lift_m + share * own.lift_legs * leg_length_m,
        "arm_swing": style.arm_swing * factor(own.arm_swing),
        "bounce": style.bounce * factor(own.bounce),
        "heel_strike": style.heel_strike * factor(own.heel_strike),
    }
    return replace(style, **{name: float(np.clip(value, SLIDERS[name].low, SLIDERS[name].high))
                             for name, value in wishes.items()})
