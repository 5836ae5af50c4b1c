# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot says of its motion, a module for each."""
