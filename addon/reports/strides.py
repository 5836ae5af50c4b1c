# SPDX-License-Identifier: GPL-3.0-or-later
"""The stances and whole strides of a take, those of the first foot of its body (of a human the left), averages over them, and how
alike both feet do: difference over mean, in percent (Robinson, Herzog and Nigg 1987, "Use of force platform variables to quantify
the effects of chiropractic manipulation on gait symmetry", J. Manipulative Physiol. Ther. 10:172-176)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..maths.rotations import plane_angle, quat_rotate
from ..sim.take import Take
from ..worlds.ground import make_ground

SKIPPED = 2
"""Strides at the start that no mean counts, getting under way; of a short take as many as leave one stride."""

SHORTEST_SHARE = 0.1
"""A foot that leaves the ground, or touches it, for less than this share of the planned stride has not changed its phase:
a stance goes on through the one, a swing through the other. A walker's swing takes about 0.4 of the stride, a runner's
stance 0.22 to 0.39 (Novacheck 1998, "The biomechanics of running", Gait and Posture 7:77-95)."""

STRIKE = 0
LEFT = 0
"""Row of a human's left foot, and of the foot whose strikes bound the strides."""


@dataclass(frozen=True)
class WholeStrides:
    """Strides from strike to strike of one foot; `time_s` (N+1,) are their boundaries, N >= 1."""

    time_s: np.ndarray

    @property
    def count(self) -> int:
        return len(self.time_s) - 1

    @property
    def duration_s(self) -> float:
        """Time from the first boundary to the last."""
        return float(self.time_s[-1] - self.time_s[0])

    def rows(self, time_s: np.ndarray) -> np.ndarray:
        """Which samples (T,) bool lie in the strides. A sample stands for the interval that ends there."""
        return (time_s > self.time_s[0]) & (time_s <= self.time_s[-1])

    def stride_of(self, time_s: np.ndarray) -> np.ndarray:
        """Number of the stride at each time, -1 before the first and after the last."""
        number = np.searchsorted(self.time_s, time_s, side="right") - 1
        return np.where(number < self.count, number, -1)

    def ranges(self, time_s: np.ndarray) -> list[slice]:
        """The samples of each stride by rising times (T,), as `stride_of` has them."""
        ends = np.searchsorted(time_s, self.time_s).tolist()
        return [slice(start, end) for start, end in zip(ends, ends[1:], strict=False)]

    def mean(self, time_s: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Mean over the strides' time of values (T, ...)."""
        rows = self.rows(time_s)
        return np.average(values[rows], axis=0, weights=sample_lengths_s(time_s)[rows])

    def chords_m(self, take: Take) -> np.ndarray:
        """How far (N,) [m] the centre of mass is brought over the ground, from boundary to boundary."""
        return np.linalg.norm(np.diff(self.at_boundaries(take.time_s, take.com_m[:, :2]), axis=0), axis=1)

    def range_of(self, time_s: np.ndarray, values: np.ndarray) -> float:
        """Mean over strides of the highest less the lowest of values (T,)."""
        return float(np.mean([np.ptp(values[stride]) for stride in self.ranges(time_s) if stride.stop > stride.start]))

    def landings_s(self, take: Take) -> np.ndarray:
        """When (K,) [s] feet land within the strides, foot by foot."""
        found = np.concatenate([strikes_s(take, foot) for foot in range(len(take.body.feet))])
        return found[(found >= self.time_s[0]) & (found < self.time_s[-1])]

    def at_boundaries(self, time_s: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Values (T, ...) interpolated to the boundaries (N+1, ...)."""
        flat = values.reshape(len(time_s), -1)
        columns = [np.interp(self.time_s, time_s, column) for column in flat.T]
        return np.stack(columns, axis=1).reshape(len(self.time_s), *values.shape[1:])


def whole_strides(take: Take, settled: bool = False) -> WholeStrides | None:
    """Strides after the first `SKIPPED`, up to a fall, or None. Of a take that began moving and did not fall one stride is kept,
    unless it shall have `settled`; never the first, which begins with a foot that was down before."""
    if planned_frequency_hz(take) is None:
        return None
    boundaries = strikes_s(take, LEFT)
    boundaries = boundaries[boundaries <= end_of_walking_s(take)]
    skipped = SKIPPED
    if not (settled or take.fell or take.shot.motion.start == "standing"):
        skipped = min(SKIPPED, max(len(boundaries) - 2, 1))
    boundaries = boundaries[skipped:]
    return WholeStrides(boundaries) if len(boundaries) >= 2 else None


def known_strides(take: Take) -> WholeStrides:
    """The same of a take that has some. Raises InputError for one that has none."""
    strides = whole_strides(take)
    if strides is None:
        raise InputError("This take has no whole stride.")
    return strides


def strikes_s(take: Take, side: int) -> np.ndarray:
    """Times (K,) at which a foot, by its row in `Body.feet`, lands after a swing, from the take's foot events."""
    here = take.event_side == side
    order = np.argsort(take.event_time_s[here], kind="stable")
    times, kinds = take.event_time_s[here][order], take.event_kind[here][order]
    shortest = shortest_phase_s(take)
    stances: list[list[float]] = []
    for time, kind in zip(times.tolist(), kinds.tolist(), strict=True):
        if kind != STRIKE:
            if stances:
                stances[-1][1] = time
        elif not stances or time - stances[-1][1] >= shortest:
            stances.append([time, np.inf])
        else:
            stances[-1][1] = np.inf  # the stance goes on
    return np.array([start for start, end in stances if end - start >= shortest])


def cycles_s(take: Take, side: int) -> list[tuple[float, float]]:
    """Begin and end [s] of a foot's strides up to a fall, the first `SKIPPED` left out."""
    strikes = strikes_s(take, side)
    strikes = strikes[strikes <= end_of_walking_s(take)]
    return list(zip(strikes, strikes[1:], strict=False))[SKIPPED:]


def com_height_m(take: Take) -> np.ndarray:
    """Height (T,) [m] of the centre of mass over the ground beneath it."""
    x, y, z = take.com_m.T
    return z - make_ground(take.shot.world.ground).height(x, y)


def heading_rad(take: Take) -> np.ndarray:
    """Where the root points (T,) about the vertical [rad], without jumps."""
    forward = quat_rotate(take.root_quaternion, np.array([[1.0, 0.0, 0.0]]))
    return np.unwrap(plane_angle(forward[:, 1], forward[:, 0]))


def planned_frequency_hz(take: Take) -> float | None:
    """Stride frequency [1/s] that the take's controller planned; None for one without a gait."""
    return take.stats.get("planned_stride_frequency_hz") or None


def shortest_phase_s(take: Take) -> float:
    """The shortest time on or off the ground that counts as a stance or a swing. Where no stride was planned it is a share of
    half the period of a pendulum of the leg's length: 0.95 s for an adult on Earth, whose strides take 1.1 s."""
    frequency = planned_frequency_hz(take)
    if frequency is None:
        frequency = math.sqrt(take.shot.world.gravity_m_s2 / take.body.leg_length_m) / math.pi
    return SHORTEST_SHARE / frequency


def end_of_walking_s(take: Take) -> float:
    """Time of the fall, or of the last sample."""
    fell = take.stats.get("time_fell_s")
    return float(take.time_s[-1]) if fell is None else min(float(fell), float(take.time_s[-1]))


def walked_samples(take: Take) -> int:
    """How many samples there are up to a fall."""
    return int(np.searchsorted(take.time_s, end_of_walking_s(take), side="right"))


def sample_lengths_s(time_s: np.ndarray) -> np.ndarray:
    """Length (T,) of the interval that ends at each sample; the first sample has none."""
    return np.diff(time_s, prepend=time_s[0])


def gravity_m_s2(take: Take) -> np.ndarray:
    """Gravity (T,) [m/s^2] at each sample: the world's, or its ramp's."""
    world = take.shot.world
    times, values = zip((0.0, world.gravity_m_s2), *world.gravity_ramp, strict=True)
    return np.interp(take.time_s, times, values)


def weight_n(take: Take) -> np.ndarray:
    """Weight (T,) [N] of body and suit at each sample."""
    return take.body.mass_kg * gravity_m_s2(take)


def asymmetry_percent(left: float, right: float) -> float:
    """|left - right| over their mean, in percent; 0 for two zeros."""
    mean = 0.5 * (left + right)
    return 0.0 if mean == 0.0 else 100.0 * abs(left - right) / abs(mean)


def asymmetries(take: Take, strides: WholeStrides) -> dict[str, float | None]:
    """Asymmetry [%] of step time (None without a right strike in each stride), stance time and largest force of two feet."""
    left, right = strides.time_s, strikes_s(take, 1)
    right = right[(right >= left[0]) & (right < left[-1])]
    one_each = len(right) == strides.count and bool(np.all((right > left[:-1]) & (right < left[1:])))
    rows = strides.rows(take.time_s)
    lengths = sample_lengths_s(take.time_s)[rows]
    stance = lengths @ take.contact[rows]
    peaks = np.mean([take.grf_n[stride, :, 2].max(axis=0) for stride in strides.ranges(take.time_s)], axis=0)
    steps = None
    if one_each:
        steps = asymmetry_percent(float(np.mean(right - left[:-1])), float(np.mean(left[1:] - right)))
    return {"asymmetry_step_time_percent": steps, "asymmetry_stance_time_percent": asymmetry_percent(*stance.tolist()),
            "asymmetry_force_percent": asymmetry_percent(*peaks.tolist())}
