# SPDX-License-Identifier: GPL-3.0-or-later
"""Pendulum on a cart, footsteps, foot paths, and the whole reference pose."""
