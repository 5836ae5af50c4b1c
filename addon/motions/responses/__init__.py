# SPDX-License-Identifier: GPL-3.0-or-later
"""Push responses by example (Yin 2007, chapter 4): clips of people, or simulated ones, who were pushed and stayed up.

- what a response is: `response.py`; made of a motion or of a folder of clips: `measuring.py`
- the one for a push, and what is changed of it: `selection.py`; on a body: `laying.py`, its feet `feet.py`
"""

from .laying import Played, play
from .response import STRATEGIES, Library, Response, load_library
from .selection import Found, Now, bears, find

__all__ = ["STRATEGIES", "Found", "Library", "Now", "Played", "Response", "bears", "find", "load_library", "play"]
