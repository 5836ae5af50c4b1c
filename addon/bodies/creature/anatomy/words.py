# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bone's name hints at in a creature: words beside those of people's parts (`human.anatomy.hints`). Hints only."""

from __future__ import annotations

from ...human.anatomy.hints import parts_of, tokens

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
