# SPDX-License-Identifier: GPL-3.0-or-later
"""Which folders are packages: every one with an __init__.py in the rooms of the code. All else stands in pyproject.toml.

A list there would be one more place to write a new folder into; and a search from there cannot put `lope` before its names.
"""

from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
ROOMS = ("addon", "operators", "panels")


def packages() -> list[str]:
    """Dotted names of all packages."""
    folders = sorted(path.parent.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("__init__.py"))
    return ["lope", *(".".join(("lope", *folder.parts)) for folder in folders)]


if __name__ == "__main__":
    setup(packages=packages())
