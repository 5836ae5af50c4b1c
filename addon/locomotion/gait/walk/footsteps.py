# SPDX-License-Identifier: GPL-3.0-or-later
"""Where and when the next foot lands: the cart's stride, corrected so that the measured capture point comes to rest in it.

The clock of a gait: phase, stance foot, and how long the parts of a step last, their timing adapted or not. And the settings of
the walking planner.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ....gaits.froude import StanceTimes
from ....specs.settings import FIRST_GUESS, Checked, setting
from ....worlds.ground import LEVEL_SUPPORT, Support
from ...legged.capture import Piece, backward, forward
from ...legged.foot_path import FootPath
from ...legged.pose import GaitTables
from ...legged.variation import Variation

PREVIEW_STEPS = 4
EDGE_GAIN = 1.6
"""`StepSettings.cop_gain` of a foot that hangs over an edge: where treads say how far a step goes, it alone brakes the body."""
EDGE_SHARES = 0.10, 0.19
"""Least distance of the centre of pressure from an edge that the heel hangs over, and from one that the toes do, over the length
of the sole. With 0.19 at the heel no walk went up 0.19/0.25 on the Moon; with 0.16 at the toes walks fell down stairs."""
QUANTISED_RATES = (1.0, 0.9, 1.15, 0.8, 1.32, 0.7, 1.52, 1.75, 2.0)
"""Factors on the phase rate that are tried where treads say how far a step goes: time alone is left to be chosen, later too."""


@dataclass(frozen=True)
class StepSettings(Checked):
    """Settings of foot placement. Lengths are over the leg's length, times over the step's duration. What names no source is a
    first guess."""

    WHOSE, FIELD, SOURCE = "Foot placement's", "step setting", FIRST_GUESS
    # Centre of pressure under the foot when single support begins, ahead of the ankle (first guess (Winter 1991: heel to ball))
    cop_heel: float = -0.02
    # How far back a human's heel is at most (commonly 0.079). By as much as a body's heel is further back, so is the centre of
    # pressure when single support begins: the foot comes down on its heel
    heel_furthest: float = -0.085
    # Where it is when the heel rises, over the ball's distance from the ankle: with the heel gone only ball and toes push
    cop_ball: float = 1.05
    cop_toe: float = 0.75  # Where it is at the other foot's touch-down: fraction of the way from ball to tip
    # Outward of the ankle, as captured walkers' is by 0.017 to 0.037 of the leg, by the sway of their COM between their ankles
    cop_outward: float = 0.018
    cop_gain: float = setting(1.3, 0.0, 10.0, help="Shift of the centre of pressure per error of the capture point",
                              source="1 + k / omega in Englsberger 2015, eq. 26; k a first guess")
    cop_forward_limit: float = 0.07  # Largest such shift forward or back
    cop_lateral_limit: float = 0.033  # Farthest that it goes to the sides of the ankle
    reach_forward: float = 0.97  # Farthest that a step goes forward
    # Largest horizontal distance of a landing from its hip: a leg that is asked for more pulls the body down, which in low
    # gravity takes longer than the step
    reach_radius: float = 0.46
    reach_backward: float = 0.45  # Farthest that a step goes back
    reach_outward: float = 0.74  # Farthest that a step goes outward
    reach_inward: float = 0.09  # Least lateral distance of the feet; smaller would cross the legs
    # The same when the foot passes well in front of the other one or behind it: the legs may cross there
    reach_crossing: float = -0.34
    crossing_forward: float = 0.22  # Forward distance from which on the feet may cross
    shortest_swing_s: float = 0.28  # Least duration of a swing at a raised phase rate, on Earth [s]
    # Its growth with 1/g: less than the step's own 0.5, as the leg's inertia stays; more than 0, as the body's weight must hold
    # the ground against the swing
    swing_exponent: float = 0.3
    # Factors on the phase rate that are tried
    rate_factors: tuple[float, ...] = (1.0, 1.15, 1.32, 1.52, 1.75, 2.0, 2.4, 2.9, 3.5)
    # By how much more than the swing double support is cut short when the phase rate is raised
    double_support_timing: float = 2.0
    # Placement error over leg length that costs as much as a phase rate raised by the timing scale
    placement_error_scale: float = 0.07
    timing_scale: float = 0.5  # Logarithm of the factor on the phase rate that costs 1
    deviation_scale: float = 0.6  # The same for a step's deviation from the nominal place, over leg length


class StepGeometry(NamedTuple):
    """The coming steps in the frame of the first foot: displacement to each next foot (complex, forward + i left)."""

    displacements: tuple[complex, ...]
    sides: tuple[int, ...]
    """Side of the foot that each displacement leads to: +1 left, -1 right."""
    facings: tuple[complex, ...]
    """Where that foot faces, a unit vector."""
    support: Support = LEVEL_SUPPORT
    """What all of them rest on."""

    def after_first(self) -> StepGeometry:
        """The same steps without the first, in the frame of the foot it leads to."""
        turned = self.facings[0]
        return StepGeometry(tuple([d / turned for d in self.displacements[1:]]), self.sides[1:],
                            tuple([f / turned for f in self.facings[1:]]))


def step_geometry(
    travel: Sequence[complex], side: int, width_m: float, turns: Sequence[float] = (0.0,) * PREVIEW_STEPS
) -> StepGeometry:
    """Displacements of the feet from the cart's travel: the foot on `side` (+1 left, -1 right) is down, feet stand a width
    apart, and each next one is turned by `turns` [rad] against the first."""
    displacements, sides, facings = [], [], []
    before, facing = 0.0, 1 + 0j
    for distance, turn in zip(travel, turns, strict=False):
        side, after = -side, heading_vector(turn)
        displacements.append(along_arc(distance, before, turn) + 0.5j * side * width_m * (facing + after))
        sides.append(side)
        facings.append(after)
        before, facing = turn, after
    return StepGeometry(tuple(displacements), tuple(sides), tuple(facings))


def along_arc(distance: complex, start: float, end: float) -> complex:
    """Where one comes to by a distance, forward + i left, on an arc that begins and ends with these headings [rad]."""
    half = 0.5 * (end - start)
    return distance * heading_vector(start + half) * (math.sin(half) / half if abs(half) > 1e-9 else 1.0)


class NextLanding(NamedTuple):
    """What is planned of the next foot's landing, and what bounds it. `capture` is the capture point wanted at touch-down for a
    foot at `nominal`; the other foot stands on `stance`, facing along `heading`, and the swing leg is on `side`. `hip` (world) is
    the ground point under its hip now, moving on with `velocity`; `double_s` is how long both feet will be down. The phase rate
    may be up to `fastest` times the gait's own, and the foot may land no further than `leeway_m` from `nominal`, at a place that
    `lay` moves onto the ground, where it has edges."""

    capture: complex
    nominal: complex
    stance: complex
    side: int
    heading: complex
    hip: complex
    velocity: complex
    double_s: float
    fastest: float
    leeway_m: float = math.inf
    lay: Callable[[complex], complex] | None = None


class StepPlanner:
    """Foot placement by the capture point over a centre of pressure that rolls from heel to ball and toe.

    `heel_m`, `ball_m` and `tip_m` tell where those are ahead of the ankle [m]. `cop_shifts` (forward + i outward [m]) move its
    three places under a foot (see `DisplacementMap.cop_shifts`).
    """

    def __init__(
        self, settings: StepSettings, leg_length_m: float, heel_m: float, ball_m: float, tip_m: float,
        cop_shifts: tuple[complex, complex, complex] = (0j, 0j, 0j),
    ) -> None:
        self.settings, self.leg = settings, leg_length_m
        s = settings
        start = s.cop_heel * leg_length_m + min(heel_m - s.heel_furthest * leg_length_m, 0.0)
        along = (start, s.cop_ball * ball_m, ball_m + s.cop_toe * (tip_m - ball_m))
        cop = [complex(x, s.cop_outward * leg_length_m) + shift for x, shift in zip(along, cop_shifts, strict=True)]
        self._cop = {side: [complex(place.real, side * place.imag) for place in cop] for side in SIGN.values()}
        self._edges_m = tuple(share * (tip_m - heel_m) for share in EDGE_SHARES)

    def cop_places(self, foot: complex, side: int, heading: complex,
                   support: Support = LEVEL_SUPPORT) -> tuple[complex, complex, complex]:
        """Centre of pressure under a foot: at the end of double support, when the heel rises, at the other foot's strike; on a
        foot that hangs over an edge where the ground carries it."""
        heel, ball, toe = self._cop[side] if support.whole else [self._carried(place, support) for place in self._cop[side]]
        return foot + heading * heel, foot + heading * ball, foot + heading * toe

    def _carried(self, place: complex, support: Support) -> complex:
        """A place under a foot moved off the edges of what carries it."""
        back, front = self._edges_m
        least, most = support.back_m + back, support.front_m - front
        return complex(0.5 * (least + most) if least > most else min(max(place.real, least), most), place.imag)

    def pieces(self, previous_end: complex, foot: complex, side: int, heading: complex, times: StanceTimes,
               support: Support = LEVEL_SUPPORT) -> list[Piece]:
        """The centre of pressure's way through one step, from where it left the foot before."""
        begin, ball, toe = self.cop_places(foot, side, heading, support)
        return [Piece(previous_end, begin, times.double), Piece(begin, ball, times.flat), Piece(ball, toe, times.raised)]

    def touch_down_capture(
        self, stance_end: complex, foot: complex, steps: StepGeometry, heading: complex, omega: float, times: StanceTimes,
        slowness: Sequence[float] = (1.0,) * PREVIEW_STEPS,
    ) -> complex:
        """Capture point wanted at the next foot's touch-down at `foot`, facing along `heading`, and the steps go on as planned.

        `stance_end` is where the centre of pressure leaves the foot standing now; `steps.displacements[0]` leads from the
        next foot to the one after. Each step takes its own of `slowness` times as long as `times`.
        """
        pieces, end, side, last = [], stance_end, -steps.sides[0], stance_end
        facing = heading
        for displacement, next_side, turned, slow in zip(steps.displacements, steps.sides, steps.facings, slowness, strict=True):
            pieces += self.pieces(end, foot, side, facing, slowed(times, slow), steps.support)
            last, end = end, pieces[-1].end
            foot, side, facing = foot + heading * displacement, next_side, heading * turned
        terminal = end + (end - last) / max(math.exp(omega * sum(slowed(times, slowness[-1]))) - 1.0, 0.2)
        return backward(terminal, pieces, omega)

    def clamp(self, place: complex, stance: complex, side: int, heading: complex, hip: complex | None = None) -> complex:
        """`place` moved into the reach of the leg that swings on `side` while the other stands on `stance`: beside that foot, or
        past it in front or behind, whichever is nearer. Where the ground point under its hip at the landing is known, the place
        is within the leg's length of it as well."""
        s, local = self.settings, (place - stance) / heading
        forward_m = min(max(local.real, -s.reach_backward * self.leg), s.reach_forward * self.leg)
        outward = min(side * local.imag, s.reach_outward * self.leg)
        beside = complex(forward_m, side * max(outward, s.reach_inward * self.leg))
        past = math.copysign(max(abs(forward_m), s.crossing_forward * self.leg), forward_m)
        crossing = complex(past, side * max(outward, s.reach_crossing * self.leg))
        place = stance + heading * min(beside, crossing, key=lambda allowed: abs(allowed - local))
        radius = s.reach_radius * self.leg
        if hip is not None and abs(place - hip) > radius:
            place = hip + (place - hip) * (radius / abs(place - hip))
        return place

    def retimed(self, pieces: list[Piece], factor: float) -> list[Piece]:
        """The pieces of one step (of three: double support, heel down, heel up) at `factor` times the phase rate."""
        if factor == 1.0:
            return pieces
        double = double_factor(factor, self.settings.double_support_timing)
        cuts = [double if len(pieces) - i > 2 else factor for i in range(len(pieces))]
        return [Piece(p.start, p.end, p.duration_s / cut) for p, cut in zip(pieces, cuts, strict=True)]

    def cop_shift(self, error: complex, heading: complex, side: int, support: Support = LEVEL_SUPPORT) -> complex:
        """Shift of the centre of pressure under a foot against an error of the capture point, within the sole: on its edge the
        foot would roll over it."""
        s, local = self.settings, error / heading
        limit_x, limit_y = s.cop_forward_limit * self.leg, s.cop_lateral_limit * self.leg
        aside = self._cop[side][1].imag
        gain = s.cop_gain if support.whole else EDGE_GAIN
        return heading * complex(min(max(gain * local.real, -limit_x), limit_x),
                                 min(max(s.cop_gain * local.imag, -limit_y - aside), limit_y - aside))

    def place(self, capture: complex, pieces: list[Piece], omega: float, planned: NextLanding) -> tuple[complex, float]:
        """Landing place for the capture point measured now, and the factor on its phase rate.

        `pieces` are what is left of this step's centre of pressure at the gait's own rate. Of several rates the one is taken
        that costs least in placement error, timing, and deviation from the nominal place (after Khadiv et al. 2016, who solve
        for place and time together).
        """
        s, nominal, leeway_m, least = self.settings, planned.nominal, planned.leeway_m, math.inf
        best, share = (nominal, 1.0), 1.0 - start_fraction(omega, planned.double_s)
        for factor in s.rate_factors if planned.lay is None else QUANTISED_RATES:
            rush = (math.log(factor) / s.timing_scale) ** 2
            if factor > max(planned.fastest, 1.0) or rush >= least:
                break
            end, left_s = capture, 0.0
            for piece in self.retimed(pieces, factor):
                end = forward(end, piece, omega, piece.duration_s)
                left_s += piece.duration_s
            wanted = nominal + (end - planned.capture) / share
            allowed = self.clamp(wanted, planned.stance, planned.side, planned.heading, planned.hip + left_s * planned.velocity)
            if abs(allowed - nominal) > leeway_m:
                allowed = nominal + (allowed - nominal) * (leeway_m / abs(allowed - nominal))
            if planned.lay is not None:
                allowed = planned.lay(allowed)
            error, deviation = abs(allowed - wanted) / self.leg, abs(allowed - nominal) / self.leg
            cost = (error / s.placement_error_scale) ** 2 + rush + (deviation / s.deviation_scale) ** 2
            if cost < least:
                best, least = (allowed, factor), cost
        return best


