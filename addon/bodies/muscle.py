# SPDX-License-Identifier: GPL-3.0-or-later
"""A muscle with its tendon: its strength and sizes, its path over the segments; a set of them as arrays; and paths in MuJoCo:
sites, wrapping cylinders and spheres, and spatial tendons, which move nothing by themselves. Moment arms are R = -dL/dq: a
muscle's force F gives the joints the torques R F. A muscle is internal, so the six columns of a free root are zero."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from ..errors import BodyError, unknown_name

STRESS_PA, DENSITY_KG_M3 = 0.25e6, 1059.7
"""Of muscle, by which its mass goes: the greatest stress where none is said, and the density (SCONE's defaults)."""
SLOW_SHARE = 0.5
"""Of a muscle's fibres, where nothing is published of them (Wang 2012's default)."""

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class PathPoint:
    """Where a path passes: `position` in the frame of `segment` [m]. The first and last of a path are where it is attached."""

    segment: str
    position: Vector


@dataclass(frozen=True)
class Wrap:
    """What a path winds around on its way between its neighbours: a cylinder (about `axis`, unit) or a sphere around `position`.
    All in the frame of `segment` [m]. `beside` is a point on that side of it where the path stays, None: the shorter way."""

    segment: str
    kind: str
    position: Vector
    radius_m: float
    axis: Vector = (0.0, 1.0, 0.0)
    half_length_m: float = 0.05
    beside: Vector | None = None


@dataclass(frozen=True)
class Muscle:
    """One muscle-tendon unit. `optimal_fibre_m` is the fibres' length at which they pull hardest, `tendon_slack_m` the tendon's
    from which it pulls, `pennation_rad` the angle between them at the fibres' optimal length; `max_velocity` the fastest
    shortening [l_opt/s], `slow_share` that of its slow-twitch fibres, `stress_pa` the greatest stress: what of its cross section
    makes the greatest force. `passive_force_n` is the force by which its passive tissue goes where `max_force_n` is another (a
    weak muscle keeps its tissue), None: the same. `give` is how many times as far as by the printed curve fibres are stretched
    for the same passive force. `side` is "L", "R" or ""; `groups` are those it belongs to, the one it is counted in first. `path`
    begins and ends with a PathPoint; it is empty where lengths come from elsewhere (joint angles)."""

    name: str
    side: str
    groups: tuple[str, ...]
    max_force_n: float
    optimal_fibre_m: float
    tendon_slack_m: float
    pennation_rad: float = 0.0
    max_velocity: float = 10.0
    slow_share: float = SLOW_SHARE
    path: tuple[PathPoint | Wrap, ...] = ()
    stress_pa: float = STRESS_PA
    passive_force_n: float | None = None
    give: float = 1.0

    @property
    def group(self) -> str:
        """The group that it is counted in; its own name where it has none."""
        return self.groups[0] if self.groups else self.name

    def stronger(self, times: float) -> Muscle:
        """The muscle with so many times its active force, and its own tissue."""
        tissue_n = self.max_force_n if self.passive_force_n is None else self.passive_force_n
        return replace(self, max_force_n=times * self.max_force_n, passive_force_n=tissue_n)


class Sizes(Protocol):
    """What M muscles are to their mechanics: arrays (M,), or (N, M) of N bodies; see `MuscleSet`."""

    @property
    def max_force_n(self) -> np.ndarray: ...
    @property
    def passive_share(self) -> np.ndarray: ...
    @property
    def give(self) -> np.ndarray: ...
    @property
    def optimal_fibre_m(self) -> np.ndarray: ...
    @property
    def tendon_slack_m(self) -> np.ndarray: ...
    @property
    def pennation_rad(self) -> np.ndarray: ...
    @property
    def max_velocity(self) -> np.ndarray: ...
    @property
    def slow_share(self) -> np.ndarray: ...
    @property
    def mass_kg(self) -> np.ndarray: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True)
class MuscleSet:
    """Muscles in a fixed order. Every array is (M,), as `Muscle` has it, made once and read-only. Raises BodyError for a name
    that comes twice."""

    muscles: tuple[Muscle, ...]

    def __post_init__(self):
        twice = {name for name in self.names if self.names.count(name) > 1}
        if twice:
            raise BodyError(f"The set of muscles has {min(twice)} more than once; each muscle needs a name of its own.")

    def __len__(self) -> int:
        return len(self.muscles)

    def __iter__(self) -> Iterator[Muscle]:
        return iter(self.muscles)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(muscle.name for muscle in self.muscles)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """All groups that any muscle belongs to, in the order of their first muscle."""
        return tuple(dict.fromkeys(group for muscle in self.muscles for group in muscle.groups))

    def rows(self, group: str, side: str = "") -> np.ndarray:
        """The rows (K,) of a group's muscles, or of the muscle of that name, with `side` only of that side. Raises InputError for
        a group or muscle that the set has not."""
        found = [row for row, muscle in enumerate(self.muscles)
                 if (group in muscle.groups or group == muscle.name) and side in ("", muscle.side)]
        if not found:
            raise unknown_name("muscle group", group, (*self.groups, *self.names))
        return np.array(found)

    def changed(self, change: Callable[[Muscle], Muscle]) -> MuscleSet:
        return MuscleSet(tuple(change(muscle) for muscle in self.muscles))

    max_force_n = cached_property(lambda self: self._each("max_force_n"))
    give = cached_property(lambda self: self._each("give"))
    optimal_fibre_m = cached_property(lambda self: self._each("optimal_fibre_m"))
    tendon_slack_m = cached_property(lambda self: self._each("tendon_slack_m"))
    pennation_rad = cached_property(lambda self: self._each("pennation_rad"))
    max_velocity = cached_property(lambda self: self._each("max_velocity"))
    slow_share = cached_property(lambda self: self._each("slow_share"))

    def _each(self, name: str) -> np.ndarray:
        return _fixed(getattr(muscle, name) for muscle in self.muscles)

    @cached_property
    def passive_share(self) -> np.ndarray:
        """What passive tissue pulls with by its curve, over what it would by the greatest active force."""
        return _fixed(1.0 if one.passive_force_n is None else one.passive_force_n / one.max_force_n for one in self.muscles)

    @cached_property
    def mass_kg(self) -> np.ndarray:
        """Mass of the fibres: cross section by greatest stress, times optimal length and density."""
        return _fixed(self.max_force_n / self._each("stress_pa") * DENSITY_KG_M3 * self.optimal_fibre_m)


