# SPDX-License-Identifier: GPL-3.0-or-later
"""Planets, ground, gravity on the way, paths on the ground, and how dust flies."""
