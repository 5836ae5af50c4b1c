# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure of`: what a mat or insoles would have felt of a take."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

from ..errors import InputError
from ..motions.pressure.files import write_pressure
from ..motions.pressure.images import PITCH_RANGE_M, RATE_RANGE_HZ, Pressure, as_measured
from ..motions.pressure.soles import INSOLE_PITCH_M, INSOLE_RATE_HZ, MAT_PITCH_M, MAT_RATE_HZ
from ..options.outputs import check_input, check_output
from ..progress import Progress
from ..reports.film.plain import take_film
from ..reports.pressure import insoles_of, mat_of
from ..reports.pressure_picture import FRAMES, sheet
from ..take import Take
from .outcome import Outcome, table
from .pressure_film import film_place, film_size, write_film

UNITS = {"rate": "Hz", "lasts": "s", "mean_force": "N", "peak_force": "N", "peak_pressure": "kPa", "pitch": "mm"}
COUNTS_KPA, NOISE_COUNTS, SHEET = (1.0, 10_000.0), (0.0, 100.0), (1, 120)


def pressure_of(args: argparse.Namespace) -> Outcome:
    """The pressure of a take, told, and written where asked."""
    _check(args)
    out = None if args.out is None else check_output(args, "out")
    if out is not None and out.suffix.lower() not in (".csv", ".npz"):
        raise InputError(f"Pressure is written as .csv or .npz; got {out.name!r}.")
    picture = None if args.picture is None else check_output(args, "picture")
    if picture is not None:
        _need_matplotlib()
    film = None if args.film is None else film_place(args, "film")
    take = Take.load(check_input(args.path, "take"))
    sequences = _felt(take, args)
    if args.counts is not None:
        sequences = tuple(as_measured(one, args.counts * 1e3, args.noise or 0.0, args.seed or 0) for one in sequences)
    if out is not None:
        write_pressure(out, sequences)
        print(f"Pressure written to {out}.", file=sys.stderr)
    if picture is not None:
        picture.write_bytes(sheet(sequences, args.frames or FRAMES, None if args.counts is None else args.counts * 1e3))
        print(f"Sheet written to {picture}.", file=sys.stderr)
    if film is not None:
        size, fps = film_size(args)
        write_film(take_film(take, sequences, size, fps, None if args.counts is None else args.counts * 1e3), film,
                   Progress(sys.stderr, args.json))
    report: dict[str, Any] = {one.place: _row(one) for one in sequences}
    return Outcome(report, "\n\n".join(f"{_NAMES[one.place]}\n{table(report[one.place], UNITS)}" for one in sequences))


_NAMES = {"mat": "mat", "L": "left insole", "R": "right insole"}


def _felt(take: Take, args: argparse.Namespace) -> tuple[Pressure, ...]:
    if args.insoles:
        return insoles_of(take, rate_hz=args.rate or INSOLE_RATE_HZ, pitch_m=(args.pitch or 1e3 * INSOLE_PITCH_M) / 1e3)
    return (mat_of(take, rate_hz=args.rate or MAT_RATE_HZ, cells=_cells(args.cells),
                   pitch_m=(args.pitch or 1e3 * MAT_PITCH_M) / 1e3),)


def _cells(text: str | None) -> tuple[int, int] | None:
    """ROWS,COLUMNS as numbers; None where nobody says."""
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and 4 <= int(part) <= 4096 for part in parts):
        raise InputError(f"--cells is ROWS,COLUMNS, each from 4 to 4096, such as 80,64; got {text!r}.")
    return int(parts[0]), int(parts[1])


def _need_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("--picture needs matplotlib, which is not installed here: install Lope with its extra \"plot\" (pip "
                         "install 'lope[plot]'), or leave the picture out.") from None


def _check(args: argparse.Namespace) -> None:
    """Raises InputError for options that are out of range or do not go together."""
    pitch = tuple(1e3 * value for value in PITCH_RANGE_M)
    for name, value, (low, high) in (("rate", args.rate, RATE_RANGE_HZ), ("pitch", args.pitch, pitch),
                                     ("counts", args.counts, COUNTS_KPA), ("noise", args.noise, NOISE_COUNTS),
                                     ("frames", args.frames, SHEET)):
        if value is not None and not low <= value <= high:
            raise InputError(f"--{name} must lie between {low:g} and {high:g}, got {value:g}.")
    if args.noise is not None and args.counts is None:
        raise InputError("--noise is in counts of a sensor: say with --counts what its last count is.")
    if args.insoles and args.cells is not None:
        raise InputError("--cells belongs to a mat; insoles are as large as the soles.")


def _row(one: Pressure) -> dict[str, Any]:
    """A sequence in numbers."""
    force = one.force_n
    return {"frames": len(one), "rate": one.rate_hz, "lasts": round(len(one) / one.rate_hz, 3),
            "cells": [int(n) for n in one.images.shape[1:]], "pitch": round(1e3 * one.pitch_m[0], 3),
            "mean_force": round(float(force.mean()), 1), "peak_force": round(float(force.max()), 1),
            "peak_pressure": round(float(one.images.max()) / 1e3, 1),
            "loaded": round(float(np.mean(force > 0.02 * max(float(force.max()), 1e-9))), 3)}
