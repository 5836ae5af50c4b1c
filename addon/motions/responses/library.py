# SPDX-License-Identifier: GPL-3.0-or-later
"""A library of responses on disk: one `.npz`, its channels as the changes of small whole numbers, so that it packs well."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from ...archives import DAMAGED, read_array, write_archive
from ...errors import InputError
from .response import STRATEGIES, Response

FOLDER = Path(__file__).resolve().parents[3] / "presets/responses"
OWN = "standing"
"""The library that Lope made itself, by simulating."""
FORMAT = 1
GRAIN = 2.0 ** -11
"""Of channels [leg lengths or rad]: 0.4 mm, 0.03 degrees; of momentum the eighth of it."""


@dataclass(frozen=True, eq=False)
class Library:
    """Responses, where they are from and under which licence."""

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
        """The library without responses of those names."""
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
        try:
            write_archive(Path(path), "library", head, arrays)
        except OSError as error:
            raise InputError(f"The library cannot be written to {path}: {error.strerror or error}.") from error


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
    try:
        with zipfile.ZipFile(path) as archive:
            head = json.loads(archive.read("library.json"))
            if head["format"] > FORMAT:
                raise InputError(f"{path} was written by a newer Lope (format {head['format']}); this one reads up to {FORMAT}. "
                                 "Update Lope.")
            arrays = {key: read_array(archive, key) for key in ("channels", "momentum", "planted")}
        ends = np.cumsum([row["frames"] for row in head["responses"]])
        planted = np.unpackbits(arrays["planted"], axis=1)[:, :4].reshape(-1, 2, 2).astype(bool)
        responses = []
        for row, end in zip(head["responses"], ends.tolist(), strict=True):
            part = slice(end - row["frames"], end)
            momentum = np.cumsum(arrays["momentum"][part].astype(np.int64), axis=0) * (GRAIN / 8.0)
            responses.append(Response(
                row["name"], row["source"], STRATEGIES[STRATEGIES.index(row["strategy"])], int(row["steps"]),
                complex(*row["push"]), (float(row["spin"][0]), float(row["spin"][1])), float(row["step"]),
                np.cumsum(arrays["channels"][part].astype(np.int64), axis=0) * GRAIN, planted[part],
                momentum[:, 0] + 1j * momentum[:, 1], bool(row.get("limited"))))
        return Library(head["name"], head["licence"], tuple(responses))
    except DAMAGED as error:
        raise InputError(f"{path} is not a library of responses, or it is damaged: {error}.") from error


def _packed(parts: list[np.ndarray], grain: float) -> np.ndarray:
    """Arrays (N, C) one after the other as whole numbers, each row but the first of a part as the change from the one before."""
    grains = [np.round(part / grain).astype(np.int16) for part in parts]
    return np.concatenate([np.diff(part, axis=0, prepend=np.int16(0)) for part in grains])
