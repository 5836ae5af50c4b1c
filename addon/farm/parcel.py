# SPDX-License-Identifier: GPL-3.0-or-later
"""One piece of work on its way to a Dask worker and there: packed with what it was made by, refused by any other Lope. Takes are
the same on every machine only where the same Lope meets the same libraries, so a worker compares before it works."""

from __future__ import annotations

import pickle
import platform
import threading
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .. import VERSION
from ..children.protocol import use_one_thread
from ..errors import InputError

LIBRARIES = ("numpy", "scipy", "mujoco-core", "daqp", "quadprog")
"""Libraries on whose version the numbers of a take depend."""
ABSENT = "no"

_one_at_a_time = threading.Lock()
"""A worker may have several threads; physics engines and solvers of one process are used by one at a time."""


@lru_cache
def made_by() -> dict[str, str]:
    """The versions of Lope, Python and the libraries here."""
    return {"Lope": VERSION, "Python": ".".join(platform.python_version_tuple()[:2]), **{name: _version(name)
                                                                                       for name in LIBRARIES}}


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ABSENT


def pack(function: Callable[..., Any], *args: Any) -> bytes:
    """A call as bytes; function and arguments have to be picklable."""
    return pickle.dumps((function, args))


def differences(asked_by: dict[str, str]) -> str:
    """How the Lope, Python and libraries here differ from those that ask; empty where they do not."""
    here = made_by()
    return ", ".join(f"{name} {here.get(name, ABSENT)} instead of {wanted}" for name, wanted in asked_by.items()
                     if here.get(name, ABSENT) != wanted)


def refusal(worker: str, different: str) -> InputError:
    return InputError(f"The Dask worker {worker} is refused: it has {different}, and its results could differ. Install the "
                      "same there, or stop that worker.")


def answer(asked_by: dict[str, str], question: bytes) -> Any:
    """In a worker: do a packed call and give what it gives. Raises InputError for work of another Lope."""
    if different := differences(asked_by):
        from distributed import get_worker

        raise refusal(get_worker().address, different)
    use_one_thread()
    function, args = pickle.loads(question)
    with _one_at_a_time:
        return function(*args)
