# SPDX-License-Identifier: GPL-3.0-or-later
"""The contact schedule of a cycle, read off its contacts, and the clock that goes through it with the body's own flight. And the
settings of the running planner.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ....specs.settings import FIRST_GUESS, Checked, setting
from ...legged.pose import FootPhases


@dataclass(frozen=True)
class RunningSettings(Checked):
    """Rates marked "on Earth" scale with sqrt(g). Fractions of the ground phase count from the first foot's touch-down. What
    names no source is a first guess."""

    WHOSE, FIELD, SOURCE = "The run's", "running setting", FIRST_GUESS
    interval_s: float = 0.015  # Time from plan step to plan step [s]
    clearance_m: float = setting(0.012, 0.0, 0.3, "m", "Raise of the swing foot over the cycle's own path at mid swing")
    early_touch_down: float = 0.5  # Fraction of the flight, or of the swing, after which a loaded foot counts as landed
    hold_from: float = 0.85  # Fraction of the flight from which on the coming foothold stays where it is
    # Fraction of the ground phase up to which the vertical plan is made anew from the measured state; after it there is too
    # little time left to correct without great forces, and the plan is followed
    refit_until: float = 0.72
    peak_force_ratio: float = 1.2  # Greatest force that is planned, over the orbit's: a man's ankle gives little more
    # Distance of ankle from hip over the leg's length at touch-down, at most (see `landing`): a knee of some 35 degrees, softer
    # than a runner's 25, whose heel pad and sole take what this foot cannot (first guess (Novacheck 1998: 25 degrees))
    touch_down_reach: float = 0.95
    take_off_reach: float = 0.98  # The same when the foot leaves the ground
    # Largest distance of a swinging ankle from its hip over the leg's length: in the end, and when it has just left
    swing_reach: tuple[float, float] = (0.96, 1.01)
    # Greatest force of the orbit's ground phase over that of an even one: a leg that pushes off straighter than it landed
    uneven: float = 1.12
    # Centre of pressure at touch-down, over the ball's distance from the ankle (Cavanagh and Lafortune 1980: mid foot)
    cop_begin: float = 0.5
    cop_middle: float = 1.0  # The same in the middle of the foot's stance
    cop_end: float = 0.25  # Where the foot leaves the ground: fraction of the way from ball to tip
    # Largest shift of the centre of pressure forward or back within the foot, over the leg's length
    cop_forward_limit: float = 0.055
    cop_lateral_limit: float = 0.025  # The same to the sides
    toe_fraction: float = 0.25  # How far the centre of pressure may go from the ball towards the toes' tip: toes are weak
    edge_fraction: float = 0.7  # Fraction of the feet's width in which it stays: on an edge a foot rolls over
    cop_gain: float = setting(1.0, 0.0, 10.0, help="Fraction of a predicted error of the take-off velocity that the centre of "
                              "pressure corrects at once")
    velocity_kept: float = 0.15  # Fraction of an error of velocity that one ground phase leaves over for the next one
    deviation_limit: float = 0.30  # Largest deviation of a foothold from its place on the periodic orbit, over the leg's length
    lateral_fraction: float = 0.25  # Fraction of the cross-track error that is made good in one running step
    lateral_limit: float = 0.15  # Largest sideways velocity that is asked for that, over the gait's speed
    speed_fraction: float = 0.2  # Fraction of the last stride's lack of speed that is added to the speed asked for
    speed_limit: float = 0.2  # Largest such addition over the gait's speed
    speed_change: float = 0.2  # Most that the speed is changed by one running step where it has to change, over sqrt(g l)
    least_froude: float = 0.5  # Froude number of the slowest running steps on the way: people change to running near it
    lag_rate: float = 20.0  # Rate at which the pose catches up with a clock that an early landing has set forward, on Earth [1/s]
    # Largest acceleration of the reference pose's joints that is fed forward, on Earth [rad/s^2]
    acceleration_limit: float = 250.0
    active_height_m: float = 0.002  # A contact point lower than this touches, and may push [m]
    # Rates at which centroidal angular momentum is brought to what the coming flight needs: early on the ground, and before
    # take-off, on Earth [1/s]
    angular_momentum_rates: tuple[float, float] = (4.0, 20.0)

    def leaping(self, flight_height: float) -> RunningSettings:
        """For flights `flight_height` times as high as the similar gait's: knees bend by nearly as much more at the landing as
        the body comes down faster, and legs push off on straighter ones than they land on. Lower ones change neither."""
        higher = max(flight_height, 1.0)
        return replace(self, touch_down_reach=1.0 - (1.0 - self.touch_down_reach) * higher**BEND_EXPONENT,
                       uneven=self.uneven * higher**UNEVEN_EXPONENT)


BEND_EXPONENT, UNEVEN_EXPONENT = 0.4, 0.2
"""Of flights' height in the bend at the landing, and in the unevenness of pushes: taste. With 0.5 landings on the Moon jolt less
and legs push off less straight; with 0.3 of the other runs there limp and slip."""
SHORTEST_FLIGHT = 0.04
"""A shorter time off the ground, as a fraction of the cycle, is no flight but part of one ground phase."""
MOST_AHEAD = 0.1
"""How far the pose goes on, as a fraction of the cycle, while the clock waits for a touch-down."""
EARLIEST = 0.25
"""How long before its time, as a fraction of the ground phase, a foot may land."""


@dataclass(frozen=True)
class Contact:
    """One foot's contact in a running step: from `on` to `off`, fractions of the ground phase."""

    side: str
    on: float
    off: float


