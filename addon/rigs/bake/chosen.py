# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones of a bake get keys, where it is asked for a part of the body or for some bones only. No Blender."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...errors import RigError, unknown_name
from ...specs.bake_options import BakeOptions
from ..read.figure import Figure, limb_of
from .controls import ROOT, Chain


def chosen_bones(figure: Figure, chain: Chain, baked: Collection[str], options: BakeOptions,
                 steady: str | None = None) -> frozenset[str]:
    """Those of the `baked` bones that get keys. With the hips goes what carries them, or the way would be lost, with a forearm
    its twist bones, and with legs the trunk's `steady` bone.

    Raises RigError for bones that are not there, or none of which a bake moves.
    """
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
    """Whether the bone that is the hips is among the chosen ones."""
    return any(chain.segment_of.get(bone) == chain.hips for bone in chosen)


def _bone(chain: Chain, segment: str) -> str | None:
    """The bone that is a segment."""
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
            above = chain.bone[name].parent
            while above is not None:
                if above in chain.segment_of:
                    found.add(above)
                above = chain.bone[above].parent
    return found | ({bone for bone, segment in chain.segment_of.items() if segment == ROOT} if has_hips(chain, chosen) else set())


def _between(chain: Chain, chosen: Collection[str], baked: Collection[str]) -> set[str]:
    """Bones that a bake brings to rest so that a chosen one below them goes right: those with no other keyed bone between."""
    found = set()
    for name in chosen:
        above = chain.bone[name].parent if name in chain.segment_of else None
        while above is not None and above not in chain.segment_of:
            found.add(above)
            above = chain.bone[above].parent
    return found & set(baked)


def _few(names: Iterable[str], most: int = 6) -> str:
    """Some names in a row."""
    names = list(names)
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "")
