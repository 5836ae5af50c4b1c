# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body takes what strikes it."""
