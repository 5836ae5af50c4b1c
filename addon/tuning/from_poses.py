# SPDX-License-Identifier: GPL-3.0-or-later
"""From key poses as they were drawn to a gait that walks: what of them stands, and what had to give.

A pose is where a body comes to, not what it has to be drawn to, so poses taken as they are mostly fall. Between a gait that
walks and the poses lie all mixtures of both; the last one that stands, in every trial, is kept, part by part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..errors import InputError
from ..simulate import simulate
from ..specs.pose_gait import CONTROLLERS, PoseGait, PoseState
from ..specs.settings import settings_of
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot, World

PARTS = {"stance": ("stance_knee", "stance_ankle"), "hip": ("swing_hip", "swing_hip_outward"),
         "swing": ("swing_knee", "swing_ankle"), "trunk": ("torso",)}
"""What is mixed together after all was: the part that must give keeps its mixture, the others go on towards the poses."""
HALVINGS = 4
TRIAL_S, NOISES = 8.0, ((0.0, 0), (0.1, 1), (0.1, 2))
"""A trial, and the noise at its starts and their seeds."""
AHEAD_M_S = (0.0, -0.3, -0.6, -1.0, 0.3)
"""How much more speed is asked for than wished, in the order in which it is tried."""
GIVES_RAD = math.radians(1.0)

Told = Callable[[float, str], None]


@dataclass(frozen=True)
class Given:
    """A part of a pose that had to give: which state (from 1), what of it in words, and by how much [rad]."""

    state: int
    words: str
    angle_rad: float

    def __str__(self) -> str:
        return f"pose {self.state}: {self.words} by {math.degrees(self.angle_rad):+.0f} degrees"


def mixed(base: PoseGait, gait: PoseGait, shares: Mapping[str, float]) -> PoseGait:
    """The gait whose angles lie between those of a base and its own, by the share of each part; all else is its own. A base of
    other states lends those of its that come at the same point of a step."""
    of_part = {name: part for part, names in PARTS.items() for name in names}
    states = []
    for i, state in enumerate(gait.states):
        last = i + 1 == len(gait.states) or gait.states[i + 1].swing != state.swing  # of its leg's step
        from_ = base.states[-1 if last else 0]
        changed = {name: round(getattr(from_, name) + shares[part] * (getattr(state, name) - getattr(from_, name)), 3)
                   for name, part in of_part.items()}
        states.append(replace(state, **changed))
    return replace(gait, states=tuple(states))


def stands(gait: PoseGait, worlds: tuple[World, ...] = (World(),)) -> bool:
    """Whether a gait stands in every trial."""
    for noise, seed in NOISES:
        for world in worlds:
            slow = math.sqrt(EARTH_GRAVITY_M_S2 / world.gravity_m_s2)
            take = simulate(Shot(pose_gait=gait, controller=CONTROLLERS[0], start="standing", world=world, noise=noise, seed=seed,
                                 duration_s=round(TRIAL_S * slow, 2)))
            if take.fell or take.lost is not None:
                return False
    return True


def nearest_that_stands(gait: PoseGait, base: PoseGait, told: Told | None = None) -> tuple[PoseGait, list[Given]]:
    """The gait nearest to the poses that stands, and what had to give. Raises InputError where not even the base's legs walk
    under the poses' upper body."""
    shares = dict.fromkeys(PARTS, 0.0)
    total, done = len(AHEAD_M_S) + (HALVINGS + 1) * (1 + len(PARTS)), 0

    def tried(trial: Mapping[str, float], wanted: PoseGait) -> bool:
        nonlocal done
        done += 1
        if told is not None:
            told(min(done / total, 1.0), "trying how much of the poses stands")
        return stands(mixed(base, wanted, trial))

    paces = (replace(gait, ahead_m_s=ahead) for ahead in AHEAD_M_S)  # a trunk that leans walks faster by itself
    wanted = next((pace for pace in paces if tried(shares, pace)), None)
    if wanted is None:
        raise InputError(f"With these poses' upper body not even the legs of the gait {base.name} go: give them less of a "
                         "lean or a reach, or more time from pose to pose.")
    for part in (None, *PARTS):
        low, high, middle = (shares[part] if part else 0.0), 1.0, 1.0  # first all of it, then halves
        for _ in range(HALVINGS + 1):
            if low >= 1.0:
                break
            trial = dict.fromkeys(PARTS, middle) if part is None else {**shares, part: middle}
            if tried(trial, wanted):
                low, shares = middle, trial
            else:
                high = middle
            middle = 0.5 * (low + high)
    found = mixed(base, wanted, shares)
    return found, what_gave(gait, found)


def what_gave(poses: PoseGait, found: PoseGait) -> list[Given]:
    """Which angles of the poses a gait does not have, the largest first."""
    known, given = settings_of(PoseState), []
    for i, (wanted, state) in enumerate(zip(poses.states, found.states, strict=True), 1):
        given += [Given(i, known[name].words, getattr(state, name) - getattr(wanted, name))
                  for names in PARTS.values() for name in names]
    return sorted((one for one in given if abs(one.angle_rad) > GIVES_RAD), key=lambda one: -abs(one.angle_rad))
