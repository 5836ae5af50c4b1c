# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are not human: with a free or a planar root, and no, one, two or three feet."""

import numpy as np

from lope.addon.bodies.body import Body, ContactPoint, Foot, Segment

TRUNK_M, BONE_M, RADIUS_M = 0.4, 0.3, 0.03
Y_FORE = np.array([0.0, 1.0, 0.0])


def bone(name, parent, joint, offset, length=BONE_M, mass=2.0, **more):
    """A segment that hangs down from its joint: a rod, made a little thicker."""
    tip = np.array([0.0, 0.0, -length])
    inertia = mass * length**2 / 12.0 * np.diag([1.0, 1.0, 0.2])
    limits = {"hinge": (-1.5, 1.5), "ball": (0.0, 1.5)}.get(joint)
    return Segment(name, parent, joint, np.array(offset, dtype=float), tip, mass, 0.5 * tip, inertia,
                   Y_FORE if joint == "hinge" else None, limits, **more)


def creature(feet: int = 2, root: str = "free", hip: str = "hinge") -> Body:
    """A beam on `feet` legs of an upper and a lower bone each, one contact point at the end of each leg, in a row along x."""
    segments = [bone("beam", None, root, (0.0, 0.0, 0.0), TRUNK_M, 8.0),
                bone("crest", "beam", "hinge", (0.0, 0.0, 0.1), 0.1, 0.5)]
    points, made = [], []
    for i in range(feet):
        upper, lower, name = f"upper_{i}", f"lower_{i}", f"leg {i}"
        place = (0.2 * (i - 0.5 * (feet - 1)), 0.0, -0.05)
        segments += [bone(upper, "beam", hip, place), bone(lower, upper, "hinge", (0.0, 0.0, -BONE_M), stiffness_nm_rad=3.0,
                                                          damping_nms_rad=0.1, rest_rad=0.2)]
        made.append(Foot(name, "", lower, (upper, lower), (i,)))
        points.append(ContactPoint(f"point_{i}", "", "ball", lower, np.array([0.0, 0.0, -BONE_M]), RADIUS_M))
    return Body(segments, points, made, kind="creature", roles={"head": "crest"})
