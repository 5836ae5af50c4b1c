# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures made for creatures that have no rig: an armature of their parts and a skin around it."""
