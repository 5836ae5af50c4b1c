# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips as motions with their pressure: each simulated once, or laid on rails where nobody could follow it. Where pressure was
measured while a clip was captured: when in the clip it begins, and how its mat lay on the clip's ground."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ..archives import members_of
from ..errors import EngineError, InputError, LopeError
from ..motions.bvh import told_length_s
from ..motions.pressure.database import MOTION_HZ, PER_FRAME, Database, Listed, PressedMotion, Span, found_spans
from ..motions.pressure.features import features_of
from ..motions.pressure.feet import ankles_m
from ..motions.pressure.files import read_pressure, told_start_s
from ..motions.pressure.images import (
    INSOLE_PITCH_M,
    MAT,
    MAT_RATE_HZ,
    MOST_PA,
    Counts,
    MatGrid,
    Pressure,
    as_measured,
    insole_pressure,
    mat_pressure,
    side_by_side,
)
from ..motions.pressure.laying import at_frames, between, way_at
from ..motions.pressure.synthesis import CLOSE
from ..motions.responses.measuring import standing_parts
from ..reports.feet import forces_on_floor
from ..reports.pressure import way_cells
from ..sim.simulation import simulate
from ..sim.take import Take
from ..specs.disturbances import HIT, RAILS, Reaction
from ..specs.motions import Clip
from ..specs.shot import BodySpec, Shot

LAG_STEP_S = 1.0 / 120.0
"""How finely lags are tried: a tenth of a mat's frame."""
LEAST_OVERLAP_S, LEAST_SHARE = 1.5, 0.6
"""Time that clip and pressure must have in common, and its share of the shorter one."""
LEAST_CORRELATION = 0.5
"""Of the forces, at the best lag: below it nobody can tell (people who only stand reach 0.35, motions 0.55)."""
APART_S = 0.3
"""Lags nearer to the best one are no other answer."""
MOST_CORRELATION = 0.999
ROUNDS, NEAR_M = 12, 0.01
"""Of the fit of places, and how near one is that counts whole."""
FINE = 4
"""Parts along each side that a cell is cut into when it is turned."""


@dataclass(frozen=True)
class Lag:
    """When in the clip the first frame of pressure is [s], how well the forces agree then (correlation), and at the next best
    time that is another one."""

    start_s: float
    correlation: float
    next_best: float


@dataclass(frozen=True, eq=False)
class Lie:
    """How a mat lies on a clip's ground: turned by so much about the upward axis [rad], then moved (2,) [m]; and how far places
    are off then, in the middle (median) [m]."""

    turn_rad: float
    shift_m: np.ndarray
    off_m: float

    def placed(self, places_m: np.ndarray) -> np.ndarray:
        """Places (..., 2) of the mat on the ground."""
        return places_m @ _turn(self.turn_rad).T + self.shift_m


def window_means(values: np.ndarray, step_s: float, begins_s: np.ndarray, lasts_s: float) -> np.ndarray:
    """Means of values (T, ...), `step_s` apart from 0 on, over windows (K,) that begin at those times; the last value stays."""
    flat = values.reshape(len(values), -1)
    whole = np.concatenate([np.zeros((1, flat.shape[1])), np.cumsum(flat, axis=0)]) * step_s
    at = np.arange(len(whole)) * step_s
    ends = [np.stack([np.interp(begins_s + more, at, column) for column in whole.T], axis=-1) for more in (0.0, lasts_s)]
    return ((ends[1] - ends[0]) / lasts_s).reshape(len(begins_s), *values.shape[1:])


