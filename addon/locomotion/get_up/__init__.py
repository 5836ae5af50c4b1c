# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting up: who has fallen comes over hands, knees and a half kneel to stand, or by a push of the arms where gravity is low."""
