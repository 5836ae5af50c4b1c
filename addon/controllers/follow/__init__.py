# SPDX-License-Identifier: GPL-3.0-or-later
"""Follows a clip: its own steps, planned anew for a planet and a body, tracked by the quadratic program."""
