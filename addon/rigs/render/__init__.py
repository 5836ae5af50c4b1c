# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures and films: cameras, renderers, frames, captions and contact sheets."""
