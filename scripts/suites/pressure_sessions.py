# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions of clips simulated anew, and recordings of several of their motions, for `check_pressure`, `check_pressure_motion`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

from lope.addon.motions.pressure.feet import foot_masks
from lope.addon.motions.pressure.files import read_pressure, write_pressure
from lope.addon.motions.pressure.images import LEFT, RIGHT, Pressure, side_by_side
from lope.addon.motions.pressure.soles import INSOLE_RATE_HZ, MAT_RATE_HZ
from lope.addon.specs.shot import BodySpec
from lope.addon.take import Take
from lope.addon.tuning.pressed_clips import PressedClip, insoles, pressed_clip

REFERENCE = "reference"
SESSIONS = {REFERENCE: {}, "small": {"body": BodySpec(height_m=1.62, mass_kg=58.0), "noise": 0.3, "sensor": 1.0, "seed": 3},
            "tall": {"body": BodySpec(height_m=1.9, mass_kg=92.0), "stretch": 1.15, "noise": 0.3, "sensor": 1.0, "seed": 4},
            "quick": {"body": BodySpec(height_m=1.74, mass_kg=66.0), "stretch": 0.87, "noise": 0.3, "sensor": 1.0, "seed": 5},
            "stocky": {"body": BodySpec(height_m=1.68, mass_kg=95.0), "stretch": 1.05, "noise": 0.3, "sensor": 1.0, "seed": 6}}
PACES = {"fast": {"body": BodySpec(height_m=1.7, mass_kg=80.0), "stretch": 0.77, "noise": 0.3, "sensor": 1.0, "seed": 7},
         "slow": {"body": BodySpec(height_m=1.7, mass_kg=80.0), "stretch": 1.43, "noise": 0.3, "sensor": 1.0, "seed": 8}}
