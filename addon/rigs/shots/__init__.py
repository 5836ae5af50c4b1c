# SPDX-License-Identifier: GPL-3.0-or-later
"""What uses all the other rooms: a shot's rig made ready, a take on its rig in a scene, the demonstration."""
