# SPDX-License-Identifier: GPL-3.0-or-later
"""The MuJoCo model of a Body on the ground of a World; loose objects are free bodies after its own."""

from __future__ import annotations

import logging
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from ..specs.disturbances import LooseObject
from ..specs.shot import EARTH_GRAVITY_M_S2, World
from ..worlds.ground import Box, Patch, Slab, ground_shapes, make_ground
from .body import PLANAR_COORDINATES, Body, Capsule, Segment
from .capsules import Bars, add_bars, body_capsules, passing_pairs
from .muscle import MuscleSet, add_muscles, text_of

# MuJoCo would write its warnings to MUJOCO_LOG.TXT in the working folder: every model is made here, whichever engine steps it.
mujoco.set_mju_user_warning(logging.getLogger(__name__).warning)

FIRM_PRIORITY = "3"
"""Above ground and skin: friction and firmness of a contact are the object's."""
OBJECT_BIT, MEETS = "4", "5"
"""Collision masks: of a skin that meets objects alone, and of what objects meet: that, and whatever meets the ground."""
MEMORY_M_EACH = 1
"""Megabytes that an object's contacts may take."""


def add_objects(world_element: ET.Element, objects: Sequence[LooseObject], solref: str) -> None:
    """A free body for each object, with one geom that meets the ground, the body's outside and other objects. """
    for i, item in enumerate(objects):
        element = ET.SubElement(world_element, "body", name=object_name(i), pos=text_of(item.place_m),
                                quat=text_of(item.orientation))
        ET.SubElement(element, "freejoint", name=object_name(i))
        rolls = item.shape == "sphere"
        half = [0.5 * x for x in item.size_m]
        ET.SubElement(element, "geom", name=object_name(i), type=item.shape, size=text_of(half[:1] if rolls else half),
                      mass=repr(float(item.weighs_kg)), friction=f"{float(item.friction)!r} 0.005 0.001",
                      condim="6" if rolls else "3", contype="1", conaffinity=MEETS, priority=FIRM_PRIORITY, solref=solref,
                      solimp="0.95 0.99 0.001")


def object_name(i: int) -> str:
    return f"object:{i}"


SPARSE_FROM = 30
"""Degrees of freedom from which on MuJoCo is to take the contacts' Jacobians for sparse, which it does by itself from 60 on:
steps of bodies of 54 take 20 to 50 % less."""
PHYSICS_STEP_S = 0.001
CONTACT_TIME_S = 0.006
"""MuJoCo's solref time constant of the ground on Earth; scales with 1/sqrt(g), so that feet sink equally far everywhere."""

SKIN_CONTACT_S = 0.003
"""solref time constant of whatever but the soles meets the ground: short enough for a hand that drops at 8 m/s to sink less than
1 cm; MuJoCo wants two physics steps at least."""
SKIN_FRICTION_SHARE = 0.6
"""Friction of skin and cloth on the ground over that of soles (first guess: cloth 0.3 to 0.6, rubber 0.6 to 1)."""
SOLE_DEPTH_M = 0.003
"""Where every segment meets the ground, a sole that is thrown on it, which no gait does, sinks no deeper than about this."""
CORE_CONTACT_S, CORE_DAMPING_RATIO = 0.01, 2.0
"""solref of segments that meet each other: soft (limbs may overlap when they are let go), and damped: no pack is thrown back."""
CORE_GRIP = {"condim": "3", "friction": "0.5 0.5 0.005 0.0001 0.0001", "solref": f"{CORE_CONTACT_S!r} {CORE_DAMPING_RATIO!r}"}
GROUND_BIT, CORE_BIT = "1", "2"
"""Collision masks of what meets the ground, and of the cores, which meet one another alone; see also `loose_model`."""

PLANAR_JOINTS = (("slide", (1.0, 0.0, 0.0)), ("slide", (0.0, 0.0, 1.0)), ("hinge", (0.0, 1.0, 0.0)))
"""Of a planar root, one a coordinate: the slides come first, so that their axes are the world's."""
FIELD_DEPTH_M = 1.0
"""Thickness of the ground under the lowest place of a height field."""


@dataclass(frozen=True)
class Stepping:
    """How a body is stepped on the ground: the length of a physics step [s]; with `capsules` every segment meets the ground, and
    limbs meet each other and the trunk, without, the soles' spheres alone; the ground is made for motions similar to Earth's
    under that gravity, or so many times `quicker` ones."""

    step_s: float = PHYSICS_STEP_S
    capsules: bool = False
    quicker: float = 1.0


