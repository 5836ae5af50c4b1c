# SPDX-License-Identifier: GPL-3.0-or-later
"""The chain of bones that a bake walks: the skeleton itself, or on rigs with controls the controls. A control hangs on helper
bones with constraints, but with the rig's switches set as its map says, and every other control at rest, it follows one other
control rigidly: its `carrier`. And what a bake sets besides: constraints held off, switches, and which bones get keys."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import bpy
import numpy as np

from ...errors import RigError, unknown_name
from ...maths.rotations import quat_from_matrix
from ...specs.bake_options import BakeOptions
from ..read.actions import animation_of
from ..read.figure import LEG, PARENTS, Figure, RestBone, bones_above, carriers_first, limb_of
from ..read.maps import CENTRAL, Controls
from .action import ActionWriter, Keys, key_kinds
from .artist_keys import not_the_artists
from .hands import Twist
from .own_motion import REST, TURNS, OwnMotion, upright_turns

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
        return {bone.name: bone for bone in self.bones}

    @cached_property
    def rest_turn(self) -> dict[str, np.ndarray]:
        """Rotation (4,) of each bone at rest, as a quaternion."""
        turns = quat_from_matrix(np.stack([bone.rotation for bone in self.bones]))
        return dict(zip((bone.name for bone in self.bones), turns, strict=True))


def carrying_skin(figure: Figure, skinned: Collection[str]) -> tuple[Figure, str | None]:
    """The figure whose skin all goes along where its hips go, and which root motion has to carry the travel for that, if any:
    `skinned` bones that a bake would leave behind tear the mesh. One above the hips moves as they do in their place; what else
    hangs on the root beside them goes with the root, what hangs on nothing with the object. Rigs with controls move their skin
    by those."""
    if figure.controls is not None:
        return figure, None
    above = tuple(bones_above(figure.bone, figure.bone_of[figure.hips]))
    torn = [name for name in itertools.takewhile(lambda one: one != figure.root, above) if name in skinned]
    if torn:
        figure = replace(figure, bone_of={**figure.bone_of, figure.hips: torn[-1]})
    moved, root = set(figure.bone_of.values()), figure.root or (above[-1] if above else None)
    lines = ({name, *bones_above(figure.bone, name)} for name in skinned if name in figure.bone)
    left = [line for line in lines if not line & moved]
    if any(root not in line for line in left):
        return figure, "object"
    return (replace(figure, root=root), "root_bone") if left and root in above else (figure, None)


def has_ik(figure: Figure) -> bool:
    return figure.controls is not None and {"foot_L", "foot_R"} <= set(figure.controls.ik)


def uses_ik(figure: Figure, wanted: str) -> bool:
    """Whether the legs go on IK controls for a choice of `BakeOptions.controls`. Raises RigError where they cannot."""
    if wanted == "ik" and not has_ik(figure):
        raise RigError(f"The rig {figure.name!r} ({figure.label or figure.family}) has no IK controls for its feet that "
                       "Lope knows; bake on its FK controls.")
    return wanted != "fk" and has_ik(figure)


def build_chain(figure: Figure, moved: frozenset[str], ik: bool, root: bool, twists: dict[str, Twist] | None = None) -> Chain:
    """The bones to key for the segments a take moves; `root`: the root bone too. Raises RigError where there is none."""
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
    if figure.root is not None and (figure.controls or figure.root in bones_above(bones, figure.bone_of[figure.hips])):
        return figure.root
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


def chosen_bones(figure: Figure, chain: Chain, baked: Collection[str], options: BakeOptions,
                 steady: str | None = None) -> frozenset[str]:
    """Those of the `baked` bones that get keys: with the hips what carries them, with a forearm its twist bones, with legs the
    trunk's `steady` bone. Raises RigError for bones that are not there, or none of which a bake moves."""
    if options.parts == "all":
        return frozenset(baked)
    if options.parts == "bones":
        for name in options.bones:
            if name not in figure.bone:
                raise RigError(str(unknown_name("bone", name, figure.bone)))
        chosen = set(options.bones) & set(baked)
        if not chosen:
            raise RigError(f"A bake moves none of the chosen bones of {figure.name!r} ({_few(options.bones)}); choose some of "
                           f"those that it moves: {_few(chain.segment_of)}.")
    else:
        chosen = {bone for bone, segment in chain.segment_of.items() if _wanted(chain, segment, options.parts)}
        chosen |= set(chain.poles.values()) | ({steady} if steady is not None else set())
    chosen |= {bone for bone, twist in chain.twists.items() if _bone(chain, f"forearm_{twist.side}") in chosen}
    return frozenset(chosen | _carriers(chain, chosen) | _between(chain, chosen, baked))


def same_limb(one: str, other: str) -> bool:
    """Whether two segments are of one limb; hips, spine, neck and head are each their own."""
    return one == other or (limb_of(one) is not None and limb_of(one) == limb_of(other))


def has_hips(chain: Chain, chosen: Collection[str]) -> bool:
    return any(chain.segment_of.get(bone) == chain.hips for bone in chosen)


def _bone(chain: Chain, segment: str) -> str | None:
    return next((bone for bone, name in chain.segment_of.items() if name == segment), None)


