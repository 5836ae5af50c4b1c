# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of the library: which clips they are fitted from (`scripts/fit_moves`)."""
