# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of motions that the database knows, and of those that were left out of it, and how much of that is doubted: for
`check_pressure`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.doubts import UNKNOWN, rows_of
from lope.addon.motions.pressure.recognition import QUIET, Match, Recogniser
from lope.addon.motions.pressure.soles import MAT_RATE_HZ
from lope.addon.motions.pressure.synthesis import runs_of
from pressure_sessions import Moves

SURE = ("right", "same kind", "wrong")
TOLD = ("same kind", "wrong", UNKNOWN, "stands")


class Doubts:
    """Pieces that were told, and of how many of them that was doubted; and frames of clips that the database did not know."""

    def __init__(self, kind: Callable[[str], str]) -> None:
        self._kind = kind
        self.pieces, self.doubted = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        self.frames = Counter[tuple[str, str]]()

    def add(self, table: str, database: Database, recogniser: Recogniser, features: np.ndarray, moves: Moves,
            matches: Sequence[Match]) -> None:
        """Take what was told of some pressure into account: `moves` say which clip is done when."""
        runs = runs_of(matches)
        rows = {row["from_s"]: row for row in rows_of(runs, matches, features, recogniser, 0.0)}
        for run in runs:
            if run.row == QUIET:
                continue
            shared, clip = max((min(end, run.end) - max(begin, run.begin), clip) for clip, begin, end in moves)
            sure = self.sure(clip, database.active[run.row].source) if shared > 0 else "wrong"
            self.pieces[table, sure] += 1
            self.doubted[table, sure] += "doubt" in rows[round(run.begin / MAT_RATE_HZ, 2)]

    def sure(self, wanted: str, found: str) -> str:
        """How a clip that was found fits the one that was done."""
        return "right" if wanted == found else "same kind" if self._kind(wanted) == self._kind(found) else "wrong"

    def left_out(self, table: str, database: Database, moves: Moves, matches: Sequence[Match]) -> None:
        """Count what the frames of motions are told to be by a database without them."""
        for clip, begin, end in moves:
            for match in matches[begin:end]:
                known = "stands" if match.known else UNKNOWN
                told = known if match.row == QUIET else self.sure(clip, database.active[match.row].source)
                self.frames[table, told] += 1

    def tables(self) -> list[str]:
        """Markdown."""
        lines = ["| doubted, of pieces told | " + " | ".join(SURE) + " |", "|---" * (1 + len(SURE)) + "|"]
        for table in dict.fromkeys(table for table, _ in self.pieces):
            lines.append(f"| {table} | " + " | ".join(_share(self.doubted[table, sure], self.pieces[table, sure])
                                                      for sure in SURE) + " |")
        lines += ["", "| frames of motions left out | " + " | ".join(TOLD) + " |", "|---" * (1 + len(TOLD)) + "|"]
        for table in dict.fromkeys(table for table, _ in self.frames):
            whole = sum(count for (of, _), count in self.frames.items() if of == table)
            lines.append(f"| {table} | " + " | ".join(f"{self.frames[table, told] / whole:.1%}" for told in TOLD) + " |")
        return lines


def _share(some: int, of: int) -> str:
    return f"{some} of {of}" if of else "-"
