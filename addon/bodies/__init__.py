# SPDX-License-Identifier: GPL-3.0-or-later
"""The body: landmarks, anthropometry, segments, the MuJoCo model, the state with named accessors."""
