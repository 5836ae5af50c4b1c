# SPDX-License-Identifier: GPL-3.0-or-later
"""The muscles of a take by their names: the group that each is counted in, and the muscle without its side."""

from __future__ import annotations

from ..bodies.muscles.of_shot import muscles_of
from ..take import Take

LUMPED = {"gluteals": "hip_extensors", "gluteus_maximus": "hip_extensors", "hip_flexors": "hip_flexors",
          "iliopsoas": "hip_flexors", "hamstrings": "hamstrings", "rectus_femoris": "knee_extensors", "vasti": "knee_extensors",
          "gastrocnemius": "plantar_flexors", "soleus": "plantar_flexors", "tibialis_anterior": "dorsiflexors"}
"""Of a walker whose units stand for several muscles each, which is of no set."""


def groups_of(take: Take) -> list[str]:
    """The group that each of a take's muscles is counted in, in their order; the name without its side where none is known."""
    known = {} if take.shot.actuation is None else {one.name: one.group for one in muscles_of(take.shot, take.body)}
    return [known.get(name, LUMPED.get(bare(name), bare(name))) for name in take.stats["muscles"]]


def bare(name: str) -> str:
    """A muscle's name without its side: "soleus" of "soleus_L"."""
    return name.removesuffix("_L").removesuffix("_R")