def _fixed(numbers: Iterable[float] | np.ndarray) -> np.ndarray:
    array = np.array(numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=float)
    array.setflags(write=False)
    return array


PREFIX = "muscle"
"""Names of what is added begin with it, so that they meet no segment's or contact point's."""


def add_muscles(root: ET.Element, elements: Mapping[str, ET.Element], muscles: MuscleSet) -> None:
    """Put paths into a model: sites and wraps into the `elements` of their segments (by name), one spatial tendon a muscle into
    `root`, in the order of the set and under the muscle's name. Kinematics only: nothing has mass, meets anything or pulls."""
    tendons = ET.SubElement(root, "tendon")
    geoms: dict[tuple, str] = {}
    for muscle in muscles.muscles:
        _add_path(elements, ET.SubElement(tendons, "spatial", name=muscle.name), muscle, geoms)


def _add_path(elements: Mapping[str, ET.Element], tendon: ET.Element, muscle: Muscle, geoms: dict[tuple, str]) -> None:
    """One muscle's sites, wraps and tendon. Muscles that wrap around the same shape share it."""
    for i, part in enumerate(muscle.path):
        name = f"{PREFIX}_{muscle.name}_{i}"
        if isinstance(part, PathPoint):
            ET.SubElement(elements[part.segment], "site", name=name, pos=text_of(part.position), size="0.002")
            ET.SubElement(tendon, "site", site=name)
            continue
        key = (part.segment, part.radius_m, *np.ravel(part.position), *np.ravel(part.axis), part.kind)
        if key not in geoms:
            geoms[key] = name
            ET.SubElement(elements[part.segment], "geom", {"name": name, **_shape(part)})
        wrap = ET.SubElement(tendon, "geom", geom=geoms[key])
        if part.beside is not None:
            ET.SubElement(elements[part.segment], "site", name=f"{name}_side", pos=text_of(part.beside), size="0.002")
            wrap.set("sidesite", f"{name}_side")


def _shape(wrap: Wrap) -> dict[str, str]:
    """A sphere or a cylinder that meets nothing and weighs nothing; MuJoCo wraps around a cylinder as if it were endless."""
    ghost = {"contype": "0", "conaffinity": "0", "mass": "0", "group": "4", "pos": text_of(wrap.position)}
    if wrap.kind == "sphere":
        return {**ghost, "type": "sphere", "size": repr(float(wrap.radius_m))}
    size = f"{float(wrap.radius_m)!r} {float(wrap.half_length_m)!r}"
    return {**ghost, "type": "cylinder", "size": size, "zaxis": text_of(wrap.axis)}


class ArmsReader:
    """Reads the muscles of a model off its data, after `mj_kinematics` and `mj_comPos`; arrays as `PathKinematics`'."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.model, self.data = model, data
        self.length_m, self.rate_m_s = data.ten_length, np.zeros(model.ntendon)
        self._transposed = np.zeros((model.ntendon, model.nv))
        self.arms_m = self._transposed.T
        rows = np.repeat(np.arange(model.ntendon), model.ten_J_rownnz)
        starts = np.concatenate([np.arange(start, start + count) for start, count
                                 in zip(model.ten_J_rowadr, model.ten_J_rownnz, strict=True)] or [np.zeros(0, int)]).astype(int)
        self._flat = rows * model.nv + model.ten_J_colind[starts]
        self._order = starts
        self._values = np.zeros(len(starts))
        self._jacobian, self._dense, self._qvel = data.ten_J.reshape(-1), self._transposed.reshape(-1), data.qvel

    def read(self) -> None:
        """Take over what `data` holds."""
        mujoco.mj_tendon(self.model, self.data)
        self._jacobian.take(self._order, out=self._values, mode="clip")
        np.negative(self._values, out=self._values)
        self._dense[self._flat] = self._values
        np.matmul(self._transposed, self._qvel, out=self.rate_m_s)
        np.negative(self.rate_m_s, out=self.rate_m_s)


def text_of(values: ArrayLike) -> str:
    """Numbers as a model's text has them, to the last bit."""
    return " ".join(repr(float(v)) for v in np.ravel(values))
