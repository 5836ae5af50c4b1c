# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/setup says in one line what is missing, with pretended Pythons; every script is sound shell."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(p for p in [*ROOT.glob("scripts/*"), *ROOT.glob("scripts/tools/*"), ROOT / ".ci" / "run"]
                 if p.is_file() and p.read_text(encoding="utf-8").startswith(("#!/bin/sh", "#!/usr/bin/env bash")))
TOOLS = "sh awk cat cksum cp df dirname grep head ldd mkdir rm sort tail tr".split()

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the scripts are POSIX shell")

# A Python that answers setup's question, makes a venv with itself in it, and meets `pip` with the sentence given.
PRETENDED = """#!/bin/sh
case "$*" in
  *"import bpy"*) {bpy} ;;
  *"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *"-m pip"*) {pip} ;;
  -c*) echo "{answer}" ;;
esac
"""


@pytest.fixture
def folder(tmp_path):
    """A project with setup in it and a PATH of bare tools, no Python among them."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "setup", tmp_path / "scripts")
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def write_tool(folder, name, text):
    """Put an executable text into the folder's PATH, in place of a tool that stands there."""
    path = folder / "bin" / name
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def pretend_python(folder, name="python3.11", answer="3.11 venv", pip="exit 0", bpy="exit 0"):
    """Put a pretended Python on the folder's PATH."""
    write_tool(folder, name, PRETENDED.format(answer=answer, pip=pip, bpy=bpy))


def setup(folder, **environment):
    """Run setup there; gives the finished process."""
    env = {"PATH": str(folder / "bin"), "HOME": str(folder), **environment}
    return subprocess.run([folder / "scripts" / "setup"], env=env, capture_output=True, text=True)


def last_line(run):
    return run.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_scripts_are_sound_and_executable(path):
    shell = "bash" if "bash" in path.read_text(encoding="utf-8").splitlines()[0] else "sh"
    assert subprocess.run([shell, "-n", path]).returncode == 0
    assert os.access(path, os.X_OK)


def test_a_newcomer_sees_ten_scripts():
    files = [p for p in ROOT.glob("scripts/**/*") if p.is_file() and p.suffix != ".pyc"]
    assert {p.name for p in files if p.parent.name == "scripts"} == {
        "bench", "build", "check", "demo", "docs", "gui", "lint", "setup", "test", "validate"}
    bare = [p for p in files if not p.suffix and p.read_bytes().startswith(b"#!/usr/bin/env python")]
    assert bare == [], "Python has an ending, by which the linter finds it"


