# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of films that need no Blender: bodies as shaded capsules on their ground, pressure images, words."""
