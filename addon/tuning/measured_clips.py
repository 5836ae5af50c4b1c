# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips with the pressure that was measured while they were captured, in place of a simulated one."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..motions.pressure.beside import Lag, Lie, best_lag, lie_of, on_ground
from ..motions.pressure.features import features_of
from ..motions.pressure.files import read_pressure, told_start_s
from ..motions.pressure.images import MAT, Pressure, side_by_side
from ..motions.pressure.prints import ankles_m
from ..motions.pressure.reading import CLOSE
from ..motions.pressure.soles import INSOLE_PITCH_M, MAT_RATE_HZ, insole_pressure, mat_pressure
from ..reports.floor_forces import forces_on_floor
from ..reports.pressure import way_cells
from ..simulate import simulate
from ..specs.follow import Follow
from ..specs.hit import HIT, RAILS, Reaction
from ..specs.shot import Shot
from ..take import Take
from .pressed_clips import MEASURED, PressedClip, pressed_clip

MOVES_M = 0.04
"""Root mean square way of the centre of pressure from its middle, from which on it tells how a mat is turned."""
LEAST_TURN_RAD = 0.035
"""A mat that is turned by less lies straight: its cells stay as they are."""
MOST_OFF_M = 0.1
"""By how much feet and centres of pressure may be off (median): people of other sizes take other steps, and those of another
clip are off by 0.12 or more."""


def measured_beside(clip: Path) -> Path | None:
    """The file of pressure beside a clip, of the clip's name; None where there is none. Takes (.npz) are no such file. Raises
    InputError for two."""
    found = [path for path in (clip.with_suffix(".csv"), clip.with_suffix(".npz")) if path.is_file() and not _is_take(path)]
    if len(found) > 1:
        raise InputError(f"Beside {clip.name} lie {found[0].name} and {found[1].name}: leave the pressure that was measured with "
                         "it, and take the other one away.")
    return found[0] if found else None


def pressing(starts_s: dict[str, float]) -> Callable[[Path], PressedClip]:
    """What presses clips: with their measured pressure, which begins at `starts_s` where that is told for a clip's file,
    simulated where none lies beside."""

    def press(clip: Path) -> PressedClip:
        file = measured_beside(clip)
        return pressed_clip(clip) if file is None else measured_clip(clip, file, starts_s.get(clip.name))

    return press


def measured_clip(clip: Path, file: Path, start_s: float | None = None) -> PressedClip:
    """A clip as it is on the reference body, in its own time, which the pressure has, and its measured pressure on the same
    ground. `start_s` tells when in the clip the first frame is; else the file does (`# start_s`), else it is where the forces
    agree best.

    Raises InputError where that cannot be told, or the feet are elsewhere on the mat."""
    what = file.name
    sequences = read_pressure(file)
    if len(sequences) != 1 or sequences[0].place != MAT:
        raise InputError(f"{what} is of insoles, which do not tell where a foot stands: beside a clip lies what a mat measured.")
    raw = sequences[0]
    raw.check_load()
    take = simulate(Shot(controller=HIT, reaction=Reaction(law=RAILS), follow=Follow(str(clip), time="clip"), until_end=True))
    force = forces_on_floor(take)
    step_s = float(take.time_s[-1] - take.time_s[0]) / (len(take.time_s) - 1)
    told = start_s if start_s is not None else told_start_s(file)
    lag = None if told is not None else best_lag(raw.images.sum(axis=(1, 2)), raw.rate_hz, force.sum(axis=1), step_s, what)
    begins = told if lag is None else lag.start_s
    assert begins is not None
    mat, first_s = _within(raw, begins, float(take.time_s[-1] - take.time_s[0]), what)
    lie = _lie(mat, take, force, first_s, step_s, what)
    row, placed = round(first_s / step_s), _laid(mat, lie)
    soles = side_by_side(*insole_pressure(take.body, take.time_s[row:], force[row:], rate_hz=MAT_RATE_HZ, pitch_m=INSOLE_PITCH_M))
    count = min(len(placed), len(soles))
    placed = placed.within(0, count)
    return PressedClip(clip, MEASURED, take, force, placed, features_of(placed), features_of(soles.within(0, count)), take,
                       first_s / step_s, first_s, _said(begins, lag, lie))


