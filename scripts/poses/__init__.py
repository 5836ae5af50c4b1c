# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses that are in no table, keyed on the astronaut, to make gaits of (`scripts/make_pose_sets`)."""