def test_scripts_that_are_named_are_there():
    places = ("*.md", "docs/**/*.md", "docs/lists/*", "scripts/**/*", "addon/**/*.py", "operators/**/*.py", "panels/**/*.py",
              "tests/*.py", ".ci/run")
    texts = [p for place in places for p in ROOT.glob(place) if p.is_file() and p.suffix != ".pyc"]
    named = {(match.rstrip("."), path.name) for path in texts for match in
             re.findall(r"(?<![\w/])scripts/[a-z][a-z_/.-]*", path.read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert sorted(one for one in named if not (ROOT / one[0]).exists()) == []


def test_scripts_tell_their_use():
    for name in ("demo", "gui"):
        run = subprocess.run([ROOT / "scripts" / name, "--help"], capture_output=True, text=True)
        assert run.returncode == 0 and run.stdout.count("\n") > 4 and "#" not in run.stdout


def test_a_python_script_runs_in_lopes_own_python_or_says_what_to_run(tmp_path):
    (tmp_path / "scripts" / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "tools" / "run", tmp_path / "scripts" / "tools")
    shutil.copy(ROOT / "scripts" / "check", tmp_path / "scripts")
    words = [tmp_path / "scripts" / "check", "follow"]
    alone = subprocess.run(words, capture_output=True, text=True)
    assert alone.returncode == 2 and alone.stderr == "scripts/check: run scripts/setup first.\n"
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.write_text('#!/bin/sh\necho "own $*"\n', encoding="utf-8")
    own.chmod(0o755)
    assert subprocess.run(words, capture_output=True, text=True).stdout == "own -P -m lope.scripts.suites.check follow\n"


def test_no_python(folder):
    run = setup(folder)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1 and "no Python 3.11 or 3.13 found" in run.stderr


def test_a_shim_that_only_fails_is_passed_over(folder):
    write_tool(folder, "python3.11", "#!/bin/sh\necho 'pyenv: python3.11: command not found' >&2\nexit 127\n")
    assert "no Python 3.11 or 3.13 found" in setup(folder).stderr
    pretend_python(folder, "python3.13", "3.13 venv")
    assert setup(folder).returncode == 0


def test_a_python_of_another_version_is_passed_over(folder):
    pretend_python(folder, "python3", answer="")
    assert "no Python 3.11 or 3.13 found" in setup(folder).stderr


def test_pythons_of_pyenv_are_found(folder):
    pretend_python(folder)
    target = folder / ".pyenv" / "versions" / "3.11.7" / "bin"
    target.mkdir(parents=True)
    (folder / "bin" / "python3.11").rename(target / "python")
    assert setup(folder).returncode == 0


def test_python_without_venv_names_the_debian_package(folder):
    pretend_python(folder, answer="3.11 bare")
    run = setup(folder)
    assert run.returncode == 2 and "python3.11-venv" in run.stderr and run.stderr.count("\n") == 1


def test_lope_python_that_does_not_work(folder):
    pretend_python(folder)
    run = setup(folder, LOPE_PYTHON="python9")
    assert run.returncode == 2 and "LOPE_PYTHON=python9" in run.stderr


@pytest.mark.parametrize("output, said", [
    ("WARNING: Retrying after NewConnectionError: Temporary failure in name resolution", "no network"),
    ("ERROR: Could not install packages due to an OSError: No space left on device", "the disk is full"),
    ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "does not match its hash"),
    ("ERROR: something else", "pip failed: ERROR: something else"),
])
def test_why_pip_failed(folder, output, said):
    pretend_python(folder, pip=f"echo '{output}'; exit 1")
    run = setup(folder)
    assert run.returncode == 2 and said in last_line(run)


def test_a_full_disk_is_seen_before_anything_is_made(folder):
    pretend_python(folder)
    write_tool(folder, "df", "#!/bin/sh\necho header\necho disk 9000 8900 100 99% /\n")
    run = setup(folder)
    assert run.returncode == 2 and "100 MB are free" in last_line(run)
    assert not (folder / ".venv").exists()


def test_missing_libraries_name_their_debian_packages(folder):
    pretend_python(folder, bpy="echo 'ImportError: libXi.so.6: cannot open shared object file' >&2; exit 1")
    found = ("libXi.so.6 => not found", "libSM.so.6 => not found", "libm.so.6 => somewhere")
    write_tool(folder, "ldd", "#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in found))
    run = setup(folder)
    assert run.returncode == 3
    assert "apt-get install libsm6 libxi6" in last_line(run)
    assert (folder / ".venv" / "missing-packages").read_text(encoding="utf-8").split() == ["libsm6", "libxi6"]


def test_second_run_installs_nothing_until_the_lock_changes(folder):
    pretend_python(folder, pip="echo pip >> pip-ran")
    assert setup(folder).returncode == 0
    once = (folder / "pip-ran").read_text(encoding="utf-8")
    assert once.count("pip") == 2, "the lock, then the project"
    assert setup(folder).returncode == 0
    assert (folder / "pip-ran").read_text(encoding="utf-8") == once
    (folder / "requirements.lock").write_text("changed==1", encoding="utf-8")
    assert setup(folder).returncode == 0
    assert (folder / "pip-ran").read_text(encoding="utf-8") == 2 * once
