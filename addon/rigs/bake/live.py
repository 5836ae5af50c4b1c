# SPDX-License-Identifier: GPL-3.0-or-later
"""A pose shown on an armature while it is driven: what a bake would key, set without keys, and taken back to the last value, also
after undo or in a file saved meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import setitem
from typing import Any

import bpy
import numpy as np

from ...bodies.body import Body
from ...specs.bake_options import BakeOptions
from ..read.actions import animation_of
from ..read.armature import skinned_bones
from ..read.figure import Figure
from .bake import check_drivers, check_ready, free_bones
from .controls import Chain, build_chain, carrying_skin, uses_ik
from .hands import forearm_twists, palm_turns, spread
from .own_motion import REST, TURNS, Motion, own_motion
from .pose import solve
from .tracks import bone_tracks


class LivePose:
    """Poses of a body shown on a figure's armature, until `restore`. Raises RigError, nothing changed, where no bake can be."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene, figure: Figure, body: Body,
                 options: BakeOptions | None = None) -> None:
        check_ready(armature, scene)
        figure, _ = carrying_skin(figure, skinned_bones(armature))
        self._armature, self._figure, self._body = armature, figure, body
        self._shares, twists, self._palms = {}, {}, {}
        if figure.has_hands:
            self._shares, twists = forearm_twists(figure, free_bones(armature))
            self._palms = palm_turns(figure)
        at_rest = Motion(np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]), _still(body))
        own = own_motion(figure, body, at_rest)
        self._own, ik = own.body, uses_ik(figure, (options or BakeOptions()).controls)
        self._chain = build_chain(figure, own.moved, ik, False, twists)
        check_drivers(armature, solve(figure, self._chain, spread(own, self._shares, self._palms)))
        self._before: list[Callable[[], None]] = []
        self._ik = ik
        self.make_ready()
        bones = armature.pose.bones
        self._row = {bone.name: row for row, bone in enumerate(bones)}
        self._values = {prop: np.empty((len(bones), len(rest)), dtype=np.float32) for prop, rest in REST.items()}
        for prop, values in self._values.items():
            bones.foreach_get(prop, values.ravel())  # all at once, and no editor but the view is drawn anew for it

    def show(self, root_m: np.ndarray, turns: np.ndarray) -> None:
        """Show the body: its root at a place (3,) [m] and so turned in the world, other segments (S, 4) to their parents."""
        at = Motion(root_m[None], turns[None, 0], turns[None, 1:])
        motion = spread(own_motion(self._figure, self._body, at, self._own), self._shares, self._palms)
        bones, changed = self._armature.pose.bones, set()
        for track in bone_tracks(self._chain, solve(self._figure, self._chain, motion)):
            self._values[track.prop][self._row[track.bone]] = track.values[0]
            changed.add(track.prop)
        for prop in changed:
            bones.foreach_set(prop, self._values[prop].ravel())
        self._armature.update_tag(refresh={"DATA"})

    def restore(self) -> None:
        while self._before:
            self._before.pop()()

    def make_ready(self) -> None:
        """Note every value that will be changed; hold constraints, and set the rig's switches, as a bake does."""
        armature, figure = self._armature, self._figure
        driven = {driver.data_path for driver in animation_of(armature).drivers}
        self._set(armature.data, "pose_position", "POSE")
        for name in _posed(self._chain):
            bone = armature.pose.bones[name]
            for prop in REST:
                self._keep(bone, prop)
            for constraint in bone.constraints if name in (*self._chain.segment_of, *self._chain.poles.values()) else ():
                if not constraint.mute and constraint.path_from_id("influence") not in driven:
                    self._set(constraint, "influence", 0.0)
        if figure.controls is None:
            return
        for prop in figure.controls.properties:
            bone = armature.pose.bones[prop.bone]
            if prop.name in bone:
                self._before.append(partial(setitem, bone, prop.name, bone[prop.name]))
                bone[prop.name] = type(bone[prop.name])(prop.ik if self._ik else prop.fk)
        for name in figure.controls.helpers:
            bone = armature.pose.bones.get(name)
            if bone is not None:
                for prop in ("location", "scale", TURNS[bone.rotation_mode]):
                    self._set(bone, prop, REST[prop])

    def _keep(self, owner: Any, prop: str) -> None:
        value = getattr(owner, prop)
        value = tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
        self._before.append(lambda: setattr(owner, prop, value))

    def _set(self, owner: Any, prop: str, value: Any) -> None:
        self._keep(owner, prop)
        setattr(owner, prop, value)


def _posed(chain: Chain) -> set[str]:
    return {bone.name for bone in chain.bones}


def _still(body: Body) -> np.ndarray:
    """Joint rotations (1, S-1, 4) of a body that stands."""
    return np.tile([1.0, 0.0, 0.0, 0.0], (1, len(body.segments) - 1, 1))


Kept = dict[str, Any]


def kept_pose(armature: bpy.types.Object, figure: Figure) -> Kept:
    """Every bone's channels that are not at rest, its constraints' influence, the rig's switches, how the armature is shown."""
    switches = {} if figure.controls is None else {
        f"{prop.bone}\n{prop.name}": armature.pose.bones[prop.bone][prop.name] for prop in figure.controls.properties
        if prop.bone in armature.pose.bones and prop.name in armature.pose.bones[prop.bone]}
    bones = {}
    for bone in armature.pose.bones:
        values = {prop: list(getattr(bone, prop)) for prop, rest in REST.items() if tuple(getattr(bone, prop)) != rest}
        if values:
            bones[bone.name] = values
    influences = {f"{bone.name}\n{constraint.name}": constraint.influence
                  for bone in armature.pose.bones for constraint in bone.constraints}
    return {"bones": bones, "influences": influences, "switches": switches, "position": armature.data.pose_position}


def put_back(armature: bpy.types.Object, kept: Kept) -> None:
    """Let an armature stand so again; bones and constraints that are no longer there are left out."""
    bones = armature.pose.bones
    for bone in bones:
        values = kept["bones"].get(bone.name, {})
        for prop, rest in REST.items():
            _put(bone, prop, values.get(prop, rest))
    for path, influence in kept["influences"].items():
        name, constraint = path.split("\n")
        if name in bones and constraint in bones[name].constraints:
            _put(bones[name].constraints[constraint], "influence", influence)
    for path, value in kept["switches"].items():
        name, switch = path.split("\n")
        if name in bones and switch in bones[name]:
            bones[name][switch] = value
    armature.data.pose_position = kept["position"]
    armature.update_tag(refresh={"DATA"})


def _put(owner: Any, prop: str, value: Any) -> None:
    """Set what differs, so that a library override gains nothing of what it does not change."""
    now = getattr(owner, prop)
    if (tuple(now) if isinstance(value, Iterable) else now) != (tuple(value) if isinstance(value, Iterable) else value):
        setattr(owner, prop, value)
