#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the Moon's poses are from the Earth's at equal phase, in degrees RMS of eleven angles: the similar walk, the walk and
the gait of people. Row 16 of docs/validation.md.

    scripts/check_planet_shows             exit code 0 where people's walk and the gait auto show the planet
"""

import sys
from pathlib import Path

import own_python

ROOT = Path(__file__).resolve().parents[1]
try:
    from validation.kinds import run
    from validation.people_cases import on_the_moon
    from validation.people_verdicts import planet_shows
except ImportError as absent:
    own_python.start_again(absent)


def main() -> int:
    """Simulate, print the table, judge."""
    verdict = planet_shows([(case, run((case.name, case), ROOT, "")) for case in on_the_moon()])
    for row in verdict.table:
        print("  ".join(f"{cell:>{30 if i < 2 else 18}}" for i, cell in enumerate(row)))
    print("\n".join(verdict.failures) or "The planet shows.")
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    sys.exit(main())
