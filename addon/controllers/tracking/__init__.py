# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits by planet: a pendulum's plan, tracked by a quadratic program (Kim 2017)."""