def best_lag(felt: np.ndarray, rate_hz: float, expected_n: np.ndarray, step_s: float, what: str) -> Lag:
    """When pressure, whose force is `felt` (K,) in any unit, begins in a clip with the vertical force `expected_n` (T,): the time
    at which both agree best, the longer they agree the better (Fisher's transform of the correlation over its deviation). Raises
    InputError, naming the pressure by `what`, where they have too little time in common, or agree nowhere."""
    lasts_s = (len(expected_n) - 1) * step_s
    window_s, frames = 1.0 / rate_hz, np.arange(len(felt)) / rate_hz
    least = max(LEAST_OVERLAP_S, LEAST_SHARE * min(len(felt) / rate_hz, lasts_s)) * rate_hz
    lags = np.arange(-len(felt) / rate_hz + LEAST_OVERLAP_S, lasts_s - LEAST_OVERLAP_S + LAG_STEP_S, LAG_STEP_S)
    found = np.full((2, len(lags)), -np.inf)
    for i, lag in enumerate(lags):
        inside = (frames + lag > -1e-9) & (frames + lag + window_s < lasts_s + 1e-9)
        if inside.sum() >= least:
            agree = _correlation(felt[inside], window_means(expected_n, step_s, frames[inside] + lag, window_s))
            found[:, i] = agree, math.atanh(min(agree, MOST_CORRELATION)) * math.sqrt(float(inside.sum()))
    if not np.isfinite(found).any():
        raise InputError(f"{what} and its clip have less than {least / rate_hz:.1f} s in common: it lasts "
                         f"{len(felt) / rate_hz:.1f} s, the clip {lasts_s:.1f} s. Record both at once.")
    best = int(found[1].argmax())
    other = np.where(np.abs(lags - lags[best]) > APART_S, found[1], -np.inf)
    lag = Lag(round(float(lags[best]), 4), float(found[0, best]), max(float(found[0, int(other.argmax())]), 0.0))
    if lag.correlation < LEAST_CORRELATION:
        raise InputError(f"Nobody can tell when in its clip {what} begins: at the best time, {lag.start_s:.2f} s, its force and "
                         f"that of the clip's motion have a correlation of {lag.correlation:.2f}, under {LEAST_CORRELATION:g}. "
                         "Say it (`# start_s`, or `starts_s` in the list of motions), or see whether it is of that clip.")
    return lag


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Pearson's; 0 where nothing changes."""
    a, b = one - one.mean(), other - other.mean()
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size > 0.0 else 0.0


def lie_of(mat_m: np.ndarray, ground_m: np.ndarray) -> Lie:
    """The turn and the shift that bring places on the mat (N, 2) nearest to places on the ground (N, 2), N at least 2. Single
    places that are far off, such as a foot taken for the other one, count less: what is least is the sum of the distances."""
    weights = np.ones(len(mat_m))
    for _ in range(ROUNDS):
        lie = _fit(mat_m, ground_m, weights)
        off = np.linalg.norm(lie.placed(mat_m) - ground_m, axis=1)
        weights = 1.0 / np.maximum(off, NEAR_M)
    return Lie(lie.turn_rad, lie.shift_m, float(np.median(off)))


