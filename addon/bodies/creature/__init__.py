# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures on two legs of any number of segments: templates, what cannot walk and why, and the body of a shape."""
