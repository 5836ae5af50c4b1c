# SPDX-License-Identifier: GPL-3.0-or-later
"""A job on the desk: whom it is for, and what shall become of its result."""

from __future__ import annotations

from dataclasses import dataclass

from ..addon.jobs.job import Job


@dataclass
class Order:
    """A job, whom it is for, and what shall happen with its result."""

    job: Job
    object_uid: int
    object_name: str
    scene_name: str
    rig: int
    bake: bool
