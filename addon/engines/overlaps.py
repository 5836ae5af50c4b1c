# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects that begin within something: any engine would fling them out."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.loose_model import object_name
from ..bodies.model import build_model
from ..errors import InputError
from ..specs.loose import LooseObject
from ..specs.shot import World

DEEPEST_M = 0.01
"""What begins deeper within something else than this is refused (first guess)."""


def check_clear(body: Body, world: World, objects: Sequence[LooseObject], qpos: np.ndarray) -> None:
    """Raises InputError, naming both, for an object that is loose from the start and then lies deeper than `DEEPEST_M` within the
    ground, another such object, or the body in its first pose (nq,)."""
    begin = [item for item in objects if item.release_s == 0.0]
    if not begin:
        return
    model = build_model(body, world, objects=begin)
    data = mujoco.MjData(model)
    data.qpos[:len(qpos)] = qpos
    mujoco.mj_forward(model, data)
    numbers = {object_name(i): item.name for i, item in enumerate(begin)}
    for contact in data.contact:
        names = [model.body(model.geom_bodyid[geom]).name for geom in contact.geom]
        found = [name for name in names if name in numbers]
        if found and contact.dist < -DEEPEST_M:
            other = names[1 - names.index(found[0])]
            within = (f"the loose object {numbers[other]!r}" if other in numbers else "the ground" if other == "world"
                      else f"the character's {other}")
            raise InputError(f"The loose object {numbers[found[0]]!r} begins {-100.0 * contact.dist:.1f} cm within {within}: "
                             "move it out, or it would be flung away.")
