# SPDX-License-Identifier: GPL-3.0-or-later
"""What a take leaves in the ground and throws up from it: read off it (`footfalls.py`, `grains.py`), and as objects of Blender.
Needs bpy."""
