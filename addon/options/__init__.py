# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot, a body, a render may be asked for, as options of the command line and as fields of a shot list."""
