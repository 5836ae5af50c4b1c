# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure read`: which known motions pressure is of, laid one after the other on the user's feet."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..example_take import example_take
from ..motions.bvh_writing import write_bvh
from ..motions.pressure.database import MOTION_HZ, Database
from ..motions.pressure.features import features_of, live_features
from ..motions.pressure.feet import ankles_m, foot_masks
from ..motions.pressure.files import read_pressure
from ..motions.pressure.images import MAT, Pressure
from ..motions.pressure.recognition import QUIET, recognised, streamed
from ..motions.pressure.soles import MAT_RATE_HZ
from ..motions.pressure.synthesis import Run, Synthesis, runs_of, synthesise
from ..motions.responses.response import reference_body
from ..options.outputs import check_output
from ..specs.follow import Follow
from ..specs.shot import Shot
from ..specs.stand import Stand
from ..take import Take
from ..worlds.planets import load_world
from .outcome import Outcome, table
from .simulate import outcome_of

CLOSE = 0.01
"""A rate so near to the database's, over it, is that."""
LEAST_S = 2.0
"""Of pressure, to be recognised at all: quiet stance has to be told from what moves."""


def pressure_read(args: argparse.Namespace) -> Outcome:
    """The motions of a file of pressure; a take and a clip of them where asked."""
    if args.database is None:
        raise InputError("`lope pressure read` needs --database DB.npz: `lope pressure index` makes one of a folder of clips.")
    if args.world is not None and not args.physical:
        raise InputError("--world says where the motion is simulated: add --physical.")
    out = None if args.out is None else _ends(check_output(args.out), ".npz", "A take")
    clip = None if args.clip is None else _ends(check_output(args.clip), ".bvh", "A clip")
    world = load_world(args.world or "earth")
    mat, database = mat_in(args.path), Database.load(args.database)
    find, seen = (streamed, live_features) if args.stream else (recognised, features_of)
    matches = find(database.recogniser(), seen(mat))
    runs = runs_of(matches)
    motion = synthesise(reference_body(), database, matches, ankles_m(mat, foot_masks(mat)))
    report: dict[str, Any] = {"frames": len(mat), "lasts": round(len(mat) / mat.rate_hz, 3), "database": database.name,
                              "motions": [_row(run, database, mat) for run in runs]}
    said = table(report, {"lasts": "s"})
    if args.physical and clip is None:
        clip = out.with_suffix(".bvh") if out is not None else Path(tempfile.mkdtemp(prefix="lope-pressure-")) / "motion.bvh"
    if clip is not None:
        figure = motion.figure
        write_bvh(clip, reference_body(), 1.0 / MOTION_HZ, figure.root, figure.turn, figure.joints)
        print(f"Clip written to {clip}.", file=sys.stderr)
    if args.physical:
        shot = Shot(controller="follow", follow=Follow(str(clip)), world=world, until_end=True)
        stood = outcome_of(shot, args)
        return Outcome(report | {"physical": stood.report}, f"{said}\n\n{stood.text}", stood.code)
    if out is not None:
        taken(motion, {"by_pressure": "; ".join(one["motion"] for one in report["motions"])}).save(out)
        print(f"Take written to {out}.", file=sys.stderr)
    return Outcome(report, said)


def mat_in(path: str | Path) -> Pressure:
    """The mat's pressure in a file or folder, at the database's rate. Raises InputError for insoles, which do not tell where a
    foot is, and for what is too short."""
    sequences = read_pressure(path)
    if len(sequences) != 1 or sequences[0].place != MAT:
        raise InputError(f"{path} is of insoles, which do not tell where a foot stands: motions are recognised from a mat.")
    mat = sequences[0]
    if abs(mat.rate_hz - MAT_RATE_HZ) < CLOSE * MAT_RATE_HZ:  # times are written with so many figures
        mat = replace(mat, rate_hz=MAT_RATE_HZ)
    if mat.rate_hz < MAT_RATE_HZ:
        raise InputError(f"{path} has {mat.rate_hz:g} frames a second: motions are recognised from {MAT_RATE_HZ:g} or more.")
    if not mat.images.any():
        raise InputError(f"Nobody stands on the mat in {path}: all of its cells are 0.")
    mat = mat.at_rate(MAT_RATE_HZ)
    if len(mat) < LEAST_S * MAT_RATE_HZ:
        raise InputError(f"{path} lasts {len(mat) / MAT_RATE_HZ:.1f} s: motions are recognised in {LEAST_S:g} s or more.")
    return mat


def taken(motion: Synthesis, stats: dict[str, Any]) -> Take:
    """The Take of a motion's poses on the reference body."""
    body, step_s = reference_body(), 1.0 / MOTION_HZ
    qpos = motion.figure.coordinates(body)
    shot = Shot(controller="standing", stand=Stand(), duration_s=round(step_s * (len(qpos) - 1), 4))
    return example_take(shot, body, step_s, qpos, motion.planted, stats)


def _ends(path: Path, ending: str, what: str) -> Path:
    """A path with the ending that is meant. Raises InputError otherwise."""
    if path.suffix.lower() != ending:
        raise InputError(f"{what} is written as {ending}; got {path.name!r}.")
    return path


def _row(run: Run, database: Database, mat: Pressure) -> dict[str, Any]:
    """A run as the report tells it: what, from when to when, and how fast against the database."""
    times = {"from_s": round(mat.start_s + run.begin / mat.rate_hz, 2), "to_s": round(mat.start_s + run.end / mat.rate_hz, 2)}
    if run.row == QUIET:
        return {"motion": "stands", **times}
    pace = (run.frames[-1] - run.frames[0] + 1.0) / len(run.frames)
    return {"motion": database.active[run.row].name, **times, "pace": round(float(pace), 2)}
