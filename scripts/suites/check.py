# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a suite of cases against its bounds: exit code 0 where all are held, 1 where one is broken, 2 for bad input.

    scripts/check                                       the suites, a line each
    scripts/check SUITE [--quick] [--json] [...]        one of them
    scripts/check SUITE --help                          what it measures, its cases and options
"""

from __future__ import annotations

from lope.scripts.tools.common import leave

# isort: split
import ast
import sys
from importlib import import_module
from pathlib import Path

from lope.scripts.suites.runner import run

HERE = Path(__file__).parent
SUITES = {name: name for name in (
    "acceptance", "bakes", "batch", "curves", "falls", "follow", "fuzz", "getting_up", "hits", "looks", "norms", "passages",
    "planar", "planet_shows", "plans", "pose_gaits", "pressure", "pressure_motion", "pressure_steps", "responses",
    "same_takes", "simbicon", "standing", "stands", "streams", "zoo")} | {
    name: f"validation.{name}" for name in ("creatures", "muscles")}
"""Suites and their modules in this folder."""


def told(module: str) -> str:
    """What a suite measures, in a line: the first sentence of its module's text."""
    text = ast.get_docstring(ast.parse((HERE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).split(". ")[0].rstrip(".")


def main() -> int:
    """Run the suite that is named; its exit code."""
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(__doc__)
        for name in sorted(SUITES):
            print(f"{name:16} {told(SUITES[name])}")
        return 0
    name = words[0].replace("-", "_")
    if name not in SUITES:
        print(f"scripts/check: there is no suite {words[0]!r}: expected one of {', '.join(sorted(SUITES))}.", file=sys.stderr)
        return 2
    sys.argv = [f"scripts/check {name}", *words[1:]]
    module = import_module(f"lope.scripts.suites.{SUITES[name]}")
    if hasattr(module, "SUITE"):
        return run(module.SUITE, module.__doc__, words[1:])
    return module.main() or 0


if __name__ == "__main__":
    leave(main())
