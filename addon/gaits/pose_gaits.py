# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses by name, from the shipped files or an artist's own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..specs.pose_gait import PoseGait
from ..specs.presets import PRESETS, file_of, known_file, names_in, read_preset
from ..specs.shot import BODIES, Shot
from .between import check_alike, interpolated

FORMAT = 1
KINDS = HUMAN, PLANAR = BODIES[:2]
"""Kinds of bodies that have gaits from key poses."""
FOLDER = PRESETS / "pose_gaits"
ROUTES = PRESETS / "pose_gait_routes.json"
MIXTURE = re.compile(r"(?P<a>.+?):(?P<share>[0-9]*\.?[0-9]+):(?P<b>.+)")


def folder_of(kind: str = HUMAN) -> Path:
    """Where the gaits of a kind of body are."""
    return FOLDER if kind == HUMAN else FOLDER / kind


def pose_gait_names(kind: str = HUMAN) -> list[str]:
    """Names of the shipped ones for a kind of body."""
    return names_in(folder_of(kind))


def read_pose_gait(path: Path) -> PoseGait:
    """The pose gait of a file. Raises InputError naming the file, the state and what does not fit."""
    return read_preset(path, PoseGait, "pose gait", newest=FORMAT)


def load_pose_gait(name: str, kind: str = HUMAN) -> PoseGait:
    """The pose gait of a shipped one's name, for a kind of body, or of a file whose name ends in .json, or, of A:SHARE:B, the one
    a share of the way from A to B. The planar body's may be called planar/NAME, as they are listed. Raises InputError."""
    mixed = MIXTURE.match(str(name))
    if mixed is not None:
        return interpolated(load_pose_gait(mixed["a"], kind), load_pose_gait(mixed["b"], kind), float(mixed["share"]))
    if str(name).lower().endswith(".json"):
        return read_pose_gait(file_of(folder_of(kind), "pose gait", name))
    whose, _, own = str(name).rpartition("/")
    if whose == PLANAR:
        planar = read_pose_gait(known_file(folder_of(PLANAR), "pose gait", own))
        if kind != PLANAR:
            raise InputError(f"The pose gait {name} is one of the planar body: go as that body (--planar), or choose one of "
                             f"{', '.join(pose_gait_names(kind))}.")
        return planar
    return read_pose_gait(known_file(folder_of(kind), "pose gait", name))


def gait_wished(wish: Mapping[str, Any], kind: str = HUMAN) -> PoseGait | None:
    """The gait of a wish of `specs.steering.Steering`: the one that it carries, else that of its name; None where it wishes for
    none. Raises InputError for a name that is not known."""
    carried, name = wish.get("pose_gait"), wish.get("gait")
    return carried if carried is not None or name is None else load_pose_gait(str(name), kind)


def between_of(name: str, other: str, kind: str = HUMAN) -> PoseGait | None:
    """The gait that leads from one shipped gait to another, where the other one cannot come at once: found by
    `scripts/check pose_gaits changes`. None where it can, and for gaits that nobody has tried."""
    routes = json.loads(ROUTES.read_text(encoding="utf-8"))["through"].get(kind, {})
    through = routes.get(name, {}).get(other)
    return None if through is None else load_pose_gait(through, kind)


def carried(shot: Shot) -> Shot:
    """A shot whose steering holds the pose gaits themselves that it names, so that it stays what it is when files change.
    Raises InputError for a name that is not known, and for a time to go over between gaits with nothing between them."""
    if shot.pose_gait is None:
        return shot
    found, present = [], shot.pose_gait
    for one in shot.steering:
        gait = gait_wished(one.wish, shot.body.kind)
        if gait is not None:
            via = one.via
            if one.over_s is not None:
                check_alike(present, gait)
            elif one.pose_gait is None:
                via = between_of(present.name, gait.name, shot.body.kind)
            one, present = replace(one, pose_gait=gait, via=via), gait
        found.append(one)
    return replace(shot, steering=tuple(found))
