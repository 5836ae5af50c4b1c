# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs: simulations in a process of their own, without Blender, that can be watched, ended early and never outlive Blender."""
