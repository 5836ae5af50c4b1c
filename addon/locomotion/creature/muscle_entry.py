# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry's entry of creatures by muscles."""

from ...engines.engine import Torques
from ..entry import Entry

CREATURE_MUSCLES = Entry(
    name="creature_muscles",
    maker=".creature.muscle_maker",
    title="Creature by Muscles",
    summary="A gait for any two legs, by muscles with late nerves, laid on whatever is drawn (after Geijtenbeek et al. 2013)",
    kinds=("creature",),
    commands=(Torques,),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad"),
)
