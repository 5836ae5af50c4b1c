# SPDX-License-Identifier: GPL-3.0-or-later
"""Froude number, gait variables and the phase clock."""
