# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the Moon's poses are from the Earth's at equal phase, in degrees RMS of eleven angles: the similar walk, the walk and
the gait of people. Row 16 of docs/validation.md.

    scripts/check planet_shows             exit code 0 where people's walk and the gait auto show the planet
"""

from lope.scripts.tools.common import ROOT

# isort: split
import sys

from lope.scripts.suites.validation.kinds import run
from lope.scripts.suites.validation.rows import on_the_moon
from lope.scripts.suites.validation.verdicts import planet_shows


def main() -> int:
    """Simulate, print the table, judge."""
    verdict = planet_shows([(case, run((case.name, case), ROOT, "")) for case in on_the_moon()])
    for row in verdict.table:
        print("  ".join(f"{cell:>{30 if i < 2 else 18}}" for i, cell in enumerate(row)))
    print("\n".join(verdict.failures) or "The planet shows.")
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    sys.exit(main())
