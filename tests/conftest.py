# SPDX-License-Identifier: GPL-3.0-or-later
"""One thread for linear algebra, as the command line has it: on small matrices more threads only wait for each other.

A folder of Blender's settings for each process of tests that run beside one another. And a quick way out: Blender's module never
ends its interpreter once Rigify has generated a rig in it.
"""

import os
import sys
import tempfile

import pytest

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="lope_blender_", dir=os.environ.get("BLENDER_USER_RESOURCES"))

_STATUS = pytest.StashKey[int]()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remember how the run ended."""
    session.config.stash[_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave with the run's own status, all output written, without Blender's farewell."""
    scene = sys.modules.get("blender_scene")
    if scene is not None and scene.rigify_generated and _STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[_STATUS])
