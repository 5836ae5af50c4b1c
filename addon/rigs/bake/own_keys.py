# SPDX-License-Identifier: GPL-3.0-or-later
"""An animator's own keys in an earlier bake, laid over a fresh one. What an edit changed is what counts, not the pose: the
difference between the earlier action and that bake as Lope wrote it is added to the new motion, turns as turns, and fades out
over some frames where nothing was edited. The bake as it was is worked out from its take where that is there; else it goes evenly
between Lope's keys on either side of the artist's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...errors import LopeError, RigError
from ...maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..read.actions import curves_of
from .action import ActionWriter, Keys, key_kinds
from .artist_keys import lopes_channels, lopes_kinds, note_channels, untouched
from .bake import bone_path, prepare
from .placing import standing_at_base
from .provenance import SHOT_KEY, provenance

FADE_FRAMES = 6
EDITED = 1e-5
"""A channel that differs by less from what Lope wrote was not edited; keys have seven digits."""
FADED = 0.15
"""An edit whose end is less than this share of its largest change ends there by itself."""
QUATERNION = "rotation_quaternion"

Curves = dict[str, list[bpy.types.FCurve]]


@dataclass(frozen=True)
class Laid:
    """What was laid over a bake: the action with it, edited controls, and keys of the artist's beyond the new motion's ends."""

    action: bpy.types.Action
    controls: int
    beyond: int


def has_own_keys(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> bool:
    """Whether somebody has edited what Lope baked into an action."""
    return SHOT_KEY in action and slot is not None and not untouched(action, slot)


def lay_over(armature: bpy.types.Object, old: bpy.types.Action, take: str | Path | None, scene: bpy.types.Scene,
             fade: int = FADE_FRAMES) -> Laid:
    """Lay the edits of an earlier bake over the one in the armature's action; `take` is the file of the earlier one's take, None
    where it is gone. The earlier action stays as it is. Raises RigError where there is nothing to lay."""
    data = armature.animation_data
    slot = old.slots[0] if old.slots else None
    if data is None or data.action is None or data.action == old or slot is None:
        raise RigError(f"There is no newer bake to lay the keys of {old.name!r} over.")
    new, was = _by_path(data.action, data.action_slot), _by_path(old, slot)
    written = {} if take is None else _as_written(armature, old, take, scene)
    writer = ActionWriter(data.action.name, armature, "update")
    touched, beyond = set(), 0
    try:
        for path, curves in was.items():
            if path not in new:
                _copy(writer, path, curves)
                touched.add(path)
                continue
            frames, edits = _edits(path, curves, written.get(path))
            span = np.array([curve.range() for curve in new[path]], float)
            first, last = span[:, 0].min(), span[:, 1].max()
            inside = (frames >= first) & (frames <= last)
            beyond += int(np.count_nonzero(~inside))
            if inside.any():
                _lay(writer, path, new[path], curves, (frames[inside], edits[inside]), fade)
                touched.add(path)
        if not touched:
            raise RigError(f"No key of {old.name!r} differs from what Lope wrote, within the new motion.")
        note_channels(writer.action, writer.slot, set(), touched, lopes_channels(data.action))
    except Exception:
        writer.drop()
        raise
    writer.assign()
    return Laid(writer.action, len({path.rpartition(".")[0] for path in touched}), beyond)


def _by_path(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> Curves:
    found: Curves = {}
    for curve in curves_of(action, slot):
        if len(curve.keyframe_points):
            found.setdefault(curve.data_path, []).append(curve)
    return {path: sorted(curves, key=lambda one: one.array_index) for path, curves in found.items()}


def _as_written(armature: bpy.types.Object, old: bpy.types.Action, take: str | Path,
                scene: bpy.types.Scene) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Frames (T,) and values (T, C) by path as Lope wrote them into an action; {} where that cannot be told, as of a bake that
    went on from another one."""
    try:
        how = provenance(old)
        if how.options.go_on or how.shot.motion.after is not None or how.options.reduce_error_m is not None:
            return {}
        with standing_at_base(armature, scene, how.options.start_frame, stay=False):
            made = prepare(armature, take, how.options, None, scene).written
    except LopeError:
        return {}
    return {bone_path(armature, track): (made.frames, np.broadcast_to(track.values, (len(made.frames), track.values.shape[1])))
            for track in made.tracks}


