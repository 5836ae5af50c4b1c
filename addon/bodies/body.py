# SPDX-License-Identifier: GPL-3.0-or-later
"""The Body: a tree of rigid segments with joints, masses, limits and the contact points of the feet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import BodyError
from ..specs.shot import BodySpec
from .anthropometry import standing_landmarks
from .landmarks import SIDES, check_landmarks, neutral_alignments
from .segments import CENTRAL_CHAIN, ContactPoint, Segment, make_segments, scaled_to_mass
from .suit import Suit, dressed

HEEL_HALF_WIDTH, BALL_HALF_WIDTH = 0.12, 0.17
"""Half widths of the foot at heel and ball as fractions of its length (Winter 2009; a shoe is a little wider)."""
STIFF_TIP_SHARE = 0.6
"""Half width of a toe-less foot's tip over that of the ball: a shoe narrows towards it."""


class Body:
    """Segments in topological order, with the suit on; the contact points of the feet, and sizes derived from them.

    `bare_mass_kg` is the mass without the suit: strength goes with it.
    """

    def __init__(self, segments: list[Segment], contact_points: list[ContactPoint], landmarks: Mapping[str, np.ndarray],
                 suit: Suit | None = None):
        self.suit = suit or Suit()
        self.bare_mass_kg = float(sum(s.mass_kg for s in segments))
        self.segments = tuple(dressed(segments, self.suit))
        self.contact_points = tuple(contact_points)
        self.landmarks = {name: np.asarray(point, dtype=float) for name, point in landmarks.items()}
        self.index = {segment.name: i for i, segment in enumerate(self.segments)}

    @classmethod
    def build(cls, spec: BodySpec, suit: Suit | None = None) -> Body:
        """A body from a `BodySpec`: from its landmarks where it has them, from the anthropometric table otherwise."""
        if spec.landmarks is not None:
            return cls.from_landmarks(spec.landmarks, spec.mass_kg, suit)
        return cls.from_landmarks(standing_landmarks(spec.height_m), spec.mass_kg, suit)

    @classmethod
    def from_landmarks(cls, landmarks: Mapping[str, Any], mass_kg: float, suit: Suit | None = None) -> Body:
        """A body whose proportions are those of the figure with these landmarks (any rest pose), of `mass_kg` without suit.

        Joints whose landmark is missing are welded: the segment above takes over mass and length. Raises BodyError.
        """
        points = check_landmarks(landmarks)
        neutral = _neutral_landmarks(points)
        segments = scaled_to_mass(make_segments(neutral), mass_kg)
        return cls(segments, _contact_points(neutral, segments), points, suit)

    def segment(self, name: str) -> Segment:
        """The segment of that name; raises BodyError listing the known ones."""
        try:
            return self.segments[self.index[name]]
        except KeyError:
            raise BodyError(f"The body has no segment {name!r}; it has {', '.join(self.index)}.") from None

    @cached_property
    def joint_segments(self) -> tuple[str, ...]:
        """Names of the segments with an actuated joint, in the order of the generalised coordinates."""
        return tuple(s.name for s in self.segments if s.joint != "free")

    @cached_property
    def degrees_of_freedom(self) -> int:
        """Size of the generalised velocity: 6 of the pelvis, 3 a ball, 1 a hinge."""
        return sum({"free": 6, "ball": 3, "hinge": 1}[s.joint] for s in self.segments)

    @cached_property
    def mass_kg(self) -> float:
        """Total mass, the suit's included."""
        return float(sum(s.mass_kg for s in self.segments))

    @cached_property
    def leg_length_m(self) -> float:
        """Thigh plus shank: hip centre to ankle centre, the mean of both sides."""
        lengths = [np.linalg.norm(self.segment(f"{s}_{side}").offset) for s in ("shank", "foot") for side in SIDES]
        return float(sum(lengths) / 2.0)

    @cached_property
    def sole_height_m(self) -> float:
        """Height of the sole relative to the ankle centre with the foot flat (negative)."""
        return float(min(p.position[2] - p.radius_m for p in self.contact_points if p.segment.startswith("foot")))

    @cached_property
    def pelvis_height_m(self) -> float:
        """Height of the pelvis origin above the ground in the neutral pose."""
        thigh, shank, foot = (self.segment(f"{s}_L").offset[2] for s in ("thigh", "shank", "foot"))
        return float(-(thigh + shank + foot) - self.sole_height_m)

    def to_dict(self) -> dict[str, Any]:
        """JSON form: landmarks, mass without suit and the suit, from which `from_dict` builds the same body."""
        return {"mass_kg": self.bare_mass_kg, "landmarks": {k: v.tolist() for k, v in self.landmarks.items()},
                "suit": self.suit.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Body:
        """The body that `to_dict` described; one without a suit where none is named."""
        suit = Suit.from_dict(data["suit"], "The suit of this body") if "suit" in data else None
        return cls.from_landmarks(data["landmarks"], data["mass_kg"], suit)


def _neutral_landmarks(points: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Landmarks in the neutral pose: limbs hanging, feet forward, missing ends estimated, pelvis where it rests."""
    p = dict(points)
    height = p["head"][2] - min(q[2] for q in p.values())
    if height < 0.1:
        raise BodyError("The figure's head is not above its feet; expected a standing rest pose with z up.")
    p.setdefault("head_top", p["head"] + [0.0, 0.0, 0.13 * height])
    for side in SIDES:
        ankle = p[f"ankle_{side}"]
        leg = np.linalg.norm(p[f"knee_{side}"] - p[f"hip_{side}"]) + np.linalg.norm(ankle - p[f"knee_{side}"])
        if leg < 1e-3:
            raise BodyError(f"The figure's {side} leg has no length.")
        front = next((p[f"{n}_{side}"] - ankle for n in ("toes", "toe_tip") if f"{n}_{side}" in p), np.array([1.0, 0, 0]))
        forward = np.array([front[0], front[1], 0.0])
        forward /= max(np.linalg.norm(forward), 1e-9)
        foot = 0.31 * leg  # Winter: foot .152 H over leg .491 H
        if f"toe_tip_{side}" not in p:
            start = p.get(f"toes_{side}", ankle + 0.46 * foot * forward)
            p[f"toe_tip_{side}"] = start + 0.26 * foot * forward
        p[f"toe_tip_{side}"] = np.array([*p[f"toe_tip_{side}"][:2], 0.0])
        p.setdefault(f"heel_{side}", np.array([*(ankle - 0.28 * foot * forward)[:2], 0.0]))
        if f"wrist_{side}" in p:
            arm = p[f"wrist_{side}"] - p[f"elbow_{side}"]
            p.setdefault(f"hand_tip_{side}", p[f"wrist_{side}"] + 0.6 * arm)
    align = neutral_alignments(points)
    neutral = {"pelvis": p["pelvis"]}
    for name in CENTRAL_CHAIN + ("head_top",):
        if name in p:
            neutral[name] = p[name]
    for side in SIDES:
        if f"clavicle_{side}" in p:
            neutral[f"clavicle_{side}"] = p[f"clavicle_{side}"]
        neutral[f"shoulder_{side}"], neutral[f"hip_{side}"] = p[f"shoulder_{side}"], p[f"hip_{side}"]
        chain = [("shoulder", "elbow", "upper_arm"), ("elbow", "wrist", "forearm"), ("wrist", "hand_tip", "hand"),
                 ("hip", "knee", "thigh"), ("knee", "ankle", "shank"), ("ankle", "toes", "foot"), ("ankle", "heel", "foot"),
                 ("ankle", "toe_tip", "foot")]
        for start, end, segment in chain:
            start, end, segment = f"{start}_{side}", f"{end}_{side}", f"{segment}_{side}"
            if end in p and start in neutral:
                neutral[end] = neutral[start] + align[segment] @ (p[end] - p[start])
    return neutral


def _contact_points(p: Mapping[str, np.ndarray], segments: list[Segment]) -> list[ContactPoint]:
    """Heel (2), ball (2) and toe (1, without toes 2) points of each foot, from the foot's own length, on the sole plane z = 0.

    A foot without toes rolls over its tip alone: over a single point there it could not keep from falling to the side.
    """
    names = {s.name for s in segments}
    points = []
    for side in SIDES:
        ankle, heel, tip = p[f"ankle_{side}"], p[f"heel_{side}"], p[f"toe_tip_{side}"]
        length = float(tip[0] - heel[0])
        radius = 0.025 * length
        ball_x = p[f"toes_{side}"][0] if f"toes_{side}" in p else heel[0] + 0.72 * length
        y, z = ankle[1], tip[2] + radius  # straightening legs that rest apart lowers the sole
        toe_segment = f"toes_{side}" if f"toes_{side}" in names else f"foot_{side}"
        toe_origin = p[f"toes_{side}"] if toe_segment.startswith("toes") else ankle
        rows = [
            ("heel_in", "heel", heel[0] + radius, -HEEL_HALF_WIDTH), ("heel_out", "heel", heel[0] + radius, HEEL_HALF_WIDTH),
            ("ball_in", "ball", ball_x, -BALL_HALF_WIDTH), ("ball_out", "ball", ball_x, BALL_HALF_WIDTH),
        ]
        front = ([("toe", -0.35)] if toe_segment.startswith("toes")
                 else [("toe_in", -STIFF_TIP_SHARE), ("toe_out", STIFF_TIP_SHARE)])
        rows += [(name, "toe", tip[0] - radius, share * BALL_HALF_WIDTH) for name, share in front]
        outward = 1.0 if side == "L" else -1.0
        for name, kind, x, lateral in rows:
            segment, origin = (toe_segment, toe_origin) if kind == "toe" else (f"foot_{side}", ankle)
            place = np.array([x, y + outward * lateral * length, z]) - origin
            points.append(ContactPoint(f"{name}_{side}", side, kind, segment, place, radius))
    return points
