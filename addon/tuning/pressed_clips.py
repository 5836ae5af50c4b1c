# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips as motions with their pressure: each simulated once, or laid on rails where nobody could follow it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ..errors import EngineError, InputError, LopeError
from ..motions.bvh import told_length_s
from ..motions.pressure.counts import MOST_PA, Counts
from ..motions.pressure.database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from ..motions.pressure.features import features_of
from ..motions.pressure.images import Pressure, as_measured, side_by_side
from ..motions.pressure.soles import INSOLE_PITCH_M, MAT_RATE_HZ, insole_pressure, mat_pressure
from ..motions.pressure.spans import Span, found_spans
from ..motions.pressure.warp import at_frames, between, way_at
from ..motions.responses.measuring import standing_parts
from ..reports.floor_forces import forces_on_floor
from ..reports.pressure import way_cells
from ..simulate import simulate
from ..specs.follow import Follow
from ..specs.hit import HIT, RAILS, Reaction
from ..specs.shot import BodySpec, Shot
from ..take import Take

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
    shot = Shot(controller="follow", follow=Follow(str(path), stretch=stretch), until_end=True, body=body or BodySpec(),
                noise=noise, seed=seed)
    how = FOLLOWED
    try:
        take = simulate(shot)
    except LopeError:
        take = None
    played = simulate(Shot(controller=HIT, reaction=Reaction(law=RAILS), follow=shot.follow, until_end=True, body=shot.body))
    if take is None or take.fell or take.lost:
        how, take = ON_RAILS, played
    force = take.contact_point_force_n if how == FOLLOWED else forces_on_floor(take)
    return pressed(path, how, take, force, played, sensor, seed)


def pressed(path: Path, how: str, take: Take, force: np.ndarray, played: Take, sensor: float = 0.0, seed: int = 0) -> PressedClip:
    """What a Take with these forces (T, P) leaves on a mat and in insoles of 8 bits."""
    kept = slice(SETTLED, None)
    cells, middle = way_cells(take, force)
    mat = mat_pressure(take.body, take.time_s[kept], take.contact_point_m[kept], force[kept], cells=cells, middle_m=middle)
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
    """Raises InputError for motions that are known of a clip that is not among these, and for one that does not lie within its
    clip: before any is simulated."""
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


def index_clips(name: str, licence: str, paths: Sequence[Path], known: dict[str, list[Span]] | None = None,
                told: Callable[[Path, PressedClip | None, str], None] | None = None,
                enough: Callable[[], bool] = lambda: False,
                press: Callable[[Path], PressedClip] = pressed_clip, former: bool = False,
                ) -> tuple[Database, dict[str, list[Span]]]:
    """The database of clips, and the motions of each by its file's name, in the clip's own time; those that are `known` are taken
    as they are, those of a `former` list out of the reference body's time (`spans.is_former`). `told` hears of each clip, with
    the reason where it is left out; with `enough` no more is begun; `press` makes one. Raises InputError for a known motion
    outside its clip, or of a clip that is not there, and where nothing is left."""
    known = known or {}
    check_within(paths, known, former)
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
    spans |= {clip.path.name: [_timed(span, clip.slow if former else 1.0, 0.0) for span in known[clip.path.name]]
              for clip in clips if clip.path.name in known}
    motions = tuple(motion_of(clip, span) for clip in clips for span in spans[clip.path.name])
    return Database(name, licence, motions), spans


def _timed(span: Span, slow: float, offset_s: float) -> Span:
    """A motion of what lasts `slow` times as long as its clip and begins `offset_s` into it, in the clip's time."""
    if slow == 1.0 and offset_s == 0.0:
        return span
    return replace(span, begin_s=round(offset_s + span.begin_s / slow, 3), end_s=round(offset_s + span.end_s / slow, 3))
