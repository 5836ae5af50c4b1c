# SPDX-License-Identifier: GPL-3.0-or-later
"""The F-curves of an action, in every version that Lope runs in."""

from __future__ import annotations

from collections.abc import Iterator

import bpy


def curves_of(action: bpy.types.Action, slot: bpy.types.ActionSlot | None = None) -> Iterator[bpy.types.FCurve]:
    """F-curves of an action, of one slot or of all."""
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if slot is None or bag.slot_handle == slot.handle:
                    yield from bag.fcurves