def _edits(path: str, curves: list[bpy.types.FCurve],
           written: tuple[np.ndarray, np.ndarray] | None) -> tuple[np.ndarray, np.ndarray]:
    """Frames (N,) that were edited, and by how much (N, C): a rotation vector (N, 3) of a quaternion."""
    keyed = [_keys(curve) for curve in curves]
    if written is not None and written[1].shape[1] == len(curves):
        base_at = written[0]
        frames = np.union1d(np.concatenate([frames for frames, _, _ in keyed]), base_at)
        frames = frames[(frames >= base_at[0]) & (frames <= base_at[-1])]
        base = np.stack([np.interp(frames, base_at, column) for column in written[1].T], axis=1)
    else:
        own = [frames[~np.isin(kinds, lopes_kinds())] for frames, _, kinds in keyed]
        frames = np.unique(np.concatenate(own))
        base = np.stack([_between(*one, frames) for one in keyed], axis=1)
    now = np.array([[curve.evaluate(frame) for curve in curves] for frame in frames], float).reshape(len(frames), len(curves))
    if path.endswith(QUATERNION) and len(curves) == 4:
        edits = rotvec_from_quat(quat_multiply(quat_conjugate(_unit(base)), _unit(now)))
    else:
        edits = now - base
    changed = np.abs(edits).max(axis=1, initial=0.0) > EDITED * np.maximum(1.0, np.abs(base).max(axis=1, initial=0.0))
    return frames[changed], edits[changed]


def _keys(curve: bpy.types.FCurve) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frames, values and types (N,) of a curve's keys."""
    count = len(curve.keyframe_points)
    places, kinds = np.empty(2 * count, np.float32), np.empty(count, np.int32)
    curve.keyframe_points.foreach_get("co", places)
    curve.keyframe_points.foreach_get("type", kinds)
    return places[::2].astype(float), places[1::2].astype(float), kinds


def _between(frames: np.ndarray, values: np.ndarray, kinds: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values at some frames, evenly between Lope's samples beside them; of a curve without any, its own."""
    lopes = np.isin(kinds, lopes_kinds()[:2])
    return np.interp(at, frames[lopes], values[lopes]) if lopes.any() else np.interp(at, frames, values)


def _unit(quaternions: np.ndarray) -> np.ndarray:
    return quaternions / np.maximum(np.linalg.norm(quaternions, axis=1, keepdims=True), 1e-9)


def fading(at: np.ndarray, frames: np.ndarray, edits: np.ndarray, fade: int) -> np.ndarray:
    """Edits (T, C) at frames `at` (T,): those of `frames` (N,) where they are, smoothly gone `fade` frames beside them and
    between two that lie further apart than twice that. Where an edit has faded by itself it is gone at the next frame."""
    far = np.diff(frames) > 2 * fade + 1e-6
    size = np.abs(edits).max(axis=1)
    reach = np.where(size > FADED * size.max(), float(fade), 1.0)
    ends, begins = np.append(far, True), np.append(True, far)
    zeros = np.concatenate([frames[begins] - reach[begins], frames[ends] + reach[ends]])
    knots = np.concatenate([frames, zeros])
    values = np.concatenate([edits, np.zeros((len(zeros), edits.shape[1]))])
    order = np.argsort(knots, kind="stable")
    knots, values = knots[order], values[order]
    low = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    share = np.clip((at - knots[low]) / np.maximum(knots[low + 1] - knots[low], 1e-9), 0.0, 1.0)
    share = (share * share * (3.0 - 2.0 * share))[:, None]
    return np.where(((at >= knots[0]) & (at <= knots[-1]))[:, None], values[low] * (1.0 - share) + values[low + 1] * share, 0.0)


def _lay(writer: ActionWriter, path: str, curves: list[bpy.types.FCurve], theirs: list[bpy.types.FCurve],
         edited: tuple[np.ndarray, np.ndarray], fade: int) -> None:
    """Write the curves of a path anew, with the edits in them: a key at every frame."""
    spans = np.array([curve.range() for curve in curves], float)
    frames = np.arange(np.floor(spans[:, 0].min()), np.ceil(spans[:, 1].max()) + 0.5)
    frames = np.unique(np.concatenate([frames, edited[0], *(_keys(curve)[0] for curve in curves)]))
    base = np.array([[curve.evaluate(frame) for curve in curves] for frame in frames], float)
    change = fading(frames, *edited, fade)
    if path.endswith(QUATERNION) and len(curves) == 4:
        values = quat_multiply(_unit(base), quat_from_rotvec(change))
        values *= np.where((values * base).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    else:
        values = base + change
    items = bpy.types.Keyframe.bl_rna.properties["type"].enum_items
    own = np.unique(np.concatenate([frames[~np.isin(kinds, lopes_kinds())] for frames, _, kinds in map(_keys, theirs)]))
    kinds = key_kinds(frames, ())
    kinds[np.abs(change).max(axis=1) > EDITED] = items["JITTER"].value
    kinds[np.isin(frames, own)] = items["KEYFRAME"].value
    group = curves[0].group.name if curves[0].group is not None else ""
    for column, curve in enumerate(curves):
        writer.write(path, group, curve.array_index, Keys(frames, values[:, column], kinds))


def _copy(writer: ActionWriter, path: str, curves: list[bpy.types.FCurve]) -> None:
    """The curves of a control that no bake writes, as they are."""
    for curve in curves:
        frames, values, kinds = _keys(curve)
        group = curve.group.name if curve.group is not None else ""
        writer.write(path, group, curve.array_index, Keys(frames, values, kinds))
