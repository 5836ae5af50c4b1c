# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot's pushes and punches as the engine's forces, control step by control step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from .bodies.body import Body
from .bodies.state import BodyState
from .engines.engine import Engine
from .specs.shot import Push

Force = tuple[str, np.ndarray, np.ndarray]
"""Segment, mean force (3,) [N], and where it acts in the segment's frame (3,) [m]."""
LEAST_SHARE = 1e-9


class Pushing:
    """Hands forces on segments to an engine: mean ones, so that each gives its whole impulse."""

    def __init__(self, body: Body, state: BodyState) -> None:
        self._body, self._state = body, state
        self._before: set[str] = set()

    def apply(self, engine: Engine, pushes: Iterable[Push], punches: Iterable[Force], time_s: float, step_s: float) -> None:
        """The pushes of the control step of `step_s` that begins at `time_s`, and the punches."""
        forces: dict[str, np.ndarray] = {}
        for segment, force, place in (*self._of_step(pushes, time_s, step_s), *punches):
            found = forces.setdefault(segment, np.zeros(6))
            found[:3] += force
            arm = self._state.frame(segment).matrix @ (place - self._body.segment(segment).com)
            found[3:] += np.cross(arm, force)
        for segment in sorted(forces.keys() | self._before):
            both = forces.get(segment, np.zeros(6))
            engine.push(segment, both[:3], both[3:])
        self._before = set(forces)

    def _of_step(self, pushes: Iterable[Push], time_s: float, step_s: float) -> Iterator[Force]:
        for push in pushes:
            end = min(push.start_s + push.duration_s, time_s + step_s)
            share = (end - max(push.start_s, time_s)) / step_s
            if share > LEAST_SHARE:
                segment, place = self._body.pushed(push.segment)
                yield segment, share * np.array(push.force_n), place
