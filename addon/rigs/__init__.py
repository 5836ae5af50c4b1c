# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender side: read an armature, map its bones, write an action, build the astronaut and its stage."""
