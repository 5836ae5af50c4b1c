# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait for any two legs: each, of any number of segments, seen as one virtual leg, by torques scaled with the body."""
