# SPDX-License-Identifier: GPL-3.0-or-later
"""One frame of a mat on the ground, as plain values that one process tells another while pressure comes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..motions.pressure.images import Pressure
from .pressure_on_ground import Loaded, OnGround, of_frames


def told(mat: Pressure, masks: np.ndarray, most: float, at_m: tuple[float, float]) -> dict[str, Any]:
    """A sequence of one frame as `pressure_on_ground.of_frames` takes it; lists in place of arrays, a centre that is not there is
    None."""
    picture = of_frames(mat, masks[None], most, at_m)
    loaded = picture.frames[0]
    centre = [round(float(place), 4) for place in loaded.centre_m] if np.isfinite(loaded.centre_m).all() else None
    return {"cells": loaded.cells.tolist(), "pressure": [float(f"{one:.4g}") for one in loaded.pressure],
            "foot": loaded.foot.tolist(), "centre_m": centre, "size": list(picture.size), "pitch_m": list(picture.pitch_m),
            "origin_m": [round(float(place), 4) for place in picture.origin_m], "most": most, "unit": picture.unit}


def heard(values: dict[str, Any]) -> OnGround:
    """What is drawn of that: its one frame begins at 0 s."""
    centre = values["centre_m"]
    loaded = Loaded(np.array(values["cells"], dtype=int).reshape(-1, 2), np.array(values["pressure"], dtype=float),
                    np.array(values["foot"], dtype=int), np.full(2, np.nan) if centre is None else np.array(centre))
    size, pitch, origin = ((one[0], one[1]) for one in (values["size"], values["pitch_m"], values["origin_m"]))
    return OnGround((loaded,), size, pitch, origin, 1.0, 0.0, values["most"], values["unit"])
