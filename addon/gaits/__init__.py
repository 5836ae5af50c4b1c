# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast, with which steps and in which gait: by similarity (`froude.py`) or as measured on people
(`people.py`, `choice.py`); on slopes and in bends; what stands (`ranges.py`) and what to change where it does not
(`remedy.py`); tuned foot displacement maps."""
