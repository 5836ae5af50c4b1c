# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether this machine holds what Lope needs: Python, packages, Blender, presets that can be read, and engines, each by a short
simulation in a process of its own, as jobs and batches run them."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import VERSION
from ..children import child as launch
from ..errors import InputError, JobError
from ..options.outputs import blender_room

OK, NOTE, BROKEN = "ok", "note", "broken"
"""States of a check: as it should be; a part of Lope cannot be used; Lope does not work."""

NEEDED = {"numpy": "1.26", "scipy": "1.15", "mujoco": "", "daqp": "", "quadprog": ""}
"""Packages that a simulation needs, with the least version that will do, by the name under which they are imported."""
WELCOME = {"cma": "`lope tune`", "matplotlib": "the plots of `lope report`", "PIL": "pictures with words on them",
           "pybullet": "the engine pybullet", "distributed": "--dask"}
"""Packages that only a part of Lope needs, and which."""
DISTRIBUTIONS = {"mujoco": "mujoco-core", "PIL": "pillow"}
"""Names of the packages that are not called what they are imported as."""
LEAST_PYTHON, LEAST_BLENDER = (3, 11), (4, 5)
TRIAL = ("--seconds", "0.5", "--json")
TRIAL_S = 120.0
"""Patience with a trial simulation, which takes a second or two [s]."""
LEAST_FREE_MB = 500.0
"""A film and its pictures, or the takes of a night, need more than this."""

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: `state` is OK, NOTE or BROKEN, `words` what was found and, unless OK, what to do."""

    name: str
    state: str
    words: str


def check_installation(progress: Progress) -> list[Check]:
    """Everything in turn; takes a few seconds, since it simulates."""
    checks = [_python(), Check("lope", OK, f"{VERSION} in {launch.PACKAGE}"), _blender()]
    checks += [_package(name) for name in (*NEEDED, *WELCOME)]
    checks += _presets()
    checks += [_folder("temporary files", Path(tempfile.gettempdir()))]
    if any(check.state == BROKEN for check in checks if check.name in NEEDED):
        return checks
    for i, (engine, package) in enumerate((("mujoco", "mujoco"), ("ideal", "mujoco"), ("pybullet", "pybullet"))):
        progress(i / 3.0, f"trying the engine {engine}")
        if _version(package) is not None:
            checks.append(_engine(engine))
    progress(1.0, "done")
    return checks


def _python() -> Check:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    found = f"{platform.python_version()}, {machine}, {sys.executable}"
    if sys.version_info < LEAST_PYTHON:
        return Check("python", BROKEN, f"{found}; Lope needs Python {_dotted(LEAST_PYTHON)} or newer.")
    return Check("python", OK, found)


def _blender() -> Check:
    try:
        version, where = blender_room("read.blend_file").blender_version()
    except InputError:
        return Check("blender", NOTE, "not here: bake, render and looking at rigs need it. scripts/setup brings the bpy "
                                      "module; or run blender --background --command lope ...")
    if version[:2] < LEAST_BLENDER:
        return Check("blender", BROKEN, f"{_dotted(version)}; Lope needs Blender {_dotted(LEAST_BLENDER)} or newer.")
    return Check("blender", OK, f"{_dotted(version)}, {where}")


def _package(name: str) -> Check:
    needed, least = name in NEEDED, NEEDED.get(name, "")
    if importlib.util.find_spec(name) is None:
        if needed:
            return Check(name, BROKEN, "is missing; the extension's zip brings it for Blender 4.5 and 5.2, else run "
                                       "scripts/setup.")
        return Check(name, NOTE, f"is missing; wanted for {WELCOME[name]}.")
    try:
        importlib.import_module(name)
    except Exception as error:  # a broken compiled package raises whatever it likes
        return Check(name, BROKEN if needed else NOTE, f"cannot be loaded: {error}")
    version = _version(name) or "of unknown version"
    if least and _numbers(version) < _numbers(least):
        return Check(name, BROKEN, f"{version}; Lope needs {least} or newer.")
    return Check(name, OK, version)


def _presets() -> Iterator[Check]:
    """One check for each kind of preset."""
    from .presets import CHECKS, FOLDERS

    for kind, folder in FOLDERS.items():
        files, broken = sorted(folder.glob("*.json")), []
        for path in files:
            try:
                CHECKS[kind](path)
            except InputError as error:
                broken.append(str(error))
        if broken:
            yield Check(f"{kind} presets", BROKEN, f"{' '.join(broken)} Install Lope again.")
        else:
            yield Check(f"{kind} presets", OK, f"{len(files)}, all sound")


def _folder(name: str, folder: Path) -> Check:
    try:
        with tempfile.TemporaryFile(dir=folder):
            free_mb = shutil.disk_usage(folder).free / 1e6
    except OSError as error:
        return Check(name, BROKEN, f"{folder} cannot be written: {error.strerror or error}.")
    if free_mb < LEAST_FREE_MB:
        return Check(name, NOTE, f"only {free_mb:.0f} MB are free in {folder}; make room before rendering.")
    return Check(name, OK, f"{folder}, {free_mb / 1e3:.1f} GB free")


def _engine(engine: str) -> Check:
    """Simulate half a second with an engine, in a process of its own."""
    name = f"engine {engine}"
    try:
        command = launch.verb_command(["simulate", "--engine", engine, *TRIAL])
        run = subprocess.run(command, capture_output=True, text=True, timeout=TRIAL_S, env={**os.environ, **launch.environment})
        report = json.loads(run.stdout) if run.returncode == 0 else None
    except (JobError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        return Check(name, BROKEN, f"does not simulate: {error}")
    if report is None:
        last = (run.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return Check(name, BROKEN, f"does not simulate, exit code {run.returncode}: {last}")
    return Check(name, OK, f"simulates {report['sim_s_per_cpu_s']:.2g} s a second of processor time")


def _version(package: str) -> str | None:
    """Version of a package by the name under which it is imported; None where it is not installed."""
    try:
        return importlib.metadata.version(DISTRIBUTIONS.get(package, package))
    except importlib.metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version."""
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
