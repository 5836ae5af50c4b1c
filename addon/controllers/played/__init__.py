# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip played over standing: upper body, pelvis and weight go as in the clip, balance and steps are standing's."""
