# SPDX-License-Identifier: GPL-3.0-or-later
"""What a Take holds: arrays with known names and shapes, and named channels that a controller adds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .bodies.body import Body
from .errors import TakeError

ARRAYS: dict[str, str] = {
    "time_s": "(T,)",
    "root_position_m": "(T,3) the root's origin: of a human the pelvis'",
    "root_quaternion": "(T,4) the root's orientation, w-x-y-z",
    "joint_quaternions": "(T,S-1,4) each segment relative to its parent, order of Body.joint_segments",
    "com_m": "(T,3)",
    "com_velocity_m_s": "(T,3)",
    "contact": "(T,F) bool, each foot loaded, order of Body.feet: of a human left, right",
    "grf_n": "(T,F,3) ground force on each foot, mean over the sample's interval",
    "contact_point_m": "(T,P,3) lowest point of each contact sphere, order of Body.contact_points",
    "contact_point_force_n": "(T,P) normal force on each contact point, mean over the sample's interval",
    "torque_nm": "(T,D-R) generalised joint torques, mean over the sample's interval",
    "plan_com_m": "(T,3) the plan's centre of mass",
    "plan_footstep_m": "(N,3) planned landing places of the ankle's ground projection",
    "plan_footstep_time_s": "(N,)",
    "plan_footstep_side": "(N,) foot, its row in Body.feet: of a human 0 left, 1 right",
    "plan_heading_rad": "(T,) heading the plan asks for",
    "plan_speed_m_s": "(T,) speed the plan asks for, not a number while it starts or stops standing",
    "pose_error_deg": "(T,) root mean square angle between planned and simulated joints",
    "object_pose": "(T,K,7) place of each loose object's middle and its orientation, w-x-y-z, order of Shot.loose",
    "event_time_s": "(E,) foot events",
    "event_kind": "(E,) 0 strike, 1 off",
    "event_side": "(E,) foot, its row in Body.feet: of a human 0 left, 1 right",
}
"""T samples, S segments, F feet, P contact points, D degrees of freedom, R of them the root's, N footsteps, E events, K loose
objects."""

OPTIONAL = ("plan_com_m", "plan_footstep_m", "plan_footstep_time_s", "plan_footstep_side", "plan_heading_rad",
            "plan_speed_m_s", "pose_error_deg", "object_pose")
"""Arrays of a controller that plans, and of a shot with loose objects or balls. All others are there in every Take."""

_CHANNEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Channel:
    """A series that a controller adds: `values` (T, ...), one row a sample of the Take, in `unit` ("" for none)."""

    unit: str
    values: np.ndarray


def check_arrays(arrays: Mapping[str, np.ndarray], body: Body) -> None:
    """Raises TakeError for arrays that are missing, unknown, or of a shape that does not fit the body and one another."""
    missing = sorted(set(ARRAYS) - set(OPTIONAL) - set(arrays))
    if missing:
        raise TakeError(f"This take lacks the arrays {', '.join(missing)}.")
    unknown = sorted(set(arrays) - set(ARRAYS))
    if unknown:
        raise TakeError(f"A take holds no arrays {', '.join(unknown)}; what a controller adds is a channel.")
    sizes = {"T": len(arrays["time_s"]), "F": len(body.feet), "P": len(body.contact_points), "S-1": len(body.segments) - 1,
             "D-R": body.degrees_of_freedom - body.root_freedom}
    if sizes["T"] == 0:
        raise TakeError("This take holds no sample.")
    for name, array in arrays.items():
        letters = [x for x in ARRAYS[name][1:ARRAYS[name].index(")")].split(",") if x]
        found = (*np.shape(array), *(0 for _ in letters))  # an axis that is missing has the length 0
        shape = tuple(int(x) if x.isdigit() else sizes.setdefault(x, found[i]) for i, x in enumerate(letters))
        if np.shape(array) != shape:
            raise TakeError(f"The array {name} of this take has the shape {np.shape(array)}; expected {shape}.")


def check_channels(channels: Mapping[str, Channel], samples: int) -> None:
    """Raises TakeError for a channel whose name is no file's name, or whose values are not numbers, one row a sample."""
    for name, channel in channels.items():
        if not _CHANNEL_NAME.fullmatch(name) or name in ARRAYS:
            raise TakeError(f"A channel cannot be called {name!r}: letters, digits, points, _ and - make its name, and it is "
                            "none of a take's arrays.")
        if channel.values.dtype.kind not in "biuf" or channel.values.shape[:1] != (samples,):
            raise TakeError(f"The channel {name} needs a row of numbers for each of {samples} samples, got the shape "
                            f"{channel.values.shape} of {channel.values.dtype}.")
