# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender: a take's muscles on its rig, as tubes that glow by their activation."""
