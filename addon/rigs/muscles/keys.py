# SPDX-License-Identifier: GPL-3.0-or-later
"""Activations of a take as keys: one action, with a slot for every muscle's object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...controllers.reflex.conditions import PARTS
from ...controllers.reflex.units import ANATOMY
from ...errors import TakeError
from ...maths.curves import cubic
from ...take import Take
from ..bake.action import ActionWriter, Keys, key_kinds
from ..bake.prepare import frame_rate
from ..bake.provenance import START_KEY, provenance, written_frames
from ..bake.sampling import middle_stride
from .material import PROPERTY

CHANNEL = "activation"
GROUP = "Muscle"
STILL = 0.004
"""A key that differs less than this from the straight line between its neighbours is left out: no eye tells such shades apart."""


def names_in(take: Take) -> tuple[str, ...]:
    """The muscles of a take, in the order of its channels. Raises TakeError for a take without muscles."""
    names = take.stats.get("muscles")
    if not names or CHANNEL not in take.channels:
        raise TakeError("This take has no muscles to show: simulate it with muscles in place of torques, and bake that.")
    return tuple(names)


def columns_of(names: Sequence[str], shown: Iterable[str]) -> dict[str, int]:
    """For each muscle that can be shown its column among a take's `names`: its own, or that of the unit that stands for it, such
    as "vasti_L" for "vastus_medialis_L"; muscles that the take does not have are left out."""
    own = {name: column for column, name in enumerate(names)}
    stands_for = {beginning: ANATOMY[unit] for unit, beginnings in PARTS.items() for beginning in beginnings}
    found = {}
    for name in shown:
        unit = next((unit for beginning, unit in stands_for.items() if name.startswith(beginning)), "")
        column = own.get(name, own.get(f"{unit}{name[-2:]}"))
        if column is not None:
            found[name] = column
    return found


def activations(take: Take, action: bpy.types.Action, scene: bpy.types.Scene) -> tuple[np.ndarray, np.ndarray]:
    """Frames (T,) that the bake of a take wrote into an action, and the activations (T, M) there; in a loop as it is faded."""
    first, last = written_frames(action)
    frames = np.arange(np.ceil(first), np.floor(last) + 1.0)
    values = np.asarray(take.channels[CHANNEL].values, dtype=float)

    def at(times: np.ndarray) -> np.ndarray:
        return np.column_stack([np.interp(times, take.time_s, column) for column in values.T])

    start = float(action[START_KEY])
    if not provenance(action).options.loop:
        return frames, np.clip(at(take.time_s[0] + (frames - start) / frame_rate(scene)), 0.0, 1.0)
    begin, period = middle_stride(take)
    s = (frames - frames[0]) / max(frames[-1] - frames[0], 1.0)
    w = cubic(s)[:, None]
    return frames, np.clip((1.0 - w) * at(begin + s * period) + w * at(begin + (s - 1.0) * period), 0.0, 1.0)


def key_activations(name: str, items: Sequence[bpy.types.Object], frames: np.ndarray, values: np.ndarray,
                    loop: bool) -> bpy.types.Action:
    """Key the property of each object by its column of `values` (T, M), all in one new action; gives it."""
    action = None
    for item, column in zip(items, values.T, strict=True):
        writer = ActionWriter(name, item, into=action)
        rows = _kept(column)
        writer.write(f'["{PROPERTY}"]', GROUP, 0, Keys(frames[rows], column[rows], key_kinds(frames[rows], ())),
                     cyclic="REPEAT" if loop else None)
        action = writer.action
        writer.assign()
    assert action is not None
    return action


def _kept(values: np.ndarray) -> np.ndarray:
    """Rows of the keys that a curve (T,) needs: straight from one to the next it is nowhere further off than `STILL`."""
    keep = np.zeros(len(values), dtype=bool)
    keep[[0, -1]] = True
    spans = [(0, len(values) - 1)]
    while spans:
        a, b = spans.pop()
        if b - a < 2:
            continue
        line = np.linspace(values[a], values[b], b - a + 1)
        off = np.abs(values[a:b + 1] - line)
        worst = a + int(np.argmax(off))
        if off[worst - a] > STILL:
            keep[worst] = True
            spans += [(a, worst), (worst, b)]
    return np.flatnonzero(keep)
