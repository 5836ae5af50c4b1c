# SPDX-License-Identifier: GPL-3.0-or-later
"""How a fragment ends, in the frame of the step that goes on: for fragments that are not the library's, read off their poses."""

from __future__ import annotations

import math

import numpy as np

from ....bodies.human.landmarks import SIDES
from ....bodies.kinematics import segment_poses
from ....maths.quaternions import matrix_from_quat
from ....motions.channels import continuous_rotvec
from ....motions.fragment import RATE_HZ, STANDING, Fragment
from ....motions.moves import layout
from ....motions.moves.step import Place
from ..track import hinge_angles
from .fitting import euler
from .placed import End, Layer, PlacedFragment


def end_of(fragment: Fragment, layer: Layer) -> End:
    """The end of a fragment: known of the library's own, read off the last two poses of any other."""
    if isinstance(fragment, PlacedFragment):
        return fragment.end
    body, leg = layer.body, layer.leg_m
    rows = slice(-2, None)
    root, quat, joints = fragment.root_m[rows], fragment.root_quaternion[rows], fragment.joint_quaternions[rows]
    positions, orientations = segment_poses(body, root, quat, joints)
    feet = {side: body.index[f"foot_{side}"] for side in SIDES}
    yaw, pitch, roll = euler(quat)
    heading = float(yaw[-1])
    ways = {side: complex(*positions[-1, i, :2]) for side, i in feet.items()}
    origin = 0.5 * sum(ways.values()) if fragment.ends == STANDING else ways[fragment.ends]
    place = (root[:, 0] + 1j * root[:, 1] - origin) * np.exp(-1j * heading) / leg
    columns = {"root.x": place.real, "root.y": place.imag, "root.z": (root[:, 2] + body.sole_height_m) / leg,
               "root.yaw": yaw - heading, "root.pitch": pitch, "root.roll": roll}
    values = np.zeros((2, len(layout.names())))
    for name, column in columns.items():
        values[:, layout.at(name)] = column
    for name, where in layout.upper():
        if name in body.index:
            own, axis = joints[:, body.joint_segments.index(name)], body.segment(name).axis
            values[:, where] = continuous_rotvec(own) if axis is None else hinge_angles(own, axis)[:, None]
    prints = {}
    for side, i in feet.items():
        first = layout.at(f"knee_{side}.x")
        values[:, first:first + 3] = matrix_from_quat(joints[:, body.joint_segments.index(f"thigh_{side}")])[:, :, 1]
        turned, tilt, _ = euler(orientations[:, i])
        values[:, layout.at(f"pitch_{side}")] = tilt
        at = layer.geometry[side].place_of(positions[-1, i], float(turned[-1]), float(tilt[-1]))
        at = (at - origin) * np.exp(-1j * heading) / leg
        prints[side] = Place(at.real, at.imag, math.remainder(float(turned[-1]) - heading, math.tau))
    slopes = (values[-1] - values[0]) * RATE_HZ * layer.unit_s
    if fragment.ends == STANDING:
        slopes = np.zeros_like(slopes)
    return End(values[-1], slopes, prints)
