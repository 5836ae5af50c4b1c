# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles' paths in MuJoCo: sites, wrapping cylinders and spheres, and spatial tendons, which move nothing by themselves.

Moment arms are R = -dL/dq: a muscle's force F gives the joints the torques R F. A muscle is internal, so the six columns of a
free root are zero. MuJoCo 4 keeps the tendons' Jacobian sparse: rows of `rownnz` numbers from `rowadr` on, for columns `colind`.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from .muscle import Muscle, MuscleSet, PathPoint, Wrap

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
            ET.SubElement(elements[part.segment], "site", name=name, pos=_text(part.position), size="0.002")
            ET.SubElement(tendon, "site", site=name)
            continue
        key = (part.segment, part.radius_m, *np.ravel(part.position), *np.ravel(part.axis), part.kind)
        if key not in geoms:
            geoms[key] = name
            ET.SubElement(elements[part.segment], "geom", {"name": name, **_shape(part)})
        wrap = ET.SubElement(tendon, "geom", geom=geoms[key])
        if part.beside is not None:
            ET.SubElement(elements[part.segment], "site", name=f"{name}_side", pos=_text(part.beside), size="0.002")
            wrap.set("sidesite", f"{name}_side")


def _shape(wrap: Wrap) -> dict[str, str]:
    """A sphere or a cylinder that meets nothing and weighs nothing; MuJoCo wraps around a cylinder as if it were endless."""
    ghost = {"contype": "0", "conaffinity": "0", "mass": "0", "group": "4", "pos": _text(wrap.position)}
    if wrap.kind == "sphere":
        return {**ghost, "type": "sphere", "size": repr(float(wrap.radius_m))}
    size = f"{float(wrap.radius_m)!r} {float(wrap.half_length_m)!r}"
    return {**ghost, "type": "cylinder", "size": size, "zaxis": _text(wrap.axis)}


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

    def read(self) -> None:
        """Take over what `data` holds."""
        data = self.data
        mujoco.mj_tendon(self.model, data)
        data.ten_J.ravel().take(self._order, out=self._values, mode="clip")
        np.negative(self._values, out=self._values)
        self._transposed.reshape(-1)[self._flat] = self._values
        np.matmul(self._transposed, data.qvel, out=self.rate_m_s)
        np.negative(self.rate_m_s, out=self.rate_m_s)


def _text(values: ArrayLike) -> str:
    return " ".join(repr(float(v)) for v in np.ravel(values))
