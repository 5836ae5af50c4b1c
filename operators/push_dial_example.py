# SPDX-License-Identifier: GPL-3.0-or-later
"""What is seen while a push is being dialled: the example of Lope's own library that comes nearest to it, on the body in hand."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

import numpy as np

from ..addon.bodies.body import Body, joint_quaternions, root_pose
from ..addon.motions.responses.laying import play
from ..addon.motions.responses.response import STRATEGIES, load_library
from ..addon.motions.responses.selection import find
from ..addon.specs.motions import Stand
from ..addon.viewport.sketch import Playback

RATE_HZ = 30.0
"""Poses of an example in a second."""
LIGHT = 0.05
"""A push that any library takes, as a Froude number's root."""


class Examples:
    """Lope's own library, for a body under a gravity, which stands and may do as `stand` says."""

    def __init__(self, body: Body, gravity_m_s2: float, stand: Stand) -> None:
        self._body, self._gravity_m_s2, self._allowed = body, gravity_m_s2, allowed(stand)
        self._library = load_library()
        self.response(0.0, LIGHT * math.sqrt(gravity_m_s2 * body.leg_length_m), None)  # what is worked out once is, before a drag

    def response(self, direction_rad: float, speed_m_s: float, stance: Sequence[float] | None) -> Playback | None:
        """The response to a push along a direction, 0 ahead of the character and positive to its left, from how it stands (nq,)
        or, None, at the origin facing x; None where nobody in the library takes such a push."""
        push = cmath.rect(speed_m_s, direction_rad)
        found = find(self._library, push, self._body, self._gravity_m_s2, allowed=self._allowed)
        if found is None:
            return None
        stands = None if stance is None else np.array(stance)
        qpos = play(found, self._body, self._gravity_m_s2, stance=stands, rate_hz=RATE_HZ).qpos
        place, turn = root_pose(self._body, qpos)
        return Playback(RATE_HZ, place, np.concatenate([turn[:, None], joint_quaternions(self._body, qpos)], axis=1))


def allowed(stand: Stand) -> tuple[str, ...]:
    """The strategies of the library that a stance leaves."""
    left = [name for name in STRATEGIES if name != "hips" or stand.hips]
    most = {0: ("step", "steps"), 1: ("steps",)}.get(-1 if stand.steps is None else stand.steps, ())
    return tuple(name for name in left if name not in most)
