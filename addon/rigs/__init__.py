# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender side: read an armature, bake a take on it, the astronaut, stages, pictures. A room uses those before it in this
order: `read`, `bake`, `astronaut`, `stage`, `dust`, `render`, `shots`."""
