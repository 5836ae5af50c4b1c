# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies: trees of segments with roles and feet, the kinds' makers, the MuJoCo model, the state with named accessors."""
