# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a body's joints can do what a gait from key poses draws them to."""

from __future__ import annotations

import math

import numpy as np

from ..bodies.body import Body
from ..bodies.reach import within_reach
from ..errors import InputError
from ..specs.pose_gait import PoseGait

SLACK_RAD = math.radians(1.0)
"""What is rounded in a file does no harm."""


def check_reach(gait: PoseGait, body: Body) -> None:
    """Raises InputError, naming state and joint, for a joint of the upper body that is drawn beyond what it does. Joints that the
    body lacks stay as they are."""
    for i, state in enumerate(gait.states):
        for name, vector in (state.upper or {}).items():
            if name not in body.joint_segments:
                continue
            turn = np.array(vector, dtype=float)
            segment = body.segment(name)
            beyond = float(np.linalg.norm(turn - within_reach(segment, turn)))
            if beyond > SLACK_RAD:
                low, high = segment.limits_rad or (-math.pi, math.pi)
                how = "less" if segment.axis is None else "less, and about its hinge alone"
                raise InputError(f"State {i + 1} of the pose gait {gait.name} turns the joint of {name} "
                                 f"{math.degrees(beyond):.0f} degrees beyond what it does, {math.degrees(low):.0f} to "
                                 f"{math.degrees(high):.0f} degrees: turn it {how}.")
