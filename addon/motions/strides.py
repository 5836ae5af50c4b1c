# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole strides of a clip: found from its contacts, the unsteady ones left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ClipError
from ..maths.quaternions import quat_conjugate, quat_multiply, rotvec_from_quat
from .contacts import Contact, find_contacts
from .retarget import Motion

OPPOSITE_RANGE = (0.32, 0.68)  # the other foot lands about half way; hops and gallops do not
SLOWEST_SHARE = 0.75  # strides slower than this share of the steady speed start or stop the walk
DURATION_SPREAD = 0.2  # a stride this much longer or shorter than the usual one is no repetition
MISMATCH_RAD = np.radians(13.0)  # root mean square over the legs' joints between a stride's two ends
MIN_SPEED_M_S = 0.15
LEAST_SHARE_OF_TRAVEL = 0.6  # strides slower than this share of the clip's mean speed are not what it shows
LEG_SEGMENTS = ("thigh", "shank", "foot")


class NotCyclic(ClipError):
    """A clip steps along, but none of its strides ends as it began."""


@dataclass(frozen=True)
class Stride:
    """From one strike of a foot to its next. `opposite` is the other foot's strike as a fraction of the stride."""

    side: str
    start_s: float
    end_s: float
    opposite: float
    speed_m_s: float
    mismatch_rad: float

    @property
    def duration_s(self) -> float:
        """Length of the stride in time."""
        return self.end_s - self.start_s


def find_strides(motion: Motion, contacts: list[Contact] | None = None) -> list[Stride]:
    """The steady strides of a clip, in order of time. Raises ClipError where there are none, saying why."""
    contacts = find_contacts(motion) if contacts is None else contacts
    path = motion.clip.path
    strikes = {side: [c.strike_s for c in contacts if c.side == side and np.isfinite(c.strike_s)] for side in "LR"}
    counted = (f"the left foot lands {len(strikes['L'])} times, the right {len(strikes['R'])} times in "
               f"{motion.clip.duration_s:.1f} s")
    if not strikes["L"] or not strikes["R"]:
        raise ClipError(f"{path} has no steps: {counted}. A gait needs a clip of walking or running.")
    if max(len(s) for s in strikes.values()) < 2:
        raise ClipError(f"{path} is too short: {counted}, and a stride needs two landings of the same foot. Use a longer "
                        "clip.")
    whole = _candidates(motion, strikes)
    if not whole:
        raise ClipError(f"{path} is no walk or run: the feet do not land in turn ({counted}).")
    fast = [s for s in whole if s.speed_m_s > MIN_SPEED_M_S]
    if not fast:
        raise ClipError(f"{path} steps on the spot: its fastest stride travels at {max(s.speed_m_s for s in whole):.2f} m/s."
                        " A gait needs a clip that gets somewhere.")
    alike = [s for s in fast if s.mismatch_rad < MISMATCH_RAD]
    if not alike:
        least = np.degrees(min(s.mismatch_rad for s in fast))
        raise NotCyclic(f"{path} is not cyclic: between start and end of its most regular stride the leg joints differ by "
                        f"{least:.0f} degrees (expected at most {np.degrees(MISMATCH_RAD):.0f}).")
    steady = float(np.median(sorted((s.speed_m_s for s in alike), reverse=True)[: (len(alike) + 1) // 2]))
    if steady < LEAST_SHARE_OF_TRAVEL * travel_speed(motion):
        raise ClipError(f"{path} is not cyclic: its only regular strides travel at {steady:.2f} m/s, but the figure moves "
                        f"at {travel_speed(motion):.2f} m/s on average.")
    kept = [s for s in alike if s.speed_m_s >= SLOWEST_SHARE * steady]
    usual = float(np.median([s.duration_s for s in kept]))
    return [s for s in kept if abs(s.duration_s / usual - 1.0) < DURATION_SPREAD]


def travel_speed(motion: Motion) -> float:
    """Mean speed of the pelvis along its path [m/s], its sway smoothed away over half a second."""
    width = max(1, min(motion.clip.frames // 2, round(0.5 / motion.frame_time_s)))
    kernel = np.ones(width) / width
    path = np.column_stack([np.convolve(motion.root_position[:, k], kernel, mode="valid") for k in (0, 1)])
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum() / ((len(path) - 1) * motion.frame_time_s))


def _candidates(motion: Motion, strikes: dict[str, list[float]]) -> list[Stride]:
    """Every stride with exactly one landing of the other foot, near its middle."""
    found = []
    for side, other in (("L", "R"), ("R", "L")):
        for start, end in zip(strikes[side], strikes[side][1:], strict=False):
            inside = [t for t in strikes[other] if start < t < end]
            if len(inside) != 1:
                continue
            opposite = (inside[0] - start) / (end - start)
            if OPPOSITE_RANGE[0] <= opposite <= OPPOSITE_RANGE[1]:
                found.append(Stride(side, start, end, opposite, _speed(motion, start, end), _mismatch(motion, start, end)))
    return sorted(found, key=lambda s: s.start_s)


def _at(values: np.ndarray, time_s: float, frame_time_s: float) -> np.ndarray:
    """Rows of `values` (T, ...) interpolated at a time."""
    place = np.clip(time_s / frame_time_s, 0.0, len(values) - 1.0)
    i = min(int(place), len(values) - 2)
    return values[i] + (place - i) * (values[i + 1] - values[i])


def _speed(motion: Motion, start: float, end: float) -> float:
    """Way along the path over time [m/s], taken in halves so that the body's sway does not lengthen it."""
    places = np.array([_at(motion.root_position, t, motion.frame_time_s)[:2] for t in np.linspace(start, end, 3)])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum() / (end - start))


def _mismatch(motion: Motion, start: float, end: float) -> float:
    """Root mean square angle [rad] of the leg joints between two times."""
    rows = [i for i, name in enumerate(motion.body.joint_segments) if name[:-2] in LEG_SEGMENTS]
    a, b = (_at(motion.joint_quaternions[:, rows], t, motion.frame_time_s) for t in (start, end))
    a, b = (q / np.linalg.norm(q, axis=-1, keepdims=True) for q in (a, b))
    angles = np.linalg.norm(rotvec_from_quat(quat_multiply(quat_conjugate(a), b)), axis=-1)
    return float(np.sqrt(np.mean(angles**2)))
