# SPDX-License-Identifier: GPL-3.0-or-later
"""A body with a joint out of its place."""

from __future__ import annotations

import numpy as np

from ..errors import BodyError
from ..specs.condition import DISPLACED, Condition
from .body import Body
from .makers import body_from_dict

SAME_PLACE_M = 1e-6
LEG = {"hip": 0, "ankle": -1}
"""Which of the segments of a foot's leg hangs at that joint; of the knee the one between."""


def displaced(body: Body, condition: Condition | None, back: bool = False) -> Body:
    """The body with the joints of a condition's changes further out [m], or `back` in their places; the same one where there are
    none.

    A joint takes all with it that hangs on it; muscles keep their places on their segments, so those over it are stretched.
    Raises BodyError for a body without that joint.
    """
    changes = [change for change in condition.changes if change.kind == DISPLACED and change.value] if condition else []
    if not changes:
        return body
    data = body.to_dict()
    stored = {segment["name"]: segment for segment in data["segments"]}
    for change in changes:
        for side in change.sides:
            moved = stored[joint_segment(body, change.target, side)]
            parent = stored[moved["parent"]]
            at_tip = np.linalg.norm(np.subtract(parent["tip"], moved["offset"])) < SAME_PLACE_M
            out = change.value if (side == "L") != back else -change.value
            offset = np.add(moved["offset"], (0.0, out, 0.0)).tolist()
            moved["offset"] = offset
            if at_tip:
                parent["tip"] = list(offset)
    return body_from_dict(data)


def joint_segment(body: Body, joint: str, side: str) -> str:
    """Name of the segment that hangs at a leg's joint: "hip", "knee" or "ankle". Raises BodyError for a body without it."""
    foot = next((foot for foot in body.feet if foot.side == side), None)
    if foot is None or len(foot.leg) < 2 or (joint == "knee" and len(foot.leg) != 3):
        raise BodyError(f"This body has no {joint} on the side {side!r} that could be out of its place.")
    return foot.leg[LEG.get(joint, 1)]
