# SPDX-License-Identifier: GPL-3.0-or-later
"""How gains go after a strike: down at once, held, and exponentially back; measured in docs/notes/hits.md."""

from __future__ import annotations

import math

from ...specs.hit import Reaction

FULL_M_S = 0.08
"""An impulse that would give the whole body this speed makes a chain yield all the way: 6 N s on 75 kg, a football's; a lighter
one less in proportion (first guess)."""
HOME_S, FADE_S = 0.4, 0.5
"""A chain that comes back with more than its own gains keeps them for so long after its `drop` has ended, and goes over to its
own with this time constant (first guess)."""


def depth_of(impulse_ns: float, mass_kg: float) -> float:
    """How far a chain yields to an impulse [N s], 0 to 1."""
    return min(1.0, impulse_ns / (FULL_M_S * mass_kg))


def drop(since_s: float, depth: float, reaction: Reaction) -> float:
    """Gain over that without a strike, so long after it: `low` of it, held, and exponentially back to 1. The damping that goes
    with it is critical all the while: twice the gain's root."""
    low = reaction.low ** (depth * reaction.looseness)
    share = min(max((since_s - reaction.hold_s) / reaction.back_s, 0.0), 1.0)
    return low ** (1.0 - share)


def strength(since_s: float, depth: float, reaction: Reaction, ratio: float) -> float:
    """What the gains of a struck chain are of their own ones beside its `drop`, where they are scaled to a gravity so many times
    (`ratio`) weaker than Earth's: a ball is as fast there, and the muscles that answer it are as strong, however slowly all else
    goes. It fades when the chain is back."""
    most = max(ratio, 1.0) ** depth
    after = since_s - reaction.hold_s - reaction.back_s - HOME_S
    return most if after <= 0.0 else most ** math.exp(-after / FADE_S)
