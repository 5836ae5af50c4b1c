# SPDX-License-Identifier: GPL-3.0-or-later
"""A body that has let go: passive joints, and all of it meets the ground."""
