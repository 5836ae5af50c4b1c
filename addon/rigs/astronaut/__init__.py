# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in astronaut: armature and suit, made from numbers."""
