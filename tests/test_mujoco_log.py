# SPDX-License-Identifier: GPL-3.0-or-later
"""A lost simulation is an error and a log message; MuJoCo leaves no file of its own in the working folder."""

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
