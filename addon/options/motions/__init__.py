# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the command line, motion by motion."""
