# SPDX-License-Identifier: GPL-3.0-or-later
"""Planner of gaits with flight: run, lope, skip and hop."""
