# SPDX-License-Identifier: GPL-3.0-or-later
"""The quadratic program over accelerations and contact forces: tasks, cones, solving."""
