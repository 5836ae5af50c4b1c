# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope presets`: what can be named on the command line, and whether a file of one's own is sound."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..errors import InputError, unknown_name
from ..options.outputs import check_input
from .outcome import Outcome, shown, table

if TYPE_CHECKING:
    from .preset_kinds import Kind

SUMMARY = ("list gaits, reflex walkers, moves, worlds, suits, muscles, conditions, creatures and their gaits, controllers and "
           "rigs, show one, or check a file")
EXAMPLE = """examples:
  lope presets
  lope presets gait walk          how it was made, and at which speeds it stands where
  lope presets controller tracking   its settings: unit, range, default, source
  lope presets condition waddle   what is weak there, and by whose figures
  lope presets rig mixamo         the bone map: which bone is which
  lope presets check my-suit.json"""

CHECK = "check"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this verb."""
    parser.add_argument("what", nargs="?", metavar="KIND",
                        help=f"gait, move, reflex, world, suit, muscles, condition, creature, creature-gait, "
                             f"controller or rig; or {CHECK}")
    parser.add_argument("name", nargs="?", metavar="NAME", help=f"show this one; after {CHECK}: the JSON file")
    parser.add_argument("--kind", metavar="KIND", help=f"after {CHECK}: what the file is meant to be (default: as it looks)")


def run(args: argparse.Namespace) -> Outcome:
    """List, show or check."""
    if args.what == CHECK:
        return _checked(args.name, args.kind)
    if args.kind is not None:
        raise InputError(f"--kind belongs to `lope presets {CHECK} FILE.json`.")
    if args.what is None:
        return _all()
    return _listed(args.what) if args.name is None else _shown(args.what, args.name)


def _all() -> Outcome:
    """The names of every kind."""
    from .preset_kinds import KINDS

    report = {kind.plural: kind.names() for kind in KINDS.values()}
    lines = [f"{plural:14} {', '.join(names)}" for plural, names in report.items()]
    lines.append("`lope presets KIND` says more about them, `lope presets KIND NAME` about one.")
    return Outcome(report, "\n".join(lines))


def _kind(word: str) -> Kind:
    """The Kind of that name, singular or plural. Raises InputError."""
    from .preset_kinds import KINDS

    plurals = {kind.plural: kind for kind in KINDS.values()}
    kind = {**KINDS, **plurals}.get(word.lower().replace("-", "_"))
    if kind is None:
        raise unknown_name("kind of preset", word, [*KINDS, CHECK])
    return kind


def _listed(word: str) -> Outcome:
    """One line on each preset of a kind."""
    kind = _kind(word)
    details = [kind.show(name) for name in kind.names()]
    width = max((len(entry["name"]) for entry in details), default=0)
    lines = [f"{entry['name']:{width}}  {kind.line(entry)}" for entry in details]
    return Outcome({kind.plural: details}, "\n".join(lines))


def _shown(word: str, name: str) -> Outcome:
    """Everything about one preset."""
    details = _kind(word).show(name)
    tables = {key: value for key, value in details.items() if isinstance(value, dict)}
    parts = [table({key: value for key, value in details.items() if key not in tables})]
    for key, entries in tables.items():
        width = max(map(len, entries), default=0)
        parts.append("\n".join([f"{key}:", *(f"  {entry:{width}}  {shown(value)}" for entry, value in entries.items())]))
    return Outcome(details, "\n".join(parts))


def _checked(name: str | None, kind: str | None) -> Outcome:
    """Check a file; raises InputError with what is wrong in it."""
    from .preset_kinds import CHECKS, kind_of_file

    if name is None:
        raise InputError(f"`lope presets {CHECK}` needs the JSON file: lope presets {CHECK} my-suit.json.")
    path = check_input(name, "preset file")
    if kind is not None and kind not in CHECKS:
        raise unknown_name("kind of preset", kind, CHECKS)
    kind = kind or kind_of_file(path)
    CHECKS[kind](path)
    return Outcome({"file": str(path), "kind": kind, "sound": True}, f"{path} is a sound {kind}.")
