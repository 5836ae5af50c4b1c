# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope draws over the 3D viewport: the plan of a shot, and the plots of a take."""
