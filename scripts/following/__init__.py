# SPDX-License-Identifier: GPL-3.0-or-later
"""Hard cases of following a clip: what they ask for, and bodies that the controller does not know."""