STEPPING = Stepping()


def build_model(body: Body, world: World, stepping: Stepping = STEPPING, *, objects: Sequence[LooseObject] = (),
                bars: Bars | None = None, muscles: MuscleSet | None = None) -> mujoco.MjModel:
    """Compile `body` on the ground of `world`. Joints, bodies and contact spheres carry the names of segments and points; so do
    the sensors of the ground's force on each contact sphere (world axes), the model's only ones. The three joints of a planar
    root are the root's name with _x, _z and _pitch. Loose `objects` come after the body in all of the model's lists; they meet
    all of it. With `bars`, and without `capsules`, segments and the ground meet as these say; where none are given as the body
    says itself (`Body.bars_itself`). With `muscles` their paths are in the model, as tendons that move nothing. No joint damping
    and no armature: all of the dynamics is in the segments, so that every engine simulates the same body."""
    return mujoco.MjModel.from_xml_string(model_xml(body, world, stepping, objects=objects, bars=bars, muscles=muscles))


def model_xml(body: Body, world: World, stepping: Stepping = STEPPING, *, objects: Sequence[LooseObject] = (),
              bars: Bars | None = None, muscles: MuscleSet | None = None) -> str:
    step_s, capsules = stepping.step_s, stepping.capsules
    contact_s = max(CONTACT_TIME_S * (EARTH_GRAVITY_M_S2 / world.gravity_m_s2) ** 0.5 / stepping.quicker, 2.5 * step_s)
    root = ET.Element("mujoco", model="lope")
    ET.SubElement(root, "compiler", angle="radian", autolimits="true", boundmass="0", balanceinertia="false")
    ET.SubElement(root, "option", timestep=repr(step_s), gravity=f"0 0 {-world.gravity_m_s2!r}", cone="elliptic",
                  impratio="10", iterations="30", tolerance="1e-9",
                  jacobian="sparse" if body.degrees_of_freedom >= SPARSE_FROM else "auto")
    ET.SubElement(root, "size", memory=f"{2 + MEMORY_M_EACH * len(objects)}M")
    world_element = ET.SubElement(root, "worldbody")
    surface = {"contype": "0", "conaffinity": GROUND_BIT, "friction": f"{world.friction!r} 0.005 0.0001", "condim": "3",
               "solref": f"{contact_s!r} 1", "solimp": "0.95 0.99 0.001", "priority": "1"}
    for i, shape in enumerate(ground_shapes(make_ground(world.ground))):
        _ground_element(root, world_element, shape, f"ground_{i}" if i else "ground", surface)
    elements: dict[str, ET.Element] = {}
    for segment in body.segments:
        parent = elements[segment.parent] if segment.parent else world_element
        elements[segment.name] = _segment_element(parent, segment)
    for point in body.contact_points:
        ET.SubElement(elements[point.segment], "geom", name=point.name, type="sphere", size=repr(float(point.radius_m)),
                      pos=text_of(point.position), contype=GROUND_BIT, conaffinity="0", condim="3", mass="0")
    add_objects(world_element, objects, surface["solref"])
    sensors = ET.SubElement(root, "sensor")
    for point in body.contact_points:
        ET.SubElement(sensors, "contact", name=point.name, body1="world", geom2=point.name, data="force", reduce="netforce")
    if capsules or objects:
        _add_capsules(root, elements, body, surface, step_s, GROUND_BIT if capsules else OBJECT_BIT)
    if bars is None and not capsules:
        bars = body.bars_itself() or None
    if bars is not None:
        grip = {"condim": "3", "friction": " ".join([repr(world.friction)] * 2 + ["0.005", "0.0001", "0.0001"]),
                "solref": surface["solref"], "solimp": surface["solimp"]}
        add_bars(root, elements, body, bars, CORE_GRIP, grip)
    if muscles is not None:
        add_muscles(root, elements, muscles)
    return ET.tostring(root, encoding="unicode")


def core_name(shape: Capsule) -> str:
    return f"{shape.name}_core"


