# SPDX-License-Identifier: GPL-3.0-or-later
"""A sentence that tells what was given stays one that can be read, however long that was."""

from __future__ import annotations

import pytest

from lope.addon.cli import LONGEST, main

LONG = 30_000


@pytest.mark.parametrize("words", [
    ["simulate", "--gait", "x" * LONG], ["simulate", "--path", "1,a;" * (LONG // 4)], ["simulate", "--key", "a b " * (LONG // 4)],
    ["x" * LONG], ["simulate", f"--{'x' * LONG}"], ["bake", "--take", "x" * 200 + "/" + "y" * LONG, "--out", "a.blend"],
    ["simulate", "--speed", "9x" * LONG], ["presets", "check", "y" * LONG], ["report", "--matrix", "m", "--gaits", "z " * LONG],
    ["simulate", "--out", "o" * LONG]])
def test_what_was_given_is_cut(words, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capfd.readouterr().err
    assert len(said) < LONGEST + 100 and said.startswith("lope: ") and len(said.strip().splitlines()) == 1
