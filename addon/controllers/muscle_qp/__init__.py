# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole-body program with muscles as actuators: activations in place of torques (Lee 2014, chapter 4)."""
