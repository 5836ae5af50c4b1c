# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves of the library as a source of steps for a stream that is steered."""
