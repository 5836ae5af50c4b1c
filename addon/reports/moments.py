# SPDX-License-Identifier: GPL-3.0-or-later
"""When in a take that happened which a line of the physics card speaks of: the moment to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..controllers.tracking.weights import torque_limits
from ..take import Take
from .feet import depths_m, stance_slips
from .flights import flights
from .following import JOINT_ERROR, OFF_PLAN, worst_s
from .forces import friction_series
from .smoothness import hardest_landing_s
from .strides import end_of_walking_s, known_strides


def _fall(take: Take) -> float | None:
    fell_s = take.stats.get("time_fell_s")
    return None if fell_s is None else float(fell_s)


def _lost(take: Take) -> float:
    return float(take.time_s[-1])


def _slip(take: Take) -> float | None:
    """Start of the stance that slips most."""
    worst = max(stance_slips(take), key=lambda stance: stance.slip_m, default=None)
    return None if worst is None else worst.start_s


def _depth(take: Take) -> float:
    return float(take.time_s[depths_m(take).max(axis=1).argmax()])


def _force(take: Take) -> float:
    """The hardest sample of the whole strides."""
    vertical = take.grf_n[:, :, 2].sum(axis=1)
    return float(take.time_s[np.where(known_strides(take).rows(take.time_s), vertical, -1.0).argmax()])


def _friction(take: Take) -> float:
    return float(take.time_s[np.nan_to_num(friction_series(take), nan=-1.0).max(axis=1).argmax()])


def _flight(take: Take) -> float:
    """The take-off to the flight that obeys gravity least."""
    return max(flights(take), key=lambda flight: abs(flight.over_ballistic - 1.0)).start_s


def _torque(take: Take) -> float:
    share = (np.abs(take.torque_nm) / torque_limits(take.body)).max(axis=1)
    return float(take.time_s[np.where(take.time_s <= end_of_walking_s(take), share, -1.0).argmax()])


MOMENTS: Mapping[str, Callable[[Take], float | None]] = {
    "fall": _fall, "simulation": _lost, "slip": _slip, "penetration": _depth, "peak force": _force, "friction": _friction,
    "flight": _flight, "torque": _torque, "pose": lambda take: worst_s(take, JOINT_ERROR),
    "way": lambda take: worst_s(take, OFF_PLAN),
    "smoothness": lambda take: hardest_landing_s(take, known_strides(take)),
}
"""By the name of the card's line: when [s] it is worst, in a take for which the line is judged. Lines on the whole take, such as
its speed, have no moment."""
