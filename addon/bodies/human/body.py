# SPDX-License-Identifier: GPL-3.0-or-later
"""The human Body: made of landmarks or of an anthropometric table, in a suit or without, with what it carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...specs.load import Load
from ...specs.shot import BodySpec
from ..body import Body, Capsule, PassiveJoint, parts_from_dict
from ..capsules import in_skin
from .anthropometry import human_joint, standing_landmarks
from .landmarks import check_landmarks
from .load import Carried, load_capsules, loaded
from .suit import Suit, dressed, pack_capsules
from .tree import contact_points, human_feet, make_segments, neutral_landmarks, scaled_to_mass

KIND = "human"
TRUNKS = ("chest", "lower_spine", "pelvis")
"""The highest of these that a figure has is its trunk."""


class Human(Body):
    """A Body of kind "human" that remembers the landmarks of the figure at rest and the suit that it wears."""

    def __init__(self, *parts: Any, landmarks: Mapping[str, np.ndarray], suit: Suit | None = None,
                 carries: Carried | None = None, **rest: Any) -> None:
        super().__init__(*parts, kind=KIND, **rest)
        self.carries = carries
        self.landmarks = {name: np.asarray(point, dtype=float) for name, point in landmarks.items()}
        self.suit = suit or Suit()

    @classmethod
    def from_spec(cls, spec: BodySpec, suit: Suit | None = None, load: Load | None = None) -> Human:
        """From a spec's landmarks where it has them, from the anthropometric table otherwise."""
        landmarks = standing_landmarks(spec.height_m) if spec.landmarks is None else spec.landmarks
        return cls.from_landmarks(landmarks, spec.mass_kg, suit, spec.skin_m, load)

    @classmethod
    def from_landmarks(cls, landmarks: Mapping[str, Any], mass_kg: float, suit: Suit | None = None,
                       skin_m: Mapping[str, tuple[float, float]] | None = None, load: Load | None = None) -> Human:
        """A body whose proportions are those of the figure with these landmarks (any rest pose), of `mass_kg` without suit.
        Joints whose landmark is missing are welded: the segment above takes over mass and length. `skin_m` is how thick the
        figure is, see `BodySpec`. Raises BodyError."""
        rest = check_landmarks(landmarks)
        neutral = neutral_landmarks(rest)
        segments = scaled_to_mass(make_segments(neutral), mass_kg)
        names = {s.name for s in segments}
        points = contact_points(neutral, segments)
        roles = {"trunk": next(name for name in TRUNKS if name in names), "head": "head"}
        bare_mass_kg = float(sum(s.mass_kg for s in segments))
        if skin_m:
            bare = cls(segments, points, human_feet(points), roles=roles, landmarks=rest, bare_mass_kg=bare_mass_kg)
            segments = in_skin(bare, skin_m)
        parts = points, human_feet(points)
        rest_of_it: dict[str, Any] = {"roles": roles, "landmarks": rest, "suit": suit, "bare_mass_kg": bare_mass_kg}
        made = cls(dressed(segments, suit or Suit()), *parts, **rest_of_it)
        if load is None:
            return made
        segments, carries = loaded(made, cls(segments, *parts, **rest_of_it), load)
        return cls(segments, *parts, carries=carries, **rest_of_it)

    def carried(self) -> tuple[Capsule, ...]:
        return *pack_capsules(self.segments, self.suit), *load_capsules(self)

    def passive_joint(self, name: str) -> PassiveJoint:
        """See `Body.passive_joint`: as measured on relaxed people."""
        return human_joint(self, name)

    def to_dict(self) -> dict[str, Any]:
        landmarks = {name: point.tolist() for name, point in self.landmarks.items()}
        carries = {} if self.carries is None else {"carries": self.carries.to_dict()}
        return {**super().to_dict(), "landmarks": landmarks, "suit": self.suit.to_dict(), **carries}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Human:
        """The body that `to_dict` described; from Lopes that stored no tree, it is made of its landmarks, mass and suit."""
        suit = Suit.from_dict(data["suit"]) if "suit" in data else None
        if "segments" not in data:
            return cls.from_landmarks(data["landmarks"], data["mass_kg"], suit)
        return cls(*parts_from_dict(data), roles=data["roles"], bare_mass_kg=data["bare_mass_kg"], landmarks=data["landmarks"],
                   suit=suit, carries=Carried.from_dict(data["carries"]) if "carries" in data else None)
