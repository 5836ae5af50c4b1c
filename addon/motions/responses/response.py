# SPDX-License-Identifier: GPL-3.0-or-later
"""One response to one push: how somebody moved, which feet stood, and the momentum that was taken out. Everything is free of the
body's size and of gravity: lengths over the leg's, times over the root of leg length over g, speeds over the root of leg length
times g. So a response fits any body on any planet, as dynamic similarity has it."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...archives import check_array, opened_archive, read_head, read_member, write_archive
from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.makers import make_body
from ...checks import Anything, Choice, Number, Series, Text, Whole
from ...errors import InputError
from ...files import reading
from ...specs.settings import Checked, setting
from ...specs.shot import EARTH_GRAVITY_M_S2, BodySpec
from ..cycle import layout, pose

STRATEGIES = ("ankles", "hips", "arms", "step", "steps")
"""From the mildest to the strongest: in place, or by one step, or by several (Yin 2007, 4.2: hip, arm, step)."""
IN_PLACE = STRATEGIES[:3]
PARTS = ("heel", "ball")


@cache
def reference_body() -> Body:
    return make_body(BodySpec())


def unit_s(body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> float:
    """What times are over [s]."""
    return math.sqrt(body.leg_length_m / gravity_m_s2)


def unit_m_s(body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> float:
    """What speeds, and momentum over mass, are over [m/s]."""
    return math.sqrt(body.leg_length_m * gravity_m_s2)


@dataclass(frozen=True, eq=False)
class Response:
    """N frames from the push's onset on, `step` apart. `channels` (N, 54) as in `channels.layout`, x forward, the middle of the
    ankles over the origin at first; `planted` (N, 2, 2) bool: heel and ball of the left and right foot stand still on the
    ground; `momentum` (N,) complex: horizontal momentum over mass. `push` (complex) is the index: what the push brought, known
    where it was simulated, else the maximum of the momentum (Yin 2007, 4.3); `spin` (2,) the maximum of the angular momentum
    about the forward and the leftward axis, over mass. `strategy` is the strongest one it shows, one of STRATEGIES, with
    `steps` steps; who is `limited` was allowed no stronger one, and would have used it."""

    name: str
    source: str
    strategy: str
    steps: int
    push: complex
    spin: tuple[float, float]
    step: float
    channels: np.ndarray
    planted: np.ndarray
    momentum: np.ndarray
    limited: bool = False

    @property
    def direction_rad(self) -> float:
        """Direction of the push, 0 forward, positive to the left."""
        return cmath.phase(self.push)

    @property
    def strength(self) -> float:
        """Momentum over mass that was recovered."""
        return abs(self.push)

    @property
    def in_place(self) -> bool:
        """Whether the feet stayed where they were."""
        return self.strategy in IN_PLACE

    @property
    def frames(self) -> int:
        return len(self.channels)

    @property
    def duration(self) -> float:
        return self.step * (self.frames - 1)

    @cached_property
    def peak(self) -> int:
        """The frame of the most momentum along the push, on the way out."""
        return int(np.argmax(self._along[:max(int(np.argmax(np.abs(np.cumsum(self.momentum)))), 1) + 1]))

    @cached_property
    def _along(self) -> np.ndarray:
        return (self.momentum * np.conj(self.push)).real / max(self.strength, 1e-12)

    @cached_property
    def recoverable(self) -> np.ndarray:
        """(N,) Momentum along the push that a body in each frame's pose gets rid of: the frame's own, before the peak the
        whole (Yin 2007, 4.4), in the index's own measure."""
        along = self._along
        found = along * (self.strength / max(float(along[self.peak]), 1e-12))
        found[:self.peak] = self.strength
        return found

    @cached_property
    def stood(self) -> complex:
        """From the right ankle to the left one before the push, over the leg's length."""
        return complex(apart(self.channels[:1])[0])

    def mirrored(self) -> Response:
        places = layout()
        return replace(self, name=f"{self.name} (mirrored)", push=self.push.conjugate(), spin=(-self.spin[0], self.spin[1]),
                       channels=self.channels[:, places.mirror_order] * places.mirror_sign, planted=self.planted[:, ::-1],
                       momentum=np.conj(self.momentum))


