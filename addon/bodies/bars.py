# SPDX-License-Identifier: GPL-3.0-or-later
"""Segments that bar each other's way, and soles that the ground bars, but for what a motion itself has.

A captured motion, on a body of other proportions, goes a little through itself and through the ground. Where it is to be played
exactly, each pair of shapes may come as deep into each other as it has them, and no deeper.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

import mujoco
import numpy as np

from .body import Body
from .capsules import body_capsules, passing_pairs

Bars = Mapping[tuple[str, str], float]
"""How deep [m] two shapes of the model, by their names, may come into each other."""
CORE = "{}_bar"
"""What the core of a capsule is called that bars."""
APART_M = 0.05
"""Shapes that are farther apart than this all through a motion: how far does not matter."""


def bar_pairs(body: Body, grounds: Iterable[str]) -> list[tuple[str, str]]:
    """Names of shapes that bar each other: cores of segments that are no neighbours, and each ground and contact point."""
    shapes = body_capsules(body)
    passing = set(passing_pairs(body, shapes))
    cores = [(CORE.format(other.name), CORE.format(one.name)) for i, one in enumerate(shapes) for other in shapes[:i]
             if one.segment != other.segment and not passing & {(other.segment, one.segment), (one.segment, other.segment)}]
    return cores + [(ground, point.name) for ground in grounds for point in body.contact_points]


def add_bars(root: ET.Element, elements: Mapping[str, ET.Element], body: Body, bars: Bars, core: Mapping[str, str],
             ground: Mapping[str, str]) -> None:
    """Shapes and pairs of the model's text; `core` and `ground` say how firm contacts of cores and of the ground are."""
    named = {name for pair in bars for name in pair}
    for shape in body_capsules(body):
        if CORE.format(shape.name) not in named:
            continue
        ends = np.concatenate([shape.start, shape.end + (0.0, 0.0, 1e-6)])
        ET.SubElement(elements[shape.segment], "geom", name=CORE.format(shape.name), type="capsule", mass="0", contype="0",
                      conaffinity="0", size=repr(float(shape.core_m)), fromto=" ".join(repr(float(x)) for x in ends))
    points = {point.name for point in body.contact_points}
    contact = ET.SubElement(root, "contact")
    for (one, other), depth in bars.items():
        pair = {"geom1": one, "geom2": other, "margin": repr(-float(depth)), **(ground if other in points else core)}
        ET.SubElement(contact, "pair", pair)


def depths_along(model: mujoco.MjModel, pairs: Iterable[tuple[str, str]], poses: np.ndarray) -> dict[tuple[str, str], float]:
    """How deep [m] pairs of a model's shapes are in each other at most in some poses (N, nq); 0 where they never touch."""
    data, numbers = mujoco.MjData(model), {pair: tuple(model.geom(name).id for name in pair) for pair in pairs}
    found = dict.fromkeys(numbers, 0.0)
    for pose in poses:
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        for pair, (one, other) in numbers.items():
            found[pair] = max(found[pair], -mujoco.mj_geomDistance(model, data, one, other, APART_M, None))
    return found
