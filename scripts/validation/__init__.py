# SPDX-License-Identifier: GPL-3.0-or-later
"""The acceptance matrix behind Lope's promises: which cases each row runs, how they are run and kept, and how they are judged."""
