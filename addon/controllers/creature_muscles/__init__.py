# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures by muscles: the quick law's wishes, late by their nerves, as excitations of muscles with free routing."""
