# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to name bones: none at all, digits, nonsense, and those of programs whose characters come without a family of names."""

from __future__ import annotations

import random

from .animal import Animal

SYLLABLES = ("zo", "rak", "mi", "tul", "pe", "gnu", "la", "fis", "ob", "wex")


def nameless(animal: Animal) -> None:
    """`Bone`, `Bone.001` and so on."""
    animal.rename(lambda i, _: f"Bone.{i:03d}" if i else "Bone")


def digits(animal: Animal) -> None:
    """Numbers only."""
    animal.rename(lambda i, _: str(i))


def nonsense(animal: Animal, seed: int = 5) -> None:
    """Words of no language."""
    random_ = random.Random(seed)
    animal.rename(lambda i, _: "".join(random_.choice(SYLLABLES) for _ in range(3)) + str(i))


def by_segment(animal: Animal, names: dict[str, str], sides: tuple[str, str], rest: str = "{name}") -> None:
    """Names by segment (without its side, where `{side}` stands), other bones as `rest` says."""
    segment_of = {bone: segment for segment, bone in animal.truth.items()}
    spine = {bone: i for i, bone in enumerate(animal.spine)}

    def name_of(i: int, old: str) -> str:
        segment = segment_of.get(old, "")
        kind, side = (segment[:-2], sides["LR".index(segment[-1])]) if segment[-2:] in ("_L", "_R") else (segment, "")
        if old in spine and "spine" in names:
            return names["spine"].format(n=spine[old], m=spine[old] + 1)
        return names[kind].format(side=side) if kind in names else rest.format(i=i, name=old)

    animal.rename(name_of)


def japanese(animal: Animal) -> None:
    """As MikuMikuDance has them."""
    by_segment(animal, {"pelvis": "下半身", "spine": "上半身{m}", "neck": "首", "head": "頭", "clavicle": "{side}肩",
                        "upper_arm": "{side}腕", "forearm": "{side}ひじ", "hand": "{side}手首", "thigh": "{side}足",
                        "shank": "{side}ひざ", "foot": "{side}足首", "toes": "{side}つま先"}, ("左", "右"), "ボーン{i}")


def vroid(animal: Animal) -> None:
    """As VRoid has them."""
    by_segment(animal, {"pelvis": "J_Bip_C_Hips", "spine": "J_Bip_C_Spine{m}", "neck": "J_Bip_C_Neck", "head": "J_Bip_C_Head",
                        "clavicle": "J_Bip_{side}_Shoulder", "upper_arm": "J_Bip_{side}_UpperArm",
                        "forearm": "J_Bip_{side}_LowerArm", "hand": "J_Bip_{side}_Hand", "thigh": "J_Bip_{side}_UpperLeg",
                        "shank": "J_Bip_{side}_LowerLeg", "foot": "J_Bip_{side}_Foot", "toes": "J_Bip_{side}_ToeBase"},
               ("L", "R"), "J_Bip_{i}")


def daz(animal: Animal) -> None:
    """As Daz and Poser have them."""
    by_segment(animal, {"pelvis": "hip", "spine": "abdomen{m}", "neck": "neckLower", "head": "head", "clavicle": "{side}Collar",
                        "upper_arm": "{side}ShldrBend", "forearm": "{side}ForearmBend", "hand": "{side}Hand",
                        "thigh": "{side}ThighBend", "shank": "{side}Shin", "foot": "{side}Foot", "toes": "{side}Toe"},
               ("l", "r"), "{name}")


def biped(animal: Animal) -> None:
    """As 3ds Max's Biped has them."""
    by_segment(animal, {"pelvis": "Bip01 Pelvis", "spine": "Bip01 Spine{n}", "neck": "Bip01 Neck", "head": "Bip01 Head",
                        "clavicle": "Bip01 {side} Clavicle", "upper_arm": "Bip01 {side} UpperArm",
                        "forearm": "Bip01 {side} Forearm", "hand": "Bip01 {side} Hand", "thigh": "Bip01 {side} Thigh",
                        "shank": "Bip01 {side} Calf", "foot": "Bip01 {side} Foot", "toes": "Bip01 {side} Toe0"}, ("L", "R"),
               "Bip01 x{i}")


def korean(animal: Animal) -> None:
    """Plain Korean words."""
    by_segment(animal, {"pelvis": "골반", "spine": "척추{m}", "neck": "목", "head": "머리", "clavicle": "쇄골_{side}",
                        "upper_arm": "위팔_{side}", "forearm": "아래팔_{side}", "hand": "손_{side}", "thigh": "허벅지_{side}",
                        "shank": "종아리_{side}", "foot": "발_{side}", "toes": "발가락_{side}"}, ("왼", "오른"), "본{i}")


def robot(animal: Animal) -> None:
    """Game-like names with the side behind a dot, some of which a family of Lope's has, too."""
    by_segment(animal, {"pelvis": "Hips", "spine": "Torso{n}", "neck": "Neck", "head": "Head", "clavicle": "Shoulder.{side}",
                        "upper_arm": "UpperArm.{side}", "forearm": "LowerArm.{side}", "hand": "Palm.{side}",
                        "thigh": "UpperLeg.{side}", "shank": "LowerLeg.{side}", "foot": "Foot.{side}", "toes": "Toe.{side}"},
               ("L", "R"))
