# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m lope`: the same command line as `lope`."""

import sys

from .addon.cli import main

sys.exit(main())
