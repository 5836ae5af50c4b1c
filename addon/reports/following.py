# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a take follows its clip: its pose, its way, its footprints and their times. Defined in docs/measures.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..take import Take
from .feet import stance_slips
from .needs import FEET, NUMBERS, Group, Need
from .strides import end_of_walking_s, sample_lengths_s

FOLLOW_UNITS: dict[str, str] = {
    "joint_error_rms_deg": "deg", "com_off_plan_m_mean": "m", "foot_off_print_m_max": "m", "touchdown_timing_ms_median": "ms",
    "followed_fraction": "", "foot_slip_mm_per_step": "mm",
}
"""Every measure and its unit, in the order of the report."""
CAUGHT_UNITS: dict[str, str] = {"strategy": "", "steps_taken": "", "handed_over_s": "s", "spliced_back_s": "s"}
"""The same of one who is caught where his clip does not hold him."""

CLIP_TIME, JOINT_ERROR, OFF_PLAN = "follow_clip_time_s", "follow_joint_error_deg", "follow_com_off_plan_m"
"""Channels: how far the clip has come; root mean square over the joints of how far each is from the clip's; distance of the
centre of mass from its plan."""
TOLD = Need(lambda take: JOINT_ERROR in take.channels and OFF_PLAN in take.channels, "its controller does not tell how far it is "
            "from the clip")


def worst_s(take: Take, channel: str) -> float:
    """When [s] a channel is largest, up to a fall."""
    return float(take.time_s[np.where(_followed(take), take.channels[channel].values, -1.0).argmax()])


def _followed(take: Take) -> np.ndarray:
    """The samples (T,) bool up to a fall; in that of the fall another controller may be at work already, which tells nothing."""
    return (take.time_s <= end_of_walking_s(take)) & np.isfinite(take.channels[JOINT_ERROR].values)


def _off(take: Take) -> dict[str, Any]:
    """Means over time, up to a fall."""
    rows, lengths = _followed(take), sample_lengths_s(take.time_s)
    lengths[0] = lengths[-1] if len(lengths) > 1 else 1.0
    joints, way = (np.asarray(take.channels[name].values)[rows] for name in (JOINT_ERROR, OFF_PLAN))
    return {"joint_error_rms_deg": np.sqrt(np.average(joints**2, weights=lengths[rows])),
            "com_off_plan_m_mean": np.average(way, weights=lengths[rows])}


def _slip(take: Take) -> dict[str, Any]:
    """Mean over stances of the largest slip of any point of the sole."""
    slips = [1e3 * stance.slip_m for stance in stance_slips(take)]
    return {"foot_slip_mm_per_step": np.mean(slips)} if slips else {}


_COUNTED = ("foot_off_print_m_max", "touchdown_timing_ms_median", "followed_fraction")
GROUPS = (
    Group(("joint_error_rms_deg", "com_off_plan_m_mean"), _off, (NUMBERS, TOLD)),
    Group(_COUNTED, lambda take: take.stats, none={
        **dict.fromkeys(_COUNTED, "no foot landed"), "followed_fraction": "its controller does not tell how far it came"}),
    Group(("foot_slip_mm_per_step",), _slip, (FEET, NUMBERS), {"foot_slip_mm_per_step": "no foot stood"}),
)
"""Every measure of `FOLLOW_UNITS` with what it needs."""
CAUGHT_GROUP = Group(tuple(CAUGHT_UNITS), lambda take: take.stats)
"""Those of `CAUGHT_UNITS`."""
