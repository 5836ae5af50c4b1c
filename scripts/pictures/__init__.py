# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the handbook, each drawn by one function from Lope's own functions (`scripts/docs_pictures`)."""
