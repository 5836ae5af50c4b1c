# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lope responses find` tells, and the take that it writes."""

from __future__ import annotations

import cmath
import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from ..bodies.makers import make_body
from ..errors import InputError
from ..example_take import example_take
from ..motions.responses import Found, Library, Now, Played, Response, bears, find, play
from ..motions.responses.response import unit_m_s, unit_s
from ..specs.shot import BodySpec, Push, Shot, World
from ..specs.stand import Stand
from ..take import Take

BEFORE_S, AFTER_S = 0.3, 0.5
"""How long a take stands before the first push, and at its end."""
PUSH_S = 0.2
"""How long a push of the take's shot lasts, by which it could be simulated (a person's shove)."""


def row(response: Response) -> dict[str, Any]:
    """A response of a library, speeds as of a body of the standard size on Earth."""
    return {"response": response.name, "strategy": response.strategy, "steps": response.steps,
            "direction_deg": round(math.degrees(response.direction_rad), 1),
            "strength_m_s": round(response.strength * unit_m_s(make_body(BodySpec())), 3), "source": response.source}


class Answered:
    """Pushes one after the other, answered from a library: `found` and `played` of each, the times of their pushes [s]."""

    def __init__(self, library: Library, pushes: Sequence[tuple[float, complex]], spec: BodySpec, world: World,
                 allowed: Collection[str]) -> None:
        self.spec, self.world, self.body = spec, world, make_body(spec)
        self.pushes = sorted(pushes, key=lambda one: one[0])
        self.found: list[Found] = []
        self.played: list[Played] = []
        gravity, last = world.gravity_m_s2, 0.0
        for when, push in self.pushes:
            now: Now | None = self.played[-1].at(when - last) if self.played else None
            one = find(library, push, self.body, gravity, now, allowed)
            if one is None:
                raise InputError(_none(library, push, when, now, allowed, unit_m_s(self.body, gravity)))
            self.found.append(one)
            self.played.append(play(one, self.body, gravity, now=now))
            last = when

    def report(self) -> dict[str, Any]:
        """What was found, for the first push; those that come then under `then`."""
        first, *others = [self._row(i) for i in range(len(self.found))]
        return {**first, "duration_s": round(self._length_s(), 2), **({"then": others} if others else {})}

    def _row(self, i: int) -> dict[str, Any]:
        found, unit = self.found[i], unit_m_s(self.body, self.world.gravity_m_s2)
        by = found.adaptation
        return {"strategy": found.strategy, "steps": found.response.steps, "response": found.response.name,
                "strength_m_s": round(found.strength * unit, 3), "needed_m_s": round(abs(found.push) * unit, 3),
                "begins_s": round(found.begin * found.response.step * self._unit_s(), 2),
                "milder": round(by.eps, 3), "turned_deg": round(math.degrees(by.turn_rad), 1),
                "to_the_middle": round(2.0 * by.neutral, 3), "off_deg": round(math.degrees(found.off_rad), 1)}

    def _unit_s(self) -> float:
        return unit_s(self.body, self.world.gravity_m_s2)

    def _length_s(self) -> float:
        return self.pushes[-1][0] + float(self.played[-1].times_s[-1])

    def take(self) -> Take:
        """The whole motion as a take, standing before and at its end."""
        poses, planted = [], []
        for i, played in enumerate(self.played):
            count = len(played.qpos)
            if i + 1 < len(self.played):
                count = played.index(self.pushes[i + 1][0] - self.pushes[i][0])
                late = round((self.pushes[i + 1][0] - self.pushes[i][0]) / played.step_s) - count
            else:
                late = round(AFTER_S / played.step_s)
            poses += [played.qpos[:count], np.repeat(played.qpos[-1:], max(late, 0), axis=0)]
            planted += [played.planted[:count], np.repeat(played.planted[-1:], max(late, 0), axis=0)]
        step_s, first = self.played[0].step_s, round(BEFORE_S / self.played[0].step_s)
        poses.insert(0, np.repeat(self.played[0].qpos[:1], first, axis=0))
        planted.insert(0, np.ones((first, *self.played[0].planted.shape[1:]), dtype=bool))
        steps = sum(found.response.steps for found in self.found)
        stats = {"strategy": self.found[-1].strategy, "steps_taken": steps,
                 "by_example": "; ".join(found.response.name for found in self.found)}
        return example_take(self._shot(step_s * (sum(map(len, poses)) - 1), first * step_s), self.body, step_s,
                            np.concatenate(poses), np.concatenate(planted), stats)

    def _shot(self, length_s: float, first_s: float) -> Shot:
        """The shot that simulates the same pushes."""
        push_s = round(PUSH_S * self._unit_s() / unit_s(self.body), 4)  # as slowly as things fall there
        force = self.body.mass_kg / push_s
        return Shot(controller="standing", stand=Stand(), body=self.spec, world=self.world, duration_s=round(length_s, 4),
                    pushes=tuple(Push(round(first_s + when, 4), push_s, (force * push.real, force * push.imag, 0.0))
                                 for when, push in self.pushes))


def _none(library: Library, push: complex, when: float, now: Now | None, allowed: Collection[str], unit: float) -> str:
    """Why nothing was found."""
    what = f"The library {library.name} has no response to a push of {_told(push)}"
    if when > 0.0:
        what += f" after {when:g} s"
    what += f" by {', '.join(allowed)}"
    if not any(response.strategy in allowed for response in library.responses):
        return f"{what}: none of its responses is of that kind."
    needed = push + (0j if now is None else unit * now.momentum)
    most = unit * bears(library, needed / abs(needed), allowed)
    left = "" if now is None else f"with what is left of the push before {_told(needed)} are to be recovered, and "
    why = f"that way {most:.2f} m/s can be recovered at most" if most < abs(needed) else "nobody in it goes on from that pose"
    return (f"{what}: {left}{why}. Push more gently, allow more, or simulate it (`lope simulate --gait stand`): who cannot stay "
            "up falls.")


def _told(push: complex) -> str:
    return f"{abs(push):.2f} m/s towards {math.degrees(cmath.phase(push)):.0f} degrees"
