# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/tools/make_zoo.py makes rigs, scripts/check zoo finds what is wrong with one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RIGS = ROOT.parent / "shared" / "motion" / "rigs"

pytest.importorskip("bpy", reason="Blender's Python module is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not RIGS.is_dir(), reason="the reference characters are not here")]


def run(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


def make(*words: str) -> subprocess.CompletedProcess:
    return run(sys.executable, "scripts/tools/make_zoo.py", *words)


def check(*words: str) -> subprocess.CompletedProcess:
    return run("scripts/check", "zoo", *words)


@pytest.mark.acceptance
def test_an_animal_is_made_read_walked_and_baked(tmp_path):
    zoo, out = tmp_path / "zoo", tmp_path / "walks"
    made = make(str(zoo), "ik-feet-digits", "sunk")
    assert made.returncode == 0 and (zoo / "ik-feet-digits.glb").is_file(), made.stderr
    told = json.loads((zoo / "zoo.json").read_text(encoding="utf-8"))
    assert set(told) == {"ik-feet-digits", "sunk"} and told["sunk"]["tells"] == ["ground"]
    checked = check(str(zoo), "--only", "ik-feet", "--walk", str(out), "--seconds", "1")
    assert checked.returncode == 0 and "stood" in checked.stdout and (out / "ik-feet-digits.blend").is_file(), checked.stdout
    told["sunk"]["truth"]["head"] = told["sunk"]["truth"]["neck"]
    (zoo / "zoo.json").write_text(json.dumps(told), encoding="utf-8")
    wrong = check(str(zoo), "--only", "sunk")
    assert wrong.returncode == 1 and "NOT  sunk" in wrong.stdout and "head is" in wrong.stdout


@pytest.mark.acceptance
def test_words_and_folders_that_are_not_there(tmp_path):
    assert "no animal's name holds walrus" in make(str(tmp_path), "walrus").stderr
    assert "holds no zoo.json" in check(str(tmp_path)).stderr
    assert "spine-7" in make(str(tmp_path), "--list").stdout
