# SPDX-License-Identifier: GPL-3.0-or-later
"""How a child process is started: with which Python, which folders, and apart from Blender's own signals."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from ..errors import JobError
from .bootstrap import WORDS

PACKAGE = Path(__file__).resolve().parents[2]
"""Folder of Lope's package."""
NEEDED = ("numpy", "scipy", "mujoco", "daqp", "quadprog")
WELCOME = ("pybullet", "cma")
"""Packages that a child uses where they are installed."""


def interpreter() -> str:
    """Path of this process' Python; in Blender, the Python that Blender carries. Raises JobError where there is none."""
    if Path(sys.executable or "").stem.lower().startswith("python"):
        return sys.executable
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = Path(sys.prefix) / ("" if os.name == "nt" else "bin")
    for name in (f"python{version}", "python3", "python", "python.exe"):
        if (folder / name).is_file():
            return str(folder / name)
    raise JobError(f"Blender's own Python was not found in {folder}; reinstall Blender.")


def package_folders() -> list[str]:
    """Folders that hold the packages Lope needs, found without importing them. Raises JobError naming those that lack."""
    specs = {name: importlib.util.find_spec(name) for name in (*NEEDED, *WELCOME)}
    missing = [name for name in NEEDED if specs[name] is None]
    if missing:
        raise JobError(f"This Blender's Python has no package {', '.join(missing)}, which Lope's zip brings for "
                       f"Blender 4.5 and "
                       "5.2; install the zip made for this platform.")
    found = [spec for spec in specs.values() if spec is not None]
    places = [Path(next(iter(spec.submodule_search_locations))).parent if spec.submodule_search_locations
              else Path(str(spec.origin)).parent for spec in found]
    return list(dict.fromkeys(map(str, places)))


def command(module: str, words: Sequence[str] = (), also: Sequence[str] = ()) -> list[str]:
    """The command line that runs `main(words)` of a module of Lope's, such as "addon.cli", in a Python without Blender's
    window, from inside Blender or any other Python; `also` are more folders of packages.

    Raises JobError where Python or packages are not found.
    """
    bootstrap = str(Path(__file__).with_name("bootstrap.py"))
    return [interpreter(), "-I", bootstrap, str(PACKAGE), *package_folders(), *also, WORDS, module, *words]


def verb_command(words: Sequence[str]) -> list[str]:
    """The command line that runs `lope WORDS`. Raises JobError where Python or packages are not found."""
    return command("addon.cli", words)


environment: dict[str, str] = {}
"""Variables that children get besides this process' own; see `gaits.tuned_maps.USER_FOLDER`."""


def start(arguments: Sequence[str], log: IO[bytes], behind: bool = False) -> subprocess.Popen[bytes]:
    """Start a child, its standard error going to `log`. It leads a group of its own, so that its children end with it; where
    Windows is to put it `behind` Blender on the processor it says so (elsewhere a child steps back by itself).
    """
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        priority = subprocess.BELOW_NORMAL_PRIORITY_CLASS if behind else 0
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW | priority}
    return subprocess.Popen(arguments, env={**os.environ, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=log, **apart)
