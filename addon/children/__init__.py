# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes: Lope in a Python of its own, what is said to it and what it answers."""
