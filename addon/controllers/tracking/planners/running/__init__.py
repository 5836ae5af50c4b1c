# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits with flight planned: run, lope, skip, hop."""
