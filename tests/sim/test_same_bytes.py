# SPDX-License-Identifier: GPL-3.0-or-later
"""The same Shot gives the same Take, byte for byte, in whatever order a process holds its sets and wherever its arrays lie."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

RUN = "import sys; from lope.addon.cli import main; sys.exit(main(['simulate', *sys.argv[1:]]))"


@pytest.mark.parametrize("options", ["--creature dinosaur --start standing --seconds 1", "--gait walk --seconds 0.5"])
def test_takes_of_two_processes_are_the_same_bytes(options, tmp_path):
    files = [tmp_path / f"{seed}.npz" for seed in (1, 2)]
    runs = [subprocess.Popen([sys.executable, "-c", RUN, *options.split(), "--out", str(file)], stdout=subprocess.DEVNULL,
                             env=os.environ | {"PYTHONHASHSEED": file.stem}) for file in files]
    assert [run.wait() for run in runs] == [0, 0]
    assert files[0].read_bytes() == files[1].read_bytes()