@dataclass(frozen=True)
class RunningStep:
    """A ground phase from phase `start` of the cycle and the flight after it, as fractions of the cycle."""

    start: float
    ground: float
    flight: float
    contacts: tuple[Contact, ...]

    @property
    def whole(self) -> float:
        """Fraction of the cycle from this step's touch-down to the next one's."""
        return self.ground + self.flight


def contact_schedule(phases: Mapping[str, FootPhases]) -> tuple[RunningStep, ...]:
    """The running steps of a cycle in the order of their touch-downs from phase 0; none when there is no flight."""
    stances = sorted((p.strike % 1.0, p.strike % 1.0 + p.toe_off, side) for side, p in phases.items())
    groups: list[list[tuple[float, float, str]]] = []
    for stance in stances:
        if groups and stance[0] < max(end for _, end, _ in groups[-1]) + SHORTEST_FLIGHT:
            groups[-1].append(stance)
        else:
            groups.append([stance])
    spans = [(group[0][0], max(end for _, end, _ in group)) for group in groups]
    if len(groups) > 1 and spans[-1][1] + SHORTEST_FLIGHT > spans[0][0] + 1.0:
        groups = [groups[-1] + [(start + 1.0, end + 1.0, side) for start, end, side in groups[0]], *groups[1:-1]]
        spans = [(group[0][0], max(end for _, end, _ in group)) for group in groups]
    found = []
    for i, (group, (start, end)) in enumerate(zip(groups, spans, strict=True)):
        following = spans[i + 1][0] if i + 1 < len(spans) else spans[0][0] + 1.0
        if following - end < SHORTEST_FLIGHT:
            return ()
        ground = end - start
        contacts = tuple(Contact(side, (on - start) / ground, (off - start) / ground) for on, off, side in group)
        found.append(RunningStep(start, ground, following - end, contacts))
    return tuple(found)


def ground_fraction(phases: Mapping[str, FootPhases]) -> float:
    """Fraction of the cycle with a foot on the ground; 1 when there is no flight."""
    return sum(b.ground for b in contact_schedule(phases)) or 1.0


