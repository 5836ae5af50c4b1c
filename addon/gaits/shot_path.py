# SPDX-License-Identifier: GPL-3.0-or-later
"""The path a shot goes: the one it asks for, or the circle of a gait that goes in circles; from where the take before ended."""

from __future__ import annotations

import math

from ..motions.library import load_gait
from ..specs.shot import Shot
from ..worlds.paths import Path, laid, make_path


def shot_path(shot: Shot, leg_length_m: float) -> Path:
    """The path of a shot for a body with that leg; of one that goes on from a take it starts where that ends, in its direction.
    Raises InputError for a path or gait that there is not."""
    legs = 0.0 if shot.motion else load_gait(shot.gait).circle_radius_legs
    path = make_path(shot.path, legs * leg_length_m)
    return path if shot.after is None else laid(path, shot.after.place, math.radians(shot.after.heading_deg))
