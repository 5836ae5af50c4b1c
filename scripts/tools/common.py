# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts have in common. Imported before numpy and bpy, for it sets what these read as they load.

Libraries keep to one thread: a simulation's matrices are small, and whoever wants more processors runs more processes. Blender's
settings are not the user's own.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
"""Reference data beside the project, where it is there."""
CLIPS = SHARED / "motion" / "bvh"

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[name] = "1"
if "BLENDER_USER_RESOURCES" not in os.environ:
    os.environ["BLENDER_USER_RESOURCES"] = str(ROOT / "out" / "blender")
    (ROOT / "out" / "blender").mkdir(parents=True, exist_ok=True)


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """A parser whose help is a module's text."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def clips_in(places: Iterable[Path], only: Sequence[str] = ()) -> list[Path]:
    """The clips of some files and folders whose names hold one of some texts."""
    found = [clip for place in places for clip in (sorted(place.glob("*.bvh")) if place.is_dir() else [place])]
    return [clip for clip in found if not only or any(text in clip.stem for text in only)]


def in_processes(work: Callable[[Any], Any], things: Sequence[Any], processes: int) -> Iterator[Any]:
    """What a function makes of each thing, in order; by itself where one process is asked for."""
    if processes < 2 or len(things) < 2:
        yield from map(work, things)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(work, things)


def leave(code: int) -> NoReturn:
    """End the process with a code. Blender's module does not end its interpreter by itself once Rigify has run in it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
