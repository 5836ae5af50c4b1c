# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles: what they are made of, where they run on a body, how they pull, and what that costs."""
