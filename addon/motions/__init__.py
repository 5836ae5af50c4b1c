# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips and cycles: BVH, retargeting, contacts, Fourier cycles, the presets of gaits."""
