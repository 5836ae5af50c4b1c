# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion from foot pressure (Yin 2007, chapter 3): images of what soles press, what is seen in them, and which motion it was."""