def slowed(times: StanceTimes, slowness: float) -> StanceTimes:
    """Durations of a step that takes `slowness` times as long."""
    return times if slowness == 1.0 else StanceTimes(*(slowness * part for part in times))


def double_factor(factor: float, double_support_timing: float) -> float:
    """Factor on the phase rate in double support where the swing has `factor`."""
    return 1.0 + double_support_timing * (factor - 1.0)


def start_fraction(omega: float, double_s: float) -> float:
    """Weight of the old foot in the capture point at touch-down: the double support's piece starts under it."""
    x = omega * double_s
    return 1.0 - (1.0 - math.exp(-x)) / x if x > 1e-6 else 0.0


def heading_vector(heading: float) -> complex:
    """Unit complex number of a heading [rad]."""
    return cmath.exp(1j * heading)


@dataclass(frozen=True)
class WalkSettings(Checked):
    """Rates marked "on Earth" scale with sqrt(g), so that the same settings walk similarly on every planet. What names no source
    is a first guess."""

    WHOSE, FIELD, SOURCE = "The walk's", "walk setting", FIRST_GUESS
    interval_s: float = 0.020  # Time from plan step to plan step [s]
    clearance_m: float = setting(0.012, 0.0, 0.3, "m", "Raise of the swing foot over the cycle's own path at mid swing")
    foot_lift_m: float = 0.0  # A style's further raise [m]
    height_amplitude: float = 1.0  # Rise and fall of the planned COM over the cycle's, as a style asks
    crouch_m: float = 0.0  # How much lower a style lets the COM go [m]
    heel_strike: float = 1.0  # Toes' rise at landing over the cycle's, as a style asks
    upright: float = 0.0  # How far it goes on knees as straight as people's, who stand on level ground, from 0 to 1
    # Fraction of the swing after which a loaded foot counts as landed (first guess (Lee 2010: 0.7))
    early_touch_down: float = 0.6
    # Largest angular acceleration of a foot that is fed forward, over Earth's gravity: without it the heel rises late;
    # unbounded, a jump of the plan at a touch-down would kick the stance foot off the ground [rad/s^2]
    angular_acceleration_limit: float = 60.0
    lowering_m_s: float = 0.35  # Speed at which a late foot is lowered, on Earth [m/s]
    cart_fraction: float = 1.0  # How far the steps follow the cart's own way back to the wanted velocity; 0 takes it up at once
    timing_rate: float = 24.0  # How fast the factor on the phase rate may change, over the gait's frequency [1/s]
    # Fraction of the last stride's lack of speed that is added to the speed asked of the cart, at every touch-down
    speed_fraction: float = 0.2
    speed_limit: float = 0.25  # Largest such addition over the gait's speed
    lateral_gain: float = setting(0.5, 0.0, 10.0, "1/s", "Sideways velocity per cross-track error, on Earth")
    # Fraction of that velocity that is kept at every touch-down: a body does not quite lean into a turn as the pendulum does
    lateral_fraction: float = 0.15
    lateral_limit: float = 0.15  # Largest sideways velocity over the gait's speed, and as much again of what is kept
    # Height of the planned COM above the cycle's, over leg length: captured walkers bend their knees more than the norm
    height_raise: float = 0.012
    height_acceleration: float = 0.3  # Largest vertical acceleration of the planned COM over gravity
    reach: float = 0.997  # Largest distance of ankle from hip over the leg's length that the plan asks for
    height_reduction_rate: float = 12.0  # Rate at which the planned COM gives way to the legs' reach, on Earth [1/s]
    rise_rate: float = 3.0  # Rate at which it comes back, on Earth [1/s]
    active_height_m: float = 0.002  # A contact point lower than this touches, and may push [m]


