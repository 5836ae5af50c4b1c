# SPDX-License-Identifier: GPL-3.0-or-later
"""What several controllers need: foot geometry and paths, targets of the tracker, terrain, capture point, hand-over."""
