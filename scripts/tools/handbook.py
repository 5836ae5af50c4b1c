# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of README and handbook, and what stands in their blocks of code."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)


def blocks(page: Path) -> list[tuple[str, str]]:
    """(language, text) of every block of code of a page."""
    return FENCE.findall(page.read_text(encoding="utf-8"))


def commands(page: Path) -> list[str]:
    """Command lines `lope ...` of a page's blocks of code, without comments and continued lines joined."""
    found = []
    for _, block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s+#.*$", "", line).strip()
            line = re.sub(r"\s{3,}\S.*$", "", line)  # words beside a command, as in tables of commands
            match = re.match(r"(?:\.venv/bin/)?lope (.+)|\S*blender .*--command lope (.+)", line)
            if match and "VERB" not in line:
                found.append(match[1] or match[2])
    return found
