# SPDX-License-Identifier: GPL-3.0-or-later
"""The quadratic program: objectives, contact cones, assembly and solving."""