@dataclass(frozen=True)
class WalkControls:
    """How a walk is planned: settings of its planner and of its foot placement, how the pendulum's gains go with gravity, how
    strides vary, and whether the head turns to where the path leads."""

    walk: WalkSettings = WalkSettings()
    steps: StepSettings = StepSettings()
    scaling: str = "similar"
    variation: Variation = Variation()
    looks_ahead: bool = False


OTHER = {"L": "R", "R": "L"}
SIGN = {"L": 1, "R": -1}


class Rhythm:
    """Phase in [0, 1) of the cycle, the foot in stance, and the present factor on the phase rate (1 is the gait's own)."""

    def __init__(self, tables: GaitTables, frequency_hz: float, double_support_timing: float, upright: float = 0.0) -> None:
        self._tables, self.frequency, self._double_support_timing = tables, frequency_hz, double_support_timing
        self._heel_rise = {side: FootPath(tables, side, 0.0, upright=upright).heel_rise() for side in ("L", "R")}
        self._fractions = {side: self._parts(side) for side in ("L", "R")}
        self._times: tuple[float, dict[str, StanceTimes]] = 0.0, {}
        self.stance, self.phase, self.rate_factor = "L", 0.0, 1.0
        self.slowness = 1.0
        """Duration of the present step over the gait's, as steps vary."""

    def fractions(self, side: str) -> tuple[float, float]:
        """Double support and whole duration of the step that begins at `side`'s strike, as fractions of the cycle."""
        return self._fractions[side]

    def _parts(self, side: str) -> tuple[float, float]:
        own, other = self._tables.phases[side], self._tables.phases[OTHER[side]]
        whole = (other.strike - own.strike) % 1.0
        return max(other.toe_off - (1.0 - whole), 0.02), whole

    def stance_times(self, side: str) -> StanceTimes:
        """Durations of the step on `side` at the gait's own rate."""
        if self._times[0] != self.frequency:
            self._times = self.frequency, {side: self._durations(side) for side in ("L", "R")}
        return self._times[1][side]

    def _durations(self, side: str) -> StanceTimes:
        double, whole = self.fractions(side)
        flat = min(max(self._heel_rise[side], double + 0.02), whole - 0.02) - double
        return StanceTimes(*(share / self.frequency for share in (double, flat, whole - double - flat)))

    @property
    def quickness(self) -> float:
        """Rate of the phase in the swing over the gait's."""
        return self.rate_factor / self.slowness

    @property
    def rate(self) -> float:
        """Rate of the phase now [1/s]."""
        double, _ = self.fractions(self.stance)
        in_double = self.local < double
        factor = self.rate_factor
        return self.frequency / self.slowness * (double_factor(factor, self._double_support_timing) if in_double else factor)

    @property
    def local(self) -> float:
        """Phase since the stance foot's strike."""
        return self._tables.phases[self.stance].since_strike(self.phase)

    @local.setter
    def local(self, value: float) -> None:
        self.phase = (self._tables.phases[self.stance].strike + value) % 1.0

    @property
    def since_strike(self) -> float:
        """`local`, but 0 where rounding puts the strike a hair ahead."""
        return 0.0 if self.local > 0.9 else self.local

    @property
    def elapsed_s(self) -> float:
        """Time since the strike that the phase stands for, at the step's own rate."""
        return self.local / self.frequency * self.slowness

    def change_feet(self) -> None:
        """The swing foot has struck: it is in stance now, and its timing the gait's own."""
        self.stance, self.rate_factor = OTHER[self.stance], 1.0
        self.local = 0.0