def feet_of(channels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ankles (N, 2, 3), heights over where they rest, and orientations (N, 2, 4) of the feet in channels (N, 54)."""
    positions, orientations, _ = reference_poses(channels)
    feet = [reference_body().index[f"foot_{side}"] for side in SIDES]
    ankles = positions[:, feet] / reference_body().leg_length_m
    ankles[..., 2] += reference_body().sole_height_m / reference_body().leg_length_m
    return ankles, orientations[:, feet]


def apart(channels: np.ndarray) -> np.ndarray:
    """(N,) complex: from the right ankle to the left one, over the leg's length, in poses (N, 54)."""
    ankles, _ = feet_of(channels)
    away = ankles[:, 0] - ankles[:, 1]
    return away[:, 0] + 1j * away[:, 1]


def reference_poses(channels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joint centres (N, S, 3) [m], orientations (N, S, 4) and contact points (N, P, 3) [m] on the reference body."""
    body = reference_body()
    root, turn, joints = pose(channels.copy(), body)
    positions, orientations = segment_poses(body, root, turn, joints)
    return positions, orientations, contact_point_positions(body, positions, orientations)


FOLDER = Path(__file__).resolve().parents[3] / "presets/responses"
OWN = "standing"
"""The library that Lope made itself, by simulating."""
FORMAT = 1
MOST_GRAINS = 1 << 15
GRAIN = 2.0 ** -11
"""Of channels [leg lengths or rad]: 0.4 mm, 0.03 degrees; of momentum the eighth of it."""


@dataclass(frozen=True)
class _Row(Checked):
    WHOSE, FIELD = "The response's", "field of a response"
    name: str = setting(rule=Text())
    source: Any = setting(rule=Anything())
    strategy: str = setting(rule=Choice("strategy", STRATEGIES))
    steps: int = setting(rule=Whole(0, 100))
    frames: int = setting(rule=Whole(2))
    push: tuple[float, float] = setting(rule=Series(Number(-100.0, 100.0), 2))
    spin: tuple[float, float] = setting(rule=Series(Number(-1e3, 1e3), 2))
    step: float = setting(rule=Number(1e-4, 10.0))
    limited: bool = setting(False)


@dataclass(frozen=True, eq=False)
class Library:
    name: str
    licence: str
    responses: tuple[Response, ...]

    @cached_property
    def both(self) -> tuple[Response, ...]:
        """All of them, then the mirror image of each in the same order."""
        return self.responses + tuple(one.mirrored() for one in self.responses)

    @cached_property
    def strongest(self) -> float:
        """The most momentum over mass that any recovered."""
        return max(one.strength for one in self.responses)

    def without(self, names: Iterable[str]) -> Library:
        left = set(names)
        return Library(self.name, self.licence, tuple(one for one in self.responses if one.name not in left))

    def save(self, path: str | Path) -> None:
        """Write one `.npz`; equal libraries give equal files. Raises InputError where it cannot be written."""
        rows = [{"name": r.name, "source": r.source, "strategy": r.strategy, "steps": r.steps, "frames": r.frames,
                 "push": [round(r.push.real, 6), round(r.push.imag, 6)], "spin": [round(x, 6) for x in r.spin],
                 "step": r.step, "limited": r.limited} for r in self.responses]
        head = {"format": FORMAT, "name": self.name, "licence": self.licence, "responses": rows}
        momentum = [np.stack([r.momentum.real, r.momentum.imag], axis=1) for r in self.responses]
        arrays = {"channels": _packed([r.channels for r in self.responses], GRAIN), "momentum": _packed(momentum, GRAIN / 8.0),
                  "planted": np.packbits(np.concatenate([r.planted for r in self.responses]).reshape(-1, 4), axis=1)}
        write_archive(Path(path), "library", head, arrays)


def load_library(name: str | Path = OWN) -> Library:
    """A library by its name, or from a file that `Library.save` wrote. Raises InputError."""
    path = Path(name)
    if path.suffix != ".npz":
        known = sorted(file.stem for file in FOLDER.glob("*.npz"))
        if str(name) not in known:
            raise InputError(f"There is no library of responses {str(name)!r}: known are {', '.join(known) or 'none'}; or name a "
                             "file that `lope responses index` wrote.")
        path = FOLDER / f"{name}.npz"
    if not path.is_file():
        raise InputError(f"There is no library of responses at {path}.")
    status = path.stat()
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, _time_ns: int, _size: int) -> Library:
    """A library; kept, as a dial asks for it again and again."""
    with reading(f"{path} is not a library of responses, or it is damaged"):
        with opened_archive(path) as archive:
            head = read_head(archive, "library")
            if head["format"] > FORMAT:
                raise InputError(f"{path} was written by a newer Lope (format {head['format']}); this one reads up to {FORMAT}. "
                                 "Update Lope.")
            arrays = {key: read_member(archive, key, "iu") for key in ("channels", "momentum", "planted")}
        rows = _rows(head["responses"])
        for key, width in (("channels", len(layout().names)), ("momentum", 2), ("planted", 1)):
            check_array(arrays[key], key, (sum(row.frames for row in rows), width), MOST_GRAINS)
        planted = np.unpackbits(arrays["planted"], axis=1)[:, :4].reshape(-1, 2, 2).astype(bool)
        responses = []
        for row, end in zip(rows, np.cumsum([row.frames for row in rows]).tolist(), strict=True):
            part = slice(end - row.frames, end)
            momentum = np.cumsum(arrays["momentum"][part].astype(np.int64), axis=0) * (GRAIN / 8.0)
            responses.append(Response(
                row.name, str(row.source), row.strategy, row.steps, complex(*row.push), row.spin, row.step,
                np.cumsum(arrays["channels"][part].astype(np.int64), axis=0) * GRAIN, planted[part],
                momentum[:, 0] + 1j * momentum[:, 1], row.limited))
        return Library(str(head["name"]), str(head["licence"]), tuple(responses))


def _rows(told: Any) -> list[_Row]:
    """The responses of a head. Raises ValueError for one that does not fit, and where there is none."""
    try:
        rows = [_Row.from_dict(row) for row in told]
    except InputError as error:
        raise ValueError(str(error)) from error
    if not rows:
        raise ValueError("it has no response")
    return rows


def _packed(parts: list[np.ndarray], grain: float) -> np.ndarray:
    """Arrays (N, C) one after the other as whole numbers, each row but the first of a part as the change from the one before."""
    grains = [np.round(part / grain).astype(np.int16) for part in parts]
    return np.concatenate([np.diff(part, axis=0, prepend=np.int16(0)) for part in grains])
