# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests marked `acceptance`: whole motions, and further worlds, gaits and grounds of claims that scripts/test tries on one.

scripts/test leaves them out, as they take long. Arguments go to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from .validation.case import ROOT


def main() -> int:
    """Run them on two cores; pytest's exit code."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    words = ("-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-m", "acceptance", *sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="lope_blender_") as settings:  # Blender's, of this run: not the user's own
        env = {**os.environ, "BLENDER_USER_RESOURCES": settings}
        return subprocess.run([sys.executable, *words], cwd=ROOT, env=env).returncode
