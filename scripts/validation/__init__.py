# SPDX-License-Identifier: GPL-3.0-or-later
"""The acceptance matrix behind Lope's promises: the cases of each row, how they are run and kept, how they are judged."""
