# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits by planet: a pendulum plans the steps of walks, gaits with flight are planned from touch-down to take-off."""
