# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as fitted figures: steps from touch-down to touch-down, registered, mirrored and blended. They know no body."""
