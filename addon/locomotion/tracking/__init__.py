# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows a plan with the quadratic program: the tracker that aims its tasks, weights, yielding to hits."""
