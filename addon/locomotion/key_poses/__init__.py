# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses and two balance gains (Yin 2007, chapter 7: SIMBICON)."""
