# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads of the linear algebra under numpy and scipy."""

from __future__ import annotations

import os


def use_one_thread() -> None:
    """Keep the linear algebra under numpy and scipy to one thread, unless the user's environment says otherwise.

    The matrices of one body are small: several threads make a simulation seven times slower, waiting for one another. The
    libraries read these names once, when they are loaded, so this has to run before the first import of numpy.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")
