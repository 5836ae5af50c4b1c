# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion clips and gaits: BVH files, retargeting, ground, contacts, strides, cycles, and the gait presets."""

from .cycle import ContactPhases, Cycle
from .library import cycle_from_file, gait_names, load_gait, save_gait

__all__ = ["ContactPhases", "Cycle", "cycle_from_file", "gait_names", "load_gait", "save_gait"]
