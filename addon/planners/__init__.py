# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan: pendulum on a cart, centre of pressure and capture point, footsteps, foot paths, and the reference pose."""