def _fit(mat_m: np.ndarray, ground_m: np.ndarray, weights: np.ndarray) -> Lie:
    """The same by least squares (Kabsch 1976, in a plane)."""
    shares = weights / weights.sum()
    middle, goal = shares @ mat_m, shares @ ground_m
    a, b = mat_m - middle, ground_m - goal
    turn = math.atan2(float(shares @ (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), float(shares @ (a * b).sum(axis=1)))
    shift = goal - _turn(turn) @ middle
    return Lie(turn, shift, 0.0)


def on_ground(pressure: Pressure, lie: Lie) -> Pressure:
    """A mat's pressure on the ground that it lies on, in cells along the ground's axes. Each cell is cut into small ones, each of
    which goes whole to where it lies: neither the force nor, within a small one's width, its centre change."""
    rows, columns = pressure.rows_m, pressure.columns_m
    part = (np.arange(FINE) + 0.5) / FINE - 0.5
    fine = np.stack(np.meshgrid((rows[:, None] + part * pressure.pitch_m[0]).ravel(),
                                (columns[:, None] + part * pressure.pitch_m[1]).ravel(), indexing="ij"), axis=-1)
    places = lie.placed(fine)
    pitch = np.array(pressure.pitch_m)
    low = places.reshape(-1, 2).min(axis=0)
    at = np.floor((places - low) / pitch).astype(int)
    shape = at.reshape(-1, 2).max(axis=0) + 1
    cell = (at[..., 0] * shape[1] + at[..., 1]).reshape(len(rows), FINE, len(columns), FINE)
    into = cell.transpose(0, 2, 1, 3).reshape(len(rows) * len(columns), -1)
    images = np.zeros((len(pressure), shape[0] * shape[1]))
    flat = pressure.images.reshape(len(pressure), -1) / FINE**2
    for column in into.T:
        order = np.argsort(column, kind="stable")
        goal, first = np.unique(column[order], return_index=True)
        images[:, goal] += np.add.reduceat(flat[:, order], first, axis=1)
    origin = low + 0.5 * pitch
    return replace(pressure, images=images.reshape(len(pressure), *shape), origin_m=(float(origin[0]), float(origin[1])))


def _turn(angle_rad: float) -> np.ndarray:
    return np.array([[math.cos(angle_rad), -math.sin(angle_rad)], [math.sin(angle_rad), math.cos(angle_rad)]])


FOLLOWED, ON_RAILS, MEASURED = "followed", "rails", "measured"
SPARE_S = 0.25
"""A motion may be said to end so much after its clip: of that less is cut, and ends are rounded."""
SETTLED = 2
"""First samples of a simulation that are left out: the body falls on its soles."""


@dataclass(frozen=True, eq=False)
class PressedClip:
    """A clip's Take, the forces on its contact points (T, P), how it was made, the pressure they leave on a mat, and the numbers
    (N, 10) that are seen in that, and in insoles; `played`, the clip on rails, whose poses are the motion's: somebody who follows
    it may step where it shuffles. Takes last `slow` times as long as the clip. Pressure that was measured begins at the sample
    `first` of the Take, `offset_s` into the clip; `said` tells how that was found."""

    path: Path
    how: str
    take: Take
    force_n: np.ndarray
    pressure: Pressure
    features: np.ndarray
    sole_features: np.ndarray
    played: Take
    first: float = SETTLED
    offset_s: float = 0.0
    said: dict[str, float] = field(default_factory=dict)
    slow: float = 1.0

    @property
    def rate_hz(self) -> float:
        """Frames of its pressure in a second of the clip."""
        return self.pressure.rate_hz * self.slow


def pressed_clip(path: Path, body: BodySpec | None = None, stretch: float = 1.0, noise: float = 0.0, sensor: float = 0.0,
                 seed: int = 0) -> PressedClip:
    """A clip on a body (default: the reference body), followed; on rails where that falls or cannot be. `noise` is that of the
    shot's start, `sensor` [counts] the mat's. Raises LopeError for a clip that cannot be played at all."""
    shot = Shot(motion=Clip(str(path), stretch=stretch, until_end=True), body=body or BodySpec(), noise=noise, seed=seed)
    how = FOLLOWED
    try:
        take = simulate(shot)
    except LopeError:
        take = None
    played = simulate(replace(shot.with_motion(controller=HIT), reaction=Reaction(law=RAILS), noise=0.0, seed=0))
    if take is None or take.fell or take.lost:
        how, take = ON_RAILS, played
    force = take.contact_point_force_n if how == FOLLOWED else forces_on_floor(take)
    return pressed(path, how, take, force, played, sensor, seed)


def pressed(path: Path, how: str, take: Take, force: np.ndarray, played: Take, sensor: float = 0.0, seed: int = 0) -> PressedClip:
    """What a Take with these forces (T, P) leaves on a mat and in insoles of 8 bits."""
    kept = slice(SETTLED, None)
    cells, middle = way_cells(take, force)
    mat = mat_pressure(take.body, take.time_s[kept], take.contact_point_m[kept], force[kept], MatGrid(cells, middle))
    measured = as_measured(mat, MOST_PA, sensor, seed)
    soles = side_by_side(*insoles(take, force, MAT_RATE_HZ, sensor, seed))
    return PressedClip(path, how, take, force, measured, features_of(measured), features_of(soles), played,
                       slow=float(played.time_s[-1] / played.channels["follow_clip_time_s"].values[-1]))


def insoles(take: Take, force: np.ndarray, rate_hz: float, sensor: float = 0.0, seed: int = 0) -> list[Pressure]:
    """What insoles of 8 bits, left and right, feel of a Take with these forces (T, P)."""
    felt = insole_pressure(take.body, take.time_s[SETTLED:], force[SETTLED:], rate_hz=rate_hz, pitch_m=INSOLE_PITCH_M)
    return [as_measured(one, MOST_PA, sensor, seed + i) for i, one in enumerate(felt)]


def motion_of(clip: PressedClip, span: Span) -> PressedMotion:
    """One motion of a clip. Raises InputError for a span that is not within it."""
    lasts_s = clip.offset_s + len(clip.features) / clip.rate_hz
    begin, end = (min(round((at - clip.offset_s) * clip.rate_hz), len(clip.features)) for at in (span.begin_s, span.end_s))
    if not 0 <= begin < end - 1 or span.end_s > lasts_s + SPARE_S:
        raise _outside(span, clip.path, lasts_s)
    take = clip.played
    step = (float(take.time_s[-1]) - float(take.time_s[0])) / (len(take.time_s) - 1)
    at = np.clip(clip.first + (begin * PER_FRAME + np.arange((end - begin) * PER_FRAME)) / MOTION_HZ / step, 0.0,
                 len(take.time_s) - 1.001)
    quats = at_frames(at, np.concatenate([take.root_quaternion[:, None], take.joint_quaternions], axis=1))
    stands = standing_parts(take.body, take.contact_point_m, step)
    return PressedMotion(span.name, clip.path.name, way_at(at, take.root_position_m), quats[:, 0], quats[:, 1:],
                         between(at, stands), clip.features[begin:end], Counts.of(clip.pressure.within(begin, end)),
                         clip.sole_features[begin:end], span.quiet)


def _outside(span: Span, clip: Path, lasts_s: float) -> InputError:
    """What is said of a motion that is not within its clip."""
    return InputError(f"The motion {span.name} of {clip.name} is to go from {span.begin_s:g} s to {span.end_s:g} s, and the clip "
                      f"has {lasts_s:.2f} s: mend its begin and end in the list of motions.")


def check_within(paths: Sequence[Path], known: dict[str, list[Span]], former: bool = False) -> None:
    """Raises InputError for motions that are known of a clip that is not among these, and for one outside its clip."""
    names = [path.name for path in paths]
    for clip in sorted(set(known) - set(names)):
        if known[clip]:
            near = difflib.get_close_matches(clip, names, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise InputError(f"The list of motions has {clip}, and the folder has no clip of that name: mend the name in the "
                             f"list, take it out there, or put the clip back.{hint}")
    for path in paths:
        lasts_s = told_length_s(path) if known.get(path.name) and not former else None
        if lasts_s is None:
            continue
        for span in known[path.name]:
            if span.begin_s >= lasts_s or span.end_s > lasts_s + SPARE_S:
                raise _outside(span, path, lasts_s)


def index_clips(name: str, licence: str, paths: Sequence[Path], known: Listed | None = None,
                told: Callable[[Path, PressedClip | None, str], None] | None = None,
                enough: Callable[[], bool] = lambda: False,
                press: Callable[[Path], PressedClip] = pressed_clip) -> tuple[Database, dict[str, list[Span]]]:
    """The database of clips, and the motions of each by its file's name, in the clip's own time; those that are `known` are taken
    as they are, those of a `former` list out of the reference body's time. `told` hears of each clip, with
    the reason where it is left out; with `enough` no more is begun; `press` makes one. Raises InputError for a known motion
    outside its clip, or of a clip that is not there, and where nothing is left."""
    known = known or Listed()
    check_within(paths, known.spans, known.former)
    clips: list[PressedClip] = []
    for path in paths:
        if clips and enough():
            break
        try:
            clip = press(path)
        except EngineError:
            raise
        except LopeError as error:
            if told is not None:
                told(path, None, str(error))
            continue
        clips.append(clip)
        if told is not None:
            told(path, clip, "")
    if not clips:
        raise InputError(f"None of the {len(paths)} clips of {name} could be played: see why beside each.")
    found = found_spans([clip.path.stem for clip in clips], [clip.features for clip in clips], MAT_RATE_HZ)
    spans = {clip.path.name: [_timed(span, clip.slow, clip.offset_s) for span in own]
             for clip, own in zip(clips, found, strict=True)}
    spans |= {clip.path.name: [_timed(span, clip.slow if known.former else 1.0, 0.0) for span in known.spans[clip.path.name]]
              for clip in clips if clip.path.name in known.spans}
    motions = tuple(motion_of(clip, span) for clip in clips for span in spans[clip.path.name])
    return Database(name, licence, motions), spans


def _timed(span: Span, slow: float, offset_s: float) -> Span:
    """A motion of what lasts `slow` times as long as its clip and begins `offset_s` into it, in the clip's time."""
    if slow == 1.0 and offset_s == 0.0:
        return span
    return replace(span, begin_s=round(offset_s + span.begin_s / slow, 3), end_s=round(offset_s + span.end_s / slow, 3))


MOVES_M = 0.04
"""Root mean square way of the centre of pressure from its middle, from which on it tells how a mat is turned."""
LEAST_TURN_RAD = 0.035
"""A mat that is turned by less lies straight: its cells stay as they are."""
MOST_OFF_M = 0.1
"""By how much feet and centres of pressure may be off (median): those of another clip are off by 0.12 or more."""


def measured_beside(clip: Path) -> Path | None:
    """The file of pressure beside a clip, of the clip's name; None where there is none. Takes (.npz) are no such file. Raises
    InputError for two."""
    found = [path for path in (clip.with_suffix(".csv"), clip.with_suffix(".npz"))
             if path.is_file() and "take.json" not in members_of(path)]
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
    agree best. Raises InputError where that cannot be told, or the feet are elsewhere on the mat."""
    what = file.name
    sequences = read_pressure(file)
    if len(sequences) != 1 or sequences[0].place != MAT:
        raise InputError(f"{what} is of insoles, which do not tell where a foot stands: beside a clip lies what a mat measured.")
    raw = sequences[0]
    raw.check_load()
    take = simulate(Shot(motion=Clip(str(clip), time="clip", controller=HIT, until_end=True), reaction=Reaction(law=RAILS)))
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
    felt = mat_pressure(take.body, take.time_s[row:], take.contact_point_m[row:], force[row:], MatGrid(cells, middle))
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
    found = {} if lag is None else {"correlation": round(lag.correlation, 3), "next_best": round(lag.next_best, 3)}
    return {"start_s": round(begins_s, 3), **found, "turn_deg": round(float(np.degrees(lie.turn_rad)), 1),
            "feet_off_m": round(lie.off_m, 3)}
