# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures drawn by numbers, with rigs and skins: what `scripts/make_creatures` writes."""
