# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick creatures' entry in the registry."""

from ...engines.engine import Torques
from ..entry import Entry

CREATURE = Entry(
    name="creature",
    maker=".creature.maker",
    title="Creature",
    summary="A gait for any two legs, by torques scaled to their size and gravity, with no captured motion",
    kinds=("creature",),
    commands=(Torques,),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad"),
)
