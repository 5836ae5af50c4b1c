# SPDX-License-Identifier: GPL-3.0-or-later
"""A Take becomes an Action: sampled at the scene's frames, carried over to the figure, feet planted, keys written."""
