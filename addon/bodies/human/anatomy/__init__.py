# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bone is which, found in a skeleton's structure: mirrored limbs, the ground, the trunk between them; names only hint."""
