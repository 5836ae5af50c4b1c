# SPDX-License-Identifier: GPL-3.0-or-later
"""Push responses by example (Yin 2007, chapter 4): clips of people, or simulated ones, who were pushed and stayed up.

- what a response is: `response.py`; made of a motion: `measuring.py`, of a folder of clips: `indexing.py`; kept: `library.py`
- the one for a push: `selection.py`; what is changed of it: `adaptation.py`
- on a body: `playing.py`, its feet `feet.py`, `blending.py` from where the body is
"""

from .laying import Played, play
from .response import STRATEGIES, Library, Response, load_library
from .selection import Found, Now, bears, find

__all__ = ["STRATEGIES", "Found", "Library", "Now", "Played", "Response", "bears", "find", "load_library", "play"]