def _add_capsules(root: ET.Element, elements: dict[str, ET.Element], body: Body, surface: dict[str, str], step_s: float,
                  meets: str) -> None:
    """Two geoms a capsule: the skin meets what its mask says, the thinner core the cores of other segments. A firm sphere in each
    contact sphere stops a foot that sinks. A body whose skin meets loose objects alone has neither cores nor firm spheres: it
    goes as it does without objects."""
    shapes = body_capsules(body)
    friction = " ".join([repr(SKIN_FRICTION_SHARE * float(surface["friction"].split()[0])), *surface["friction"].split()[1:]])
    skin = {**surface, "friction": friction, "contype": meets, "conaffinity": "0", "priority": "2",
            "solref": f"{max(SKIN_CONTACT_S, 2.5 * step_s)!r} 1"}
    core = {"contype": CORE_BIT, "conaffinity": CORE_BIT, "condim": "3", "friction": "0.5 0.005 0.0001",
            "solref": f"{CORE_CONTACT_S!r} {CORE_DAMPING_RATIO!r}"}
    for shape in shapes:
        ends = text_of(np.concatenate([shape.start, shape.end + (0.0, 0.0, 1e-6)]))  # a ball is a capsule of some length too
        layers = ((shape.name, shape.radius_m, skin), (core_name(shape), shape.core_m, core))
        for name, radius, kind in layers if meets == GROUND_BIT else layers[:1]:
            _add(elements[shape.segment], "geom", name=name, type="capsule", size=repr(float(radius)), fromto=ends,
                          mass="0", **kind)
    if meets != GROUND_BIT:
        return
    for point in body.contact_points:
        _add(elements[point.segment], "geom", name=f"{point.name}_deep", type="sphere", mass="0",
                      size=repr(float(max(point.radius_m - SOLE_DEPTH_M, 0.2 * point.radius_m))), pos=text_of(point.position),
                      **skin)
    contact = ET.SubElement(root, "contact")
    for one, other in passing_pairs(body, shapes):
        ET.SubElement(contact, "exclude", body1=one, body2=other)


def _ground_element(root: ET.Element, world_element: ET.Element, shape: Slab | Box | Patch, name: str,
                    surface: dict[str, str]) -> None:
    """One shape of the ground as a geom, a patch of heights with its asset."""
    if isinstance(shape, Slab):
        turned = {} if shape.normal == (0.0, 0.0, 1.0) else {"zaxis": text_of(shape.normal)}
        raised = {"pos": text_of((0.0, 0.0, shape.height_m))} if shape.height_m else {}
        _add(world_element, "geom", name=name, type="plane", size="0 0 1", **surface, **raised, **turned)
    elif isinstance(shape, Box):
        _add(world_element, "geom", name=name, type="box", size=text_of(shape.half), pos=text_of(shape.centre),
                      euler=text_of((0.0, 0.0, shape.yaw)), **surface)
    else:
        assets = root.find("asset")
        assets = ET.SubElement(root, "asset") if assets is None else assets
        bottom, heights = float(shape.heights_m.min()), shape.heights_m.T[::-1]  # MJCF's rows run from the largest y down
        middle, half = (0.5 * (np.array(shape.high) + s * np.array(shape.low)) for s in (1.0, -1.0))
        size = (*half, max(float(np.ptp(heights)), 1e-6), FIELD_DEPTH_M)
        ET.SubElement(assets, "hfield", name=name, nrow=str(heights.shape[0]), ncol=str(heights.shape[1]), size=text_of(size),
                      elevation=text_of(heights))
        _add(world_element, "geom", name=name, type="hfield", hfield=name, pos=text_of((*middle, bottom)), **surface)


def _segment_element(parent: ET.Element, segment: Segment) -> ET.Element:
    element = ET.SubElement(parent, "body", name=segment.name, pos=text_of(segment.offset))
    if segment.joint == "free":
        ET.SubElement(element, "freejoint", name=segment.name)
    elif segment.joint == "planar":
        for coordinate, (kind, axis) in zip(PLANAR_COORDINATES, PLANAR_JOINTS, strict=True):
            ET.SubElement(element, "joint", name=f"{segment.name}_{coordinate}", type=kind, axis=text_of(axis))
    else:
        extra = {"axis": text_of(segment.axis)} if segment.joint == "hinge" and segment.axis is not None else {}
        _add(element, "joint", name=segment.name, type=segment.joint, range=text_of(segment.range_rad), **extra)
    inertia = segment.inertia
    full = (inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2])
    ET.SubElement(element, "inertial", pos=text_of(segment.com), mass=repr(float(segment.mass_kg)), fullinertia=text_of(full))
    return element


def _add(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    return ET.SubElement(parent, tag, attributes)
