# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint's name hints at: a part of the body, and a side. Hints only: structure decides where the two disagree."""

from __future__ import annotations

import re
from functools import lru_cache

# Part -> words, lower case, whole tokens of a name (see `tokens`) or, of scripts without blanks, pieces of it.
_WORDS = {
    "thigh": "thigh upleg upperleg femur lfemur rfemur thighbend thighr thighl oberschenkel cuisse muslo coscia coxa "
             "бедро 大腿 허벅지 足 腿",
    "shank": "shank shin calf lowerleg lowleg knee tibia ltibia rtibia unterschenkel tibia mollet pantorrilla "
             "голень ひざ 膝 すね 小腿 종아리 무릎",
    "foot": "foot ankle lfoot rfoot fuss pied pie piede pe стопа 足首 足先 脚踝 발 발목",
    "toes": "toe toes toebase toe0 ball ltoes rtoes zehen orteil dedos つま先 脚尖 발가락",
    "clavicle": "clavicle collar lclavicle rclavicle shoulder schulter clavicule clavicula ключица 肩 锁骨 쇄골 어깨",
    "upper_arm": "upperarm uparm arm humerus lhumerus rhumerus shldr shldrbend shoulder oberarm bras brazo плечо 腕 上臂 위팔 팔",
    "forearm": "forearm lowerarm lowarm elbow radius lradius rradius forearmbend unterarm avantbras antebrazo предплечье ひじ "
               "肘 前腕 下臂 아래팔 팔꿈치",
    "hand": "hand wrist palm lhand rhand lwrist rwrist handgelenk main mano кисть 手首 手腕 손 손목",
    "pelvis": "pelvis hip hips pelvic becken bassin cadera таз 下半身 腰 骨盆 골반 엉덩이",
    "spine": "spine torso abdomen waist chest ribcage lowerback upperback back thorax trunk belly wirbel colonne columna "
             "позвоночник 上半身 脊椎 척추 허리 가슴",
    "neck": "neck nacken hals cou cuello шея 首 脖子 목",
    "head": "head skull kopf tete cabeza голова 頭 头 머리",
    "other": "twist roll ik pole target ctrl control helper jiggle hair skirt cape cloak tail ear eye eyes jaw breast bust wing "
             "weapon sword prop holster nub end effector finger thumb index middle ring pinky little mch mcp metacarpal fin "
             "ponytail braid ribbon sleeve coat tooth tongue brow lip "
             "髪 スカート 裾 目 胸 耳 尻尾 指 ＩＫ 捩 머리카락 치마 손가락",
}
_BY_WORD = {word: part for part, words in _WORDS.items() for word in words.split()}
_AMBIGUOUS = {"shoulder": ("clavicle", "upper_arm"), "足": ("thigh",), "tibia": ("shank",), "plecho": ("upper_arm",)}
_PIECES = sorted((word for word in _BY_WORD if not word.isascii()), key=len, reverse=True)
_JOINED = sorted((word for word in _BY_WORD if word.isascii() and len(word) >= 5), key=len, reverse=True)

_LEFT = {"l", "left", "lft", "lf", "links", "gauche", "izq", "izquierda", "sx"}
_RIGHT = {"r", "right", "rgt", "rt", "rechts", "droite", "der", "derecha", "dx"}
_SIDE_PIECES = {"左": "L", "右": "R", "왼": "L", "오른": "R", "лев": "L", "прав": "R"}


@lru_cache(maxsize=8192)
def tokens(name: str) -> tuple[str, ...]:
    """The words of a name, lower case: parted at blanks, punctuation, digits and capitals; the name space is left out."""
    name = re.split(r"[:|]", name)[-1]
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    words = [word.lower() for word in re.split(r"[\W\d_]+", name) if word]
    joined: list[str] = []
    for word in words:  # "up leg", "fore arm", "upper arm", "lower leg"
        if joined and joined[-1] in ("up", "upper", "low", "lower", "fore") and word in ("leg", "arm", "back"):
            joined[-1] += word
        else:
            joined.append(word)
    return tuple(joined)


@lru_cache(maxsize=8192)
def parts_of(name: str) -> frozenset[str]:
    """The parts of the body that a name speaks of; empty for a name that tells nothing."""
    found: set[str] = set()
    for word in tokens(name):
        if word.isascii():
            part = _BY_WORD.get(word) or _BY_WORD.get(word.lstrip("lr")) or next(
                (_BY_WORD[known] for known in _JOINED if word.startswith(known) or word.endswith(known)), None)
            found |= set(_AMBIGUOUS.get(word, () if part is None else (part,)))
            continue
        for piece in _PIECES:
            if piece in word:
                found |= set(_AMBIGUOUS.get(piece, (_BY_WORD[piece],)))
                word = word.replace(piece, " ")
    return frozenset(found)


@lru_cache(maxsize=8192)
def side_of(name: str) -> str | None:
    """ "L" or "R" where a name says so."""
    words = tokens(name)
    for side, known in (("L", _LEFT), ("R", _RIGHT)):
        if known & set(words):
            return side
    for piece, side in _SIDE_PIECES.items():
        if piece in name:
            return side
    for word in words:
        for start, side in (("left", "L"), ("right", "R")):
            if word.startswith(start) or word.endswith(start):
                return side
        if word[:1] in "lr" and _BY_WORD.get(word[1:]) is not None:
            return word[0].upper()
    return None


def hint(name: str, part: str) -> float:
    """1 for a name that speaks of `part` alone, a quarter for one that may speak of another, -1 for one that speaks of others
    only, 0 for one that tells nothing.

    A twist bone or an IK target of a part speaks of it, but is not it."""
    found = parts_of(name)
    if not found:
        return 0.0
    if "other" in found:
        return -1.0
    if part not in found:
        return -1.0
    return 1.0 if len(found) == 1 else 0.25
