# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that moves a body: state in, command out."""
