# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait by a machine of key poses and two balance gains (SIMBICON)."""
