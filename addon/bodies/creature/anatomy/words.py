# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bone's name hints at in a creature: words beside those of people's parts (`human.anatomy.hints`). Hints only."""

from __future__ import annotations

import numpy as np

from ...human.anatomy.hints import parts_of, tokens
from ...human.anatomy.skeleton import Skeleton

_KINDS = {
    "tail": "tail schwanz cola coda queue хвост 尻尾 尾巴 꼬리",
    "head": "head skull kopf tete cabeza голова 頭 头 머리",
    "jaw": "jaw mouth tongue beak teeth tooth chin lip snout muzzle mandible",
    "organ": "eye eyes ear ears brow lid eyelid horn antenna antler nose feather crest comb mane whisker",
    "cloth": "skirt cape cloak hair coat cloth dress robe ribbon scarf belt strap sleeve ponytail braid weapon gun sword "
             "shield prop holster bag hat helmet breast boob belly",
    "wing": "wing wings flugel aile ala",
    "toe": "toe toes toebase ball zehen orteil claw talon",
    "control": "ik pole target ctrl control helper aim heel",
    "twist": "twist roll bendy",
}
_ENDS = frozenset("end nub site tip leaf effector terminal".split())
_OWN_LENGTH = 0.3
"""Of the way from its parent: a joint without children and skin that is as long as this is a bone, and no end of one."""
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_PIECES = tuple(word for word in _KIND_OF if not word.isascii())


def kinds_of(name: str) -> frozenset[str]:
    """The kinds that a name speaks of: "tail", "jaw", "organ", "cloth", "wing", "toe", "head", "control", "twist"."""
    found = {_KIND_OF[word] for word in tokens(name) if word in _KIND_OF}
    return frozenset(found | {_KIND_OF[piece] for piece in _PIECES if piece in name})


def speaks(name: str, part: str) -> float:
    """1 where a name speaks of this part of a leg or an arm ("thigh", "shank", "foot" ...) alone, -1 where it speaks of
    others."""
    found = parts_of(name) - {"other"}
    if kinds_of(name) & {"tail", "jaw", "organ", "cloth"}:
        return -1.0
    if not found or part in found:
        return float(part in found)
    return -1.0


def only_ends(skeleton: Skeleton, joint: int) -> bool:
    """Whether a joint only marks where the bone before it ends: without children and skin, or, where nothing is known of skin,
    called so or without a length of its own."""
    if not skeleton.leads_nowhere(joint) or skeleton.skin is not None or set(tokens(skeleton.names[joint])) & _ENDS:
        return skeleton.leads_nowhere(joint)
    above = int(skeleton.parents[joint])
    if above < 0:
        return False
    way = float(np.linalg.norm(skeleton.heads[joint] - skeleton.heads[above]))
    return float(np.linalg.norm(skeleton.ends[joint] - skeleton.heads[joint])) < _OWN_LENGTH * way
