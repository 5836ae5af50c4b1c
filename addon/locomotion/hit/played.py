# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion that a shot plays on rails: its coordinates in the shot's own time, and whether hits fall within it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.body import Body
from ...bodies.capsules import Bars, bar_pairs, depths_along
from ...bodies.model import build_model
from ...engines.engine import Rails
from ...errors import ClipError, InputError
from ...specs.disturbances import Hit, check_in_motion
from ...specs.motions.clip import Clip
from ...specs.shot import DURATION_RANGE_S, EARTH_GRAVITY_M_S2, Shot, World
from ..clip.bound import coordinates
from ..clip.clip import FollowedClip, followed_clip

SHORTEST_S = 0.2
"""A motion is to last so long: a joint that is hit has not yet yielded by then."""
SPARE_RAD, SPARE_M = 0.02, 0.005
"""A joint's limits lie so far beyond the motion's own ends, and shapes may come so much deeper into each other."""
LOOK_S = 1.0 / 30.0
"""How often it is looked at how deep they are."""
GROUND = "ground"
"""What the names of the ground's shapes in the model begin with."""


@dataclass(frozen=True)
class Played:
    """A clip, how many times longer than in it everything lasts, and its coordinates (N, nq)."""

    clip: FollowedClip
    slow: float
    coordinates: np.ndarray

    @property
    def times_s(self) -> np.ndarray:
        """(N,) from 0, in the shot's time."""
        return self.slow * (self.clip.times_s - self.clip.start_s)

    @property
    def duration_s(self) -> float:
        """How long it lasts in the shot [s]."""
        return self.slow * self.clip.duration_s

    def rails(self, world: World) -> Rails:
        """What it rides on: joints go as far, and segments as deep into each other and into the ground, as it has them."""
        reach, at = {}, self.clip.body.root_coordinates
        for segment in self.clip.body.segments[1:]:
            if segment.joint == "hinge":
                angle = self.coordinates[:, at]
                reach[segment.name] = float(angle.min()) - SPARE_RAD, float(angle.max()) + SPARE_RAD
                at += 1
            else:
                widest = 2.0 * float(np.arccos(np.clip(np.abs(self.coordinates[:, at]), 0.0, 1.0)).max())
                reach[segment.name] = 0.0, min(widest + SPARE_RAD, np.pi)
                at += 4
        return Rails(reach, self._bars(world))

    def _bars(self, world: World) -> Bars:
        body = self.clip.body
        plain = build_model(body, world)
        grounds = [name for i in range(plain.ngeom) if (name := plain.geom(i).name).startswith(GROUND)]
        pairs = bar_pairs(body, grounds)
        model = build_model(body, world, bars=dict.fromkeys(pairs, 0.0))
        poses = self.coordinates[::max(1, round(LOOK_S / self.clip.step_s))]
        return {pair: depth + SPARE_M for pair, depth in depths_along(model, pairs, poses).items()}

    def check_hits(self, hits: Sequence[Hit]) -> None:
        """Raises InputError for a hit after the motion's end, and BodyError for one on a segment that there is not."""
        for hit in hits:
            self.clip.body.pushed(hit.segment)
        check_in_motion(hits, self.duration_s)


def played_clip(shot: Shot, body: Body) -> Played:
    """The motion of a shot on its body. Raises InputError for what cannot be played so, ClipError for a clip that cannot be
    read or is too short."""
    follow = shot.motion
    if not isinstance(follow, Clip):
        raise InputError("This shot names no motion to play.")
    if follow.repeat:
        raise InputError("On rails a motion is played once: leave repeating and the library of moves out.")
    if shot.world.gravity_ramp:
        raise InputError("A motion is played under one gravity: take the change of gravity out.")
    clip = followed_clip(follow, body, on_feet=False)
    if clip.duration_s < SHORTEST_S:
        raise ClipError(f"{follow.file} is too short to be hit: it lasts {clip.duration_s:.2f} s, and {SHORTEST_S:g} s are "
                        "needed. Use a longer clip.")
    slow = follow.time_scale(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, clip.leg_ratio)
    return Played(clip, slow, coordinates(clip))


def cut_to_motion(shot: Shot, played: Played) -> Shot:
    """A shot that ends where its motion does, or before. Raises LopeError for hits that miss it."""
    played.check_hits(shot.hits)
    low, high = DURATION_RANGE_S
    whole_s = max(round(played.duration_s, 3), low)
    return replace(shot.with_motion(until_end=False), duration_s=min(whole_s, high if shot.until_end else shot.duration_s))
