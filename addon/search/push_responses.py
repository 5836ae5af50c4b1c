# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of push responses that Lope makes itself: pushes of somebody who stands, simulated, from one side and ahead and
behind; the other side is their mirror image."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..bodies.makers import make_body
from ..motions.responses.feet import faults_of
from ..motions.responses.laying import play
from ..motions.responses.measuring import Motion, channels_of, measured
from ..motions.responses.response import OWN, STRATEGIES, Library, Response, unit_m_s
from ..motions.responses.selection import find
from ..sim.simulation import simulate
from ..sim.take import Take
from ..specs.motions import Stand
from ..specs.shot import BodySpec, Push, Shot

LICENCE = "GPL-3.0-or-later, as Lope itself: simulated by it, no captured motion"
PUSHED_S, PUSH_S, AFTER_S = 0.1, 0.2, (3.5, 5.5)
"""When it is pushed, for how long, and how long it is simulated on: longer where it is not calm by then."""
FORCES = (50.0, 100.0, 125.0, 150.0, 175.0, 200.0, 225.0, 250.0, 300.0, 350.0, 400.0, 450.0)
"""More of them where steps begin."""
SLIDES_M, ALMOST = 0.008, 0.98
"""A response is left out in which a sole slides farther, when it answers so much of its own push: steps that cross in a hurry."""
CALM_M_S, CALM_S = 0.015, 0.2
"""A response ends where the body has become slower than this for good, and so much later."""


@dataclass(frozen=True)
class Grid:
    """Pushes of 0.2 s at the chest in `directions` round the whole circle, of which those ahead, to the left and back are
    simulated, with each of `forces` [N on 75 kg]; once with as many steps as it needs, and where it takes more than one of
    `limits`, again with at most so many."""

    directions: int = 16
    forces: tuple[float, ...] = FORCES
    limits: tuple[int, ...] = (1, 0)

    def pushes(self) -> Iterator[tuple[float, float]]:
        """(degrees, force [N]) of each."""
        for k in range(self.directions // 2 + 1):
            for force in self.forces:
                yield 360.0 * k / self.directions, force


def make_library(grid: Grid, told: Callable[[int, int, str], None] | None = None) -> Library:
    """The responses to all pushes of a grid that somebody stood. `told` hears of each push: how many are done, of how many, and
    what came of it."""
    pushes = list(grid.pushes())
    found: list[Response] = []
    beaten: set[tuple[float, int]] = set()
    for i, (degrees, force) in enumerate(pushes):
        own = respond(degrees, force)
        if own is not None:
            found.append(own)
            for most in (limit for limit in grid.limits if limit < own.steps and (degrees, limit) not in beaten):
                limited = respond(degrees, force, most)
                if limited is None:
                    beaten.add((degrees, most))  # a stronger push fells it, too
                else:
                    found.append(limited)
        if told is not None:
            told(i + 1, len(pushes), f"{degrees:g} degrees, {force:g} N: {'falls' if own is None else own.strategy}")
    return with_still_feet(Library(OWN, LICENCE, tuple(found)))


def with_still_feet(library: Library) -> Library:
    """A library without the responses in whose own steps a sole slides so much that it would show when they are played."""
    return replace(library, responses=tuple(one for one in library.responses if _slides_m(one, library) <= SLIDES_M))


def _slides_m(response: Response, library: Library) -> float:
    """How far a sole slides [m] when a response answers its own push."""
    body = make_body(BodySpec())
    alone = replace(library, responses=(response,))
    allowed = STRATEGIES[:STRATEGIES.index(response.strategy) + 1] if response.limited else STRATEGIES
    found = find(alone, ALMOST * response.push * unit_m_s(body), body, allowed=allowed)
    return math.inf if found is None else faults_of(body, play(found, body).qpos).slid_m


def respond(degrees: float, force_n: float, most: int | None = None) -> Response | None:
    """The response to one push, of at most so many steps; None for a fall."""
    way = cmath.rect(force_n, math.radians(degrees))
    for after_s in AFTER_S:
        take = simulate(Shot(motion=Stand(sway=0.0, steps=most), duration_s=PUSHED_S + after_s,
                             pushes=(Push(PUSHED_S, PUSH_S, (way.real, way.imag, 0.0)),)))
        if take.fell or take.lost is not None:
            return None
        if np.hypot(*take.com_velocity_m_s[-1, :2]) < CALM_M_S:
            break
    name = f"{degrees:g} degrees, {force_n:g} N" + ("" if most is None else f", at most {most} steps")
    return replace(response_of(take, name, way), limited=most is not None)


def response_of(take: Take, name: str, force: complex) -> Response:
    """The response that a take of one push at PUSHED_S shows, from the push on until all is calm."""
    step_s = float(take.time_s[1] - take.time_s[0])
    speed = np.hypot(*take.com_velocity_m_s[:, :2].T)
    moving = np.flatnonzero(speed > CALM_M_S)
    first, last = round(PUSHED_S / step_s), (moving[-1] if len(moving) else 0) + round(CALM_S / step_s)
    part = slice(first, max(last, first + round(0.5 / step_s)) + 1)
    body = take.body
    motion = Motion(body, step_s, take.root_position_m[part], take.root_quaternion[part], take.joint_quaternions[part],
                    body.sole_height_m)
    push = PUSH_S * force / body.mass_kg / unit_m_s(make_body(BodySpec()))
    known = {"push": push, "strategy": take.stats["strategy"], "steps": take.stats["steps_taken"]}
    return measured(channels_of(motion), step_s, name, "simulated by Lope's controller standing", known)