class ContactClock:
    """Which running step it is, whether on the ground or in the air, and how far: `fraction` in [0, 1] of that part.

    On the ground time decides, in the air the predicted touch-down. `phase` is the cycle's phase that belongs to it;
    `smooth_phase` the same without the jump of an early landing, which fades. What is left of a ground phase may be stretched.
    """

    def __init__(self, parts: tuple[RunningStep, ...], frequency_hz: float, ground: float, lag_rate: float) -> None:
        self.steps = parts
        self.retime(frequency_hz, ground, lag_rate)
        self.index, self.grounded, self.fraction, self.lag = len(parts) - 1, False, 0.5, 0.0
        self.left_s, self.stretch = 0.5 * self.flight_s[self.index], 1.0

    def retime(self, frequency_hz: float, ground: float, lag_rate: float) -> None:
        """Take over a stride frequency, the fraction of a stride on the ground, and the rate at which a lag fades [1/s]."""
        own = sum(b.ground for b in self.steps)
        air = 1.0 - own
        self.frequency, self.lag_rate = frequency_hz, lag_rate
        self.ground_s = tuple(b.ground / own * ground / frequency_hz for b in self.steps)
        self.flight_s = tuple(b.flight / air * (1.0 - ground) / frequency_hz for b in self.steps)

    def begin(self, left_s: float) -> None:
        """Begin in a flight of the gait's own, that much [s] before its touch-down."""
        self.fraction, self.left_s = 1.0 - left_s / self.flight_s[self.index], left_s

    @property
    def step(self) -> RunningStep:
        """The present step: on the ground its own, in the air the one before the coming touch-down."""
        return self.steps[self.index]

    @property
    def next_index(self) -> int:
        """The step that begins with the coming touch-down."""
        return (self.index + 1) % len(self.steps)

    @property
    def phase(self) -> float:
        """Phase of the cycle in [0, 1)."""
        b = self.step
        return (b.start + (self.fraction * b.ground if self.grounded else b.ground + self.fraction * b.flight)) % 1.0

    @property
    def smooth_phase(self) -> float:
        """`phase` less what an early landing has skipped and the pose has yet to catch up."""
        return (self.phase - self.lag) % 1.0

    @property
    def rate(self) -> float:
        """Rate of the phase [1/s]."""
        b = self.step
        if self.grounded:
            return b.ground / (self.ground_s[self.index] * self.stretch)
        usual = b.flight / self.flight_s[self.index]
        return min(max(b.flight * (1.0 - self.fraction) / max(self.left_s, 1e-4), 0.3 * usual), 3.0 * usual)

    @property
    def smooth_rate(self) -> float:
        """Rate of the smooth phase [1/s]; while the clock waits for a touch-down the pose goes on."""
        if self.waits:
            following = self.next_index
            return self.steps[following].ground / self.ground_s[following]
        return self.rate + self.lag_rate * self.lag

    @property
    def waits(self) -> bool:
        """Whether the touch-down is late."""
        return not self.grounded and self.fraction >= 1.0

    @property
    def ground_left_s(self) -> float:
        """Time to the planned take-off, on the ground."""
        return (1.0 - self.fraction) * self.ground_s[self.index] * self.stretch

    def until_landing_s(self, side: str) -> float:
        """Time until a foot that alone ends the present flight should be down [s]; infinite for any other: feet that share a
        ground phase wait for one another."""
        alone = [c.side for c in self.steps[self.next_index].contacts] == [side]
        return self.left_s if alone and not self.grounded else math.inf

    def may_land(self) -> list[str]:
        """Sides whose touch-down may be near: the present step's, in the air those of the coming one's beginning. A later foot
        that brushes the ground on its way there has not landed."""
        step, fraction = (self.step, self.fraction) if self.grounded else (self.steps[self.next_index], 0.0)
        return [c.side for c in step.contacts if fraction > c.on - EARLIEST]

    def advance(self, dt: float) -> None:
        """Go on by `dt` [s] within the present part, at most to its end."""
        b = self.step
        whole = b.ground if self.grounded else b.flight
        if self.waits:
            self.lag = max(self.lag - dt * self.smooth_rate, -MOST_AHEAD)
        else:
            self.lag *= max(1.0 - self.lag_rate * dt, 0.0)
        self.fraction = min(self.fraction + dt * self.rate / whole, 1.0)
        self.left_s = max(self.left_s - dt, 0.0)

    def touch_down(self) -> None:
        """The next step begins: what the flight had left is jumped over."""
        self.lag += (1.0 - self.fraction) * self.step.flight
        self.index, self.grounded, self.fraction, self.stretch = self.next_index, True, 0.0, 1.0

    def take_off(self) -> None:
        """The flight after the present step begins."""
        self.grounded, self.fraction, self.left_s = False, 0.0, self.flight_s[self.index]
