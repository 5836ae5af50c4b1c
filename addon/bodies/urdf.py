# SPDX-License-Identifier: GPL-3.0-or-later
"""The URDF of a Body, for engines that read that format. Each link's inertial frame has the segment's principal axes, since
Bullet stores only principal moments; Bullet's joint coordinates are in these axes, which `principal_axes` gives."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.transform import Rotation

from ..errors import BodyError
from .body import Body, Capsule, Segment
from .capsules import body_capsules
from .muscle import text_of

_JOINT_TYPE = {"ball": "spherical", "hinge": "revolute"}
WIDEST_CONE_RAD = np.radians(80.0)
"""Bullet's ball limits misfire from a quarter turn on; wider joints (hips, shoulders, wrists) get none."""
_NO_LIMIT = "1e6"  # effort and speed, which URDF demands of a revolute joint


def principal_axes(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation (3, 3) whose columns are the principal axes of `inertia` (3, 3), and the moments (3,) in that order. Of the
    equivalent choices the one nearest to the identity is taken, so that a diagonal inertia gives the identity."""
    moments, axes = np.linalg.eigh(inertia)
    _, order = linear_sum_assignment(-np.abs(axes))
    moments, axes = moments[order], axes[:, order]
    axes = axes * np.where(np.diag(axes) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes) < 0.0:
        axes[:, np.argmin(np.diag(axes))] *= -1.0
    return axes, moments


def body_urdf(body: Body, capsules: bool = False) -> str:
    """URDF text of `body`: links and joints bear the segments' names; each contact point is a collision sphere. With `capsules`
    all other parts of the body collide too (`bodies.capsules`). Raises BodyError for a body whose root is not free: URDF has no
    joint between the world and the first link."""
    if body.segments[0].joint != "free":
        raise BodyError(f"PyBullet moves only bodies whose root is free; this one's is {body.segments[0].joint}. "
                        "Choose the engine mujoco.")
    shapes = body_capsules(body) if capsules else ()
    root = ET.Element("robot", name="lope")
    for segment in body.segments:
        _link(root, body, segment, [s for s in shapes if s.segment == segment.name])
    for segment in body.segments[1:]:
        _joint(root, segment)
    ET.indent(root)  # Bullet breaks lines of more than 8 kB, wherever that is
    return ET.tostring(root, encoding="unicode")


def _link(root: ET.Element, body: Body, segment: Segment, shapes: list[Capsule]) -> None:
    link = ET.SubElement(root, "link", name=segment.name)
    axes, moments = principal_axes(segment.inertia)
    inertial = ET.SubElement(link, "inertial")
    roll_pitch_yaw = Rotation.from_matrix(axes).as_euler("xyz")
    ET.SubElement(inertial, "origin", xyz=text_of(segment.com), rpy=text_of(roll_pitch_yaw))
    ET.SubElement(inertial, "mass", value=text_of(segment.mass_kg))
    ixx, iyy, izz = (text_of(m) for m in moments)
    ET.SubElement(inertial, "inertia", ixx=ixx, iyy=iyy, izz=izz, ixy="0", ixz="0", iyz="0")
    for point in body.contact_points:
        if point.segment == segment.name:
            collision = ET.SubElement(link, "collision", name=point.name)
            ET.SubElement(collision, "origin", xyz=text_of(point.position), rpy="0 0 0")
            ET.SubElement(ET.SubElement(collision, "geometry"), "sphere", radius=text_of(point.radius_m))
    for shape in shapes:
        _capsule(link, shape)


def _capsule(link: ET.Element, shape: Capsule) -> None:
    """One capsule of a link; URDF's lie along z."""
    along = shape.end - shape.start
    length = float(np.linalg.norm(along))
    pitch, yaw = np.arctan2(np.hypot(along[0], along[1]), along[2]), np.arctan2(along[1], along[0])
    collision = ET.SubElement(link, "collision", name=shape.name)
    ET.SubElement(collision, "origin", xyz=text_of(0.5 * (shape.start + shape.end)), rpy=text_of((0.0, pitch, yaw)))
    ET.SubElement(ET.SubElement(collision, "geometry"), "capsule", radius=text_of(shape.radius_m), length=text_of(length))


def _joint(root: ET.Element, segment: Segment) -> None:
    """The joint between a segment and its parent, with its limits. Of a ball Bullet limits swing and twist separately. Both get
    the cone angle of the Body: neither can exceed the angle of the whole rotation, so nothing inside the cone is hindered, and
    the way out is barred a little later than in MuJoCo."""
    joint = ET.SubElement(root, "joint", name=segment.name, type=_JOINT_TYPE[segment.joint])
    ET.SubElement(joint, "parent", link=segment.hangs_on)
    ET.SubElement(joint, "child", link=segment.name)
    ET.SubElement(joint, "origin", xyz=text_of(segment.offset), rpy="0 0 0")
    ET.SubElement(joint, "axis", xyz="1 0 0" if segment.axis is None else text_of(segment.axis))
    low, high = (text_of(v) for v in segment.range_rad)
    if segment.joint == "hinge":
        ET.SubElement(joint, "limit", lower=low, upper=high, effort=_NO_LIMIT, velocity=_NO_LIMIT)
    elif segment.range_rad[1] <= WIDEST_CONE_RAD:
        ET.SubElement(joint, "limit", lower=high, upper=high, twist=high, effort=_NO_LIMIT, velocity=_NO_LIMIT)
