# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles to test with: a leg's seven, with the figures of Geyer and Herr 2010."""

from math import radians

from lope.addon.bodies.muscle import Muscle, MuscleSet


def leg() -> MuscleSet:
    """Seven muscles of a leg, one of them pennate so that angles are tried too."""
    figures = (("soleus", 4000.0, 0.04, 0.26, 6.0), ("tibialis_anterior", 800.0, 0.06, 0.24, 12.0),
               ("gastrocnemius", 1500.0, 0.05, 0.40, 12.0), ("vasti", 6000.0, 0.08, 0.23, 12.0),
               ("hamstrings", 3000.0, 0.10, 0.31, 12.0), ("gluteus", 1500.0, 0.11, 0.13, 12.0),
               ("iliopsoas", 2000.0, 0.11, 0.10, 12.0))
    return MuscleSet(tuple(Muscle(f"{name}_L", "L", (f"{name}_group",), force, fibre, slack,
                                  radians(25.0) if name == "soleus" else 0.0, velocity)
                           for name, force, fibre, slack, velocity in figures))
