# SPDX-License-Identifier: GPL-3.0-or-later
"""What every script does before it begins: keep libraries to one thread, and go on in Lope's own Python.

    import own_python  # before numpy

    try:
        from lope.addon.simulate import simulate
    except ImportError as absent:
        own_python.start_again(absent)
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[name] = "1"  # a simulation's matrices are small, and whoever wants more processors runs more of them

PYTHON = Path(__file__).resolve().parents[1] / ".venv" / "bin" / "python"


def start_again(absent: ImportError) -> NoReturn:
    """Run the script anew in the Python that scripts/setup makes. Ends with a sentence where there is none, or where that one
    lacks something too."""
    script = Path(sys.argv[0]).resolve()
    if not PYTHON.exists() or Path(sys.prefix) == PYTHON.parents[1]:
        sys.exit(f"{script.name} needs Lope's own Python ({absent}): run scripts/setup first.")
    os.execv(PYTHON, [str(PYTHON), str(script), *sys.argv[1:]])
