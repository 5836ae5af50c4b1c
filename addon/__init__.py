# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine side of Lope (no Blender), and the two rooms that talk to Blender: `rigs` and `viewport`."""

VERSION = "0.1.0"
