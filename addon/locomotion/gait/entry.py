# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracking controller's entry in the registry."""

from ...engines.engine import Accelerations, Excitations, Torques
from ..entry import Entry

TRACKING = Entry(
    name="tracking",
    maker=".gait.maker",
    title="Gait",
    summary="A gait by planet: a pendulum plans the steps, a quadratic program drives the whole body",
    kinds=("human",),
    commands=(Torques, Accelerations, Excitations),
    steered_by=("speed_m_s",),
    former_groups={"bounce": "running", "bounce_tracker": "running_tracker"},
)
