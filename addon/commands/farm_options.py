# SPDX-License-Identifier: GPL-3.0-or-later
"""The option --dask, which verbs share that can work on a farm."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from ..farm.dask_pool import DaskPool


def add_dask_option(parser: argparse._ActionsContainer, does: str) -> None:
    """--dask ADDRESS; `does` says what is done there."""
    parser.add_argument("--dask", metavar="ADDRESS", help=f"{does} on the workers of the Dask scheduler there instead of on "
                        "this machine's cores; the results are the same (docs/farm.md)")


@contextmanager
def dask_pool(address: str | None) -> Iterator[DaskPool | None]:
    """The pool of the Dask scheduler at an address, its workers told of; None without an address. Raises InputError."""
    if address is None:
        yield None
        return
    from ..farm.dask_pool import DaskPool

    with DaskPool(address) as pool:
        print(f"Dask at {address}: {pool.workers} workers.", file=sys.stderr)
        yield pool
