# SPDX-License-Identifier: GPL-3.0-or-later
"""All that travels in: the Shot and its parts."""
