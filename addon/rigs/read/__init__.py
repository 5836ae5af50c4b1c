# SPDX-License-Identifier: GPL-3.0-or-later
"""What an armature is: families and bone maps, its bones and skin as a Figure, Blender files, and what is wrong with a rig."""
