# SPDX-License-Identifier: GPL-3.0-or-later
"""The capture point (divergent component of motion) over a centre of pressure that moves in straight pieces. Horizontal vectors
are complex numbers, x + iy [m]. With omega = sqrt(g / z) the capture point xi = c + v / omega obeys xi' = omega (xi - r), r the
centre of pressure: Pratt et al. 2006; Englsberger, Ott, Albu-Schaeffer 2015, eq. 4, 18."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Piece(NamedTuple):
    """A centre of pressure that moves from `start` to `end` in `duration_s`."""

    start: complex
    end: complex
    duration_s: float

    def at(self, time_s: float) -> complex:
        """Its place after `time_s`, clamped to the piece."""
        if self.duration_s <= 1e-9:
            return self.end
        return self.start + (self.end - self.start) * min(max(time_s / self.duration_s, 0.0), 1.0)


def forward(capture: complex, piece: Piece, omega: float, time_s: float) -> complex:
    """Capture point after `time_s` on a piece, from `capture` at its start (closed form of xi' = omega (xi - r))."""
    lead = (piece.end - piece.start) / (max(piece.duration_s, 1e-9) * omega)
    return piece.at(time_s) + lead + (capture - piece.start - lead) * math.exp(omega * time_s)


def backward(capture: complex, pieces: Sequence[Piece], omega: float) -> complex:
    """Capture point at the start of the first piece that reaches `capture` at the end of the last."""
    for piece in reversed(pieces):
        if piece.duration_s <= 1e-9:
            continue
        lead = (piece.end - piece.start) / (piece.duration_s * omega)
        capture = piece.start + lead + (capture - piece.end - lead) * math.exp(-omega * piece.duration_s)
    return capture


def remaining(pieces: Sequence[Piece], elapsed_s: float) -> list[Piece]:
    """What is left of some pieces after `elapsed_s`; at least the last one's end, with no duration."""
    for i, piece in enumerate(pieces):
        if elapsed_s < piece.duration_s:
            return [Piece(piece.at(elapsed_s), piece.end, piece.duration_s - elapsed_s), *pieces[i + 1:]]
        elapsed_s -= piece.duration_s
    return [Piece(pieces[-1].end, pieces[-1].end, 0.0)]


def within(place: complex, points: np.ndarray, forward: complex) -> complex:
    """A place moved into the rectangle along `forward` that just holds points (k, 3)."""
    wish, local = place / forward, [complex(x, y) / forward for x, y, _ in points.tolist()]
    ahead, aside = [point.real for point in local], [point.imag for point in local]
    return forward * complex(min(max(wish.real, min(ahead)), max(ahead)), min(max(wish.imag, min(aside)), max(aside)))
