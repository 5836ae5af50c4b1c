# SPDX-License-Identifier: GPL-3.0-or-later
"""A planned shot list as a job of the render farm Flamenco 3, for the job type in scripts/tools/flamenco.

Flamenco's scripts read no files, so the job carries what the tasks are made of: the names of the shots, their stages, and
which of them share a rig. What each stage does is looked up in the list again by the worker that does it. The form of a job
is `SubmittedJob` of Flamenco's published interface (flamenco-openapi.yaml).
"""

from __future__ import annotations

import json
import platform
from typing import Any

from .. import VERSION
from ..batch.plan import Plan
from ..errors import InputError

JOB_TYPE = "lope-shot-list"
"""Flamenco names a job type by its script's file."""
PRIORITY = 50
"""Flamenco's own default."""


def flamenco_job(plan: Plan) -> dict[str, Any]:
    """The job to submit, plain JSON values, without shots that cannot be planned. Raises InputError where none is left."""
    shots = [{"name": shot.name, "stages": list(shot.keys), "rig": shot.rig.blend.stem if shot.rig else None}
             for shot in plan.shots if shot.problem is None]
    if not shots:
        raise InputError(f"No shot of {plan.list.path} can be done: {plan.shots[0].name}: {plan.shots[0].problem}")
    settings = {"list": str(plan.list.path.resolve()), "sheet": plan.list.sheet, "shots": json.dumps(shots)}
    return {"name": plan.list.path.stem, "type": JOB_TYPE, "priority": PRIORITY, "settings": settings,
            "submitter_platform": platform.system().lower(), "metadata": {"lope.version": VERSION}}


def left_out(plan: Plan) -> list[str]:
    """A sentence for each shot that the job does not hold."""
    return [f"{shot.name} is left out: {shot.problem}" for shot in plan.shots if shot.problem is not None]
