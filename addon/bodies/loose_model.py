# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects in the MuJoCo model of a body: free bodies after its own, so that its coordinates come first as ever."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from ..specs.loose import LooseObject

FIRM_PRIORITY = "3"
"""Above ground and skin: friction and firmness of a contact are the object's."""
OBJECT_BIT, MEETS = "4", "5"
"""Collision masks: of a skin that meets objects alone, and of what objects meet: that, and whatever meets the ground."""
MEMORY_M_EACH = 1
"""Megabytes that an object's contacts may take."""


def add_objects(world_element: ET.Element, objects: Sequence[LooseObject], solref: str) -> None:
    """A free body for each object, with one geom that meets the ground, the body's outside and other objects. Spheres resist
    rolling and spinning a little."""
    for i, item in enumerate(objects):
        element = ET.SubElement(world_element, "body", name=object_name(i), pos=_text(item.place_m),
                                quat=_text(item.orientation))
        ET.SubElement(element, "freejoint", name=object_name(i))
        rolls = item.shape == "sphere"
        half = [0.5 * x for x in item.size_m]
        ET.SubElement(element, "geom", name=object_name(i), type=item.shape, size=_text(half[:1] if rolls else half),
                      mass=repr(float(item.weighs_kg)), friction=f"{float(item.friction)!r} 0.005 0.001",
                      condim="6" if rolls else "3", contype="1", conaffinity=MEETS, priority=FIRM_PRIORITY, solref=solref,
                      solimp="0.95 0.99 0.001")


def object_name(i: int) -> str:
    """What the model calls an object: no segment has a name like that."""
    return f"object:{i}"


def _text(values: Sequence[float]) -> str:
    return " ".join(repr(float(x)) for x in values)
