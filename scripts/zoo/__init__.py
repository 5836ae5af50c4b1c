# SPDX-License-Identifier: GPL-3.0-or-later
"""A zoo of rigs, made from a few characters: other names, orders, proportions, rest poses, extra bones (`scripts/make_zoo`)."""
