# SPDX-License-Identifier: GPL-3.0-or-later
"""A trunk that leans or hunches at rest: by how much, and the turns that set it upright for the neutral pose."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...maths.axis_turns import about_y

LEAN_DEG = (-17.0, 8.0)
"""Lean of the line from the hips to the shoulders that is left as it is, forward positive: 23 characters and clips that stand
upright have -9 to 3 (Mixamo, MPFB, Rigify, KayKit, CMU, SNU), one of CMU's skeletons -16."""
_LINKS_DEG = {"lower_spine": (-25.0, 20.0), "chest": (-20.0, 20.0), "neck": (-15.0, 30.0)}
"""Lean of each segment, from its joint to the next, that is left as it is: the same have -18 to 13, -4 to 15 and -3 to 22. From
the hips to the spine the way is short, and says where the joint lies rather than how the pelvis is held."""
_SHORT = 0.2
"""Of the trunk: shorter ways of the spine say nothing either."""
_CHAIN = ("pelvis", "lower_spine", "chest", "neck", "head")
_PARENTS = {"clavicle": ("chest", "lower_spine", "pelvis"), "shoulder": ("clavicle", "chest", "lower_spine", "pelvis")}


def lean_deg(points: Mapping[str, np.ndarray]) -> float:
    """How far the line from hips to shoulders leans forward at rest [deg]."""
    return _angle(points["pelvis"], 0.5 * (points["shoulder_L"] + points["shoulder_R"]))


def trunk_turns(points: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rotations (3, 3) of the trunk's segments from a rest pose that leans or hunches to the neutral pose; empty for one that
    stands as people do.

    What a segment leans beyond its band is taken off that segment; what the trunk then still leans beyond its own band is
    taken off all of it, the head with it: a head looks ahead at rest, however bowed the back under it is.
    """
    chain = [name for name in _CHAIN if name in points]
    shoulders = 0.5 * (points["shoulder_L"] + points["shoulder_R"])
    links = {name: points[after] - points[name] for name, after in zip(chain, chain[1:], strict=False)}
    length = float(np.linalg.norm(shoulders - points["pelvis"]))
    off = {name: _excess(_angle(np.zeros(3), links[name]), band) for name, band in _LINKS_DEG.items()
           if name in links and (name == "neck" or np.linalg.norm(links[name]) > _SHORT * length)}
    if "neck" in off:  # heads sit ahead of the neck in many ways: it follows a bowed chest, never more
        bow = abs(off.get("chest", 0.0))
        off["neck"] = min(max(off["neck"], -bow), bow)
    trunk = [name for name in ("pelvis", "lower_spine", "chest") if name in chain]
    places = _moved(points, chain, {name: about_y(np.radians(-off.get(name, 0.0))) for name in chain})
    top = places[trunk[-1]] + about_y(np.radians(-off.get(trunk[-1], 0.0))) @ (shoulders - points[trunk[-1]])
    rest = _excess(_angle(places["pelvis"], top), LEAN_DEG)
    if rest == 0.0 and not any(off.values()):
        return {}
    return {name: about_y(np.radians(-off.get(name, 0.0) - rest)) for name in chain}


def upright(points: Mapping[str, np.ndarray], turns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The landmarks of trunk, shoulders and head with the trunk's segments turned; other points stay where they are."""
    if not turns:
        return dict(points)
    chain = [name for name in (*_CHAIN, "head_top") if name in points]
    moved = {**points, **_moved(points, chain, turns)}
    for kind in ("clavicle", "shoulder"):
        for side in ("L", "R"):
            mark = f"{kind}_{side}"
            if mark in points:
                parent = next(name for name in (*(f"{n}_{side}" for n in _PARENTS[kind]), *_PARENTS[kind]) if name in points)
                turn = turns.get(parent, turns[_trunk_of(points)])
                moved[mark] = moved[parent] + turn @ (points[mark] - points[parent])
    return moved


def _trunk_of(points: Mapping[str, np.ndarray]) -> str:
    """The segment of the trunk that carries the clavicles."""
    return next(name for name in _PARENTS["clavicle"] if name in points)


def _moved(points: Mapping[str, np.ndarray], chain: list[str], turns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The joints of a chain from the pelvis up, each segment turned about its joint."""
    moved = {"pelvis": points["pelvis"]}
    for name, after in zip(chain, chain[1:], strict=False):
        moved[after] = moved[name] + turns[name] @ (points[after] - points[name])
    return moved


def _angle(low: np.ndarray, high: np.ndarray) -> float:
    """Lean of a line forward [deg]."""
    way = high - low
    return float(np.degrees(np.arctan2(way[0], way[2])))


def _excess(value: float, band: tuple[float, float]) -> float:
    """What lies beyond a band."""
    return value - min(max(value, band[0]), band[1])
