# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character walks: ground, rocks, sun and sky of a world, and the uneven ground of a take."""
