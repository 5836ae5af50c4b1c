# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry in the registry of what plays a motion and takes hits."""

from ...engines.engine import Accelerations, Torques
from ...specs.disturbances import HIT
from ..entry import Entry

HIT_REACTION = Entry(
    name=HIT,
    maker=".hit.maker",
    title="Hit Reaction",
    summary="Plays a motion; what is hit yields and comes back to it, on its feet or with the hips on the motion's rails",
    kinds=("human",),
    commands=(Torques, Accelerations),
)
