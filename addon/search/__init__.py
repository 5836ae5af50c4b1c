# SPDX-License-Identifier: GPL-3.0-or-later
"""Offline tuning: foot displacement maps, their cost and search, the controller's gains, and the stored results."""
