# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumps off both feet: planned from squat to landing, caught by standing."""
