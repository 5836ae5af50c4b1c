# SPDX-License-Identifier: GPL-3.0-or-later
"""A lost simulation is an error and a log message; MuJoCo leaves no file of its own in the working folder."""

import subprocess
import sys

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.engines.mujoco_engine import MujocoEngine
from lope.addon.errors import EngineError
from lope.addon.specs.shot import BodySpec, World


def test_no_log_file_in_the_working_folder(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    body = make_body(BodySpec())
    engine = MujocoEngine(body, World())
    with pytest.raises(EngineError, match="lost the simulation"):
        engine.advance(np.full(body.degrees_of_freedom - 6, np.nan), 5)
    assert "unstable" in caplog.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_nor_does_a_model_that_no_engine_of_mujoco_steps(tmp_path):
    """As searches and other engines do it; the warning is told on standard error."""
    words = ("import mujoco, numpy\n"
             "from lope.addon.bodies.makers import make_body\n"
             "from lope.addon.bodies.model import build_model\n"
             "from lope.addon.specs.shot import BodySpec, World\n"
             "model = build_model(make_body(BodySpec()), World())\n"
             "data = mujoco.MjData(model)\n"
             "data.qpos[:] = numpy.nan\n"
             "mujoco.mj_step(model, data)\n")
    done = subprocess.run([sys.executable, "-c", words], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "unstable" in done.stderr and list(tmp_path.iterdir()) == []
