# SPDX-License-Identifier: GPL-3.0-or-later
"""The human body, one maker of bodies: anthropometry, landmarks, the tree of segments, feet, suits."""
