# SPDX-License-Identifier: GPL-3.0-or-later
"""Any clip or Action followed step by step under any gravity (Lee 2014, chapter 3)."""
