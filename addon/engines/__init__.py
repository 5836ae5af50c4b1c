# SPDX-License-Identifier: GPL-3.0-or-later
"""The things that step the world: MuJoCo, PyBullet, and the ideal one."""