"""At 1.3 and 0.7 times the clips' pace, for `check_pressure_motion`."""
MOVES_M_S = 0.2
"""Speed of all segments, the root of their mean square by mass, from which somebody moves: no pressure is asked."""
Moves = Sequence[tuple[str, int, int]]
"""Clips, and from which frame to which the body moves in each."""
SMOOTH_S, PAUSE_S, LEAST_S = 0.05, 1.0, 0.25
STANCE_S, FADE_S = 2.0, 0.4
"""Of quiet stance between two motions of a recording, and in which one pressure fades into the other."""


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A clip in a session: how it was made, the mat's pressure and that of both insoles side by side, T frames each, and the
    frames from which to which the body moves."""

    clip: str
    session: str
    how: str
    mat: Pressure
    soles: Pressure
    moves: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Recording:
    """Several motions one after another: pressure, and of which clip the body moves from frame to frame."""

    session: str
    pressure: Pressure
    moves: tuple[tuple[str, int, int], ...]


def occurrence(path: Path, session: str, folder: Path) -> Occurrence:
    """A clip in a session; simulated once and kept in the folder."""
    kept = folder / f"{path.stem}-{session}.json"
    mat, soles = (kept.with_name(f"{kept.stem}-{what}.npz") for what in ("mat", "soles"))
    if not kept.exists():
        keep(pressed_clip(path, **(SESSIONS | PACES)[session]), session, folder)
    told = json.loads(kept.read_text(encoding="utf-8"))
    both = {one.place: one for one in read_pressure(soles)}
    felt = side_by_side(both[LEFT], both[RIGHT]).at_rate(MAT_RATE_HZ)
    return Occurrence(path.name, session, told["how"], read_pressure(mat)[0], felt, tuple((a, b) for a, b in told["moves"]))


def keep(clip: PressedClip, session: str, folder: Path) -> None:
    """Write what a clip left in a session."""
    own = (SESSIONS | PACES)[session]
    base = folder / f"{clip.path.stem}-{session}"
    write_pressure(f"{base}-mat.npz", [clip.pressure])
    felt = insoles(clip.take, clip.force_n, INSOLE_RATE_HZ, own.get("sensor", 0.0), own.get("seed", 0))
    write_pressure(f"{base}-soles.npz", felt)
    told = {"how": clip.how, "moves": moves_of(clip.take, len(clip.pressure))}
    base.with_name(f"{base.name}.json").write_text(json.dumps(told), encoding="utf-8")
    print(f"{session}: {clip.path.stem}, {clip.how}", file=sys.stderr, flush=True)


def moves_of(take: Take, frames: int) -> list[tuple[int, int]]:
    """From which frame of the mat to which the body moves, short pauses within."""
    step = float(take.time_s[1] - take.time_s[0])
    speed = gaussian_filter1d(np.gradient(take.segment_poses[0], step, axis=0), SMOOTH_S / step, axis=0)
    mass = np.array([segment.mass_kg for segment in take.body.segments])
    whole = np.sqrt((speed**2).sum(axis=-1) @ mass / mass.sum())
    at = np.clip(((np.arange(frames) + 0.5) / MAT_RATE_HZ / step).astype(int), 0, len(whole) - 1)
    found: list[tuple[int, int]] = []
    for frame in np.flatnonzero(whole[at] > MOVES_M_S).tolist():
        if found and frame - found[-1][1] <= PAUSE_S * MAT_RATE_HZ:
            found[-1] = (found[-1][0], frame + 1)
        else:
            found.append((frame, frame + 1))
    return [(begin, end) for begin, end in found if end - begin >= LEAST_S * MAT_RATE_HZ]


def recordings(ones: Sequence[Occurrence], still: Occurrence, each: int, seed: int, soles: bool = False) -> list[Recording]:
    """All motions of a session in a drawn order, `each` in one recording, with quiet stance before, between and after."""
    rng = np.random.default_rng(seed)
    order = [ones[i] for i in rng.permutation(len(ones))]
    return [_recorded(order[i:i + each], still, rng, soles) for i in range(0, len(order), each)]


def _recorded(ones: Sequence[Occurrence], still: Occurrence, rng: np.random.Generator, soles: bool) -> Recording:
    """Pressure of one clip after another, each laid where the feet are; it fades from one to the next."""
    stance, fade = round(STANCE_S * MAT_RATE_HZ), round(FADE_S * MAT_RATE_HZ)

    def stood() -> Pressure:
        whole = still.soles if soles else still.mat
        begin = int(rng.integers(0, len(whole) - stance))
        return whole.within(begin, begin + stance)

    parts, moves, frame = [stood()], [], stance
    for one in ones:
        mine = one.soles if soles else one.mat
        moves += [(one.clip, frame + fade + begin, frame + fade + end) for begin, end in one.moves]
        parts += [mine, stood()]
        frame += len(mine) + 2 * fade + stance
    at = np.zeros((len(parts), 2), dtype=int)
    pitch = np.array(parts[0].pitch_m)
    corners = [np.array([part.rows_m[0], part.columns_m[0]]) for part in parts]
    for i, part in enumerate(parts):
        at[i] = np.floor(corners[i] / pitch)
        if i and not soles:
            there, here = _middle(parts[i - 1], -1) - corners[i - 1], _middle(part, 0) - corners[i]
            at[i] = at[i - 1] + np.rint((there - here) / pitch)
    low = at.min(axis=0)
    size = np.max([place + part.images.shape[1:] for place, part in zip(at, parts, strict=True)], axis=0) - low
    images = np.zeros((frame, *size))
    frame = 0
    for i, (part, (row, column)) in enumerate(zip(parts, at - low, strict=True)):
        begin = frame + (fade if i else 0)
        images[begin:begin + len(part), row:row + part.images.shape[1], column:column + part.images.shape[2]] = part.images
        for k in range(frame, begin):
            share = (k - frame + 1.0) / (fade + 1.0)
            images[k] = (1.0 - share) * images[frame - 1] + share * images[begin]
        frame = begin + len(part)
    origin = (low + 0.5) * pitch
    return Recording(still.session, replace(parts[0], images=images, origin_m=(float(origin[0]), float(origin[1])), start_s=0.0),
                     tuple(moves))


def _middle(mat: Pressure, frame: int) -> np.ndarray:
    """Between the feet (2,) [m] in a frame."""
    image = mat.images[frame]
    prints = [mask for mask in foot_masks(replace(mat, images=image[None]))[0] if mask.any()]
    centres = [(np.where(mask, image, 0.0).sum(axis=1) @ mat.rows_m, np.where(mask, image, 0.0).sum(axis=0) @ mat.columns_m)
               / np.where(mask, image, 0.0).sum() for mask in prints]
    return np.mean(centres, axis=0) if centres else np.array([mat.rows_m.mean(), mat.columns_m.mean()])
