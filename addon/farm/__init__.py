# SPDX-License-Identifier: GPL-3.0-or-later
"""Other machines: Lope's work on the workers of a Dask scheduler, and shot lists as jobs of a Flamenco farm."""
