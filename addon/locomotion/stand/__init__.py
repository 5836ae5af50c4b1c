# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing: ankle, hip and step strategies (Yin 2007, chapter 6)."""
