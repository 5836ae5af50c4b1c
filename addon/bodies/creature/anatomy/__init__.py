# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bone of any rig at rest is which part of a creature on two legs."""
