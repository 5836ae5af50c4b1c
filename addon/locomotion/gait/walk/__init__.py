# SPDX-License-Identifier: GPL-3.0-or-later
"""Planner of walks: pendulum on a cart, footsteps, foot paths, whole reference pose."""
