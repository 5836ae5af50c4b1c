# SPDX-License-Identifier: GPL-3.0-or-later
"""The chain of bones that a bake walks: the skeleton itself, or on rigs with controls the controls, hung as they follow.

On a rig with controls a control does not hang on another one in the data, but on helper bones with constraints. With the
rig's switches set as its map says, and every other control at rest, it follows one other control rigidly: its `carrier`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ...errors import RigError
from ...maths.quaternions import quat_from_matrix
from ..read.carriers import PARENTS, carriers_first
from ..read.figure import LEG, Figure, RestBone
from ..read.maps import CENTRAL
from .pronation import Twist

ROOT = "root"


@dataclass(frozen=True)
class Chain:
    """Bones, parents first; which segment each keyed one is ("root" for the root bone); pole targets: side -> bone; twist bones
    of the forearms. `hips` is the segment that is the body's root, `limb_of` what limb segments belong to ("leg" or "arm", and
    its side), `ends` those with which limbs, head and tail end."""

    bones: tuple[RestBone, ...]
    segment_of: dict[str, str]
    poles: dict[str, str]
    twists: dict[str, Twist] = field(default_factory=dict)
    hips: str = "pelvis"
    limb_of: dict[str, tuple[str, str]] = field(default_factory=dict)
    ends: frozenset[str] = frozenset()

    @cached_property
    def bone(self) -> dict[str, RestBone]:
        """Bones by name."""
        return {bone.name: bone for bone in self.bones}

    @cached_property
    def rest_turn(self) -> dict[str, np.ndarray]:
        """Rotation (4,) of each bone at rest, as a quaternion."""
        turns = quat_from_matrix(np.stack([bone.rotation for bone in self.bones]))
        return dict(zip((bone.name for bone in self.bones), turns, strict=True))


def has_ik(figure: Figure) -> bool:
    """Whether the rig has IK controls for both feet."""
    return figure.controls is not None and {"foot_L", "foot_R"} <= set(figure.controls.ik)


def uses_ik(figure: Figure, wanted: str) -> bool:
    """Whether the legs go on IK controls for a choice of `BakeOptions.controls`. Raises RigError where they cannot."""
    if wanted == "ik" and not has_ik(figure):
        raise RigError(f"The rig {figure.name!r} ({figure.label or figure.family}) has no IK controls for its feet that "
                       "Lope knows; bake on its FK controls.")
    return wanted != "fk" and has_ik(figure)


def build_chain(figure: Figure, moved: frozenset[str], ik: bool, root: bool, twists: dict[str, Twist] | None = None) -> Chain:
    """The bones to key for the segments a take moves. `root`: key the root bone too. Raises RigError without one. `twists` are
    the twist bones of a skeleton."""
    chain = _chain(figure, moved, ik, root, twists or {})
    limbs = {segment: figure.limb_of(segment) for segment in figure.bone_of}
    return replace(chain, hips=figure.hips, limb_of={segment: limb for segment, limb in limbs.items() if limb is not None},
                   ends=frozenset(segment for segment in figure.bone_of if figure.is_end(segment)))


def _chain(figure: Figure, moved: frozenset[str], ik: bool, root: bool, twists: dict[str, Twist]) -> Chain:
    bones = {bone.name: bone for bone in figure.bones}
    segment_of = {bone: segment for segment, bone in figure.bone_of.items() if segment in moved}
    if root:
        segment_of[_root(figure, bones)] = ROOT
    if figure.controls is None:
        return Chain(carriers_first(figure.name, figure.bones, segment_of, figure.hung_on), segment_of, {}, twists)
    poles = {}
    if ik:
        of = figure.controls.ik
        segment_of = {bone: s for bone, s in segment_of.items() if s in CENTRAL or s[:-2] not in LEG}
        for side in ("L", "R"):
            segment_of |= {of[f"{part}_{side}"]: f"{part}_{side}" for part in ("foot", "toes")
                           if f"{part}_{side}" in of and f"{part}_{side}" in moved}
            if f"pole_{side}" in of:
                poles[side] = of[f"pole_{side}"]
    return Chain(_hung(figure, bones, segment_of, poles, ik), segment_of, poles)


def _root(figure: Figure, bones: dict[str, RestBone]) -> str:
    """The bone that can carry the travel. Raises RigError where there is none."""
    if figure.root is not None:
        if figure.controls is not None:
            return figure.root
        above = bones[figure.bone_of[figure.hips]].parent
        while above is not None:
            if above == figure.root:
                return above
            above = bones[above].parent
    raise RigError(f"The rig {figure.name!r} has no root bone above its hips that could carry the travel; choose root "
                   "motion on the object, on the hips, or in place, or name a root bone in the bone map.")


def _hung(figure: Figure, bones: dict[str, RestBone], segment_of: dict[str, str], poles: dict[str, str],
          ik: bool) -> tuple[RestBone, ...]:
    """The controls, each with its carrier for a parent, carriers first."""
    bone_of = {segment: bone for bone, segment in segment_of.items()}
    hung: dict[str, RestBone] = {}
    if figure.root is not None:
        hung[figure.root] = replace(bones[figure.root], parent=None)

    def hang(segment: str) -> str:
        name = bone_of[segment]
        if name not in hung:
            carrier = _carrier(figure, segment, bone_of, ik)
            if carrier is not None and carrier != ROOT:
                parent = hang(carrier)
            else:
                parent = figure.root
            hung[name] = replace(bones[name], parent=parent, inherits_rotation=True)
        return name

    for segment in bone_of:
        hang(segment)
    for name in poles.values():
        hung[name] = replace(bones[name], parent=figure.root, inherits_rotation=True)
    return tuple(hung.values())


def _carrier(figure: Figure, segment: str, bone_of: dict[str, str], ik: bool) -> str | None:
    """The segment whose control carries this one's; "root" or None at the top."""
    kind, side = (segment[:-2], segment[-2:]) if segment[-2:] in ("_L", "_R") else (segment, "")
    if segment == ROOT or (ik and kind == "foot"):
        return None
    if segment in figure.controls.parents:
        return figure.controls.parents[segment]
    return next((n for name in PARENTS[kind] for n in (name + side, name) if n in bone_of), None)
