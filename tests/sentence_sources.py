# SPDX-License-Identifier: GPL-3.0-or-later
"""Every sentence that the engine, the doctor and the bake can say inside Blender, gathered from their source as templates
with numbered holes, the form in which addon/locale/*.po hold them."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WRITERS = {"write_whole": 2, "written_whole": 1, "write_archive": 1}
"""Functions that say what they cannot write, and which of their arguments it is."""
ERRORS = {"LopeError", "InputError", "ClipError", "BodyError", "TakeError", "RigError", "JobError", "EngineError", "Failed"}
STARTS = ("operators/*.py", "panels/*.py", "addon/jobs/*.py", "addon/motions/pressure/*.py", "addon/reports/pressure.py",
          "addon/search/pressed_clips.py")
"""What Blender's window and the worker start from, and what motions are made of pressure by; every module that these import may
speak."""
COMMAND_LINE = ("addon/cli.py", "addon/commands", "addon/batch", "addon/farm", "addon/options")
"""Speaks in a terminal, in English."""
FIXES = {"_override", "_editable", "_show", "_pose", "_apply_scale", "_resize", "_mute_object_constraints",
         "_mute_bone_constraints", "_mute_drivers",
         "_leave_tweak_mode", "_mute_scale", "_show_action_fully", "_lengthen", "_stand_up", "_disconnect"}
RETURNED = {"addon/rigs/read/doctor.py": FIXES, "addon/rigs/bake/artist_keys.py": {"sentence"},
            "addon/reports/hits.py": {"sentence"}, "addon/bodies/creature/findings.py": None}
"""Modules whose functions (None: all, or those named) return sentences."""


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a source file, outer ones first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def template(node: ast.AST) -> str | None:
    """A text or an f-string as a template with numbered holes; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return escaped(node.value)
    if not isinstance(node, ast.JoinedStr):
        return None
    parts, hole = [], 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(escaped(part.value))
        else:
            parts.append(f"{{{hole}}}")
            hole += 1
    return "".join(parts)


def numbered(text: str) -> str:
    """A template with named, formatted holes as one with numbered ones."""
    parts, hole = [], 0
    for before, name, _, _ in string.Formatter().parse(text):
        parts.append(escaped(before))
        if name is not None:
            parts.append(f"{{{hole}}}")
            hole += 1
    return "".join(parts)


def escaped(text: str) -> str:
    """Braces doubled, as `str.format` wants them."""
    return text.replace("{", "{{").replace("}", "}}")


def modules() -> list[Path]:
    """The source files that are looked through."""
    waiting = [path for start in STARTS for path in ROOT.glob(start)]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in found and not path.relative_to(ROOT).as_posix().startswith(COMMAND_LINE):
            found.add(path)
            waiting += imported(path)
    return sorted(found)


def imported(path: Path) -> Iterator[Path]:
    """The package's own files that a file imports, within functions too."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for candidate in (folder.with_suffix(".py"), folder / "__init__.py",
                              *(folder / f"{name.name}.py" for name in node.names)):
                if candidate.is_file():
                    yield candidate


def raised() -> Iterator[str]:
    """Sentences of errors, of the doctor's findings, and those that functions return."""
    for path in modules():
        nodes = nodes_of(path)
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = 2 if node.func.id in ("Finding", "Fault") else 0 if node.func.id in ERRORS else WRITERS.get(node.func.id)
                if place is not None and len(node.args) > place:
                    yield template(node.args[place])
                elif node.func.id == "reading" and node.args:
                    yield failed_reading(node)
                elif node.func.id == "refused" and isinstance(node.args[0], ast.Constant):
                    yield numbered(node.args[0].value)
        within = RETURNED.get(path.relative_to(ROOT).as_posix(), ())
        for function in nodes:
            if within != () and isinstance(function, ast.FunctionDef) and (within is None or function.name in within):
                yield from (template(node.value) for node in ast.walk(function) if isinstance(node, ast.Return))


def failed_reading(call: ast.Call) -> str:
    """What `files.reading` says."""
    failure = template(call.args[0]) or ""
    then = next((template(word.value) for word in call.keywords if word.arg == "then"), "")
    return f"{failure}: {{{failure.count('{')}}}.{then and ' '}{then}"


def of_card() -> Iterator[str]:
    """Sentences of the physics card."""
    from lope.addon.reports.creature import AT_OWN_SPEED, CREATURE_MUSCLED, CREATURE_RULES
    from lope.addon.reports.rules import (
        FOLLOWED,
        GAITED,
        KEEP_HEIGHT,
        LESS_LOAD,
        LESS_MASS,
        MUSCLED,
        PLANET_TIME,
        POSED,
        REFLEXED,
        STILL_LONGER,
        STOOD,
        WEAKER,
    )

    for rule in (*GAITED, *FOLLOWED, *POSED, *STOOD, *REFLEXED, *MUSCLED, *CREATURE_RULES, *AT_OWN_SPEED, *CREATURE_MUSCLED):
        yield from (rule.name, numbered(rule.says), rule.advice, rule.advice.replace(LESS_MASS, LESS_LOAD))
    kinds = (KEEP_HEIGHT, PLANET_TIME, WEAKER)
    yield from (", or ".join(some) for count in (1, 2, 3) for some in combinations(kinds, count))
    yield STILL_LONGER


def of_motions() -> Iterator[str]:
    """Sentences of motions that do not go together with what is asked of them."""
    from lope.addon.specs.former_shot import MOTIONS
    from lope.addon.specs.motion import Motion

    for kind in MOTIONS.values():
        yield from (numbered(text) for text in (kind.REFUSES, kind.NEEDS))
        if kind.CONTROLLERS and kind.SUBJECT != Motion.SUBJECT:
            yield kind.moved_by()


@cache
def all_sentences() -> set[str]:
    """Every template; those without a word of their own, such as an error passed on, left out."""
    found = {text for text in (*raised(), *of_card(), *of_motions()) if text}
    return {text for text in found if any(part[0].strip() for part in string.Formatter().parse(text))}


def all_constants() -> set[str]:
    """Every piece of plain text in the source, those between the holes of f-strings included."""
    found = set()
    for path in (path for room in ("addon", "operators", "panels") for path in (ROOT / room).rglob("*.py")):
        for node in nodes_of(path):
            if isinstance(node, (ast.JoinedStr, ast.Constant)):
                found.add(template(node))
    return (found | of_fields()) - {None}


def of_fields() -> set[str]:
    """What messages call the fields of a request."""
    from lope.addon.specs import bake_options, motion, motions, path, settings, shot
    from lope.addon.specs import path as footprints
    from lope.addon.specs import path as ground

    kinds = (shot.Shot, motions.Gait, shot.World, shot.BodySpec, shot.Push, ground.GroundSpec, path.PathSpec, motion.Style,
             footprints.Footprint, bake_options.BakeOptions)
    told = [(kind, one) for kind in kinds for one in settings.settings_of(kind).values()]
    whole = {settings.field_words(*one) for one in told}
    return {one.words for _, one in told} | whole | {f"{kind.WHOSE} {{0}}" for kind in kinds if kind.WHOSE} | {
        f"Footprint {{0}}'s {one.words}" for kind, one in told if kind is footprints.Footprint}
