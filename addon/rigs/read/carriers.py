# SPDX-License-Identifier: GPL-3.0-or-later
"""What carries what on a rig whose skeleton itself is keyed: a segment's joint is carried by the segment above, wherever its bone
hangs. Feet of rigs that were exported with IK hang on a root; they are brought where the shins end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import RigError
from .figure import RestBone

PARENTS = {
    "pelvis": (), "lower_spine": ("pelvis",), "chest": ("lower_spine", "pelvis"),
    "neck": ("chest", "lower_spine", "pelvis"), "head": ("neck", "chest", "lower_spine", "pelvis"),
    "clavicle": ("chest", "lower_spine", "pelvis"), "upper_arm": ("clavicle", "chest", "lower_spine", "pelvis"),
    "forearm": ("upper_arm",), "hand": ("forearm",), "thigh": ("pelvis",), "shank": ("thigh",), "foot": ("shank",),
    "toes": ("foot",),
}
"""For each segment the ones that may carry its joint, nearest first; the rest is welded away."""

_SEGMENTS = {name + side for name in PARENTS for side in ("", "_L", "_R")}
"""Every segment, whether or not it has sides; the root bone is none."""


def carrier_of(segment: str, bone_of: Mapping[str, str], hung_on: Mapping[str, str | None] | None = None) -> str | None:
    """The bone that carries a segment's joint: that of the nearest segment above which has one. `hung_on` says which segment
    each hangs on, where they are not a person's."""
    if hung_on is not None:
        above = hung_on[segment]
        while above is not None and above not in bone_of:
            above = hung_on[above]
        return None if above is None else bone_of[above]
    kind, side = (segment[:-2], segment[-2:]) if segment[-2:] in ("_L", "_R") else (segment, "")
    return next((bone_of[n] for name in PARENTS[kind] for n in (name + side, name) if n in bone_of), None)


def carriers_first(rig: str, bones: Iterable[RestBone], segment_of: Mapping[str, str],
                   hung_on: Mapping[str, str | None] | None = None) -> tuple[RestBone, ...]:
    """The bones in their order, each after its parent and after the bone that carries its joint. Raises RigError where that
    cannot be: a bone that hangs below one which it has to carry."""
    bone = {one.name: one for one in bones}
    bone_of = {segment: name for name, segment in segment_of.items()}
    known = _SEGMENTS if hung_on is None else hung_on
    done: dict[str, RestBone] = {}
    for name in bone:
        waiting = [name]
        while waiting:
            top = waiting[-1]
            carrier = carrier_of(segment_of[top], bone_of, hung_on) if segment_of.get(top) in known else None
            before = [one for one in (bone[top].parent, carrier) if one is not None and one not in done]
            if top in done or not before:
                done.setdefault(top, bone[top])
                waiting.pop()
            elif before[0] in waiting:
                raise RigError(f"Bone {top!r} of {rig!r} hangs below {before[0]!r}, which it has to carry; say which bone is "
                               "which in its bone map, or give it another parent.")
            else:
                waiting.append(before[0])
    return tuple(done.values())
