# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks planned: pendulum on a cart, footsteps, foot paths, the whole reference pose."""
