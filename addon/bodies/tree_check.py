# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether segments, contact points, feet and roles make a body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import BodyError
from .segments import JOINTS, ROOT_JOINTS, ContactPoint, Foot, Segment


def check_tree(segments: Sequence[Segment], points: Sequence[ContactPoint], feet: Sequence[Foot],
               roles: Mapping[str, str]) -> None:
    """Raises BodyError with the first thing that is wrong: no tree, no such joint, or a part on a segment that is not there."""
    if not segments:
        raise BodyError("A body needs at least one segment.")
    known: dict[str, str | None] = {}
    for segment in segments:
        allowed = JOINTS if known else ROOT_JOINTS
        if segment.name in known:
            raise BodyError(f"Two segments of this body have the name {segment.name}.")
        if segment.joint not in allowed:
            raise BodyError(f"The joint of segment {segment.name} is {segment.joint!r}; there it must be {allowed[0]} or "
                            f"{allowed[1]}.")
        if (segment.parent not in known) if known else (segment.parent is not None):
            raise BodyError(f"The parent of segment {segment.name}, {segment.parent!r}, must stand before it in the list of "
                            "segments; only the first has none.")
        known[segment.name] = segment.parent
    used = [(f"contact point {p.name}", p.segment) for p in points] + [(f"role {role}", name) for role, name in roles.items()]
    for what, name in used + [(f"foot {foot.name}", foot.segment) for foot in feet]:
        if name not in known:
            raise BodyError(f"The {what} is on segment {name!r}, which this body does not have.")
    if roles.get("root", segments[0].name) != segments[0].name:
        raise BodyError(f"The root of a body is its first segment, {segments[0].name}, not {roles['root']}.")
    for foot in feet:
        _check_foot(foot, known, points)


def _check_foot(foot: Foot, parents: Mapping[str, str | None], points: Sequence[ContactPoint]) -> None:
    """Raises BodyError for a leg that is no chain ending in the foot, and for points that are not the foot's."""
    chain = bool(foot.leg) and foot.leg[-1] == foot.segment
    if not chain or any(parents.get(low) != high for high, low in zip(foot.leg, foot.leg[1:], strict=False)):
        raise BodyError(f"The leg of foot {foot.name} must be a chain of segments that ends in {foot.segment}, "
                        f"got {', '.join(foot.leg) or 'none'}.")
    if not any(0 <= row < len(points) and points[row].segment == foot.segment for row in foot.points):
        raise BodyError(f"The foot {foot.name} needs a contact point on its segment {foot.segment}.")
