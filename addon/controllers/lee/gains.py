# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number of the data-driven controller that may be changed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from ...specs.shot import Shot
from ..motion_gains import motion_gains
from .entry import LEE
from .settings import LeeSettings, PenaltySettings


@dataclass(frozen=True)
class LeeControls:
    """The groups of settings; the defaults are the printed ones."""

    lee: LeeSettings = LeeSettings()
    penalty: PenaltySettings = PenaltySettings()

    def groups(self) -> dict[str, Any]:
        """The groups of settings by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def shot_controls(shot: Shot) -> LeeControls:
    """The printed settings, with those stored for the shot's clip and those of the shot where there are some. Raises InputError
    for unknown ones."""
    return replace(LeeControls(), **LEE.changed(motion_gains(shot)))
