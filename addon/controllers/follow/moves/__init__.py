# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of moves on a body: fitted from clips, laid on their prints, chosen and blended into a stream."""