def _wanted(chain: Chain, segment: str, parts: str) -> bool:
    limb = chain.limb_of.get(segment)
    if parts == "legs":
        return segment in (chain.hips, ROOT) or (limb is not None and limb[0] == "leg")
    return limb is None or limb[0] == "leg"


def _carriers(chain: Chain, chosen: Collection[str]) -> set[str]:
    """Keyed bones above the hips, where the hips are chosen."""
    found = set()
    for name in chosen if has_hips(chain, chosen) else ():
        if chain.segment_of.get(name) == chain.hips:
            found |= set(bones_above(chain.bone, name)) & set(chain.segment_of)
    return found | ({bone for bone, segment in chain.segment_of.items() if segment == ROOT} if has_hips(chain, chosen) else set())


def _between(chain: Chain, chosen: Collection[str], baked: Collection[str]) -> set[str]:
    """Bones that a bake brings to rest so that a chosen one below them goes right: those with no other keyed bone between."""
    found = set()
    for name in set(chosen) & set(chain.segment_of):
        found |= set(itertools.takewhile(lambda above: above not in chain.segment_of, bones_above(chain.bone, name)))
    return found & set(baked)


def _few(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:6]) + (" ..." if len(names) > 6 else "")


CONSTRAINTS_KEY, PROPERTIES_KEY = "lope_constraints", "lope_properties"
"""Properties of a baked action, JSON by paths: influences that it holds at 0, and the rig's switches, as they were before."""


def hold_constraints(writer: ActionWriter, armature: bpy.types.Object, chain: Chain, chosen: Collection[str],
                     frame: float) -> None:
    """Key working constraints of the `chosen` baked bones to 0, but driven ones, and note what each was before any bake."""
    earlier, held = _noted(armature, CONSTRAINTS_KEY), {}
    driven = {driver.data_path for driver in animation_of(armature).drivers}
    for bone in (bone for bone in (*chain.segment_of, *chain.poles.values()) if bone in chosen):
        for constraint in armature.pose.bones[bone].constraints:
            path = constraint.path_from_id("influence")
            influence = earlier.get(path, constraint.influence)
            if not constraint.mute and influence > 0.0 and path not in driven:
                held[path] = influence
                writer.write(path, bone, 0, _switch(frame, 0.0), influence)
    if held:
        writer.action[CONSTRAINTS_KEY] = json.dumps({**json.loads(writer.action.get(CONSTRAINTS_KEY, "{}")), **held},
                                                    sort_keys=True)


def set_properties(writer: ActionWriter, armature: bpy.types.Object, controls: Controls, ik: bool, frame: float,
                   target: str, segments: Collection[str]) -> None:
    """Key the rig's switches to what the bake of these `segments` needs, note what they were, and bring helper controls to rest.
    With the target "replace" helper controls keep their keys: they are the animator's own touch on the motion."""
    def needed(of: str) -> bool:
        return any(same_limb(of, segment) for segment in segments)

    noted = _noted(armature, PROPERTIES_KEY)
    before = {}
    for prop in (prop for prop in controls.properties if needed(prop.of)):
        bone = armature.pose.bones[prop.bone]
        if prop.name in bone:
            path = f'{bone.path_from_id()}["{bpy.utils.escape_identifier(prop.name)}"]'
            before[path] = noted.get(path, float(bone[prop.name]))
            writer.write(path, prop.bone, 0, _switch(frame, prop.ik if ik else prop.fk), float(bone[prop.name]))
    if before:
        writer.action[PROPERTIES_KEY] = json.dumps({**json.loads(writer.action.get(PROPERTIES_KEY, "{}")), **before},
                                                   sort_keys=True)
    if target == "replace":
        return
    for name in (name for name, of in controls.helpers.items() if needed(of)):
        bone = armature.pose.bones.get(name)
        if bone is None:
            continue
        for part in ("location", "scale", TURNS[bone.rotation_mode]):
            for index, value in enumerate(REST[part]):
                writer.write(bone.path_from_id(part), name, index, _switch(frame, value, "LINEAR"), value)


def _switch(frame: float, value: float, interpolation: str = "CONSTANT") -> Keys:
    at = np.array([frame])
    return Keys(at, np.array([value]), key_kinds(at, ()), interpolation=interpolation)


def _noted(armature: bpy.types.Object, key: str) -> dict[str, float]:
    action = animation_of(armature).action
    return {} if action is None else json.loads(action.get(key, "{}"))


TRUNK = ("lower_spine", "chest")


def steady_bone(armature: bpy.types.Object, chain: Chain, options: BakeOptions) -> str | None:
    """The trunk's lowest bone, where a bake of hips and legs is to keep it upright: not one that the artist has posed or keyed,
    and not in a part of an action, at whose ends it would snap. None where there is none."""
    if options.parts != "legs" or options.target == "replace":
        return None
    bone_of = {segment: bone for bone, segment in chain.segment_of.items()}
    bone = next((bone_of[segment] for segment in TRUNK if segment in bone_of), None)
    return bone if bone in not_the_artists(armature) else None


def held_upright(motion: OwnMotion, segment: str, heading: np.ndarray) -> OwnMotion:
    """The motion with a segment that stands as in the neutral pose, and faces where the body heads (T,) [rad]."""
    return motion.with_turns({segment: upright_turns(heading)})
