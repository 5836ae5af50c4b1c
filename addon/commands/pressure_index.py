# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure index`: a database of the motions of a folder of clips, known by their pressure."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..motions.pressure.spans import is_former, read_spans, read_starts, write_spans
from ..options.outputs import check_apart, check_output
from ..progress import Progress
from ..reports.film.canvas import check_drawing
from ..reports.onset_picture import SeenClip, onset_page, onset_sheet
from .outcome import Outcome, table
from .responses_clips import clip_files, clips_in

PAGE = ".html"


def pressure_index(args: argparse.Namespace) -> Outcome:
    """Simulate each clip, write the database and the list of its motions; a list that is there is taken over."""
    if args.out is None:
        raise InputError("`lope pressure index` needs a folder of clips and --out DB.npz.")
    out = check_output(args, "out")
    if out.suffix.lower() != ".npz":
        raise InputError(f"A database of pressure is written as .npz; got {out.name!r}.")
    picture = None if args.picture is None else _picture(args)
    listed = check_output(args, "out", out.with_suffix(".json"))
    for path in (out, listed, *([] if picture is None else [picture])):
        check_apart(path, clip_files(Path(args.path)))
    known, starts, paths = read_spans(listed), read_starts(listed), clips_in(Path(args.path))
    from ..tuning.measured_clips import pressing
    from ..tuning.pressed_clips import PressedClip, index_clips

    progress, rows = Progress(sys.stderr, args.json), []
    played: list[PressedClip] = []

    def told(path: Path, clip: PressedClip | None, reason: str) -> None:
        played.extend([] if clip is None else [clip])
        how = "left out" if clip is None else clip.how
        rows.append({"clip": path.name, "how": how, **({"reason": reason} if reason else {}),
                     **({} if clip is None else clip.said)})
        progress(len(rows) / len(paths), f"{path.name}: {how}")

    try:
        database, spans = index_clips(out.stem, args.licence or "not told", paths, known, told, press=pressing(starts),
                                      former=is_former(listed))
    finally:
        progress.close()
    database.save(out)
    write_spans(listed, {**{clip: known[clip] for clip in known if clip not in spans}, **spans},
                starts | {one.path.name: one.said["start_s"] for one in played if one.said})
    print(f"Database written to {out}, its motions to {listed}: mend begins and ends there and index again.", file=sys.stderr)
    if picture is not None:
        seen = [SeenClip(one.path.name, one.how, one.pressure, one.features, spans[one.path.name], one.path.name in known,
                         one.offset_s, one.slow)
                for one in played]
        picture.write_bytes(onset_page(seen, f"Motions of {out.stem}", listed.name).encode() if picture.suffix == PAGE
                            else onset_sheet(seen))
        print(f"Motions over time drawn to {picture}.", file=sys.stderr)
    motions: list[dict[str, Any]] = [
        {"motion": one.name, "clip": clip, "begin_s": one.begin_s, "end_s": one.end_s, **({"quiet": True} if one.quiet else {})}
        for clip, all_of in spans.items() for one in all_of]
    report = {"database": str(out), "list": str(listed), "taken_over": sorted(set(known) & set(spans)), "clips": rows,
              "motions": motions}
    if database.stance is None:
        report["warning"] = str(database.no_stance)
    return Outcome(report, table(report))


def _picture(args: argparse.Namespace) -> Path:
    """Where a picture or a page is to be written. Raises InputError."""
    path = check_output(args, "picture")
    if path.suffix not in (".png", PAGE):
        raise InputError(f"Motions over time are drawn to a .png, or to a page with a picture a clip, {PAGE}; got {path.name!r}.")
    check_drawing()
    return path
