# SPDX-License-Identifier: GPL-3.0-or-later
"""One thread for linear algebra, as the command line has it: on small matrices more threads only wait for each other."""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
