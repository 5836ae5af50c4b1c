# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion clips and gaits: BVH files, retargeting, ground, contacts, strides, cycles, and the gait presets."""
