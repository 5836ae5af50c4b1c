# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/check_bakes is made of: measures of a rig's motion as it was baked, and how it is read back from Blender."""