def _is_take(path: Path) -> bool:
    """Whether a file is a take of Lope's."""
    return zipfile.is_zipfile(path) and "take.json" in zipfile.ZipFile(path).namelist()


def _within(raw: Pressure, begins_s: float, lasts_s: float, what: str) -> tuple[Pressure, float]:
    """The frames at the database's rate that are within a clip, and when in it the first one is [s]."""
    frames = begins_s + np.arange(len(raw)) / raw.rate_hz
    inside = np.flatnonzero((frames > -1e-6) & (frames + 1.0 / raw.rate_hz < lasts_s + 1e-6))
    if len(inside) < 2:
        raise InputError(f"{what} is to begin at {begins_s:.2f} s of its clip, which lasts {lasts_s:.2f} s, and lasts "
                         f"{len(raw) / raw.rate_hz:.2f} s: they have no time in common.")
    first = float(max(frames[inside[0]], 0.0))
    mat = raw.within(int(inside[0]), int(inside[-1]) + 1)
    rate = MAT_RATE_HZ if abs(mat.rate_hz - MAT_RATE_HZ) < CLOSE * MAT_RATE_HZ else mat.rate_hz
    if rate < MAT_RATE_HZ:
        raise InputError(f"{what} has {rate:g} frames a second: a database is made of {MAT_RATE_HZ:g} or more.")
    return replace(mat, rate_hz=rate, start_s=first, source=what).at_rate(MAT_RATE_HZ), first


def _lie(mat: Pressure, take: Take, force: np.ndarray, first_s: float, step_s: float, what: str) -> Lie:
    """How the mat lies on the clip's ground: first by the way of the centre of pressure, where that goes far enough to tell,
    since feet are found on a mat that looks ahead; then by it and the feet that are wholly down on both."""
    cells, middle = way_cells(take, force)
    row = round(first_s / step_s)
    felt = mat_pressure(take.body, take.time_s[row:], take.contact_point_m[row:], force[row:], cells=cells, middle_m=middle)
    count = min(len(felt), len(mat))
    here, there = mat.centre_m[:count], felt.centre_m[:count]
    known = np.isfinite(here).all(axis=1) & np.isfinite(there).all(axis=1)
    coarse = Lie(0.0, np.zeros(2), 0.0)
    if known.sum() > 2 and float(np.sqrt((np.var(there[known], axis=0)).sum())) > MOVES_M:
        coarse = lie_of(here[known], there[known])
    turned = _laid(mat, coarse)
    own, clips = (ankles_m(one)[:count] for one in (turned, felt))
    both = np.isfinite(own).all(axis=2) & np.isfinite(clips).all(axis=2)
    if both.sum() < 2:
        raise InputError(f"No two frames of {what} and of its clip have a foot wholly down in both: nobody can tell how the "
                         "mat lay.")
    ways = (turned.centre_m[:count][known], there[known])
    fine = lie_of(np.concatenate([own[both], ways[0]]), np.concatenate([clips[both], ways[1]]))
    if fine.off_m > MOST_OFF_M:
        raise InputError(f"Feet and centre of pressure on the mat of {what} are {100.0 * fine.off_m:.0f} cm off those "
                         f"of its clip (median), and may be {100.0 * MOST_OFF_M:.0f}: is it of that clip, and "
                         f"does it begin {first_s:.2f} s into it?")
    return Lie(coarse.turn_rad + fine.turn_rad, fine.placed(coarse.shift_m), fine.off_m)


def _laid(mat: Pressure, lie: Lie) -> Pressure:
    """A mat's pressure on the ground; one that lies straight is only moved."""
    if abs(lie.turn_rad) >= LEAST_TURN_RAD:
        return on_ground(mat, lie)
    low = lie.placed(np.array([mat.rows_m[0], mat.columns_m[0]]))
    return replace(mat, origin_m=(float(low[0]), float(low[1])))


def _said(begins_s: float, lag: Lag | None, lie: Lie) -> dict[str, float]:
    """What a report tells of it."""
    found = {} if lag is None else {"correlation": round(lag.correlation, 3), "next_best": round(lag.next_best, 3)}
    return {"start_s": round(begins_s, 3), **found, "turn_deg": round(float(np.degrees(lie.turn_rad)), 1),
            "feet_off_m": round(lie.off_m, 3)}
