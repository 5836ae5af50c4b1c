# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender side: armatures read, takes baked on them; figures, stages, dust, muscles; pictures, and shots from any file."""
